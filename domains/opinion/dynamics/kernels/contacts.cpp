#include "fovea/domains/opinion/dynamics/partners.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "fovea/core/base/error.hpp"
#include "fovea/core/kernels/exponential.hpp"

namespace fovea::opinion::dynamics {

namespace {

double unit_interval(std::uint64_t bits) { return static_cast<double>(bits >> 11) * 0x1p-53; }

/// The first of sorted[0 .. end] that is not below `value`, given that sorted[end] is not; steps from the end double.
std::size_t first_from(std::span<const double> sorted, std::size_t end, double value) {
  std::size_t step = 1, above = end;
  while (above > 0 && !(sorted[above - 1] < value)) {
    above = above > step ? above - step : 0;
    step *= 2;
  }
  const auto begin = sorted.begin() + static_cast<std::ptrdiff_t>(above);
  return (std::lower_bound(begin, sorted.begin() + static_cast<std::ptrdiff_t>(end), value) - sorted.begin());
}

/// The first of sorted[begin .. N] that is above `value`, given that all before `begin` are not.
std::size_t first_above(std::span<const double> sorted, std::size_t begin, double value) {
  std::size_t step = 1, below = begin;
  while (below < sorted.size() && !(sorted[below] > value)) {
    below = std::min(below + step, sorted.size());
    step *= 2;
  }
  const auto end = sorted.begin() + static_cast<std::ptrdiff_t>(below);
  return (std::upper_bound(sorted.begin() + static_cast<std::ptrdiff_t>(begin), end, value) - sorted.begin());
}

}  // namespace

/// The shells around an agent that hold anybody. A shell is two ranges of ranks, [left, left_end) and [right,
/// right_end).
struct Contacts::Shells {
  struct Shell {
    std::size_t number, left, left_end, right, right_end, remaining;
    std::size_t rank(std::size_t place) const {
      return place < left_end - left ? left + place : right + place - (left_end - left);
    }
  };
  std::vector<Shell> shells;
  std::vector<std::pair<std::size_t, std::size_t>> taken;  ///< (shell, place) of those drawn, ascending

