#include "fovea/core/ranks/ranks.hpp"
#include "fovea/tests/support/catch.hpp"
#include "fovea/tests/support/ranks/thread_ranks.hpp"

namespace fovea {
namespace {

TEST_CASE("ranks own whole blocks, each item once and in order", "[ranks][property]") {
  for (const Index items : {Index{0}, Index{1}, kRankBlock, kRankBlock + 1, 7 * kRankBlock - 3, Index{1'000'000}})
    for (const Index size : {1, 2, 3, 4, 7, 64}) {
      Index next = 0;
      for (Index rank = 0; rank < size; ++rank) {
        const RankPart part = rank_part(items, rank, size);
        CHECK(part.first == next);
        CHECK((part.first % kRankBlock == 0 || part.count == 0));
        CHECK(part.count <= (items / kRankBlock / size + 1) * kRankBlock);
        next = part.first + part.count;
      }
      CHECK(next == items);
    }
}

TEST_CASE("what ranks tell each other is the sum, the least, the largest and all of it", "[ranks]") {
  for (const int size : {1, 2, 5}) {
    std::vector<int> right(size, 0);
    support::as_ranks(size, 1, [&](const Ranks& ranks) {
      std::vector<std::int64_t> whole{ranks.rank(), 1};
      ranks.sum(whole);
      std::vector<double> least{static_cast<double>(ranks.rank()), -static_cast<double>(ranks.rank())}, most = least;
      ranks.least(least);
      ranks.largest(most);
      const std::vector<double> own(ranks.rank(), static_cast<double>(ranks.rank()));
      std::vector<double> all;
      for (int r = 0; r < size; ++r) all.insert(all.end(), r, r);
      right[ranks.rank()] = whole == std::vector<std::int64_t>{size * (size - 1) / 2, size} &&
                            least == std::vector<double>{0, 1.0 - size} && most == std::vector<double>{size - 1.0, 0} &&
                            ranks.collect(own) == all && ranks.any(ranks.rank() == size - 1) && !ranks.any(false);
    });
    CHECK(right == std::vector<int>(size, 1));
  }
  CHECK(alone().alone());
}

}  // namespace
}  // namespace fovea
