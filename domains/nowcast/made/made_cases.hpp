#pragma once
/// The months of a simulated economy whose causes are known, as cases.

#include <string>
#include <vector>

#include "fovea/core/config/keys.hpp"
#include "fovea/core/study/cases/cases.hpp"
#include "fovea/datasets/simulated/economies/made_economy.hpp"

namespace fovea::nowcast::made {

using datasets::simulated::MadeEconomy;
using datasets::simulated::MadeKind;

struct MadeSettings {
  std::string file;  ///< refused where the cases are opened
  Index months = 10000;
  Index window = 36;  ///< months of events that a month sees
};
const Keys<MadeSettings>& made_keys();

/// Parts in the order of time, with the window between two of them: no event of a tested month was seen before.
struct MadeCases {
  MadeEconomy economy;
  study::Cases cases;
  std::vector<Index> months;  ///< of each case
  std::vector<Index> events;  ///< of each token, in the economy; -1: the token of no event
};
/// hidden: a kind whose events are left out of the cases, though they have their effect; "": none.
MadeCases made_cases(const MadeSettings& settings, const Random& random, const std::string& hidden = "");

}  // namespace fovea::nowcast::made
