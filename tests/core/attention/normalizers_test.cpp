// The normalisers of the table: what holds for any of them, and known answers.

#include <random>

#include "fovea/core/attention.hpp"
#include "fovea/tests/support/plain_attention.hpp"
#include "fovea/tests/support/test.hpp"

using namespace fovea::test;

namespace {

// A few roundings of numbers of size 1.
constexpr double kKnownTolerance = 4e-16;
// A threshold near 1 with a few hundred terms, rounded at 1e-16: x 100.
constexpr double kBisectionTolerance = 1e-14;

template <typename Real>
struct WeighedRow {
  RowState<Real> state;
  std::vector<Real> weights, slopes;
};

template <typename Real>
WeighedRow<Real> weigh_row(const Normalizer<Real>& normalizer, const std::vector<Real>& scores) {
  WeighedRow<Real> row{normalizer.state(scores, {}), scores, scores};
  normalizer.weigh(scores, 0, row.state, row.weights.data(), row.slopes.data());
  return row;
}

/// Normal scores of that spread; every `masked`-th is forbidden.
template <typename Real>
std::vector<Real> normal_scores(std::size_t count, double spread, std::size_t masked, unsigned salt) {
  std::mt19937 bits(salt);
  std::normal_distribution<double> normal(0, spread);
  std::vector<Real> scores;
  for (std::size_t j = 0; j < count; ++j)
    scores.push_back(masked != 0 && j % masked == 0 ? kMasked<Real> : static_cast<Real>(normal(bits)));
  return scores;
}

template <typename Real>
std::vector<std::vector<Real>> hard_rows() {
  const Real huge = static_cast<Real>(1e30);
  return {{Real(0.3)},
          {-huge},
          {huge, huge, -huge, kMasked<Real>, huge},
          {-huge, kMasked<Real>, -huge},
          {kMasked<Real>, Real(2), kMasked<Real>},
          {Real(0), Real(0), Real(0), Real(-1), Real(-2)},
          {Real(0), Real(-1), Real(-1), Real(-1)},
          std::vector<Real>(100000, Real(-3)),
          normal_scores<Real>(100000, 1, 0, 1),
          normal_scores<Real>(100000, 1e-6, 3, 2),
          normal_scores<Real>(777, 30, 5, 3),
          normal_scores<Real>(64, 0.5, 2, 4)};
}

template <typename Real>
void check_rows(const NormalizerEntry<Real>& entry) {
  const auto normalizer = entry.make();
  if (!normalizer) return;
  for (const std::vector<Real>& scores : hard_rows<Real>()) {
    const WeighedRow<Real> row = weigh_row(*normalizer, scores);
    double sum = 0, support = 0;
    bool good = true;
    for (std::size_t j = 0; j < scores.size(); ++j) {
      good = good && row.weights[j] >= 0 && row.weights[j] <= 1 && row.slopes[j] >= 0 && std::isfinite(row.slopes[j]);
      if (scores[j] == kMasked<Real>) good = good && row.weights[j] == 0 && row.slopes[j] == 0;
      sum += static_cast<double>(row.weights[j]);
      support += row.weights[j] > 0;
    }
    INFO(entry.name << ", a row of " << scores.size() << ", " << sizeof(Real) << " bytes each");
    CHECK(good);
    // The threshold is rounded once, and moves the weight of every key in the support.
    CHECK(std::abs(sum - 1) <= (2 + support) * static_cast<double>(std::numeric_limits<Real>::epsilon()));
  }
}

/// tau of sum_j max(s_j - tau, 0)^power = 1, by halving an interval that holds it.
long double bisected_threshold(const std::vector<double>& scores, double factor, int power) {
  long double low = -std::numeric_limits<long double>::infinity();
  for (const double s : scores) low = std::max(low, static_cast<long double>(factor * s));
  long double high = low;
  low -= 1;
  for (int step = 0; step < 200; ++step) {
    const long double middle = (low + high) / 2;
    long double sum = 0;
    for (const double s : scores) sum += std::pow(std::max(static_cast<long double>(factor * s) - middle, 0.0L), power);
    (sum > 1 ? low : high) = middle;
  }
  return low;
}

void check_bisection(const Normalizer<double>& normalizer, double factor, int power) {
  for (const std::vector<double>& scores :
       {normal_scores<double>(400, 1, 3, 11), normal_scores<double>(400, 0.01, 0, 12),
        normal_scores<double>(5, 3, 0, 13), std::vector<double>{2, 2, 2, 1.9, 1.9}}) {
    const long double tau = bisected_threshold(scores, factor, power);
    const auto row = weigh_row(normalizer, scores);
    double error = 0;
    for (std::size_t j = 0; j < scores.size(); ++j) {
      const long double x = std::max(static_cast<long double>(factor * scores[j]) - tau, 0.0L);
      error = std::max(error, std::abs(row.weights[j] - static_cast<double>(std::pow(x, power))));
      if (power == 2) error = std::max(error, std::abs(row.slopes[j] - static_cast<double>(x)));
    }
    CHECK(error < kBisectionTolerance);
  }
}

void check_known(const Normalizer<double>& normalizer, const std::vector<double>& scores,
                 const std::vector<double>& expected) {
  const auto row = weigh_row(normalizer, scores);
  for (std::size_t j = 0; j < scores.size(); ++j) CHECK(std::abs(row.weights[j] - expected[j]) <= kKnownTolerance);
}

}  // namespace

