#include "fovea/core/lab/runner.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <filesystem>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/machine/memory_left.hpp"
#include "fovea/core/base/machine/thread_count.hpp"
#include "fovea/core/base/storage.hpp"
#include "fovea/core/data/dataset_flags.hpp"
#include "fovea/core/data/file/dataset_file.hpp"
#include "fovea/core/data/verdict.hpp"
#include "fovea/core/lab/arguments.hpp"
#include "fovea/core/lab/directory/folder_lock.hpp"
#include "fovea/core/lab/directory/run_index.hpp"
#include "fovea/core/lab/directory/run_log.hpp"
#include "fovea/core/lab/ranks/follow_run.hpp"
#include "fovea/core/lab/run_point.hpp"
#include "fovea/core/lab/sweep/run_sweep.hpp"
#include "fovea/core/lab/sweep/sweep_points.hpp"
#include "fovea/core/report/report.hpp"

namespace fovea {

namespace {
namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

/// Arrays are lent to what is drawn, as those of a sweep may be large.
void draw_into(const RunDirectory& directory, Results& results, const std::string& manifest_json) {
  const bool lent = results.machine() == nullptr;
  Dataset data = lent ? std::move(results.data) : Dataset();
  Results shown = lent ? results : results.with_machine();
  if (lent) shown.data = std::move(data);
  shown = with_sweep_points(std::move(shown));
  const std::vector<SvgFigure> figures = draw_figures(shown);
  if (!figures.empty()) make_folder(directory.figures());
  for (const SvgFigure& figure : figures) write_file(directory.figures() / (figure.name + ".svg"), figure.svg);
  const Provenance provenance{manifest_json, "fovea run " + directory.resolved().path() + " --force"};
  write_file(directory.report(), draw_page(shown, provenance));
  if (lent) results.data = without_sweep_points(std::move(shown.data));
}

/// One run in one directory, or this process's part in it, from the lock to DONE.
class Run {
 public:
  Run(const Experiment& experiment, const Config& config, const std::string& identity, InputFiles& files,
      OpenInputs& opened, RunDirectory directory, const RunOptions& options, Narrator& narrator)
      : experiment_(experiment),
        config_(config),
        files_(files),
        opened_(opened),
        options_(options),
        directory_(std::move(directory)),
        log_(directory_.log()),
        narrator_(narrator, log_),
        sweep_(config),
        points_(experiment, sweep_, files, directory_) {
    manifest_.identity = identity;
    manifest_.sweep = !config_.sweep.empty();
    if (options.share) options.share->own(sweep_.size());  // refuses a point that there is not, before anything is made
  }

  bool is_sweep() const { return manifest_.sweep; }

  /// Who computes here, while this process does; also says what follows where locks are refused, or taken by others.
  FolderLock lock() {
    if (is_sweep() && !options_.share && FolderLock::held(directory_).value_or(false))
      narrator_.say(directory_.path() + ": other processes compute this sweep; joining in.");
    FolderLock lock(directory_, is_sweep() ? FolderLock::Who::together : FolderLock::Who::alone);
    locks_ = lock.refused().empty();
    if (!locks_)
      narrator_.say(concat(directory_.path(), ": this disk refuses locks (", lock.refused(), "); going on without. ",
                           "Processes that compute the same twice lose time, and change no result."));
    return lock;
  }

  /// The result of an earlier run, if it is finished.
  std::optional<RunSummary> find() {
    if (options_.force) return std::nullopt;
    const std::optional<Done> done = finished(directory_, manifest_.identity);
    if (!done) return std::nullopt;
    RunSummary summary;
    options_.ranks->any(false);  // the others have nothing to do
    summary.directory = directory_;
    summary.found = true;
    summary.manifest = find_manifest(directory_).value_or(manifest_);
    summary.manifest.content_hash = done->content_hash;
    summary.results = read_results(directory_);
    if (!exists(directory_.report())) redraw_report(directory_);
    return summary;
  }

