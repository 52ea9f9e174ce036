#include "fovea/core/statistics/tests/modality.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numeric>

#include "fovea/core/base/error.hpp"
#include "fovea/core/statistics/isotonic.hpp"

namespace fovea {

namespace {

std::vector<double> normalised(std::span<const double> counts) {
  const double sum = std::accumulate(counts.begin(), counts.end(), 0.0);
  std::vector<double> shares(counts.begin(), counts.end());
  for (double& share : shares) share /= sum;
  return shares;
}

/// Rising up to `mode`, falling after it; the mode itself belongs to the side where it is higher.
std::vector<double> single_peak_at(const std::vector<double>& shares, std::size_t mode) {
  const auto middle = shares.begin() + static_cast<std::ptrdiff_t>(mode);
  std::vector<double> fit = isotonic_fit(std::vector<double>(shares.begin(), middle + 1));
  std::vector<double> fall(shares.rbegin(), std::make_reverse_iterator(middle));
  fall = isotonic_fit(fall);
  const double top = std::max(fit.back(), fall.back());
  fit.back() = top;
  for (std::size_t k = fall.size() - 1; k-- > 0;) fit.push_back(fall[k]);
  return fit;
}

std::vector<double> nearest_single_peak(const std::vector<double>& shares) {
  std::vector<double> best;
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t mode = 0; mode < shares.size(); ++mode) {
    std::vector<double> fit = single_peak_at(shares, mode);
    double squares = 0;
    for (std::size_t k = 0; k < fit.size(); ++k) squares += (fit[k] - shares[k]) * (fit[k] - shares[k]);
    if (squares < least) {
      least = squares;
      best = std::move(fit);
    }
  }
  return normalised(best);
}

double depth_below(const std::vector<double>& unimodal, const std::vector<double>& shares) {
  double depth = 0;
  for (std::size_t k = 0; k < shares.size(); ++k) depth += std::max(0.0, unimodal[k] - shares[k]);
  return depth;
}

/// A histogram of `independent` draws, each from its own counter.
std::vector<double> drawn_from(const std::vector<double>& shares, std::uint64_t independent, const Random& random,
                               std::uint64_t number) {
  std::vector<double> sums(shares.size());
  std::partial_sum(shares.begin(), shares.end(), sums.begin());
  std::vector<double> counts(shares.size(), 0.0);
  for (std::uint64_t i = 0; i < independent; ++i) {
    const double u = random.uniform(i, number) * sums.back();
    const auto bin = std::upper_bound(sums.begin(), sums.end() - 1, u) - sums.begin();
    counts[bin] += 1;
  }
  return normalised(counts);
}

}  // namespace

Modality histogram_modality(std::span<const double> counts, double independent, const Random& random, int draws) {
  require(counts.size() >= 3, "histogram_modality: there are ", counts.size(), " bins; two peaks need at least 3.");
  require(std::all_of(counts.begin(), counts.end(), [](double count) { return count >= 0; }) &&
              std::accumulate(counts.begin(), counts.end(), 0.0) > 0,
          "histogram_modality: the counts must be >= 0, and one of them > 0.");
  require(independent > 0 && draws >= 1, "histogram_modality: independent = ", independent, " and draws = ", draws,
          ", but both must be > 0.");
  constexpr double kMostDraws = 20000;  // more decide nothing: the test is exact to its number of histograms anyway
  const auto size = static_cast<std::uint64_t>(std::clamp(std::round(independent), 1.0, kMostDraws));
  Modality found;
  const std::vector<double> shares = normalised(counts);
  found.unimodal = nearest_single_peak(shares);
  found.depth = depth_below(found.unimodal, shares);
  int as_deep = 0;
  for (int draw = 0; draw < draws; ++draw) {
    const std::vector<double> other = drawn_from(found.unimodal, size, random, static_cast<std::uint64_t>(draw));
    as_deep += depth_below(nearest_single_peak(other), other) >= found.depth;
  }
  found.chance = (1.0 + as_deep) / (1.0 + draws);
  return found;
}

}  // namespace fovea
