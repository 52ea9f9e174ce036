#pragma once
/// Keys of the second stage: what a past value does that neither it nor its bent content shows.

#include <array>
#include <cmath>
#include <tuple>

#include "fovea/core/base/missing.hpp"
#include "fovea/core/kernels/exponential.hpp"

namespace fovea::lag::attention {

/// Of z, the past value in its standard deviations, outliers pulled in where there are any.
enum class SecondForm {
  bump,    ///< exp(-z^2 / 2): the effect of values near the mean
  wave,    ///< z exp(-z^2 / 2): an effect that ends where values are large
  cosine,  ///< cos(f z): an effect that turns more than once
  sine,    ///< sin(f z)
  product  ///< z z', with another past value
};

/// A shape of one past value; f in radians a standard deviation.
struct SecondShape {
  SecondForm form = SecondForm::bump;
  int frequency = 0;  ///< f of cosine and sine

  template <typename Number>
  Number at(Number z) const {
    if (form == SecondForm::cosine) return std::cos(static_cast<Number>(frequency) * z);
    if (form == SecondForm::sine) return std::sin(static_cast<Number>(frequency) * z);
    return (form == SecondForm::wave ? z : 1) * exponential(Number(-0.5) * z * z);
  }
};

/// All of them. f from 2, since bumps and waves show what turns less than once; in steps of 2, so that of an effect
/// between two of them at least exp(-1/2) of the correlation shows where z is normal; to 8, a turn in 0.8 deviations.
inline constexpr std::array<SecondShape, 10> kShapes = {{{SecondForm::bump},
                                                         {SecondForm::wave},
                                                         {SecondForm::cosine, 2},
                                                         {SecondForm::sine, 2},
                                                         {SecondForm::cosine, 4},
                                                         {SecondForm::sine, 4},
                                                         {SecondForm::cosine, 6},
                                                         {SecondForm::sine, 6},
                                                         {SecondForm::cosine, 8},
                                                         {SecondForm::sine, 8}}};

/// Of them, cosines and sines: the last.
inline constexpr Index kTurns = 8;

struct SecondKey {
  SecondForm form = SecondForm::bump;
  Index source = 0, place = 0;        ///< place: of the lag, among those that are tested
  Index other = -1, other_place = 0;  ///< of a product; -1: none
  int frequency = 0;                  ///< of cosine and sine: SecondShape
  /// A product as the other of its values has it.
  SecondKey turned() const { return {form, other, other_place, source, place}; }
  bool same(const SecondKey& key) const {
    const auto all = [](const SecondKey& k) {
      return std::tie(k.form, k.source, k.place, k.other, k.other_place, k.frequency);
    };
    return all(*this) == all(key) || (form == SecondForm::product && all(turned()) == all(key));
  }
};

/// The best second key of one (source, lag).
struct SecondTest {
  SecondKey key;
  Index other_lag = 0;  ///< of a product, in steps
  double correlation = 0, t = 0;
  double p_value = 1;  ///< over all second keys of this (source, lag), by Bonferroni with their weights
  double trials = 1;   ///< p_value over that of the key alone, but for the bound of 1
  double log10_p = 0;  ///< of p_value, also where that is too small for a double
};

}  // namespace fovea::lag::attention
