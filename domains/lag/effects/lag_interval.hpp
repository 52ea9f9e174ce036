#pragma once
/// How well a lag is known: which lag of a cause is the strongest when the rows are drawn again in blocks.

#include <map>
#include <vector>

#include "fovea/domains/lag/effects/regression.hpp"
#include "fovea/domains/lag/methods/findings.hpp"

namespace fovea::lag::effects {

/// Steps; high = 0: not known, for too few rows or too much work.
struct LagRange {
  Index low = 0, high = 0;
};

/// The target and each tested lag of the cause are freed, by least squares, of the target's other regressors and the
/// conditions; the strongest lag is that of the largest squared correlation of what is left. The range holds it in 95 %
/// of 99 draws of the stationary bootstrap (Politis & Romano 1994; mean length of blocks rows^(1/3)), widened to the
/// lag of the link itself. Lags on a regular grid are known no better than to a step.
class LagIntervals {
 public:
  /// The table and the settings must outlive this.
  LagIntervals(const datasets::series::SeriesTable& table, const methods::LagSettings& settings, const Random& random)
      : table_(table), settings_(settings), random_(random) {}

  /// Whether the work on a link into a target with so many regressors, which is taken for done, is not too much.
  bool affords(Index regressors);
  /// regressors: of the target, those of the cause among them. For several threads at once.
  LagRange of(const methods::Link& link, const std::vector<Regressor>& regressors);

 private:
  struct Block {
    Index first = 0, length = 0;
  };
  using Draw = std::vector<Block>;
  const std::vector<Draw>& draws_of(Index rows);

  const datasets::series::SeriesTable& table_;
  const methods::LagSettings& settings_;
  Random random_;
  std::map<Index, std::vector<Draw>> draws_;  ///< by number of rows
  double work_ = 0;                           ///< products of numbers so far
};

}  // namespace fovea::lag::effects
