#include "fovea/tests/domains/particle/plain_clustering.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace fovea::test {

namespace {

namespace particles = datasets::particles;

struct PlainNode {
  PlainJet jet;
  int first = -1, second = -1;  // of all nodes; -1: a particle
};

double plain_distance(const particles::Momentum& a, const particles::Momentum& b) {
  return particles::delta_r(particles::rapidity(a), particles::phi(a), particles::rapidity(b), particles::phi(b));
}

double weight(const particles::Momentum& a, int p) { return std::pow(particles::pt(a), 2 * p); }

/// All nodes that come up; `jets` receives those that ended at the beam.
std::vector<PlainNode> plain_tree(const Matrix<double>& momenta, int p, double radius, std::vector<PlainJet>& jets) {
  std::vector<PlainNode> nodes;
  std::vector<int> alive;
  for (Index i = 0; i < momenta.rows(); ++i) {
    nodes.push_back({{particles::momentum_of(momenta, i), {i}}});
    alive.push_back(static_cast<int>(i));
  }
  while (!alive.empty()) {
    double least = std::numeric_limits<double>::infinity();
    std::size_t a = 0, b = 0;  // equal: to the beam
    for (std::size_t i = 0; i < alive.size(); ++i)
      for (std::size_t j = i; j < alive.size(); ++j) {
        const auto& x = nodes[alive[i]].jet.momentum;
        const auto& y = nodes[alive[j]].jet.momentum;
        const double d =
            i == j ? weight(x, p) : std::min(weight(x, p), weight(y, p)) * std::pow(plain_distance(x, y) / radius, 2);
        if (d < least) least = d, a = i, b = j;
      }
    const PlainNode one = nodes[alive[a]];
    if (a == b) {
      jets.push_back(one.jet);
    } else {
      const PlainNode other = nodes[alive[b]];
      PlainNode sum{{one.jet.momentum + other.jet.momentum, one.jet.members}, alive[a], alive[b]};
      sum.jet.members.insert(sum.jet.members.end(), other.jet.members.begin(), other.jet.members.end());
      std::sort(sum.jet.members.begin(), sum.jet.members.end());
      nodes.push_back(sum);
      alive.push_back(static_cast<int>(nodes.size()) - 1);
      alive.erase(alive.begin() + static_cast<std::ptrdiff_t>(b));
    }
    alive.erase(alive.begin() + static_cast<std::ptrdiff_t>(a));
  }
  return nodes;
}

}  // namespace

std::vector<PlainJet> plain_jets(const Matrix<double>& momenta, int p, double radius, double least_pt) {
  std::vector<PlainJet> jets;
  plain_tree(momenta, p, radius, jets);
  std::erase_if(jets, [&](const PlainJet& jet) { return particles::pt(jet.momentum) < least_pt; });
  std::stable_sort(jets.begin(), jets.end(), [](const PlainJet& a, const PlainJet& b) {
    return particles::pt(a.momentum) > particles::pt(b.momentum);
  });
  return jets;
}

std::vector<PlainStep> plain_declustering(const Matrix<double>& momenta) {
  std::vector<PlainJet> jets;
  const std::vector<PlainNode> nodes = plain_tree(momenta, 0, 1000, jets);
  std::vector<PlainStep> steps;
  for (const PlainNode* at = &nodes.back(); at->first >= 0;) {
    const PlainNode* hard = &nodes[at->first];
    const PlainNode* soft = &nodes[at->second];
    if (particles::pt(hard->jet.momentum) < particles::pt(soft->jet.momentum)) std::swap(hard, soft);
    steps.push_back({plain_distance(hard->jet.momentum, soft->jet.momentum), particles::pt(soft->jet.momentum),
                     particles::pt(hard->jet.momentum), hard->jet});
    at = hard;
  }
  return steps;
}

}  // namespace fovea::test
