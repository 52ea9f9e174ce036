// Series of unusual values: mostly zero, discrete, held, rounded, missing, or with tails without end.

#include <cmath>
#include <limits>

#include "fovea/tests/support/kinds/draws.hpp"
#include "fovea/tests/support/kinds/makers.hpp"

namespace fovea::support::kinds {

namespace {

/// Each cell drawn by itself, column by column.
template <typename Cell>
KnownTable by_cells(Index set, const Random& random, Cell cell) {
  Draws draws(random);
  const Size size = size_of(set);
  Matrix<double> values(size.steps, size.series);
  for (Index s = 0; s < size.series; ++s)
    for (Index t = 0; t < size.steps; ++t) values(t, s) = cell(draws);
  return unlinked(std::move(values));
}

/// AR(a) of shocks that `shock` draws, a in [least, most].
template <typename Shock>
KnownTable of_shocks(Index set, const Random& random, double least, double most, Shock shock) {
  Draws draws(random);
  const Size size = size_of(set);
  Matrix<double> values(size.steps, size.series);
  Vector<double> shocks(size.steps + kStart);
  for (Index s = 0; s < size.series; ++s) {
    for (double& each : shocks) each = shock(draws);
    values.col(s) = with_memory(draws.between(least, most), shocks);
  }
  return unlinked(std::move(values));
}

}  // namespace

KnownTable sparse_rain(Index set, const Random& random) {
  return by_cells(set, random, [](Draws& draws) {
    const bool wet = draws.happens(0.1);
    const double amount = draws.exponential();
    return wet ? 3 * amount * std::sqrt(amount) : 0;
  });
}

KnownTable rare_events(Index set, const Random& random) {
  return by_cells(set, random, [](Draws& draws) { return draws.happens(0.02) ? 1.0 : 0.0; });
}

KnownTable poisson(Index set, const Random& random) {
  return by_cells(set, random, [](Draws& draws) { return static_cast<double>(draws.poisson(0.1)); });
}

KnownTable cauchy(Index set, const Random& random) {
  return of_shocks(set, random, 0, 0.5, [](Draws& draws) { return draws.cauchy(); });
}

KnownTable student_2(Index set, const Random& random) {
  return of_shocks(set, random, 0.3, 0.7, [](Draws& draws) { return draws.student2(); });
}

KnownTable held_values(Index set, const Random& random) {
  constexpr Index kHeld = 4;
  Draws draws(random);
  const Size size = size_of(set);
  const Matrix<double> drawn = normal_columns(draws, {size.steps / kHeld, size.series});
  Matrix<double> values(size.steps, size.series);
  for (Index t = 0; t < size.steps; ++t) values.row(t) = drawn.row(t / kHeld);
  return unlinked(std::move(values));
}

KnownTable rounded(Index set, const Random& random) {
  Draws draws(random);
  Matrix<double> values = normal_columns(draws, size_of(set));
  for (double& value : values.reshaped()) value = std::round(2 * value) / 2;
  return unlinked(std::move(values));
}

KnownTable missing_blocks(Index set, const Random& random) {
  Draws draws(random);
  Matrix<double> values = normal_columns(draws, size_of(set));
  const Index n = values.rows();
  for (Index s = 0; s < values.cols(); ++s) {
    for (Index blocks = draws.below(4); blocks > 0; --blocks) {
      const Index length = n / 50 + draws.below(n / 20);
      values.col(s).segment(draws.below(n - length), length).setConstant(std::numeric_limits<double>::quiet_NaN());
    }
  }
  return unlinked(std::move(values));
}

KnownTable binary_chains(Index set, const Random& random) {
  Draws draws(random);
  const Size size = size_of(set);
  Matrix<double> values(size.steps, size.series);
  for (Index s = 0; s < size.series; ++s) {
    const double stays = draws.between(0.6, 0.9);
    bool one = draws.happens(0.5);
    for (Index t = 0; t < size.steps; ++t) {
      one = draws.happens(stays) ? one : !one;
      values(t, s) = one ? 1 : 0;
    }
  }
  return unlinked(std::move(values));
}

}  // namespace fovea::support::kinds
