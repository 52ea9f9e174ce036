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

/// sum_of() of several rows side by side, none of whose chains waits for another's: f(sum, row, j, count).
template <typename Real, int Rows, typename F>
FOVEA_INLINE inline void sums_of_rows(Index count, Real (&totals)[Rows], F f) {
  using L = Lane<Real>;
  typename L::V sums[Rows][L::kParts] = {};
  Index j = 0;
  for (; j + L::kLanes <= count; j += L::kLanes)
#pragma GCC unroll 4
    for (int p = 0; p < static_cast<int>(L::kParts); ++p)
#pragma GCC unroll 4
      for (int r = 0; r < Rows; ++r) f(sums[r][p], r, j + p * L::kWidth, Whole<Real>{});
  for (int p = 0; j < count; ++p, j += L::kWidth)
    for (int r = 0; r < Rows; ++r) f(sums[r][p], r, j, std::min<Index>(count - j, L::kWidth));
#pragma GCC unroll 4
  for (int r = 0; r < Rows; ++r) totals[r] = add_up<Real>(sums[r]);
}

constexpr int kNormRows = 4;  // side by side

/// Calls f(row, constant) for so many rows from that row on.
template <typename F>
FOVEA_INLINE inline void each_rows(Index rows, F f) {
  Index i = 0;
  for (; i + kNormRows <= rows; i += kNormRows) f(i, std::integral_constant<int, kNormRows>{});
  for (; i < rows; ++i) f(i, std::integral_constant<int, 1>{});
}

template <typename Real, int Rows>
FOVEA_INLINE inline void norm_of_rows(const Real* x, Index columns, const Real* gain, const Real* shift, Real epsilon,
                                      Real* y, typename LearningKernels<Real>::NormRows kept) {
  using V = typename Lane<Real>::V;
  const Real share = Real(1) / static_cast<Real>(columns);
  Real mean[Rows] = {}, inverse[Rows];
  if (kept.means) {
    sums_of_rows<Real, Rows>(columns, mean, [=](V& sum, int r, Index j, auto some) FOVEA_LAMBDA {
      sum += load<Real>(x + r * columns + j, some, Real(0));
    });
    for (int r = 0; r < Rows; ++r) kept.means[r] = mean[r] = share * mean[r];
  }
  sums_of_rows<Real, Rows>(columns, inverse, [&](V& sum, int r, Index j, auto some) FOVEA_LAMBDA {
    const V centred = load<Real>(x + r * columns + j, some, mean[r]) - mean[r];
    sum = multiply_add<Real>(centred, centred, sum);
  });
  for (int r = 0; r < Rows; ++r) kept.inverses[r] = inverse[r] = Real(1) / std::sqrt(share * inverse[r] + epsilon);
  each_vector<Real>(columns, [&](Index j, auto some) FOVEA_LAMBDA {
    const V by = load<Real>(gain + j, some, Real(0)), plus = shift ? load<Real>(shift + j, some, Real(0)) : V{};
#pragma GCC unroll 4
    for (int r = 0; r < Rows; ++r) {
      const V scaled = (load<Real>(x + r * columns + j, some, Real(0)) - mean[r]) * inverse[r] * by;
      store<Real>(y + r * columns + j, some, shift ? scaled + plus : scaled);
    }
  });
}

template <typename Real>
FOVEA_TARGET void norm(const Real* x, Index rows, Index columns, const Real* gain, const Real* shift, Real epsilon,
                       Real* y, typename LearningKernels<Real>::NormRows kept) {
  const auto some = [&](Index i, auto count) FOVEA_LAMBDA {
    norm_of_rows<Real, decltype(count)::value>(x + i * columns, columns, gain, shift, epsilon, y + i * columns,
                                               {kept.means ? kept.means + i : nullptr, kept.inverses + i});
  };
  each_rows(rows, some);
}

/// With z = (x - mean) inverse and h = gain g: dL/dx = inverse (h - mean of h - z mean of (h z)).
template <typename Real, int Rows>
FOVEA_INLINE inline void norm_backward_of_rows(const Real* x, const Real* g, Index columns, const Real* gain,
                                               typename LearningKernels<Real>::NormRows kept,
                                               typename LearningKernels<Real>::NormGradients to) {
  using V = typename Lane<Real>::V;
  const Real share = Real(1) / static_cast<Real>(columns);
  Real mean[Rows], inverse[Rows], level[Rows] = {}, along[Rows];
  for (int r = 0; r < Rows; ++r) mean[r] = kept.means ? kept.means[r] : Real(0), inverse[r] = kept.inverses[r];
  if (to.gain || to.shift)
    each_vector<Real>(columns, [&](Index j, auto some) FOVEA_LAMBDA {
      V gains = to.gain ? load<Real>(to.gain + j, some, Real(0)) : V{};
      V shifts = to.shift ? load<Real>(to.shift + j, some, Real(0)) : V{};
#pragma GCC unroll 4
      for (int r = 0; r < Rows; ++r) {
        const V z = (load<Real>(x + r * columns + j, some, Real(0)) - mean[r]) * inverse[r];
        const V slope = load<Real>(g + r * columns + j, some, Real(0));
        gains = gains + z * slope;
        shifts = shifts + slope;
      }
      if (to.gain) store<Real>(to.gain + j, some, gains);
      if (to.shift) store<Real>(to.shift + j, some, shifts);
    });
  if (!to.x) return;
  if (kept.means) {
    sums_of_rows<Real, Rows>(columns, level, [=](V& sum, int r, Index j, auto some) FOVEA_LAMBDA {
      sum =
          multiply_add<Real>(load<Real>(gain + j, some, Real(0)), load<Real>(g + r * columns + j, some, Real(0)), sum);
    });
    for (int r = 0; r < Rows; ++r) level[r] = share * level[r];
  }
  sums_of_rows<Real, Rows>(columns, along, [&](V& sum, int r, Index j, auto some) FOVEA_LAMBDA {
    const V h = load<Real>(gain + j, some, Real(0)) * load<Real>(g + r * columns + j, some, Real(0));
    sum = multiply_add<Real>(h, load<Real>(x + r * columns + j, some, mean[r]) - mean[r], sum);
  });
  for (int r = 0; r < Rows; ++r) along[r] = share * inverse[r] * along[r];
  each_vector<Real>(columns, [&](Index j, auto some) FOVEA_LAMBDA {
    const V by = load<Real>(gain + j, some, Real(0));
#pragma GCC unroll 4
    for (int r = 0; r < Rows; ++r) {
      const V z = (load<Real>(x + r * columns + j, some, Real(0)) - mean[r]) * inverse[r];
      const V h = by * load<Real>(g + r * columns + j, some, Real(0)) - level[r];
      put<Real>(to.x + r * columns + j, some, (h - z * along[r]) * inverse[r], to.add);
    }
  });
}

template <typename Real>
FOVEA_TARGET void norm_backward(const Real* x, const Real* g, Index rows, Index columns, const Real* gain,
                                typename LearningKernels<Real>::NormRows kept,
                                typename LearningKernels<Real>::NormGradients to) {
  each_rows(rows, [&](Index i, auto count) FOVEA_LAMBDA {
    norm_backward_of_rows<Real, decltype(count)::value>(
        x + i * columns, g + i * columns, columns, gain, {kept.means ? kept.means + i : nullptr, kept.inverses + i},
        {to.x ? to.x + i * columns : nullptr, to.add, to.gain, to.shift});
  });
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
