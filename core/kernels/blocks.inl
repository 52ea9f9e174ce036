// The kernels of blocks.hpp for one instruction set. Included by loops.inl behind lanes.inl.

#if FOVEA_VECTOR_BYTES == 64
constexpr int kBlockRows[] = {14, 8, 4, 2, 1};     // 14 x 2 sums, 2 of B and 1 of A fit into 32 registers
constexpr int kDistanceRows[] = {14, 8, 4, 2, 1};  // differences want registers too
#else
constexpr int kBlockRows[] = {6, 4, 2, 1};  // 6 x 2 sums, 2 of B and 1 of A fit into 16
constexpr int kDistanceRows[] = {5, 4, 2, 1};
#endif

enum class Form { add_product, from_row, from_column, scores, distances };

/// What the sums of a vector of C start from. given: of add_product nothing, else the row or column.
template <typename Real, Form F>
FOVEA_INLINE inline typename Lane<Real>::V start_of(const Real* given, const Real* c, int i, int v) {
  if constexpr (F == Form::add_product) return load<Real>(c + v * Lane<Real>::kWidth, Whole<Real>{}, 0);
  if constexpr (F == Form::from_row) return load<Real>(given + v * Lane<Real>::kWidth, Whole<Real>{}, 0);
  if constexpr (F == Form::from_column) return broadcast<Real>(given[i]);
  return typename Lane<Real>::V{};
}

/// One block of C, R rows and V vectors: all its sums stay in registers. kept: of add_product factors of the rows of C
/// or nullptr; else what the sums start from.
template <typename Real, Form F, int R, int V>
FOVEA_TARGET __attribute__((noinline)) void block(Index terms, LeftOperand<Real> a, const Real* b, Index b_row,
                                                  Real factor, const Real* kept, Real* c, Index c_row) {
  using L = Lane<Real>;
  using Vector = typename L::V;
  Vector sum[R][V];
#pragma GCC unroll 16
  for (int i = 0; i < R; ++i)
#pragma GCC unroll 2
    for (int v = 0; v < V; ++v) sum[i][v] = start_of<Real, F>(kept, c + i * c_row, i, v);
  if constexpr (F == Form::from_row)  // C is often out of the caches: it comes while the terms go by
#pragma GCC unroll 16
    for (int i = 0; i < R; ++i)
#pragma GCC unroll 2
      for (int v = 0; v < V; ++v) __builtin_prefetch(c + i * c_row + v * L::kWidth, 1);
  if (F == Form::add_product && kept)
#pragma GCC unroll 16
    for (int i = 0; i < R; ++i)
#pragma GCC unroll 2
      for (int v = 0; v < V; ++v) sum[i][v] = sum[i][v] * kept[i];
  for (Index k = 0; k < terms; ++k) {
    Vector right[V];
#pragma GCC unroll 2
    for (int v = 0; v < V; ++v) right[v] = load<Real>(b + k * b_row + v * L::kWidth, Whole<Real>{}, 0);
#pragma GCC unroll 16
    for (int i = 0; i < R; ++i) {
      const Vector left = broadcast<Real>(a.data[i * a.row + k * a.step]);
#pragma GCC unroll 2
      for (int v = 0; v < V; ++v)
        if constexpr (F == Form::distances) {
          const Vector difference = left - right[v];
          sum[i][v] = multiply_add<Real>(difference, difference, sum[i][v]);
        } else {
          sum[i][v] = multiply_add<Real>(left, right[v], sum[i][v]);
        }
    }
  }
#pragma GCC unroll 16
  for (int i = 0; i < R; ++i)
#pragma GCC unroll 2
    for (int v = 0; v < V; ++v) {
      Vector result = sum[i][v];
      if constexpr (F == Form::scores) result = finite<Real>(result * factor);
      if constexpr (F == Form::distances)  // never negative, and |factor| <= 1
        result = smaller<Real>(broadcast<Real>(std::numeric_limits<Real>::max()), result) * factor;
      store<Real>(c + i * c_row + v * L::kWidth, Whole<Real>{}, result);
    }
}

/// All rows of some columns of C, in blocks as tall as they come.
template <typename Real, Form F, int V, std::size_t Size = 0>
FOVEA_INLINE inline void column_of_blocks(Index rows, Index terms, LeftOperand<Real> a, const Real* b, Index b_row,
                                          Real factor, const Real* kept, Real* c, Index c_row) {
  constexpr int R = F == Form::distances ? kDistanceRows[Size] : kBlockRows[Size];
  constexpr std::size_t kSizes = F == Form::distances ? std::size(kDistanceRows) : std::size(kBlockRows);
  for (; rows >= R; rows -= R, a.data += R * a.row, c += R * c_row) {
    block<Real, F, R, V>(terms, a, b, b_row, factor, kept, c, c_row);
    if (kept && F != Form::from_row) kept += R;
  }
  if constexpr (Size + 1 < kSizes)
    column_of_blocks<Real, F, V, Size + 1>(rows, terms, a, b, b_row, factor, kept, c, c_row);
}

