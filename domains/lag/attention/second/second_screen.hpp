#pragma once
/// Which second keys are worth a test: sums of all of them with what is left of a target, in single precision.

#include <array>
#include <utility>
#include <vector>

#include "fovea/domains/lag/attention/learned.hpp"
#include "fovea/domains/lag/attention/second/second_key.hpp"

namespace fovea::lag::attention {

struct Candidate {
  SecondKey key;
  double weight = 0;  ///< prior, of all second keys 1
  float score = 0;    ///< t^2 / 2 + log weight
};

/// All second keys of a table: bumps and waves of every (source, lag), cosines and sines of every
/// source at as many of the shortest lags as take 1e8 multiplications for all targets, products of as many (source,
/// lag) as take 5e8 multiplications for all targets, shortest lags first (at least one of every series, else none), and
/// of conditions.
class Screen {
 public:
  /// learned, table and settings must outlive this.
  Screen(const Learned& learned, const datasets::series::SeriesTable& table, const methods::LagSettings& settings,
         Index targets);

  Index all_keys() const { return series_ * std::ssize(settings_.lags); }
  Index keys() const { return keys_; }  ///< of whose products all are candidates
  Index most() const { return most_; }  ///< candidates of one target

  /// Of each bump and wave, and of each cosine and sine.
  double single_weight(SecondForm form) const;
  double nearest_weight() const;
  /// Of each product that is not of two series at the shortest lag.
  double further_weight(Index conditions) const;
  /// Of all second keys of one (source, lag).
  double weight_of(Index place, Index conditions) const;

  /// The most promising first. left: what is left of the target, one value a step from the longest lag on, 0 where
  /// there is none; conditions: of the target, as (series, place of the lag).
  std::vector<Candidate> best(const Eigen::VectorXf& left, Index target,
                              const std::vector<std::pair<Index, Index>>& conditions) const;

 private:
  void add_singles(std::vector<Candidate>& found, const Eigen::VectorXf& left, Index target) const;
  void add_products(std::vector<Candidate>& found, const Eigen::VectorXf& left, Index target,
                    const std::vector<std::pair<Index, Index>>& conditions) const;
  bool is_allowed(Index cause, Index place, Index effect) const {
    return !settings_.allowed || settings_.allowed(cause, effect, settings_.lags[place]);
  }
  Eigen::VectorXf before(const Eigen::MatrixXf& courses, Index series, Index place) const {
    return courses.col(series).segment(longest_ - settings_.lags[place], rows_);
  }

  const methods::LagSettings& settings_;
  Index series_, longest_, rows_, turning_ = 0, keys_ = 0, most_ = 0;  ///< turning_: lags at which turns are candidates
  Eigen::MatrixXf values_, past_, norms_;
  std::array<Eigen::MatrixXf, kShapes.size()> singles_;
};

}  // namespace fovea::lag::attention
