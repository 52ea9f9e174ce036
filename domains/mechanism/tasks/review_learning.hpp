#pragma once
/// Learning to judge reviews: for the experiment "mechanism.explanation".

#include <vector>

#include "fovea/core/config/config.hpp"
#include "fovea/core/learning/training/training.hpp"
#include "fovea/domains/mechanism/tasks/reviews.hpp"

namespace fovea::mechanism::tasks {

/// Reviews, the same for every seed.
struct ReviewData {
  ReviewLanguage language;
  std::vector<Review> joined, test;  ///< joined: those to learn from, then those that choose the best epoch
  Index training = 0;                ///< how many of them to learn from
};

/// From "reviews.data_seed" and its neighbours; a stream for each part.
ReviewData review_data(const Config& config);

/// Logistic loss of the labels. Classifier and data must outlive the problem.
learning::TrainingProblem review_problem(const ReviewClassifier<float>& classifier, const ReviewData& data);

/// Share of the reviews with a label of 0 or 1 that get it.
double review_accuracy(const learning::Parameters<float>& parameters, const ReviewClassifier<float>& classifier,
                       const std::vector<Review>& reviews);

}  // namespace fovea::mechanism::tasks