template <typename Real, Form F>
FOVEA_TARGET void blocks(Index rows, Index columns, Index terms, LeftOperand<Real> a, RightOperand<Real> b, Real factor,
                         const Real* kept, Real* c, Index c_row) {
  constexpr Index kPair = 2 * Lane<Real>::kWidth;
  for (Index j = 0; j < columns; j += kPair) {
    const Real* from = b.data + j / kGroup<Real> * b.group + j % kGroup<Real>;
    const Real* given = F == Form::from_row ? kept + j : kept;
    if (columns - j > Lane<Real>::kWidth)
      column_of_blocks<Real, F, 2>(rows, terms, a, from, b.row, factor, given, c + j, c_row);
    else
      column_of_blocks<Real, F, 1>(rows, terms, a, from, b.row, factor, given, c + j, c_row);
  }
}

template <typename Real>
FOVEA_TARGET void add_product(Index rows, Index columns, Index terms, LeftOperand<Real> a, RightOperand<Real> b,
                              const Real* factor, Real* c, Index c_row) {
  blocks<Real, Form::add_product>(rows, columns, terms, a, b, Real(1), factor, c, c_row);
}

template <typename Real>
FOVEA_TARGET void product_from_row(Index rows, Index columns, Index terms, LeftOperand<Real> a, RightOperand<Real> b,
                                   const Real* row, Real* c, Index c_row) {
  blocks<Real, Form::from_row>(rows, columns, terms, a, b, Real(1), row, c, c_row);
}

template <typename Real>
FOVEA_TARGET void product_from_column(Index rows, Index columns, Index terms, LeftOperand<Real> a, RightOperand<Real> b,
                                      const Real* column, Real* c, Index c_row) {
  blocks<Real, Form::from_column>(rows, columns, terms, a, b, Real(1), column, c, c_row);
}

template <typename Real>
FOVEA_TARGET void scores(Index rows, Index columns, Index terms, LeftOperand<Real> a, RightOperand<Real> b, Real factor,
                         Real* c, Index c_row) {
  blocks<Real, Form::scores>(rows, columns, terms, a, b, factor, nullptr, c, c_row);
}

template <typename Real>
FOVEA_TARGET void distances(Index rows, Index columns, Index terms, LeftOperand<Real> a, RightOperand<Real> b,
                            Real factor, Real* c, Index c_row) {
  blocks<Real, Form::distances>(rows, columns, terms, a, b, factor, nullptr, c, c_row);
}

template <typename Real>
FOVEA_TARGET void add_dots(Index rows, Index columns, Index terms, LeftOperand<Real> a, RightOperand<Real> b,
                           const Real* factor, Real* c, Index c_row) {
  using L = Lane<Real>;
  for (Index i = 0; i < rows; ++i)
    for (Index column = 0; column < columns; ++column) {
      typename L::V sums[L::kParts] = {};
      const Real* left = a.data + i * a.row;
      const Real* right = b.data + column * b.row;
      Index part = 0;
      for (Index j = 0; j < terms; j += L::kWidth) {
        const Index count = std::min<Index>(terms - j, L::kWidth);
        const Real* at = right + j / kGroup<Real> * b.group + j % kGroup<Real>;
        typename L::V& sum = sums[part];
        sum = count == L::kWidth
                  ? multiply_add<Real>(load<Real>(left + j, Whole<Real>{}, 0), load<Real>(at, Whole<Real>{}, 0), sum)
                  : multiply_add<Real>(load<Real>(left + j, count, 0), load<Real>(at, count, 0), sum);
        part = part + 1 == L::kParts ? 0 : part + 1;
      }
      Real& entry = c[i * c_row + column];
      entry = (factor ? factor[i] * entry : entry) + add_up<Real>(sums);
    }
}

template <typename Real>
FOVEA_TARGET void tanh_sums(Index rows, Index columns, Index terms, LeftOperand<Real> a, RightOperand<Real> b,
                            const Real* w, Real* c, Index c_row) {
  using V = typename Lane<Real>::V;
  for (Index i = 0; i < rows; ++i)
    for (Index j = 0; j < columns; j += Lane<Real>::kWidth) {
      const Real* from = b.data + j / kGroup<Real> * b.group + j % kGroup<Real>;
      V sum = {};
      for (Index k = 0; k < terms; ++k) {
        const V x = load<Real>(from + k * b.row, Whole<Real>{}, 0) + a.data[i * a.row + k * a.step];
        sum = multiply_add<Real>(broadcast<Real>(w[k]), lane_tanh<Real>(x), sum);
      }
      store<Real>(c + i * c_row + j, Whole<Real>{}, finite<Real>(sum));
    }
}

