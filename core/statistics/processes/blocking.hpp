#pragma once
/// The error of a mean of values that follow one another in time, and how long they remember.

#include <cstddef>
#include <vector>

namespace fovea {

/// On-line blocking (Flyvbjerg and Petersen 1989): values are averaged in blocks of 1, 2, 4, ...; the variance of the
/// mean grows with the blocks until they are independent. Keeps a few numbers for each doubling.
class Blocking {
 public:
  void add(double value);
  std::size_t count() const { return levels_.empty() ? 0 : static_cast<std::size_t>(levels_.front().count); }
  double mean() const;
  /// Standard error of the mean: the largest over the block sizes that leave at least 16 blocks. NaN below 2 values.
  double error() const;
  /// Integrated correlation time in units of the values' distance, (error / error of independent values)^2 / 2, at
  /// least 1/2; NaN below 2 values or where all are equal.
  double correlation_time() const;

  /// What there is, as numbers, and back.
  std::vector<double> state() const;
  void restore(const std::vector<double>& state);

 private:
  struct Level {
    double count = 0, sum = 0, squares = 0;
    double waiting = 0;  ///< half of the next block
    double has_waiting = 0;
  };
  static double variance_of_mean(const Level& level);
  std::vector<Level> levels_;
};

}  // namespace fovea
