// Softmax along the rows of a tile of scores, for one instruction set. Included by loops.inl behind lanes.inl.

template <typename Real>
FOVEA_INLINE inline Real largest_of(const Real* s, Index count) {
  using V = typename Lane<Real>::V;
  constexpr Index kWidth = Lane<Real>::kWidth;
  const V least = broadcast<Real>(-std::numeric_limits<Real>::infinity());
  V tops[4] = {least, least, least, least};  // four at once, so that none waits for the one before
  Index j = 0;
  for (; j + 4 * kWidth <= count; j += 4 * kWidth)
#pragma GCC unroll 4
    for (Index p = 0; p < 4; ++p) tops[p] = larger<Real>(load<Real>(s + j + p * kWidth, Whole<Real>{}, 0), tops[p]);
  for (; j < count; j += kWidth) tops[0] = larger<Real>(load_part<Real>(s + j, count - j, least[0]), tops[0]);
  const V largest = larger<Real>(larger<Real>(tops[0], tops[1]), larger<Real>(tops[2], tops[3]));
  typename Lane<Real>::V lanes[Lane<Real>::kParts];
  for (auto& part : lanes) part = largest;
  Real numbers[Lane<Real>::kLanes];
  std::memcpy(numbers, lanes, sizeof numbers);
  return fold(numbers, [](auto a, auto b) FOVEA_FOLD { return a > b ? a : b; });
}

/// A row of masked scores: 0, except that a NaN stays.
template <typename Real>
FOVEA_TARGET bool clear_masked(Real* s, Index count) {
  bool poisoned = false;
  for (Index j = 0; j < count; ++j) {
    if (s[j] != s[j])
      poisoned = true;
    else
      s[j] = 0;
  }
  return poisoned;
}

/// One row of softmax(), whose largest score is known: s becomes exp(s - top), sums and kept as there.
template <typename Real>
FOVEA_INLINE inline void softmax_row(Index count, Real* row, Real tile, Real& maximum, Real* sums, Real& kept) {
  using L = Lane<Real>;
  kept = 1;
  if (tile == -std::numeric_limits<Real>::infinity()) {
    if (clear_masked<Real>(row, count)) sums[0] = std::numeric_limits<Real>::quiet_NaN();
    return;
  }
  const Real top = tile > maximum ? tile : maximum;
  typename L::V parts[L::kParts];
  std::memcpy(parts, sums, sizeof parts);
  if (maximum == -std::numeric_limits<Real>::infinity()) {
    maximum = top;  // nothing is there yet, unless a NaN is
  } else if (top != maximum) {
    kept = lane_weight<Real>(broadcast<Real>(maximum - top))[0];
    for (typename L::V& part : parts) part = part * kept;
    maximum = top;
  }
  const typename L::V shift = broadcast<Real>(top);
  Index j = 0;
  constexpr Index kTwice = 2 * L::kLanes;  // two at once: the steps of one fill the waits of the other
  for (; j + kTwice <= count; j += kTwice) {
    typename L::V e[2 * L::kParts];
#pragma GCC unroll 8
    for (Index p = 0; p < 2 * L::kParts; ++p)
      e[p] = lane_weight<Real>(load<Real>(row + j + p * L::kWidth, Whole<Real>{}, 0) - shift);
#pragma GCC unroll 8
    for (Index p = 0; p < 2 * L::kParts; ++p) {
      store<Real>(row + j + p * L::kWidth, Whole<Real>{}, e[p]);
      parts[p % L::kParts] += e[p];
    }
  }
  for (; j + L::kLanes <= count; j += L::kLanes)
#pragma GCC unroll 4
    for (Index p = 0; p < L::kParts; ++p) {
      Real* at = row + j + p * L::kWidth;
      const typename L::V e = lane_weight<Real>(load<Real>(at, Whole<Real>{}, 0) - shift);
      store<Real>(at, Whole<Real>{}, e);
      parts[p] += e;
    }
  for (Index p = 0; j < count; ++p, j += L::kWidth) {
    const typename L::V e =
        lane_weight<Real>(load_part<Real>(row + j, count - j, -std::numeric_limits<Real>::infinity()) - shift);
    store<Real>(row + j, Whole<Real>{}, e);
    parts[p] += e;
  }
  std::memcpy(sums, parts, sizeof parts);
}

// The largest scores of several rows first: the exponentials of a row wait for its own, and those for nobody.
constexpr Index kRowsTogether = 8;

