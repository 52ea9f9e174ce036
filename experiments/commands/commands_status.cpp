/// status: how runs stand.

#include <filesystem>
#include <iostream>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/json_text.hpp"
#include "fovea/core/lab/directory/run_status.hpp"
#include "fovea/experiments/commands/command_table.hpp"
#include "fovea/experiments/console.hpp"
#include "fovea/experiments/exit_codes.hpp"

namespace fovea::command {

namespace {

constexpr std::size_t kMostFailures = 20;

Json status_json(const RunStatus& status) {
  std::vector<Json> failures;
  for (const PointFailure& failure : status.failures)
    failures.push_back(JsonObject()
                           .add("point", failure.label)
                           .add("error", failure.error)
                           .add("at", failure.at)
                           .add("directory", failure.directory)
                           .done());
  const Manifest& manifest = status.manifest;
  JsonObject object;
  object.add("directory", status.directory).add("state", status.state).add("experiment", manifest.experiment);
  object.add("title", manifest.title).add("seed", manifest.seed).add("points", manifest.points);
  object.add("finished_points", status.finished_points).add("failures", json_list(failures));
  object.add("started", manifest.started).add("ended", manifest.ended).add("starts", manifest.starts);
  object.add("wall_seconds", manifest.wall_seconds).add("error", manifest.error);
  object.add("content_hash", manifest.content_hash);
  return object.done();
}

std::string line_of(const RunStatus& status) {
  const Manifest& manifest = status.manifest;
  std::string text = status.directory + ": " + status.state;
  if (manifest.sweep) text += concat(", ", status.finished_points, " of ", manifest.points, " points finished");
  if (!status.failures.empty()) text += concat(", ", status.failures.size(), " failed");
  text += concat(", started ", manifest.started);
  if (manifest.wall_seconds > 0) text += ", took " + duration_text(manifest.wall_seconds);
  return text + '\n';
}

std::string advice_of(const RunStatus& status) {
  if (status.state == "finished" || status.state == "running") return "";
  return "  continue with: fovea resume " + status.directory + '\n';
}

std::string details_of(const RunStatus& status) {
  std::string text = line_of(status);
  if (!status.manifest.title.empty()) text += "  " + status.manifest.title + '\n';
  if (status.state == "failed") text += "  error: " + status.manifest.error + '\n';
  for (std::size_t i = 0; i < std::min(kMostFailures, status.failures.size()); ++i)
    text += "  failed: " + status.failures[i].label + ": " + status.failures[i].error + '\n';
  if (status.failures.size() > kMostFailures)
    text += concat("  and ", status.failures.size() - kMostFailures, " more (--json has them all)\n");
  return text + advice_of(status);
}

int status(const Arguments& arguments) {
  const std::string path = arguments.positional.empty() ? "runs" : arguments.positional[0];
  if (!std::filesystem::is_directory(path)) throw DataError(concat(path, ": there is no such folder."));
  const std::optional<RunStatus> one = find_status(path);
  const std::vector<RunStatus> all = one ? std::vector{*one} : statuses_in(path);
  if (arguments.has("json")) {
    std::vector<Json> items;
    for (const RunStatus& status : all) items.push_back(status_json(status));
    std::cout << (one ? items[0].text : json_list(items).text) << '\n';
    return kDone;
  }
  if (all.empty()) std::cout << path << ": no runs\n";
  for (const RunStatus& status : all) std::cout << (one ? details_of(status) : line_of(status) + advice_of(status));
  return kDone;
}

}  // namespace

std::vector<Command> status_commands() {
  return {{"status",
           "show the state of a run, or of every run in a folder",
           "[DIR]",
           0,
           1,
           {"fovea status", "fovea status runs/opinion.temperature-1a2b3c4d --json"},
           {{"json", 0, "", "as JSON: an object for a run, a list for a folder", false}},
           "DIR is a run directory, or a folder of them (default: runs).",
           &status}};
}

}  // namespace fovea::command
