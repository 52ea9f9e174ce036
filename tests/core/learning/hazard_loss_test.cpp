#include "fovea/core/learning/hazard_loss.hpp"

#include "fovea/core/learning/losses.hpp"
#include "fovea/core/statistics/survival/aalen_johansen.hpp"
#include "fovea/tests/support/test.hpp"

namespace fovea::learning::test {
namespace {

using Rows = std::vector<Index>;

double loss_at(const Matrix<double>& x, Index ends, const HazardTargets& targets, Matrix<double>* gradient = nullptr) {
  Tape<double> tape;
  tape.begin(nullptr, {});
  const auto variable = tape.variable(x);
  const auto loss = hazard_loss<double>(variable, ends, targets, {}, 1.0);
  if (gradient) {
    tape.backward(loss);
    *gradient = variable.gradient_matrix();
  }
  return loss.data()[0];
}

TEST_CASE("times become whole intervals survived and the end in the next; an end at an edge came before it",
          "[learning][survival]") {
  const std::vector<double> edges{0, 3, 7, 14}, times{1, 3, 3.5, 14, 15, 0, 3, 6.9, 20, -1};
  const Rows ends{1, 2, 1, 1, 1, 1, 0, 0, 0, 0};
  const HazardTargets targets = hazard_targets(times, ends, edges);
  CHECK(targets.survived == Rows{0, 0, 1, 2, 3, 0, 1, 1, 3, 0});
  CHECK(targets.ends == Rows{1, 2, 1, 1, 0, 1, 0, 0, 0, 0});
}

TEST_CASE("the hazard loss of two rows is that worked out by hand", "[learning][survival]") {
  // hazards 1/2, 1/4, 1/4 (none) in the first interval, 1/4, 1/4, 1/2 in the second
  const Matrix<double> x{{std::log(2), 0, 0, 0, 0, std::log(2)}, {std::log(2), 0, 0, 0, 0, std::log(2)}};
  CHECK(std::abs(loss_at(x, 2, {{1, 2}, {2, 0}}) - (std::log(16) + std::log(8))) < 1e-15);
  Matrix<double> gradient;
  CHECK(loss_at(x, 2, {{0, 0}, {0, 1}}, &gradient) == std::log(2));
  CHECK(gradient.row(0).isZero(0));  // censored in the first interval: it tells nothing
  CHECK(gradient.row(1).isApprox(Matrix<double>{{-0.5, 0.25, 0.25, 0, 0, 0}}.row(0)));
}

TEST_CASE("one interval with one end is the logistic loss", "[learning][survival]") {
  const Matrix<double> x{{0.3, 0}, {-2, 0}, {1.5, 0}};
  Tape<double> tape;
  tape.begin(nullptr, {});
  const Matrix<double> logit = x.col(0), outcomes{{1.0}, {0.0}, {0.0}};
  const auto logistic = logistic_loss<double>(tape.variable(logit), outcomes, {}, 1.0);
  CHECK(std::abs(loss_at(x, 1, {{0, 1, 1}, {1, 0, 0}}) - logistic.data()[0]) < 1e-15);
}

TEST_CASE("the most likely hazards without inputs are Aalen and Johansen's", "[learning][survival][twin]") {
  // Whole days, so that censoring falls on edges and nothing is lost by the intervals.
  const Random random = Random(4).stream("hazards");
  std::vector<double> times, edges{0.5};
  Rows ends;
  for (std::uint64_t i = 0; i < 300; ++i) {
    times.push_back(1 + static_cast<double>(random.below(5, i)));
    ends.push_back(static_cast<Index>(random.below(3, i, 1)));
  }
  for (int t = 1; t <= 5; ++t) edges.push_back(t + 0.5);
  // Who is censored on day t is at risk on it, as in aalen_johansen(), when it is seen through the day.
  std::vector<double> seen(times);
  for (std::size_t i = 0; i < seen.size(); ++i)
    if (ends[i] == 0) seen[i] += 0.5;
  const HazardTargets targets = hazard_targets(seen, ends, edges);
  Matrix<double> counts = Matrix<double>::Zero(1, 15);
  for (std::size_t i = 0; i < seen.size(); ++i) {
    for (Index t = 0; t < targets.survived[i]; ++t) counts(0, 3 * t + 2) += 1;
    if (targets.ends[i] > 0) counts(0, 3 * targets.survived[i] + targets.ends[i] - 1) += 1;
  }
  const Matrix<double> best = counts.array().log().matrix();
  Matrix<double> gradient;
  loss_at(best.replicate(300, 1), 2, targets, &gradient);
  CHECK(gradient.colwise().sum().cwiseAbs().maxCoeff() < 1e-11);  // 300 terms of about 1
  const Matrix<double> shares = hazard_incidences(best, 2);
  const auto curve = aalen_johansen(times, ends, 2);
  for (Index t = 0; t < 5; ++t) {
    const IncidenceStep& step = curve[t];
    CHECK(std::abs(shares(0, 3 * t) - step.incidence[0]) < 1e-14);
    CHECK(std::abs(shares(0, 3 * t + 1) - step.incidence[1]) < 1e-14);
    CHECK(std::abs(shares(0, 3 * t + 2) - step.survival) < 1e-14);
  }
}

TEST_CASE("hazards refuse logits, ends and intervals that do not fit", "[learning][survival][errors]") {
  const Matrix<double> x = Matrix<double>::Zero(1, 6);
  CHECK_THROWS_WITH(loss_at(x, 3, {{0}, {0}}),
                    "hazard_loss: there are 6 logits for 3 ends; each interval needs 4, one for each end and one for "
                    "none.");
  CHECK_THROWS_WITH(loss_at(x, 2, {{2}, {1}}), "hazard_loss: row 0 survived 2 of 2 intervals and ends in the next.");
  CHECK_THROWS_WITH(loss_at(x, 2, {{0}, {3}}), "hazard_loss: row 0 has end 3, but must be in [0, 2], 0: none seen.");
  CHECK_THROWS_WITH(loss_at(x, 2, {{}, {}}),
                    "hazard_loss: there are targets of 0 and 0 rows for 1; each row needs one.");
  CHECK_THROWS_WITH(hazard_targets(std::vector<double>{1}, Rows{0}, std::vector<double>{0, 0}),
                    "hazard_targets: edge 1 is 0, but the one before is 0; edges must rise.");
}

}  // namespace
}  // namespace fovea::learning::test
