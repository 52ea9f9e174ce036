#include "fovea/core/learning/training/batches.hpp"

#include "fovea/tests/support/test.hpp"

namespace fovea::learning {
namespace {

/// 200 sets of 0 ... 60 tokens and one of 500.
std::vector<Index> many_sizes() {
  std::vector<Index> sizes;
  for (std::uint64_t k = 0; k < 200; ++k) sizes.push_back(static_cast<Index>(Random(11).below(61, k)));
  sizes[77] = 500;
  return sizes;
}

std::vector<Index> every_example(const std::vector<Index>& sizes) {
  std::vector<Index> examples(sizes.size());
  std::iota(examples.begin(), examples.end(), 0);
  return examples;
}

Index tokens_of(std::span<const Index> examples, const std::vector<Index>& sizes) {
  Index sum = 0;
  for (const Index example : examples) sum += std::max<Index>(1, sizes[example]);
  return sum;
}

std::vector<Index> in_order(const std::vector<Batch>& batches) {
  std::vector<Index> all;
  for (const Batch& batch : batches) all.insert(all.end(), batch.examples.begin(), batch.examples.end());
  return all;
}

}  // namespace

TEST_CASE("batches hold every example once and keep to their budgets, unless a set alone is larger",
          "[learning][batches][property]") {
  const std::vector<Index> sizes = many_sizes(), all = every_example(sizes);
  for (const Index bucket : {0, 50}) {
    const BatchSettings settings{300, 100, true, bucket};
    const std::vector<Batch> batches = make_batches(all, sizes, settings, Random(1), 4);
    std::vector<Index> seen = in_order(batches);
    std::sort(seen.begin(), seen.end());
    CHECK(seen == all);
    for (const Batch& batch : batches) {
      CHECK((tokens_of(batch.examples, sizes) <= 300 || batch.examples == std::vector<Index>{77}));
      CHECK(batch.offsets.back() == static_cast<Index>(batch.examples.size()));
      for (Index s = 0; s < batch.shards(); ++s) {
        CHECK(batch.shard(s).size() >= 1);
        CHECK((tokens_of(batch.shard(s), sizes) <= 100 || batch.shard(s).size() == 1));
      }
    }
    const Index tokens = tokens_of(all, sizes);
    CHECK(static_cast<Index>(batches.size()) < 2 * tokens / 300 + 2);  // two neighbours together exceed the budget
  }
}

TEST_CASE("batches by number of examples have as many, whatever their tokens, in shards of at most a quarter",
          "[learning][batches][property]") {
  const std::vector<Index> sizes = many_sizes(), all = every_example(sizes);
  BatchSettings settings{10, 100, true, 0, 30};
  const std::vector<Batch> batches = make_batches(all, sizes, settings, Random(1), 4);
  std::vector<Index> seen = in_order(batches);
  std::sort(seen.begin(), seen.end());
  CHECK(seen == all);
  REQUIRE(batches.size() == 7);
  for (std::size_t b = 0; b < batches.size(); ++b) {
    CHECK(batches[b].examples.size() == (b < 6 ? 30 : all.size() - 180));
    CHECK(batches[b].offsets.back() == static_cast<Index>(batches[b].examples.size()));
    for (Index s = 0; s < batches[b].shards(); ++s) {
      CHECK(batches[b].shard(s).size() <= 8);
      CHECK((tokens_of(batches[b].shard(s), sizes) <= 100 || batches[b].shard(s).size() == 1));
    }
  }
  settings.examples = -1;
  CHECK_THROWS_WITH(make_batches(all, sizes, settings, Random(1), 0), "batches: examples = -1, but must be >= 0.");
}

TEST_CASE("batches are a function of seed and epoch, and differ between epochs", "[learning][batches]") {
  const std::vector<Index> sizes = many_sizes(), all = every_example(sizes);
  const auto order = [&](std::uint64_t seed, std::uint64_t epoch) {
    return in_order(make_batches(all, sizes, {}, Random(seed), epoch));
  };
  CHECK(order(1, 0) == order(1, 0));
  CHECK(order(1, 0) != order(1, 1));
  CHECK(order(1, 0) != order(2, 0));
  CHECK(in_order(make_batches(all, sizes, {4096, 1024, false, 0}, Random(1), 3)) == all);
}

TEST_CASE("the shuffle lets every example come first equally often", "[learning][batches][statistics]") {
  // 6 examples, 12000 epochs, each comes first 2000 times with sd 41; 5 sd at each of 6 places: level below 1e-5.
  const std::vector<Index> sizes(6, 1), all = every_example(sizes);
  std::vector<int> first(6);
  for (std::uint64_t epoch = 0; epoch < 12000; ++epoch)
    ++first[make_batches(all, sizes, {}, Random(1), epoch)[0].examples[0]];
  for (const int count : first) CHECK(std::abs(count - 2000) < 205);
}

TEST_CASE("buckets put sets of like size into a batch", "[learning][batches]") {
  const std::vector<Index> sizes = many_sizes(), all = every_example(sizes);
  const auto spread = [&](Index bucket) {
    Index sum = 0;
    for (const Batch& batch : make_batches(all, sizes, {300, 100, true, bucket}, Random(1), 0)) {
      const auto [low, high] = std::minmax_element(batch.examples.begin(), batch.examples.end(),
                                                   [&](Index a, Index b) { return sizes[a] < sizes[b]; });
      sum += sizes[*high] - sizes[*low];
    }
    return sum;
  };
  CHECK(spread(200) * 3 < spread(0));
}

TEST_CASE("batches refuse examples that are not there and budgets of nothing", "[learning][batches][errors]") {
  const std::vector<Index> sizes{3, 4}, missing{0, 2}, both{0, 1};
  CHECK_THROWS_WITH(make_batches(missing, sizes, {}, Random(1), 0),
                    "batches: there is no example 2; there are 2, counted from 0.");
  CHECK_THROWS_WITH(make_batches(both, sizes, {0, 1, true, 0}, Random(1), 0),
                    "batches: tokens = 0, but a batch has at least 1.");
  CHECK_THROWS_AS(make_batches(both, std::vector<Index>{3, -1}, {}, Random(1), 0), ArgumentError);
  CHECK(make_batches({}, sizes, {}, Random(1), 0).empty());
}

}  // namespace fovea::learning