  RunSummary compute(const std::string& config_text) {
    {
      const std::optional<FolderLock> turn = wait_for_turn();
      if (std::optional<RunSummary> found = find()) return std::move(*found);  // finished while we waited
      begin(config_text);
    }
    try {
      announce();
      RunSummary summary;
      summary.directory = directory_;
      if (!is_sweep()) summary.results = single_results();
      const SweepOutcome outcome = is_sweep() ? sweep_outcome(summary) : SweepOutcome();
      const std::optional<FolderLock> turn = wait_for_turn();
      if (std::optional<RunSummary> found = is_sweep() ? find() : std::nullopt) return std::move(*found);
      if (!summary.has_all) return left(std::move(summary));
      if (is_sweep() && summary.has_result) summary.results = merged(outcome);
      if (summary.has_result) write_results(summary);
      finish(summary);
      return summary;
    } catch (const Interrupted&) {
      end_early(RunState::interrupted, "");
      throw Interrupted(concat("stopped at ", std::floor(100 * narrator_.last().fraction),
                               " %; all progress is saved. Continue with: fovea resume ", directory_.path()));
    } catch (const std::exception& error) {
      end_early(RunState::failed, error.what());
      throw;
    }
  }

 private:
  std::optional<FolderLock> wait_for_turn() const {
    return FolderLock::turn(directory_, [this]() -> bool {
      if (options_.stop != nullptr && options_.stop->load() != 0) throw Interrupted(directory_.path() + ": stopped.");
      return false;
    });
  }

  /// What earlier starts, and other processes meanwhile, have written about themselves. Whether there is anything.
  bool remember() {
    const std::optional<Manifest> earlier = find_manifest(directory_);
    if (!earlier) return false;
    manifest_.starts = earlier->starts;
    manifest_.started = earlier->started;
    wall_seconds_before_ = earlier->wall_seconds;
    cpu_seconds_before_ = earlier->cpu_seconds;
    return true;
  }

  void begin(const std::string& config_text) {
    const ThreadShare share = share_threads(options_, sweep_.size());
    manifest_.experiment = experiment_.name();
    manifest_.result_version = experiment_.result_version();
    manifest_.title = config_.title;
    manifest_.seed = config_.seed.value_or(kDefaultSeed);
    manifest_.points = sweep_.size();
    manifest_.jobs = share.jobs;
    manifest_.threads = share.threads;
    manifest_.ranks = static_cast<int>(options_.ranks->size());
    manifest_.started = utc_now();
    if (remember()) ++manifest_.starts;
    manifest_.command_line = options_.command_line;
    manifest_.folder = fs::current_path().string();
    manifest_.environment = relevant_environment();
    manifest_.inputs = files_.all();
    manifest_.digest.emplace();
    manifest_.digest->title = config_.title.empty() ? std::string(experiment_.summary()) : config_.title;
    manifest_.digest->keys = changed_keys(to_toml(config_), defaults_toml(config_));
    write_file(directory_.config(), config_text);
    write_file(directory_.resolved(), to_toml(config_));
    write_manifest(directory_, manifest_);
    narrator_.detail(concat("start ", manifest_.starts, ": ", manifest_.points, " point(s), ", manifest_.jobs,
                            " at once, ", manifest_.threads, " thread(s) each"));
  }

  void announce() {
    const RunCost whole = cost_of_points(experiment_, sweep_, opened_, {manifest_.jobs, manifest_.threads});
    const RunCost cost = cost_of_ranks(whole, *options_.ranks);
    const std::string word = cost_sentence(cost, static_cast<double>(memory_left()));
    if (!word.empty()) narrator_.say(word);
    if (options_.longest && cost.least_seconds > *options_.longest)
      throw std::runtime_error("not begun, since it is expected to take more than an hour: confirm with --yes.");
  }

  Results single_results() {
    if (options_.force) remove_checkpoints(directory_.place());
    options_.ranks->any(true);
    const ThreadCount count(manifest_.threads);
    ProgressMeter meter(narrator_, 1, 0);
    BenchPlan plan = bench_plan(directory_, options_);
    plan.progress = [&meter](double fraction) { meter.update(0, fraction); };
    plan.log = [this](const std::string& line) { log_.line(line); };
    plan.say = [&meter](const std::string& sentence) { meter.say(sentence); };
    Results results = compute_point(experiment_, config_, opened_.take(experiment_, config_), plan);
    others_ = usage_of_others(*options_.ranks);
    experiment_.conclude(results);
    mark_preview(results, config_.preview);
    meter.finish(0);
    return results;
  }

