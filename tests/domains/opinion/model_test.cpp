#include "fovea/domains/opinion/dynamics/model.hpp"

#include <omp.h>

#include <cmath>
#include <limits>
#include <numbers>
#include <vector>

#include "fovea/core/base/error.hpp"
#include "fovea/core/statistics/distributions/normal.hpp"
#include "fovea/domains/opinion/measures/measures.hpp"
#include "fovea/domains/opinion/society/graph.hpp"
#include "fovea/domains/opinion/theory/theory.hpp"
#include "fovea/tests/support/catch.hpp"

using namespace fovea;
using namespace fovea::opinion;

namespace {

dynamics::CrowdSetup setup_of(const Matrix<double>& anchors, double stubbornness,
                              const std::string& score = "gaussian") {
  dynamics::CrowdSetup setup;
  setup.anchors = anchors;
  setup.stubbornness.assign(static_cast<std::size_t>(anchors.rows()), stubbornness);
  setup.score = score;
  return setup;
}

Matrix<double> random_crowd(Index n, Index d) {
  Matrix<double> x(n, d);
  for (Index k = 0; k < x.size(); ++k) x.data()[k] = Random(11).normal(static_cast<std::uint64_t>(k));
  return x;
}

Matrix<double> crowd_of_quantiles(Index n) {
  Matrix<double> x(n, 1);
  for (Index i = 0; i < n; ++i) x(i, 0) = normal_quantile((static_cast<double>(i) + 0.5) / static_cast<double>(n));
  return x;
}

double plain_score(const std::string& name, const Eigen::RowVectorXd& x, const Eigen::RowVectorXd& y) {
  if (name == "gaussian") return -0.5 * (x - y).squaredNorm();
  if (name == "dot_product") return x.dot(y);
  if (name == "cosine") return x.dot(y) / (x.norm() * y.norm());
  return -std::log(std::max((x - y).norm(), 1e-6));
}

/// One step written as the equation stands.
Matrix<double> plain_step(const dynamics::CrowdSetup& setup, double temperature, const Matrix<double>& x,
                          const Matrix<double>& w) {
  Matrix<double> next(x.rows(), x.cols());
  for (Index i = 0; i < x.rows(); ++i) {
    Eigen::RowVectorXd sum = Eigen::RowVectorXd::Zero(x.cols());
    double total = 0;
    for (Index j = 0; j < x.rows(); ++j) {
      const double weight = w(i, j) * std::exp(plain_score(setup.score, x.row(i), x.row(j)) / temperature);
      sum += weight * x.row(j);
      total += weight;
    }
    const double s = setup.stubbornness[static_cast<std::size_t>(i)];
    next.row(i) = (1 - s) * sum / total + s * setup.anchors.row(i);
  }
  return next;
}

constexpr double kStepRounding = 1e-12;  // sums of 40 terms in another order

}  // namespace

TEST_CASE("a step is the written equation for every score, dimension and stubbornness", "[model][twin]") {
  for (const char* score : {"gaussian", "dot_product", "cosine", "log_distance"})
    for (const Index d : {1, 3}) {
      CAPTURE(score, d);
      dynamics::CrowdSetup setup = setup_of(random_crowd(40, d), 0.0, score);
      for (std::size_t i = 0; i < 40; ++i) setup.stubbornness[i] = 0.02 * static_cast<double>(i);
      const Matrix<double> x = 0.7 * random_crowd(40, d);
      const Matrix<double> expected = plain_step(setup, 0.8, x, Matrix<double>::Ones(40, 40));
      CHECK((dynamics::Crowd(setup, 0.8, Random(1)).step(x, 0) - expected).cwiseAbs().maxCoeff() < kStepRounding);
    }
}

