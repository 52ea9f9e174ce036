#include "fovea/core/learning/operations.hpp"
#include "fovea/core/learning/operations/pooled_groups.hpp"

namespace fovea::learning {

namespace {

/// The columns of heads, of squares and of masses as lanes of each class side by side; f(entry), 0 of masses without a
/// matrix.
template <typename Real, typename F>
Real* joined_lanes(Tape<Real>& tape, Index classes, const Variable<Real>& heads, const Variable<Real>& squares,
                   Index masses, const Variable<Real>* of_masses, F f) {
  const Index count = heads.columns() + squares.columns() + masses;
  Real* const lanes = tape.room(classes * count);
  for (Index c = 0; c < classes; ++c) {
    Real* lane = lanes + c * count;
    for (const Variable<Real>* part : {&heads, &squares})
      for (Index h = 0; h < part->columns(); ++h) *lane++ = f(part->data()[c * part->columns() + h]);
    for (Index k = 0; k < masses; ++k) *lane++ = of_masses ? f(of_masses->data()[c * masses + k]) : Real(0);
  }
  return lanes;
}

/// Where the row of a query keeps what is said of a class.
struct JoinedColumns {
  Index heads, squares, masses, width, squares_width, first_square;

  /// From [means | means of squares | masses], and the age and the count of the last event.
  template <typename Real>
  void put(const Real* lanes, const Real* recency, Index c, Real* row) const {
    Real* const of_heads = row + c * width;
    std::copy_n(lanes, heads, of_heads);
    std::copy_n(lanes + heads + squares, masses, of_heads + heads);
    std::copy_n(recency, 2, of_heads + heads + masses);
    Real* const of_squares = row + first_square + c * squares_width;
    std::copy_n(lanes + heads, squares, of_squares);
    std::copy_n(recency, 2, of_squares + squares);
  }
};

template <typename Real>
Variable<Real> pooled_together(Variable<Real> values, const DecayHeads<Real>& heads, const DecayHeads<Real>& squares,
                               const ClassEvents& events, const TimedQueries& queries) {
  const PooledShape shape = check_call(values, heads.sharpness, heads.log_mass_half_life, events, queries);
  Tape<Real>& tape = values.tape();
  const Index own = squares.sharpness.columns(), lanes = shape.heads + own + shape.masses;
  const JoinedColumns columns{
      shape.heads, own, shape.masses, shape.width(), pooled_columns(own, 0), shape.classes * shape.width()};
  Variable<Real> y = tape.result(shape.queries, columns.first_square + shape.classes * columns.squares_width, {values});
  const Real* const sharpness = joined_lanes<Real>(tape, shape.classes, heads.sharpness, squares.sharpness,
                                                   shape.masses, nullptr, [](Real beta) { return beta; });
  const Real* const rates = joined_lanes<Real>(tape, shape.classes, heads.log_half_life, squares.log_half_life,
                                               shape.masses, &heads.log_mass_half_life, &rate_of<Real>);
  Index most = 0;
  for (std::size_t b = 1; b < queries.offsets.size(); ++b)
    most = std::max(most, queries.offsets[b] - queries.offsets[b - 1]);
  Real* const found = tape.room(most * (lanes + 2));
  const auto& kernels = learning_kernels<Real>();
  each_group(shape, values.data(), events, queries, [&](const ClassGroup<Real>& group, Index query, Index c, Index) {
    const ClassResults<Real> to{found, lanes + 2, nullptr, nullptr, nullptr, nullptr};
    put_recency(group, lanes, to);
    kernels.pool_decaying(group, {sharpness + c * lanes, rates + c * lanes, nullptr, shape.heads + own, lanes, own},
                          to);
    for (Index q = 0; q < group.queries; ++q) {
      const Real* const from = found + q * to.stride;
      columns.put(from, from + lanes, c, y.data() + (query + q) * y.columns());
    }
  });
  return y;
}

}  // namespace

template <typename Real>
Variable<Real> class_pooling_with_squares(Variable<Real> values, const DecayHeads<Real>& heads,
                                          const DecayHeads<Real>& squares, const ClassEvents& events,
                                          const TimedQueries& queries) {
  const auto learns = [](const DecayHeads<Real>& some) {
    return some.sharpness.learns() || some.log_half_life.learns() || some.log_mass_half_life.learns();
  };
  const bool fit = squares.log_mass_half_life.columns() == 0 && squares.sharpness.rows() == heads.sharpness.rows();
  if (fit && !values.learns() && !learns(heads) && !learns(squares))
    return pooled_together(values, heads, squares, events, queries);
  const std::array<Variable<Real>, 2> parts{class_pooling(values, heads, events, queries),
                                            class_pooling(multiply(values, values), squares, events, queries)};
  return join_columns<Real>(parts);
}

template Variable<float> class_pooling_with_squares(Variable<float>, const DecayHeads<float>&, const DecayHeads<float>&,
                                                    const ClassEvents&, const TimedQueries&);
template Variable<double> class_pooling_with_squares(Variable<double>, const DecayHeads<double>&,
                                                     const DecayHeads<double>&, const ClassEvents&,
                                                     const TimedQueries&);

}  // namespace fovea::learning
