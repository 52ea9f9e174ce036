#include "fovea/core/study/trees/boosted_trees.hpp"

#include "fovea/core/study/trees/packed_trees.hpp"
#include "fovea/tests/support/test.hpp"

namespace fovea::study {
namespace {

constexpr float kUnmeasured = std::numeric_limits<float>::quiet_NaN();

/// 40 rows: the outcome is 1 in 15 of the 20 rows with x = 1, in 5 of those with x = 0.
struct Stump {
  Matrix<float> rows{40, 1};
  std::vector<float> outcomes;
  Stump() {
    for (Index i = 0; i < 40; ++i) {
      rows(i, 0) = i < 20 ? 0.0F : 1.0F;
      outcomes.push_back(i % 4 == 0 ? (i < 20 ? 1.0F : 0.0F) : (i < 20 ? 0.0F : 1.0F));
    }
  }
};

BoostingSettings whole_data(Index rounds) {
  BoostingSettings settings;
  settings.rounds = rounds;
  settings.row_share = settings.column_share = 1;
  settings.least_weight = 1;
  return settings;
}

/// Trees of random shape on so many columns; leaves anywhere.
BoostedTrees made_trees(Index columns, int count) {
  BoostedTrees trees;
  trees.base = -0.3;
  trees.columns = columns;
  const Random random(11);
  std::uint64_t lot = 0;
  for (int tree = 0; tree < count; ++tree) {
    const auto first = static_cast<std::int64_t>(trees.column.size());
    trees.roots.push_back(first);
    std::int64_t known = 1;  // nodes of this tree; each has a place behind its parent
    for (std::int64_t k = 0; k < known; ++k) {
      const bool leaf = known > 20 || random.uniform(++lot) < 0.25;
      trees.column.push_back(leaf ? -1 : random.below(columns, ++lot));
      trees.value.push_back(static_cast<float>(random.normal(++lot)));
      trees.left.push_back(leaf ? 0 : first + known + 1);
      trees.right.push_back(leaf ? 0 : first + known);
      trees.missing_left.push_back(!leaf && random.uniform(++lot) < 0.5 ? 1 : 0);
      known += leaf ? 0 : 2;
    }
  }
  return trees;
}

}  // namespace

TEST_CASE("packed trees give any number of rows the bits of one row after the other", "[study][trees][twin]") {
  const Index columns = 5;
  const BoostedTrees trees = made_trees(columns, 40);
  REQUIRE(fault_of(trees, columns).empty());
  const PackedTrees packed(trees);
  const Random random(12);
  for (const Index count : {0, 1, 7, 8, 9, 64, 65, 150}) {
    Matrix<float> rows(count, columns);
    for (Index i = 0; i < rows.size(); ++i) {
      const auto lot = static_cast<std::uint64_t>(i);
      rows.data()[i] = random.uniform(lot, 1) < 0.3 ? kUnmeasured : static_cast<float>(random.normal(lot, 2));
      if (i % 11 == 0) rows.data()[i] = trees.value[lot % trees.value.size()];  // as large as a threshold
    }
    std::vector<double> sums(count, 7);
    packed.log_odds(rows, sums);
    Index other = 0;
    for (Index i = 0; i < count; ++i) other += sums[i] != trees.log_odds(rows.row(i).data()) ? 1 : 0;
    INFO(count << " rows");
    CHECK(other == 0);
  }
}

TEST_CASE("a stump adds Newton steps, shrunk by the penalty and the rate", "[study][trees][twin]") {
  const Stump data;
  BoostingSettings settings = whole_data(2);
  settings.learning_rate = 0.1;
  settings.penalty = 3;
  const BoostedTrees trees = boosted_trees(data.rows, data.outcomes, {}, settings, 1);
  double z = 0;  // log odds of x = 1: half of all outcomes are 1
  for (int round = 0; round < 2; ++round) {
    const double p = 1 / (1 + std::exp(-z));
    z += 0.1 * (15 - 20 * p) / (20 * p * (1 - p) + 3);
  }
  const float low = 0, high = 1;
  CHECK(std::abs(trees.log_odds(&high) - z) < 1e-6);
  CHECK(std::abs(trees.log_odds(&low) + z) < 1e-6);
  CHECK(fault_of(trees, 1).empty());
}

TEST_CASE("weights stand for repeated rows", "[study][trees]") {
  const Stump data;
  Matrix<float> distinct(4, 1);
  distinct << 0, 0, 1, 1;
  const std::vector<float> outcomes{0, 1, 0, 1}, weights{15, 5, 5, 15};
  const BoostedTrees repeated = boosted_trees(data.rows, data.outcomes, {}, whole_data(5), 1);
  const BoostedTrees weighted = boosted_trees(distinct, outcomes, weights, whole_data(5), 1);
  for (const float x : {0.0F, 1.0F}) CHECK(std::abs(repeated.log_odds(&x) - weighted.log_odds(&x)) < 1e-5);
}

TEST_CASE("rows without a value go the way that was better in training", "[study][trees]") {
  Stump data;
  for (Index i = 20; i < 40; ++i) data.rows(i, 0) = i % 4 == 1 || i % 4 == 2 ? kUnmeasured : 1.0F;
  const BoostedTrees trees = boosted_trees(data.rows, data.outcomes, {}, whole_data(10), 1);
  const float unknown = kUnmeasured, low = 0;
  CHECK(trees.log_odds(&unknown) > 0);
  CHECK(trees.log_odds(&low) < 0);
}

TEST_CASE("the same seed gives the same trees, another seed others", "[study][trees]") {
  const Index count = 400;
  Matrix<float> rows(count, 6);
  std::vector<float> outcomes;
  const Random random(5);
  for (Index i = 0; i < count; ++i) {
    for (Index k = 0; k < 6; ++k)
      rows(i, k) = static_cast<float>(random.normal(static_cast<std::uint64_t>(i), static_cast<std::uint64_t>(k)));
    outcomes.push_back(rows(i, 0) * rows(i, 1) > 0 ? 1.0F : 0.0F);
  }
  BoostingSettings settings;
  settings.rounds = 60;
  settings.learning_rate = 0.2;
  settings.column_share = 0.7;
  const BoostedTrees once = boosted_trees(rows, outcomes, {}, settings, 7),
                     again = boosted_trees(rows, outcomes, {}, settings, 7),
                     other = boosted_trees(rows, outcomes, {}, settings, 8);
  CHECK(once.value == again.value);
  CHECK(once.column == again.column);
  CHECK(once.value != other.value);
  Index right = 0;  // a product of two columns, which no linear model finds
  for (Index i = 0; i < count; ++i) right += (once.log_odds(rows.row(i).data()) > 0) == (outcomes[i] == 1);
  CHECK(right > count * 9 / 10);
}

TEST_CASE("outcomes of one class, other numbers and unequal lengths are refused", "[study][trees][errors]") {
  const Stump data;
  const auto message = [&](std::vector<float> outcomes) {
    return support::refusal_of<ArgumentError>([&] { boosted_trees(data.rows, outcomes, {}, whole_data(1), 1); });
  };
  CHECK(message(std::vector<float>(40, 1.0F)).find("of 0 and of 1 must occur") != std::string::npos);
  CHECK(message(std::vector<float>(40, 0.5F)).find("must be 0 or 1") != std::string::npos);
  CHECK(message({1, 0}).find("as many of each") != std::string::npos);
}

TEST_CASE("arrays that are no trees are told", "[study][trees][hostile]") {
  const Stump data;
  const BoostedTrees good = boosted_trees(data.rows, data.outcomes, {}, whole_data(3), 1);
  const auto fault = [&](const std::function<void(BoostedTrees&)>& change) {
    BoostedTrees trees = good;
    change(trees);
    return fault_of(trees, 1);
  };
  CHECK(fault([](BoostedTrees&) {}).empty());
  CHECK(fault([](BoostedTrees& t) { t.left.pop_back(); }) == "their arrays differ in length");
  CHECK(fault([](BoostedTrees& t) { t.left[0] = 0; }) == "a child does not stand behind its node");
  CHECK(fault([](BoostedTrees& t) { t.right[0] = 1 << 30; }) == "a child does not stand behind its node");
  CHECK(fault([](BoostedTrees& t) { t.column[0] = 1; }) == "a column is not one of a row");
  CHECK(fault([](BoostedTrees& t) { t.value[1] = kUnmeasured; }) == "a threshold or a leaf is not finite");
  CHECK(fault([](BoostedTrees& t) { t.roots[0] = -1; }) == "a root is no node");
  CHECK(fault([](BoostedTrees& t) { t.base = std::numeric_limits<double>::infinity(); }) ==
        "they are for other columns");
  CHECK(fault_of(good, 2) == "they are for other columns");
}

}  // namespace fovea::study
