#pragma once
/// Predictions that every model has to beat: the base rate, and a ridge model on what a case is on average.

#include <span>
#include <vector>

#include "fovea/core/study/cases/preparation.hpp"
#include "fovea/core/study/ensemble/predictions.hpp"

namespace fovea::study {

/// Share of each class, incidences of hazards (hazards/hazard_baselines.hpp), or mean and standard deviation of a
/// number, in the training part, for `rows` rows.
Predictions base_rate(const Target& target, std::span<const double> training_targets, Index rows);

/// The inputs averaged over the tokens of each of these cases, and the log of 1 + their number; one row a case. With a
/// target a token: the tokens' own inputs. Where tokens have classes: of each class the mean of each number over those
/// of its tokens that have a value (0 where none has), the shares of categories, and log(1 + the class's tokens);
/// tokens later than the case's end do not count.
Matrix<double> mean_inputs(const Cases& cases, const Matrix<float>& inputs, const Target& target,
                           const std::vector<Index>& items);

/// What the columns of mean_inputs() are: "lactate", "unit = surgery", "lactate missing", "number of lactate".
std::vector<std::string> mean_input_names(const Preparation& preparation, const Target& target);

/// Ridge regression (Hoerl & Kennard 1970), for classes logistic, one against the others and normalised. The penalty is
/// the best of 1e-3, 1e-2, ..., 1e3 on the validation part. Where that is empty it is the best by leaving out each row
/// of the training part: exactly for a number (Allen 1974), by one Newton step for classes (le Cessie & van Houwelingen
/// 1992); rows of one group are then taken for independent. Rows without a known target (NaN) are not learned from. Of
/// hazards see hazards/hazard_baselines.hpp.
Predictions ridge(const Target& target, const Matrix<double>& training, std::span<const double> training_targets,
                  const Matrix<double>& validation, std::span<const double> validation_targets,
                  const Matrix<double>& test);

/// What a ridge model learns from, chooses its penalty on, and is asked; as of ridge().
struct RidgeParts {
  const Matrix<double>& training;
  std::span<const double> training_targets;
  const Matrix<double>& validation;
  std::span<const double> validation_targets;
  const Matrix<double>& test;
};
/// Of classes 0, 1, ..., a column each; one output: of 0 and 1, the probability of 1.
Predictions ridge_of_classes(Index outputs, const RidgeParts& parts);
Predictions ridge_of_number(const RidgeParts& parts);

/// Predictions of one model, whose members do not differ.
Predictions without_spread(Matrix<double> mean);

}  // namespace fovea::study
