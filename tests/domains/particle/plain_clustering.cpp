#include "fovea/tests/domains/particle/plain_clustering.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace fovea::test {

namespace {

namespace particles = datasets::particles;

double plain_distance(const particles::Momentum& a, const particles::Momentum& b) {
  return particles::delta_r(particles::rapidity(a), particles::phi(a), particles::rapidity(b), particles::phi(b));
}

double weight(const particles::Momentum& a, int p) { return std::pow(particles::pt(a), 2 * p); }

}  // namespace

std::vector<PlainJet> plain_jets(const Matrix<double>& momenta, int p, double radius, double least_pt) {
  std::vector<PlainJet> alive, jets;
  for (Index i = 0; i < momenta.rows(); ++i) alive.push_back({particles::momentum_of(momenta, i), {i}});
  while (!alive.empty()) {
    double least = std::numeric_limits<double>::infinity();
    std::size_t a = 0, b = 0;  // equal: to the beam
    for (std::size_t i = 0; i < alive.size(); ++i)
      for (std::size_t j = i; j < alive.size(); ++j) {
        const auto &x = alive[i].momentum, &y = alive[j].momentum;
        const double d =
            i == j ? weight(x, p) : std::min(weight(x, p), weight(y, p)) * std::pow(plain_distance(x, y) / radius, 2);
        if (d < least) least = d, a = i, b = j;
      }
    PlainJet sum = alive[a];
    if (a == b) {
      jets.push_back(sum);
    } else {
      sum.momentum = sum.momentum + alive[b].momentum;
      sum.members.insert(sum.members.end(), alive[b].members.begin(), alive[b].members.end());
      std::sort(sum.members.begin(), sum.members.end());
      alive.push_back(sum);
      alive.erase(alive.begin() + static_cast<std::ptrdiff_t>(b));
    }
    alive.erase(alive.begin() + static_cast<std::ptrdiff_t>(a));
  }
  std::erase_if(jets, [&](const PlainJet& jet) { return particles::pt(jet.momentum) < least_pt; });
  std::stable_sort(jets.begin(), jets.end(), [](const PlainJet& a, const PlainJet& b) {
    return particles::pt(a.momentum) > particles::pt(b.momentum);
  });
  return jets;
}

}  // namespace fovea::test
