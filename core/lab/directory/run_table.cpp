#include "fovea/core/lab/directory/run_table.hpp"

#include <algorithm>
#include <cmath>
#include <ctime>
#include <filesystem>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/words.hpp"
#include "fovea/core/data/dataset_csv.hpp"

namespace fovea {
namespace {

const RunDigest& digest_in(const RunStatus& run) {
  static const RunDigest none;
  return run.manifest.digest ? *run.manifest.digest : none;
}

std::string lower(std::string text) {
  for (char& letter : text)
    if (letter >= 'A' && letter <= 'Z') letter = static_cast<char>(letter - 'A' + 'a');
  return text;
}

const DigestNumber* number_like(const RunStatus& run, const std::string& name) {
  const std::string wanted = lower(name);
  for (const DigestNumber& number : digest_in(run).numbers)
    if (number.label == name || number.variable == name) return &number;
  for (const DigestNumber& number : digest_in(run).numbers)
    if (lower(number.label).find(wanted) != std::string::npos ||
        lower(number.variable).find(wanted) != std::string::npos)
      return &number;
  return nullptr;
}

/// A TOML value as a number, where it is one.
double number_of_value(const std::string& value) {
  char* end = nullptr;
  const double number = std::strtod(value.c_str(), &end);
  return end != value.c_str() && *end == '\0' ? number : kNan;
}

/// "2026-01-31T12:00:00Z" in seconds since 1970; NaN for anything else.
double seconds_of(const std::string& utc) {
  std::tm parts{};
  return ::strptime(utc.c_str(), "%Y-%m-%dT%H:%M:%SZ", &parts) == nullptr ? kNan
                                                                          : static_cast<double>(::timegm(&parts));
}

const std::vector<std::string>& fixed_names() {
  static const std::vector<std::string> names{"run", "title", "state", "verdict", "age", "seconds", "seed"};
  return names;
}

bool is_before(const RunCell& a, const RunCell& b) {
  if (std::isnan(a.order) != std::isnan(b.order)) return std::isnan(b.order);
  if (!std::isnan(a.order)) return a.order < b.order;
  if (a.text.empty() != b.text.empty()) return b.text.empty();
  return a.text < b.text;
}

template <typename Name>
void add_new(std::vector<std::string>& names, const Name& name) {
  if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
}

std::string field(double value) { return std::isfinite(value) ? exact_text(value) : ""; }

}  // namespace

const DigestNumber* RunTable::number(const RunStatus& run, const std::string& label) const {
  for (const DigestNumber& number : digest_in(run).numbers)
    if (number.label == label) return &number;
  return nullptr;
}

std::string RunTable::units(const std::string& label) const {
  for (const RunStatus& run : runs)
    if (const DigestNumber* found = number(run, label)) return found->units;
  return {};
}

std::vector<RunTable> run_tables(std::vector<RunStatus> runs) {
  std::map<std::string, RunTable> tables;
  for (RunStatus& run : runs) {
    RunTable& table = tables[run.manifest.experiment];
    table.experiment = run.manifest.experiment;
    for (const DigestNumber& number : digest_in(run).numbers) add_new(table.numbers, number.label);
    table.runs.push_back(std::move(run));
  }
  std::vector<RunTable> list;
  for (auto& [name, table] : tables) list.push_back(std::move(table));
  return list;
}

RunCell run_cell(const RunStatus& run, const std::string& name) {
  if (name == "run") return {run_name(run)};
  if (name == "title") return {title_of(run)};
  if (name == "state") return {run.state};
  if (name == "verdict") return {verdict_of(run)};
  if (name == "age") return {age_text(age_seconds(run)), age_seconds(run)};
  if (name == "seconds") return {rounded_text(run.manifest.wall_seconds, 3), run.manifest.wall_seconds};
  if (name == "seed") return {std::to_string(run.manifest.seed), static_cast<double>(run.manifest.seed)};
  for (const DigestKey& key : digest_in(run).keys)
    if (key.key == name) return {key.value, number_of_value(key.value)};
  if (const DigestNumber* number = number_like(run, name)) return {number->text(), number->order()};
  for (const DigestKey& key : digest_in(run).keys)
    if (key.key.find(name) != std::string::npos) return {key.value, number_of_value(key.value)};
  return {};
}

bool sort_runs(std::vector<RunTable>& tables, const std::string& name) {
  bool any = false;
  for (RunTable& table : tables) {
    std::vector<std::pair<RunCell, std::size_t>> order;
    for (std::size_t i = 0; i < table.runs.size(); ++i) {
      order.emplace_back(run_cell(table.runs[i], name), i);
      any = any || !order.back().first.text.empty();
    }
    std::stable_sort(order.begin(), order.end(),
                     [](const auto& a, const auto& b) { return is_before(a.first, b.first); });
    std::vector<RunStatus> sorted;
    for (const auto& [cell, index] : order) sorted.push_back(std::move(table.runs[index]));
    table.runs = std::move(sorted);
  }
  return any;
}

std::vector<std::string> sort_names(const std::vector<RunTable>& tables) {
  std::vector<std::string> names = fixed_names();
  for (const RunTable& table : tables)
    for (const RunStatus& run : table.runs) {
      for (const DigestNumber& number : digest_in(run).numbers) add_new(names, number.variable);
      for (const DigestKey& key : digest_in(run).keys) add_new(names, key.key);
    }
  return names;
}

std::string run_name(const RunStatus& run) {
  return std::filesystem::path(run.directory).lexically_normal().filename().string();
}

std::string title_of(const RunStatus& run) {
  return digest_in(run).title.empty() ? run.manifest.title : digest_in(run).title;
}

std::string verdict_of(const RunStatus& run) {
  const RunDigest& digest = digest_in(run);
  std::string text = !digest.verdict.empty() ? digest.verdict : run.manifest.error;
  if (digest.failed_checks > 0)
    text += concat(text.empty() ? "" : " ", digest.failed_checks, " of ",
                   counted(static_cast<std::int64_t>(digest.checks), "check"), " FAILED.");
  return text;
}

std::string changed_keys_text(const RunStatus& run) {
  std::string text;
  for (const DigestKey& key : digest_in(run).keys) text += (text.empty() ? "" : ", ") + key.text();
  return text;
}

double age_seconds(const RunStatus& run) {
  const std::string& since = run.manifest.ended.empty() ? run.manifest.started : run.manifest.ended;
  return std::max(0.0, static_cast<double>(std::time(nullptr)) - seconds_of(since));
}

std::string age_text(double seconds) {
  constexpr double kMinute = 60, kHour = 3600, kDay = 86400;
  if (!std::isfinite(seconds)) return "";
  if (seconds < 2 * kMinute) return fixed_text(seconds, 0) + " s";
  if (seconds < 2 * kHour) return fixed_text(std::floor(seconds / kMinute), 0) + " min";
  return seconds < 2 * kDay ? fixed_text(std::floor(seconds / kHour), 0) + " h"
                            : fixed_text(std::floor(seconds / kDay), 0) + " d";
}

std::string runs_csv(const std::vector<RunTable>& tables) {
  std::vector<std::string> keys, labels;
  for (const RunTable& table : tables) {
    for (const std::string& label : table.numbers) add_new(labels, label);
    for (const RunStatus& run : table.runs)
      for (const DigestKey& key : digest_in(run).keys) add_new(keys, key.key);
  }
  std::string text = "directory,experiment,title,state,started,ended,seconds,points,seed";
  for (const std::string& key : keys) text += "," + csv_text(key);
  for (const std::string& label : labels)
    for (const char* part : {"", " error", " predicted", " low", " high"}) text += "," + csv_text(label + part);
  text += ",checks,failed_checks,verdict,content\n";
  for (const RunTable& table : tables)
    for (const RunStatus& run : table.runs) {
      const Manifest& manifest = run.manifest;
      for (const std::string& word :
           {run.directory, manifest.experiment, title_of(run), run.state, manifest.started, manifest.ended})
        text += csv_text(word) + ",";
      text += concat(exact_text(manifest.wall_seconds), ",", manifest.points, ",", manifest.seed);
      for (const std::string& key : keys) {
        const auto& own = digest_in(run).keys;
        const auto found = std::find_if(own.begin(), own.end(), [&](const DigestKey& one) { return one.key == key; });
        text += "," + (found == own.end() ? "" : csv_text(found->value));
      }
      for (const std::string& label : labels) {
        const DigestNumber* number = table.number(run, label);
        const DigestNumber none, &one = number == nullptr ? none : *number;
        for (const double value : {one.value, one.error, one.predicted, one.low, one.high}) text += "," + field(value);
      }
      text += concat(",", digest_in(run).checks, ",", digest_in(run).failed_checks, ",",
                     csv_text(digest_in(run).verdict), ",", manifest.content_hash, "\n");
    }
  return text;
}

}  // namespace fovea
