#include "fovea/core/statistics/metrics.hpp"

#include "fovea/core/statistics/calibration.hpp"
#include "fovea/tests/support/test.hpp"

namespace {

constexpr double kMetricRounding = 1e-13;  // sums of at most a few hundred numbers about 1

/// Scores with many ties, outcomes that follow them a little, and whole weights of which some are 0.
struct RankedSample {
  std::vector<double> scores, weights;
  std::vector<Index> outcomes;
};

RankedSample ranked_sample(std::uint64_t seed, std::size_t count, std::uint64_t levels) {
  const Random random = Random(seed).stream("ranked sample");
  RankedSample sample;
  for (std::size_t i = 0; i < count; ++i) {
    sample.scores.push_back(7 * static_cast<double>(random.below(levels, i, 0)) / static_cast<double>(levels) - 2);
    sample.outcomes.push_back(random.uniform(i, 1) < 0.3 + 0.1 * sample.scores[i] ? 1 : 0);
    sample.weights.push_back(static_cast<double>(random.below(4, i, 2)));
  }
  return sample;
}

/// Each pair of a positive and a negative example.
double plain_auroc(const RankedSample& sample) {
  double right = 0, pairs = 0;
  for (std::size_t i = 0; i < sample.scores.size(); ++i)
    for (std::size_t j = 0; j < sample.scores.size(); ++j) {
      if (sample.outcomes[i] != 1 || sample.outcomes[j] != 0) continue;
      const double weight = sample.weights[i] * sample.weights[j];
      pairs += weight;
      right += weight * (sample.scores[i] > sample.scores[j] ? 1 : sample.scores[i] == sample.scores[j] ? 0.5 : 0);
    }
  return right / pairs;
}

/// The mean over positive examples of the precision among those that score at least as much.
double plain_average_precision(const RankedSample& sample) {
  double sum = 0, positive = 0;
  for (std::size_t i = 0; i < sample.scores.size(); ++i) {
    if (sample.outcomes[i] != 1) continue;
    double found = 0, called = 0;
    for (std::size_t j = 0; j < sample.scores.size(); ++j) {
      if (sample.scores[j] < sample.scores[i]) continue;
      called += sample.weights[j];
      found += sample.outcomes[j] == 1 ? sample.weights[j] : 0;
    }
    if (sample.weights[i] > 0) sum += sample.weights[i] * found / called;
    positive += sample.weights[i];
  }
  return sum / positive;
}

/// Each example as often as its weight says.
RankedSample repeated(const RankedSample& sample) {
  RankedSample all;
  for (std::size_t i = 0; i < sample.scores.size(); ++i)
    for (int k = 0; k < static_cast<int>(sample.weights[i]); ++k) {
      all.scores.push_back(sample.scores[i]);
      all.outcomes.push_back(sample.outcomes[i]);
    }
  return all;
}

}  // namespace

TEST_CASE("AUROC and average precision of a small sample with ties are those worked out by hand",
          "[statistics][metrics]") {
  const std::vector<double> scores{0.9, 0.8, 0.8, 0.4, 0.4, 0.1};
  const std::vector<Index> outcomes{1, 1, 0, 1, 0, 0};
  // of 9 pairs: 0.9 beats 3; 0.8 beats 2 and ties 1; 0.4 beats 1 and ties 1
  CHECK(std::abs(auroc(scores, outcomes) - (3 + 2.5 + 1.5) / 9) < kMetricRounding);
  // recall 1/3, 2/3, 1 at the scores 0.9, 0.8, 0.4 with precision 1, 2/3, 3/5
  CHECK(std::abs(average_precision(scores, outcomes) - (1 + 2.0 / 3 + 3.0 / 5) / 3) < kMetricRounding);
}

TEST_CASE("AUROC and average precision are their definitions over all pairs, ties and weights included",
          "[statistics][metrics][twin]") {
  for (const std::uint64_t seed : {1u, 2u, 3u, 4u, 5u})
    for (const std::uint64_t levels : {3u, 12u, 100000u}) {
      RankedSample sample = ranked_sample(seed, 150, levels);
      const RankedOutcomes order(sample.scores, sample.outcomes);
      CHECK(std::abs(order.auroc(sample.weights) - plain_auroc(sample)) < kMetricRounding);
      CHECK(std::abs(order.average_precision(sample.weights) - plain_average_precision(sample)) < kMetricRounding);
      const RankedSample all = repeated(sample);
      CHECK(order.auroc(sample.weights) == auroc(all.scores, all.outcomes));
      sample.weights.assign(sample.scores.size(), 1.0);
      CHECK(order.auroc() == order.auroc(sample.weights));
      CHECK(order.average_precision() == order.average_precision(sample.weights));
    }
}

