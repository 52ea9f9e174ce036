#include "fovea/core/statistics/survival/concordance.hpp"

#include <cmath>
#include <vector>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/missing.hpp"
#include "fovea/core/base/ordering.hpp"

namespace fovea {

namespace {

/// How many of the ranks put in are below another: sums over powers of two (Fenwick 1994).
class RankCounts {
 public:
  explicit RankCounts(std::size_t ranks) : sums_(ranks + 1) {}
  void put(std::size_t rank) {
    for (std::size_t k = rank + 1; k < sums_.size(); k += k & (~k + 1)) ++sums_[k];
    ++all_;
  }
  Index below(std::size_t rank) const {
    Index sum = 0;
    for (std::size_t k = rank; k > 0; k -= k & (~k + 1)) sum += sums_[k];
    return sum;
  }
  Index all() const { return all_; }

 private:
  std::vector<Index> sums_;
  Index all_ = 0;
};

/// 0 for the smallest risk, the same for equal ones.
std::vector<std::size_t> dense_ranks(std::span<const double> risks) {
  std::vector<std::size_t> ranks(risks.size());
  const std::vector<std::uint32_t> order = ascending_order(risks);
  for (std::size_t k = 1; k < order.size(); ++k)
    ranks[order[k]] = ranks[order[k - 1]] + (risks[order[k]] != risks[order[k - 1]] ? 1 : 0);
  return ranks;
}

void check_concordance(std::span<const double> risks, std::span<const double> times, std::span<const Index> ended) {
  require(!risks.empty() && risks.size() == times.size() && risks.size() == ended.size(), "concordance: there are ",
          risks.size(), " risks, ", times.size(), " times and ", ended.size(),
          " ends; as many are needed, and at least one.");
  for (const double risk : risks) require(!std::isnan(risk), "concordance: a risk is NaN; it must be a number.");
  for (const double t : times) require(std::isfinite(t), "concordance: a time is ", t, ", but must be finite.");
  for (const Index y : ended)
    require(y == 0 || y == 1, "concordance: an end is ", y, ", but must be 0, censored, or 1.");
}

}  // namespace

double Concordance::index() const {
  const double all = concordant + discordant + tied;
  return all > 0 ? (concordant + tied / 2) / all : kNan;
}

Concordance concordance(std::span<const double> risks, std::span<const double> times, std::span<const Index> ended) {
  check_concordance(risks, times, ended);
  const std::vector<std::size_t> ranks = dense_ranks(risks);
  const std::vector<std::uint32_t> order = ascending_order(times);
  RankCounts later(risks.size());
  Concordance pairs;
  for (std::size_t last = order.size(), first = last; last > 0; last = first) {
    while (first > 0 && times[order[first - 1]] == times[order[last - 1]]) --first;
    const auto each = [&](Index which, auto f) {
      for (std::size_t k = first; k < last; ++k)
        if (ended[order[k]] == which) f(ranks[order[k]]);
    };
    each(0, [&](std::size_t rank) { later.put(rank); });
    each(1, [&](std::size_t rank) {
      const Index below = later.below(rank), up_to = later.below(rank + 1);
      pairs.concordant += static_cast<double>(below);
      pairs.tied += static_cast<double>(up_to - below);
      pairs.discordant += static_cast<double>(later.all() - up_to);
    });
    each(1, [&](std::size_t rank) { later.put(rank); });
  }
  return pairs;
}

}  // namespace fovea
