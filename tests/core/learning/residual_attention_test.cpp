// Residual attention: what is known of it at the ends of its widths, a plain twin, and widths that are learned.

#include "fovea/core/learning/training/residual_attention.hpp"

#include <cmath>

#include "fovea/tests/support/test.hpp"

namespace fovea::learning {

namespace {

template <typename Real>
ResidualLesson<Real> random_lesson(Index queries, Index keys, Index columns) {
  const auto filled = [](Index rows, Index width, std::uint64_t step) {
    Matrix<Real> matrix(rows, width);
    for (Index i = 0; i < matrix.size(); ++i)
      matrix.data()[i] = static_cast<Real>(Random(1).normal(static_cast<std::uint64_t>(i), step));
    return matrix;
  };
  return {filled(queries, columns, 1), filled(keys, columns, 2), filled(keys, 1, 3), filled(queries, 1, 4)};
}

}  // namespace

TEST_CASE("patches, their middle values and one width are non-local means", "[learning][residual]") {
  const ResidualLesson<double> lesson = random_lesson<double>(7, 40, 9);
  const double width = 1.7;
  const Matrix<double> said = attended_residuals(lesson, std::vector<double>(9, std::log(width)));
  for (Index i = 0; i < 7; ++i) {
    double weights = 0, sum = 0, squares = 0;
    for (Index j = 0; j < 40; ++j) {
      const double distance = (lesson.queries.row(i) - lesson.keys.row(j)).squaredNorm();
      const double weight = std::exp(-distance / (2 * width * width)), value = lesson.left(j, 0);
      weights += weight, sum += weight * value, squares += weight * value * value;
    }
    CHECK(std::abs(said(i, 0) - sum / weights) < 1e-12);
    CHECK(std::abs(said(i, 1) - (squares / weights - std::pow(sum / weights, 2))) < 1e-12);
  }
}

TEST_CASE("a width to 0 pastes the most similar key, one to infinity gives the mean", "[learning][residual]") {
  const ResidualLesson<double> lesson = random_lesson<double>(7, 40, 5);
  const Matrix<double> pasted = attended_residuals(lesson, std::vector<double>(5, std::log(1e-3))),
                       mean = attended_residuals(lesson, std::vector<double>(5, std::log(1e6)));
  for (Index i = 0; i < 7; ++i) {
    Index nearest = 0;
    (lesson.keys.rowwise() - lesson.queries.row(i)).rowwise().squaredNorm().minCoeff(&nearest);
    CHECK(pasted(i, 0) == Approx(lesson.left(nearest, 0)));
    CHECK(mean(i, 0) == Approx(lesson.left.mean()));
  }
}

TEST_CASE("widths of groups narrow where a column tells, and widen where it does not", "[learning][residual]") {
  ResidualLesson<float> lesson = random_lesson<float>(60, 300, 4);
  lesson.left = lesson.keys.col(0) + lesson.keys.col(1), lesson.wanted = lesson.queries.col(0) + lesson.queries.col(1);
  WidthPlan plan;
  plan.log_widths = {0, 0}, plan.groups = {0, 0, 1, 1}, plan.epochs = 40, plan.learning_rate = 0.1;
  const ResidualLesson<float>* list[] = {&lesson};
  const std::unique_ptr<Workbench> bench = plain_workbench();
  TrainingSeries series(*bench, 1);
  const std::vector<float> widths = learn_widths(list, {0}, {}, plan, "widths", Random(1), series).log_widths;
  CHECK(widths[0] == widths[1]);
  CHECK(widths[2] == widths[3]);
  CHECK(widths[0] < -0.5F);
  CHECK(widths[2] > 0.5F);
}

}  // namespace fovea::learning