TEST_CASE("AUROC asks for the order of scores alone, and turns round with them", "[statistics][metrics][property]") {
  const RankedSample sample = ranked_sample(7, 200, 9);
  std::vector<double> larger, opposite;
  for (const double s : sample.scores) {
    larger.push_back(std::exp(3 * s));
    opposite.push_back(-s);
  }
  const double area = auroc(sample.scores, sample.outcomes);
  CHECK(area == auroc(larger, sample.outcomes));
  CHECK(std::abs(auroc(opposite, sample.outcomes) - (1 - area)) < kMetricRounding);
}

TEST_CASE("scores that part the classes have area and precision 1, equal scores 0.5 and the share of positive ones",
          "[statistics][metrics][limit]") {
  const std::vector<Index> outcomes{0, 1, 1, 0, 0};
  const std::vector<double> perfect{0.1, 0.7, 0.9, 0.2, 0.3}, equal(5, 0.4);
  CHECK(auroc(perfect, outcomes) == 1);
  CHECK(average_precision(perfect, outcomes) == 1);
  CHECK(auroc(equal, outcomes) == 0.5);
  CHECK(average_precision(equal, outcomes) == 0.4);
  const std::vector<double> endless{-INFINITY, INFINITY, INFINITY, 0, 0};
  CHECK(auroc(endless, outcomes) == 1);
}

TEST_CASE("with one class alone AUROC and average precision are NaN", "[statistics][metrics][limit]") {
  const std::vector<double> scores{0.1, 0.7, 0.9};
  for (const Index only : {0, 1}) {
    const std::vector<Index> outcomes(3, only);
    CHECK(std::isnan(auroc(scores, outcomes)));
    CHECK(std::isnan(average_precision(scores, outcomes)));
  }
  const RankedOutcomes order(scores, std::vector<Index>{0, 1, 1});
  CHECK(std::isnan(order.auroc(std::vector<double>{0, 1, 1})));
  CHECK(std::isnan(order.average_precision(std::vector<double>{1, 0, 0})));
  CHECK(std::isnan(roc_curve(scores, std::vector<Index>{0, 0, 0}).back().true_positive_rate));
  CHECK(roc_curve(scores, std::vector<Index>{0, 0, 0}).back().false_positive_rate == 1);
  CHECK(std::isnan(precision_recall_curve(scores, std::vector<Index>{0, 0, 0}).back().recall));
}

TEST_CASE("the curves have one point a distinct score, and AUROC and average precision are their areas",
          "[statistics][metrics]") {
  const RankedSample sample = ranked_sample(3, 200, 15);
  const auto roc = roc_curve(sample.scores, sample.outcomes);
  const auto precision = precision_recall_curve(sample.scores, sample.outcomes);
  REQUIRE(roc.size() == 16);
  REQUIRE(precision.size() == 15);
  CHECK(std::isinf(roc.front().threshold));
  CHECK(roc.front().true_positive_rate + roc.front().false_positive_rate == 0);
  CHECK(roc.back().true_positive_rate == 1);
  CHECK(roc.back().false_positive_rate == 1);
  CHECK(precision.back().recall == 1);
  double under_roc = 0, steps = 0, recall = 0;
  for (std::size_t k = 0; k < precision.size(); ++k) {
    under_roc += (roc[k + 1].false_positive_rate - roc[k].false_positive_rate) *
                 (roc[k + 1].true_positive_rate + roc[k].true_positive_rate) / 2;
    steps += (precision[k].recall - recall) * precision[k].precision;
    recall = precision[k].recall;
    CHECK(roc[k].threshold > roc[k + 1].threshold);
    CHECK(precision[k].recall == roc[k + 1].true_positive_rate);
  }
  CHECK(std::abs(under_roc - auroc(sample.scores, sample.outcomes)) < kMetricRounding);
  CHECK(std::abs(steps - average_precision(sample.scores, sample.outcomes)) < kMetricRounding);
}

TEST_CASE("log loss is the mean cost of what happened, and a certain mistake costs 34.5", "[statistics][metrics]") {
  const std::vector<double> p{0.25, 0.5, 1, 0};
  CHECK(std::abs(log_loss(p, std::vector<Index>{1, 0, 1, 0}) - (std::log(4.0) + std::log(2.0)) / 4) < kMetricRounding);
  const double cost = 4 * log_loss(p, std::vector<Index>{1, 0, 0, 0}) - std::log(8.0);
  CHECK(std::abs(cost + std::log(1e-15)) < kMetricRounding * 34.5);
  const Matrix<double> both{{0.75, 0.25}, {0.5, 0.5}, {0, 1}, {1, 0}};
  CHECK(log_loss(both, std::vector<Index>{1, 0, 0, 0}) == log_loss(p, std::vector<Index>{1, 0, 0, 0}));
}

