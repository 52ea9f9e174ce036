// Loops over the rows of a matrix. Included by learning_loops.inl behind lanes.inl.

/// y = x or y += x
template <typename Real, typename Some>
FOVEA_INLINE inline void put(Real* y, Some some, typename Lane<Real>::V x, bool add) {
  store<Real>(y, some, add ? load<Real>(y, some, Real(0)) + x : x);
}

template <typename Real>
FOVEA_TARGET void add_row(const Real* x, const Real* row, Index rows, Index columns, Real* y) {
  for (Index i = 0; i < rows; ++i, x += columns, y += columns)
    each_vector<Real>(columns, [=](Index j, auto some) FOVEA_LAMBDA {
      store<Real>(y + j, some, load<Real>(x + j, some, Real(0)) + load<Real>(row + j, some, Real(0)));
    });
}

template <typename Real>
FOVEA_TARGET void multiply_row(const Real* x, const Real* row, Index rows, Index columns, bool add, Real* y) {
  for (Index i = 0; i < rows; ++i, x += columns, y += columns)
    each_vector<Real>(columns, [=](Index j, auto some) FOVEA_LAMBDA {
      put<Real>(y + j, some, load<Real>(x + j, some, Real(0)) * load<Real>(row + j, some, Real(0)), add);
    });
}

template <typename Real>
FOVEA_TARGET void multiply_column(const Real* x, const Real* column, Index rows, Index columns, bool add, Real* y) {
  for (Index i = 0; i < rows; ++i, x += columns, y += columns) {
    const Real factor = column[i];
    each_vector<Real>(columns, [=](Index j, auto some) FOVEA_LAMBDA {
      put<Real>(y + j, some, load<Real>(x + j, some, Real(0)) * factor, add);
    });
  }
}

/// sums_j += sum_i f(entry i, j): four vectors of columns at a time, whose sums stay in registers.
template <typename Real, typename F>
FOVEA_INLINE inline void column_sums(Index rows, Index columns, Real* sums, F f) {
  using L = Lane<Real>;
  using V = typename L::V;
  constexpr Index kAtOnce = 4;
  Index j = 0;
  for (; j + kAtOnce * L::kWidth <= columns; j += kAtOnce * L::kWidth) {
    V sum[kAtOnce];
#pragma GCC unroll 4
    for (Index p = 0; p < kAtOnce; ++p) sum[p] = load<Real>(sums + j + p * L::kWidth, Whole<Real>{}, 0);
    for (Index i = 0; i < rows; ++i)
#pragma GCC unroll 4
      for (Index p = 0; p < kAtOnce; ++p) sum[p] += f(i * columns + j + p * L::kWidth, Whole<Real>{});
#pragma GCC unroll 4
    for (Index p = 0; p < kAtOnce; ++p) store<Real>(sums + j + p * L::kWidth, Whole<Real>{}, sum[p]);
  }
  each_vector<Real>(columns - j, [=](Index k, auto some) FOVEA_LAMBDA {
    V sum = load<Real>(sums + j + k, some, Real(0));
    for (Index i = 0; i < rows; ++i) sum += f(i * columns + j + k, some);
    store<Real>(sums + j + k, some, sum);
  });
}

template <typename Real>
FOVEA_TARGET void add_column_sums(const Real* x, Index rows, Index columns, Real* sums) {
  column_sums<Real>(rows, columns, sums,
                    [=](Index at, auto some) FOVEA_LAMBDA { return load<Real>(x + at, some, Real(0)); });
}

template <typename Real>
FOVEA_TARGET void add_column_dots(const Real* a, const Real* b, Index rows, Index columns, Real* sums) {
  column_sums<Real>(rows, columns, sums, [=](Index at, auto some) FOVEA_LAMBDA {
    return load<Real>(a + at, some, Real(0)) * load<Real>(b + at, some, Real(0));
  });
}

template <typename Real>
FOVEA_TARGET void row_dots(const Real* a, const Real* b, Index rows, Index columns, bool add, Real* sums) {
  using V = typename Lane<Real>::V;
  for (Index i = 0; i < rows; ++i, a += columns, b += columns) {
    const Real dot = sum_of<Real>(columns, [=](V& sum, Index j, auto some) FOVEA_LAMBDA {
      sum = multiply_add<Real>(load<Real>(a + j, some, Real(0)), load<Real>(b + j, some, Real(0)), sum);
    });
    sums[i] = add ? sums[i] + dot : dot;
  }
}

