#pragma once
/// The keys of lag.pair.

#include <string>

#include "fovea/datasets/simulated/light_curves.hpp"
#include "fovea/domains/lag/pair/outcome.hpp"
#include "fovea/domains/lag/series/input.hpp"

namespace fovea::lag::pair {

struct PairAsked {
  series::SeriesAsked series;
  std::string driver, response, group;  ///< of the file; empty: as the keys say
  double from = 0, to = 0;              ///< times that are used; both 0: all
  Index related = 6, unrelated = 2;     ///< simulated pairs
  datasets::simulated::ErrorPlan errors;
  PairSettings study;
  double level = 0.01;  ///< false-alarm probability up to which a pair is reported as related
};

const Keys<PairAsked>& pair_keys();

}  // namespace fovea::lag::pair