template <typename Real>
FOVEA_TARGET void softmax(Index rows, Index count, Real* s, Index s_row, Real* maximum, Real* lanes, Real* kept) {
  for (Index first = 0; first < rows; first += kRowsTogether) {
    const Index last = std::min(rows, first + kRowsTogether);
    Real largest[kRowsTogether];
    for (Index i = first; i < last; ++i) largest[i - first] = largest_of<Real>(s + i * s_row, count);
    for (Index i = first; i < last; ++i)
      softmax_row<Real>(count, s + i * s_row, largest[i - first], maximum[i], lanes + i * Lane<Real>::kLanes, kept[i]);
  }
}

/// One row of softmax_dots, with C columns of values: all sums stay in registers.
template <typename Real, int C>
FOVEA_INLINE inline void softmax_dots_row(Index count, const Real* s, Real shift, Real kept, RightOperand<Real> values,
                                          Real* sums) {
  using L = Lane<Real>;
  constexpr int kParts = static_cast<int>(L::kParts);
  typename L::V parts[(C + 1) * kParts];
#pragma GCC unroll 8
  for (int k = 0; k < (C + 1) * kParts; ++k) parts[k] = load<Real>(sums + k * L::kWidth, Whole<Real>{}, 0) * kept;
  for (Index j = 0; j < count; j += L::kLanes) {
    const Real* from = values.data + j / kGroup<Real> * values.group + j % kGroup<Real>;
#pragma GCC unroll 4
    for (int p = 0; p < kParts; ++p) {
      const Index left = count - j - p * L::kWidth;
      const Real* at = s + j + p * L::kWidth;
      const typename L::V scores = left >= L::kWidth
                                       ? load<Real>(at, Whole<Real>{}, 0)
                                       : load_part<Real>(at, left, -std::numeric_limits<Real>::infinity());
      const typename L::V e = lane_weight<Real>(scores - shift);
      parts[p] += e;
#pragma GCC unroll 4
      for (int c = 0; c < C; ++c)
        parts[(c + 1) * kParts + p] = multiply_add<Real>(
            e, load<Real>(from + c * values.row + p * L::kWidth, Whole<Real>{}, 0), parts[(c + 1) * kParts + p]);
    }
  }
#pragma GCC unroll 8
  for (int k = 0; k < (C + 1) * kParts; ++k) store<Real>(sums + k * L::kWidth, Whole<Real>{}, parts[k]);
}

template <typename Real, int C>
FOVEA_TARGET void softmax_dots_of(Index rows, Index count, Real* s, Index s_row, RightOperand<Real> values,
                                  Real* maximum, Real* lanes) {
  for (Index i = 0; i < rows; ++i) {
    Real* row = s + i * s_row;
    Real* sums = lanes + i * (C + 1) * Lane<Real>::kLanes;
    const Real tile = largest_of<Real>(row, count);
    if (tile == -std::numeric_limits<Real>::infinity()) {
      if (clear_masked<Real>(row, count)) sums[0] = std::numeric_limits<Real>::quiet_NaN();
      continue;
    }
    const Real top = tile > maximum[i] ? tile : maximum[i];
    // nothing is there yet, unless a NaN is: it must stay
    const bool first = maximum[i] == -std::numeric_limits<Real>::infinity();
    const Real kept = first || top == maximum[i] ? Real(1) : lane_weight<Real>(broadcast<Real>(maximum[i] - top))[0];
    maximum[i] = top;
    softmax_dots_row<Real, C>(count, row, top, kept, values, sums);
  }
}

template <typename Real>
FOVEA_TARGET void softmax_dots(Index rows, Index columns, Index count, Real* s, Index s_row, RightOperand<Real> values,
                               Real* maximum, Real* lanes) {
  if (columns == 1) softmax_dots_of<Real, 1>(rows, count, s, s_row, values, maximum, lanes);
  if (columns == 2) softmax_dots_of<Real, 2>(rows, count, s, s_row, values, maximum, lanes);
  if (columns == 3) softmax_dots_of<Real, 3>(rows, count, s, s_row, values, maximum, lanes);
}

template <typename Real>
FOVEA_TARGET void weights(Index rows, Index count, Real* s, Index s_row, const Real* maximum, const Real* inverse) {
  for (Index i = 0; i < rows; ++i) {
    Real* row = s + i * s_row;
    if (inverse[i] == 0) {
      std::fill(row, row + count, Real(0));
      continue;
    }
    const typename Lane<Real>::V shift = broadcast<Real>(maximum[i]), factor = broadcast<Real>(inverse[i]);
    for (Index j = 0; j < count; j += Lane<Real>::kWidth) {
      const auto e =
          lane_weight<Real>(load_part<Real>(row + j, count - j, -std::numeric_limits<Real>::infinity()) - shift);
      store<Real>(row + j, Whole<Real>{}, e * factor);
    }
  }
}
