#include "fovea/domains/fusion/pixels/pixel_cases.hpp"

#include <algorithm>
#include <cmath>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/missing.hpp"
#include "fovea/domains/fusion/crops/field_cases.hpp"
#include "fovea/domains/fusion/model/sensor_tokens.hpp"

namespace fovea::fusion::pixels {

namespace {

const std::vector<std::string> kRadarBands{"VV", "VH"};
constexpr Index kMostPixelsAtATime = 4096;

bool tested(Index block_row, Index block_column) { return (block_row + 2 * block_column) % 3 == 0; }

/// Squares to learn from are halved both ways, so that a small map has pieces of each class for both uses.
Index piece_side(const BlockRules& rules) { return std::max<Index>(1, rules.side / 2); }

/// Whether a piece that is not tested is for validation: each `every`-th of a row of pieces, one further in each row.
bool validates(Index piece_row, Index piece_column, double share) {
  if (share <= 0) return false;
  const Index every = std::max<Index>(2, static_cast<Index>(std::lround(1 / share)));
  const Index step = every % 3 == 0 ? 2 : 3;
  return (step * piece_row + piece_column) % every == 0;
}

/// Whether a tested square is within the guard.
bool near_test(Index row, Index column, const BlockRules& rules) {
  for (Index r = row - rules.guard; r <= row + rules.guard; ++r)
    for (Index c = column - rules.guard; c <= column + rules.guard; ++c)
      if (r >= 0 && c >= 0 && tested(r / rules.side, c / rules.side)) return true;
  return false;
}

Part learned_part(Index row, Index column, const BlockRules& rules) {
  return validates(row / piece_side(rules), column / piece_side(rules), rules.validation) ? Part::validation
                                                                                          : Part::training;
}

const char* name_of(Part part) {
  return part == Part::training ? "training" : part == Part::validation ? "validation" : "test";
}

std::string mean_name(const std::string& band, Index side) { return concat(band, " ", side, "x", side); }

/// The bands of one sensor and their means, pixel by pixel.
class SensorColumns {
 public:
  SensorColumns(const Composites& stack, const std::vector<Matrix<float>>& images, std::vector<Index> bands,
                const std::vector<Index>& means, bool decibels)
      : stack_(stack), images_(images), bands_(std::move(bands)), means_(means), decibels_(decibels) {}

  Index count() const { return std::ssize(bands_) * (1 + std::ssize(means_)); }
  void write(Index pixel, std::size_t window, Eigen::Ref<Eigen::RowVectorXd> row) const {
    const Matrix<float>& image = images_[window];
    Index at = 0;
    for (const Index band : bands_) row(at++) = number(static_cast<double>(image(pixel, band)));
    if (!row.head(at).allFinite()) {
      row.setConstant(kNan);
      return;
    }
    for (const Index side : means_)
      for (const Index band : bands_)
        row(at++) = number(mean_about(stack_, image, pixel / stack_.columns, pixel % stack_.columns, band, side));
  }

 private:
  double number(double value) const { return decibels_ ? 10 * std::log10(value) : value; }
  const Composites& stack_;
  const std::vector<Matrix<float>>& images_;
  std::vector<Index> bands_;
  const std::vector<Index>& means_;
  bool decibels_;
};

class PixelReader final : public study::CaseReader {
 public:
  PixelReader(Composites stack, std::vector<std::int64_t> labels, std::vector<Part> parts, PixelRules rules)
      : stack_(std::move(stack)), labels_(std::move(labels)), parts_(std::move(parts)), rules_(std::move(rules)) {
    for (const std::string& band : rules_.bands) {
      const auto found = std::find(stack_.s2_bands.begin(), stack_.s2_bands.end(), band);
      if (stack_.s2_bands.empty()) break;
      if (found == stack_.s2_bands.end())
        throw DataError(
            concat(stack_.source, ": S2 has no band ", band, ", which the model wants; give it, or leave S2 out."));
      places_.push_back(found - stack_.s2_bands.begin());
    }
    names_ = with_means(rules_.bands), radar_names_ = with_means(kRadarBands);
  }

