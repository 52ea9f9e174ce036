#include "fovea/core/learning/layers/token_modifiers.hpp"

#include <algorithm>

#include "fovea/core/base/error.hpp"

namespace fovea::learning {

template <typename Real>
TimesOfSets<Real> times_of_sets(const Tokens& queries, const Tokens& keys) {
  require(static_cast<Index>(queries.times.size()) == queries.count() &&
              static_cast<Index>(keys.times.size()) == keys.count(),
          "decay with time: there are ", queries.count(), " queries and ", keys.count(), " keys, but ",
          queries.times.size(), " and ", keys.times.size(), " times; each token needs one.");
  require(queries.sets() == keys.sets(), "decay with time: the queries are in ", queries.sets(), " sets, the keys in ",
          keys.sets(), ".");
  TimesOfSets<Real> result{Vector<Real>(queries.count()), Vector<Real>(keys.count())};
  for (std::size_t b = 0; b + 1 < queries.offsets.size(); ++b) {
    const Index q = queries.offsets[b], q_end = queries.offsets[b + 1], k = keys.offsets[b],
                k_end = keys.offsets[b + 1];
    if (q == q_end && k == k_end) continue;
    const double origin = q < q_end ? queries.times[q] : keys.times[k];
    for (Index i = q; i < q_end; ++i) result.queries[i] = static_cast<Real>(queries.times[i] - origin);
    for (Index j = k; j < k_end; ++j) result.keys[j] = static_cast<Real>(keys.times[j] - origin);
  }
  return result;
}

template <typename Real>
ModifierOfLayer<Real> decay_with_time(std::vector<Real> start, const TimeDecayOptions& options) {
  return {"time_decay",
          [options](const Tokens& queries, const Tokens& keys) {
            auto [t_query, t_key] = times_of_sets<Real>(queries, keys);
            return time_decay<Real>(std::move(t_query), std::move(t_key), options);
          },
          std::move(start)};
}

template <typename Real>
ModifierOfLayer<Real> power_law_with_time(std::vector<Real> start, const PowerLawDecayOptions& options) {
  return {"power_law_decay",
          [options](const Tokens& queries, const Tokens& keys) {
            auto [t_query, t_key] = times_of_sets<Real>(queries, keys);
            return power_law_decay<Real>(std::move(t_query), std::move(t_key), options);
          },
          std::move(start)};
}

namespace {

template <typename Real>
ModifierOfLayer<Real> of_pass(std::string name, decltype(ModifierOfLayer<Real>::make) make) {
  ModifierOfLayer<Real> modifier{std::move(name), std::move(make), {}};
  modifier.from_pass = true;
  return modifier;
}

}  // namespace

template <typename Real>
ModifierOfLayer<Real> pair_bias_of_pass() {
  return of_pass<Real>("pair_bias", [](const Tokens& queries, const Tokens& keys) {
    return pair_bias<Real>(queries.offsets, keys.offsets);
  });
}

template <typename Real>
ModifierOfLayer<Real> weights_of_tokens() {
  return {"key_weights",
          [](const Tokens&, const Tokens& keys) {
            require(static_cast<Index>(keys.weights.size()) == keys.count(), "weights of tokens: there are ",
                    keys.count(), " keys, but ", keys.weights.size(), " weights; each token needs one.");
            Vector<Real> weights(keys.count());
            for (Index j = 0; j < keys.count(); ++j) weights[j] = static_cast<Real>(keys.weights[j]);
            return key_weights<Real>(std::move(weights));
          },
          {}};
}

namespace {

void check_grids(const Tokens& queries, const Tokens& keys) {
  require(!queries.widths.empty() && queries.widths == keys.widths,
          "window_on_grid: the grids of queries and keys have ", queries.widths.size(), " and ", keys.widths.size(),
          " widths; both need the same ones, one for all sets or one for each.");
  require(queries.widths.size() == 1 || std::ssize(queries.widths) == queries.sets(), "window_on_grid: there are ",
          queries.widths.size(), " widths, but ", queries.sets(),
          " sets; give one width for all, or one for each set.");
  require(queries.offsets == keys.offsets,
          "window_on_grid: the sets of queries and keys differ in size; their grids must have the same shape.");
  for (std::size_t b = 0; b + 1 < queries.offsets.size(); ++b) {
    const Index width = queries.widths[queries.widths.size() == 1 ? 0 : b];
    const Index size = queries.offsets[b + 1] - queries.offsets[b];
    require(width >= 1 && size % width == 0, "window_on_grid: set ", b, " has ", size, " tokens, which are no rows of ",
            width, "; a grid has whole rows.");
  }
}

}  // namespace

template <typename Real>
ModifierOfLayer<Real> valid_tokens() {
  return {"valid_keys",
          [](const Tokens&, const Tokens& keys) {
            require(static_cast<Index>(keys.valid.size()) == keys.count(), "valid_keys: there are ", keys.count(),
                    " keys, but ", keys.valid.size(), " flags; each key needs one.");
            return valid_keys<Real>(keys.valid);
          },
          {}};
}

template <typename Real>
ModifierOfLayer<Real> window_on_grid(GridWindow window, std::vector<Real> start) {
  window.positions = !start.empty();
  return {"grid_window",
          [window](const Tokens& queries, const Tokens& keys) {
            check_grids(queries, keys);
            GridWindow on_grid = window;
            on_grid.widths = queries.widths;
            if (queries.widths.size() > 1) on_grid.sets = {queries.offsets, keys.offsets};
            return grid_window<Real>(std::move(on_grid));
          },
          std::move(start)};
}

template <typename Real>
ModifierOfLayer<Real> neighbours_alone(const Neighbourhood& neighbourhood) {
  return {"neighbours",
          [neighbourhood](const Tokens& queries, const Tokens& keys) {
            return neighbour_list<Real>(neighbours_of(queries, keys, neighbourhood));
          },
          {}};
}

template <typename Real>
ModifierOfLayer<Real> listed_bias_of_pass(const Neighbourhood& neighbourhood) {
  return of_pass<Real>("listed_bias", [neighbourhood](const Tokens& queries, const Tokens& keys) {
    return listed_bias<Real>(neighbours_of(queries, keys, neighbourhood));
  });
}

#define FOVEA_TOKEN_MODIFIERS(Real)                                                           \
  template TimesOfSets<Real> times_of_sets(const Tokens&, const Tokens&);                     \
  template ModifierOfLayer<Real> pair_bias_of_pass();                                         \
  template ModifierOfLayer<Real> weights_of_tokens();                                         \
  template ModifierOfLayer<Real> valid_tokens();                                              \
  template ModifierOfLayer<Real> window_on_grid(GridWindow, std::vector<Real>);               \
  template ModifierOfLayer<Real> neighbours_alone(const Neighbourhood&);                      \
  template ModifierOfLayer<Real> listed_bias_of_pass(const Neighbourhood&);                   \
  template ModifierOfLayer<Real> decay_with_time(std::vector<Real>, const TimeDecayOptions&); \
  template ModifierOfLayer<Real> power_law_with_time(std::vector<Real>, const PowerLawDecayOptions&);
FOVEA_TOKEN_MODIFIERS(float)
FOVEA_TOKEN_MODIFIERS(double)

}  // namespace fovea::learning