// d/dx w tanh(x) = w (1 - tanh^2 x)
template <typename Real>
FOVEA_TARGET void tanh_sums_backward(Index rows, Index columns, Index terms, LeftOperand<Real> a, RightOperand<Real> b,
                                     const Real* w, const Real* g, Index g_row, Real* a_gradient, Index a_row,
                                     Real* b_gradient, Index b_row, Real* w_gradient) {
  using L = Lane<Real>;
  using V = typename L::V;
  for (Index i = 0; i < rows; ++i)
    for (Index k = 0; k < terms; ++k) {
      V slopes[L::kParts] = {}, values[L::kParts] = {};
      Index part = 0;
      for (Index j = 0; j < columns; j += L::kWidth) {
        const Index count = std::min<Index>(columns - j, L::kWidth);
        const Real* from = b.data + k * b.row + j / kGroup<Real> * b.group + j % kGroup<Real>;
        const V gradient = load_part<Real>(g + i * g_row + j, count, 0);
        const V t = lane_tanh<Real>(load<Real>(from, Whole<Real>{}, 0) + a.data[i * a.row + k * a.step]);
        const V slope = gradient * ((Real(1) - t * t) * w[k]);
        slopes[part] += slope;
        values[part] += gradient * t;
        Real* to = b_gradient + k * b_row + j;
        store<Real>(to, Whole<Real>{}, load<Real>(to, Whole<Real>{}, 0) + slope);
        part = part + 1 == L::kParts ? 0 : part + 1;
      }
      a_gradient[i * a_row + k] += add_up<Real>(slopes);
      w_gradient[k] += add_up<Real>(values);
    }
}

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

template <typename Real>
FOVEA_TARGET void softmax(Index rows, Index count, Real* s, Index s_row, Real* maximum, Real* lanes, Real* kept) {
  using L = Lane<Real>;
  for (Index i = 0; i < rows; ++i) {
    Real* row = s + i * s_row;
    Real* sums = lanes + i * L::kLanes;
    const Real tile = largest_of<Real>(row, count);
    kept[i] = 1;
    if (tile == -std::numeric_limits<Real>::infinity()) {
      if (clear_masked<Real>(row, count)) sums[0] = std::numeric_limits<Real>::quiet_NaN();
      continue;
    }
    const Real top = tile > maximum[i] ? tile : maximum[i];
    typename L::V parts[L::kParts];
    std::memcpy(parts, sums, sizeof parts);
    if (maximum[i] == -std::numeric_limits<Real>::infinity()) {
      maximum[i] = top;  // nothing is there yet, unless a NaN is
    } else if (top != maximum[i]) {
      kept[i] = lane_weight<Real>(broadcast<Real>(maximum[i] - top))[0];
      for (typename L::V& part : parts) part = part * kept[i];
      maximum[i] = top;
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

template <typename Real>
FOVEA_TARGET void centred(Index rows, Index count, Real* g, const Real* a, Index row, const Real* mean) {
  for (Index i = 0; i < rows; ++i) {
    Real* gradient = g + i * row;
    const Real* factor = a + i * row;
    const typename Lane<Real>::V centre = broadcast<Real>(mean[i]);
    for (Index j = 0; j < count; j += Lane<Real>::kWidth)
      store<Real>(gradient + j, Whole<Real>{},
                  load_part<Real>(factor + j, count - j, 0) * (load_part<Real>(gradient + j, count - j, 0) - centre));
  }
}

template <typename Real>
FOVEA_TARGET void divide(const Real* x, Index count, Real divisor, Real* y) {
  const typename Lane<Real>::V by = broadcast<Real>(divisor);
  each_vector<Real>(count, [=](Index j, auto some) FOVEA_LAMBDA {
    // + 0: a sum that is -0 by underflow becomes the 0 it is where masked keys took part
    store<Real>(y + j, some, load<Real>(x + j, some, Real(0)) / by + Real(0));
  });
}

template <typename Real>
constexpr BlockKernels<Real> kBlocks{&add_product<Real>,
                                     &scores<Real>,
                                     &distances<Real>,
                                     &tanh_sums<Real>,
                                     &tanh_sums_backward<Real>,
                                     &add_dots<Real>,
                                     &softmax<Real>,
                                     &softmax_dots<Real>,
                                     &weights<Real>,
                                     &centred<Real>,
                                     &divide<Real>,
                                     &softmax_columns<Real>,
                                     &divide_columns<Real>,
                                     &product_from_row<Real>,
                                     &product_from_column<Real>};
