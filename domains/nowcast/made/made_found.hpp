#pragma once
/// What members learned of a simulated economy, compared with what is known of it.

#include "fovea/core/study/ensemble/fitting.hpp"
#include "fovea/domains/nowcast/made/made_cases.hpp"
#include "fovea/domains/nowcast/model/nowcast_model.hpp"

namespace fovea::nowcast::made {

/// Members, and the months that they are asked about.
struct Asked {
  const std::vector<study::Member>& members;
  const MadeCases& made;
  const Matrix<float>& inputs;
  const NowcastModelSettings& model;
};

/// A kind of event as it is and as it was learned, means over the members. Shares are of all events that the months
/// see.
struct KindFound {
  MadeKind known;
  Memory learned;
  double events = 0, attention = 0, deletion = 0;
  bool causes() const { return known.effect != 0; }
};

struct Found {
  std::vector<KindFound> kinds;  ///< those that the months see, in the order of the economy
  Index months = 0;              ///< that have a cause
  Index first = 0;               ///< of them, those in which the removal of the first cause lowers the logit most
  double cause_first() const { return static_cast<double>(first) / static_cast<double>(months); }
};

/// months: the cases that shares and causes are found in.
Found found_of(const Asked& asked, const std::vector<Index>& months, Index window);

/// What an event of this kind and of size 1 adds to the logit at this age, mean over the members.
double learned_effect(const Asked& asked, const std::string& kind, double age);

}  // namespace fovea::nowcast::made
