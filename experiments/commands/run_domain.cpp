#include "fovea/experiments/commands/run_domain.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <filesystem>
#include <iostream>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/json_text.hpp"
#include "fovea/core/base/storage.hpp"
#include "fovea/core/report/collection.hpp"
#include "fovea/experiments/commands/choose_config.hpp"
#include "fovea/experiments/commands/find/bundled_configs.hpp"
#include "fovea/experiments/commands/run_summary.hpp"
#include "fovea/experiments/exit_codes.hpp"

namespace fovea::command {

namespace {

namespace fs = std::filesystem;

/// What became of one config.
struct DomainRun {
  std::string config;
  Exhibit exhibit;
  RunSummary summary;

  Standing stands() const { return summary.failures.empty() ? standing(exhibit) : Standing::failed; }
  bool failed() const { return stands() == Standing::failed; }
  std::string state() const {
    constexpr std::array<std::string_view, 5> kStates{"failed", "preview", "nothing to check", "holds",
                                                      "does not hold"};
    return std::string(kStates.at(static_cast<std::size_t>(stands())));
  }
};

void refuse_keys(const std::string& domain, const Arguments& arguments) {
  for (const char* option : {"set", "grid"})
    if (arguments.has(option))
      throw UsageError(concat("'--", option, "' applies to one config, but ", domain,
                              " is a domain with several; give one, as ", "in: fovea run experiments/", domain,
                              "/NAME.toml"));
}

std::string title_of_run(const RunSummary& summary) {
  return summary.manifest.title.empty() ? summary.manifest.experiment : summary.manifest.title;
}

std::string failures_text(const RunSummary& summary) {
  return concat(summary.failures.size(), " of ", summary.manifest.points, " points failed, such as ",
                summary.failures.front().label, ": ", summary.failures.front().error);
}

/// A disk that refuses and a signal end it all; every other error is this config's own.
DomainRun run_one(const Catalogue& catalogue, const std::string& path, const Arguments& arguments,
                  const RunOptions& options, Console& console) {
  DomainRun run;
  run.config = path;
  run.exhibit.name = run.exhibit.title = fs::path(path).stem().string();
  try {
    const ChosenConfig chosen = read_chosen(catalogue, path, arguments);
    run.summary = run_experiment(catalogue.at(chosen.config.experiment), chosen.config, chosen.text, options, console);
    run.exhibit.title = title_of_run(run.summary);
    run.exhibit.seconds = run.summary.manifest.wall_seconds;
    if (!run.summary.failures.empty()) run.exhibit.error = failures_text(run.summary);
    if (run.summary.has_result) run.exhibit.results = run.summary.results.with_machine();
    run.exhibit.report = fs::path(run.summary.directory.report().path()).lexically_proximate(options.output).string();
  } catch (const Interrupted&) {
    throw;
  } catch (const StorageError&) {
    throw;
  } catch (const std::exception& error) {
    run.exhibit.error = error.what();
  }
  return run;
}

std::string line_of(const DomainRun& run, std::size_t width) {
  std::string name = run.exhibit.name, state = run.state();
  name.append(width - name.size() + 2, ' ');
  state.append(18 - state.size(), ' ');
  const std::string time = run.exhibit.error.empty() ? duration_text(run.exhibit.seconds) : "";
  const std::string text = run.exhibit.error.empty() ? run.exhibit.results.verdict() : run.exhibit.error;
  return name + state + (time.size() < 9 ? std::string(9 - time.size(), ' ') : "") + time + "  " + text + '\n';
}

Json json_of(const DomainRun& run) {
  std::vector<Json> failed;
  for (const Check& check : run.exhibit.results.checks())
    if (!check.holds()) failed.push_back(json(check_text(check)));
  JsonObject object;
  object.add("name", run.exhibit.name).add("config", run.config).add("state", run.state());
  object.add("experiment", run.summary.manifest.experiment).add("title", run.exhibit.title);
  object.add("verdict", run.exhibit.results.verdict()).add("error", run.exhibit.error);
  object.add("findings", Json{findings_json(run.exhibit.results.findings())});
  object.add("found", run.summary.found).add("checks", run.exhibit.results.checks().size());
  object.add("failed_checks", json_list(failed)).add("content_hash", run.summary.manifest.content_hash);
  object.add("wall_seconds", run.exhibit.seconds).add("directory", run.summary.directory.path());
  return object.done();
}

int exit_code(const std::vector<DomainRun>& runs) {
  int code = kDone;
  for (const DomainRun& run : runs) {
    if (run.failed()) return kSomePointsFailed;
    if (run.stands() == Standing::refuted) code = kDiffers;
  }
  return code;
}

void print_failures(const std::vector<DomainRun>& runs) {
  std::cout.flush();
  for (const DomainRun& run : runs) {
    if (run.failed()) std::cerr << "fovea: " << run.exhibit.name << " failed: " << run.exhibit.error << '\n';
    for (const Check& check : run.exhibit.results.checks())
      if (run.stands() == Standing::refuted && !check.holds())
        std::cerr << "fovea: " << run.exhibit.name << ": check failed: " << check_text(check) << '\n';
  }
}

std::vector<Exhibit> exhibits_of(const std::vector<DomainRun>& runs) {
  std::vector<Exhibit> exhibits;
  for (const DomainRun& run : runs) exhibits.push_back(run.exhibit);
  return exhibits;
}

std::string write_page(const std::string& domain, const std::vector<DomainRun>& runs, const RunOptions& options,
                       bool quick) {
  const std::string path = options.output + '/' + domain + (quick ? "-quick.html" : ".html");
  make_folder(options.output);
  write_file(path, draw_collection(quick ? domain + ", a preview" : domain, exhibits_of(runs)));
  return path;
}

}  // namespace

int run_domain(const Catalogue& catalogue, const std::string& domain, const Arguments& arguments,
               const RunOptions& options, Console& console) {
  refuse_keys(domain, arguments);
  const bool as_json = arguments.has("json");
  const std::vector<std::string> configs = bundled_configs(domain);
  std::size_t width = 0;
  for (const std::string& path : configs) width = std::max(width, fs::path(path).stem().string().size());
  std::vector<DomainRun> runs;
  for (const std::string& path : configs) {
    runs.push_back(run_one(catalogue, path, arguments, options, console));
    console.clear();
    if (runs.back().summary.found)
      console.say(concat("found the finished run ", runs.back().summary.directory.path(), "; computed on ",
                         runs.back().summary.manifest.ended, "; --force computes again."));
    if (!as_json) std::cout << line_of(runs.back(), width) << std::flush;
  }
  const std::string page = write_page(domain, runs, options, arguments.has("quick"));
  if (as_json) {
    std::vector<Json> items;
    for (const DomainRun& run : runs) items.push_back(json_of(run));
    JsonObject object;
    object.add("domain", domain).add("page", page).add("preview", arguments.has("quick"));
    if (!arguments.has("quick")) object.add("holds", exit_code(runs) == kDone);
    object.add("runs", json_list(items));
    std::cout << object.done().text << '\n';
  } else {
    std::cout << standings_text(exhibits_of(runs)) << "\npage  " << page << '\n';
  }
  print_failures(runs);
  return exit_code(runs);
}

}  // namespace fovea::command