  SweepOutcome sweep_outcome(RunSummary& summary) {
    SweepPlan plan;
    plan.jobs = manifest_.jobs;
    plan.threads = manifest_.threads;
    plan.all_threads = options_.threads > 0 ? options_.threads : processors();
    plan.checkpoint_seconds = options_.checkpoint_seconds;
    plan.force = options_.force;
    plan.fail_fast = options_.fail_fast;
    plan.share = options_.share;
    plan.locks = locks_;
    plan.stop = options_.stop;
    SweepOutcome outcome = run_points(experiment_, points_, opened_, directory_, plan, narrator_);
    summary.reused_points = outcome.reused;
    summary.computed_points = outcome.computed;
    summary.failures = outcome.failures;
    summary.has_all = outcome.complete;
    summary.has_result = outcome.complete && std::count(outcome.finished.begin(), outcome.finished.end(), char{1}) > 0;
    for (const std::size_t point : outcome.missing) summary.missing.push_back(concat(point, ": ", sweep_.label(point)));
    return outcome;
  }

  Results merged(const SweepOutcome& outcome) {
    const ThreadCount count(manifest_.threads * manifest_.jobs);
    std::vector<SweptCheck> checks;
    Results merged = merge_finished(points_, outcome, checks);
    experiment_.conclude(merged);
    add_sweep_figures(sweep_, outcome.finished, checks, merged);
    mark_preview(merged, config_.preview);
    return merged;
  }

  /// The points that are missing are others' work, or nobody's yet.
  RunSummary left(RunSummary summary) {
    summary.has_result = false;
    end(RunState::interrupted, "");
    summary.manifest = manifest_;
    return summary;
  }

  void write_results(RunSummary& summary) {
    label_results(experiment_, config_, summary.results);
    Dataset& data = summary.results.data;
    flag_axes(config_, data);
    manifest_.content_hash = content_hash(data);
    write_machine(directory_, summary.results);
    write_model(directory_, summary.results);
    write_dataset(directory_.result(), data);
    data = with_names(std::move(data));  // not a copy before: arrays may be large
    measure();
    manifest_.state = summary.failures.empty() ? RunState::finished : RunState::incomplete;
    draw_into(directory_, summary.results, to_json(manifest_));
    manifest_.digest = digest_of(summary.results);
    if (config_.title.empty() && !manifest_.digest->title.starts_with(experiment_.summary()))
      manifest_.title = manifest_.digest->title;  // one that the data gave
  }

  void finish(RunSummary& summary) {
    const std::size_t failed = summary.failures.size();
    manifest_.failed_points = failed;
    end(failed == 0 ? RunState::finished : RunState::incomplete,
        failed == 0 ? "" : concat(failed, " of ", manifest_.points, " points failed"));
    summary.manifest = manifest_;
    if (failed > 0) return;
    write_done(directory_,
               {manifest_.identity, manifest_.content_hash, sha256_of_file(directory_.result()), utc_now()});
    remove_checkpoints(directory_.place());
  }

  void measure() {
    remember();
    const Usage used = usage();
    manifest_.ended = utc_now();
    manifest_.wall_seconds = wall_seconds_before_ + std::chrono::duration<double>(Clock::now() - start_).count();
    manifest_.cpu_seconds = cpu_seconds_before_ + used.cpu_seconds - cpu_start_ + others_.cpu_seconds;
    manifest_.peak_memory_bytes = used.peak_memory_bytes + others_.peak_memory_bytes;
  }

  /// Who is asked to stop does not wait long for others that write, and leaves what they have finished as it is.
  void end_early(RunState state, const std::string& error) {
    const auto late = Clock::now() + std::chrono::seconds(2);
    const std::optional<FolderLock> turn = FolderLock::turn(directory_, [late] { return Clock::now() > late; });
    if (turn && (options_.force || !finished(directory_, manifest_.identity, Look::size))) end(state, error);
  }

  /// The last word of the manifest. On the way out of an error a disk that refuses must not hide that error.
  void end(RunState state, const std::string& error) {
    measure();
    manifest_.state = state;
    manifest_.error = error;
    log_.line(concat(to_text(state), error.empty() ? "" : ": ", error));
    try {
      manifest_.outputs = output_files(directory_);
      write_manifest(directory_, manifest_);
    } catch (const StorageError&) {
      if (state == RunState::finished || state == RunState::incomplete) throw;
    }
  }

