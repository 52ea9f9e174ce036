#include "fovea/domains/lag/door/file_facts.hpp"

#include <cmath>

#include "fovea/core/base/ordering.hpp"
#include "fovea/domains/lag/series/input.hpp"

namespace fovea::lag::door {

namespace {

SeriesFacts facts_of_values(const std::string& name, const std::string& group, std::vector<double> values) {
  SeriesFacts facts{name, group, series::unit_in_name(name), std::ssize(values)};
  facts.missing = static_cast<Index>(std::erase_if(values, [](double value) { return std::isnan(value); }));
  values = ascending(values);
  if (values.empty()) return facts;
  facts.least = values.front(), facts.most = values.back();
  facts.middle = 0.5 * (values[(values.size() - 1) / 2] + values[values.size() / 2]);
  return facts;
}

}  // namespace

FileFacts facts_of(const datasets::series::SeriesFile& file) {
  FileFacts facts;
  for (const datasets::series::CurveGroup& group : file.groups)
    for (const datasets::series::Curve& curve : group.curves) {
      facts.series.push_back(facts_of_values(curve.name, group.name, curve.value));
      facts.rows += facts.series.back().rows;
    }
  facts.unit = file.table.time_unit;
  facts.recordings = static_cast<Index>(file.groups.size());
  if (file.irregular()) return facts;
  facts.rows = file.table.steps();
  facts.step = file.table.step;
  facts.recordings = static_cast<Index>(file.table.recording_starts.size());
  for (Index s = 0; s < file.table.series(); ++s) {
    const Vector<double> column = file.table.values.col(s);
    facts.series.push_back(facts_of_values(file.table.names[s], "", {column.begin(), column.end()}));
  }
  return facts;
}

}  // namespace fovea::lag::door
