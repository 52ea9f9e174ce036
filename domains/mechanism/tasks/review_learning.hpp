#pragma once
/// Learning to judge reviews: for the experiment "mechanism.explanation".

#include <vector>

#include "fovea/core/config/keys.hpp"
#include "fovea/core/learning/training/training.hpp"
#include "fovea/domains/mechanism/tasks/reviews.hpp"

namespace fovea::mechanism::tasks {

/// Reviews, the same for every seed.
struct ReviewData {
  ReviewLanguage language;
  std::vector<Review> joined, test;  ///< joined: those to learn from, then those that choose the best epoch
  Index training = 0;                ///< how many of them to learn from
};

/// Which reviews are made.
struct ReviewDataSettings {
  Index data_seed = 1, words = 12, training = 6000, validation = 300, test = 500;
  ReviewLanguage language;
};
/// Keys reviews.*
const Keys<ReviewDataSettings>& review_data_keys();
/// A stream for each part.
ReviewData review_data(const ReviewDataSettings& settings);

/// Logistic loss of the labels. Classifier and data must outlive the problem.
learning::TrainingProblem review_problem(const ReviewClassifier<float>& classifier, const ReviewData& data);

/// Share of the reviews with a label of 0 or 1 that get it.
double review_accuracy(const learning::Parameters<float>& parameters, const ReviewClassifier<float>& classifier,
                       const std::vector<Review>& reviews);

}  // namespace fovea::mechanism::tasks
