// DeLong's areas against all pairs, rejection against its definition, divergence by hand.

#include "fovea/core/statistics/rejection.hpp"

#include "fovea/core/statistics/delong.hpp"
#include "fovea/core/statistics/metrics.hpp"
#include "fovea/tests/support/test.hpp"

namespace {

struct Scored {
  std::vector<std::vector<double>> scores;
  std::vector<Index> outcomes;
};

/// Two scores of the same examples that share a part, rounded so that some are equal.
Scored scored_examples(Index count, double separation, std::uint64_t seed) {
  const Random random(seed);
  Scored made{{{}, {}}, {}};
  for (Index i = 0; i < count; ++i) {
    const auto entity = static_cast<std::uint64_t>(i);
    const Index y = random.uniform(entity, 0) < 0.4 ? 1 : 0;
    const double common = random.normal(entity, 1) + separation * static_cast<double>(y);
    made.outcomes.push_back(y);
    for (std::size_t k = 0; k < 2; ++k)
      made.scores[k].push_back(std::round(8 * (common + random.normal(entity, 2 + k))) / 8);
  }
  return made;
}

double psi(double x, double y) { return x > y ? 1 : x == y ? 0.5 : 0; }

/// Covariance of two areas by all pairs, as the paper has it.
double plain_covariance(const Scored& data, std::size_t a, std::size_t b) {
  std::vector<std::vector<double>> positive(2), negative(2);
  for (const std::size_t k : {a, b}) {
    auto& v = positive[k == a ? 0 : 1];
    auto& w = negative[k == a ? 0 : 1];
    v.clear(), w.clear();
    for (std::size_t i = 0; i < data.outcomes.size(); ++i) {
      double sum = 0, others = 0;
      for (std::size_t j = 0; j < data.outcomes.size(); ++j) {
        if (data.outcomes[j] == data.outcomes[i]) continue;
        sum += data.outcomes[i] == 1 ? psi(data.scores[k][i], data.scores[k][j])
                                     : psi(data.scores[k][j], data.scores[k][i]);
        ++others;
      }
      (data.outcomes[i] == 1 ? v : w).push_back(sum / others);
    }
  }
  if (a == b) positive[1] = positive[0], negative[1] = negative[0];
  const auto covariance = [](const std::vector<double>& x, const std::vector<double>& y) {
    double mx = 0, my = 0, sum = 0;
    const auto n = static_cast<double>(x.size());
    for (std::size_t i = 0; i < x.size(); ++i) mx += x[i] / n, my += y[i] / n;
    for (std::size_t i = 0; i < x.size(); ++i) sum += (x[i] - mx) * (y[i] - my);
    return sum / (n - 1) / n;
  };
  return covariance(positive[0], positive[1]) + covariance(negative[0], negative[1]);
}

}  // namespace

TEST_CASE("areas under ROC curves and their covariance are those of all pairs", "[statistics][twin]") {
  const Scored data = scored_examples(120, 0.7, 1);
  const RocAreas found = roc_areas(data.scores, data.outcomes);
  for (std::size_t a = 0; a < 2; ++a) {
    CHECK(std::abs(found.areas[a] - auroc(data.scores[a], data.outcomes)) < 1e-13);
    for (std::size_t b = 0; b < 2; ++b)
      CHECK(std::abs(found.covariance(static_cast<Index>(a), static_cast<Index>(b)) - plain_covariance(data, a, b)) <
            1e-13);
  }
}

TEST_CASE("DeLong's interval holds the true area, and equal predictors differ as often as the level says",
          "[statistics]") {
  // Two unit normals around a common one, apart by 0.7: AUC = Phi(0.7 / sqrt(2 * 2)).
  const double truth = 0.6368306511756191;
  Index held = 0, differing = 0;
  constexpr Index kRuns = 400;  // 95 %: 380 +- 4.4
  for (Index run = 0; run < kRuns; ++run) {
    const Scored data = scored_examples(300, 0.7, 100 + static_cast<std::uint64_t>(run));
    const RocAreas found = roc_areas(data.scores, data.outcomes);
    const AreaInterval interval = area_interval(found.areas[0], found.standard_error(0), 100);
    held += interval.low <= truth && truth <= interval.high ? 1 : 0;
    differing += difference_p_value(found.areas[0] - found.areas[1], found.difference_error(0, 1)) < 0.05 ? 1 : 0;
  }
  CHECK(std::abs(static_cast<double>(held) - 380) < 18);
  CHECK(std::abs(static_cast<double>(differing) - 20) < 18);
}