  study::Cases read(Index most) override {
    const Index count = std::min({most, kMostPixelsAtATime, stack_.pixels() - next_});
    study::Cases cases = crops::cases_of_fields(stack_.source, series(count), names_, rules_.classes);
    for (Index k = 0; k < count && !parts_.empty(); ++k) {
      const Part part = parts_[next_ + k];
      cases.parts.push_back(name_of(part));
      cases.groups.push_back(group(next_ + k, part));
      if (part == Part::guard && !cases.targets.empty()) cases.targets[k] = kNan;
    }
    next_ += count;
    return cases;
  }
  study::Reading reading() const override {
    study::Reading reading;
    reading.noun = "pixel", reading.token = "composite", reading.group = "square", reading.notes = stack_.notes;
    const bool is_file = !stack_.s2_known_by.empty();
    if (is_file) reading.files = {stack_.source};
    if (!stack_.s1.empty())
      reading.variables.push_back({model::kSensorNames[0], "dB", is_file ? "the layout of the file" : "simulated"});
    if (!stack_.s2.empty())
      reading.variables.push_back({model::kSensorNames[1], "reflectance", is_file ? stack_.s2_known_by : "simulated"});
    if (const auto guard = std::count(parts_.begin(), parts_.end(), Part::guard); guard > 0 && !labels_.empty())
      reading.left_out = {{"label", guard, "within data.guard of a test square, or for no part"}};
    for (const std::string& what : stack_.left_out) reading.leave_out("date", "cannot be read", what);
    return reading;
  }

 private:
  std::vector<std::string> with_means(const std::vector<std::string>& bands) const {
    std::vector<std::string> names = bands;
    for (const Index side : rules_.means)
      for (const std::string& band : bands) names.push_back(mean_name(band, side));
    return names;
  }

  /// The next pixels, each as a field would be.
  datasets::fields::FieldSeries series(Index count) const {
    datasets::fields::FieldSeries series;
    series.days = stack_.days;
    series.s1.bands = radar_names_;
    const Index windows = std::ssize(stack_.days);
    const SensorColumns radar(stack_, stack_.s1, {0, 1}, rules_.means, true),
        optics(stack_, stack_.s2, places_, rules_.means, false);
    if (!stack_.s1.empty()) series.s1.values.resize(count * windows, radar.count());
    if (!stack_.s2.empty()) series.s2 = {names_, Matrix<double>(count * windows, optics.count())};
    for (Index k = 0; k < count; ++k) {
      const Index pixel = next_ + k;
      series.ids.push_back(concat(pixel / stack_.columns, "_", pixel % stack_.columns));
      if (!labels_.empty()) series.labels.push_back(labels_[pixel]);
      for (Index w = 0; w < windows; ++w) {
        const std::size_t window = w;
        if (!stack_.s1.empty()) radar.write(pixel, window, series.s1.values.row(k * windows + w));
        if (!stack_.s2.empty()) optics.write(pixel, window, series.s2.values.row(k * windows + w));
      }
    }
    return series;
  }

  std::string group(Index pixel, Part part) const {
    const bool learned = part == Part::training || part == Part::validation;
    const Index side = learned ? piece_side(rules_.blocks) : rules_.blocks.side;
    return concat(part == Part::guard ? "guard "
                  : learned           ? "piece "
                                      : "square ",
                  pixel / stack_.columns / side, " ", pixel % stack_.columns / side);
  }

  Composites stack_;
  std::vector<std::int64_t> labels_;
  std::vector<Part> parts_;
  PixelRules rules_;
  std::vector<Index> places_;
  std::vector<std::string> names_, radar_names_;
  Index next_ = 0;
};

}  // namespace

std::vector<Part> block_parts(Index rows, Index columns, const BlockRules& rules) {
  std::vector<Part> parts;
  for (Index r = 0; r < rows; ++r)
    for (Index c = 0; c < columns; ++c)
      parts.push_back(tested(r / rules.side, c / rules.side) ? Part::test
                      : near_test(r, c, rules)               ? Part::guard
                                                             : learned_part(r, c, rules));
  return parts;
}

std::vector<Part> given_parts(const Matrix<std::int32_t>& map, const BlockRules& rules) {
  std::vector<Part> parts;
  for (Index r = 0; r < map.rows(); ++r)
    for (Index c = 0; c < map.cols(); ++c)
      parts.push_back(map(r, c) == 1 ? Part::test : map(r, c) == 0 ? learned_part(r, c, rules) : Part::guard);
  return parts;
}

std::unique_ptr<study::CaseReader> pixel_reader(Composites stack, std::vector<std::int64_t> labels,
                                                std::vector<Part> parts, PixelRules rules) {
  return std::make_unique<PixelReader>(std::move(stack), std::move(labels), std::move(parts), std::move(rules));
}

}  // namespace fovea::fusion::pixels
