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
  typename L::V parts[L::kParts];  // loaded and stored one by one: g++ keeps what is copied as a whole in memory
#pragma GCC unroll 4
  for (Index p = 0; p < L::kParts; ++p) parts[p] = load<Real>(sums + p * L::kWidth, Whole<Real>{}, 0);
  if (maximum == -std::numeric_limits<Real>::infinity()) {
    maximum = top;  // nothing is there yet, unless a NaN is
  } else if (top != maximum) {
    kept = lane_weight<Real>(broadcast<Real>(maximum - top))[0];
#pragma GCC unroll 4
    for (Index p = 0; p < L::kParts; ++p) parts[p] = parts[p] * kept;
    maximum = top;
  }
  const typename L::V shift = broadcast<Real>(top);
  Index j = 0;
  // Two vectors at once: the steps of one fill the waits of the other. More would not find room in 16 registers.
  constexpr Index kTogether = std::max<Index>(2, L::kParts);
  for (; j + kTogether * L::kWidth <= count; j += kTogether * L::kWidth) {
    typename L::V e[kTogether];
#pragma GCC unroll 4
    for (Index p = 0; p < kTogether; ++p)
      e[p] = lane_weight<Real>(load<Real>(row + j + p * L::kWidth, Whole<Real>{}, 0) - shift);
#pragma GCC unroll 4
    for (Index p = 0; p < kTogether; ++p) {
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
#pragma GCC unroll 4
  for (Index p = 0; p < L::kParts; ++p, j += L::kWidth) {
    if (j >= count) break;
    const typename L::V e =
        lane_weight<Real>(load_part<Real>(row + j, count - j, -std::numeric_limits<Real>::infinity()) - shift);
    store<Real>(row + j, Whole<Real>{}, e);
    parts[p] += e;
  }
#pragma GCC unroll 4
  for (Index p = 0; p < L::kParts; ++p) store<Real>(sums + p * L::kWidth, Whole<Real>{}, parts[p]);
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
    Index j = 0;
    for (; j + Lane<Real>::kWidth <= count; j += Lane<Real>::kWidth)
      store<Real>(row + j, Whole<Real>{}, lane_weight<Real>(load<Real>(row + j, Whole<Real>{}, 0) - shift) * factor);
    if (j < count) {
      const auto e =
          lane_weight<Real>(load_part<Real>(row + j, count - j, -std::numeric_limits<Real>::infinity()) - shift);
      store<Real>(row + j, Whole<Real>{}, e * factor);
    }
  }
}

// Sums of Gaussian weights of points in a few dimensions, with few columns of values, in float: distances first, then
// weights and sums, without scores in between.
//
// exp(-D / 2) is at most 1, so no row waits for its largest score: sums are those of exp(-D / 2) itself. Two short
// loops are faster than one: of chains of twenty steps, few fit into the window in which a processor looks for work.

/// One group of points: the squared distances of R rows from them, infinity behind the last of `count`.
template <int R, int T, bool Whole>
FOVEA_INLINE inline void group_of_distances(Index count, const Lane<float>::V (&query)[R][T], const float* b,
                                            Index b_row, float* d, Index d_row) {
  using L = Lane<float>;
  using V = L::V;
#pragma GCC unroll 8
  for (Index j = 0; j < kGroup<float>; j += L::kWidth) {
    V key[T];
#pragma GCC unroll 3
    for (int t = 0; t < T; ++t) key[t] = load<float>(b + t * b_row + j, L::kWidth, 0);
#pragma GCC unroll 4
    for (int i = 0; i < R; ++i) {
      V sum = (query[i][0] - key[0]) * (query[i][0] - key[0]);
#pragma GCC unroll 3
      for (int t = 1; t < T; ++t) {
        const V difference = query[i][t] - key[t];
        sum = multiply_add<float>(difference, difference, sum);
      }
      store<float>(d + i * d_row + j, L::kWidth, sum);
      if constexpr (!Whole) {
        sum =
            load_part<float>(d + i * d_row + j, std::max<Index>(0, count - j), std::numeric_limits<float>::infinity());
        store<float>(d + i * d_row + j, L::kWidth, sum);
      }
    }
  }
}

