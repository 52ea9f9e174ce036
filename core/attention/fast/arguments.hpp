#pragma once
/// The checks of fast attention. Internal to core/attention/fast.

#include <span>

namespace fovea::fast {

/// Throws ArgumentError, with `who` in front, for the first number that is not finite (or, in must_be_weights(), below
/// 0), saying which it is. `what`: the numbers' name in the plural.
void must_be_finite(const char* who, const char* what, std::span<const double> numbers);
void must_be_weights(const char* who, const char* what, std::span<const double> numbers);
/// There are `count` of `what`, one for each of the `others`; `or_none`: an empty span is allowed too.
void must_be_as_many(const char* who, const char* what, std::span<const double> numbers, std::size_t count,
                     const char* others, bool or_none = false);
/// A single number that must be finite and above 0.
void must_be_positive(const char* who, const char* what, double number);

}  // namespace fovea::fast
