/// compare: several results side by side.

#include <algorithm>
#include <cmath>
#include <iostream>
#include <map>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/json_text.hpp"
#include "fovea/core/base/storage.hpp"
#include "fovea/core/base/words.hpp"
#include "fovea/core/data/dataset_compare.hpp"
#include "fovea/core/data/file/dataset_file.hpp"
#include "fovea/core/lab/verify.hpp"
#include "fovea/core/report/comparison.hpp"
#include "fovea/core/report/report.hpp"
#include "fovea/experiments/commands/command_table.hpp"
#include "fovea/experiments/commands/find/last_run.hpp"
#include "fovea/experiments/commands/open_result.hpp"
#include "fovea/experiments/console.hpp"
#include "fovea/experiments/exit_codes.hpp"

namespace fovea::command {

namespace {

/// How one result's arrays stand to those of the first.
struct ArrayComparison {
  std::vector<Difference> differences;
  std::vector<std::string> texts;  ///< differences of attributes and documents
  bool identical = false;
};

ArrayComparison compare_arrays(const Dataset& a, const Dataset& b, double rtol, double atol) {
  ArrayComparison found{compare_datasets(a, b, rtol, atol), compare_texts(a, b), content_hash(a) == content_hash(b)};
  std::erase_if(found.texts, [](const std::string& line) {  // their keys stand above
    return line.starts_with("document resolved_toml:") || line.starts_with("document defaults_toml:");
  });
  return found;
}

/// A line a difference; arrays that differ in the same sizes share one, by name.
std::vector<std::string> difference_lines(const std::vector<Difference>& differences) {
  constexpr std::size_t kNamed = 4;
  std::vector<std::string> lines;
  std::map<std::string, std::vector<std::string>> sizes;
  for (const Difference& difference : differences) {
    if (difference.kind == Difference::Kind::shape)
      sizes[difference.first_a + " and " + difference.first_b].push_back(difference.variable);
    else
      lines.push_back(difference.text());
  }
  for (const auto& [size, names] : sizes) {
    std::string text = size + ": ";
    for (std::size_t i = 0; i < std::min(kNamed, names.size()); ++i) text += (i == 0 ? "" : ", ") + names[i];
    if (names.size() > kNamed) text += concat(" and ", names.size() - kNamed, " more arrays");
    lines.push_back(text);
  }
  return lines;
}

std::string keys_text(const std::vector<ComparedRun>& runs) {
  std::vector<ComparedKey> keys = differing_keys(runs);
  const bool one_experiment =
      std::none_of(keys.begin(), keys.end(), [](const ComparedKey& key) { return key.key == "experiment"; });
  if (!one_experiment)  // what only one of the experiments has says nothing more
    std::erase_if(keys, [](const ComparedKey& key) {
      return std::any_of(key.values.begin(), key.values.end(), [](const std::string& value) { return value.empty(); });
    });
  const bool any = std::any_of(runs.begin(), runs.end(), [](const ComparedRun& run) {
    return run.results.data.documents.contains("resolved_toml");
  });
  if (!any) return "";
  if (keys.empty()) return "keys: all equal\n";
  std::string text = "keys that differ:\n";
  for (const ComparedKey& key : keys) {
    std::string values;
    for (std::size_t r = 0; r < runs.size(); ++r)
      values +=
          (r == 0 ? "  " : ",  ") + runs[r].name + " " + (key.values[r].empty() ? "(no such key)" : key.values[r]);
    text += "  " + key.key + ":" + values + '\n';
  }
  return text;
}

std::string headlines_text(const std::vector<ComparedRun>& runs) {
  std::string text;
  for (const ComparedHeadline& one : compared_headlines(runs)) {
    const std::string units = one.units.empty() || one.units == "1" ? "" : " " + one.units;
    text += "  " + one.label + '\n';
    for (std::size_t r = 0; r < runs.size(); ++r) {
      text += "    " + runs[r].name + "  " + text_with_error(one.values[r].value, one.values[r].error);
      text += std::isnan(one.values[r].value) ? "" : units;
      if (r > 0 && one.difference(r) == 0) text += "; " + one.judged(r);
      if (r > 0 && std::abs(one.difference(r)) > 0)
        text += concat("; ", runs[r].name, " - ", runs[0].name, " = ", text_with_error(one.difference(r), one.error(r)),
                       ": ", one.judged(r));
      text += '\n';
    }
  }
  return text.empty() ? text : "headlines:\n" + text;
}

std::string arrays_text(const ArrayComparison& found) {
  std::string text;
  for (const std::string& line : difference_lines(found.differences)) text += line + '\n';
  if (found.differences.empty()) text += found.identical ? "identical\n" : "the arrays agree\n";
  for (const std::string& line : found.texts) text += "  (not counted) " + line + '\n';
  return text;
}

Json headlines_json(const std::vector<ComparedRun>& runs) {
  std::vector<Json> items;
  for (const ComparedHeadline& one : compared_headlines(runs)) {
    std::vector<Json> values;
    for (std::size_t r = 0; r < runs.size(); ++r)
      values.push_back(JsonObject()
                           .add("value", one.values[r].value)
                           .add("error", one.values[r].error)
                           .add("difference", one.difference(r))
                           .add("difference_error", one.error(r))
                           .add("judged", one.judged(r))
                           .done());
    items.push_back(
        JsonObject().add("label", one.label).add("units", one.units).add("values", json_list(values)).done());
  }
  return json_list(items);
}

std::string comparison_json(const std::vector<ComparedRun>& runs, const std::vector<ArrayComparison>& others,
                            double rtol, double atol) {
  std::vector<Json> keys, comparisons;
  std::vector<std::string> lines, texts;
  bool equal = true, identical = true;
  for (const ComparedKey& key : differing_keys(runs))
    keys.push_back(JsonObject().add("key", key.key).add("values", json_texts(key.values)).done());
  for (const ArrayComparison& found : others) {
    std::vector<std::string> own;
    for (const Difference& difference : found.differences) own.push_back(difference.text());
    equal = equal && own.empty();
    identical = identical && found.identical;
    if (lines.empty()) lines = own;
    if (texts.empty()) texts = found.texts;
    comparisons.push_back(JsonObject()
                              .add("equal", own.empty())
                              .add("identical", found.identical)
                              .add("differences", json_texts(own))
                              .add("text_differences", json_texts(found.texts))
                              .done());
  }
  JsonObject object;
  object.add("equal", equal).add("identical", identical).add("rtol", rtol).add("atol", atol);
  object.add("keys", json_list(keys)).add("headlines", headlines_json(runs));
  if (others.size() == 1)
    object.add("differences", json_texts(lines)).add("text_differences", json_texts(texts));
  else
    object.add("comparisons", json_list(comparisons));
  return object.done().text + '\n';
}

int compare(const Arguments& arguments) {
  const double rtol = arguments.real("rtol", 0, 0), atol = arguments.real("atol", 0, 0);
  std::vector<Dataset> stored;
  std::vector<ComparedRun> runs;
  Console console(arguments);
  for (const std::string& word : arguments.positional) {
    const std::string path = run_called(word, Wanted::any, console);
    stored.push_back(read_dataset(result_file(path)));
    runs.push_back({compared_name(runs.size()), path, presented(stored.back())});
  }
  std::vector<ArrayComparison> others;
  for (std::size_t r = 1; r < runs.size(); ++r) others.push_back(compare_arrays(stored[0], stored[r], rtol, atol));
  const bool equal =
      std::all_of(others.begin(), others.end(), [](const ArrayComparison& one) { return one.differences.empty(); });
  if (arguments.has("json")) {
    std::cout << comparison_json(runs, others, rtol, atol);
  } else {
    for (const ComparedRun& run : runs) std::cout << run.name << "  " << run.path << '\n';
    std::cout << keys_text(runs) << headlines_text(runs);
    for (std::size_t r = 1; r < runs.size(); ++r)
      std::cout << "arrays, " << runs[0].name << " and " << runs[r].name << ":\n" << arrays_text(others[r - 1]);
  }
  if (arguments.has("output")) {
    write_file(arguments.text("output", ""), draw_page(comparison(runs), {}));
    if (!arguments.has("json")) std::cout << "page  " << arguments.text("output", "") << '\n';
  }
  return equal ? kDone : kDiffers;
}

}  // namespace

Command compare_command() {
  return {
      "compare",
      "compare results: keys, headlines with their errors, arrays",
      "A B...",
      2,
      100,
      {"fovea compare runs/opinion.temperature-1a2b3c4d theirs/result.h5", "fovea compare a.h5 b.h5 --rtol 1e-9",
       "fovea compare runs/opinion.temperature-* -o compared.html"},
      {{"rtol", 0, "X", "allowed |a - b| relative to the larger (default 0)", false},
       {"atol", 0, "X", "allowed |a - b| (default 0)", false},
       {"output", 'o', "FILE",
        "also a page, with the curves of all results in one figure where they have the same "
        "places",
        false},
       kJson},
      "A, B, ... are run directories or result files; all are compared with the first. First stand the keys that\n"
      "differ, then the headlines: a difference is compared with the root of the sum of both squared errors. Arrays\n"
      "are compared value by value; differences of texts are shown but do not decide.\n"
      "Exit code 0: all arrays agree; 6: they differ.",
      &compare};
}

}  // namespace fovea::command
