/// run, sweep, resume, merge, verify: the commands that compute.

#include <algorithm>
#include <filesystem>
#include <iostream>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/json_text.hpp"
#include "fovea/core/lab/runner.hpp"
#include "fovea/core/lab/verify.hpp"
#include "fovea/domains/registry.hpp"
#include "fovea/experiments/commands/choose_config.hpp"
#include "fovea/experiments/commands/command_table.hpp"
#include "fovea/experiments/commands/find/last_run.hpp"
#include "fovea/experiments/commands/run_domain.hpp"
#include "fovea/experiments/commands/run_options.hpp"
#include "fovea/experiments/commands/run_summary.hpp"
#include "fovea/experiments/console.hpp"
#include "fovea/experiments/exit_codes.hpp"
#include "fovea/experiments/signals.hpp"

namespace fovea::command {

namespace {

constexpr std::size_t kMostMissing = 20;

const Option kSummaryAsJson{"json", 0, "", "the summary as one JSON object", false};

int finish(const RunSummary& summary, const Arguments& arguments, Console& console) {
  if (arguments.ranks->rank() > 0) return kDone;  // rank 0 speaks
  console.clear();
  if (summary.found)
    console.say(concat("found the finished run ", summary.directory.path(), "; computed on ", summary.manifest.ended,
                       arguments.accepts("force") ? "; --force computes again." : "."));
  std::cout << (arguments.has("json") ? summary_json(summary) : plain_minus(summary_text(summary)));
  std::cout.flush();
  const std::vector<Check> failed = failed_checks(summary);
  for (const Check& check : failed) std::cerr << "fovea: check failed: " << check_text(check) << '\n';
  if (!summary.missing.empty()) {
    const std::size_t shown = std::min(kMostMissing, summary.missing.size());
    for (std::size_t i = 0; i < shown; ++i) std::cerr << "missing " << summary.missing[i] << '\n';
    if (shown < summary.missing.size()) std::cerr << "and " << summary.missing.size() - shown << " more\n";
    std::cerr << "fovea: " << summary.missing.size() << " of " << summary.manifest.points
              << " points are missing, so nothing was merged. Compute them with: fovea resume "
              << summary.directory.path() << '\n';
    return kSomePointsFailed;
  }
  if (summary.failures.empty()) return failed.empty() ? kDone : kDiffers;
  std::cerr << "fovea: " << summary.failures.size() << " of " << summary.manifest.points
            << " points failed; the others are kept. Try the failed ones again with: fovea resume "
            << summary.directory.path() << '\n';
  return kSomePointsFailed;
}

int list_points(Config config, const Arguments& arguments) {
  if (!config.seed) resolve_seed(config, kDefaultSeed);
  const Sweep sweep(std::move(config));
  std::vector<Json> points;
  for (std::size_t point = 0; point < sweep.size(); ++point)
    if (arguments.has("json"))
      points.push_back(JsonObject().add("point", point).add("label", sweep.label(point)).done());
    else
      std::cout << point << '\t' << sweep.label(point) << '\n';
  if (arguments.has("json")) std::cout << json_list(points).text << '\n';
  return kDone;
}

int run(const Arguments& arguments) {
  listen_to_signals();
  const Catalogue catalogue = all_experiments();
  Console console(arguments);
  const std::string& operand = arguments.positional.at(0);
  if (find_domain(operand) != nullptr && !std::filesystem::is_regular_file(operand)) {
    if (!arguments.ranks->alone())
      throw UsageError(
          concat("several processes compute one run together, and '", operand, "' means several; give a config."));
    return run_domain(catalogue, operand, arguments, run_options(arguments), console);
  }
  const ChosenConfig chosen = choose_config(catalogue, arguments);
  if (!chosen.path.empty() && chosen.path != operand) console.say("config  " + chosen.path);
  if (arguments.accepts("grid") && chosen.config.sweep.empty() && !chosen.config.seed_count)
    throw UsageError(
        concat("'sweep' was given nothing to sweep; add --grid KEY=0.1,0.2 or KEY=lin:0..1:5, or --seeds N, or a ",
               "table [sweep] to the config. One point: fovea run ", operand));
  if (arguments.has("list-points")) return list_points(chosen.config, arguments);
  const Experiment& experiment = catalogue.at(chosen.config.experiment);
  return finish(run_experiment(experiment, chosen.config, chosen.text, run_options(arguments), console), arguments,
                console);
}

int resume(const Arguments& arguments) {
  listen_to_signals();
  const Catalogue catalogue = all_experiments();
  Console console(arguments);
  return finish(
      resume_run(run_called(arguments.positional[0], Wanted::any, console), catalogue, run_options(arguments), console),
      arguments, console);
}

int merge(const Arguments& arguments) {
  listen_to_signals();
  const Catalogue catalogue = all_experiments();
  Console console(arguments);
  return finish(
      merge_run(run_called(arguments.positional[0], Wanted::any, console), catalogue, run_options(arguments), console),
      arguments, console);
}

std::string verification_json(const Verification& outcome) {
  std::vector<std::string> lines;
  for (const Difference& difference : outcome.differences) lines.push_back(difference.text());
  JsonObject object;
  object.add("identical", outcome.identical).add("stored_hash", outcome.stored_hash);
  object.add("recomputed_hash", outcome.recomputed_hash).add("differences", json_texts(lines));
  object.add("other_differences", json_texts(outcome.other_differences));
  return object.done().text + '\n';
}

int verify(const Arguments& arguments) {
  listen_to_signals();
  const Catalogue catalogue = all_experiments();
  Console console(arguments);
  const Verification outcome =
      verify_run(run_called(arguments.positional[0], Wanted::any, console), catalogue, run_options(arguments), console);
  console.clear();
  if (arguments.has("json")) {
    std::cout << verification_json(outcome);
  } else if (outcome.identical) {
    std::cout << "identical: the recomputed result has the same content hash " << outcome.stored_hash << '\n';
  } else {
    std::cout << "different: stored " << outcome.stored_hash << ", recomputed " << outcome.recomputed_hash << '\n';
    for (const Difference& difference : outcome.differences) std::cout << "  " << difference.text() << '\n';
    for (const std::string& line : outcome.other_differences) std::cout << "  " << line << '\n';
  }
  return outcome.identical ? kDone : kDiffers;
}

std::vector<Option> computing_options() {
  return {
      {"threads", 't', "N",
       "total number of threads, shared by the jobs (default: one per processor); does not change the result", false},
      {"jobs", 'j', "N", "points of a sweep computed at the same time (default: one per thread)", false},
      {"checkpoint-every", 0, "SECONDS", "time between checkpoints of a point (default 10; 0: as often as possible)",
       false},
      {"yes", 'y', "", "begin also what is expected to take more than an hour (asked for on a terminal)", false},
      {"fail-fast", 0, "", "stop a sweep at its first failed point", false},
      kSummaryAsJson};
}

std::vector<Option> running_options() {
  std::vector<Option> options = config_options();
  options.push_back(kQuick);
  options.push_back(kOutput);
  options.push_back({"force", 'f', "", "recompute even if the same run is finished", false});
  for (const Option& option : computing_options()) options.push_back(option);
  return options;
}

std::vector<Option> sweeping_options() {
  std::vector<Option> options = sweep_options();
  options.push_back({"shard", 0, "I/N",
                     "compute points p with p mod N = I - 1, then those that nobody holds; auto or auto/N: as the "
                     "launcher says",
                     false});
  options.push_back({"points", 0, "3,7,20-29", "compute these points alone, counted from 0", false});
  options.push_back({"list-points", 0, "", "print the points' numbers and values, with --json as a list", false});
  for (const Option& option : running_options()) options.push_back(option);
  return options;
}

/// "\n  lag  which series drives which", a line a domain.
std::string domain_lines() {
  std::size_t width = 0;
  for (const Domain& domain : domains()) width = std::max(width, domain.name.size());
  std::string text;
  for (const Domain& domain : domains())
    text += "\n  " + domain.name + std::string(width - domain.name.size() + 2, ' ') + domain.summary;
  return text;
}

Command run_command() {
  return {
      "run",
      "compute a config, an experiment's defaults or all configs of a domain, or find the result",
      "CONFIG|EXPERIMENT|DOMAIN",
      1,
      1,
      {"fovea run experiments/opinion/temperature.toml", "fovea run experiments/opinion/temperature.toml --quick",
       "fovea run opinion.temperature --set agents.count=500 --seed 7 -o /tmp/runs",
       "fovea run mechanism                                  all tests of claims about attention, with one page"},
      running_options(),
      "The run directory is named after the experiment and a hash of config, seed and input files: the same inputs\n"
      "find the old result. A config with a [sweep] table is swept. Ctrl-C saves a checkpoint and stops. If a check\n"
      "against a known answer fails, stderr shows it with its numbers, and the exit code is 6.\n"
      "With --quick the values of the config's table [quick] are used: a preview in seconds, from which\n"
      "nothing is concluded and whose checks are not judged. Without --quick that table is only checked.\n"
      "A domain's name means all its configs in experiments/DOMAIN: each has its own run directory, and\n"
      "DIR/DOMAIN.html (with --quick DIR/DOMAIN-quick.html) shows them all. The domains:" +
          domain_lines(),
      &run};
}

Command sweep_command() {
  return {
      "sweep",
      "compute a config over a grid of values and seeds",
      "CONFIG|EXPERIMENT",
      1,
      1,
      {"fovea sweep my.toml --grid model.stubbornness=0.05,0.1,0.2 --seeds 8",
       "fovea sweep opinion.temperature --grid temperature.low=log:0.01..0.1:5 --jobs 4",
       "fovea sweep my.toml --shard 2/40"},
      sweeping_options(),
      "Like 'run', with the grid added to the config's own [sweep]. Every finished point is kept and reused in larger\n"
      "sweeps of the same experiment in the same folder. Several processes, on one machine or on many that share a\n"
      "disk, may compute one sweep: a second 'fovea sweep' joins in, and waits for the points that others have; one\n"
      "with --shard or --points ends when nothing is left for it. Whoever finds all points finished merges them: the\n"
      "result has the bytes of one process.",
      &run};
}

Command resume_command() {
  return {"resume",
          "continue a run that was stopped or killed; try failed points again",
          "DIR",
          1,
          1,
          {"fovea resume runs/opinion.temperature-1a2b3c4d"},
          computing_options(),
          "The result has the same bytes as that of a run without interruption.",
          &resume};
}

Command merge_command() {
  return {
      "merge",
      "merge the finished points of a sweep that several processes computed",
      "DIR",
      1,
      1,
      {"fovea merge runs/opinion.temperature-1a2b3c4d"},
      {{"threads", 't', "N", "number of threads (default: one per processor); does not change the result", false},
       kSummaryAsJson},
      "Whoever finishes the last point does so unasked. Where points are missing nothing is merged: they are named\n"
      "on stderr, and the exit code is 5.",
      &merge};
}

Command verify_command() {
  std::vector<Option> options = computing_options();
  options.back().meaning = "the outcome as one JSON object";
  return {"verify", "recompute a finished run and compare the results bit for bit",
          "DIR",    1,
          1,        {"fovea verify runs/opinion.temperature-1a2b3c4d"},
          options,  "Exit code 0: identical; 6: different. The old result is not changed.",
          &verify};
}

}  // namespace

std::vector<Command> run_commands() {
  return {run_command(), sweep_command(), resume_command(), merge_command(), verify_command()};
}

}  // namespace fovea::command
