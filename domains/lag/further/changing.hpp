#pragma once
/// Effects whose sign or size changes in time.

#include <array>
#include <string>

#include "fovea/domains/lag/further/effects.hpp"
#include "fovea/domains/lag/further/family.hpp"
#include "fovea/domains/lag/further/panel.hpp"

namespace fovea::lag::further {

class ChangingEffects {
 public:
  /// left: what is left of each effect, series x steps; both are kept by reference.
  ChangingEffects(const Panel& panel, Matrix<double>& left, const FurtherSettings& settings);

  Family family();
  /// Takes the cause, with a coefficient of its own in each window, out of what is left of the effect.
  void remove(const methods::Link& link);
  double p_value(const methods::Link& link) const;
  /// Where in time, of a link that was not removed yet: "changes its sign about row 412".
  std::string course(const methods::Link& link) const;

 private:
  static constexpr std::size_t kMostScales = 4;
  using Statistics = std::array<double, kMostScales>;  ///< Q of 2, 4, 8 and 16 windows
  LaggedSums guarded(LaggedSums sums, Index effect) const;
  LaggedSums sums_of(Index cause, Index lag, Index effect) const;
  void measure(Index effect);  ///< powers_
  Statistics statistics(const LaggedSums& sums) const;
  double p_of(const Statistics& q) const;
  Statistics corrected(const methods::Link& link) const;
  double strength(const methods::Link& link) const;

  const Panel& panel_;
  Matrix<double>& left_;
  const FurtherSettings& settings_;
  std::vector<ByWindow> powers_;  ///< of left_: sums of squares
  std::size_t scales_ = 0;
  Statistics least_{};   ///< Q of each scale whose p-value is the level
  Statistics common_{};  ///< inflation that all tests share
};

}  // namespace fovea::lag::further
