#include "fovea/core/ranks/ranks.hpp"

#include <algorithm>

namespace fovea {
namespace {

class Alone final : public Ranks {
 public:
  Index rank() const override { return 0; }
  Index size() const override { return 1; }
  void sum(std::span<std::int64_t>) const override {}
  void least(std::span<double>) const override {}
  void largest(std::span<double>) const override {}
  std::vector<double> collect(std::span<const double> own) const override { return {own.begin(), own.end()}; }
};

}  // namespace

const Ranks& alone() {
  static const Alone one;
  return one;
}

RankPart rank_part(Index items, Index rank, Index size) {
  const Index blocks = (items + kRankBlock - 1) / kRankBlock;
  const auto first = [&](Index r) { return std::min(items, (blocks * r + size - 1) / size * kRankBlock); };
  return {first(rank), first(rank + 1) - first(rank)};
}

}  // namespace fovea