TEST_CASE(
    "every normaliser gives weights from 0 to 1 that sum to 1, and 0 to masked keys, for ties, huge scores and "
    "100000 keys",
    "[attention][normalizer][property]") {
  for (const auto& entry : normalizers<double>()) check_rows(entry);
  for (const auto& entry : normalizers<float>()) check_rows(entry);
}

TEST_CASE("the table of normalisers is in alphabetical order and says where each comes from",
          "[attention][normalizer]") {
  const auto table = normalizers<double>();
  for (std::size_t e = 0; e < table.size(); ++e) {
    CHECK_FALSE(table[e].formula.empty());
    CHECK_FALSE(table[e].source.empty());
    CHECK((table[e].make() == nullptr) == (table[e].name == "softmax"));
    if (e > 0) CHECK(table[e - 1].name < table[e].name);
    CHECK(table[e].name == normalizers<float>()[e].name);
  }
}

TEST_CASE("a row weighed in parts and in place has the same bits as weighed at once", "[attention][normalizer]") {
  const std::vector<double> scores = normal_scores<double>(300, 1, 4, 21);
  for (const auto& entry : normalizers<double>()) {
    const auto normalizer = entry.make();
    if (!normalizer) continue;
    const auto whole = weigh_row(*normalizer, scores);
    std::vector<double> weights = scores, slopes(scores.size());
    for (std::size_t first = 0; first < scores.size(); first += 77) {
      const std::size_t count = std::min<std::size_t>(77, scores.size() - first);
      const std::span<double> part(weights.data() + first, count);
      normalizer->weigh(part, static_cast<Index>(first), whole.state, part.data(), slopes.data() + first);
    }
    INFO(entry.name);
    CHECK(weights == whole.weights);
    CHECK(slopes == whole.slopes);
    weights = scores;
    normalizer->weigh(weights, 0, whole.state, weights.data(), nullptr);
    CHECK(weights == whole.weights);
  }
}

TEST_CASE("permuting the scores permutes the weights of every normaliser that draws nothing",
          "[attention][normalizer][property]") {
  std::vector<double> scores = normal_scores<double>(200, 0.3, 7, 31);
  for (const auto& entry : normalizers<double>()) {
    const auto normalizer = entry.make();
    if (!normalizer || normalizer->draws()) continue;
    const auto forwards = weigh_row(*normalizer, scores);
    std::vector<double> reversed(scores.rbegin(), scores.rend());
    const auto backwards = weigh_row(*normalizer, reversed);
    INFO(entry.name);
    CHECK(std::equal(forwards.weights.begin(), forwards.weights.end(), backwards.weights.rbegin()));
  }
}

