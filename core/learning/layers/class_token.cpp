#include "fovea/core/learning/layers/class_token.hpp"

#include <algorithm>
#include <numeric>

#include "fovea/core/base/error.hpp"
#include "fovea/core/learning/layers/entry.hpp"
#include "fovea/core/learning/layers/initial.hpp"
#include "fovea/core/learning/operations.hpp"

namespace fovea::learning {

namespace {

/// Times, weights and coordinates of the sets with a class token before each.
void place_class_tokens(const Tokens& tokens, std::span<const double> ends, Tokens& joined) {
  const bool timed = !tokens.times.empty(), placed = tokens.coordinates.rows() > 0, weighed = !tokens.weights.empty();
  joined.times.clear();
  joined.weights.clear();
  joined.periods = tokens.periods;
  joined.class_tokens = tokens.class_tokens + 1;
  joined.coordinates.resize(placed ? tokens.count() + tokens.sets() : 0, tokens.coordinates.cols());
  for (Index b = 0; b < tokens.sets(); ++b) {
    const Index first = tokens.offsets[b];
    const Index size = tokens.offsets[b + 1] - first;
    if (timed) {
      const auto begin = tokens.times.begin() + first;
      const double last = size > 0 ? begin[size - 1] : 0.0;
      joined.times.push_back(ends.empty() ? last : ends[b]);
      joined.times.insert(joined.times.end(), begin, begin + size);
    }
    if (weighed) {
      joined.weights.push_back(1);
      joined.weights.insert(joined.weights.end(), tokens.weights.begin() + first,
                            tokens.weights.begin() + first + size);
    }
    if (placed) {
      const auto mine = tokens.coordinates.middleRows(first, size);
      joined.coordinates.row(first + b).setZero();
      if (size > 0) joined.coordinates.row(first + b) = mine.colwise().mean();
      joined.coordinates.middleRows(first + b + 1, size) = mine;
    }
  }
}

}  // namespace

template <typename Real>
JoinedClasses<Real> join_classes(Variable<Real> classes, Variable<Real> x, const Tokens& tokens,
                                 std::span<const double> ends) {
  require(ends.empty() || static_cast<Index>(ends.size()) == tokens.sets(), "class token: there are ", ends.size(),
          " ends for ", tokens.sets(), " sets; each needs one.");
  require(classes.rows() == tokens.sets(), "class token: there are ", classes.rows(), " rows for ", tokens.sets(),
          " sets; each needs one.");
  Tape<Real>& tape = x.tape();
  const Index sets = tokens.sets();
  Index* const singles = tape.index_room(sets + 1);
  std::iota(singles, singles + sets + 1, Index{0});
  Tokens& joined = tape.template kept<Tokens>();
  joined.offsets.resize(tokens.offsets.size());
  const Variable<Real> y = join_sets(classes, std::span(singles, sets + 1), x, Offsets(tokens.offsets), joined.offsets);
  place_class_tokens(tokens, ends, joined);
  return {y, &joined};
}

template <typename Real>
ClassToken<Real>::ClassToken(Parameters<Real>& parameters, const std::string& name, Index columns, const Random& random)
    : token_(
          parameters.add(name + ".token", normal_start<Real>(1, columns, 0.02, random, name + ".token"), Decay::no)) {}

template <typename Real>
Variable<Real> ClassToken<Real>::rows(Tape<Real>& tape, Index sets) const {
  Index* const rows = tape.index_room(sets);
  std::fill_n(rows, sets, Index{0});
  return gather_rows(tape.parameter(token_), std::span(rows, sets));
}

template <typename Real>
JoinedClasses<Real> ClassToken<Real>::operator()(Variable<Real> x, const Tokens& tokens,
                                                 std::span<const double> ends) const {
  return join_classes(rows(x.tape(), tokens.sets()), x, tokens, ends);
}

template <typename Real>
Variable<Real> ClassToken<Real>::read(Variable<Real> x, const Tokens& joined) const {
  return gather_rows(x, Offsets(joined.offsets).first(joined.sets()));
}

template <typename Real>
LayerEntry<Real> class_token_layer_entry() {
  return {"class_token", "[c, x_1 ... x_n] for each set", "Devlin et al. 2019", 3,
          [](Parameters<Real>& parameters, const Random& random) -> LayerFunction<Real> {
            return [layer = ClassToken<Real>(parameters, "class", 3, random)](Variable<Real> x, const Tokens& tokens) {
              return layer(x, tokens).x;
            };
          }};
}

template JoinedClasses<float> join_classes(Variable<float>, Variable<float>, const Tokens&, std::span<const double>);
template JoinedClasses<double> join_classes(Variable<double>, Variable<double>, const Tokens&, std::span<const double>);
template class ClassToken<float>;
template class ClassToken<double>;
FOVEA_LAYER_ENTRY(class_token_layer)

}  // namespace fovea::learning
