#pragma once
/// Crowds on the line for the tests of fast attention, and the plain sums that they are measured against.

#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "fovea/core/base/random.hpp"

namespace fovea::test {

using Numbers = std::vector<double>;

inline Numbers uniform_numbers(std::size_t count, std::string_view purpose, double low = 0, double high = 1) {
  const Random random = Random(5).stream(purpose);
  Numbers x(count);
  for (std::size_t i = 0; i < count; ++i) x[i] = low + (high - low) * random.uniform(i);
  return x;
}

/// Crowds of every kind, from one opinion to numbers that no grid holds.
inline std::vector<std::pair<std::string, Numbers>> crowds(std::size_t count) {
  const Numbers u = uniform_numbers(count, "crowd");
  const Random random = Random(6).stream("crowd");
  Numbers camps(count), heavy(count), lonely(count), huge(count), far(count);
  for (std::size_t i = 0; i < count; ++i) {
    const double z = random.normal(i);
    camps[i] = std::floor(u[i] * 5) / 4 + 1e-3 * z;
    heavy[i] = z / random.normal(i, 1);
    lonely[i] = i == 7 ? 0.5 : 1e-4 * z;
    huge[i] = std::pow(10.0, 300 * u[i]) * (i % 2 == 0 ? 1 : -1);
    far[i] = 1e6 + u[i];
  }
  return {{"uniform", u},
          {"camps", camps},
          {"heavy tails", heavy},
          {"one alone", lonely},
          {"far off", far},
          {"huge", huge},
          {"all alike", Numbers(count, 0.3)}};
}

/// Strengths of which some are 0 and some tiny.
inline Numbers uneven_strengths(std::size_t count) {
  Numbers g = uniform_numbers(count, "strengths");
  for (double& x : g) x = x < 0.3 ? 0 : x < 0.5 ? 1e-9 * x : x;
  return g;
}

inline double largest_size(const Numbers& numbers) {
  double most = 0;
  for (const double x : numbers) most = std::max(most, std::abs(x));
  return most;
}

/// The largest difference of two lists, as a part of `scale`.
inline double worst_difference(const Numbers& found, const Numbers& expected, double scale) {
  double worst = 0;
  for (std::size_t i = 0; i < found.size(); ++i) {
    const double difference = std::abs(found[i] - expected[i]) / scale;
    if (!(difference <= worst)) worst = difference;  // NaN stays
  }
  return worst;
}

}  // namespace fovea::test
