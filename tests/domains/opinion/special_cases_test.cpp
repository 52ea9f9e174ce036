/// Which models are special cases of attention: the same trajectory from both.

#include "fovea/core/attention/attend.hpp"
#include "fovea/core/attention/modifiers.hpp"
#include "fovea/core/attention/scores.hpp"
#include "fovea/domains/opinion/dynamics/dynamics.hpp"
#include "fovea/domains/opinion/dynamics/hearing.hpp"
#include "fovea/domains/opinion/dynamics/partners.hpp"
#include "fovea/tests/support/test.hpp"

namespace fovea::opinion {
namespace {

constexpr double kSpecialRounding = 1e-13;  // sums of a hundred terms near 1
constexpr double kHot = 1e12;               // a temperature at which scores near 1 make weights alike to 1e-12
constexpr double kNearlyAlike = 1e-10;

Matrix<double> scattered(Index n, std::uint64_t seed = 4) {
  Matrix<double> x(n, 1);
  for (Index i = 0; i < n; ++i) x(i, 0) = 2 * Random(seed).uniform(static_cast<std::uint64_t>(i)) - 1;
  return x;
}

Matrix<double> trajectory_end(const dynamics::ModelSettings& settings, const Matrix<double>& start, std::int64_t steps,
                              const society::Graph* graph = nullptr) {
  dynamics::Agents agents;
  agents.start = start;
  const auto dynamics = dynamics::make_dynamics(settings, agents, graph, Random(1));
  Matrix<double> x = start;
  for (std::int64_t step = 0; step < steps; ++step) dynamics->step(x, step);
  return x;
}

double apart(const Matrix<double>& a, const Matrix<double>& b) { return (a - b).cwiseAbs().maxCoeff(); }

dynamics::ModelSettings of_model(const std::string& model) {
  dynamics::ModelSettings settings;
  settings.model = model;
  return settings;
}

society::Graph ring_with_weights(Index n) {
  society::Graph graph;
  graph.nodes = n;
  for (Index i = 0; i + 1 < n; ++i) {
    graph.edges.push_back({i, i + 1});
    graph.weights.push_back(0.5 + 0.1 * static_cast<double>(i % 7));
  }
  return graph;
}

TEST_CASE("DeGroot is attention at infinite temperature, Friedkin-Johnsen the same with anchors",
          "[opinion][models][limit]") {
  const Matrix<double> x = scattered(100);
  const society::Graph ring = ring_with_weights(100);
  for (const society::Graph* graph : {static_cast<const society::Graph*>(nullptr), &ring})
    for (const char* score : {"gaussian", "dot_product", "cosine", "log_distance"}) {
      dynamics::ModelSettings hot = of_model("attention");
      hot.score = score;
      hot.temperature = kHot;
      CHECK(apart(trajectory_end(hot, x, 4, graph), trajectory_end(of_model("degroot"), x, 4, graph)) < kNearlyAlike);
      dynamics::ModelSettings anchored = of_model("friedkin_johnsen");
      hot.stubbornness = anchored.stubbornness = 0.3;
      CHECK(apart(trajectory_end(hot, x, 4, graph), trajectory_end(anchored, x, 4, graph)) < kNearlyAlike);
    }
}

TEST_CASE("at temperature 0 a Gaussian crowd is frozen and a dot product follows its leaders",
          "[opinion][models][limit]") {
  const Matrix<double> x = scattered(60);
  dynamics::ModelSettings cold = of_model("attention");
  cold.temperature = 1e-12;  // neighbours at 1e-4 have the weight e^-5000
  CHECK(apart(trajectory_end(cold, x, 3), x) < kSpecialRounding);
  cold.score = "dot_product";
  const Matrix<double> next = trajectory_end(cold, x, 1);
  for (Index i = 0; i < x.rows(); ++i) CHECK(next(i, 0) == (x(i, 0) > 0 ? x.maxCoeff() : x.minCoeff()));
}

TEST_CASE("Hegselmann-Krause is attention with a top hat: score 0 inside the bound, masked outside",
          "[opinion][models][twin]") {
  Matrix<double> x = scattered(80);
  const Matrix<double> start = x;
  dynamics::ModelSettings bounded = of_model("hegselmann_krause");
  bounded.confidence = 0.21;
  for (int step = 0; step < 6; ++step) {
    Matrix<double> hat(80, 80);
    for (Index i = 0; i < 80; ++i)
      for (Index j = 0; j < 80; ++j)
        hat(i, j) = std::abs(x(i, 0) - x(j, 0)) <= 0.21 ? 0.0 : -std::numeric_limits<double>::infinity();
    AttentionSpec<double> spec;
    spec.score = {gaussian_score<double>(), {}};
    spec.modifiers.push_back({fovea::temperature<double>(), {std::log(kHot)}});
    spec.modifiers.push_back({fixed_pair_bias<double>({hat}), {}});
    x = attend<double>(x, x, x, spec).outputs;
  }
  CHECK(apart(trajectory_end(bounded, start, 6), x) < kNearlyAlike);
}

TEST_CASE("smooth bounded confidence: sharpness 0 is plain averaging, infinity Hegselmann-Krause",
          "[opinion][models][limit]") {
  const Matrix<double> x = scattered(100);
  dynamics::ModelSettings smooth = of_model("smooth_bounded_confidence"), bounded = of_model("hegselmann_krause");
  smooth.time_step = 1;  // then -x + mean is a whole step to the mean
  smooth.confidence = bounded.confidence = 0.27;
  smooth.sharpness = 0;
  CHECK(apart(trajectory_end(smooth, x, 1), trajectory_end(of_model("degroot"), x, 1)) < kSpecialRounding);
  smooth.sharpness = 1e9;
  CHECK(apart(trajectory_end(smooth, x, 5), trajectory_end(bounded, x, 5)) < kNearlyAlike);
}

TEST_CASE("softmax of -ln d at T = 1 / beta is the homophily of Baumann's contacts and of algorithmic bias",
          "[opinion][models][twin]") {
  const Matrix<double> x = scattered(40);
  for (const double beta : {0.5, 1.0, 3.0}) {
    dynamics::HearingRule rule;
    rule.score = dynamics::Score::log_distance;
    rule.temperature = 1 / beta;
    rule.distance_floor = 1e-3;
    const dynamics::Homophily homophily{beta, 1e-3};
    Matrix<double> share;
    dynamics::engine_hearing(rule, nullptr)->hear(rule, x, Matrix<double>::Identity(40, 40), share);
    for (Index i = 0; i < 40; ++i) {
      double total = 0;  // of all others: who draws a partner does not draw itself
      for (Index j = 0; j < 40; ++j)
        if (j != i) total += homophily.relative_weight(std::abs(x(i, 0) - x(j, 0)));
      for (Index j = 0; j < 40; ++j) {
        if (j == i) continue;
        const double drawn = homophily.relative_weight(std::abs(x(i, 0) - x(j, 0))) / total;
        CHECK(std::abs(share(i, j) / (1 - share(i, i)) - drawn) < 1e-10);  // 1 - share loses digits near 1
      }
    }
  }
}

TEST_CASE("the transformer on the line is attention in continuous time", "[opinion][models][twin]") {
  const Matrix<double> x = 0.5 * scattered(70);
  dynamics::ModelSettings line = of_model("transformer_line"), discrete = of_model("attention");
  line.time_step = 1;
  discrete.score = "dot_product";
  line.temperature = discrete.temperature = 0.3;
  CHECK(apart(trajectory_end(line, x, 4), trajectory_end(discrete, x, 4)) < kSpecialRounding);
}

TEST_CASE("the circle is the sphere in the plane", "[opinion][models][limit]") {
  const Matrix<double> angles = 3 * scattered(50);
  Matrix<double> points(50, 2);
  for (Index i = 0; i < 50; ++i) points.row(i) << std::cos(angles(i, 0)), std::sin(angles(i, 0));
  constexpr double kShort = 1e-6;  // normalising differs from turning by the cube of the step
  for (const std::string kind : {"", "_unnormalised"}) {
    dynamics::ModelSettings circle = of_model("transformer_circle" + kind),
                            sphere = of_model("transformer_sphere" + kind);
    circle.time_step = sphere.time_step = kShort;
    circle.temperature = sphere.temperature = 0.4;
    const Matrix<double> turned = trajectory_end(circle, angles, 1), moved = trajectory_end(sphere, points, 1);
    for (Index i = 0; i < 50; ++i) {
      CHECK(std::abs(std::cos(turned(i, 0)) - moved(i, 0)) < kSpecialRounding);
      CHECK(std::abs(std::sin(turned(i, 0)) - moved(i, 1)) < kSpecialRounding);
    }
  }
}

TEST_CASE("the transformer on the circle grows its modes at the known rates", "[opinion][models][limit]") {
  // Geshkovski et al. 2023: from uniform, mode k grows at k^2 I_k / (beta I_0); beta = 5, k = 1..5.
  constexpr double kRates[] = {0.178677, 0.514117, 0.682678, 0.600089, 0.396106};
  constexpr Index kAgents = 256;
  for (int k = 1; k <= 5; ++k) {
    Matrix<double> angles(kAgents, 1);
    const double small = 1e-6;
    for (Index i = 0; i < kAgents; ++i) {
      const double even = 2 * 3.14159265358979323846 * static_cast<double>(i) / static_cast<double>(kAgents);
      angles(i, 0) = even + small * std::sin(k * even);
    }
    dynamics::ModelSettings circle = of_model("transformer_circle");
    circle.temperature = 0.2;
    circle.time_step = 1e-3;
    const Matrix<double> next = trajectory_end(circle, angles, 1);
    double change = 0;
    for (Index i = 0; i < kAgents; ++i)
      change += 2 * (next(i, 0) - angles(i, 0)) * std::sin(k * angles(i, 0)) / static_cast<double>(kAgents);
    CHECK(std::abs(change / (small * 1e-3) - kRates[k - 1]) < 1e-5);  // six digits are printed there
  }
}

}  // namespace
}  // namespace fovea::opinion
