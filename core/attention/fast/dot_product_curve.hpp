#pragma once
/// The softmax attention of the score x y as a function of x. Internal to core/attention/fast.

#include <span>
#include <vector>

#include "fovea/core/attention/fast/key_tree.hpp"

namespace fovea::fast {

/// o(x) = sum_j g_j v_j exp(x y_j) / sum_j g_j exp(x y_j) is smooth: on pieces of the line between which the weights
/// hardly move (their symmetric relative entropy (m(b) - m(a)) (b - a), m the mean key, is small), it is a polynomial
/// through its values at Chebyshev's points, exact to rounding. The values come from the tree.
class DotProductCurve {
 public:
  /// For x in [low, high]. Returns false where that would take more than `most` values of o; then ask the tree.
  bool fit(const KeyTree& tree, double low, double high, double largest_value, Index most);
  double operator()(double x) const;

 private:
  struct Piece {
    double low, high;
    double coefficients[kLineTerms];
  };
  void split(double low, double high);

  std::vector<double> ends_;  ///< upper ends of the pieces, ascending
  std::vector<Piece> pieces_;
};

}  // namespace fovea::fast
