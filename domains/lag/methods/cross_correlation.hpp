#pragma once
/// Cross-correlations and what they are by chance.

#include <functional>
#include <span>
#include <vector>

#include "fovea/core/linear/partial_correlation.hpp"
#include "fovea/domains/lag/methods/findings.hpp"

namespace fovea::lag::methods {

/// sum over all k of (1 - |k| / n) rho_x(k) rho_y(k): by how much the variance of the cross-correlation of two
/// independent series of n steps exceeds 1 / n (Bartlett 1946), so n / excess is how many pairs they are worth. At
/// least 0.2, so that chance does not promise more than five times the steps. rho: from lag 0, as many of both.
double variance_excess(std::span<const double> rho_x, std::span<const double> rho_y, Index n);

/// The series of a table (steps x series) one after the other in memory.
class SeriesColumns {
 public:
  explicit SeriesColumns(const Matrix<double>& values) : columns_(values.transpose()) {}
  std::span<const double> of(Index series) const {
    return {columns_.row(series).data(), static_cast<std::size_t>(columns_.cols())};
  }

 private:
  Matrix<double> columns_;  // series x steps
};

/// The correlation r of cause(t - lag) and effect(t) over the rows that have both (NaN: none), and its test: Student's
/// t with rows / excess - 2 degrees of freedom; p = 1 where those are fewer than 1, or where a series is constant.
/// excess: variance_excess() of the two; 1 where one of them is noise.
CorrelationTest cross_correlation(std::span<const double> cause, std::span<const double> effect,
                                  std::span<const Index> recording_starts, Index lag, double excess);

/// The same for many links, bit for bit: where all is one recording and cells are missing at its beginning at most,
/// what links of one lag share is summed once, and four links side by side.
class CrossCorrelations {
 public:
  /// One span a series, all of the same length; they must outlive this.
  CrossCorrelations(std::vector<std::span<const double>> series, std::span<const Index> recording_starts);

  /// Enters the test of each link; excess: of a link, as in cross_correlation(). Tells the meter 1 a link.
  void test(const std::vector<Link*>& links, const std::function<double(const Link&)>& excess,
            SearchMeter& meter) const;

 private:
  void test_at_lag(const std::vector<Link*>& links, const std::function<double(const Link&)>& excess) const;
  bool is_whole(const Link& link) const;

  std::vector<std::span<const double>> series_;
  std::span<const Index> recording_starts_;
  std::vector<Index> known_from_;  ///< first step without gaps behind it; -1: there are some
};

}  // namespace fovea::lag::methods
