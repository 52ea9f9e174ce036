// Pooling within a class, heads as lanes. Included by learning_loops.inl behind lanes.inl.

/// The events so far as the heads weigh them. Weights are kept relative to that of the largest score; means and
/// covariances are moved by each newcomer's share (West 1979), so nothing cancels and nothing overflows.
/// Companions: functions of an event's age whose covariance with the values is wanted; none: no slopes at all.
template <typename Real, int Companions>
struct PooledHeads {
  using V = typename Lane<Real>::V;
  V top, total = {}, mean = {}, variance = {};
  V companion[Companions > 0 ? Companions : 1] = {}, covariance[Companions > 0 ? Companions : 1] = {};

  FOVEA_INLINE PooledHeads() : top(broadcast<Real>(-std::numeric_limits<Real>::infinity())) {}

  /// Returns the newcomer's share of the weights. value: a number, or one a lane.
  template <typename Value>
  FOVEA_INLINE V add(V score, Value value, const V* companions) {
    const V gap = score - top;
    const V lower = lane_exp<Real>(-magnitude<Real>(gap));  // the smaller of both weights; the larger is 1
    const V kept = gap > Real(0) ? total * lower : total;
    const V added = gap > Real(0) ? broadcast<Real>(1) : lower;
    top = larger<Real>(top, score);
    total = kept + added;
    const V inverse = Real(1) / total;
    const V share = added * inverse, rest = kept * inverse;
    const V off = value - mean;
    if constexpr (Companions > 0) {
      const V pull = share * off;
      variance = rest * multiply_add<Real>(pull, off, variance);
#pragma GCC unroll 2
      for (int k = 0; k < Companions; ++k) {
        const V apart = companions[k] - companion[k];
        covariance[k] = rest * multiply_add<Real>(pull, apart, covariance[k]);
        companion[k] = multiply_add<Real>(share, apart, companion[k]);
      }
    }
    mean = multiply_add<Real>(share, off, mean);
    return share;
  }
};

/// Which of the lanes from `first` on are at `from` or later.
template <typename Real>
FOVEA_INLINE inline typename Lane<Real>::I lanes_since(Index first, Index from) {
  typename Lane<Real>::I place;
#pragma GCC unroll 16
  for (int i = 0; i < static_cast<int>(Lane<Real>::kWidth); ++i) place[i] = i;
  return place >= static_cast<typename Lane<Real>::Bits>(from - first);
}

/// log(1 + the sum of the weights, the newest of which is `since` old) of the lanes that are masses, and its slope.
template <typename Real, int Companions>
FOVEA_INLINE inline void put_masses(const PooledHeads<Real, Companions>& pooled, typename Lane<Real>::I masses,
                                    typename Lane<Real>::V rate, Real since, typename Lane<Real>::V& y,
                                    typename Lane<Real>::V& slope) {
  using V = typename Lane<Real>::V;
  const V sum = pooled.total * lane_exp<Real>(smaller<Real>(V{}, pooled.top - rate * since));
  y = masses ? lane_log<Real>(sum + Real(1)) : y;
  if constexpr (Companions > 0) slope = masses ? sum * rate * (pooled.companion[0] + since) / (sum + Real(1)) : slope;
}

