#include "fovea/domains/particle/tag/score_change.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "fovea/core/base/error.hpp"

namespace fovea::particle::tag {

ScoreChange score_change(const std::vector<double>& before, const std::vector<double>& after) {
  require(!before.empty() && before.size() == after.size(), "score_change: there are ", before.size(),
          " scores before and ", after.size(), " after; each jet needs both.");
  const auto count = static_cast<double>(before.size());
  const double mean = std::accumulate(before.begin(), before.end(), 0.0) / count;
  double squares = 0;
  for (const double score : before) squares += (score - mean) * (score - mean);
  const double deviation = std::sqrt(squares / count);
  std::vector<double> sizes;
  for (std::size_t i = 0; i < before.size(); ++i) sizes.push_back(std::abs(after[i] - before[i]) / deviation);
  ScoreChange found;
  found.mean = std::accumulate(sizes.begin(), sizes.end(), 0.0) / count;
  std::sort(sizes.begin(), sizes.end());
  found.median = sizes[sizes.size() / 2];
  found.largest = sizes.back();
  return found;
}

}  // namespace fovea::particle::tag
