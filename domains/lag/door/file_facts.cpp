#include "fovea/domains/lag/door/file_facts.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "fovea/domains/lag/series/input.hpp"

namespace fovea::lag::door {

namespace {

template <typename Values>
SeriesFacts facts_of_values(const std::string& name, const std::string& group, const Values& values) {
  SeriesFacts facts{name, group, series::unit_in_name(name)};
  facts.least = std::numeric_limits<double>::infinity();
  facts.most = -facts.least;
  for (const double value : values) {
    ++facts.rows;
    if (std::isnan(value)) {
      ++facts.missing;
      continue;
    }
    facts.least = std::min(facts.least, value);
    facts.most = std::max(facts.most, value);
  }
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
  for (Index s = 0; s < file.table.series(); ++s)
    facts.series.push_back(facts_of_values(file.table.names[s], "", file.table.values.col(s)));
  return facts;
}

}  // namespace fovea::lag::door
