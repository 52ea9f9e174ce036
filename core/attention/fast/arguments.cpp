#include "fovea/core/attention/fast/arguments.hpp"

#include <cmath>
#include <limits>

#include "fovea/core/error.hpp"

namespace fovea::fast {
namespace {

constexpr double kMost = std::numeric_limits<double>::max();

/// How many are outside [least, kMost]; NaN is.
std::size_t outside(std::span<const double> numbers, double least) {
  std::size_t found = 0;
  for (const double x : numbers) found += (x >= least) & (x <= kMost) ? 0U : 1U;
  return found;
}

void must_be_inside(const char* who, const char* what, std::span<const double> numbers, double least,
                    const char* rule) {
  if (outside(numbers, least) == 0) return;
  for (std::size_t i = 0; i < numbers.size(); ++i)
    require(numbers[i] >= least && numbers[i] <= kMost, who, ": number ", i, " of the ", what, " is ", numbers[i],
            ", but must be ", rule, ".");
}

}  // namespace

void must_be_finite(const char* who, const char* what, std::span<const double> numbers) {
  must_be_inside(who, what, numbers, -kMost, "finite");
}

void must_be_weights(const char* who, const char* what, std::span<const double> numbers) {
  must_be_inside(who, what, numbers, 0, "finite and at least 0");
}

void must_be_as_many(const char* who, const char* what, std::span<const double> numbers, std::size_t count,
                     const char* others, bool or_none) {
  require(numbers.size() == count || (or_none && numbers.empty()), who, ": there are ", numbers.size(), " ", what,
          " but ", count, " ", others, "; each needs one.");
}

void must_be_positive(const char* who, const char* what, double number) {
  require(number > 0 && number <= kMost, who, ": ", what, " is ", number, ", but must be finite and above 0.");
}

}  // namespace fovea::fast
