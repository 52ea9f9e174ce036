#pragma once
/// From the features of a case to the inputs of a model; everything about the scale of numbers comes from the training
/// part alone.

#include <vector>

#include "fovea/core/study/cases/cases.hpp"
#include "fovea/core/study/cases/target.hpp"

namespace fovea::study {

/// What is known about a feature from the training part; where tokens have classes, about a feature of one class.
struct FeatureScale {
  double mean = 0, deviation = 1;  ///< of the values that are there; deviation 1 where it would be 0
  double low = 0, high = 0;        ///< the training range (of a class: limits, see below); NaN where no value is there
  bool marked = false;             ///< values were missing: the model sees a column that says so
  /// Of a class: kClassQuantiles quantiles of its values, ascending; empty where it has none, and without classes.
  std::vector<double> quantiles = {};
};

/// Inputs of a number: (x - mean) / deviation, 0 where missing, then 1 where missing if it is marked. Of a feature with
/// C categories: C columns of 0 and 1; missing: all 0.
///
/// Where tokens have classes, a number becomes the normal score of its rank within the class of its token (van der
/// Waerden 1952; token_classes.hpp), by the class's quantiles in the training part: a bilirubin of 30 mg/dl and a pH of
/// 735 are both merely among the largest. low and high are the outermost quantiles, mean and deviation those of the
/// values within them. The column that marks missing values is always there, and a value of a class that had none in
/// the training part is missing.
struct Preparation {
  std::vector<Feature> features;
  std::vector<FeatureScale> scales;  ///< one a feature; with classes C x features, class after class
  std::string time_unit;             ///< empty without times
  Index coordinates = 0;
  double target_mean = 0, target_deviation = 1;  ///< of a number
  std::vector<std::string> classes;              ///< of the tokens; empty: all are of one kind

  Index inputs() const;
  Index width(std::size_t feature) const;  ///< columns of a feature
  /// Whose scale that is: the feature's name; with classes the class, and behind it the feature where there are
  /// several.
  std::string scale_name(std::size_t scale) const;
  bool operator==(const Preparation&) const = default;
};
bool operator==(const FeatureScale& a, const FeatureScale& b);

/// From these cases of the training part. Throws DataError where no case has a token.
Preparation prepare(const Cases& cases, const std::vector<Index>& training, const Target& target);

/// N x inputs() of all tokens. The cases' features must be those of the preparation, in its order.
Matrix<float> prepared(const Preparation& preparation, const Cases& cases);

/// How new cases differ from those that the model learned from.
struct Difference {
  std::vector<std::string> unused;  ///< features and classes that the model does not know
  std::vector<Index> outside;       ///< of each scale: values outside the training range (of a class: its limits)
  std::vector<Index> missing;       ///< of each scale: values that are missing, where none was in the training part
  std::vector<Index> seen;          ///< of each class: its tokens
};

/// The features that the preparation wants, in its order, whatever else there is, and the classes by their names:
/// tokens of a class that the model does not know are left out; adds to `difference`. Throws DataError that starts with
/// `source` and names the feature that is missing or has another unit, type or categories; the same for times,
/// coordinates and classes.
Cases matched(const std::string& source, const Preparation& preparation, Cases cases, Difference& difference);

}  // namespace fovea::study