/// The squared distances of R rows from `count` points of T terms, with infinity up to a whole group.
template <int R, int T>
FOVEA_INLINE inline void rows_of_distances(Index count, LeftOperand<float> a, RightOperand<float> b, float* d,
                                           Index d_row) {
  Lane<float>::V query[R][T];
#pragma GCC unroll 4
  for (int i = 0; i < R; ++i)
#pragma GCC unroll 3
    for (int t = 0; t < T; ++t) query[i][t] = broadcast<float>(a.data[i * a.row + t * a.step]);
  const float* from = b.data;
  Index j = 0;
  for (; j + kGroup<float> <= count; j += kGroup<float>, from += b.group)
    group_of_distances<R, T, true>(0, query, from, b.row, d + j, d_row);
  if (j < count) group_of_distances<R, T, false>(count - j, query, from, b.row, d + j, d_row);
}

/// One row behind it: sums of the weights and of C columns of weighted values. Near: no distance is above
/// kMostDistance, except behind the last of `count`, where nothing is added.
template <int C, bool Near>
FOVEA_INLINE inline void row_of_half_weights(Index count, const float* d, RightOperand<float> values, float* sums) {
  using L = Lane<float>;
  using V = L::V;
  constexpr int kParts = static_cast<int>(L::kParts);
  V parts[(C + 1) * kParts];
#pragma GCC unroll 16
  for (int k = 0; k < (C + 1) * kParts; ++k) parts[k] = load<float>(sums + k * L::kWidth, L::kWidth, 0);
  const float* from = values.data;
  const auto add_group = [&](Index j, auto weight) FOVEA_LAMBDA {
#pragma GCC unroll 8
    for (int p = 0; p < static_cast<int>(kGroup<float> / L::kWidth); ++p) {
      const V e = weight(j + p * L::kWidth);
      parts[p % kParts] += e;
#pragma GCC unroll 4
      for (int c = 0; c < C; ++c)
        parts[(c + 1) * kParts + p % kParts] = multiply_add<float>(
            e, load<float>(from + c * values.row + p * L::kWidth, L::kWidth, 0), parts[(c + 1) * kParts + p % kParts]);
    }
    from += values.group;
  };
  Index j = 0;
  for (; j + kGroup<float> <= count; j += kGroup<float>)
    add_group(j, [=](Index at) FOVEA_LAMBDA {
      const V x = load<float>(d + at, L::kWidth, 0);
      return lane_half_weight(Near ? x : smaller<float>(x, broadcast<float>(kMostDistance)));
    });
  if (j < count)
    add_group(j, [=](Index at) FOVEA_LAMBDA {
      float e[L::kWidth];
      store<float>(
          e, L::kWidth,
          lane_half_weight(smaller<float>(load<float>(d + at, L::kWidth, 0), broadcast<float>(kMostDistance))));
      return load_part<float>(e, std::max<Index>(0, count - at), 0);
    });
#pragma GCC unroll 16
  for (int k = 0; k < (C + 1) * kParts; ++k) store<float>(sums + k * L::kWidth, L::kWidth, parts[k]);
}

/// Bounds of `count` points in each of T directions. False if one of them is no finite number.
template <int T>
FOVEA_TARGET bool bounds_of_points(Index count, RightOperand<float> b, float (&low)[T], float (&high)[T]) {
  using L = Lane<float>;
  using V = L::V;
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  V poison = {};
  for (int t = 0; t < T; ++t) {
    V lowest = broadcast<float>(kInfinity), highest = broadcast<float>(-kInfinity);
    for (Index j = 0; j < count; j += L::kWidth) {
      const float* from = b.data + t * b.row + j / kGroup<float> * b.group + j % kGroup<float>;
      const V x = load<float>(from, L::kWidth, 0);  // behind the last: what is filled up
      lowest = smaller<float>(x, lowest);
      highest = larger<float>(x, highest);
      poison += x * 0.0F;
    }
    low[t] = kInfinity, high[t] = -kInfinity;
    for (Index k = 0; k < L::kWidth; ++k) {
      low[t] = std::min(low[t], lowest[k]);
      high[t] = std::max(high[t], highest[k]);
    }
  }
  for (Index k = 0; k < L::kWidth; ++k)
    if (poison[k] != 0) return false;
  return true;
}

