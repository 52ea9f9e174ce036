#include "fovea/datasets/simulated/lagged_system.hpp"

#include "fovea/tests/support/test.hpp"

TEST_CASE("A lagged system's effect follows its cause after its lag, and only then", "[lagged_system]") {
  const datasets::simulated::LaggedSystem system{{0.0, 0.0},
                                                 {{0, 1, 4, 2.0, datasets::simulated::Response::linear}},
                                                 {},
                                                 0,
                                                 datasets::simulated::Innovation::student3};
  const Matrix<double> x = datasets::simulated::simulate(system, 4000, Random(21));
  for (Index lag = 0; lag <= 6; ++lag) {
    double sum = 0;
    for (Index t = 6; t < x.rows(); ++t) sum += x(t, 1) * x(t - lag, 0);
    CHECK(sum / 4000 == Approx(lag == 4 ? 2.0 : 0.0).margin(0.6));  // heavy tails: their squares' mean is slow
  }
}

TEST_CASE("A system without a steady state is refused, and a drawn one has the links it was asked for",
          "[lagged_system]") {
  const datasets::simulated::LaggedSystem wild{
      {0.9, 0.9}, {{0, 1, 1, 2.0}, {1, 0, 1, 2.0}}, {}, 0, datasets::simulated::Innovation::normal};
  CHECK_THROWS_AS(datasets::simulated::simulate(wild, 500, Random(1)), ArgumentError);
  datasets::simulated::SystemKind kind;
  kind.factors = 2;
  const datasets::simulated::SimulatedSystem drawn = datasets::simulated::draw_and_simulate(kind, 50, Random(2));
  CHECK(drawn.system.links.size() == 14);
  CHECK(drawn.system.loadings.rows() == 2);
  CHECK(drawn.values.rows() == 50);
  CHECK(drawn.values == datasets::simulated::draw_and_simulate(kind, 50, Random(2)).values);
  kind.links = 91;
  CHECK_THROWS_AS(datasets::simulated::draw_system(kind, Random(3)), ArgumentError);
}
