#pragma once
/// What the attention over the past looks at: keys (source, lag, content), their products, and gaps filled.

#include <array>
#include <memory>
#include <utility>
#include <vector>

#include "fovea/core/linear/product_rows.hpp"
#include "fovea/datasets/series/series.hpp"
#include "fovea/domains/lag/attention/held_fixed.hpp"

namespace fovea::lag::attention {

/// What a key holds of x_i(t - lag): the value, the value bent, or the value with outliers pulled in.
enum class Content { plain, bent, pulled };
constexpr Index kContents = 3;
constexpr std::array<Content, kContents> kAllContents = {Content::plain, Content::bent, Content::pulled};

/// Values further than 4 robust deviations (1.4826 times the median absolute one) from the median are pulled there: the
/// product of two outliers is no correlation (Huber 1981). NaN stays; a series of which half the values are equal too.
void pull_in_outliers(Eigen::Ref<Vector<double>> x);

/// Series with every cell filled, block by block, each column in units of its standard deviation about its mean: plain,
/// the values themselves, because the peaks of a river or of rain are what acts; bent, (z^2 - 1) / sqrt 2 of the normal
/// scores z of the ranks (second Hermite polynomial: uncorrelated with z); pulled, outliers pulled in to 4 robust
/// deviations, and 0 where there are none. steps x (3 * series). A constant series is 0.
/// What `held` explains is taken out of the series first, and of both contents.
Eigen::MatrixXd content_columns(const Matrix<double>& filled, const HeldFixed& held = {});

/// The plain contents alone.
Eigen::MatrixXd plain_columns(const Matrix<double>& filled);

/// The table's values, each gap bridged by a straight line inside its recording (ends: the nearest value; a recording
/// without any: the series' mean).
Matrix<double> bridged(const datasets::series::SeriesTable& table);

/// The linear forecast of one series: x_j(t) = mean + sum over terms of coefficient (x_source(t - lag) - mean_source).
struct ForecastTerm {
  Index source, lag;
  double coefficient;
};

/// Every gap of every series by its conditional mean under its own forecast: given the sources' past, and its own
/// later values as far as its own lags reach, but never by what it may cause in another series, so that no test of its
/// effects sees its own outcome. A few sweeps in place.
void fill_by_forecast(Matrix<double>& filled, const datasets::series::SeriesTable& table,
                      const std::vector<std::vector<ForecastTerm>>& forecasts);

/// Whether the products of so many keys, of so many rows, are made when they are asked for: by KeyProducts.
bool products_on_demand(double keys, double rows);

/// Products of all keys for the targets, about the means of the rows, scaled so that a column's square is the number
/// of rows (0 for a constant). Key number: (place of the lag * kContents + content) * series + source.
class KeyProducts {
 public:
  /// columns: of content_columns; the table must outlive this. A target's rows are those where table has its value and
  /// every lag stays inside the recording. Throws ArgumentError where a recording is not longer than the longest lag in
  /// any recording. held: rank of what was taken out of the columns.
  KeyProducts(Eigen::MatrixXd columns, const datasets::series::SeriesTable& table, const std::vector<Index>& lags,
              Index held = 0);

  struct Of {
    std::unique_ptr<ProductRows> keys;
    Vector<double> with_target;
    double target_square = 0;  ///< rows, or 0 for a constant
    Index rows = 0;
    bool shared = false;  ///< the keys' products are those of all targets without gaps
  };
  /// Of one target. Those without gaps share the keys' products; else, and where keys are more than rows and their
  /// products too many to be kept, rows of products are made when they are asked for.
  Of of(Index target) const;
  const Eigen::MatrixXd& columns() const { return columns_; }
  /// The products that targets without gaps share.
  std::unique_ptr<ProductRows> shared() const;

  /// Of a key's column and the target's, products of their autocorrelations one step on, r = max(r_key r_target, 0):
  /// n rows tell of their correlation as much as n (1 - r) / (1 + r) independent ones (Bayley & Hammersley 1946).
  double effective_rows(Index source, Content content, Index target, Index rows) const;

  /// Rows that count for tests: less one for each condition that is held fixed.
  Index free_rows(Index rows) const { return rows - held_; }

  /// Whether a content of a source holds anything: a constant does not, nor does `pulled` without outliers.
  bool holds(Index source, Content content) const {
    return holds_[static_cast<Index>(content) * series_ + source] != 0;
  }

  /// Of columns(): a source's values with outliers pulled in, where it has any.
  Index pulled_column(Index source) const {
    return source + (holds(source, Content::pulled) ? static_cast<Index>(Content::pulled) * series_ : 0);
  }

  Index keys() const { return static_cast<Index>(lags_.size()) * kContents * series_; }
  Index key(Index source, std::size_t lag_place, Content content) const {
    return (static_cast<Index>(lag_place) * kContents + static_cast<Index>(content)) * series_ + source;
  }

 private:
  /// Products of all keys, and of all targets with all keys.
  void multiply_all();
  /// The same of targets alone, and the keys at all steps, from which the others can be made.
  void keep_rows();
  /// The keys, and last the target, at some steps, as they are in the products.
  Matrix<double> keys_and_target_at(const std::vector<Index>& steps, Index target) const;

  Eigen::MatrixXd columns_;
  const datasets::series::SeriesTable& table_;
  std::vector<Index> lags_, steps_;  ///< steps_: rows with all of their past
  Index series_, held_;
  Matrix<double> shared_, with_targets_;   ///< over all of steps_: keys x keys, targets x keys
  std::unique_ptr<PartProducts> of_rows_;  ///< instead of shared_, where that would be too large
  Vector<double> target_squares_;
  Vector<double> means_, scales_;    ///< (x - mean) scale is a column of those products: targets, then keys
  std::vector<char> holds_;          ///< of each content column
  Vector<double> autocorrelations_;  ///< of each content column, one step on
};

/// First and one past the last step of each recording.
std::vector<std::pair<Index, Index>> recordings_of(const datasets::series::SeriesTable& table);

/// The steps whose recording reaches `longest` steps back.
std::vector<Index> steps_with_past(const datasets::series::SeriesTable& table, Index longest);

}  // namespace fovea::lag::attention
