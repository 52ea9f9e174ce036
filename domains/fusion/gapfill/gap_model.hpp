#pragma once
/// Fills a gap by attention over the visible pixels of the same date.
///
/// With x a pixel's columns (gap_columns.hpp), L its interpolation in time and B a ridge regression of what is beside
/// it, fitted on the visible pixels of the date alone, a hidden pixel i is
///   y_i = L_i + B x_i + sum_j w_ij (y_j - L_j - B x_j),   w_ij = softmax_j(-sum_c (x_ic - x_jc)^2 / (2 h_c^2))
/// over the visible pixels j (Nadaraya 1964; Watson 1964; Hoerl & Kennard 1970). The widths h are learned.

#include <span>
#include <vector>

#include "fovea/core/learning/training/residual_attention.hpp"
#include "fovea/domains/fusion/gapfill/gap_columns.hpp"

namespace fovea::fusion::gapfill {

struct GapMember {
  double ridge = 0.3;             ///< penalty of B, times the number of visible pixels
  std::vector<float> log_widths;  ///< log h
};

struct GapModel {
  ColumnPlan plan;
  std::vector<GapMember> members;    ///< what they say is averaged
  std::vector<double> scale, floor;  ///< of each band: spread = scale sqrt(weighted variance + floor)
  std::vector<double> alone;         ///< of each band: root mean square error of L, where there is nothing to attend to
  /// Dates with a smaller clear share are no help: what is called clear there is often thin cloud. Their gaps are
  /// interpolated.
  double trusted = 0.2;
  Index most_keys = 4096;  ///< of more visible pixels an even choice is taken
};

/// The model without the bands that a stack lacks, in the stack's order: pixels are compared by what is there. Throws
/// DataError for a band that the model did not learn, and for S1 bands other than its own.
GapModel for_bands_of(const GapModel& model, const ImageStack& stack);

inline constexpr Index kFewestKeys = 20;  ///< below them L alone is the answer

struct FilledGap {
  Matrix<float> values, spread;  ///< [hidden pixels x bands]
};

/// `visible`: of the date; those that the frame knows are keys. Hidden pixels must be known to the frame.
FilledGap fill_gap(const GapModel& model, const ImageStack& stack, const Matrix<float>& seasons, Index date,
                   const Frame& frame, std::span<const Index> visible, std::span<const Index> hidden);

/// A date of the stack, filled.
struct FilledDate {
  Matrix<float> image;        ///< [pixels x bands]: seen values unchanged, NaN where nothing is known
  std::vector<Index> hidden;  ///< pixels that were filled
  Matrix<float> spread;       ///< [hidden x bands]
};
/// Every pixel that is not usable is filled from the nearest trusted dates before and after on which it is.
FilledDate filled_date(const GapModel& model, const ImageStack& stack, const Matrix<float>& seasons,
                       const std::vector<Flags>& usable, Index date);

/// What attention is given for a hole: rows of hidden pixels, keys and what is left of them, L + B x of the hidden.
struct GapTensors {
  learning::ResidualLesson<float> residuals;
  Matrix<float> base;
};
GapTensors gap_tensors(const ImageStack& stack, const Matrix<float>& columns, double ridge, Index date,
                       const Frame& frame, std::span<const Index> visible, std::span<const Index> hidden);

/// Those of the pixels that the frame knows, at most so many, evenly chosen.
std::vector<Index> known_pixels(const Frame& frame, std::span<const Index> pixels, Index most);

/// What members say of the same hidden pixels, averaged: the variance is their mean one and that between them.
class GapMixture {
 public:
  /// said: what learning::attended_residuals() gave
  void add(const Matrix<float>& base, const Matrix<float>& said);
  Matrix<float> values() const;    ///< [queries x bands]
  Matrix<float> variance() const;  ///< the same

 private:
  Matrix<float> first_, sum_, squares_, variances_;  ///< sums of differences from what the first said
  float count_ = 0;
};

}  // namespace fovea::fusion::gapfill
