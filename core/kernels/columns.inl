// Kernels for scores that stand the other way round, s(j, i) of key j and query i: queries side by side in a register.
// Included by loops.inl behind lanes.inl.

template <typename Real>
FOVEA_INLINE inline typename Lane<Real>::V largest_of_column(const Real* s, Index count, Index s_row) {
  using V = typename Lane<Real>::V;
  const V least = broadcast<Real>(-std::numeric_limits<Real>::infinity());
  V tops[4] = {least, least, least, least};  // four at once, so that none waits for the one before
  Index j = 0;
  for (; j + 4 <= count; j += 4)
#pragma GCC unroll 4
    for (Index p = 0; p < 4; ++p) tops[p] = larger<Real>(load<Real>(s + (j + p) * s_row, Whole<Real>{}, 0), tops[p]);
  for (; j < count; ++j) tops[0] = larger<Real>(load<Real>(s + j * s_row, Whole<Real>{}, 0), tops[0]);
  return larger<Real>(larger<Real>(tops[0], tops[1]), larger<Real>(tops[2], tops[3]));
}

/// The sum of exp(s_j - top), which replace s_j: over kLanes lanes of keys and in the tree of sum_of_lanes().
template <typename Real>
FOVEA_INLINE inline typename Lane<Real>::V weigh_column(Real* s, Index count, Index s_row,
                                                        typename Lane<Real>::V top) {
  using V = typename Lane<Real>::V;
  constexpr Index kLanes = Lane<Real>::kLanes;
  V lanes[kLanes];
  for (Index p = 0; p < kLanes; ++p) {
    V sum = {};
    for (Index j = p; j < count; j += kLanes) {
      const V e = lane_weight<Real>(load<Real>(s + j * s_row, Whole<Real>{}, 0) - top);
      store<Real>(s + j * s_row, Whole<Real>{}, e);
      sum += e;
    }
    lanes[p] = sum;
  }
  for (Index half = kLanes / 2; half > 0; half /= 2)
    for (Index p = 0; p < half; ++p) lanes[p] += lanes[p + half];
  return lanes[0];
}

template <typename Real>
FOVEA_TARGET void softmax_columns(Index columns, Index count, Real* s, Index s_row, Real* maximum, Real* sums) {
  using V = typename Lane<Real>::V;
  for (Index i = 0; i < columns; i += Lane<Real>::kWidth) {
    const V top = largest_of_column<Real>(s + i, count, s_row);
    store<Real>(maximum + i, Whole<Real>{}, top);
    const V shift = top == -std::numeric_limits<Real>::infinity() ? V{} : top;  // -inf less -inf is NaN
    store<Real>(sums + i, Whole<Real>{}, weigh_column<Real>(s + i, count, s_row, shift));
  }
}

template <typename Real>
FOVEA_TARGET void divide_columns(Index columns, Index count, Real* x, Index x_row, const Real* divisors) {
  for (Index i = 0; i < columns; i += Lane<Real>::kWidth) {
    const typename Lane<Real>::V by = load<Real>(divisors + i, Whole<Real>{}, 0);
    for (Index c = 0; c < count; ++c) {
      Real* at = x + c * x_row + i;
      store<Real>(at, Whole<Real>{}, load<Real>(at, Whole<Real>{}, 0) / by + Real(0));  // + 0: as in divide()
    }
  }
}
