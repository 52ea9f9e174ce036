#include "fovea/core/lab/run_sweep.hpp"

#include <omp.h>

#include <algorithm>
#include <atomic>
#include <exception>
#include <filesystem>
#include <mutex>
#include <set>
#include <thread>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/machine/drawn.hpp"
#include "fovea/core/base/storage.hpp"
#include "fovea/core/data/dataset_flags.hpp"
#include "fovea/core/data/dataset_merge.hpp"
#include "fovea/core/lab/directory/run_log.hpp"
#include "fovea/core/lab/run_point.hpp"

namespace fovea {

namespace {

namespace fs = std::filesystem;

/// Folders beside this one in which another sweep of the same experiment may have finished some of our points.
std::vector<RunDirectory> other_sweeps(const RunDirectory& directory, const std::string& experiment) {
  std::vector<std::string> found;
  const fs::path here = fs::absolute(directory.path()).lexically_normal();
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator(here.parent_path(), error)) {
    const std::string name = entry.path().filename().string();
    if (name.compare(0, experiment.size() + 1, experiment + '-') != 0 || name == here.filename()) continue;
    if (fs::is_directory(entry.path() / "points", error)) found.push_back(entry.path().string());
  }
  std::sort(found.begin(), found.end());
  return {found.begin(), found.end()};
}

/// The workers share one list of points; each takes the next until none is left or something ends it all.
class Pool {
 public:
  Pool(const Experiment& experiment, const Sweep& sweep, OpenInputs& inputs, const SweepPlan& plan,
       SweepOutcome& outcome, const std::vector<std::string>& identities, ProgressMeter& meter)
      : experiment_(experiment),
        sweep_(sweep),
        inputs_(inputs),
        plan_(plan),
        outcome_(outcome),
        identities_(identities),
        meter_(meter),
        seeds_(sweep.axes().back().values.size()),
        undrawn_(sweep.size() / seeds_),
        failures_(sweep.size()) {
    // One seed of each place first: where nothing is drawn from it, the others are copies.
    for (const bool first : {true, false})
      for (std::size_t point = 0; point < sweep.size(); ++point)
        if (!outcome.finished[point] && (point % seeds_ == 0) == first) pending_.push_back(point);
  }

  void run() {
    const std::size_t workers = std::min<std::size_t>(std::max(1, plan_.jobs), pending_.size());
    std::vector<std::thread> threads;
    working_ = static_cast<int>(workers);
    for (std::size_t i = 0; i < workers; ++i)
      threads.emplace_back([this] {
        work();
        --working_;
      });
    for (std::thread& thread : threads) thread.join();
    for (std::size_t point = 0; point < failures_.size(); ++point)
      if (!failures_[point].error.empty()) outcome_.failures.push_back(failures_[point]);
    if (first_error_) std::rethrow_exception(first_error_);
  }

 private:
  /// Jobs that found nothing left to do hand their threads to the others; results do not depend on it.
  void take_free_threads() const {
    omp_set_num_threads(std::max(plan_.threads, plan_.all_threads / std::max(1, working_.load())));
  }

  void work() {
    take_free_threads();
    for (;;) {
      const std::size_t next = next_.fetch_add(1);
      if (next >= pending_.size() || ending_.load()) return;
      if (plan_.stop != nullptr && plan_.stop->load() != 0) return end(std::make_exception_ptr(Interrupted("stopped")));
      compute(pending_[next]);
    }
  }

  void compute(std::size_t point) {
    try {
      const RunDirectory& folder = outcome_.folders[point];
      RunLog log(folder.log());
      log.check();
      const Config config = sweep_.config(point);
      if (!is_copied(point, config)) {
        const bool whole = !has_checkpoints(folder.place());  // what was drawn before a resume is not known here
        finish_point(experiment_, config, inputs_.of(experiment_, config), identities_[point], folder,
                     bench(point, log));
        if (whole && !drawn_from(*config.seed)) undrawn_[point / seeds_] = point + 1;
      }
      remove_file(folder.failure());
      outcome_.finished[point] = 1;
      meter_.detail("finished " + sweep_.label(point));
      meter_.finish(point);
    } catch (const Interrupted&) {
      end(std::current_exception());
    } catch (const StorageError&) {
      end(std::current_exception());
    } catch (const std::bad_alloc&) {
      fail(point, "there was not enough memory; use fewer --jobs, or make the point smaller.");
    } catch (const std::exception& error) {
      fail(point, error.what());
    }
  }