TEST_CASE("on a network a step hears neighbours and oneself, in proportion to the edge weights", "[model][twin]") {
  const society::Graph graph{5, {{0, 1}, {0, 3}, {1, 2}, {2, 3}}, {2.0, 0.5, 3.0, 1.0}};
  Matrix<double> weight = Matrix<double>::Identity(5, 5) * 1.5;
  for (std::size_t e = 0; e < graph.edges.size(); ++e) {
    const auto [a, b] = graph.edges[e];
    weight(a, b) = weight(b, a) = graph.weights[e];
  }
  dynamics::CrowdSetup setup = setup_of(random_crowd(5, 2), 0.1);
  setup.neighbours = society::hearing_lists(graph, 1.5);
  const Matrix<double> x = random_crowd(5, 2);
  const Matrix<double> next = dynamics::Crowd(setup, 0.3, Random(1)).step(x, 0);
  CHECK((next - plain_step(setup, 0.3, x, weight)).cwiseAbs().maxCoeff() < kStepRounding);
  CHECK((next.row(4) - x.row(4)).cwiseAbs().maxCoeff() < kStepRounding);  // hears only itself; its anchor is itself
}

TEST_CASE("the gap of two camps of any size follows the closed form through the engine", "[model][limit]") {
  for (const auto& [n1, n2] : {std::pair<Index, Index>{1, 1}, {3, 3}, {5, 2}})
    for (const double t : {0.05, 0.3, 2.0}) {
      CAPTURE(n1, n2, t);
      Matrix<double> x = Matrix<double>::Constant(n1 + n2, 1, 0.4);
      x.topRows(n1).setConstant(-0.6);
      const dynamics::Crowd crowd(setup_of(x, 0.0), t, Random(1));
      double gap = 1;
      for (int step = 0; step < 5; ++step) {
        x = crowd.step(x, step);
        gap = theory::next_gap(gap, t, static_cast<double>(n1), static_cast<double>(n2));
        CHECK(std::abs((x(n1 + n2 - 1, 0) - x(0, 0)) - gap) < 1e-12);
      }
      if (n1 == n2) CHECK(std::abs(theory::next_gap(1.0, t) - std::tanh(1 / (4 * t))) < 1e-12);
    }
}

TEST_CASE("a Gaussian crowd of 4000 quantile agents follows sd^3 / (sd^2 + T) to 1e-3", "[model][limit]") {
  constexpr double kQuantiles = 1e-3;  // 4000 quantiles for the normal distribution: 1.4e-4 to 2.4e-4 over four steps
  Matrix<double> x = crowd_of_quantiles(4000);
  const dynamics::Crowd crowd(setup_of(x, 0.0), 0.5, Random(1));
  double sd = 1;
  for (int step = 0; step < 4; ++step) {
    x = crowd.step(x, step);
    sd = theory::next_gaussian_sd(sd, 0.5);
    CHECK(std::abs(std::sqrt(measures::variance(x)) / sd - 1) < kQuantiles);
  }
}

TEST_CASE("two anchored camps rest apart just below the predicted end and merge just above it", "[model][limit]") {
  constexpr double kStubbornness = 0.05;
  const double anchor = std::sqrt(2 / std::numbers::pi);  // the mean of one half of a normal distribution
  dynamics::CrowdSetup setup;
  setup.anchors = Matrix<double>(2, 1);
  setup.anchors << -anchor, anchor;
  setup.stubbornness = {kStubbornness, kStubbornness};
  const auto gap_at_rest = [&](double temperature) {
    const dynamics::Crowd crowd(setup, temperature, Random(0));
    Matrix<double> x = setup.anchors;
    for (int step = 0; step < 3000; ++step) x = crowd.step(x, step);
    return x(1, 0) - x(0, 0);
  };
  const double end = theory::two_camps_end(kStubbornness);
  CHECK(gap_at_rest(0.999 * end) > 1);
  CHECK(gap_at_rest(1.001 * end) < 2.1 * kStubbornness * anchor);  // one camp: only the pull of the anchors is left
}

