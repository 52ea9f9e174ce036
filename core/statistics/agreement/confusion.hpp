#pragma once
/// How often a class was taken for another, and what follows from it: accuracy, intersection over union, F1, kappa.

#include <functional>
#include <span>
#include <vector>

#include "fovea/core/base/matrix.hpp"
#include "fovea/core/base/random.hpp"
#include "fovea/core/statistics/bootstrap.hpp"

namespace fovea {

/// counts(t, p): how many examples of class t were called p. With TP_c = counts(c, c), FN_c the rest of row c and FP_c
/// the rest of column c; n all of them.
///
/// A mean over classes is over those that occur, in the truth or among the predictions, as in scikit-learn with labels
/// not given: a class that is only predicted counts with 0, one that is neither true nor predicted does not count.
struct Confusion {
  explicit Confusion(Index classes);  ///< none seen yet; classes >= 1

  Matrix<double> counts;

  Index classes() const { return counts.rows(); }
  void add(Index truth, Index predicted, double times = 1);  ///< both in [0, classes), times >= 0 and finite
  Confusion& operator+=(const Confusion& other);             ///< of as many classes

  double total() const { return counts.sum(); }
  bool occurs(Index c) const;  ///< in the truth or among the predictions

  double accuracy() const;             ///< sum_c TP_c / n, the overall accuracy; NaN of no examples, as all that follow
  double precision(Index c) const;     ///< TP / (TP + FP), the user's accuracy; NaN where c is never predicted
  double recall(Index c) const;        ///< TP / (TP + FN), the producer's accuracy; NaN where c is never true
  double intersection(Index c) const;  ///< over union: TP / (TP + FP + FN) (Jaccard 1912); NaN where c does not occur
  double f1(Index c) const;  ///< 2 TP / (2 TP + FP + FN) (van Rijsbergen 1979; Dice 1945); NaN where c does not occur

  double mean_intersection() const;  ///< mIoU: the mean of intersection(c) over the classes that occur
  double macro_f1() const;           ///< the mean of f1(c) over the classes that occur

  /// Agreement beyond chance (Cohen 1960): (p_o - p_e) / (1 - p_e) with p_o the accuracy and p_e = sum_c (share of c in
  /// the truth) (share of c among the predictions). NaN where p_e = 1: one class alone on both sides.
  double kappa() const;
};

/// truth, predicted  (N) in [0, classes), N >= 1. Throws ArgumentError; so below.
Confusion confusion(std::span<const Index> truth, std::span<const Index> predicted, Index classes);

/// One for each group, in the order of the groups' numbers.
/// groups  (N) any numbers: a block of pixels, a scene, a field
std::vector<Confusion> confusions_of_groups(std::span<const Index> truth, std::span<const Index> predicted,
                                            Index classes, std::span<const Index> groups);

/// The interval of a measure by drawing whole groups again (bootstrap.hpp): neighbouring pixels are not independent, so
/// blocks of them are drawn. A draw costs as many additions as there are groups, whatever the number of pixels. Draws
/// in which a rare class does not occur have a mean over the others.
/// groups   at least 2 confusions of as many classes each;  measure such as &Confusion::kappa
BootstrapInterval confusion_interval(std::span<const Confusion> groups,
                                     const std::function<double(const Confusion&)>& measure, const Random& random,
                                     const BootstrapSettings& settings = {});

}  // namespace fovea