TEST_CASE("a NaN or an infinite score makes the whole row NaN; a masked row is known as such",
          "[attention][normalizer][limit]") {
  for (const auto& entry : normalizers<double>()) {
    const auto normalizer = entry.make();
    if (!normalizer) continue;
    INFO(entry.name);
    for (const double bad : {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
      const auto row = weigh_row(*normalizer, std::vector<double>{0.1, bad, kMasked<double>, 2});
      for (std::size_t j = 0; j < 4; ++j) CHECK((std::isnan(row.weights[j]) && std::isnan(row.slopes[j])));
    }
    CHECK(normalizer->state(std::vector<double>(3, kMasked<double>), {}).maximum == kMasked<double>);
    CHECK(normalizer->state({}, {}).maximum == kMasked<double>);
  }
}

TEST_CASE("sparsemax and entmax-1.5 agree with a threshold found by bisection", "[attention][normalizer][twin]") {
  check_bisection(*sparsemax<double>(), 1, 1);
  check_bisection(*entmax15<double>(), 0.5, 2);
}

TEST_CASE("known answers: sparsemax, entmax-1.5 and hard attention", "[attention][normalizer]") {
  check_known(*sparsemax<double>(), {1, 0.5, -1}, {0.75, 0.25, 0});
  check_known(*sparsemax<double>(), {3, 0, 0}, {1, 0, 0});
  check_known(*sparsemax<double>(), {0.1, 0.1, 0.1, 0.1}, {0.25, 0.25, 0.25, 0.25});
  check_known(*sparsemax<double>(), {1, 0}, {1, 0});  // just out of the support
  check_known(*entmax15<double>(), {1, 1, -7}, {0.5, 0.5, 0});
  check_known(*entmax15<double>(), {2, 0}, {1, 0});  // just out of the support
  const double tau = 0.375 - std::sqrt(0.484375);    // of 1/2 and 1/4: mean 3/8, squared deviations 1/32
  check_known(*entmax15<double>(), {1, 0.5, -1}, {(0.5 - tau) * (0.5 - tau), (0.25 - tau) * (0.25 - tau), 0});
  check_known(*hard_attention<double>(), {1, 3, kMasked<double>, 3}, {0, 1, 0, 0});
}

TEST_CASE("hard attention refuses rows whose places single precision cannot hold", "[attention][normalizer][error]") {
  const std::vector<float> row((std::size_t(1) << 24) + 1, 0.0F);
  CHECK_THROWS_WITH(hard_attention<float>()->state(row, {}),
                    "hard_attention: a row has 16777217 keys, but must have at most 16777216, since the place of the "
                    "chosen one is kept in this precision; use double.");
}

TEST_CASE("keys are drawn as often as their softmax weight says, a masked key never",
          "[attention][normalizer][statistics]") {
  const std::vector<double> scores{0, 1, kMasked<double>, -2, 0.5};
  constexpr Index kDraws = 100000;
  const auto normalizer = sampled_attention<double>(3);
  std::vector<double> drawn(scores.size(), 0);
  for (Index i = 0; i < kDraws; ++i)
    ++drawn[static_cast<std::size_t>(normalizer->state(scores, {i / 4, i % 4}).threshold)];
  const auto p = weigh_row(*normalizer, scores).slopes;
  CHECK(drawn[2] == 0);
  for (std::size_t j = 0; j < scores.size(); ++j)  // 4 standard errors: a chance of 3e-4 for the four keys together
    CHECK(std::abs(drawn[j] - kDraws * p[j]) <= 4 * std::sqrt(kDraws * p[j] * (1 - p[j])));
}

TEST_CASE("other rows, other heads and other seeds draw independently of each other",
          "[attention][normalizer][statistics]") {
  const std::vector<double> scores{0, 0};
  constexpr Index kDraws = 10000;
  const auto one = sampled_attention<double>(3), other = sampled_attention<double>(4);
  double heads = 0, rows = 0, seeds = 0;  // draws that agree, of which half do by chance
  for (Index i = 0; i < kDraws; ++i) {
    const double drawn = one->state(scores, {i, 0}).threshold;
    heads += drawn == one->state(scores, {i, 1}).threshold;
    rows += drawn == one->state(scores, {i + 1, 0}).threshold;
    seeds += drawn == other->state(scores, {i, 0}).threshold;
    CHECK(drawn == one->state(scores, {i, 0}).threshold);
  }
  const double margin = 4 * std::sqrt(kDraws * 0.25);  // 4 standard errors: a chance of 2e-4 for the three
  for (const double agreed : {heads, rows, seeds}) CHECK(std::abs(agreed - 0.5 * kDraws) < margin);
}
