#pragma once
/// What the page of imaging.radiomics says in words.

#include <string>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/words.hpp"
#include "fovea/core/data/finding.hpp"

namespace fovea::imaging {

/// From Koo & Li 2016 (J. Chiropr. Med. 15:155): above 0.75 the reliability is good.
inline constexpr double kGoodReliability = 0.75;

struct FeaturesRepeat {
  std::int64_t reliable, features, lesions;
  double noise, contour;
  std::string most, least;  ///< families
  double most_share, least_share;
  FOVEA_FINDING(verdict, "features_repeat", "features agree between two measurements of the same lesions", reliable,
                features, lesions, noise, contour, most, least, most_share, least_share)
  bool holds() const { return reliable > 0; }
  std::string sentence() const {
    return concat(reliable, " of ", features, " features are reliable: the 95 % interval of their intraclass ",
                  "correlation lies above ", kGoodReliability, " (", lesions,
                  " simulated lesions measured twice, noise ", noise, " HU, contours off by ", contour, " mm)",
                  most_share > least_share ? concat(". The largest share has ", most, " (", percent(most_share),
                                                    "), the smallest ", least, " (", percent(least_share), ").")
                                           : std::string("."));
  }
  static std::string percent(double share) { return concat(std::round(100 * share), " %"); }
  static FeaturesRepeat example() { return {310, 470, 24, 10, 1, "morphology", "grey level size zone", 0.9, 0.4}; }
  static FeaturesRepeat counterexample() { return {0, 470, 24, 500, 9, "morphology", "grey level size zone", 0, 0}; }
};

struct NoFeatureRepeats {
  std::int64_t reliable, features, lesions;
  double noise, contour;
  FOVEA_FINDING(verdict, "no_feature_repeats", "no feature agrees between two measurements of the same lesions",
                reliable, features, lesions, noise, contour)
  bool holds() const { return reliable == 0; }
  std::string sentence() const {
    return concat("No feature of ", features,
                  " is reliable: no 95 % interval of the intraclass correlation lies above ", kGoodReliability, " (",
                  lesions, " simulated lesions measured twice, noise ", noise, " HU, contours off by ", contour,
                  " mm).");
  }
  static NoFeatureRepeats example() { return {0, 470, 24, 500, 9}; }
  static NoFeatureRepeats counterexample() { return {310, 470, 24, 10, 1}; }
};

}  // namespace fovea::imaging
