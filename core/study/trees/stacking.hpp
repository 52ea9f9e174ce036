#pragma once
/// Weights by which the answers of several models are mixed: of all that are at least 0 those of the least loss on
/// cases that no model learned from (stacking, Wolpert 1992; with weights at least 0, Breiman 1996). A model that adds
/// nothing has weight 0.

#include <span>
#include <vector>

#include "fovea/core/base/matrix.hpp"

namespace fovea::study {

/// Logits, which add up: minimises the mean log loss of sum_k w_k (logits of k), w_k >= 0, of two classes with a free
/// intercept. Divided by the sum of the weights, since a calibration fits the scale behind it. parts: rows x classes
/// of each model, one column: of class 1 against class 0. Where all weights are 0, as of models that say less than
/// nothing, and where there is no row, all models have the same weight. Throws ArgumentError.
/// strata: how many rows, one after the other, have intercepts of their own; none: all have the same.
std::vector<double> stacked_logits(std::span<const Matrix<double>> parts, std::span<const Index> classes,
                                   std::vector<Index> strata = {});

/// Numbers: minimises the squared error of sum_k w_k (first column of k), w_k >= 0, with a sum of 1, exactly. Where
/// there is no row, all models have the same weight. Throws ArgumentError.
std::vector<double> stacked_numbers(std::span<const Matrix<double>> parts, std::span<const double> targets);

}  // namespace fovea::study
