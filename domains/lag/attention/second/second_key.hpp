#pragma once
/// Keys of the second stage: what a past value does that neither it nor its bent content shows.

#include <tuple>

#include "fovea/core/base/missing.hpp"

namespace fovea::lag::attention {

/// Of z, the past value in its standard deviations, outliers pulled in where there are any.
enum class SecondForm {
  bump,    ///< exp(-z^2 / 2): the effect of values near the mean
  wave,    ///< z exp(-z^2 / 2): an effect that ends where values are large
  product  ///< z z', with another past value
};

struct SecondKey {
  SecondForm form = SecondForm::bump;
  Index source = 0, place = 0;        ///< place: of the lag, among those that are tested
  Index other = -1, other_place = 0;  ///< of a product; -1: none
  /// A product as the other of its values has it.
  SecondKey turned() const { return {form, other, other_place, source, place}; }
  bool same(const SecondKey& key) const {
    const auto all = [](const SecondKey& k) { return std::tie(k.form, k.source, k.place, k.other, k.other_place); };
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
