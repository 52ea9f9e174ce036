#include "fovea/domains/opinion/stability/states.hpp"

#include <Eigen/Eigenvalues>

#include "fovea/core/lab/experiment.hpp"
#include "fovea/domains/opinion/experiments.hpp"
#include "fovea/domains/opinion/oracle/crowds.hpp"
#include "fovea/domains/opinion/theory/circle.hpp"
#include "fovea/domains/opinion/theory/theory.hpp"
#include "fovea/tests/support/test.hpp"

using namespace fovea::opinion;

TEST_CASE("the eigenvalues of a small crowd's step are those of its Jacobian, entry by entry", "[stability][twin]") {
  constexpr Index n = 24;
  dynamics::ModelSettings settings;
  settings.temperature = 0.3;
  settings.stubbornness = 0.2;
  const Matrix<double> crowd = oracle::quantile_crowd(n);
  const auto dynamics = oracle::free_crowd(settings, crowd);
  Eigen::MatrixXd jacobian(n, n);
  for (Index j = 0; j < n; ++j)
    jacobian.col(j) = oracle::pushed(*dynamics, crowd, Matrix<double>::Identity(n, n).col(j), 1e-5);
  const Eigen::VectorXcd dense = Eigen::EigenSolver<Eigen::MatrixXd>(jacobian, false).eigenvalues();
  constexpr double kDifferences = 1e-8;  // central differences: (1e-5)^2, and rounding over 1e-5
  for (const LeadingEigenvalues& found :
       {stability::backward_eigenvalues(*dynamics, crowd, 4), stability::forward_eigenvalues(*dynamics, crowd, 4, 0.5)})
    for (const EigenPair& pair : found.pairs) CHECK((dense.array() - pair.value).abs().minCoeff() < kDifferences);
}

TEST_CASE("the Gaussian state of a weighted crowd has the spectrum of an infinite one", "[stability][limit]") {
  constexpr double kWeighted = 1e-7;  // sums over 300 even places instead of integrals; the state at rest
  stability::AnchoredState state(stability::CrowdKind::weighted, 300, 0.1);
  const double temperature = 0.06;
  REQUIRE(state.rest_at(temperature));
  const double u = theory::gaussian_state_u(temperature, 0.1), r = u * u / (u * u + temperature);
  CHECK(std::abs(state.slope() / u - 1) < kWeighted);
  const LeadingEigenvalues found = stability::backward_eigenvalues(state.dynamics(), state.opinions(), 4);
  REQUIRE(found.converged);
  for (int degree = 0; degree < 4; ++degree) {
    CAPTURE(degree);
    CHECK(std::abs(found.pairs[degree].value / (0.9 * theory::displacement_growth(degree, r)) - 1.0) < kWeighted);
  }
}

TEST_CASE("below the fold the Gaussian state is left, and the crowd says so", "[stability]") {
  const double fold = theory::lower_fold(0.05).tau;
  stability::AnchoredState state(stability::CrowdKind::weighted, 200, 0.05);
  CHECK(state.rest_at(1.1 * fold));
  CHECK_FALSE(state.rest_at(0.9 * fold));
}

TEST_CASE("on the circle every mode comes twice, at its known rate, and tells its number", "[stability]") {
  constexpr double kStep = 0.1;
  stability::UniformCircle circle(60, kStep);
  circle.set_temperature(0.2);
  const LeadingEigenvalues found = stability::backward_eigenvalues(circle.dynamics(), circle.angles(), 6);
  REQUIRE(found.converged);
  for (const EigenPair& pair : found.pairs) {
    const int mode = circle.mode_of(pair.vector);
    CHECK(std::abs(pair.value - (1 + kStep * theory::circle_growth(mode, 5, theory::CircleWeights::softmax))) < 1e-9);
  }
  CHECK(circle.mode_of(found.pairs[0].vector) == 3);
}

TEST_CASE("opinion.stability finds the fold and the onset of order, small and quick", "[stability]") {
  for (const bool circle : {false, true}) {
    const auto experiment = stability::make_stability();
    Config config(experiment->schema());
    config.experiment = "opinion.stability";
    config.seed = 1;
    config.set("agents.count", std::int64_t{circle ? 40 : 120}, {});
    config.set("temperature.count", std::int64_t{5}, {});
    config.set("temperature.resolution", 1e-2, {});
    config.set("loss_tolerance", 1e-2, {});
    config.set("eigenvalues.count", std::int64_t{3}, {});
    if (circle) {
      config.set("state", std::string("disorder"), {});
      config.set("temperature.low", 0.05, {});
      config.set("temperature.high", 5.0, {});
      config.set("temperature.shown", 0.2, {});
    }
    Results results;
    experiment->run(config, {}, Random(1), results, *plain_workbench());
    CHECK(results.checks().size() >= 5);
    for (const Check& check : results.checks()) {
      CAPTURE(circle, check.name, check.predicted, check.measured);
      CHECK(check.holds());
    }
  }
}
