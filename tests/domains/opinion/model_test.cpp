#include "fovea/domains/opinion/dynamics/dynamics.hpp"

#include "fovea/core/statistics/distributions/normal.hpp"
#include "fovea/domains/opinion/measures/measures.hpp"
#include "fovea/domains/opinion/society/graph.hpp"
#include "fovea/domains/opinion/theory/theory.hpp"
#include "fovea/tests/support/test.hpp"

using namespace fovea::opinion;

namespace {

/// A crowd that attends: the model "attention".
struct Attending {
  dynamics::ModelSettings settings;
  dynamics::Agents agents;
  std::unique_ptr<dynamics::Dynamics> crowd(const society::Graph* graph = nullptr) const {
    return dynamics::make_dynamics(settings, agents, graph, Random(3));
  }
  /// One step from `opinions`.
  Matrix<double> step(Matrix<double> opinions, const society::Graph* graph = nullptr, std::int64_t number = 0) const {
    crowd(graph)->step(opinions, number);
    return opinions;
  }
};

Attending attending(const Matrix<double>& start, double temperature, double stubbornness = 0,
                    const std::string& score = "gaussian") {
  Attending all;
  all.settings.score = score;
  all.settings.temperature = temperature;
  all.agents.start = start;
  all.agents.stubbornness.assign(start.rows(), stubbornness);
  return all;
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
Matrix<double> plain_step(const Attending& all, const Matrix<double>& x, const Matrix<double>& w) {
  Matrix<double> next(x.rows(), x.cols());
  for (Index i = 0; i < x.rows(); ++i) {
    Eigen::RowVectorXd sum = Eigen::RowVectorXd::Zero(x.cols());
    double total = 0;
    for (Index j = 0; j < x.rows(); ++j) {
      const double weight =
          w(i, j) * std::exp(plain_score(all.settings.score, x.row(i), x.row(j)) / all.settings.temperature);
      sum += weight * x.row(j);
      total += weight;
    }
    const double s = all.agents.stubbornness[i];
    next.row(i) = (1 - s) * sum / total + s * all.agents.start.row(i);
  }
  return next;
}

constexpr double kStepRounding = 1e-12;  // sums of 40 terms in another order

}  // namespace

TEST_CASE("a step is the written equation for every score, dimension and stubbornness", "[model][twin]") {
  for (const char* score : {"gaussian", "dot_product", "cosine", "log_distance"})
    for (const Index d : {1, 3}) {
      CAPTURE(score, d);
      Attending all = attending(random_crowd(40, d), 0.8, 0, score);
      for (std::size_t i = 0; i < 40; ++i) all.agents.stubbornness[i] = 0.02 * static_cast<double>(i);
      const Matrix<double> x = 0.7 * random_crowd(40, d);
      const Matrix<double> expected = plain_step(all, x, Matrix<double>::Ones(40, 40));
      CHECK((all.step(x) - expected).cwiseAbs().maxCoeff() < kStepRounding);
    }
}

TEST_CASE("on a network a step hears neighbours and oneself, in proportion to the edge weights", "[model][twin]") {
  const society::Graph graph{5, {{0, 1}, {0, 3}, {1, 2}, {2, 3}}, {2.0, 0.5, 3.0, 1.0}};
  Matrix<double> weight = Matrix<double>::Identity(5, 5) * 1.5;
  for (std::size_t e = 0; e < graph.edges.size(); ++e) {
    const auto [a, b] = graph.edges[e];
    weight(a, b) = weight(b, a) = graph.weights[e];
  }
  const Matrix<double> x = random_crowd(5, 2);
  Attending all = attending(x, 0.3, 0.1);
  all.settings.self_weight = 1.5;
  for (const bool fast : {false, true}) {
    all.settings.fast = fast;
    const Matrix<double> next = all.step(x, &graph);
    CHECK((next - plain_step(all, x, weight)).cwiseAbs().maxCoeff() < kStepRounding);
    CHECK((next.row(4) - x.row(4)).cwiseAbs().maxCoeff() < kStepRounding);  // hears only itself; its anchor is itself
  }
}

TEST_CASE("the gap of two camps of any size follows the closed form through the engine", "[model][limit]") {
  for (const auto& [n1, n2] : {std::pair<Index, Index>{1, 1}, {3, 3}, {5, 2}})
    for (const double t : {0.05, 0.3, 2.0}) {
      CAPTURE(n1, n2, t);
      Matrix<double> x = Matrix<double>::Constant(n1 + n2, 1, 0.4);
      x.topRows(n1).setConstant(-0.6);
      const auto crowd = attending(x, t).crowd();
      double gap = 1;
      for (int step = 0; step < 5; ++step) {
        crowd->step(x, step);
        gap = theory::next_gap(gap, t, static_cast<double>(n1), static_cast<double>(n2));
        CHECK(std::abs((x(n1 + n2 - 1, 0) - x(0, 0)) - gap) < 1e-12);
      }
      if (n1 == n2) CHECK(std::abs(theory::next_gap(1.0, t) - std::tanh(1 / (4 * t))) < 1e-12);
    }
}

TEST_CASE("a Gaussian crowd of 4000 quantile agents follows sd^3 / (sd^2 + T) to 1e-3", "[model][limit]") {
  constexpr double kQuantiles = 1e-3;  // 4000 quantiles for the normal distribution: 1.4e-4 to 2.4e-4 over four steps
  Matrix<double> x = crowd_of_quantiles(4000);
  const auto crowd = attending(x, 0.5).crowd();
  double sd = 1;
  for (int step = 0; step < 4; ++step) {
    crowd->step(x, step);
    sd = theory::next_gaussian_sd(sd, 0.5);
    CHECK(std::abs(std::sqrt(measures::variance(x)) / sd - 1) < kQuantiles);
  }
}

TEST_CASE("two anchored camps rest apart just below the predicted end and merge just above it",
          "[model][limit][long]") {
  constexpr double kStubbornness = 0.05;
  const double anchor = std::sqrt(2 / std::numbers::pi);  // the mean of one half of a normal distribution
  Matrix<double> start(2, 1);
  start << -anchor, anchor;
  const auto gap_at_rest = [&](double temperature) {
    const auto crowd = attending(start, temperature, kStubbornness).crowd();
    Matrix<double> x = start;
    for (int step = 0; step < 3000; ++step) crowd->step(x, step);
    return x(1, 0) - x(0, 0);
  };
  const double end = theory::two_camps_end(kStubbornness);
  CHECK(gap_at_rest(0.999 * end) > 1);
  CHECK(gap_at_rest(1.001 * end) < 2.1 * kStubbornness * anchor);  // one camp: only the pull of the anchors is left
}

TEST_CASE("plain averaging shrinks the crowd by at least the factor that two overlapping rows allow",
          "[model][property]") {
  Matrix<double> x = random_crowd(50, 1);
  const auto crowd = attending(x, 0.5).crowd();
  for (int step = 0; step < 5; ++step) {
    const double before = x.maxCoeff() - x.minCoeff();
    crowd->step(x, step);
    CHECK(x.maxCoeff() - x.minCoeff() <= before * (1 - std::exp(-before * before / (2 * 0.5))) + kStepRounding);
  }
}

TEST_CASE("noise has the asked size and depends on agent, component and step alone", "[model][statistics]") {
  const Matrix<double> zero = Matrix<double>::Zero(2000, 2);
  Attending all = attending(zero, 1, 1);  // fully stubborn at 0: a step is the noise alone
  all.settings.noise = 0.3;
  const Matrix<double> first = all.step(zero, nullptr, 5);
  CHECK(first == all.step(zero, nullptr, 5));
  CHECK(first != all.step(zero, nullptr, 6));
  // 4000 normals: the standard error of their sd is 0.3 / sqrt(8000), five of them, seed 3
  CHECK(std::abs(std::sqrt(measures::variance(first)) - 0.3) < 5 * 0.3 / std::sqrt(8000.0));
}

TEST_CASE("the largest change counts NaN as infinity", "[model]") {
  Matrix<double> a = Matrix<double>::Zero(3, 1), b = a;
  b(0, 0) = -0.5;
  b(2, 0) = 0.25;
  CHECK(dynamics::largest_change(a, b) == 0.5);
  b(1, 0) = std::nan("");
  CHECK(dynamics::largest_change(a, b) == std::numeric_limits<double>::infinity());
}