template <typename Real>
FOVEA_TARGET void norm(const Real* x, Index rows, Index columns, const Real* gain, const Real* shift, Real epsilon,
                       Real* y, typename LearningKernels<Real>::NormRows kept) {
  using V = typename Lane<Real>::V;
  const Real share = Real(1) / static_cast<Real>(columns);
  for (Index i = 0; i < rows; ++i, x += columns, y += columns) {
    Real mean = 0;
    if (kept.means)
      kept.means[i] = mean = share * sum_of<Real>(columns, [=](V& sum, Index j, auto some) FOVEA_LAMBDA {
                               sum += load<Real>(x + j, some, Real(0));
                             });
    const Real variance = share * sum_of<Real>(columns, [=](V& sum, Index j, auto some) FOVEA_LAMBDA {
                            const V centred = load<Real>(x + j, some, mean) - mean;
                            sum = multiply_add<Real>(centred, centred, sum);
                          });
    const Real inverse = kept.inverses[i] = Real(1) / std::sqrt(variance + epsilon);
    each_vector<Real>(columns, [=](Index j, auto some) FOVEA_LAMBDA {
      const V scaled = (load<Real>(x + j, some, Real(0)) - mean) * inverse * load<Real>(gain + j, some, Real(0));
      store<Real>(y + j, some, shift ? scaled + load<Real>(shift + j, some, Real(0)) : scaled);
    });
  }
}

/// With z = (x - mean) inverse and h = gain g: dL/dx = inverse (h - mean of h - z mean of (h z)).
template <typename Real>
FOVEA_TARGET void norm_backward(const Real* x, const Real* g, Index rows, Index columns, const Real* gain,
                                typename LearningKernels<Real>::NormRows kept,
                                typename LearningKernels<Real>::NormGradients to) {
  using V = typename Lane<Real>::V;
  const Real share = Real(1) / static_cast<Real>(columns);
  for (Index i = 0; i < rows; ++i, x += columns, g += columns) {
    const Real mean = kept.means ? kept.means[i] : Real(0), inverse = kept.inverses[i];
    if (to.gain)
      each_vector<Real>(columns, [=](Index j, auto some) FOVEA_LAMBDA {
        const V z = (load<Real>(x + j, some, Real(0)) - mean) * inverse;
        put<Real>(to.gain + j, some, z * load<Real>(g + j, some, Real(0)), true);
      });
    if (!to.x) continue;
    Real level = 0;
    if (kept.means)
      level = share * sum_of<Real>(columns, [=](V& sum, Index j, auto some) FOVEA_LAMBDA {
                sum = multiply_add<Real>(load<Real>(gain + j, some, Real(0)), load<Real>(g + j, some, Real(0)), sum);
              });
    const Real along = share * inverse * sum_of<Real>(columns, [=](V& sum, Index j, auto some) FOVEA_LAMBDA {
                         const V h = load<Real>(gain + j, some, Real(0)) * load<Real>(g + j, some, Real(0));
                         sum = multiply_add<Real>(h, load<Real>(x + j, some, mean) - mean, sum);
                       });
    each_vector<Real>(columns, [=](Index j, auto some) FOVEA_LAMBDA {
      const V z = (load<Real>(x + j, some, Real(0)) - mean) * inverse;
      const V h = load<Real>(gain + j, some, Real(0)) * load<Real>(g + j, some, Real(0)) - level;
      put<Real>(to.x + j, some, (h - z * along) * inverse, to.add);
    });
    to.x += columns;
  }
  if (to.shift) add_column_sums<Real>(g - rows * columns, rows, columns, to.shift);
}

template <typename Real>
FOVEA_TARGET void rotate(const Real* x, const Real* cosines, const Real* sines, Index rows, Index heads, Index pairs,
                         bool backwards, bool add, Real* y) {
  using V = typename Lane<Real>::V;
  const Real sign = backwards ? Real(-1) : Real(1);
  for (Index i = 0; i < rows; ++i, cosines += pairs, sines += pairs)
    for (Index head = 0; head < heads; ++head, x += 2 * pairs, y += 2 * pairs)
      each_vector<Real>(pairs, [=](Index c, auto some) FOVEA_LAMBDA {
        const V cosine = load<Real>(cosines + c, some, Real(0)), sine = load<Real>(sines + c, some, Real(0)) * sign;
        const V a = load<Real>(x + c, some, Real(0)), b = load<Real>(x + pairs + c, some, Real(0));
        put<Real>(y + c, some, a * cosine - b * sine, add);
        put<Real>(y + pairs + c, some, a * sine + b * cosine, add);
      });
}
