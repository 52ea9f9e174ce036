#pragma once
/// The checks of fast attention. Internal to core/attention/fast.

#include <span>

namespace fovea::fast {

/// The least and the largest of some numbers; of none, low > high.
struct Range {
  double low, high;
};

/// Throws ArgumentError, with `who` in front, for the first number that is not finite, saying which it is. `what`: the
/// numbers' name in the plural.
Range finite_range(const char* who, const char* what, std::span<const double> numbers);
/// Likewise, and none may be below 0.
Range range_of_strengths(const char* who, std::span<const double> strengths);
/// There are `count` of `what`, one for each of the `others`; `or_none`: an empty span is allowed too.
void must_be_as_many(const char* who, const char* what, std::size_t found, std::size_t count, const char* others,
                     bool or_none = false);
/// A single number that must be finite and above 0.
void must_be_positive(const char* who, const char* what, double number);

}  // namespace fovea::fast
