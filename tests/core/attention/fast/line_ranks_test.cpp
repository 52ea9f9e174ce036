// Attention on the line over ranks: the same bits as in one process, and those of blocks in any order.

#include <omp.h>

#include "fovea/core/attention/fast/line_attention.hpp"
#include "fovea/core/attention/fast/line_boxes.hpp"
#include "fovea/tests/core/attention/fast/fast_attention_support.hpp"
#include "fovea/tests/support/ranks/thread_ranks.hpp"
#include "fovea/tests/support/test.hpp"

using namespace fovea::test;

namespace {

constexpr Index kRankedKeys = 3 * kRankBlock + 5001;  // four blocks: of 7 ranks some have none
constexpr double kExactOverRanks = 1e-14;             // of the largest value

struct RankedCrowd {
  std::string name;
  Numbers x, values;
  double temperature;
  Numbers alone;  ///< weights, then sums of values, then their quotients
};

Numbers normal_numbers(Index count) {
  Numbers x(count);
  for (Index i = 0; i < count; ++i) x[i] = Random(8).normal(i);
  return x;
}

/// What the agents of a rank hear.
Numbers heard_by(const Ranks& ranks, const RankedCrowd& crowd) {
  const RankPart part = rank_part(static_cast<Index>(crowd.x.size()), ranks);
  const std::span<const double> x = std::span(crowd.x).subspan(part.first, part.count),
                                values = std::span(crowd.values).subspan(part.first, part.count);
  const std::size_t count = part.count;
  Numbers all(3 * count);
  LineAttention line(ranks);
  line.gaussian_sums(x, x, values, {}, crowd.temperature, std::span(all).first(count),
                     std::span(all).subspan(count, count));
  line.gaussian(x, x, values, {}, crowd.temperature, std::span(all).last(count));
  return all;
}

/// Whether ranks hear, each for its part, the same bits as one process.
bool same_over_ranks(const RankedCrowd& crowd, int size, int threads) {
  std::vector<char> same(size, 0);
  support::as_ranks(size, threads, [&](const Ranks& ranks) {
    const std::size_t all = crowd.x.size();
    const RankPart part = rank_part(static_cast<Index>(all), ranks);
    const Numbers heard = heard_by(ranks, crowd);
    bool equal = true;
    for (std::size_t row = 0; row < 3; ++row)
      equal &= std::equal(heard.begin() + row * part.count, heard.begin() + (row + 1) * part.count,
                          crowd.alone.begin() + row * all + part.first);
    same[ranks.rank()] = equal ? 1 : 0;
  });
  return std::find(same.begin(), same.end(), 0) == same.end();
}

constexpr std::size_t kLoners = 12;

/// Nearly all are close together in the kernel's width; some in several blocks hear little of them from outside.
Numbers with_loners(double temperature) {
  Numbers x = normal_numbers(kRankedKeys);
  for (double& at : x) at *= 0.3 * std::sqrt(temperature);
  for (std::size_t i = 0; i < kLoners; ++i)
    x[i * (x.size() / kLoners)] =
        (i % 2 == 0 ? 1 : -1) * (4.6 + 0.06 * static_cast<double>(i)) * std::sqrt(temperature);
  return x;
}

/// For how many of a crowd wide boxes cannot vouch.
std::size_t in_doubt(const RankedCrowd& crowd) {
  const auto [low, high] = std::minmax_element(crowd.x.begin(), crowd.x.end());
  const fast::LineKeys keys{crowd.x, crowd.values, {}, {*low, *high}, largest_size(crowd.values), 1, kRankedKeys};
  fast::LineBoxes boxes(alone());
  Numbers weights(crowd.x.size()), values(crowd.x.size());
  REQUIRE(boxes.suit(keys, keys.range, kRankedKeys, crowd.temperature));
  return boxes.sums(crowd.x, keys, weights, values).size();
}

/// The quotient of plain sums over all pairs.
double plain_quotient(double x, const RankedCrowd& crowd) {
  long double weights = 0, sums = 0;
  for (std::size_t j = 0; j < crowd.x.size(); ++j) {
    const long double d = static_cast<long double>(x) - static_cast<long double>(crowd.x[j]);
    const long double e = std::exp(-d * d / (2 * static_cast<long double>(crowd.temperature)));
    weights += e;
    sums += e * static_cast<long double>(crowd.values[j]);
  }
  return static_cast<double>(sums / weights);
}

std::vector<RankedCrowd> ranked_crowds() {
  const Numbers uniform = uniform_numbers(kRankedKeys, "crowd", -1, 1), normal = normal_numbers(kRankedKeys),
                said = uniform_numbers(kRankedKeys, "values", -3, 2);
  const Numbers one_block(uniform.begin(), uniform.begin() + 20000);
  std::vector<RankedCrowd> all{{"uniform", uniform, uniform, 0.05, {}},
                               {"normal", normal, said, 0.01, {}},
                               {"loners", with_loners(0.05), said, 0.05, {}},
                               {"loners in the cold", with_loners(0.01), with_loners(0.01), 0.01, {}},
                               {"one block", one_block, one_block, 0.01, {}}};
  for (RankedCrowd& crowd : all) crowd.alone = heard_by(alone(), crowd);
  return all;
}

/// Many ranks, each like this one.
class LikeMe final : public Ranks {
 public:
  explicit LikeMe(Index size) : size_(size) {}
  Index rank() const override { return 0; }
  Index size() const override { return size_; }
  void sum(std::span<std::int64_t> numbers) const override {
    for (std::int64_t& n : numbers)
      if (__builtin_mul_overflow(n, size_, &n)) throw std::overflow_error("a sum of whole numbers");
  }
  void least(std::span<double>) const override {}
  void largest(std::span<double>) const override {}
  std::vector<double> collect(std::span<const double> own) const override { return {own.begin(), own.end()}; }

