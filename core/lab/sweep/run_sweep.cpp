#include "fovea/core/lab/sweep/run_sweep.hpp"

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <thread>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/machine/processes.hpp"
#include "fovea/core/base/storage.hpp"
#include "fovea/core/base/words.hpp"
#include "fovea/core/data/dataset_flags.hpp"
#include "fovea/core/data/dataset_merge.hpp"
#include "fovea/core/lab/directory/shard_note.hpp"
#include "fovea/core/lab/run_point.hpp"

namespace fovea {

namespace {

/// The note that a shard leaves, at most once a second and when it ends.
class ShardLog {
 public:
  ShardLog(const RunDirectory& directory, const Share& share, std::size_t points)
      : directory_(directory), note_{share.index, share.count, process_host(), ::getpid(), points, 0, "", ""} {
    write();
  }
  ~ShardLog() {
    try {
      write();
    } catch (const std::exception&) {  // it is for people alone
    }
  }
  ShardLog(const ShardLog&) = delete;
  ShardLog& operator=(const ShardLog&) = delete;

  void finished(const std::string& label) {
    ++note_.finished;
    note_.last = label;
    if (Clock::now() - written_ > std::chrono::seconds(1)) write();
  }

 private:
  using Clock = std::chrono::steady_clock;
  void write() {
    written_ = Clock::now();
    note_.at = utc_now();
    write_shard_note(directory_, note_);
  }

  const RunDirectory& directory_;
  ShardNote note_;
  Clock::time_point written_;
};

/// One process's part in a sweep.
class Part {
 public:
  Part(const Experiment& experiment, PointFolders& points, OpenInputs& opened, const RunDirectory& directory,
       const SweepPlan& plan, Narrator& narrator)
      : points_(points),
        plan_(plan),
        narrator_(narrator),
        share_(plan.share.value_or(Share{}).own(points.size())),
        own_(points.size()),
        known_(points.size()) {
    for (const std::size_t point : share_) own_[point] = 1;
    find();
    meter_.emplace(narrator, share_.size(), outcome_.reused);
    pool_.emplace(experiment, points, opened, plan, own_, *meter_);
    if (plan.share && !plan.share->points) log_.emplace(directory, *plan.share, share_.size());
    pool_->when_computed = [this](std::size_t point) {
      ++outcome_.computed;
      if (log_) log_->finished(points_.sweep().label(point));
    };
  }

  SweepOutcome done() {
    std::vector<std::size_t> pending = own_pending();
    do {
      pool_->run(pending);
      wait_for_others();
      pending = look_at_all();
    } while (!pending.empty());
    say_outcome();
    return std::move(outcome_);
  }

 private:
  bool does_others() const { return plan_.share && !plan_.share->points && plan_.share->count > 1 && plan_.locks; }

  /// What is finished of its own.
  void find() {
    for (const std::size_t point : share_) {
      if (plan_.force)
        remove_checkpoints(points_.folder(point).place());
      else if (points_.is_finished(point, Look::size) || points_.is_taken_over(point))
        known_[point] = 1;
    }
    outcome_.reused = static_cast<std::size_t>(std::count(known_.begin(), known_.end(), char{1}));
    if (outcome_.reused > 0)
      narrator_.say(concat(outcome_.reused, " of ", share_.size(), " points were already finished."));
  }

  /// One seed of each place first: where nothing is drawn from it, the others are copies. Others' points come last.
  std::vector<std::size_t> own_pending() const {
    const std::size_t seeds = points_.sweep().axes().back().values.size();
    std::vector<std::size_t> pending;
    for (const bool first : {true, false})
      for (const std::size_t point : share_)
        if (known_[point] == 0 && (point % seeds == 0) == first) pending.push_back(point);
    if (does_others() && !points_.may_be_complete())
      for (std::size_t point = points_.size(); point-- > 0;)
        if (own_[point] == 0) pending.push_back(point);
    return pending;
  }

  /// Who asked for all points gets all: those that other processes have are theirs until they end, in whatever way.
  void wait_for_others() {
    std::vector<std::size_t> held = pool_->take_held();
    if (plan_.share) return;
    if (!held.empty() && !pool_->is_ending())
      narrator_.say(concat("waiting for ", counted(std::ssize(held), "point"), " that other processes compute."));
    for (; !held.empty() && !pool_->is_ending(); held = pool_->take_held()) {
      std::this_thread::sleep_for(std::chrono::milliseconds(100));
      pool_->run(held);
    }
  }

