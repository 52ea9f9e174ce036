#include "fovea/core/linear/partial_correlation.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "fovea/core/error.hpp"
#include "fovea/core/statistics/tails.hpp"

namespace fovea {

namespace {

constexpr double kDependent = 1e-12;  // of a column's square: a hundred times the rounding of a well-conditioned G

}  // namespace

std::vector<double> ConditioningSet::projected(Index column) const {
  std::vector<double> w(columns_.size());
  for (std::size_t r = 0; r < w.size(); ++r) {
    double sum = (*products_)(columns_[r], column);
    const double* row = rows_[r].data();
    for (std::size_t k = 0; k < r; ++k) sum -= row[k] * w[k];
    w[r] = sum / row[r];
  }
  return w;
}

double ConditioningSet::left(Index column, const std::vector<double>& projection) const {
  const double whole = (*products_)(column, column);
  double rest = whole;
  for (const double part : projection) rest -= part * part;
  return rest > kDependent * whole ? rest : 0.0;
}

bool ConditioningSet::append(Index column) {
  std::vector<double> row = projected(column);
  const double rest = left(column, row);
  if (!(rest > 0)) return false;
  row.push_back(std::sqrt(rest));
  rows_.push_back(std::move(row));
  columns_.push_back(column);
  return true;
}

bool ConditioningSet::contains(Index column) const {
  return std::find(columns_.begin(), columns_.end(), column) != columns_.end() ||
         std::find(dependent_.begin(), dependent_.end(), column) != dependent_.end();
}

bool ConditioningSet::join(Index column) {
  require(column >= 0 && column < products_->rows(), "ConditioningSet: column ", column, " must be in [0, ",
          products_->rows(), ").");
  require(!contains(column), "ConditioningSet: column ", column, " is in the set already.");
  const bool counts = append(column);
  if (!counts) dependent_.push_back(column);
  return counts;
}

void ConditioningSet::leave(Index column) {
  if (const auto at = std::find(dependent_.begin(), dependent_.end(), column); at != dependent_.end()) {
    dependent_.erase(at);
    return;
  }
  const auto at = std::find(columns_.begin(), columns_.end(), column);
  require(at != columns_.end(), "ConditioningSet: column ", column, " is not in the set.");
  const Index gone = at - columns_.begin();
  columns_.erase(at);
  rows_.erase(rows_.begin() + gone);
  // each later row has one number too many: rotations of two neighbouring columns take it away, row by row
  for (Index r = gone; r < rank(); ++r) {
    const double a = factor(r, r), b = factor(r, r + 1), length = std::hypot(a, b), c = a / length, s = b / length;
    for (Index k = r; k < rank(); ++k) {
      const double x = factor(k, r), y = factor(k, r + 1);
      factor(k, r) = c * x + s * y;
      factor(k, r + 1) = c * y - s * x;
    }
    rows_[static_cast<std::size_t>(r)].pop_back();
  }
  std::erase_if(dependent_, [&](Index other) { return append(other); });
}

void ConditioningSet::clear() {
  columns_.clear();
  dependent_.clear();
  rows_.clear();
}

double ConditioningSet::residual_product(Index x, Index y) const {
  const std::vector<double> of_x = projected(x), of_y = projected(y);
  if (left(x, of_x) == 0 || left(y, of_y) == 0) return 0;
  double rest = (*products_)(x, y);
  for (std::size_t k = 0; k < of_x.size(); ++k) rest -= of_x[k] * of_y[k];
  return rest;
}

double ConditioningSet::partial_correlation(Index x, Index y) const {
  const std::vector<double> of_x = projected(x), of_y = projected(y);
  const double left_of_x = left(x, of_x), left_of_y = left(y, of_y);
  if (left_of_x == 0 || left_of_y == 0) return 0;
  double rest = (*products_)(x, y);
  for (std::size_t k = 0; k < of_x.size(); ++k) rest -= of_x[k] * of_y[k];
  return std::clamp(rest / (std::sqrt(left_of_x) * std::sqrt(left_of_y)), -1.0, 1.0);
}

double partial_correlation(const Matrix<double>& products, Index x, Index y, std::span<const Index> given) {
  ConditioningSet set(products);
  for (const Index column : given)
    if (!set.contains(column)) set.join(column);
  return set.partial_correlation(x, y);
}

CorrelationTest test_correlation(double correlation, Index rows, Index conditions) {
  require(std::abs(correlation) <= 1, "test_correlation: the correlation is ", correlation,
          ", but must be in [-1, 1].");
  CorrelationTest test{correlation, 0, 1, rows - 2 - conditions};
  if (test.degrees < 1) return test;
  const auto degrees = static_cast<double>(test.degrees);
  const double rest = (1 - correlation) * (1 + correlation);
  test.t = rest > 0 ? correlation * std::sqrt(degrees / rest)
                    : std::copysign(std::numeric_limits<double>::infinity(), correlation);
  test.p_value = student_two_sided(test.t, degrees);
  return test;
}

}  // namespace fovea
