#pragma once
/// Sums of a Gaussian kernel by boxes. Internal to core/attention/fast.

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "fovea/core/attention/fast/box_moments.hpp"
#include "fovea/core/base/memory.hpp"

namespace fovea::fast {

/// Boxes of at most half of sqrt(T), kernel and sums as Taylor series about their centres: with D the distance of two
/// centres in units of sqrt(T), and both halves of their width a / 2,
///   exp(-(D + a (t - s) / 2)^2 / 2) = sum_n (a/2)^n (t - s)^n He_n(D) exp(-D^2/2) (-1)^n / n!
/// (Abramowitz & Stegun 1964, 22.9.17), where (t - s)^n falls apart into powers of t and of s.
class LineBoxes {
 public:
  explicit LineBoxes(const Ranks& ranks) : ranks_(ranks), moments_(ranks) {}
  /// Whether there are so few boxes for so many points, of all ranks, that they pay. Each rank says the same.
  bool suit(const LineKeys& keys, Range queries, Index query_count, double temperature);
  /// weight_sums and value_sums of gaussian_sums(), as suit() has seen the arguments; without weight_sums their
  /// quotients instead of value_sums. Returns the places of the queries
  /// for which they are not exact to kVouched of the weight, such as one far from every key.
  std::vector<Index> sums(std::span<const double> queries, const LineKeys& keys, std::span<double> weight_sums,
                          std::span<double> value_sums);

  /// After sums() of the same arguments, for some of this rank's queries, and a call of every rank: by boxes a quarter
  /// as wide, in which the kernel is a series that loses nothing, however little a query hears. Returns those that are
  /// left, such as one far from every key; all where keys are one block, or not equally strong.
  std::vector<Index> close_sums(std::span<const double> queries, const LineKeys& keys, std::vector<Index> places,
                                std::span<double> weight_sums, std::span<double> value_sums);

  static constexpr double kVouched = 1e-14;

 private:
  void prepare_matrices(double temperature);
  void spread();
  void bound_errors();
  /// The sums of one query over a row of narrow boxes: of weights and of values.
  std::pair<double, double> close_sum(const BoxRow& row, double x) const;

  const Ranks& ranks_;
  double temperature_ = 0, width_ = 0, ratio_ = 0;  ///< ratio: width / sqrt(T)
  Index reach_ = 0;                                 ///< boxes on each side that are heard
  BoxRow key_row_{}, query_row_{};
  Index block_ = 0, blocks_ = 0;  ///< keys of a block, and how many blocks all ranks have
  BoxMoments moments_;
  Index field_shift_ = 0;  ///< key box of the first query box
  AlignedVector<double> matrices_, fields_, errors_, least_, masses_;
};

}  // namespace fovea::fast