template <typename Real, bool Slopes, bool Squares, typename Some>
FOVEA_INLINE inline void pool_decaying_lanes(const ClassGroup<Real>& group, const ClassLanes<Real>& lanes,
                                             const ClassResults<Real>& to, Index h, Some some) {
  using V = typename Lane<Real>::V;
  const V sharpness = load<Real>(lanes.sharpness + h, some, Real(0)), rate = load<Real>(lanes.rates + h, some, Real(0));
  const bool with_masses = h + Index(some) > lanes.heads;
  const auto masses = lanes_since<Real>(h, lanes.heads);
  const auto squares = lanes_since<Real>(h, lanes.heads - lanes.squares) & ~masses;
  PooledHeads<Real, Slopes> pooled;
  Index i = 0;
  for (Index q = 0; q < group.queries; ++q) {
    for (; i < group.events && group.times[i] <= group.query_times[q]; ++i) {
      const Real passed = i > 0 ? static_cast<Real>(group.times[i] - group.times[i - 1]) : Real(0);
      pooled.top = pooled.top - rate * passed;
      pooled.companion[0] = pooled.companion[0] + passed;  // the mean age; the newcomer's is 0
      const V fresh = {};
      const Real value = group.values[i];
      V share;
      if constexpr (Squares) {
        const V mine = squares ? broadcast<Real>(value * value) : broadcast<Real>(value);
        share = pooled.add(sharpness * mine, mine, &fresh);
      } else {
        share = pooled.add(sharpness * value, value, &fresh);
      }
      if (to.shares) store<Real>(to.shares + i * lanes.count + h, some, share);
    }
    V y = pooled.mean, slope = rate * pooled.covariance[0];
    const Real since = i > 0 ? static_cast<Real>(group.query_times[q] - group.times[i - 1]) : Real(0);
    if (with_masses) put_masses<Real>(pooled, masses, rate, since, y, slope);
    store<Real>(to.y + q * to.stride + h, some, y);
    if constexpr (Slopes) {
      store<Real>(to.by_sharpness + q * to.stride + h, some, pooled.variance);
      store<Real>(to.by_time + q * to.stride + h, some, slope);
    }
  }
}

template <typename Real>
FOVEA_TARGET void pool_decaying(const ClassGroup<Real>& group, const ClassLanes<Real>& lanes,
                                const ClassResults<Real>& to) {
  each_vector<Real>(lanes.count, [&](Index h, auto some) FOVEA_LAMBDA {
    if (to.by_sharpness)
      pool_decaying_lanes<Real, true, false>(group, lanes, to, h, some);
    else if (lanes.squares > 0)
      pool_decaying_lanes<Real, false, true>(group, lanes, to, h, some);
    else
      pool_decaying_lanes<Real, false, false>(group, lanes, to, h, some);
  });
}

template <typename Real, bool Slopes, typename Some>
FOVEA_INLINE inline void pool_power_law_lanes(const ClassGroup<Real>& group, const ClassLanes<Real>& lanes,
                                              const ClassResults<Real>& to, Index h, Some some) {
  using V = typename Lane<Real>::V;
  const V sharpness = load<Real>(lanes.sharpness + h, some, Real(0)), rate = load<Real>(lanes.rates + h, some, Real(0));
  const V exponent = load<Real>(lanes.exponents + h, some, Real(0));
  for (Index q = 0; q < group.queries; ++q) {
    PooledHeads<Real, Slopes ? 2 : 0> pooled;
    for (Index i = 0; i < group.events && group.times[i] <= group.query_times[q]; ++i) {
      const Real age = static_cast<Real>(group.query_times[q] - group.times[i]);
      const V grown = finite<Real>(rate * age + Real(1));
      const V companions[2] = {lane_log<Real>(grown), (grown - Real(1)) / grown};
      pooled.add(sharpness * group.values[i] - exponent * companions[0], group.values[i], companions);
    }
    store<Real>(to.y + q * to.stride + h, some, pooled.mean);
    if constexpr (Slopes) {
      store<Real>(to.by_sharpness + q * to.stride + h, some, pooled.variance);
      store<Real>(to.by_exponent + q * to.stride + h, some, -exponent * pooled.covariance[0]);
      store<Real>(to.by_time + q * to.stride + h, some, exponent * pooled.covariance[1]);
    }
  }
}

template <typename Real>
FOVEA_TARGET void pool_power_law(const ClassGroup<Real>& group, const ClassLanes<Real>& lanes,
                                 const ClassResults<Real>& to) {
  each_vector<Real>(lanes.heads, [&](Index h, auto some) FOVEA_LAMBDA {
    if (to.by_sharpness)
      pool_power_law_lanes<Real, true>(group, lanes, to, h, some);
    else
      pool_power_law_lanes<Real, false>(group, lanes, to, h, some);
  });
}
