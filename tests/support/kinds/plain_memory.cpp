// Series with nothing but a memory: moderate, nearly endless, endless, or seen for a short time.

#include "fovea/tests/support/kinds/draws.hpp"
#include "fovea/tests/support/kinds/makers.hpp"

namespace fovea::support::kinds {

KnownTable plain_memory(Index, const Random& random) {
  Draws draws(random);
  return unlinked(normal_columns(draws, {800, 6}));
}

KnownTable near_unit_roots(Index set, const Random& random) {
  Draws draws(random);
  return unlinked(normal_columns(draws, size_of(set), 0.97, 0.995));
}

KnownTable random_walks(Index set, const Random& random) {
  Draws draws(random);
  const Size size = size_of(set);
  Matrix<double> values(size.steps, size.series);
  for (Index s = 0; s < size.series; ++s) {
    double now = 0;
    for (Index t = 0; t < size.steps; ++t) values(t, s) = now += draws.normal();
  }
  return unlinked(std::move(values));
}

KnownTable short_and_wide(Index, const Random& random) {
  Draws draws(random);
  return unlinked(normal_columns(draws, {60, 20}));
}

}  // namespace fovea::support::kinds
