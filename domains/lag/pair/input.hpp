#pragma once
/// Which pairs `lag.pair` studies: of a file, or made with a known lag.

#include <limits>
#include <string>
#include <vector>

#include "fovea/core/base/random.hpp"
#include "fovea/core/lab/experiment.hpp"
#include "fovea/datasets/series/series.hpp"
#include "fovea/domains/lag/pair/settings.hpp"

namespace fovea::lag::pair {

struct PairInput {
  std::string group;  ///< the file's, empty where it has one
  datasets::series::Curve driver, response;
  double true_lag = std::numeric_limits<double>::quiet_NaN();  ///< NaN: not known, or unrelated
  bool made = false, related = false;                          ///< made: by us, so that related is known
};

struct PairInputs {
  std::vector<PairInput> pairs;
  std::vector<std::string> notes;
};

/// Every group's driver with each of its responses, of what was opened (series::open_series()) or made. Throws
/// DataError and ArgumentError.
PairInputs pair_inputs(const PairAsked& asked, const Inputs& inputs, const Random& random);

}  // namespace fovea::lag::pair
