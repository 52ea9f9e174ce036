#include "fovea/core/linear/partial_correlation.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "fovea/core/base/error.hpp"
#include "fovea/core/statistics/distributions/tails.hpp"

namespace fovea {

namespace {

constexpr double kDependent = 1e-12;  // of a column's square: a hundred times the rounding of a well-conditioned G

/// Four sums side by side, added in one order.
double dot_of(const double* a, const double* b, std::size_t count) {
  double sums[4] = {};
  std::size_t k = 0;
  for (; k + 4 <= count; k += 4)
    for (std::size_t lane = 0; lane < 4; ++lane) sums[lane] += a[k + lane] * b[k + lane];
  for (std::size_t lane = 0; k < count; ++k, ++lane) sums[lane] += a[k] * b[k];
  return (sums[0] + sums[1]) + (sums[2] + sums[3]);
}

}  // namespace

ConditioningSet::Projection ConditioningSet::project(Index column) const {
  Projection found{column, std::vector<double>(columns_.size()), 0};
  const double* row = factor_.data();
  for (std::size_t r = 0; r < columns_.size(); row += ++r)
    found.onto[r] = ((*products_)(columns_[r], column) - dot_of(row, found.onto.data(), r)) / row[r];
  const double whole = (*products_)(column, column);
  const double rest = whole - dot_of(found.onto.data(), found.onto.data(), found.onto.size());
  found.left = rest > kDependent * whole ? rest : 0.0;
  return found;
}

bool ConditioningSet::append(Index column) {
  const Projection projection = project(column);
  if (projection.left == 0) return false;
  factor_.insert(factor_.end(), projection.onto.begin(), projection.onto.end());
  factor_.push_back(std::sqrt(projection.left));
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
  const auto start = [](Index r) { return r * (r + 1) / 2; };
  columns_.erase(at);
  factor_.erase(factor_.begin() + start(gone), factor_.begin() + start(gone + 1));
  // each later row has one number too many: rotations of two neighbouring columns take it away, row by row
  const auto entry = [&](Index r, Index k) -> double& {  // of row r, which had r + 2 numbers
    return factor_[start(r + 1) - (gone + 1) + k];
  };
  for (Index r = gone; r < rank(); ++r) {
    const double a = entry(r, r), b = entry(r, r + 1), length = std::hypot(a, b), c = a / length, s = b / length;
    for (Index k = r; k < rank(); ++k) {
      const double x = entry(k, r), y = entry(k, r + 1);
      entry(k, r) = c * x + s * y;
      entry(k, r + 1) = c * y - s * x;
    }
  }
  for (Index r = gone; r < rank(); ++r)  // rows close up, the first one first
    std::copy_n(&entry(r, 0), r + 1, factor_.data() + start(r));
  factor_.resize(start(rank()));
  std::erase_if(dependent_, [&](Index other) { return append(other); });
}

void ConditioningSet::clear() {
  columns_.clear();
  dependent_.clear();
  factor_.clear();
}

double ConditioningSet::residual_product(const Projection& x, const Projection& y) const {
  if (x.left == 0 || y.left == 0) return 0;
  return (*products_)(x.column, y.column) - dot_of(x.onto.data(), y.onto.data(), x.onto.size());
}

double ConditioningSet::partial_correlation(const Projection& x, const Projection& y) const {
  if (x.left == 0 || y.left == 0) return 0;
  return std::clamp(residual_product(x, y) / (std::sqrt(x.left) * std::sqrt(y.left)), -1.0, 1.0);
}

double partial_correlation(const Matrix<double>& products, Index x, Index y, std::span<const Index> given) {
  ConditioningSet set(products);
  for (const Index column : given)
    if (!set.contains(column)) set.join(column);
  return set.partial_correlation(x, y);
}

double student_t(double correlation, double degrees) {
  const double rest = (1 - correlation) * (1 + correlation);
  return rest > 0 ? correlation * std::sqrt(degrees / rest)
                  : std::copysign(std::numeric_limits<double>::infinity(), correlation);
}

CorrelationTest test_correlation(double correlation, Index rows, Index conditions) {
  require(std::abs(correlation) <= 1, "test_correlation: the correlation is ", correlation,
          ", but must be in [-1, 1].");
  CorrelationTest test{correlation, 0, 1, rows - 2 - conditions};
  if (test.degrees < 1) return test;
  const auto degrees = static_cast<double>(test.degrees);
  test.t = student_t(correlation, degrees);
  test.p_value = student_two_sided(test.t, degrees);
  return test;
}

}  // namespace fovea
