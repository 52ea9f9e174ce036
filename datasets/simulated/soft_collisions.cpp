#include "fovea/datasets/simulated/soft_collisions.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "fovea/core/base/error.hpp"

namespace fovea::datasets::simulated {

namespace {

constexpr double kPion = 0.13957, kMostJetPt = 50;

/// pT (1 + pT / (n T))^-n: x = pT / (n T) is the ratio of gamma laws of shapes 2 and n - 2, whose mean is
/// 2 / (n - 3); so T = mean (n - 3) / (2 n).
double soft_pt(const SoftCollision& collision, EventDraws& draws) {
  const double above = draws.exponential() + draws.exponential();
  double below = 0;
  for (double left = collision.power - 2; left >= 1; --left) below += draws.exponential();
  return collision.mean_pt * (collision.power - 3) / 2 * above / below;
}

void add_cluster(const SoftCollision& collision, EventDraws& draws, std::vector<particles::Momentum>& made) {
  const double y = collision.rapidity * (2 * draws.uniform() - 1), phi = draws.azimuth();
  const Index count = 1 + draws.poisson(collision.cluster - 1);
  for (Index i = 0; i < count; ++i) {
    const double pt = soft_pt(collision, draws);
    const double away = collision.spread * draws.normal(), turn = collision.spread * draws.normal();
    const bool photon = draws.uniform() < 1.0 / 3;
    made.push_back(particles::from_rapidity(pt, y + away, particles::wrapped(phi + turn), photon ? 0 : kPion));
  }
}

void add_pair_of_jets(const SoftCollision& collision, EventDraws& draws, std::vector<particles::Momentum>& made) {
  const double pt = std::min(kMostJetPt, collision.jet_pt * std::pow(1 - draws.uniform(), -1 / (collision.fall - 1)));
  const double phi = draws.azimuth();
  for (const double turn : {0.0, std::numbers::pi}) {
    const double y = collision.rapidity * (2 * draws.uniform() - 1) * 0.8;
    const bool gluon = draws.uniform() < 0.75;
    add_hadrons({pt, y, phi + turn, 0}, gluon, collision.shower, draws, made);
  }
}

}  // namespace

void add_soft_collision(const SoftCollision& collision, double activity, EventDraws& draws,
                        std::vector<particles::Momentum>& made) {
  require(collision.density > 0 && collision.k >= 1 && collision.mean_pt > 0 && collision.power > 3 &&
              collision.cluster >= 1 && collision.jets >= 0 && collision.fall > 1 && activity > 0,
          "add_soft_collision: density ", collision.density, ", k ", collision.k, ", mean pT ", collision.mean_pt,
          ", power ", collision.power, ", clusters of ", collision.cluster, ", ", collision.jets, " jets that fall as ",
          collision.fall, ", activity ", activity, "; one of them is out of range.");
  const double clusters = collision.density * 2 * collision.rapidity / collision.cluster;
  const Index count = draws.negative_binomial(activity * clusters, collision.k);
  for (Index c = 0; c < count; ++c) add_cluster(collision, draws, made);
  const Index pairs = draws.poisson(activity * collision.jets);
  for (Index j = 0; j < pairs; ++j) add_pair_of_jets(collision, draws, made);
}

}  // namespace fovea::datasets::simulated