  /// Whether the same place was computed with another seed from which nothing was drawn, and this is now a copy of it.
  bool is_copied(std::size_t point, const Config& config) {
    const std::size_t other = undrawn_[point / seeds_].load();
    if (other == 0 || !copy_point(config, identities_[point], outcome_.folders[other - 1], outcome_.folders[point]))
      return false;
    const std::lock_guard lock(mutex_);
    ++outcome_.copied;
    return true;
  }

  BenchPlan bench(std::size_t point, RunLog& log) {
    BenchPlan plan;
    plan.interval_seconds = plan_.checkpoint_seconds;
    plan.stop = plan_.stop;
    plan.progress = [this, point](double fraction) {  // called by the thread that computes the point
      take_free_threads();
      meter_.update(point, fraction);
    };
    plan.log = [&log](const std::string& line) { log.line(line); };
    plan.say = [this, &log](const std::string& sentence) {  // points share their data, and what is to be said of them
      log.line(sentence);
      const std::lock_guard lock(mutex_);
      if (said_.insert(sentence).second) meter_.say(sentence);
    };
    return plan;
  }

  void fail(std::size_t point, const std::string& error) {
    const RunDirectory& folder = outcome_.folders[point];
    failures_[point] = {sweep_.label(point), error, utc_now(), folder.path()};
    meter_.fail(point);
    meter_.say(concat("point ", sweep_.label(point), " failed: ", error));
    if (plan_.fail_fast) ending_ = true;
    try {
      write_failure(folder, failures_[point]);
    } catch (const std::runtime_error&) {  // the disk refuses, or the folder is a link
      end(std::current_exception());
    }
  }

  void end(std::exception_ptr error) {
    const std::lock_guard lock(mutex_);
    if (!first_error_) first_error_ = std::move(error);
    ending_ = true;
  }

  const Experiment& experiment_;
  const Sweep& sweep_;
  OpenInputs& inputs_;
  const SweepPlan& plan_;
  SweepOutcome& outcome_;
  const std::vector<std::string>& identities_;
  ProgressMeter& meter_;
  std::size_t seeds_;                              ///< of each place
  std::vector<std::atomic<std::size_t>> undrawn_;  ///< of each place: 1 + a point whose seed was not drawn from
  std::vector<PointFailure> failures_;
  std::vector<std::size_t> pending_;
  std::atomic<std::size_t> next_{0};
  std::atomic<bool> ending_{false};
  std::atomic<int> working_{0};
  std::mutex mutex_;
  std::set<std::string> said_;
  std::exception_ptr first_error_;
};

/// The values of an axis as an array; all have the type of the key.
template <typename Held, typename Element = Held>
std::vector<Element> axis_values(const SweepAxis& axis) {
  std::vector<Element> values;
  for (const ConfigValue& value : axis.values) values.push_back(static_cast<Element>(std::get<Held>(value)));
  return values;
}

Values axis_array(const SweepAxis& axis) {
  const ConfigValue& first = axis.values.front();
  if (std::holds_alternative<bool>(first)) return axis_values<bool, std::uint8_t>(axis);
  if (std::holds_alternative<std::int64_t>(first)) return axis_values<std::int64_t>(axis);
  if (std::holds_alternative<double>(first)) return axis_values<double>(axis);
  return axis_values<std::string>(axis);
}

/// "simulated: share of ..." as "share of ...", which names the axis; a symbol stays: "eps: bound of ...".
std::string without_context(const std::string& meaning) {
  constexpr std::size_t kLongestSymbol = 3;
  const std::size_t end = meaning.find_first_of(",:;(");
  const bool context = end != std::string::npos && end > kLongestSymbol && meaning.compare(end, 2, ": ") == 0;
  return context ? meaning.substr(end + 2) : meaning;
}

/// What the values mean: the name of the table, where the key is one of a table in a list that has a name.
std::string axis_meaning(const SweepAxis& axis, const Config& config) {
  for (const Parameter& list : config.schema().parameters()) {
    if (list.type != ValueType::tables || !axis.key.starts_with(list.key + ".")) continue;
    const std::string name = axis.key.substr(0, axis.key.rfind('.')) + ".name";
    if (config.parameter(name) != nullptr && !config.text(name).empty()) return config.text(name);
  }
  const std::string& meaning = config.parameter(axis.key)->meaning;
  return std::holds_alternative<std::string>(axis.values.front()) ? meaning : without_context(meaning);
}

MergeAxis merge_axis(const SweepAxis& axis, const Config& config) {
  if (axis.key == "seed") return {axis.key, axis_array(axis), "1", "seed of all random numbers"};
  const Parameter* parameter = config.parameter(axis.key);
  const bool text = std::holds_alternative<std::string>(axis.values.front());
  return {axis.key, axis_array(axis), !parameter->unit.empty() || text ? parameter->unit : "1",
          axis_meaning(axis, config)};
}

/// What DONE of another sweep's point says; nothing if there are links on the way, which only its own commands complain
/// of.
std::optional<Done> finished_elsewhere(const RunDirectory& source, const std::string& identity) {
  try {
    return finished(source, identity);
  } catch (const DataError&) {
    return std::nullopt;
  }
}

/// Whether the point is finished here, or was finished by another sweep and is now here as well.
bool is_there(const RunDirectory& folder, const std::string& identity, const std::vector<RunDirectory>& others) {
  if (finished(folder, identity)) return true;
  for (const RunDirectory& other : others) {
    const RunDirectory source = other.point(identity);
    const std::optional<Done> done = finished_elsewhere(source, identity);
    if (!done) continue;
    make_folder(folder.place());
    if (is_file(source.machine())) write_file(folder.machine(), read_file(source.machine()));
    if (is_file(source.model())) write_file(folder.model(), read_file(source.model()));
    write_file(folder.result(), read_file(source.result()));
    write_done(folder, *done);
    return true;
  }
  return false;
}

}  // namespace