  const Experiment& experiment_;
  const Config& config_;
  InputFiles& files_;
  OpenInputs& opened_;
  const RunOptions& options_;
  RunDirectory directory_;
  RunLog log_;
  LoggingNarrator narrator_;
  Sweep sweep_;
  PointFolders points_;
  Manifest manifest_;
  bool locks_ = true;
  Usage others_;  ///< of other ranks
  double wall_seconds_before_ = 0;
  double cpu_seconds_before_ = 0;
  double cpu_start_ = usage().cpu_seconds;  // of runs that this process did before
  Clock::time_point start_ = Clock::now();
};

RunSummary find_or_compute(Run& run, const RunDirectory& directory, const std::string& config_text) {
  for (const Place& folder : {directory.place(), directory.figures(), directory.shards()}) remove_temporaries(folder);
  if (std::optional<RunSummary> found = run.find()) return std::move(*found);
  make_folder(directory.place());
  const IndexRenewal renewal(directory.path());  // at the end, when the lock is given back
  const FolderLock lock = run.lock();
  refuse_links(directory);
  return run.compute(config_text);
}

}  // namespace

ThreadShare share_threads(const RunOptions& options, std::size_t points) {
  const int threads = options.threads > 0 ? options.threads : processors();
  const int jobs =
      std::min(options.jobs > 0 ? options.jobs : threads, static_cast<int>(std::min<std::size_t>(points, 1024)));
  return {jobs, std::max(1, threads / jobs)};
}

RunSummary run_experiment(const Experiment& experiment, Config config, const std::string& config_text,
                          const RunOptions& options, Narrator& narrator) {
  OpenInputs opened;
  return run_experiment(experiment, std::move(config), config_text, options, narrator, opened);
}

RunSummary run_experiment(const Experiment& experiment, Config config, const std::string& config_text,
                          const RunOptions& options, Narrator& narrator, OpenInputs& opened) {
  if (!config.seed) resolve_seed(config, kDefaultSeed);
  check_points(experiment, config, opened);
  refuse_ranks(experiment, config, options);
  InputFiles files;
  const std::string identity = run_identity(experiment, config, files);
  const RunDirectory directory = run_directory(options.output, std::string(experiment.name()), identity);
  if (options.ranks->rank() > 0) return follow_run(experiment, config, opened, directory, options);
  Run run(experiment, config, identity, files, opened, directory, options, narrator);
  return find_or_compute(run, directory, config_text);
}

RunSummary resume_run(const std::string& path, const Catalogue& catalogue, const RunOptions& options,
                      Narrator& narrator) {
  const RunDirectory directory(path);
  const std::optional<Manifest> earlier = find_manifest(directory);
  if (!fs::is_directory(path)) throw DataError(concat(path, ": there is no such folder."));
  if (!earlier)
    throw DataError(concat(path, ": is not the directory of a run (it has no readable manifest.json); give a folder ",
                           "such as runs/opinion.temperature-1a2b3c4d."));
  const Config config = catalogue.read(directory.resolved(), {});
  const Experiment& experiment = catalogue.at(config.experiment);
  InputFiles files;
  OpenInputs opened;
  const std::string identity = run_identity(experiment, config, files);
  if (identity != earlier->identity)
    throw DataError(concat(path, ": an input file, resolved.toml or the experiment's result version (",
                           earlier->result_version, " then, ", experiment.result_version(),
                           " now) has changed since this run began; start a new one with: fovea run ",
                           directory.resolved()));
  refuse_ranks(experiment, config, options);
  if (options.ranks->rank() > 0) return follow_run(experiment, config, opened, directory, options);
  Run run(experiment, config, identity, files, opened, directory, options, narrator);
  return find_or_compute(run, directory, read_file(directory.config()));
}

RunSummary merge_run(const std::string& path, const Catalogue& catalogue, const RunOptions& options,
                     Narrator& narrator) {
  if (const std::optional<Manifest> manifest = find_manifest(RunDirectory(path)); manifest && !manifest->sweep)
    throw UsageError(concat(path, ": is no sweep, so there is nothing to merge."));
  RunOptions merging = options;
  merging.share = Share{1, 1, std::vector<std::size_t>()};
  return resume_run(path, catalogue, merging, narrator);
}

void redraw_report(const RunDirectory& directory) {
  refuse_links(directory);
  Results results = read_results(directory);
  draw_into(directory, results, exists(directory.manifest()) ? read_file(directory.manifest()) : "");
  if (find_manifest(directory)) write_digest(directory, digest_of(results));
}

}  // namespace fovea
