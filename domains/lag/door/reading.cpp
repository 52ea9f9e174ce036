#include "fovea/domains/lag/door/reading.hpp"

#include <algorithm>
#include <cmath>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/json_text.hpp"
#include "fovea/core/base/lines.hpp"

namespace fovea::lag::door {

namespace {

struct SeriesSummary {
  std::string name, group;
  std::size_t values = 0, missing = 0;
  double least = 0, median = 0, largest = 0;
};

SeriesSummary summary_of(const std::string& name, std::vector<double> values) {
  SeriesSummary summary;
  summary.name = name;
  summary.missing = static_cast<std::size_t>(std::erase_if(values, [](double value) { return std::isnan(value); }));
  summary.values = values.size();
  std::sort(values.begin(), values.end());
  if (values.empty()) return summary;
  summary.least = values.front();
  summary.largest = values.back();
  summary.median = 0.5 * (values[(values.size() - 1) / 2] + values[values.size() / 2]);
  return summary;
}

std::vector<SeriesSummary> summaries_of(const datasets::series::SeriesFile& file) {
  std::vector<SeriesSummary> all;
  for (Index s = 0; s < file.table.series(); ++s) {
    const Eigen::VectorXd column = file.table.values.col(s);
    all.push_back(summary_of(file.table.names[s], {column.begin(), column.end()}));
  }
  for (const datasets::series::CurveGroup& group : file.groups)
    for (const datasets::series::Curve& curve : group.curves) {
      all.push_back(summary_of(curve.name, curve.value));
      all.back().group = group.name;
    }
  return all;
}

Json json_of(const SeriesSummary& summary, bool grouped) {
  JsonObject one;
  one.add("name", summary.name);
  if (grouped) one.add("group", summary.group);
  one.add("values", summary.values).add("missing", summary.missing);
  return one.add("min", summary.least).add("median", summary.median).add("max", summary.largest).done();
}

std::string as_json(const std::string& path, const datasets::series::SeriesFile& file) {
  JsonObject object;
  object.add("file", path).add("times", file.irregular() ? "uneven" : "even");
  if (!file.irregular())
    object.add("step", file.table.step)
        .add("unit", file.table.time_unit.empty() ? "steps" : file.table.time_unit)
        .add("rows", file.table.steps())
        .add("recordings", file.table.recording_starts.size());
  std::vector<Json> series;
  for (const SeriesSummary& summary : summaries_of(file)) series.push_back(json_of(summary, file.irregular()));
  return object.add("notes", json_texts(file.notes)).add("series", json_list(series)).done().text + '\n';
}

}  // namespace

std::string reading_output(const std::string& path, const datasets::series::SeriesFile& file, Form form,
                           std::size_t width) {
  if (form == Form::csv) throw UsageError("--explain-reading is text or --json, not --csv.");
  if (form == Form::json) return as_json(path, file);
  std::string text;
  for (const std::string& note : file.notes) text += in_lines(note, width);
  std::vector<std::vector<std::string>> rows{{"series", "values", "missing", "least", "median", "largest"}};
  for (const SeriesSummary& s : summaries_of(file))
    rows.push_back({s.group.empty() ? s.name : concat(s.name, " (", s.group, ")"), concat(s.values), concat(s.missing),
                    concat(s.least), concat(s.median), concat(s.largest)});
  return text + "\n" + in_columns(rows, 1);
}

}  // namespace fovea::lag::door