TEST_CASE("accuracy and Brier score of several classes are those worked out by hand", "[statistics][metrics]") {
  const Matrix<double> p{{0.5, 0.3, 0.2}, {0.4, 0.4, 0.2}, {0.1, 0.2, 0.7}};
  CHECK(std::abs(accuracy(p, std::vector<Index>{0, 1, 2}) - 2.0 / 3) < kMetricRounding);  // of equal ones the first
  CHECK(accuracy(p, std::vector<Index>{0, 0, 2}) == 1);
  const double by_hand = (0.25 + 0.09 + 0.04) + (0.16 + 0.36 + 0.04) + (0.01 + 0.04 + 0.09);
  CHECK(std::abs(brier_score(p, std::vector<Index>{0, 1, 2}) - by_hand / 3) < kMetricRounding);
  const std::vector<double> one{0.3, 0.9};
  const Matrix<double> two{{0.7, 0.3}, {0.1, 0.9}};
  const std::vector<Index> y{1, 1};
  CHECK(std::abs(brier_score(two, y) - 2 * brier_score(one, y)) < kMetricRounding);
}

TEST_CASE("errors of numbers are those worked out by hand", "[statistics][metrics]") {
  const std::vector<double> predicted{1, 2, 3, 5}, observed{1, 3, 5, 3}, deviation{1, 2, 1, 0.5};
  CHECK(mean_absolute_error(predicted, observed) == 1.25);
  CHECK(root_mean_squared_error(predicted, observed) == 1.5);
  CHECK(std::abs(coefficient_of_determination(predicted, observed) - (1 - 9.0 / 8)) < kMetricRounding);
  CHECK(coefficient_of_determination(observed, observed) == 1);
  CHECK(std::isnan(coefficient_of_determination(predicted, std::vector<double>(4, 0.1))));
  const double squares = 0 + 0.25 + 4 + 16, constant = std::log(2 * std::numbers::pi) / 2;
  CHECK(std::abs(gaussian_negative_log_likelihood(predicted, deviation, observed) - (squares / 8 + constant)) <
        kMetricRounding);
  const std::vector<double> low{1, 0, 2, -INFINITY}, high{1, 2, 6, INFINITY};
  CHECK(interval_coverage(low, high, observed) == 0.75);
}

TEST_CASE("metrics refuse what has no meaning, and say why", "[statistics][metrics]") {
  const std::vector<double> two{0.5, 0.6}, wrong{0.5, 1.5}, gap{0.5, NAN};
  const std::vector<Index> y{0, 1};
  const auto message = [](const auto& action) { return support::refusal_of<ArgumentError>(action); };
  CHECK(message([&] { auroc(two, std::vector<Index>{1}); }) ==
        "ranked outcomes: there are 2 predictions and 1 observations; as many are needed, and at least one.");
  CHECK(message([&] {
          auroc(two, std::vector<Index>{0, 2});
        }) == "ranked outcomes: an outcome is 2, but must be 0 or 1.");
  CHECK(message([&] { average_precision(gap, y); }) == "ranked outcomes: a score is NaN; it must be a number.");
  CHECK(message([&] { RankedOutcomes(two, y).auroc(std::vector<double>{1}); }) ==
        "ranked outcomes: there are 2 examples but 1 weights; each needs one, or none has.");
  CHECK(message([&] { log_loss(wrong, y); }) == "log_loss: a probability is 1.5, but must be in [0, 1].");
  CHECK(message([&] {
          accuracy(Matrix<double>{{0.5, 0.5}}, std::vector<Index>{2});
        }) == "accuracy: a class is 2, but must be in [0, 2).");
  CHECK(message([&] { mean_absolute_error(gap, two); }) ==
        "mean_absolute_error: a predicted value is nan, but must be finite.");
  CHECK(message([&] {
          gaussian_negative_log_likelihood(two, std::vector<double>{1, 0}, two);
        }) == "gaussian_negative_log_likelihood: a deviation is 0, but must be > 0 and finite.");
  CHECK(message([&] {
          interval_coverage(std::vector<double>{1, 3}, std::vector<double>{2, 2}, two);
        }) == "interval_coverage: an interval is [3, 2]; its low end must be at most its high end.");
  CHECK_THROWS_AS(log_loss(std::vector<double>{}, std::vector<Index>{}), ArgumentError);
  CHECK_THROWS_AS(log_loss(gap, y), ArgumentError);
}
