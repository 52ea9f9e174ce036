#include "fovea/experiments/commands/run_summary.hpp"

#include <algorithm>
#include <cmath>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/json_text.hpp"
#include "fovea/core/base/words.hpp"
#include "fovea/core/data/least_value.hpp"
#include "fovea/core/data/verdict.hpp"
#include "fovea/core/report/headline_values.hpp"
#include "fovea/experiments/console.hpp"

namespace fovea::command {

namespace {

constexpr std::size_t kMostValues = 12;  // of one headline; the report has them all

std::string headline_text(const Dataset& data, const Headline& headline) {
  std::string text;
  const std::vector<HeadlineValue> values = headline_values(data, headline);
  for (std::size_t i = 0; i < std::min(values.size(), kMostValues); ++i) {
    const HeadlineValue& one = values[i];
    text += "  " + headline.label + (one.place.empty() ? "" : " (" + one.place + ")") + ": " + one.text() +
            (one.least ? concat(" (", kLeastP, ')') : "") +
            (std::isnan(one.value) ? std::string() : unit_text(data, headline.variable));
    text += std::isnan(one.predicted) ? "\n" : "; predicted " + rounded_text(one.predicted, 6) + '\n';
  }
  if (values.size() > kMostValues)
    text += concat("  ", headline.label, ": ", values.size() - kMostValues, " more values in the report\n");
  return text;
}

std::string checks_text(const std::vector<Check>& checks, bool preview) {
  const auto failed = std::count_if(checks.begin(), checks.end(), [](const Check& check) { return !check.holds(); });
  if (preview) return concat("  checks: ", checks.size(), ", not judged\n");
  std::string text =
      concat("  checks: ", checks.size() - failed, " of ", checks.size(), failed == 0 ? " hold\n" : " hold; FAILED:\n");
  for (const Check& check : checks) {
    if (check.holds()) continue;
    text += sentence("    FAILED " + check_text(check), 6);
  }
  return text;
}

std::string paths_text(const RunSummary& summary) {
  std::string text =
      "result  " + summary.directory.result().path() + "\nreport  " + summary.directory.report().path() + '\n';
  if (!summary.manifest.content_hash.empty()) text += "content " + summary.manifest.content_hash + '\n';
  return text;
}

Json check_json(const Check& check, bool preview) {
  JsonObject object;
  object.add("name", check.name);
  if (!preview) object.add("holds", check.holds());
  object.add("measured", check.measured);
  object.add("predicted", check.predicted)
      .add("tolerance", check.tolerance.size)
      .add("relative", check.tolerance.relative);
  object.add("meaning", check.meaning).add("source", check.source);
  return object.done();
}

Json headline_json(const Dataset& data, const Headline& headline) {
  std::vector<Json> values;
  for (const HeadlineValue& one : headline_values(data, headline)) {
    JsonObject object;
    object.add("place", one.place).add("value", one.value).add("error", one.error).add("predicted", one.predicted);
    values.push_back(object.done());
  }
  JsonObject object;
  object.add("label", headline.label).add("variable", headline.variable).add("values", json_list(values));
  return object.done();
}

}  // namespace

bool is_preview(const RunSummary& summary) { return summary.results.found<Preview>().has_value(); }

std::vector<Check> failed_checks(const RunSummary& summary) {
  std::vector<Check> failed;
  if (is_preview(summary)) return failed;
  const Results results = summary.results.with_machine();
  for (const Check& check : results.checks())
    if (!check.holds()) failed.push_back(check);
  return failed;
}

std::string check_text(const Check& check) {
  return concat(check.name, ": ", check.meaning, ": measured ", rounded_text(check.measured, 8), ", predicted ",
                rounded_text(check.predicted, 8), " within ", rounded_text(check.tolerance.size, 3),
                check.tolerance.relative ? " of it" : "", " (", check.source, ")");
}

std::string summary_text(const RunSummary& summary) {
  std::string text;
  for (const PointFailure& failure : summary.failures) text += "FAILED  " + failure.label + ": " + failure.error + '\n';
  if (!summary.has_all && summary.missing.empty())
    text += sentence(concat(counted(static_cast<std::int64_t>(summary.computed_points), "point was", "points were"),
                            " computed here; others of the sweep are not finished yet. Whoever finishes the last one "
                            "merges them all. See how they stand: fovea status ",
                            summary.directory.path()));
  if (!summary.has_result) return text;
  const Results results = summary.results.with_machine();
  for (const std::string& warning : results.warnings()) text += sentence("WARNING  " + warning, 4);
  if (!results.verdict().empty()) text += sentence(results.verdict());
  for (const Headline& headline : results.headlines()) text += headline_text(results.data, headline);
  for (const std::string& one : results.reading()) text += sentence("  " + one, 4);
  if (!results.checks().empty()) text += checks_text(results.checks(), is_preview(summary));
  for (const std::string& note : results.notes()) text += sentence("  note: " + note, 4);
  return text + paths_text(summary);
}

std::string summary_json(const RunSummary& summary) {
  std::vector<Json> failures, checks, headlines;
  const Results results = summary.results.with_machine();
  for (const PointFailure& failure : summary.failures)
    failures.push_back(JsonObject().add("point", failure.label).add("error", failure.error).done());
  for (const Check& check : results.checks()) checks.push_back(check_json(check, is_preview(summary)));
  for (const Headline& headline : results.headlines()) headlines.push_back(headline_json(results.data, headline));
  JsonObject object;
  object.add("directory", summary.directory.path()).add("found", summary.found);
  object.add("state", summary.found ? "finished" : to_text(summary.manifest.state));
  object.add("experiment", summary.manifest.experiment).add("seed", summary.manifest.seed);
  object.add("preview", is_preview(summary))
      .add("points", summary.manifest.points)
      .add("reused_points", summary.reused_points)
      .add("computed_points", summary.computed_points)
      .add("has_all_points", summary.has_all);
  object.add("content_hash", summary.manifest.content_hash).add("verdict", summary.results.verdict());
  object.add("findings", Json{findings_json(results.findings())});
  object.add("reading", json_texts(results.reading()));
  object.add("headlines", json_list(headlines)).add("checks", json_list(checks));
  object.add("notes", json_texts(results.notes())).add("failures", json_list(failures));
  object.add("wall_seconds", summary.manifest.wall_seconds);
  if (summary.has_result)
    object.add("result", summary.directory.result().path()).add("report", summary.directory.report().path());
  return object.done().text + '\n';
}

}  // namespace fovea::command
