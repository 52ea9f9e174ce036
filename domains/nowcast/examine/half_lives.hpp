#pragma once
/// How long each kind of event is felt, and whether the data say so.

#include <string>
#include <vector>

#include "fovea/core/base/missing.hpp"
#include "fovea/core/data/results.hpp"
#include "fovea/core/study/report/study_outcome.hpp"
#include "fovea/domains/nowcast/model/nowcast_model.hpp"

namespace fovea::nowcast {

/// Over models that each learned without one recession; times in months.
struct KindMemory {
  std::string kind;
  double effect = kNan;                              ///< on the log-odds, of an event of size 1, mean
  double half_life = kNan, low = kNan, high = kNan;  ///< geometric mean; 95 % interval of the jackknife (Tukey 1958)
  bool learned = false;  ///< the interval leaves out the half-life at the start, which is all that it is otherwise
};

/// Of every kind of event. The half-life of a kind is the one that its head of largest effect has learned.
std::vector<KindMemory> kind_memories(const study::StudyOutcome& outcome, const NowcastModelSettings& settings);

void write_half_lives(const std::vector<KindMemory>& kinds, double start, Results& results);

}  // namespace fovea::nowcast
