#pragma once
/// Effects of two causes as a product.

#include "fovea/domains/lag/further/effects.hpp"
#include "fovea/domains/lag/further/family.hpp"
#include "fovea/domains/lag/further/panel.hpp"

namespace fovea::lag::further {

class ProductEffects {
 public:
  /// left: what is left of each effect, series x steps; both are kept by reference.
  ProductEffects(const Panel& panel, Matrix<double>& left, const FurtherSettings& settings);

  /// Keys of each target that the budget pays for, at most series x lags.
  Index keys() const { return keys_; }
  Family family() const;
  /// Takes the product of the two causes out of what is left of the effect: of their innovations and of their values.
  void remove(const methods::Link& link);
  double p_value(const methods::Link& link) const;

 private:
  struct Key {
    Index series, lag;
  };
  std::vector<Key> keys_of(Index target) const;
  Family family_of(Index target) const;
  methods::Link link_of(Key one, Key other, Index target) const;

  const Panel& panel_;
  Matrix<double>& left_;
  const FurtherSettings& settings_;
  Matrix<double> sizes_;  ///< of the innovations; empty where the budget pays for every key
  Index keys_ = 0;
};

}  // namespace fovea::lag::further
