/// status: how runs stand, and what they found.

#include <algorithm>
#include <filesystem>
#include <iostream>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/json_text.hpp"
#include "fovea/core/base/words.hpp"
#include "fovea/core/config/schema.hpp"
#include "fovea/core/lab/directory/run_index.hpp"
#include "fovea/core/lab/directory/run_table.hpp"
#include "fovea/experiments/commands/command_table.hpp"
#include "fovea/experiments/commands/find/last_run.hpp"
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
  std::vector<Json> shards;
  for (const ShardNote& shard : status.shards)
    shards.push_back(JsonObject()
                         .add("shard", shard.index)
                         .add("of", shard.count)
                         .add("host", shard.host)
                         .add("process", shard.process)
                         .add("points", shard.points)
                         .add("finished", shard.finished)
                         .add("last", shard.last)
                         .add("at", shard.at)
                         .done());
  const Manifest& manifest = status.manifest;
  JsonObject object;
  object.add("directory", status.directory).add("state", status.state).add("experiment", manifest.experiment);
  object.add("title", manifest.title).add("seed", manifest.seed).add("points", manifest.points);
  object.add("finished_points", status.finished_points).add("failures", json_list(failures));
  if (!shards.empty()) object.add("shards", json_list(shards));
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
  for (const ShardNote& shard : status.shards)
    text +=
        concat("  shard ", shard.index, " of ", shard.count, " on ", shard.host, ": finished ", shard.finished,
               ", its own are ", shard.points, shard.last.empty() ? "" : "; last " + shard.last, " (", shard.at, ")\n");
  return text + advice_of(status);
}

/// Letters of a text, not bytes.
std::size_t letters_of(std::string_view text) {
  return static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80; }));
}

std::string padded(const std::string& text, std::size_t width, bool right) {
  const std::string room(width > letters_of(text) ? width - letters_of(text) : 0, ' ');
  return right ? room + text : text + room;
}

/// The headline of each column stands above the table where all names side by side are too wide for a line.
std::string table_text(const RunTable& table) {
  std::vector<std::vector<std::string>> rows{{"run", "state", "age", "seconds"}};
  const bool lettered = table.numbers.size() > 1 || (table.numbers.size() == 1 && letters_of(table.numbers[0]) > 30);
  std::string text = concat(table.experiment, ": ", counted(std::ssize(table.runs), "run"), '\n');
  for (std::size_t k = 0; k < table.numbers.size(); ++k) {
    const std::string letter = concat("[", k + 1, "]");
    if (lettered) text += "  " + letter + " " + table.numbers[k] + '\n';
    rows[0].push_back(lettered ? letter : table.numbers[k]);
  }
  for (const RunStatus& run : table.runs) {
    rows.push_back({run_name(run), run.state, run_cell(run, "age").text, run_cell(run, "seconds").text});
    for (const std::string& label : table.numbers) {
      const DigestNumber* number = table.number(run, label);
      rows.back().push_back(number == nullptr ? "" : number->text());
    }
  }
  for (std::size_t r = 0; r < rows.size(); ++r) {
    std::string line;
    for (std::size_t c = 0; c < rows[r].size(); ++c) {
      std::size_t width = 0;
      for (const auto& row : rows) width = std::max(width, letters_of(row[c]));
      line += (c == 0 ? "  " : "   ") + padded(rows[r][c], width, c > 1);
    }
    text += line.substr(0, line.find_last_not_of(' ') + 1) + '\n';
    if (r == 0) continue;
    const RunStatus& run = table.runs[r - 1];
    const std::string keys = changed_keys_text(run), verdict = verdict_of(run);
    if (!keys.empty()) text += sentence("      " + keys, 8);
    if (!verdict.empty()) text += sentence("      " + verdict, 8);
  }
  return text;
}

int print_table(const Arguments& arguments, std::vector<RunStatus> runs, const std::string& path) {
  const auto older = std::count_if(runs.begin(), runs.end(), [](const RunStatus& run) { return !run.manifest.digest; });
  std::vector<RunTable> tables = run_tables(std::move(runs));
  if (const std::string name = arguments.text("sort", "");
      !name.empty() && !sort_runs(tables, name) && !tables.empty()) {
    const std::vector<std::string> names = sort_names(tables);
    std::string known;
    for (const std::string& one : names) known += (known.empty() ? "" : ", ") + one;
    const std::string close = nearest(name, names);
    throw UsageError(concat("--sort ", name, ": no run has that; ",
                            close.empty() ? "there are: " + known : "did you mean '" + close + "'?"));
  }
  if (arguments.has("csv")) {
    std::cout << runs_csv(tables);
    return kDone;
  }
  if (tables.empty()) std::cout << path << ": no runs\n";
  for (std::size_t t = 0; t < tables.size(); ++t) std::cout << (t == 0 ? "" : "\n") << table_text(tables[t]);
  if (older > 0)
    std::cout << concat(older, older == 1 ? " run is" : " runs are",
                        " of an older version, without headlines here; for each: fovea report RUN\n");
  const std::string page = path + "/index.html";
  std::error_code error;
  if (!tables.empty() && std::filesystem::exists(page, error)) std::cout << "with figures: " << page << '\n';
  return kDone;
}

int status(const Arguments& arguments) {
  Console console(arguments);
  const std::string path =
      arguments.positional.empty() ? "runs" : run_called(arguments.positional[0], Wanted::any, console);
  if (!std::filesystem::is_directory(path)) throw DataError(concat(path, ": there is no such folder."));
  const bool as_table = arguments.has("table") || arguments.has("sort") || arguments.has("csv");
  if (as_table && arguments.has("json"))
    throw UsageError("--json and a table are two forms of the same; give one of them.");
  if (arguments.has("html")) {
    write_run_index(path);
    std::cout << path << "/index.html\n";
    return kDone;
  }
  if (as_table) {
    std::optional<RunStatus> one = find_brief_status(path);
    return print_table(arguments, one ? std::vector{std::move(*one)} : statuses_in(path, true), path);
  }
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
  return {
      {"status",
       "show the state of a run, or of every run in a folder",
       "[DIR]",
       0,
       1,
       {"fovea status", "fovea status runs/opinion.temperature-1a2b3c4d --json", "fovea status --table --sort seconds",
        "fovea status --csv > runs.csv", "fovea status --html"},
       {{"json", 0, "", "as JSON: an object for a run, a list for a folder", false},
        {"table", 0, "", "headlines with errors, keys that differ from the default, verdict, age and seconds", false},
        {"sort", 0, "KEY", "sort the table: run, title, state, verdict, age, seconds, seed, a headline or a key",
         false},
        {"csv", 0, "", "the table as CSV, a row for each run", false},
        {"html", 0, "", "draw DIR/index.html again, the same table with figures, sortable", false}},
       "DIR is a run directory, or a folder of them (default: runs). From the second run in a folder on, its\n"
       "index.html is drawn again whenever a run ends.",
       &status}};
}

}  // namespace fovea::command
