#pragma once
/// The tests of links once more on the rows themselves (row_tests.hpp): a link is as significant as the weakest says.

#include "fovea/domains/lag/attention/row_tests.hpp"
#include "fovea/domains/lag/attention/target.hpp"

namespace fovea::lag::attention {

/// Rows of a target: those where it is known and every lag stays inside the recording.
class TargetRows {
 public:
  /// products and lags must outlive this.
  TargetRows(const KeyProducts& products, const datasets::series::SeriesTable& table, const std::vector<Index>& lags,
             Index target);
  /// About their means: a key, numbered as in KeyProducts; a series at the target's own step; the target.
  Eigen::VectorXd key(Index number) const;
  Eigen::VectorXd within(Index series) const { return at(series, 0); }
  Eigen::VectorXd target() const { return at(target_, 0); }
  /// A key of the second stage, about its mean.
  Eigen::VectorXd second(const SecondKey& key) const;
  /// Of another course, one value a step of the table, `lag` steps before.
  Eigen::VectorXd of(const Vector<double>& course, Index lag) const;
  Index count() const { return static_cast<Index>(steps_.size()); }
  const std::vector<Index>& steps() const { return steps_; }

 private:
  Eigen::VectorXd at(Index column, Index lag) const;
  const KeyProducts& products_;
  const Eigen::MatrixXd& columns_;
  const std::vector<Index>& lags_;
  Index target_;
  std::vector<Index> steps_;
};

/// Keys, series at the target's own step, and keys of the second stage, given which is tested. Targets of the same rows
/// can share them.
struct RowsGiven {
  std::vector<Index> keys, within;
  std::vector<SecondKey> seconds;
  Index held = 0;  ///< conditions that were taken out of all columns before
  RowConditions columns;
  /// Degrees of freedom of a key's t; of one of the conditions one more.
  Index degrees(Index rows) const { return rows - 2 - held - columns.count(); }
};
RowsGiven rows_given(const TargetRows& rows, const std::vector<Index>& keys, Index held,
                     const std::vector<Index>& within = {}, const std::vector<SecondKey>& seconds = {});

class Confirmation {
 public:
  /// rows and given must outlive this.
  Confirmation(const TargetRows& rows, const RowsGiven& given);

  /// Where rows_test is less significant than the test of a content, that becomes it.
  void weaken(ContentTests& tests, Content content, Index key) const;
  /// The test of a key on the rows.
  RowsTest test(Index key) const;
  /// The same of the second stage.
  void weaken(SecondTest& test) const;

 private:
  const TargetRows& rows_;
  const RowsGiven& given_;
  RowConditions::TargetFit target_;
};

}  // namespace fovea::lag::attention
