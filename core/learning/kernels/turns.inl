// Cosines and sines on vectors. Included by learning_loops.inl behind lanes.inl.

/// cos and sin of 2 pi x, |x| < 2^50: the nearest quarter turn is taken off exactly, and Taylor series on [-pi/4, pi/4]
/// end below 1e-17.
FOVEA_INLINE inline void lane_turn(Lane<double>::V x, Lane<double>::V& cosine, Lane<double>::V& sine) {
  using V = Lane<double>::V;
  using I = Lane<double>::I;
  constexpr double kRound = 0x1.8p52;  // x + kRound - kRound rounds to a whole number, which stands in the last bits
  constexpr double kTwoPi = 6.283185307179586;
  const V part = x - ((x + kRound) - kRound);
  const V shifted = part * 4.0 + kRound;
  const V angle = (part - (shifted - kRound) * 0.25) * kTwoPi;
  const V square = angle * angle;
  V even = broadcast<double>(1), odd = even;
#pragma GCC unroll 8
  for (int k = 16; k >= 2; k -= 2) even = 1.0 - even * (square * (1.0 / (k * (k - 1))));
#pragma GCC unroll 8
  for (int k = 17; k >= 3; k -= 2) odd = 1.0 - odd * (square * (1.0 / (k * (k - 1))));
  odd = odd * angle;
  const I quarter = reinterpret_cast<I>(shifted);
  const V first = (quarter & 1) != 0 ? odd : even, second = (quarter & 1) != 0 ? even : odd;
  cosine = ((quarter + 1) & 2) != 0 ? -first : first;
  sine = (quarter & 2) != 0 ? -second : second;
}

template <typename Real>
FOVEA_TARGET void turns(const double* positions, Index rows, const double* frequencies, Index columns, Real* cosines,
                        Real* sines) {
  using V = Lane<double>::V;
  typedef Real Numbers __attribute__((vector_size(sizeof(Real) * Lane<double>::kWidth)));
  for (Index i = 0; i < rows; ++i, cosines += columns, sines += columns)
    each_vector<double>(columns, [=](Index c, Index some) FOVEA_LAMBDA {
      V cosine, sine;
      lane_turn(load<double>(frequencies + c, some, 0.0) * positions[i], cosine, sine);
      const Numbers first = __builtin_convertvector(cosine, Numbers), second = __builtin_convertvector(sine, Numbers);
      std::memcpy(cosines + c, &first, static_cast<std::size_t>(some) * sizeof(Real));
      std::memcpy(sines + c, &second, static_cast<std::size_t>(some) * sizeof(Real));
    });
}