SweepOutcome run_points(const Experiment& experiment, const Sweep& sweep, InputFiles& files, OpenInputs& opened,
                        const RunDirectory& directory, const SweepPlan& plan, Narrator& narrator) {
  const std::vector<RunDirectory> others = other_sweeps(directory, std::string(experiment.name()));
  SweepOutcome outcome;
  outcome.finished.assign(sweep.size(), 0);
  std::vector<std::string> identities;
  for (std::size_t point = 0; point < sweep.size(); ++point) {
    identities.push_back(run_identity(experiment, sweep.config(point), files));
    outcome.folders.push_back(directory.point(identities.back()));
    if (plan.force) {
      remove_checkpoints(outcome.folders.back().place());
    } else if (is_there(outcome.folders.back(), identities.back(), others)) {
      outcome.finished[point] = 1;
      ++outcome.reused;
    }
  }
  if (outcome.reused > 0) narrator.say(concat(outcome.reused, " of ", sweep.size(), " points were already finished."));
  ProgressMeter meter(narrator, sweep.size(), outcome.reused);
  Pool(experiment, sweep, opened, plan, outcome, identities, meter).run();
  if (outcome.copied > 0)
    narrator.say(
        concat(outcome.copied, " of ", sweep.size(),
               " points equal those of another seed, as nothing is drawn from it; they were not computed again."));
  opened.let_go();
  return outcome;
}

void flag_axes(const Config& config, Dataset& data) {
  for (const SweepAxis& axis : config.sweep) {
    std::string name = axis.key;
    std::replace(name.begin(), name.end(), '.', '_');
    name_to_flags(data, name);
    name_to_flags(data, "sweep_" + name);
  }
}

Results merge_finished(const Sweep& sweep, const SweepOutcome& outcome, std::vector<SweptCheck>& checks) {
  std::vector<MergeAxis> axes;
  const Config config = sweep.config(0);
  for (const SweepAxis& axis : sweep.axes()) axes.push_back(merge_axis(axis, config));
  std::vector<RunDirectory> finished;
  for (std::size_t point = 0; point < sweep.size(); ++point)
    if (outcome.finished[point]) finished.push_back(outcome.folders[point]);
  const std::vector<Results> results = read_results(finished);
  std::vector<const Results*> points(sweep.size(), nullptr);
  for (std::size_t point = 0, next = 0; point < sweep.size(); ++point)
    if (outcome.finished[point]) points[point] = &results[next++];
  checks = swept_checks(points);
  return merge_results(axes, points);
}

}  // namespace fovea