/// Whether no distance of these rows from points within the bounds is above kMostDistance. Not where a row is NaN.
template <int T>
FOVEA_INLINE inline bool are_near(Index rows, LeftOperand<float> a, const float (&low)[T], const float (&high)[T]) {
  float most = 0;
  for (int t = 0; t < T; ++t) {
    float least = a.data[t * a.step], largest = least, sum = 0;
    for (Index i = 0; i < rows; ++i) {
      const float x = a.data[i * a.row + t * a.step];
      least = x < least ? x : least;
      largest = x > largest ? x : largest;
      sum += x;  // NaN stays
    }
    const float down = largest - low[t], up = high[t] - least, far = down > up ? down : up;
    most += far * far + 0 * sum;
  }
  return most < 0.999F * kMostDistance;
}

template <int T, int C>
FOVEA_TARGET bool distance_dots_of(Index rows, Index count, LeftOperand<float> a, RightOperand<float> b,
                                   RightOperand<float> values, float* d, Index d_row, float* lanes) {
  constexpr Index kSums = (C + 1) * Lane<float>::kLanes;
  constexpr int R = FOVEA_VECTOR_BYTES == 64 ? 4 : 2;  // rows whose coordinates stay in registers
  float low[T], high[T];
  if (!bounds_of_points<T>(count, b, low, high)) return false;
  const bool near = are_near<T>(rows, a, low, high);
  for (Index first = 0; first < rows; first += kRowsOfDistances) {
    const Index some = std::min(kRowsOfDistances, rows - first);
    const LeftOperand<float> points{a.data + first * a.row, a.row, a.step};
    float* sums = lanes + first * kSums;
    Index i = 0;
    for (; i + R <= some; i += R)
      rows_of_distances<R, T>(count, {points.data + i * a.row, a.row, a.step}, b, d + i * d_row, d_row);
    for (; i < some; ++i)
      rows_of_distances<1, T>(count, {points.data + i * a.row, a.row, a.step}, b, d + i * d_row, d_row);
    if (near)
      for (i = 0; i < some; ++i) row_of_half_weights<C, true>(count, d + i * d_row, values, sums + i * kSums);
    else
      for (i = 0; i < some; ++i) row_of_half_weights<C, false>(count, d + i * d_row, values, sums + i * kSums);
  }
  return true;
}

template <int T>
FOVEA_INLINE inline bool distance_dots_in(Index rows, Index columns, Index count, LeftOperand<float> a,
                                          RightOperand<float> b, RightOperand<float> values, float* d, Index d_row,
                                          float* lanes) {
  if (columns == 1) return distance_dots_of<T, 1>(rows, count, a, b, values, d, d_row, lanes);
  if (columns == 2) return distance_dots_of<T, 2>(rows, count, a, b, values, d, d_row, lanes);
  return distance_dots_of<T, 3>(rows, count, a, b, values, d, d_row, lanes);
}

FOVEA_TARGET inline bool distance_dots(Index rows, Index columns, Index terms, Index count, LeftOperand<float> a,
                                       RightOperand<float> b, RightOperand<float> values, float* d, Index d_row,
                                       float* lanes) {
  if (terms == 1) return distance_dots_in<1>(rows, columns, count, a, b, values, d, d_row, lanes);
  if (terms == 2) return distance_dots_in<2>(rows, columns, count, a, b, values, d, d_row, lanes);
  return distance_dots_in<3>(rows, columns, count, a, b, values, d, d_row, lanes);
}

/// In double precision the exponential takes most of the time: nobody needs it there.
template <typename Real>
constexpr auto distance_dots_or_none() -> decltype(BlockKernels<Real>::distance_dots) {
  if constexpr (sizeof(Real) == 4)
    return &distance_dots;
  else
    return nullptr;
}
