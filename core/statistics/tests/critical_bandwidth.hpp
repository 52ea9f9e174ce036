#pragma once
/// How many modes a sample has, by critical bandwidths (Silverman 1981, J. R. Stat. Soc. B 43, 97-99).

#include <cstddef>
#include <span>
#include <vector>

#include "fovea/core/base/random.hpp"

namespace fovea {

struct ModeSettings {
  std::size_t most = 8;       ///< more modes than these are not told apart
  int draws = 400;            ///< of the bootstrap, for each number of modes
  double level = 0.05;        ///< of all tests together
  double least_share = 0.01;  ///< a mode whose basin, from trough to trough, holds less of the sample is none
};

/// The modes of a Gaussian kernel density.
///   h_k   the critical bandwidth: the least at which the density has k modes at most
///   p_k   the share of samples drawn from the density of bandwidth h_k, scaled to the variance of the sample, that
///   have
///         more than k modes at h_k
/// k modes are refused where p_k < level / most; the count is one more than the largest number that is refused. p_1 is
/// that of the dip test (dip_test.hpp), because Silverman's refuses a single mode too often where the top is flat;
/// where the dip does not refuse it, there is one mode. The test is careful: a mode has to be plain to be believed.
struct Modes {
  std::size_t count = 1;
  double bandwidth = 0;         ///< h of that count; 0: all values are equal
  std::vector<double> chances;  ///< p_1, p_2, ...
  std::vector<double> places;   ///< of the modes at h, ascending
};

/// values: in any order, finite; more than kModeSample are thinned evenly in their order. The density is computed on
/// 256 bins. Throws ArgumentError for no values.
Modes count_modes(std::span<const double> values, const Random& random, const ModeSettings& settings = {});
inline constexpr std::size_t kModeSample = 2000;

}  // namespace fovea
