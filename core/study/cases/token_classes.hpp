#pragma once
/// Cases whose tokens are of several classes, as the variables of a record are: heart rate, lactate, a diagnosis.

#include <span>
#include <string>
#include <vector>

#include "fovea/core/study/cases/preparation.hpp"

namespace fovea::study {

/// Quantiles of a class's values: at the shares (k + 1/2) / kClassQuantiles, k = 0, 1, ..., so the outermost ones are
/// no single case's values where there are many.
inline constexpr std::size_t kClassQuantiles = 100;

/// Phi^-1 of the value's share: between two quantiles on the straight line, of a value that several quantiles have the
/// mean of the outer ones, beyond the outermost theirs; so in [-2.58, 2.58]. quantiles: kClassQuantiles, ascending.
double normal_score(std::span<const double> quantiles, double value);

/// The part of check_cases() that is about classes and ends. Throws DataError.
void check_classes(const std::string& source, const Cases& cases);

/// For each class and feature of the cases, class after class: quantiles, and mean and deviation within them, over the
/// tokens of these cases. Of a feature with categories only whether values are missing. Of private cases
/// (Cases::smallest_cell) only quantiles between the values that so many cases reach from below and from above are
/// kept, those beyond are of the normal distribution through the outermost of them, and mean and deviation are within
/// them; where fewer than two are left the class has no values.
std::vector<FeatureScale> scales_of_classes(const Cases& cases, const std::vector<Index>& items);

/// The cases with the classes of the preparation, by name; tokens of other classes are left out, and noted as unused.
/// Throws DataError where one of the two has classes and the other none, and where they have none in common.
Cases matched_classes(const std::string& source, const Preparation& preparation, Cases cases, Difference& difference);

/// The cases without the classes that fewer than smallest_cell of them have, and without their tokens.
Cases without_rare_classes(Cases cases);

/// The cases without the tokens that are later than their case's end. Cases without ends stay as they are.
Cases until_ends(Cases cases);

}  // namespace fovea::study
