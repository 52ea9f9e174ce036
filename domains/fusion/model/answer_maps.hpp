#pragma once
/// Maps over row and column of what is known of places, what a model answers there, and which sensor it trusts.

#include <map>
#include <string>
#include <vector>

#include "fovea/core/base/missing.hpp"
#include "fovea/domains/fusion/model/lost_sensors.hpp"

namespace fovea::fusion::model {

/// NaN where nothing is known, or nothing was answered.
struct MapPoint {
  double truth = kNan, answer = kNan;   ///< numbers of classes
  double wrong = kNan;                  ///< 1 where they differ, else 0
  double trust = kNan, entropy = kNan;  ///< in S2; of the answer, nats
};

/// Of a row of the answers, whose class is known.
MapPoint map_point(double truth, const SensorAnswers& said, Index row);

/// The attributes of an array of numbers of classes, by which it is drawn. After the last colour comes the first again.
std::map<std::string, std::string> class_flags(const std::vector<std::string>& classes,
                                               const std::vector<std::string>& colors);

/// Adds over (row, column), which the results have: truth, answer, wrong, trust_map and entropy_map, with what pages
/// need to draw them. colors: of the classes; after the last comes the first again.
void add_answer_maps(const std::vector<MapPoint>& points, const std::vector<std::string>& classes,
                     const std::vector<std::string>& colors, Results& results, bool with_entropy = true);

}  // namespace fovea::fusion::model
