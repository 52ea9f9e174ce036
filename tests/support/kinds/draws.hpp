#pragma once
/// Random numbers one after another, and the series that most kinds of tables begin with.

#include "fovea/tests/support/kinds/kinds.hpp"

namespace fovea::support::kinds {

/// Hands out the numbers of a stream in order: the k-th draw is a function of (random, k).
class Draws {
 public:
  explicit Draws(const Random& random) : random_(random) {}
  double uniform() { return random_.uniform(next_++); }  ///< [0, 1)
  double between(double low, double high) { return low + (high - low) * uniform(); }
  double normal() { return random_.normal(next_++); }
  double exponential();  ///< mean 1
  double cauchy();
  double student2();           ///< Student's t with 2 degrees of freedom: infinite variance
  Index poisson(double mean);  ///< by Knuth's products: for small means
  Index below(Index count) { return static_cast<Index>(random_.below(static_cast<std::uint64_t>(count), next_++)); }
  bool happens(double probability) { return uniform() < probability; }
  double sign() { return happens(0.5) ? 1 : -1; }

 private:
  Random random_;
  std::uint64_t next_ = 0;
};

struct Size {
  Index steps, series;
};
/// Of table number `set`: sixteen sizes in turn.
Size size_of(Index set);

/// x(t) = a x(t - 1) + shocks(t), divided by sqrt(1 / (1 - a^2)), less its first kStart steps.
inline constexpr Index kStart = 300;
Vector<double> with_memory(double a, const Vector<double>& shocks);
/// The same of normal shocks: unit variance.
Vector<double> normal_series(Draws& draws, Index steps, double a);
/// Columns of normal_series, each with an a drawn from [least, most].
Matrix<double> normal_columns(Draws& draws, Size size, double least = 0.3, double most = 0.7);

/// Factors by which the columns of a table differ, in [low, high]; with signs where asked for.
Vector<double> amplitudes(Draws& draws, Index series, double low, double high, bool with_signs);

/// A table without links whose columns are x1, x2, ...
KnownTable unlinked(Matrix<double> values, Calendar calendar = Calendar::none);

}  // namespace fovea::support::kinds