 private:
  Index size_;
};

}  // namespace

TEST_CASE("attention on the line has the same bits over 1, 2, 3, 4 and 7 ranks of 1 and 2 threads, those of all pairs",
          "[fast][ranks][threads][twin]") {
  for (const RankedCrowd& crowd : ranked_crowds()) {
    INFO(crowd.name);
    const std::size_t all = crowd.x.size();
    for (const int size : {1, 2, 3, 4, 7})
      for (const int threads : {1, 2}) CHECK(same_over_ranks(crowd, size, threads));
    if (crowd.name.starts_with("loners")) CHECK(in_doubt(crowd) > 0);
    for (std::size_t i = 0; i < kLoners; ++i) {
      const std::size_t place = i * (all / kLoners);
      CHECK(std::abs(crowd.alone[2 * all + place] - plain_quotient(crowd.x[place], crowd)) <
            kExactOverRanks * largest_size(crowd.values));
    }
  }
}

TEST_CASE("who agree go on agreeing to the last bit, over blocks and ranks", "[fast][ranks][property]") {
  constexpr double kQuotient = 4e-16;  // two roundings, however many agree
  const Numbers x(kRankedKeys, 0.3);
  RankedCrowd crowd{"alike", x, x, 0.05, {}};
  crowd.alone = heard_by(alone(), crowd);
  const Numbers heard(crowd.alone.end() - kRankedKeys, crowd.alone.end());
  CHECK(std::abs(heard[0] - 0.3) < kQuotient);
  CHECK(heard == Numbers(kRankedKeys, heard[0]));
  for (const int size : {2, 3, 7}) CHECK(same_over_ranks(crowd, size, 1));
}

TEST_CASE("blocks of keys in any order are heard as the same bits", "[fast][property]") {
  const Numbers values = uniform_numbers(kRankedKeys, "values");
  const auto swapped = [](Numbers all) {
    std::swap_ranges(all.begin(), all.begin() + kRankBlock, all.begin() + 2 * kRankBlock);
    return all;
  };
  for (const double temperature : {0.05, 0.01}) {
    const Numbers x = with_loners(temperature), y = swapped(x), said = swapped(values);
    LineAttention line;
    Numbers first(kRankedKeys), second(kRankedKeys);
    line.gaussian(x, x, values, {}, temperature, first);
    line.gaussian(x, y, said, {}, temperature, second);
    CHECK(first == second);
  }
}

