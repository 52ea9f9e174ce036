#include "fovea/core/statistics/rejection.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

#include "fovea/core/base/error.hpp"

namespace fovea {

namespace {

/// Scores of both classes, the highest first.
struct TwoClasses {
  std::vector<double> signal, background;
};

TwoClasses two_classes(std::span<const double> scores, std::span<const Index> outcomes) {
  require(scores.size() == outcomes.size(), "rejection: there are ", scores.size(), " scores and ", outcomes.size(),
          " outcomes; as many are needed.");
  TwoClasses found;
  for (std::size_t i = 0; i < scores.size(); ++i) {
    require(!std::isnan(scores[i]), "rejection: a score is NaN, but must be a number.");
    require(outcomes[i] == 0 || outcomes[i] == 1, "rejection: an outcome is ", outcomes[i], ", but must be 0 or 1.");
    (outcomes[i] == 1 ? found.signal : found.background).push_back(scores[i]);
  }
  require(!found.signal.empty() && !found.background.empty(), "rejection: there are ", found.signal.size(),
          " examples of the signal and ", found.background.size(), " of the background; one of each is needed.");
  std::sort(found.signal.begin(), found.signal.end(), std::greater<>());
  std::sort(found.background.begin(), found.background.end(), std::greater<>());
  return found;
}

/// How many of the falling scores are at least the cut.
std::size_t kept_by(const std::vector<double>& falling, double cut) {
  return (std::upper_bound(falling.begin(), falling.end(), cut, std::greater<>()) - falling.begin());
}

RejectionPoint point_of(const TwoClasses& scores, double efficiency) {
  require(efficiency > 0 && efficiency <= 1, "rejection: the efficiency is ", efficiency, ", but must be in (0, 1].");
  const auto all = static_cast<double>(scores.signal.size());
  const auto place = static_cast<Index>(std::clamp(std::ceil(efficiency * all - 1e-9), 1.0, all));
  const double cut = scores.signal[place - 1];
  return {efficiency, cut, static_cast<double>(kept_by(scores.signal, cut)) / all,
          static_cast<double>(kept_by(scores.background, cut)) / static_cast<double>(scores.background.size())};
}

/// As many scores, drawn with replacement, falling.
std::vector<double> drawn(const std::vector<double>& falling, const Random& random, std::uint64_t draw) {
  std::vector<std::uint32_t> times(falling.size());
  for (std::uint64_t i = 0; i < falling.size(); ++i) ++times[random.below(falling.size(), draw, i)];
  std::vector<double> result;
  result.reserve(falling.size());
  for (std::size_t i = 0; i < falling.size(); ++i) result.insert(result.end(), times[i], falling[i]);
  return result;
}

std::vector<double> shares_of_bins(std::span<const double> values, double low, double width, Index bins) {
  std::vector<double> shares(bins);
  for (const double value : values) {
    const auto bin = width > 0 ? static_cast<Index>((value - low) / width) : 0;
    shares[std::clamp<Index>(bin, 0, bins - 1)] += 1 / static_cast<double>(values.size());
  }
  return shares;
}

double term(double p, double middle) { return p > 0 ? p * std::log2(p / middle) : 0; }

}  // namespace

RejectionPoint rejection_at(std::span<const double> scores, std::span<const Index> outcomes, double efficiency) {
  return point_of(two_classes(scores, outcomes), efficiency);
}

RejectionBand rejection_band(std::span<const double> scores, std::span<const Index> outcomes,
                             std::span<const double> efficiencies, const Random& random, Index draws, double level) {
  require(draws >= 10 && level > 0 && level < 1, "rejection_band: ", draws, " draws at level ", level,
          "; at least 10 are needed, and a level in (0, 1).");
  const TwoClasses data = two_classes(scores, outcomes);
  std::vector<std::vector<double>> found(efficiencies.size());
  const Random signal = random.stream("signal"), background = random.stream("background");
  for (Index d = 0; d < draws; ++d) {
    const auto draw = static_cast<std::uint64_t>(d);
    const TwoClasses again{drawn(data.signal, signal, draw), drawn(data.background, background, draw)};
    for (std::size_t k = 0; k < efficiencies.size(); ++k)
      found[k].push_back(point_of(again, efficiencies[k]).rejection());
  }
  RejectionBand band;
  const auto count = static_cast<double>(data.background.size());
  for (std::size_t k = 0; k < efficiencies.size(); ++k) {
    std::sort(found[k].begin(), found[k].end());
    const RejectionPoint point = point_of(data, efficiencies[k]);
    const auto at = [&](double p) {  // no interpolation: some draws are infinite
      return found[k][std::lround(p * static_cast<double>(draws - 1))];
    };
    const bool none = point.background == 0;
    band.efficiency.push_back(efficiencies[k]);
    band.rejection.push_back(point.rejection());
    band.low.push_back(none ? count / 3 : at((1 - level) / 2));
    band.high.push_back(none ? std::numeric_limits<double>::infinity() : at((1 + level) / 2));
    band.background_kept.push_back(static_cast<Index>(std::lround(point.background * count)));
  }
  return band;
}

double jensen_shannon_divergence(std::span<const double> a, std::span<const double> b, Index bins) {
  require(!a.empty() && !b.empty() && bins >= 1, "jensen_shannon_divergence: samples of ", a.size(), " and ", b.size(),
          " values in ", bins, " bins; one of each is needed.");
  double low = a.front(), high = a.front();
  for (const std::span<const double> sample : {a, b})
    for (const double value : sample) {
      require(std::isfinite(value), "jensen_shannon_divergence: a value is ", value, ", but must be finite.");
      low = std::min(low, value), high = std::max(high, value);
    }
  const double width = (high - low) / static_cast<double>(bins);
  const std::vector<double> p = shares_of_bins(a, low, width, bins), q = shares_of_bins(b, low, width, bins);
  double divergence = 0;
  for (std::size_t k = 0; k < p.size(); ++k) {
    const double middle = (p[k] + q[k]) / 2;
    divergence += (term(p[k], middle) + term(q[k], middle)) / 2;
  }
  return divergence;
}

}  // namespace fovea
