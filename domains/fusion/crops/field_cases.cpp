#include "fovea/domains/fusion/crops/field_cases.hpp"

#include <algorithm>
#include <map>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/missing.hpp"
#include "fovea/domains/fusion/model/sensor_tokens.hpp"

namespace fovea::fusion::crops {

namespace {

using datasets::fields::FieldSeries;
using datasets::fields::SensorSeries;

constexpr double kDarkest = 1e-3;  // keeps a normalised difference finite over deep water

struct Difference {
  const char *name, *first, *second;
};
constexpr Difference kDifferences[] = {{"NDVI", "B08", "B04"},
                                       {"NDMI", "B08", "B11"},
                                       {"NDWI", "B03", "B08"},
                                       {"ND65", "B06", "B05"},
                                       {"NDTI", "B11", "B12"}};

Index place_of(const std::vector<std::string>& bands, const std::string& band) {
  const auto found = std::find(bands.begin(), bands.end(), band);
  return found == bands.end() ? -1 : found - bands.begin();
}

/// Columns of S2 behind its bands: the differences that there are bands for.
std::vector<std::pair<Index, Index>> differences_of(const std::vector<std::string>& bands,
                                                    std::vector<study::Feature>& features) {
  std::vector<std::pair<Index, Index>> pairs;
  for (const Difference& one : kDifferences) {
    const Index a = place_of(bands, one.first), b = place_of(bands, one.second);
    if (a < 0 || b < 0) continue;
    pairs.emplace_back(a, b);
    features.push_back({one.name, "1", {}});
  }
  return pairs;
}

/// Where the file has each band that is wanted; none where it has no S2.
std::vector<Index> places_of(const std::string& source, const SensorSeries& s2,
                             const std::vector<std::string>& wanted) {
  std::vector<Index> places;
  if (s2.values.rows() == 0) return places;
  for (const std::string& band : wanted) {
    places.push_back(place_of(s2.bands, band));
    if (places.back() < 0)
      throw DataError(concat(source, ": s2 has no band ", band, ", which the model wants; give it, or leave s2 out."));
  }
  return places;
}

/// Adds the tokens of one sensor and field.
class TokenWriter {
 public:
  TokenWriter(const std::string& source, const FieldSeries& series, const std::vector<std::string>& bands,
              study::Cases& cases, std::vector<float>& rows)
      : series_(series), places_(places_of(source, series.s2, bands)), cases_(cases), rows_(rows) {
    for (const char* name : {"VV", "VH", "VH - VV"}) cases.features.push_back({name, "dB", {}});
    for (std::size_t c = 2; c < series.s1.bands.size(); ++c) cases.features.push_back({series.s1.bands[c], "dB", {}});
    radar_columns_ = std::ssize(cases.features);
    for (const std::string& band : bands) cases.features.push_back({band, "1", {}});
    pairs_ = differences_of(bands, cases.features);
  }

  void add(Index field, Index date) {
    const Index row = field * series_.dates() + date;
    if (has(series_.s1, row)) {
      const double vv = series_.s1.values(row, 0), vh = series_.s1.values(row, 1);
      float* const to = token(0, date);
      to[0] = static_cast<float>(vv), to[1] = static_cast<float>(vh), to[2] = static_cast<float>(vh - vv);
      for (Index c = 2; c < series_.s1.values.cols(); ++c) to[c + 1] = static_cast<float>(series_.s1.values(row, c));
    }
    if (!has(series_.s2, row)) return;
    float* to = token(1, date) + radar_columns_;
    const auto band = [&](Index wanted) { return series_.s2.values(row, places_[wanted]); };
    for (Index c = 0; c < std::ssize(places_); ++c) *to++ = static_cast<float>(band(c));
    for (const auto& [a, b] : pairs_)
      *to++ = static_cast<float>((band(a) - band(b)) / std::max(band(a) + band(b), kDarkest));
  }

 private:
  static bool has(const SensorSeries& series, Index row) {
    return series.values.rows() > 0 && series.values.row(row).allFinite();
  }
  float* token(std::uint16_t sensor, Index date) {
    cases_.times.push_back(series_.days[date]);
    cases_.kinds.push_back(sensor);
    rows_.resize(rows_.size() + cases_.features.size(), static_cast<float>(kNan));
    return rows_.data() + (rows_.size() - cases_.features.size());
  }

  const FieldSeries& series_;
  std::vector<Index> places_;
  study::Cases& cases_;
  std::vector<float>& rows_;
  std::vector<std::pair<Index, Index>> pairs_;
  Index radar_columns_ = 0;
};

}  // namespace

std::vector<std::string> frequent_labels(const FieldSeries& series, Index least) {
  std::map<std::int64_t, Index> counts;
  for (const std::int64_t label : series.labels)
    if (label >= 0) ++counts[label];  // -1 and its like mark fields without a label
  std::vector<std::string> labels;
  for (const auto& [label, count] : counts)
    if (count >= least) labels.push_back(std::to_string(label));
  return labels;
}

study::Cases cases_of_fields(const std::string& source, const FieldSeries& series,
                             const std::vector<std::string>& bands, const std::vector<std::string>& classes) {
  study::Cases cases;
  cases.classes = model::kSensorNames;
  cases.time_unit = "d";
  std::vector<float> rows;
  TokenWriter writer(source, series, bands, cases, rows);
  for (Index f = 0; f < series.count(); ++f) {
    for (Index k = 0; k < series.dates(); ++k) writer.add(f, k);
    cases.offsets.push_back(static_cast<Index>(cases.kinds.size()));
    if (series.labels.empty()) continue;
    const auto found = std::find(classes.begin(), classes.end(), std::to_string(series.labels[f]));
    cases.targets.push_back(found == classes.end() ? kNan : static_cast<double>(found - classes.begin()));
  }
  cases.values = Eigen::Map<const Matrix<float>>(rows.data(), static_cast<Index>(cases.kinds.size()),
                                                 static_cast<Index>(cases.features.size()));
  cases.ids = series.ids;
  cases.folds = series.folds;
  return cases;
}

}  // namespace fovea::fusion::crops