  void say_outcome() {
    if (const auto found = static_cast<std::int64_t>(pool_->found()); found > 0)
      narrator_.say(concat(counted(found, "point was", "points were"), " finished by other processes meanwhile."));
    if (pool_->copied() > 0)
      narrator_.say(
          concat(pool_->copied(), " of ", points_.size(),
                 " points equal those of another seed, as nothing is drawn from it; they were not computed again."));
  }

  bool may_compute(std::size_t point) const { return own_[point] != 0 || does_others(); }

  /// How all points stand, unless a short look says that some are missing. Gives those to be computed again whose bytes
  /// are not what they were.
  std::vector<std::size_t> look_at_all() {
    const bool all = !plan_.share || plan_.share->is_empty() || points_.may_be_complete();
    std::vector<std::size_t> damaged;
    outcome_.finished.assign(points_.size(), 0);
    outcome_.failures.clear();
    for (std::size_t point = 0; point < points_.size(); ++point) {
      if (pool_->failure(point).error.empty()) {
        if (all) look_at(point, damaged);
      } else {
        outcome_.failures.push_back(pool_->failure(point));
      }
    }
    outcome_.complete = all && damaged.empty() && (outcome_.missing.empty() || !plan_.share);
    return damaged;
  }

  void look_at(std::size_t point, std::vector<std::size_t>& damaged) {
    const RunDirectory folder = points_.folder(point);
    remove_temporaries(folder.place());
    if (pool_->computed_here(point) || points_.is_finished(point, Look::hash)) {
      outcome_.finished[point] = 1;
    } else if (const std::optional<PointFailure> failure = find_failure(folder); failure && !exists(folder.done())) {
      outcome_.failures.push_back(*failure);
    } else if (exists(folder.done()) && may_compute(point)) {
      remove_file(folder.done());
      damaged.push_back(point);
    } else {
      outcome_.missing.push_back(point);
    }
  }

  PointFolders& points_;
  const SweepPlan& plan_;
  Narrator& narrator_;
  std::vector<std::size_t> share_;
  std::vector<char> own_, known_;
  SweepOutcome outcome_;
  std::optional<ProgressMeter> meter_;
  std::optional<PointPool> pool_;
  std::optional<ShardLog> log_;
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

constexpr std::size_t kBlock = 2'000'000;  // bytes of the files that are read at once

void add_block(PointFolders& points, const std::vector<std::size_t>& block, ResultsMerger& merger,
               std::vector<SweptCheck>& checks) {
  std::vector<RunDirectory> folders;
  for (const std::size_t point : block) folders.push_back(points.folder(point));
  const std::vector<Results> results = read_results(folders);
  for (std::size_t k = 0; k < block.size(); ++k) {
    add_checks(checks, results[k], block[k], points.size());
    merger.add(block[k], results[k]);
  }
}

}  // namespace

SweepOutcome run_points(const Experiment& experiment, PointFolders& points, OpenInputs& opened,
                        const RunDirectory& directory, const SweepPlan& plan, Narrator& narrator) {
  SweepOutcome outcome = Part(experiment, points, opened, directory, plan, narrator).done();
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

Results merge_finished(PointFolders& points, const SweepOutcome& outcome, std::vector<SweptCheck>& checks) {
  const Sweep& sweep = points.sweep();
  std::vector<MergeAxis> axes;
  const Config config = sweep.config(0);
  for (const SweepAxis& axis : sweep.axes()) axes.push_back(merge_axis(axis, config));
  ResultsMerger merger(axes);
  std::vector<std::size_t> block;
  std::size_t bytes = 0;
  for (std::size_t point = 0; point < sweep.size(); ++point) {
    if (outcome.finished[point]) {
      block.push_back(point);
      bytes += file_size(points.folder(point).result());
    }
    if (block.empty() || (bytes < kBlock && point + 1 < sweep.size())) continue;
    add_block(points, block, merger, checks);
    block.clear();
    bytes = 0;
  }
  return merger.finish();
}

}  // namespace fovea