  void add(const Shell& shell) {
    if (shell.remaining > 0) shells.push_back(shell);
  }
  void take(std::size_t shell, std::size_t place) {
    --shells[shell].remaining;
    const std::pair entry{shell, place};
    taken.insert(std::upper_bound(taken.begin(), taken.end(), entry), entry);
  }
  /// The place of the k-th that is not taken.
  std::size_t free_place(std::size_t shell, std::size_t k) const {
    for (const auto& [which, place] : taken)
      if (which == shell && place <= k) ++k;
    return k;
  }
  /// The weight of a shell relative to the innermost that is left: it may fall by any power of ten outwards.
  double weight(std::size_t shell, std::size_t innermost, const std::vector<double>& fall) const {
    return fall[std::max<std::size_t>(shells[shell].number, 1) - std::max<std::size_t>(shells[innermost].number, 1)];
  }
  /// The shell whose share of all weights covers `uniform`, and where inside it, as a number of its agents.
  std::pair<std::size_t, double> pick(double uniform, const std::vector<double>& fall) const {
    std::size_t innermost = 0;
    while (shells[innermost].remaining == 0) ++innermost;
    const auto share = [&](std::size_t k) {
      return shells[k].remaining == 0 ? 0 : static_cast<double>(shells[k].remaining) * weight(k, innermost, fall);
    };
    double total = 0;
    for (std::size_t k = innermost; k < shells.size(); ++k) total += share(k);
    double inside = uniform * total;
    std::size_t chosen = innermost;
    for (std::size_t k = innermost; k < shells.size(); ++k) {
      if (shells[k].remaining == 0) continue;
      chosen = k;
      if (inside < share(k)) break;
      inside -= share(k);
    }
    return {chosen, std::max(inside, 0.0) / weight(chosen, innermost, fall)};
  }
};

void Contacts::arrange(std::span<const double> opinions, const Homophily& homophily) {
  check_homophily(homophily);
  require(opinions.size() >= 2, "contacts: there is ", opinions.size(), " agent, but at least 2 are needed.");
  std::vector<std::pair<double, std::uint32_t>> order(opinions.size());
  for (std::size_t i = 0; i < order.size(); ++i) {
    require(std::isfinite(opinions[i]), "contacts: the opinion of agent ", i, " is not finite.");
    order[i] = {opinions[i], static_cast<std::uint32_t>(i)};
  }
  std::sort(order.begin(), order.end());
  homophily_ = homophily;
  sorted_.resize(order.size());
  agents_.resize(order.size());
  ranks_.resize(order.size());
  for (std::size_t rank = 0; rank < order.size(); ++rank) {
    sorted_[rank] = order[rank].first;
    agents_[rank] = order[rank].second;
    ranks_[agents_[rank]] = static_cast<std::uint32_t>(rank);
  }
  // q = 2, or less where 2^-beta is below 1/4
  const double halvings = std::min(1.0, homophily.exponent > 0 ? 2 / homophily.exponent : 1.0);
  const double log_ratio = halvings * logarithm(2.0);
  const double range = sorted_.back() - sorted_.front();
  radii_.assign(1, homophily.distance_floor);
  fall_.assign(1, 1);
  while (!(radii_.back() > range)) {
    const auto shell = static_cast<double>(radii_.size());
    radii_.push_back(homophily.distance_floor * exponential(shell * log_ratio));
    fall_.push_back(exponential(-homophily.exponent * shell * log_ratio));
  }
}

void Contacts::find_shells(std::size_t rank, Shells& found) const {
  found.shells.clear();
  found.taken.clear();
  const std::size_t size = sorted_.size();
  const double x = sorted_[rank];
  const double nearest =
      std::min(rank > 0 ? x - sorted_[rank - 1] : HUGE_VAL, rank + 1 < size ? sorted_[rank + 1] - x : HUGE_VAL);
  std::size_t left = rank, right = rank + 1;
  std::size_t shell = std::lower_bound(radii_.begin(), radii_.end(), nearest) - radii_.begin();
  if (shell > 0) --shell;  // for the rounding of x +- radius
  for (; left > 0 || right < size; ++shell) {
    const bool last = shell + 1 >= radii_.size();
    const std::size_t further_left = last ? 0 : first_from(sorted_, left, x - radii_[shell]);
    const std::size_t further_right = last ? size : first_above(sorted_, right, x + radii_[shell]);
    found.add({shell, further_left, left, right, further_right, left - further_left + further_right - right});
    left = further_left;
    right = further_right;
  }
}

void Contacts::draw(Index agent, Index count, const Random& random, std::uint64_t step,
                    std::vector<Index>& contacts) const {
  thread_local Shells shells;
  const std::size_t rank = ranks_[agent];
  find_shells(rank, shells);
  const Index wanted = std::min(count, static_cast<Index>(sorted_.size()) - 1);
  std::uint64_t round = 0;
  for (Index drawn = 0; drawn < wanted; ++round) {
    const auto [place_bits, coin] = random.block(static_cast<std::uint64_t>(agent) | (round << 40), step);
    const auto [chosen, inside] = shells.pick(unit_interval(place_bits), fall_);
    const Shells::Shell& shell = shells.shells[chosen];
    const std::size_t place =
        shells.free_place(chosen, std::min(static_cast<std::size_t>(inside), shell.remaining - 1));
    const std::size_t other = shell.rank(place);
    if (!accepts(std::abs(sorted_[other] - sorted_[rank]), shell.number, unit_interval(coin))) continue;
    shells.take(chosen, place);
    contacts.push_back(static_cast<Index>(agents_[other]));
    ++drawn;
  }
}

/// Whether one at this distance is taken: with the probability (its weight) / (weight at the shell's inner edge).
bool Contacts::accepts(double distance, std::size_t shell, double coin) const {
  const double inner = radii_[shell < 2 ? 0 : shell - 1];
  return distance <= inner || homophily_.exponent == 0 ||
         coin < exponential(-homophily_.exponent * logarithm(distance / inner));
}

}  // namespace fovea::opinion::dynamics
