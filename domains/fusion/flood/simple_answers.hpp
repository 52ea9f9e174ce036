#pragma once
/// Who else answers the question of a scene, from the same columns of the same pixels: boosted trees of one sensor, a
/// switch between these, and boosted trees of both sensors side by side.

#include "fovea/core/study/trees/packed_trees.hpp"
#include "fovea/domains/fusion/flood/skies.hpp"

namespace fovea::fusion::flood {

/// Trees learn from the training pixels as they are, once; of a pixel whose sensor shows nothing they say what most
/// training pixels are of.
class SimpleAnswers {
 public:
  explicit SimpleAnswers(const Skies& skies);
  /// "trees, S1 alone", "trees, S2 alone", "trees, S2, or S1 where S2 is missing", "trees, both stacked": classes of
  /// the pixels of these skies.
  struct Said {
    std::vector<Index> s1, s2, either, both;
  };
  Said said(const Skies& skies, const Rendition& rendition) const;

 private:
  using Trees = std::vector<study::PackedTrees>;  ///< of each class
  Index s1_columns_;
  Trees s1_, s2_, both_;
};

/// One way to answer, scored on the tested pixels.
struct Answerer {
  std::string name;
  bool one_sensor;               ///< a pixel is answered by one sensor
  ValueInterval mean_iou, gain;  ///< gain: of attention with both sensors over it
  Index behind = 0;              ///< in so many groups attention with both sensors is better
};

/// Attention with both sensors, with one alone, and the four of SimpleAnswers, in this order, under one sky. Intervals:
/// 95 %, bootstrap over groups (Skies::groups()).
std::vector<Answerer> compared(const Skies& skies, const SimpleAnswers& simple, const Rendition& rendition);

}  // namespace fovea::fusion::flood
