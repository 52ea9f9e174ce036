#include "fovea/tests/support/kinds/lagged_system.hpp"

#include "fovea/tests/support/test.hpp"

TEST_CASE("A lagged system's effect follows its cause after its lag, and only then", "[lagged_system]") {
  const support::kinds::LaggedSystem system{
      {0.0, 0.0}, {{0, 1, 4, 2.0, support::kinds::Response::linear}}, {}, 0, support::kinds::Innovation::student3};
  const Matrix<double> x = support::kinds::simulate(system, 4000, Random(21));
  for (Index lag = 0; lag <= 6; ++lag) {
    double sum = 0;
    for (Index t = 6; t < x.rows(); ++t) sum += x(t, 1) * x(t - lag, 0);
    CHECK(sum / 4000 == Approx(lag == 4 ? 2.0 : 0.0).margin(0.6));  // heavy tails: their squares' mean is slow
  }
}

TEST_CASE("A system without a steady state is refused, and a drawn one has the links it was asked for",
          "[lagged_system]") {
  const support::kinds::LaggedSystem wild{
      {0.9, 0.9}, {{0, 1, 1, 2.0}, {1, 0, 1, 2.0}}, {}, 0, support::kinds::Innovation::normal};
  CHECK_THROWS_AS(support::kinds::simulate(wild, 500, Random(1)), ArgumentError);
  support::kinds::SystemKind kind;
  kind.factors = 2;
  const support::kinds::SimulatedSystem drawn = support::kinds::draw_and_simulate(kind, 50, Random(2));
  CHECK(drawn.system.links.size() == 14);
  CHECK(drawn.system.loadings.rows() == 2);
  CHECK(drawn.values.rows() == 50);
  CHECK(drawn.values == support::kinds::draw_and_simulate(kind, 50, Random(2)).values);
  kind.links = 91;
  CHECK_THROWS_AS(support::kinds::draw_system(kind, Random(3)), ArgumentError);
}
