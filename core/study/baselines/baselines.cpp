#include "fovea/core/study/baselines/baselines.hpp"

#include <Eigen/Cholesky>
#include <algorithm>
#include <array>
#include <cmath>

#include "fovea/core/base/error.hpp"
#include "fovea/core/linear/binary_regression.hpp"
#include "fovea/core/linear/weighted_rows.hpp"
#include "fovea/core/statistics/metrics.hpp"
#include "fovea/core/study/cases/target_rule.hpp"
#include "fovea/core/study/ensemble/rows.hpp"

namespace fovea::study {

namespace {

constexpr std::array kPenalties{1e3, 1e2, 1e1, 1.0, 1e-1, 1e-2, 1e-3};  ///< from a fit that is easy to the others

/// Of the intercept of a logistic model: it only keeps the intercept finite where all targets are equal.
constexpr double kInterceptPenalty = 1e-6;

/// Rows with a known target: columns with mean 0 and standard deviation 1 in the training part, then a column of ones.
struct Table {
  Matrix<double> columns;
  Vector<double> targets;
};

/// What makes columns comparable, from the training part.
struct Standard {
  Vector<double> mean, scale;  ///< scale: what multiplies; 0 for a column that is constant
};

Standard standard_of(const Matrix<double>& training, const std::vector<Index>& rows) {
  constexpr double kRounding = 1e-12;  // relative: the deviation of a constant is not exactly 0
  Standard standard{Vector<double>::Zero(training.cols()), Vector<double>::Zero(training.cols())};
  const auto count = static_cast<double>(rows.size());
  for (Index c = 0; c < training.cols(); ++c) {
    double sum = 0, squares = 0;
    for (const Index i : rows) sum += training(i, c);
    const double mean = sum / count;
    for (const Index i : rows) squares += (training(i, c) - mean) * (training(i, c) - mean);
    const double deviation = std::sqrt(squares / count);
    standard.mean[c] = mean;
    if (deviation > kRounding * std::abs(mean)) standard.scale[c] = 1 / deviation;
  }
  return standard;
}

Matrix<double> standardised(const Matrix<double>& values, const std::vector<Index>& rows, const Standard& standard) {
  Matrix<double> columns(static_cast<Index>(rows.size()), values.cols() + 1);
  for (std::size_t r = 0; r < rows.size(); ++r) {
    const auto row = static_cast<Index>(r);
    for (Index c = 0; c < values.cols(); ++c)
      columns(row, c) = (values(rows[r], c) - standard.mean[c]) * standard.scale[c];
    columns(row, values.cols()) = 1;
  }
  return columns;
}

Table table_of(const Matrix<double>& values, std::span<const double> targets, const std::vector<Index>& rows,
               const Standard& standard) {
  Table table{standardised(values, rows, standard), Vector<double>(static_cast<Index>(rows.size()))};
  for (std::size_t r = 0; r < rows.size(); ++r) table.targets[static_cast<Index>(r)] = targets[rows[r]];
  return table;
}

Vector<double> penalties_of(const Matrix<double>& columns, double penalty, double of_intercept) {
  Vector<double> diagonal = Vector<double>::Constant(columns.cols(), penalty);
  diagonal[columns.cols() - 1] = of_intercept;
  return diagonal;
}

Vector<double> solved(Matrix<double> products, const Vector<double>& diagonal, const Vector<double>& right) {
  products.diagonal() += diagonal;
  return products.selfadjointView<Eigen::Lower>().ldlt().solve(right);
}

double sigmoid(double s) { return binary_probability(BinaryLink::logit, s); }

/// The coefficients of a logistic model with a penalty, from those of a larger one.
Vector<double> fit_logistic(const Table& table, double penalty, const Vector<double>& start) {
  const BinaryRegressionSettings settings{
      .penalties = penalties_of(table.columns, penalty, kInterceptPenalty), .start = start, .least_step = 1e-8};
  return fit_binary_regression(table.columns, std::span(table.targets.data(), table.targets.size()), settings)
      .coefficients;
}

/// One column: probabilities of class 1. Several: each against the others, divided by their sum.
Matrix<double> divided_by_sums(Matrix<double> probabilities) {
  if (probabilities.cols() == 1) return probabilities;
  for (Index i = 0; i < probabilities.rows(); ++i) {
    const double sum = probabilities.row(i).sum();
    if (sum > 0)
      probabilities.row(i) /= sum;
    else
      probabilities.row(i).setConstant(1 / static_cast<double>(probabilities.cols()));
  }
  return probabilities;
}

Matrix<double> probabilities_of(const Matrix<double>& columns, const Matrix<double>& coefficients) {
  Matrix<double> probabilities(columns.rows(), coefficients.cols());
  for (Index c = 0; c < coefficients.cols(); ++c)
    probabilities.col(c) = linear_part(columns, coefficients.col(c)).unaryExpr(&sigmoid);
  return divided_by_sums(std::move(probabilities));
}

double loss_of(const Matrix<double>& probabilities, const Vector<double>& targets) {
  std::vector<Index> classes;
  for (const double y : targets) classes.push_back(static_cast<Index>(y));
  if (probabilities.cols() > 1) return log_loss(probabilities, classes);
  return log_loss(std::span(probabilities.data(), probabilities.size()), classes);
}

/// One column of coefficients a class (binary: one), from those of a larger penalty.
Matrix<double> fit_each_class(const Table& training, double penalty, const Matrix<double>& start) {
  Matrix<double> coefficients(start.rows(), start.cols());
  Table one = training;
  for (Index c = 0; c < start.cols(); ++c) {
    const double positive = start.cols() == 1 ? 1 : static_cast<double>(c);
    for (Index i = 0; i < training.targets.size(); ++i) one.targets[i] = training.targets[i] == positive ? 1 : 0;
    coefficients.col(c) = fit_logistic(one, penalty, start.col(c));
  }
  return coefficients;
}

/// The coefficients whose loss is the lowest; of equal ones those of the largest penalty. fit(penalty, last):
/// coefficients, `last` those of the larger penalty before. loss(coefficients, penalty).
template <typename Fit, typename Loss>
Matrix<double> best_over_penalties(Matrix<double> start, const Fit& fit, const Loss& loss) {
  Matrix<double> best = start;
  double least = INFINITY;
  for (const double penalty : kPenalties) {
    start = fit(penalty, start);
    const double here = loss(start, penalty);
    if (penalty == kPenalties.front()) best = start;  // where no loss is defined
    if (!(here < least)) continue;
    least = here;
    best = start;
  }
  return best;
}

/// x_i' (X' W X + D)^-1 x_i of each row: how much a row pulls its own prediction, per unit of its weight.
Vector<double> leverages(const Matrix<double>& columns, Matrix<double> products, const Vector<double>& diagonal) {
  constexpr Index kBlock = 512;  // rows whose solutions stay in the cache
  products.diagonal() += diagonal;
  const auto factors = products.selfadjointView<Eigen::Lower>().ldlt();
  Vector<double> pulls(columns.rows());
  for (Index first = 0; first < columns.rows(); first += kBlock) {
    const Index count = std::min(kBlock, columns.rows() - first);
    const Matrix<double> block = columns.middleRows(first, count);
    const Matrix<double> solutions = factors.solve(block.transpose());
    for (Index i = 0; i < count; ++i) pulls[first + i] = block.row(i).dot(solutions.col(i));
  }
  return pulls;
}

/// What each row is told by the others, in one Newton step from the fit to all: s - h (y - p) / (1 - w h), w = p (1 -
/// p) (le Cessie & van Houwelingen 1992).
Matrix<double> left_out_probabilities(const Table& training, double penalty, const Matrix<double>& coefficients) {
  Matrix<double> probabilities(training.columns.rows(), coefficients.cols());
  const Vector<double> diagonal = penalties_of(training.columns, penalty, kInterceptPenalty);
  for (Index c = 0; c < coefficients.cols(); ++c) {
    const double positive = coefficients.cols() == 1 ? 1 : static_cast<double>(c);
    Vector<double> s = linear_part(training.columns, coefficients.col(c)), weights(s.size());
    for (Index i = 0; i < s.size(); ++i) weights[i] = sigmoid(s[i]) * (1 - sigmoid(s[i]));
    const Vector<double> h = leverages(training.columns, weighted_products(training.columns, weights), diagonal);
    for (Index i = 0; i < s.size(); ++i) {
      const double y = training.targets[i] == positive ? 1 : 0;
      s[i] -= h[i] * (y - sigmoid(s[i])) / (1 - weights[i] * h[i]);
    }
    probabilities.col(c) = s.unaryExpr(&sigmoid);
  }
  return divided_by_sums(std::move(probabilities));
}

Predictions predicted_classes(Index outputs, const Table& training, const Table& validation,
                              const Matrix<double>& test) {
  const Matrix<double> coefficients = best_over_penalties(
      Matrix<double>::Zero(training.columns.cols(), outputs),
      [&](double penalty, const Matrix<double>& last) { return fit_each_class(training, penalty, last); },
      [&](const Matrix<double>& b, double penalty) {
        return validation.targets.size() > 0 ? loss_of(probabilities_of(validation.columns, b), validation.targets)
                                             : loss_of(left_out_probabilities(training, penalty, b), training.targets);
      });
  return without_spread(probabilities_of(test, coefficients));
}

/// sqrt(mean squared residual); 1 where it would be 0, as for the deviation of a feature.
double residual_deviation(const Table& table, const Vector<double>& coefficients) {
  const Vector<double> left = table.targets - linear_part(table.columns, coefficients);
  const double deviation = std::sqrt(left.squaredNorm() / static_cast<double>(left.size()));
  return deviation > 0 ? deviation : 1;
}

Predictions predicted_number(const Table& training, const Table& validation, const Matrix<double>& test) {
  // The columns have mean 0, so the intercept is the mean of the targets, whatever the penalty; taken off beforehand it
  // is exact.
  const Index last = training.columns.cols() - 1;
  const double mean = training.targets.mean();
  const Vector<double> centred = training.targets.array() - mean;
  const Vector<double> right = weighted_sum(training.columns, centred);
  const Matrix<double> products = weighted_products(training.columns, Vector<double>::Ones(training.columns.rows()));
  const bool can_choose = validation.targets.size() > 0;
  const Vector<double> coefficients = best_over_penalties(
      Matrix<double>::Zero(last + 1, 1),
      [&](double penalty, const Matrix<double>&) {
        Matrix<double> b = solved(products, penalties_of(training.columns, penalty, 0), right);
        b(last, 0) = mean;
        return b;
      },
      [&](const Matrix<double>& b, double penalty) {
        if (can_choose) return (validation.targets - linear_part(validation.columns, b.col(0))).squaredNorm();
        const Vector<double> left = training.targets - linear_part(training.columns, b.col(0)),
                             h = leverages(training.columns, products, penalties_of(training.columns, penalty, 0));
        return (left.array() / (1 - h.array())).square().sum();  // exact (Allen 1974)
      });
  Predictions predictions = without_spread(linear_part(test, coefficients));
  predictions.deviation.assign(test.rows(), residual_deviation(can_choose ? validation : training, coefficients));
  return predictions;
}

void check_ridge(const Matrix<double>& values, std::span<const double> targets, const char* part, Index columns) {
  require(static_cast<Index>(targets.size()) == values.rows(), "ridge: the ", part, " part has ", values.rows(),
          " rows but ", targets.size(), " targets; each needs one.");
  require(values.rows() == 0 || values.cols() == columns, "ridge: the ", part, " part has ", values.cols(),
          " columns, but must have ", columns, ", as the training part has.");
  require(values.allFinite(), "ridge: a value of the ", part, " part is not finite.");
}

/// The parts with a known target, in columns that are comparable.
struct RidgeTables {
  Table learning, choosing;
  Matrix<double> asked;
};

RidgeTables tables_of(const RidgeParts& parts) {
  check_ridge(parts.training, parts.training_targets, "training", parts.training.cols());
  check_ridge(parts.validation, parts.validation_targets, "validation", parts.training.cols());
  check_ridge(parts.test, std::vector<double>(parts.test.rows()), "test", parts.training.cols());
  const std::vector<Index> learned = known_rows_of(parts.training_targets);
  require(!learned.empty(), "ridge: no target of the training part is known; at least one is needed.");
  const Standard standard = standard_of(parts.training, learned);
  return {table_of(parts.training, parts.training_targets, learned, standard),
          table_of(parts.validation, parts.validation_targets, known_rows_of(parts.validation_targets), standard),
          standardised(parts.test, first_numbers(parts.test.rows()), standard)};
}

}  // namespace

Predictions without_spread(Matrix<double> mean) {
  Predictions predictions;
  predictions.spread = Matrix<double>::Zero(mean.rows(), mean.cols());
  predictions.mean = std::move(mean);
  return predictions;
}

Predictions ridge_of_classes(Index outputs, const RidgeParts& parts) {
  const RidgeTables tables = tables_of(parts);
  return predicted_classes(outputs, tables.learning, tables.choosing, tables.asked);
}

Predictions ridge_of_number(const RidgeParts& parts) {
  const RidgeTables tables = tables_of(parts);
  return predicted_number(tables.learning, tables.choosing, tables.asked);
}

Predictions base_rate(const Target& target, std::span<const double> training_targets, Index rows) {
  std::vector<double> known;
  for (const double y : training_targets)
    if (!std::isnan(y)) known.push_back(y);
  require(!known.empty(), "base_rate: no target of the training part is known; at least one is needed.");
  return target.rule().base_rate(target, known, rows);
}

Predictions ridge(const Target& target, const Matrix<double>& training, std::span<const double> training_targets,
                  const Matrix<double>& validation, std::span<const double> validation_targets,
                  const Matrix<double>& test) {
  return target.rule().ridge(target, {training, training_targets, validation, validation_targets, test});
}

}  // namespace fovea::study
