#pragma once
/// Recommended agents: drawn anew in each step, heard beside one's neighbours. The law is in coevolution.hpp.

#include "fovea/domains/opinion/dynamics/coevolution.hpp"
#include "fovea/domains/opinion/dynamics/hearing.hpp"
#include "fovea/domains/opinion/dynamics/partners.hpp"

namespace fovea::opinion::dynamics {

class FeedHearing {
 public:
  /// graph: nullptr where the feed comes in place of a network; it is copied.
  FeedHearing(const Feed& feed, double self_weight, const society::Graph* graph, Index agents, const Random& random);

  /// What each agent hears in this step. opinions: one column. O(N size log(range / floor) + edges); the draws of an
  /// agent depend on its number and the step, so bits do not depend on the number of threads.
  void hear(const HearingRule& rule, const Matrix<double>& opinions, const Matrix<double>& values,
            Matrix<double>& heard, std::int64_t step);

  /// Whom each agent heard last, with the shares of the weight W: the feed behind all others.
  const SpeakerRows& rows() const { return rows_; }

 private:
  void draw(const Matrix<double>& opinions, std::int64_t step);

  Feed feed_;
  Random random_;
  Partners tree_;
  SpeakerRows rows_;
};

}  // namespace fovea::opinion::dynamics
