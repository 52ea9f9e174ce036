
#include "fovea/core/attention/modifiers.hpp"
#include "fovea/core/attention/modifiers/parts/example.hpp"
#include "fovea/core/attention/modifiers/parts/listed_keys.hpp"
#include "fovea/core/attention/modifiers/parts/spatial_settings.hpp"
#include "fovea/core/attention/neighbours/search.hpp"
#include "fovea/core/base/error.hpp"

namespace fovea {
namespace {

void check_same_points(const CheckedCoordinates& coordinates) {
  const Matrix<double>&queries = coordinates.queries(), &keys = coordinates.keys();
  require(coordinates.sets().query_offsets == coordinates.sets().key_offsets, "nearest_neighbours: there are ",
          queries.rows(), " queries and ", keys.rows(),
          " keys in sets of their own, but leaving out the query itself needs keys that are the queries.");
  for (Index i = 0; i < queries.rows(); ++i)
    require(queries.row(i) == keys.row(i), "nearest_neighbours: query ", i, " lies elsewhere than key ", i,
            ", but leaving out the query itself needs keys that are the queries.");
}

}  // namespace

template <typename Real>
std::shared_ptr<const ScoreModifier<Real>> nearest_neighbours(Coordinates coordinates, Index k, bool include_self) {
  require(k >= 1, "nearest_neighbours: k = ", k, ", but must be at least 1.");
  const CheckedCoordinates checked("nearest_neighbours", std::move(coordinates));
  if (!include_self) check_same_points(checked);
  return listed_keys<Real>("nearest_neighbours", nearest_keys(checked, k, include_self), checked.sets());
}
template std::shared_ptr<const ScoreModifier<float>> nearest_neighbours(Coordinates, Index, bool);
template std::shared_ptr<const ScoreModifier<double>> nearest_neighbours(Coordinates, Index, bool);

template <typename Real>
ModifierEntry<Real> nearest_neighbours_entry() {
  return {"nearest_neighbours",
          "s if key j is among the k nearest to query i, else masked",
          "",
          "Plötz and Roth 2018",
          [](const ExampleProblem& problem) { return nearest_neighbours<Real>(example_coordinates(problem), 8); },
          &no_parameters<Real>,
          {"a token attends to the tokens of its set that are nearest in space",
           {whole_setting("k", 16, 1, kMostPositions, "tokens", "number of nearest tokens"),
            flag_setting("include_self", true, "whether the token itself is among them"), periods_setting()},
           [](const ModifierValues& values, ModifierRows<Real> rows) {
             return nearest_neighbours<Real>(coordinates_of(values, std::move(rows)), values.whole("k"),
                                             values.flag("include_self"));
           },
           ModifierAsks::coordinates}};
}
FOVEA_MODIFIER_ENTRY(nearest_neighbours)

}  // namespace fovea
