#include "fovea/domains/lag/attention/confirmation.hpp"

#include <algorithm>
#include <cmath>

#include "fovea/core/statistics/distributions/tails.hpp"

namespace fovea::lag::attention {

TargetRows::TargetRows(const KeyProducts& products, const datasets::series::SeriesTable& table,
                       const std::vector<Index>& lags, Index target)
    : products_(products), columns_(products.columns()), lags_(lags), target_(target) {
  for (const Index t : steps_with_past(table, lags.back()))
    if (!std::isnan(table.values(t, target))) steps_.push_back(t);
}

Eigen::VectorXd TargetRows::at(Index column, Index lag) const {
  Eigen::VectorXd x(count());
  for (Index r = 0; r < count(); ++r) x[r] = columns_(steps_[r] - lag, column);
  if (count() > 0) x.array() -= x.mean();
  return x;
}

Eigen::VectorXd TargetRows::of(const Vector<double>& course, Index lag) const {
  Eigen::VectorXd x(count());
  for (Index r = 0; r < count(); ++r) x[r] = course[steps_[r] - lag];
  x.array() -= x.mean();
  return x;
}

Eigen::VectorXd TargetRows::second(const SecondKey& key) const {
  const auto value = [&](Index source, Index place) { return at(products_.pulled_column(source), lags_[place]); };
  Eigen::VectorXd x = value(key.source, key.place);
  if (key.form == SecondForm::product) {
    x.array() *= value(key.other, key.other_place).array();
  } else {
    const SecondShape shape{key.form, key.frequency};
    x = x.unaryExpr([&shape](double z) { return shape.at(z); });
  }
  x.array() -= x.mean();
  return x;
}

Eigen::VectorXd TargetRows::key(Index number) const {
  const Index width = columns_.cols();
  return at(number % width, lags_[number / width]);
}

namespace {

/// Past values, then others at the target's own step, then second keys.
Eigen::MatrixXd columns_given(const TargetRows& rows, const std::vector<Index>& conditions,
                              const std::vector<Index>& within, const std::vector<SecondKey>& seconds) {
  Eigen::MatrixXd x(rows.count(), std::ssize(conditions) + std::ssize(within) + std::ssize(seconds));
  Index c = 0;
  for (const Index key : conditions) x.col(c++) = rows.key(key);
  for (const Index series : within) x.col(c++) = rows.within(series);
  for (const SecondKey& key : seconds) x.col(c++) = rows.second(key);
  return x;
}

}  // namespace

RowsGiven rows_given(const TargetRows& rows, const std::vector<Index>& keys, Index held,
                     const std::vector<Index>& within, const std::vector<SecondKey>& seconds) {
  return {keys, within, seconds, held, RowConditions(columns_given(rows, keys, within, seconds))};
}

Confirmation::Confirmation(const TargetRows& rows, const RowsGiven& given)
    : rows_(rows), given_(given), target_(given.columns.fit_target(rows.target())) {}

RowsTest Confirmation::test(Index key) const {
  const auto place = std::find(given_.keys.begin(), given_.keys.end(), key);
  const Index degrees = given_.degrees(rows_.count());
  return place != given_.keys.end() ? given_.columns.test_condition(target_, place - given_.keys.begin(), degrees + 1)
                                    : given_.columns.test(target_, rows_.key(key), degrees);
}

/// Takes over the test on the rows where it is the weaker.
void Confirmation::weaken(ContentTests& tests, Content content, Index key) const {
  CorrelationTest& test = tests.of(content);
  if (test.degrees < 1) return;
  const RowsTest rows = this->test(key);
  if (rows.p_value <= test.p_value) return;
  test.t = rows.t;
  test.p_value = rows.p_value;
  tests.decider(content) = rows.decided;
}

void Confirmation::weaken(SecondTest& second) const {
  const auto place = std::find_if(given_.seconds.begin(), given_.seconds.end(),
                                  [&](const SecondKey& key) { return key.same(second.key); });
  const Index degrees = given_.degrees(rows_.count());
  if (degrees < 1) return;
  const Index first = std::ssize(given_.keys) + std::ssize(given_.within);
  const RowsTest rows =
      place != given_.seconds.end()
          ? given_.columns.test_condition(target_, first + (place - given_.seconds.begin()), degrees + 1)
          : given_.columns.test(target_, rows_.second(second.key), degrees);
  const double p = std::min(rows.p_value * second.trials, 1.0);
  if (p <= second.p_value) return;
  second.t = rows.t;
  second.p_value = p;
  second.log10_p = log10_student_two_sided(rows.t, static_cast<double>(degrees)) + std::log10(second.trials);
}

}  // namespace fovea::lag::attention
