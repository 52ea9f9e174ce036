#include "fovea/domains/particle/event/particle_scores.hpp"

#include <cmath>
#include <numeric>

#include "fovea/datasets/particles/momentum.hpp"

namespace fovea::particle::event {

namespace {

/// Of the last event: alpha less its mean, the others over theirs.
void centre(std::vector<ParticleScore>& scores, Index count) {
  for (std::size_t k = 0; k < scores.size() && count > 0; ++k) {
    const auto begin = scores[k].values.end() - count, end = scores[k].values.end();
    const double mean = std::accumulate(begin, end, 0.0) / static_cast<double>(count);
    for (auto value = begin; value != end; ++value) *value = k == 1 ? *value - mean : *value / mean;
  }
}

}  // namespace

std::vector<ParticleScore> particle_scores(const study::Cases& cases, const std::vector<Index>& items) {
  constexpr double kNear = 0.02, kFar = 0.4, kAlone = -100;
  std::vector<ParticleScore> scores{{"pT", {}}, {"alpha of PUPPI", {}}, {"sum of pT within 0.4", {}}};
  for (const Index item : items) {
    const Index first = cases.offsets[item], end = first + cases.size(item);
    for (Index i = first; i < end; ++i) {
      double alpha = 0, sum = 0;
      for (Index j = first; j < end; ++j) {
        const double r = datasets::particles::delta_r(cases.coordinates(i, 0), cases.coordinates(i, 1),
                                                      cases.coordinates(j, 0), cases.coordinates(j, 1));
        if (r >= kFar) continue;
        const double pt = std::exp(cases.coordinates(j, 2));
        sum += pt;
        if (j != i && r > kNear) alpha += (pt / r) * (pt / r);
      }
      scores[0].values.push_back(std::exp(cases.coordinates(i, 2)));
      scores[1].values.push_back(alpha > 0 ? std::log(alpha) : kAlone);
      scores[2].values.push_back(sum);
    }
    centre(scores, end - first);
  }
  return scores;
}

}  // namespace fovea::particle::event
