#include "fovea/domains/lag/attention/confirmation.hpp"

#include <algorithm>
#include <cmath>

#include "fovea/core/statistics/distributions/tails.hpp"

namespace fovea::lag::attention {

TargetRows::TargetRows(const KeyProducts& products, const datasets::series::SeriesTable& table,
                       const std::vector<Index>& lags, Index target)
    : columns_(products.one_by_one()), lags_(lags), target_(target) {
  for (const Index t : steps_with_past(table, lags.back()))
    if (!std::isnan(table.values(t, target))) steps_.push_back(t);
}

Eigen::VectorXd TargetRows::at(Index column, Index lag) const {
  Eigen::VectorXd x(count());
  for (Index r = 0; r < count(); ++r) x[r] = columns_(steps_[r] - lag, column);
  x.array() -= x.mean();
  return x;
}

Eigen::VectorXd TargetRows::of(const Vector<double>& course, Index lag) const {
  Eigen::VectorXd x(count());
  for (Index r = 0; r < count(); ++r) x[r] = course[steps_[r] - lag];
  x.array() -= x.mean();
  return x;
}

Eigen::VectorXd TargetRows::key(Index number) const {
  const Index width = columns_.cols();
  return at(number % width, lags_[number / width]);
}

namespace {

/// Past values, then others at the target's own step.
Eigen::MatrixXd columns_given(const TargetRows& rows, const std::vector<Index>& conditions,
                              const std::vector<Index>& within) {
  Eigen::MatrixXd x(rows.count(), std::ssize(conditions) + std::ssize(within));
  Index c = 0;
  for (const Index key : conditions) x.col(c++) = rows.key(key);
  for (const Index series : within) x.col(c++) = rows.within(series);
  return x;
}

}  // namespace

RowsGiven rows_given(const TargetRows& rows, const std::vector<Index>& keys, Index held,
                     const std::vector<Index>& within) {
  return {keys, within, held, RowConditions(columns_given(rows, keys, within))};
}

Confirmation::Confirmation(const TargetRows& rows, const RowsGiven& given)
    : rows_(rows), given_(given), target_(given.columns.fit_target(rows.target())) {}

/// Takes over the test on the rows where it is the weaker.
void Confirmation::weaken(ContentTests& tests, Content content, Index key) const {
  CorrelationTest& test = tests.of(content);
  if (test.degrees < 1) return;
  const auto place = std::find(given_.keys.begin(), given_.keys.end(), key);
  const bool condition = place != given_.keys.end();
  const RowConditions& given = given_.columns;
  const Index degrees = given_.degrees(rows_.count());
  const RowsTest rows = condition ? given.test_condition(target_, place - given_.keys.begin(), degrees + 1)
                                  : given.test(target_, rows_.key(key), degrees);
  if (rows.p_value <= test.p_value) return;
  test.t = rows.t;
  test.p_value = rows.p_value;
  tests.decider(content) = rows.decided;
}

}  // namespace fovea::lag::attention
