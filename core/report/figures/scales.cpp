#include "fovea/core/report/figures/scales.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "fovea/core/base/words.hpp"

namespace fovea {
namespace {

constexpr double kLeastDecades = 0.7;  ///< of a logarithmic axis; a shorter one has evenly spaced ticks

double round_step(double length, int wanted) {
  const double rough = length / std::max(wanted, 1);
  const double power = std::pow(10, std::floor(std::log10(rough)));
  for (const double factor : {1.0, 2.0, 5.0}) {
    if (factor * power >= rough * 0.999999) return factor * power;
  }
  return 10 * power;
}

std::vector<double> linear_ticks(Interval range, int wanted) {
  const double step = round_step(range.high - range.low, wanted);
  std::vector<double> out;
  const double first = std::ceil(range.low / step - 1e-6);
  const double last = std::floor(range.high / step + 1e-6);
  if (!(last - first < 1000)) return {range.low, range.high};  // a range too narrow for its own rounding
  // Counted from first: beyond 2^53, k + 1 may be k.
  for (int k = 0; k <= static_cast<int>(last - first); ++k) out.push_back((first + k) * step + 0.0);
  out.erase(std::unique(out.begin(), out.end()), out.end());
  return out;
}

std::vector<double> logarithmic_ticks(Interval range, int wanted) {
  const double decades = std::log10(range.high / range.low);
  if (decades < kLeastDecades) return linear_ticks(range, wanted);
  const bool fine = decades * 3 <= wanted + 2;
  const int stride = std::max(1, static_cast<int>(std::ceil(decades / std::max(wanted, 1))));
  std::vector<double> out;
  for (int k = static_cast<int>(std::floor(std::log10(range.low))); k <= std::log10(range.high); ++k) {
    if (((k % stride) + stride) % stride != 0) continue;
    for (const double factor : {1.0, 2.0, 5.0}) {
      const double value = factor * std::pow(10.0, k);
      if ((factor == 1 || fine) && value >= range.low * 0.999999 && value <= range.high * 1.000001)
        out.push_back(value);
    }
  }
  return out.size() > 1 ? out : linear_ticks(range, wanted);
}

}  // namespace

Interval range_of(const std::vector<double>& values, bool positive) {
  Interval range{std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity()};
  for (const double value : values) {
    if (!std::isfinite(value) || (positive && value <= 0)) continue;
    range = {std::min(range.low, value), std::max(range.high, value)};
  }
  if (range.low > range.high) return positive ? Interval{1, 10} : Interval{0, 1};
  if (range.low == range.high) {
    const double room = range.low == 0 ? 1 : std::abs(range.low) * 0.5;
    return positive ? Interval{range.low / 2, range.low * 2} : Interval{range.low - room, range.high + room};
  }
  return range;
}

Interval shown_range(const std::vector<double>& values, bool positive) {
  constexpr double kHardly = 1e-3, kRoom = 1.05;
  double low = std::numeric_limits<double>::infinity(), high = -low;
  for (const double value : values) {
    if (std::isfinite(value) && (!positive || value > 0)) low = std::min(low, value), high = std::max(high, value);
  }
  const double size = std::max(std::abs(low), std::abs(high));
  if (low > high || size == 0 || high - low >= kHardly * size) return range_of(values, positive);
  if (positive) return {low / 2, high * 2};
  return low > 0 ? Interval{0, high * kRoom} : Interval{low * kRoom, 0};
}

Interval joined(Interval a, Interval b) { return {std::min(a.low, b.low), std::max(a.high, b.high)}; }

double Scale::fraction(double value) const {
  if (!logarithmic) return (value - range.low) / (range.high - range.low);
  if (!(value > 0)) return std::numeric_limits<double>::quiet_NaN();
  return std::log(value / range.low) / std::log(range.high / range.low);
}

Scale padded(Scale scale, double margin) {
  if (scale.logarithmic) {
    const double factor = std::pow(scale.range.high / scale.range.low, margin);
    return {{scale.range.low / factor, scale.range.high * factor}, true};
  }
  const double room = (scale.range.high - scale.range.low) * margin;
  return {{scale.range.low - room, scale.range.high + room}, false};
}

std::vector<double> ticks(const Scale& scale, int wanted) {
  return scale.logarithmic ? logarithmic_ticks(scale.range, wanted) : linear_ticks(scale.range, wanted);
}

std::vector<double> minor_ticks(const Scale& scale) {
  const double decades = std::log10(scale.range.high / scale.range.low);
  std::vector<double> out;
  if (!scale.logarithmic || !(decades >= kLeastDecades) || decades > 6) return out;
  for (int k = static_cast<int>(std::floor(std::log10(scale.range.low))); k <= std::log10(scale.range.high); ++k) {
    for (int factor = 1; factor < 10; ++factor) {
      const double value = factor * std::pow(10.0, k);
      if (value >= scale.range.low && value <= scale.range.high) out.push_back(value);
    }
  }
  return out;
}

std::vector<std::string> tick_labels(const std::vector<double>& values, bool logarithmic) {
  std::vector<std::string> labels;
  double largest = 0;
  for (const double value : values) largest = std::max(largest, std::abs(value));
  const double step = values.size() > 1 ? values[1] - values[0] : largest;
  if (!logarithmic && largest < 1e6 && step >= 1e-4) {
    const int decimals = std::clamp(static_cast<int>(std::ceil(-std::log10(step) - 1e-9)), 0, 6);
    for (const double value : values) labels.push_back(fixed_text(std::abs(value) < step * 1e-6 ? 0 : value, decimals));
    return labels;
  }
  for (int digits = 3; digits <= 15; ++digits) {
    labels.clear();
    for (const double value : values) labels.push_back(rounded_text(value, digits));
    if (std::adjacent_find(labels.begin(), labels.end()) == labels.end()) return labels;
  }
  for (std::size_t i = labels.size(); i-- > 1;) {
    if (labels[i] == labels[i - 1]) labels[i].clear();
  }
  return labels;
}

}  // namespace fovea
