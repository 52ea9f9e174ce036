// Effects that a search for steady lagged correlations does not see: within a step, of changing sign, of products, on
// the variance. Six series of 800 steps; y is the last one, x the first, z the second.

#include <cmath>
#include <numbers>

#include "fovea/core/base/error.hpp"
#include "fovea/tests/support/kinds/draws.hpp"
#include "fovea/tests/support/kinds/makers.hpp"

namespace fovea::support::kinds {

namespace {

constexpr Index kSix = 6, kSteps = 800, kY = 5;

/// What moves y at a step: something added, and a factor of its shock. t counts from the start that is cut off.
struct Push {
  double added = 0, spread = 1;
};

/// y(t) = a y(t - 1) + added + spread e(t), the five others AR(.3 to .7) of unit variance.
template <typename Effect>
KnownTable pushed(const Random& random, std::vector<KnownLink> links, Effect effect) {
  Draws draws(random);
  Matrix<double> values(kSteps + kStart, kSix);
  values.leftCols(kY) = normal_columns(draws, {values.rows(), kY});
  const double memory = draws.between(0.3, 0.7);
  values.col(kY).setZero();
  for (Index t = 2; t < values.rows(); ++t) {
    const Push push = effect(values.col(0), values.col(1), t);
    values(t, kY) = memory * values(t - 1, kY) + push.added + push.spread * draws.normal();
  }
  KnownTable known = unlinked(values.bottomRows(kSteps));
  known.table.names = {"x", "z", "w1", "w2", "w3", "y"};
  known.links = std::move(links);
  return known;
}

using Column = Eigen::Ref<const Vector<double>, 0, Eigen::InnerStride<>>;

}  // namespace

KnownTable sign_flip(Index, const Random& random) {
  return pushed(random, {{0, kY, 1}}, [](const Column& x, const Column&, Index t) {
    return Push{t < kStart + kSteps / 2 ? 0.5 * x[t - 1] : -0.5 * x[t - 1]};
  });
}

KnownTable slow_sign(Index, const Random& random) {
  Draws draws(random.stream("sine"));
  const double period = kSteps * draws.between(0.6, 1.2), start = draws.between(0, 2 * std::numbers::pi);
  return pushed(random, {{0, kY, 1}}, [=](const Column& x, const Column&, Index t) {
    return Push{0.6 * x[t - 1] * std::sin(2 * std::numbers::pi * static_cast<double>(t) / period + start)};
  });
}

KnownTable sign_by_third(Index, const Random& random) {
  return pushed(random, {{0, kY, 1}, {1, kY, 1}}, [](const Column& x, const Column& z, Index t) {
    return Push{z[t - 1] > 0 ? 0.5 * x[t - 1] : -0.5 * x[t - 1]};
  });
}

KnownTable product_effect(Index, const Random& random) {
  return pushed(random, {{0, kY, 1}, {1, kY, 2}},
                [](const Column& x, const Column& z, Index t) { return Push{0.5 * x[t - 1] * z[t - 2]}; });
}

KnownTable sine_effect(Index, const Random& random) {
  return pushed(random, {{0, kY, 1}},
                [](const Column& x, const Column&, Index t) { return Push{0.7 * std::sin(3 * x[t - 1])}; });
}

KnownTable variance_effect(Index, const Random& random) {
  return pushed(random, {{0, kY, 1}}, [](const Column& x, const Column&, Index t) {
    return Push{0, std::exp(0.5 * x[t - 1])};
  });
}

KnownTable within_step(Index set, const Random& random) {
  constexpr Index kRows = 600;
  Draws draws(random);
  const Index others = set % 2 == 0 ? 0 : 2 + set / 2 % 3;
  Matrix<double> values(kRows, 2 + others);
  values.col(0) = normal_series(draws, kRows, 0.5);
  for (Index t = 0; t < kRows; ++t) values(t, 1) = 0.5 * values(t, 0) + draws.normal();
  values.rightCols(others) = normal_columns(draws, {kRows, others});
  KnownTable known = unlinked(std::move(values));
  known.table.names[0] = "x";
  known.table.names[1] = "y";
  for (Index k = 0; k < others; ++k) known.table.names[2 + k] = concat("z", k + 1);
  known.links = {{0, 1, 0}};
  return known;
}

}  // namespace fovea::support::kinds
