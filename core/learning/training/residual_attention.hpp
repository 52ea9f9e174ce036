#pragma once
/// Residual attention: what a first guess misses here is the weighted mean of what it misses at similar places
/// (Nadaraya 1964; Watson 1964),
///   r_i = sum_j w_ij r_j,   w_ij = softmax_j(-sum_c (x_ic - x_jc)^2 / (2 h_c^2)),
/// whose widths h are learned by gradient on places where the guess is examined.

#include <span>
#include <vector>

#include "fovea/core/learning/training/training_series.hpp"

namespace fovea::learning {

/// Rows of queries and keys, compared column by column; residuals of the keys and, where they are known, of the
/// queries.
template <typename Real>
struct ResidualLesson {
  Matrix<Real> queries, keys, left, wanted;
};

/// The weighted mean and variance of the residuals over the keys: [queries x 2 columns of left]. log_sum_exp, where it
/// is asked for: of the scores of each query.
template <typename Real>
Matrix<Real> attended_residuals(const ResidualLesson<Real>& lesson, const std::vector<Real>& log_widths,
                                Matrix<Real>* log_sum_exp = nullptr);

/// How widths are learned. The loss of a lesson is the log of its mean squared error, of which the mean PSNR is the
/// mean.
struct WidthPlan {
  std::vector<float> log_widths;  ///< at first, one for each column, or for each group
  std::vector<Index> groups;      ///< of each column; empty: a width each
  Index epochs = 8, batch = 4;
  double learning_rate = 0.05;
  float least_square = 1e-8F;  ///< added to the mean squared error
};

struct LearnedWidths {
  std::vector<float> log_widths;  ///< of each column
  TrainingReport report;
};

/// One training; `validating` decides which epoch is kept, where there is one.
LearnedWidths learn_widths(std::span<const ResidualLesson<float>* const> lessons, const std::vector<Index>& training,
                           const std::vector<Index>& validating, const WidthPlan& plan, const std::string& name,
                           const Random& random, TrainingSeries& series);

}  // namespace fovea::learning