TEST_CASE("plain averaging shrinks the crowd by at least the factor that two overlapping rows allow",
          "[model][property]") {
  Matrix<double> x = random_crowd(50, 1);
  const dynamics::Crowd crowd(setup_of(x, 0.0), 0.5, Random(1));
  for (int step = 0; step < 5; ++step) {
    const double before = x.maxCoeff() - x.minCoeff();
    x = crowd.step(x, step);
    CHECK(x.maxCoeff() - x.minCoeff() <= before * (1 - std::exp(-before * before / (2 * 0.5))) + kStepRounding);
  }
}

TEST_CASE("noise has the asked size and depends on agent, component and step alone", "[model][statistics]") {
  dynamics::CrowdSetup setup =
      setup_of(Matrix<double>::Zero(2000, 2), 1.0);  // fully stubborn at 0: a step is the noise alone
  setup.noise = 0.3;
  const dynamics::Crowd crowd(setup, 1.0, Random(3));
  const Matrix<double> first = crowd.step(setup.anchors, 5);
  CHECK(first == crowd.step(setup.anchors, 5));
  CHECK(first != crowd.step(setup.anchors, 6));
  // 4000 normals: the standard error of their sd is 0.3 / sqrt(8000), five of them, seed 3
  CHECK(std::abs(std::sqrt(measures::variance(first)) - 0.3) < 5 * 0.3 / std::sqrt(8000.0));
}

TEST_CASE("a step has the same bits for 1, 2, 3 and 5 threads", "[model][threads]") {
  dynamics::CrowdSetup setup = setup_of(random_crowd(700, 1), 0.05);
  setup.noise = 0.1;
  const dynamics::Crowd crowd(setup, 0.05, Random(1));
  const int before = omp_get_max_threads();
  omp_set_num_threads(1);
  const Matrix<double> expected = crowd.step(setup.anchors, 1);
  for (const int threads : {2, 3, 5}) {
    omp_set_num_threads(threads);
    CHECK(crowd.step(setup.anchors, 1) == expected);
  }
  omp_set_num_threads(before);
}

TEST_CASE("the largest change counts NaN as infinity", "[model]") {
  Matrix<double> a = Matrix<double>::Zero(3, 1), b = a;
  b(0, 0) = -0.5;
  b(2, 0) = 0.25;
  CHECK(dynamics::largest_change(a, b) == 0.5);
  b(1, 0) = std::nan("");
  CHECK(dynamics::largest_change(a, b) == std::numeric_limits<double>::infinity());
}

TEST_CASE("a crowd that cannot be is refused with the value and the rule", "[model][errors]") {
  const Matrix<double> x = random_crowd(3, 1);
  CHECK_THROWS_WITH(
      dynamics::Crowd(setup_of(x, 0.0), 0.0, Random(1)),
      "Crowd: temperature = 0, but must be > 0. Near 0 agents hear only themselves; at infinity all alike.");
  CHECK_THROWS_WITH(dynamics::Crowd(setup_of(x, 1.5), 1.0, Random(1)),
                    "Crowd: stubbornness = 1.5, but must be in [0, 1].");
  CHECK_THROWS_WITH(dynamics::Crowd(setup_of(x, 0.5, "gauss"), 1.0, Random(1)),
                    "Crowd: the score is 'gauss', but must be gaussian, dot_product, cosine or log_distance.");
  dynamics::CrowdSetup few = setup_of(x, 0.5);
  few.stubbornness.pop_back();
  CHECK_THROWS_AS(dynamics::Crowd(few, 1.0, Random(1)), ArgumentError);
  dynamics::CrowdSetup lists = setup_of(x, 0.5);
  lists.neighbours = society::hearing_lists({2, {}, {}}, 1.0);
  CHECK_THROWS_AS(dynamics::Crowd(lists, 1.0, Random(1)), ArgumentError);
  dynamics::CrowdSetup bad = setup_of(x, 0.5);
  bad.anchors(1, 0) = std::nan("");
  CHECK_THROWS_AS(dynamics::Crowd(bad, 1.0, Random(1)), ArgumentError);
}
