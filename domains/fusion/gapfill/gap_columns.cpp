#include "fovea/domains/fusion/gapfill/gap_columns.hpp"

#include <algorithm>
#include <cmath>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/missing.hpp"

namespace fovea::fusion::gapfill {

namespace {

constexpr float kPlaceUnit = 20;  // pixels

/// The mean of these dates and of 3 x 3 pixels, dB; NaN where all are missing.
Matrix<float> smoothed_radar(const ImageStack& stack, const std::vector<std::size_t>& dates) {
  const Index bands = std::ssize(stack.s1_bands);
  Matrix<double> sums = Matrix<double>::Zero(stack.pixels(), bands), counts = sums;
  for (const std::size_t d : dates)
    for (Index i = 0; i < sums.size(); ++i)
      if (const float value = stack.s1[d].data()[i]; std::isfinite(value)) {
        sums.data()[i] += static_cast<double>(value);
        counts.data()[i] += 1;
      }
  Matrix<float> smooth(stack.pixels(), bands);
  for (Index r = 0; r < stack.rows; ++r)
    for (Index c = 0; c < stack.columns; ++c)
      for (Index b = 0; b < bands; ++b) {
        double sum = 0, count = 0;
        for (Index y = std::max<Index>(r - 1, 0); y <= std::min(r + 1, stack.rows - 1); ++y)
          for (Index x = std::max<Index>(c - 1, 0); x <= std::min(c + 1, stack.columns - 1); ++x)
            if (const Index i = y * stack.columns + x; counts(i, b) > 0) sum += sums(i, b) / counts(i, b), ++count;
        const double mean = count > 0 ? sum / count : kNan;
        smooth(r * stack.columns + c, b) = static_cast<float>(10 * std::log10(std::max(mean, 1e-9)));
        if (count == 0) smooth(r * stack.columns + c, b) = static_cast<float>(kNan);
      }
  return smooth;
}

std::vector<std::size_t> dates_near(const ImageStack& stack, double day, double near_days) {
  std::vector<std::size_t> dates;
  std::size_t nearest = 0;
  for (std::size_t d = 0; d < stack.s1_days.size(); ++d) {
    const double away = std::abs(stack.s1_days[d] - day);
    if (away <= near_days) dates.push_back(d);
    if (away < std::abs(stack.s1_days[nearest] - day)) nearest = d;
  }
  if (dates.empty()) dates.push_back(nearest);
  return dates;
}

/// Mean 0 and variance 1 over the known pixels; what is missing becomes 0.
void standardize(const Flags& known, Index first, Index count, Matrix<float>& columns) {
  for (Index c = first; c < first + count; ++c) {
    double sum = 0, squares = 0, all = 0;
    for (Index i = 0; i < columns.rows(); ++i) {
      const auto value = static_cast<double>(columns(i, c));
      if (known[i] == 0 || !std::isfinite(value)) continue;
      sum += value, squares += value * value, ++all;
    }
    const double mean = all > 0 ? sum / all : 0, variance = all > 0 ? squares / all - mean * mean : 0;
    const double inverse = variance > 1e-12 ? 1 / std::sqrt(variance) : 0;
    for (Index i = 0; i < columns.rows(); ++i) {
      float& value = columns(i, c);
      value = std::isfinite(value) ? static_cast<float>((static_cast<double>(value) - mean) * inverse) : 0.0F;
    }
  }
}

}  // namespace

Index ColumnPlan::count() const { return 2 * std::ssize(bands) + (1 + seasons) * std::ssize(s1_bands) + 2; }

std::vector<std::string> ColumnPlan::names() const {
  std::vector<std::string> names;
  for (const char* when : {"before ", "after "})
    for (const std::string& band : bands) names.push_back(when + band);
  for (const std::string& band : s1_bands) names.push_back("S1 " + band);
  for (Index season = 0; season < seasons; ++season)
    for (const std::string& band : s1_bands) names.push_back(concat("season ", season + 1, " ", band));
  names.insert(names.end(), {"row", "column"});
  return names;
}

std::vector<Index> ColumnPlan::kinds() const {
  std::vector<Index> kinds(bands.size(), 0);
  kinds.insert(kinds.end(), bands.size(), 1);
  kinds.insert(kinds.end(), s1_bands.size(), 2);
  kinds.insert(kinds.end(), seasons * s1_bands.size(), 3);
  kinds.insert(kinds.end(), 2, 4);
  return kinds;
}

Matrix<float> season_columns(const ImageStack& stack, const ColumnPlan& plan) {
  const Index bands = std::ssize(stack.s1_bands);
  if (stack.s1_days.empty() || plan.seasons == 0) return Matrix<float>(stack.pixels(), 0);
  Matrix<float> columns = Matrix<float>::Constant(stack.pixels(), plan.seasons * bands, static_cast<float>(kNan));
  const double first = stack.s1_days.front(), span = stack.s1_days.back() - first;
  for (Index season = 0; season < plan.seasons; ++season) {
    std::vector<std::size_t> dates;
    for (std::size_t d = 0; d < stack.s1_days.size(); ++d) {
      const double part = span > 0 ? (stack.s1_days[d] - first) / span * static_cast<double>(plan.seasons) : 0;
      if (std::min(static_cast<Index>(part), plan.seasons - 1) == season) dates.push_back(d);
    }
    if (!dates.empty()) columns.middleCols(season * bands, bands) = smoothed_radar(stack, dates);
  }
  return columns;
}

Matrix<float> gap_columns(const ImageStack& stack, const ColumnPlan& plan, const Matrix<float>& seasons, Index date,
                          const Frame& frame) {
  const Index bands = std::ssize(plan.bands), radar = std::ssize(plan.s1_bands), last = plan.count() - 2;
  Matrix<float> columns = Matrix<float>::Zero(stack.pixels(), plan.count());
  columns.leftCols(bands) = frame.before;
  columns.middleCols(bands, bands) = frame.after;
  if (!stack.s1_days.empty() && radar > 0) {
    const double day = stack.days[date];
    columns.middleCols(2 * bands, radar) = smoothed_radar(stack, dates_near(stack, day, plan.near_days));
    columns.middleCols(2 * bands + radar, seasons.cols()) = seasons;
  }
  standardize(frame.known, 0, last, columns);
  for (Index i = 0; i < stack.pixels(); ++i) {
    columns(i, last) = (static_cast<float>(i / stack.columns) - static_cast<float>(stack.rows) / 2) / kPlaceUnit;
    columns(i, last + 1) = (static_cast<float>(i % stack.columns) - static_cast<float>(stack.columns) / 2) / kPlaceUnit;
  }
  return columns;
}

}  // namespace fovea::fusion::gapfill
