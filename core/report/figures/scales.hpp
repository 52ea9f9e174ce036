#pragma once
/// Axes: a range, where a value lies in it, and ticks at round numbers.

#include <string>
#include <vector>

namespace fovea {

struct Interval {
  double low = 0, high = 1;
};

/// The range of the finite values (positive ones only, if positive); {0, 1} or {1, 10} if there is none. A single value
/// gets room on both sides.
Interval range_of(const std::vector<double>& values, bool positive = false);
/// The range that an axis of measured values shows: range_of, but values that differ by less than 1e-3 of their size
/// are shown beside 0, not blown up to a picture of their last digits (on a logarithmic axis: from half to twice).
Interval shown_range(const std::vector<double>& values, bool positive = false);
Interval joined(Interval a, Interval b);

/// A range in data that is mapped to [0, 1], linearly or by logarithm.
struct Scale {
  Interval range;
  bool logarithmic = false;
  double fraction(double value) const;  ///< NaN for a value that a logarithmic scale cannot show
};

/// The range widened by a margin (a fraction of its length on the scale).
Scale padded(Scale scale, double margin);

/// Round numbers inside the range, about `wanted` of them: steps of 1, 2 or 5 times a power of ten; on a logarithmic
/// scale powers of ten, with 2 and 5 between them when there is room.
std::vector<double> ticks(const Scale& scale, int wanted);
/// Ticks without labels between those of a logarithmic scale: 1, 2, ..., 9 times powers of ten. None on a linear scale,
/// over less than 0.7 or more than 6 powers of ten.
std::vector<double> minor_ticks(const Scale& scale);
/// Labels of the ticks, all with the same number of decimals; no two are equal (a repeated value's is empty).
std::vector<std::string> tick_labels(const std::vector<double>& ticks, bool logarithmic);

}  // namespace fovea
