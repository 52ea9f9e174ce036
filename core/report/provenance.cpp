#include <array>
#include <charconv>
#include <map>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/words.hpp"
#include "fovea/core/report/page_data.hpp"
#include "fovea/core/report/page_text.hpp"
#include "fovea/core/report/text.hpp"

namespace fovea {
namespace {

enum class Wording { text, seconds, bytes, time, hash, commit };

struct Shown {
  std::string_view key, name;
  Wording entry = Wording::text;
};

/// What people ask for, in the order in which they ask.
constexpr std::array kShown{Shown{"experiment", "Experiment"},
                            Shown{"seed", "Seed"},
                            Shown{"points", "Points computed"},
                            Shown{"failed_points", "Points that failed"},
                            Shown{"started", "Started", Wording::time},
                            Shown{"wall_seconds", "Wall time", Wording::seconds},
                            Shown{"cpu_seconds", "Processor time", Wording::seconds},
                            Shown{"peak_memory_bytes", "Peak memory", Wording::bytes},
                            Shown{"jobs", "Points at a time"},
                            Shown{"threads", "Threads for each"},
                            Shown{"ranks", "Processes that computed it together"},
                            Shown{"fovea.version", "Fovea version"},
                            Shown{"fovea.commit", "Commit", Wording::commit},
                            Shown{"fovea.compiler", "Compiler"},
                            Shown{"fovea.flags", "Compiler flags"},
                            Shown{"machine.host", "Machine"},
                            Shown{"machine.cpu", "Processor"},
                            Shown{"machine.processors", "Processors"},
                            Shown{"machine.memory_bytes", "Memory", Wording::bytes},
                            Shown{"identity", "Identity of the run", Wording::hash},
                            Shown{"content_hash", "Hash of the result", Wording::hash}};

constexpr std::size_t kShortHash = 10;

std::string shortened(const std::string& hash, std::string_view rest = {}) {
  return concat("<code title=\"", escape_markup(hash), "\">", escape_markup(hash.substr(0, kShortHash)), "</code>",
                rest);
}

std::string commit_text(const std::string& commit) {
  const bool changed = commit.find('+') != std::string::npos;
  return shortened(commit, changed ? " with changes that are not committed" : "");
}

/// 33.5 MB, 25.3 GB
std::string bytes_text(double bytes) {
  const std::array<std::string_view, 5> units{" B", " kB", " MB", " GB", " TB"};
  std::size_t unit = 0;
  while (bytes >= 999.95 && unit + 1 < units.size()) bytes /= 1000, ++unit;
  return fixed_text(bytes, unit == 0 ? 0 : 1) + std::string(units[unit]);
}

/// 2026-11-21T12:17:35Z as 2026-11-21 12:17:35 UTC.
std::string time_text(std::string time) {
  if (time.size() != 20 || time[10] != 'T' || time.back() != 'Z') return escape_markup(time);
  time[10] = ' ';
  time.pop_back();
  return escape_markup(time + " UTC");
}

std::string entry_text(Wording entry, const std::string& value) {
  double number = 0;
  const bool is_number = std::from_chars(value.data(), value.data() + value.size(), number).ec == std::errc();
  if (entry == Wording::seconds && is_number) return fixed_text(number, 1) + " s";
  if (entry == Wording::bytes && is_number) return bytes_text(number);
  if (entry == Wording::time) return time_text(value);
  if (entry == Wording::hash) return shortened(value);
  if (entry == Wording::commit) return commit_text(value);
  return escape_markup(value);
}

std::string row(std::string_view name, const std::string& cell) {
  return concat("<tr><th scope=\"row\">", name, "</th><td>", cell, "</td></tr>");
}

/// files.inputs.0.path, files.inputs.0.sha256, ... as one line a file.
std::string input_rows(const std::map<std::string, std::string>& leaves) {
  std::string rows;
  for (int i = 0;; ++i) {
    const std::string key = concat("files.inputs.", i, ".");
    const auto path = leaves.find(key + "path"), hash = leaves.find(key + "sha256");
    if (path == leaves.end()) return rows;
    rows += row("Input", escape_markup(path->second) + (hash == leaves.end() ? "" : " " + shortened(hash->second)));
  }
}

/// The kind of each finding, and what it is made of: "low 0.47; high 0.57; measure: AUROC".
std::string findings_fold(const std::vector<Finding>& findings) {
  if (findings.empty()) return {};
  std::string rows;
  for (const Finding& finding : findings) {
    std::string parts;
    const auto add = [&](const std::string& part) { parts += (parts.empty() ? "" : "; ") + part; };
    for (const auto& [name, number] : finding.numbers) add(name + ' ' + rounded_text(number, 6));
    for (const auto& [name, word] : finding.words) add(name + ": " + word);
    if (finding.points.size() == 1) add("at " + finding.points.front());
    if (finding.points.size() > 1) add(concat("at ", finding.points.size(), " points"));
    rows += row(escape_markup(finding.kind), escape_markup(parts));
  }
  return "<details><summary>Findings</summary><div class=\"scroll\"><table class=\"provenance\"><tbody>" + rows +
         "</tbody></table></div></details>";
}

std::string manifest_table(const std::string& manifest_json) {
  std::map<std::string, std::string> leaves;
  for (const auto& [key, value] : json_leaves(manifest_json)) leaves[key] = value;
  std::string rows;
  for (const Shown& shown : kShown) {
    const auto leaf = leaves.find(std::string(shown.key));
    const bool nothing =
        leaf == leaves.end() || leaf->second.empty() || (shown.key == "failed_points" && leaf->second == "0");
    if (!nothing) rows += row(shown.name, entry_text(shown.entry, leaf->second));
  }
  rows += input_rows(leaves);
  if (rows.empty()) return {};
  return "<div class=\"scroll\"><table class=\"provenance\"><tbody>" + rows + "</tbody></table></div>";
}

}  // namespace

std::string provenance_section(const std::string& manifest_json) {
  const std::string text = manifest_table(manifest_json);
  if (text.empty()) return {};
  return "<section class=\"text\" aria-labelledby=\"provenance\"><h2 id=\"provenance\">Provenance</h2>" + text +
         "</section>\n";
}

std::string record_section(const Results& results, const std::string& manifest_json) {
  std::string text = standard_keys_fold(results) + findings_fold(results.findings());
  if (!manifest_json.empty())
    text += "<details><summary>The whole manifest</summary><pre>" + escape_markup(pretty_json(manifest_json)) +
            "</pre></details>";
  if (text.empty()) return {};
  return "<section class=\"text record\" aria-labelledby=\"record\"><h2 id=\"record\">In full</h2>" + text +
         "</section>\n";
}

}  // namespace fovea
