#include "fovea/core/attention/fast/dot_product_curve.hpp"

#include <algorithm>
#include <cmath>

#include "fovea/core/base/parallel.hpp"

namespace fovea::fast {
namespace {

constexpr double kCurvePi = 3.14159265358979323846;
constexpr double kCurveEntropy = 0.4;      // what a piece of 16 terms can mostly follow; beyond it trying is in vain
constexpr double kCurveLastTerms = 4e-15;  // of the largest value: a little more than the rounding of the values

/// cos(pi (i + 1/2) k / kLineTerms)
struct Cosines {
  double at[kLineTerms][kLineTerms];
  Cosines() {
    for (Index k = 0; k < kLineTerms; ++k)
      for (Index i = 0; i < kLineTerms; ++i)
        at[k][i] = std::cos(kCurvePi * (static_cast<double>(i) + 0.5) * static_cast<double>(k) / kLineTerms);
  }
};

const Cosines& cosines() {
  static const Cosines table;
  return table;
}

}  // namespace

/// Pieces are tried and halved until all fit; each generation is computed by all threads.
bool DotProductCurve::fit(const KeyTree& tree, double low, double high, double largest_value, Index most) {
  struct Try {
    double low, high, coefficients[kLineTerms];
    bool fits;
  };
  pieces_.clear();
  std::vector<Try> tries{{low, high, {}, false}};
  for (Index spent = 0; !tries.empty();) {
    spent += static_cast<Index>(tries.size()) * (kLineTerms + 2);
    if (spent > most) return false;
    for_each_task(static_cast<Index>(tries.size()), tries.size() > 8, [&](Index n) {
      Try& piece = tries[n];
      const double width = piece.high - piece.low, middle = piece.low / 2 + piece.high / 2;
      const double moved = tree.product(piece.high).position - tree.product(piece.low).position;
      piece.fits = !(moved * width > kCurveEntropy) || middle <= piece.low || middle >= piece.high;
      if (!piece.fits) return;
      double values[kLineTerms];
      for (Index i = 0; i < kLineTerms; ++i) {
        const TreeSums sums = tree.product(middle + width / 2 * cosines().at[1][i]);
        values[i] = sums.value / sums.weight;
      }
      for (Index k = 0; k < kLineTerms; ++k) {
        double c = 0;
        for (Index i = 0; i < kLineTerms; ++i) c += values[i] * cosines().at[k][i];
        piece.coefficients[k] = c * (k == 0 ? 1.0 : 2.0) / kLineTerms;
      }
      for (Index k = kLineTerms - 3; k < kLineTerms; ++k)
        piece.fits &= std::abs(piece.coefficients[k]) <= kCurveLastTerms * largest_value || width == 0;
    });
    std::vector<Try> next;
    for (const Try& piece : tries) {
      if (piece.fits) {
        pieces_.push_back({piece.low, piece.high, {}});
        std::copy(piece.coefficients, piece.coefficients + kLineTerms, pieces_.back().coefficients);
        continue;
      }
      const double middle = piece.low / 2 + piece.high / 2;
      next.push_back({piece.low, middle, {}, false});
      next.push_back({middle, piece.high, {}, false});
    }
    tries.swap(next);
  }
  std::sort(pieces_.begin(), pieces_.end(), [](const Piece& a, const Piece& b) { return a.low < b.low; });
  ends_.clear();
  for (const Piece& piece : pieces_) ends_.push_back(piece.high);
  return true;
}

double DotProductCurve::operator()(double x) const {
  const std::size_t place = std::lower_bound(ends_.begin(), ends_.end(), x) - ends_.begin();
  const Piece& piece = pieces_[std::min(place, pieces_.size() - 1)];
  const double width = piece.high - piece.low;
  const double t = width > 0 ? ((x - piece.low) + (x - piece.high)) / width : 0;
  double last = 0, sum = 0;  // Clenshaw (1955)
  for (Index k = kLineTerms - 1; k > 0; --k) {
    const double next = piece.coefficients[k] + 2 * t * sum - last;
    last = sum;
    sum = next;
  }
  return piece.coefficients[0] + t * sum - last;
}

}  // namespace fovea::fast
