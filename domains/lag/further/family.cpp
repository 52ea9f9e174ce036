#include "fovea/domains/lag/further/family.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

#include "fovea/core/statistics/distributions/tails.hpp"
#include "fovea/core/statistics/tests/false_discovery.hpp"

namespace fovea::lag::further {

namespace {

/// A strict order, so that equal p-values give the same links for any number of threads.
bool surer(const methods::Link& a, const methods::Link& b) {
  return std::tuple(a.p_value, a.cause, a.lag) < std::tuple(b.p_value, b.cause, b.lag);
}

/// Candidates with their q-values, those of more than the level left out.
std::vector<methods::Link> discovered(const Family& family, double level) {
  std::vector<double> p(family.tested, 1.0);
  for (std::size_t k = 0; k < family.candidates.size(); ++k) p[k] = family.candidates[k].p_value;
  const std::vector<double> q = benjamini_hochberg(p);
  std::vector<methods::Link> found;
  for (std::size_t k = 0; k < family.candidates.size(); ++k) {
    if (q[k] > level) continue;
    found.push_back(family.candidates[k]);
    found.back().q_value = q[k];
    found.back().counts = true;
  }
  return found;
}

}  // namespace

double self_normalised_p(double sum, double squares) {
  if (!(squares > 0)) return 1;
  return std::min(1.0, kSignBound * normal_two_sided(sum / std::sqrt(squares)));
}

double variance_inflation(const Vector<double>& products, Index reach) {
  const double variance = products.squaredNorm();
  if (!(variance > 0)) return 1;
  const Index n = products.size();
  double inflation = 1;
  for (Index k = 1; k <= std::min(reach, n - 1); ++k)
    inflation += 2 * (1 - static_cast<double>(k) / static_cast<double>(reach + 1)) *
                 products.head(n - k).dot(products.tail(n - k)) / variance;
  return std::max(1.0, inflation);
}

std::vector<methods::Link> without_echoes(const Family& family, double level,
                                          const std::function<void(const methods::Link&)>& remove,
                                          const std::function<double(const methods::Link&)>& retest) {
  std::vector<methods::Link> found = discovered(family, level), accepted;
  double largest = 0;
  for (const methods::Link& link : found) largest = std::max(largest, link.p_value);
  std::map<Index, std::vector<methods::Link>> by_effect;
  for (const methods::Link& link : found) by_effect[link.effect].push_back(link);
  for (auto& [effect, rivals] : by_effect) {
    std::vector<double> now;
    for (const methods::Link& rival : rivals) now.push_back(rival.p_value);
    // The surest is accepted and taken out; an echo of it is then no longer below the largest p-value that passed.
    while (!rivals.empty()) {
      std::size_t best = 0;
      for (std::size_t k = 1; k < rivals.size(); ++k)
        if (now[k] < now[best] || (now[k] == now[best] && surer(rivals[k], rivals[best]))) best = k;
      accepted.push_back(rivals[best]);
      rivals.erase(rivals.begin() + static_cast<std::ptrdiff_t>(best));
      remove(accepted.back());
      now.clear();
      std::vector<methods::Link> still;
      for (const methods::Link& rival : rivals)
        if (const double p = retest(rival); p <= largest) still.push_back(rival), now.push_back(p);
      rivals = std::move(still);
    }
  }
  return accepted;
}

}  // namespace fovea::lag::further