TEST_CASE("what an agent hears does not hang on whether others are in doubt", "[fast][property]") {
  const Numbers x = with_loners(0.05);  // the first is one
  Numbers all(kRankedKeys), others(200), one(1);
  LineAttention line;
  line.gaussian(x, x, x, {}, 0.05, all);
  line.gaussian(std::span(x).subspan(1, 200), x, x, {}, 0.05, others);
  line.gaussian(std::span(x).first(1), x, x, {}, 0.05, one);
  CHECK(std::equal(others.begin(), others.end(), all.begin() + 1));
  CHECK(one[0] == all[0]);
}

TEST_CASE("blocks of more ranks than there are add up without overflow", "[fast][ranks]") {
  constexpr Index kMany = Index{1} << 26, kKeys = 64;
  const LikeMe ranks(kMany);
  const Numbers y(kKeys, 0.124), g(kKeys, 0.999 * static_cast<double>(kRankBlock) / kKeys);  // a block's largest mass
  Numbers values(kKeys, -0.999);
  values[0] = 0.999;  // the reference
  fast::BoxMoments moments(ranks);
  moments.collect({0.25, 4, -2, 8}, {y, values, g, {0.124, 0.124}, 0.999, 0.999, kMany * kRankBlock}, kRankBlock);
  const double mass = 0.999 * static_cast<double>(kRankBlock * kMany);
  CHECK(moments.row(2)[0] == Approx(mass).epsilon(1e-14));
  CHECK(moments.row(2)[kLineTerms] == Approx(-0.999 * mass * 62 / 64).epsilon(1e-14));
}

TEST_CASE("attention on the line refuses what only one process hears", "[fast][ranks][errors]") {
  Numbers x = uniform_numbers(2 * kRankBlock, "crowd", -1, 1);
  x.front() = -1;
  x.back() = 1;
  std::vector<std::vector<std::string>> found(2);
  support::as_ranks(2, 1, [&](const Ranks& ranks) {
    const RankPart part = rank_part(2 * kRankBlock, ranks);
    const Numbers own(x.begin() + part.first, x.begin() + part.first + part.count), far(own.size(), 9.0),
        huge(own.size(), 1e300), ones(own.size(), 1.0);
    Numbers out(own.size());
    LineAttention line(ranks);
    const auto refuse = [&](const Numbers& queries, const Numbers& values, const Numbers& g, double temperature) {
      try {
        line.gaussian(queries, own, values, g, temperature, out);
        found[ranks.rank()].push_back("");
      } catch (const ArgumentError& error) {
        found[ranks.rank()].push_back(error.what());
      }
    };
    refuse(own, own, {}, 0.05);
    refuse(own, own, {}, 1e-7);
    refuse(far, own, {}, 0.05);
    refuse(own, huge, {}, 0.05);
    refuse(own, own, ones, 0.05);
    try {
      line.dot_product(own, own, own, {}, 0.05, out);
    } catch (const ArgumentError& error) {
      found[ranks.rank()].push_back(error.what());
    }
  });
  const std::vector<std::string> expected{
      "",
      "gaussian attention on the line: keys from -1 to 1 at temperature 1e-07 need too many boxes for "
      "several ranks; run it in one process.",
      "gaussian attention on the line: a query is far from every key, but over several ranks must be near one; run it "
      "in one process.",
      "gaussian attention on the line: the largest value is 1e+300, but must be below 1e+290 over several ranks; run "
      "it in one process.",
      "gaussian attention on the line: there are strengths, but over several ranks all must be 1; leave them out.",
      "dot-product attention on the line: there are 2 ranks, but must be one; run it in one process."};
  CHECK(found[0] == expected);
  CHECK(found[1] == expected);
}

TEST_CASE("attention over ranks refuses keys that are not cut into whole blocks", "[fast][ranks][errors]") {
  std::vector<std::string> found(2);
  support::as_ranks(2, 1, [&](const Ranks& ranks) {
    const Numbers own(10, 0.1);
    Numbers out(10);
    try {
      LineAttention(ranks).gaussian(own, own, own, {}, 1, out);
    } catch (const ArgumentError& error) {
      found[ranks.rank()] = error.what();
    }
  });
  CHECK(found[0] ==
        "gaussian attention on the line: rank 0 has 10 of 20 keys, but must have 20; cut them by rank_part().");
  CHECK(found[1] == found[0]);
}
