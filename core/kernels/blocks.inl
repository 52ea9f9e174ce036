// The kernels of blocks.hpp for one instruction set. Included by loops.inl behind lanes.inl.

#if FOVEA_VECTOR_BYTES == 64
constexpr int kBlockRows[] = {14, 8, 4, 2, 1};     // 14 x 2 sums, 2 of B and 1 of A fit into 32 registers
constexpr int kDistanceRows[] = {14, 8, 4, 2, 1};  // differences want registers too
#else
constexpr int kBlockRows[] = {6, 5, 4, 3, 2, 1};  // 6 x 2 sums, 2 of B and 1 of A fit into 16
constexpr int kDistanceRows[] = {5, 4, 3, 2, 1};
#endif

/// Rows of the next block, where so many are left. With few registers all blocks are about as high: 14 rows are 5, 5
/// and 4, because a block of 2 starts half as many multiply-adds a cycle as one of 4.
template <std::size_t Sizes>
FOVEA_INLINE inline int next_height(const int (&heights)[Sizes], Index rows) {
#if FOVEA_VECTOR_BYTES == 64
  for (const int height : heights)
    if (height <= rows) return height;
  return 1;
#else
  if (rows >= 4 * heights[0]) return heights[0];
  const int left = static_cast<int>(rows), blocks = (left + heights[0] - 1) / heights[0];
  return (left + blocks - 1) / blocks;
#endif
}

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
/// or nullptr; else what the sums start from. A(i, k) = a[i * a_row + k * a_step]: as one argument in memory, a would
/// be written in parts and read as a whole, and the block would wait for that.
template <typename Real, Form F, int R, int V>
FOVEA_TARGET __attribute__((noinline)) void block(Index terms, const Real* a, Index a_row, Index a_step, const Real* b,
                                                  Index b_row, Real factor, const Real* kept, Real* c, Index c_row) {
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
      const Vector left = broadcast<Real>(a[i * a_row + k * a_step]);
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

/// The block of that height.
template <typename Real, Form F, int V, std::size_t Size = 0>
FOVEA_INLINE inline void block_of_height(int height, Index terms, const Real* a, Index a_row, Index a_step,
                                         const Real* b, Index b_row, Real factor, const Real* kept, Real* c,
                                         Index c_row) {
  constexpr int R = F == Form::distances ? kDistanceRows[Size] : kBlockRows[Size];
  constexpr std::size_t kSizes = F == Form::distances ? std::size(kDistanceRows) : std::size(kBlockRows);
  if (height == R) return block<Real, F, R, V>(terms, a, a_row, a_step, b, b_row, factor, kept, c, c_row);
  if constexpr (Size + 1 < kSizes)
    block_of_height<Real, F, V, Size + 1>(height, terms, a, a_row, a_step, b, b_row, factor, kept, c, c_row);
}

/// All rows of some columns of C.
template <typename Real, Form F, int V>
FOVEA_INLINE inline void column_of_blocks(Index rows, Index terms, LeftOperand<Real> a, const Real* b, Index b_row,
                                          Real factor, const Real* kept, Real* c, Index c_row) {
  for (int height; rows > 0; rows -= height, a.data += height * a.row, c += height * c_row) {
    height = F == Form::distances ? next_height(kDistanceRows, rows) : next_height(kBlockRows, rows);
    block_of_height<Real, F, V>(height, terms, a.data, a.row, a.step, b, b_row, factor, kept, c, c_row);
    if (kept && F != Form::from_row) kept += height;
  }
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
FOVEA_TARGET void centred(Index rows, Index count, Real* g, const Real* a, Index row, const Real* mean) {
  for (Index i = 0; i < rows; ++i) {
    Real* gradient = g + i * row;
    const Real* factor = a + i * row;
    const typename Lane<Real>::V centre = broadcast<Real>(mean[i]);
    Index j = 0;
    for (; j + Lane<Real>::kWidth <= count; j += Lane<Real>::kWidth)
      store<Real>(gradient + j, Whole<Real>{},
                  load<Real>(factor + j, Whole<Real>{}, 0) * (load<Real>(gradient + j, Whole<Real>{}, 0) - centre));
    if (j < count)
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
                                     &product_from_column<Real>,
                                     distance_dots_or_none<Real>()};