TEST_CASE("an area of 1 is not certain", "[statistics]") {
  const AreaInterval all = area_interval(1, 0, 30);
  CHECK(all.high == 1);
  CHECK(std::abs(all.low - 0.9) < 1e-12);
  CHECK_THROWS_WITH(roc_areas(std::vector<std::vector<double>>{{1, 2, 3}}, std::vector<Index>{0, 1, 1}),
                    "roc_areas: there are 2 positive and 1 negative examples; at least two of each are needed.");
}

TEST_CASE("the rejection keeps ties and rests on the ceil(e n)-th signal example", "[statistics]") {
  const std::vector<double> scores{0.9, 0.8, 0.8, 0.3, 0.95, 0.8, 0.2, 0.1, 0.1, 0.05};
  const std::vector<Index> outcomes{1, 1, 1, 1, 0, 0, 0, 0, 0, 0};
  const RejectionPoint quarter = rejection_at(scores, outcomes, 0.25);
  CHECK(quarter.cut == 0.9);
  CHECK(quarter.rejection() == 6);
  const RejectionPoint half = rejection_at(scores, outcomes, 0.5);
  CHECK(half.cut == 0.8);
  CHECK(half.signal == 0.75);
  CHECK(half.rejection() == 3);
  CHECK(rejection_at(scores, outcomes, 0.76).cut == 0.3);
  CHECK_THROWS_AS(rejection_at(scores, outcomes, 0), ArgumentError);
}

TEST_CASE("the band of a rejection holds what a larger sample has", "[statistics]") {
  const auto sample = [](Index count, std::uint64_t seed, std::vector<double>& scores, std::vector<Index>& outcomes) {
    const Random random(seed);
    for (Index i = 0; i < count; ++i) {
      const auto entity = static_cast<std::uint64_t>(i);
      outcomes.push_back(i % 2);
      scores.push_back(random.normal(entity) + 2.0 * static_cast<double>(i % 2));
    }
  };
  const double truth = 1 / 0.02275013194817921;  // half of the signal lies above 2, and Phi(-2) of the background
  Index held = 0;
  for (std::uint64_t run = 0; run < 60; ++run) {
    std::vector<double> scores;
    std::vector<Index> outcomes;
    sample(4000, 10 + run, scores, outcomes);
    const RejectionBand band = rejection_band(scores, outcomes, std::vector<double>{0.5}, Random(run), 200);
    held += band.low[0] <= truth && truth <= band.high[0] ? 1 : 0;
  }
  CHECK(held >= 51);  // 57 expected at 95 %, standard deviation 1.7
}

TEST_CASE("the divergence of Jensen and Shannon is 0 for equal and 1 for disjoint samples", "[statistics]") {
  const std::vector<double> a{0, 0.1, 0.9, 1}, b{5, 5.5, 6}, c{0, 1};
  CHECK(jensen_shannon_divergence(a, a, 10) == 0);
  CHECK(std::abs(jensen_shannon_divergence(a, b, 10) - 1) < 1e-12);
  // two bins: p = (1/2, 1/2), q = (1/2, 1/2)
  CHECK(std::abs(jensen_shannon_divergence(a, c, 2)) < 1e-12);
  // p = (3/4, 1/4), q = (1/4, 3/4): H(1/2) - H(1/4) = 1 - 0.8112781244591328
  const std::vector<double> p{0, 0, 0, 1}, q{0, 1, 1, 1};
  CHECK(std::abs(jensen_shannon_divergence(p, q, 2) - 0.1887218755408672) < 1e-12);
}
