#include "fovea/domains/opinion/dynamics/partners.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "fovea/core/base/error.hpp"
#include "fovea/core/kernels/exponential.hpp"

namespace fovea::opinion::dynamics {

namespace {

constexpr int kMostLevels = 20;
constexpr std::uint64_t kRounds = 1000;
constexpr std::size_t kMostBoxes = 3 * kMostLevels + 3;
constexpr double kLargestExponent = 700;  // e^-700 is still a normal number

double unit_of(std::uint64_t bits) { return static_cast<double>(bits >> 11) * 0x1p-53; }

int levels_for(double range, double floor) {
  int levels = 0;
  while (levels < kMostLevels && std::ldexp(range, 1 - levels) > floor) ++levels;
  return levels;
}

}  // namespace

double Homophily::relative_weight(double distance) const {
  if (!(distance > distance_floor) || exponent == 0) return 1;
  if (exponent == 1) return distance_floor / distance;
  if (exponent == 2) return (distance_floor / distance) * (distance_floor / distance);
  return exponential(-exponent * logarithm(distance / distance_floor));
}

void check_homophily(const Homophily& homophily) {
  require(homophily.exponent >= 0 && std::isfinite(homophily.exponent), "homophily: the exponent is ",
          homophily.exponent, ", but must be >= 0; 0 draws all partners with equal probability.");
  require(homophily.distance_floor > 0 && std::isfinite(homophily.distance_floor), "homophily: the distance floor is ",
          homophily.distance_floor, ", but must be > 0; without it equal opinions would have an infinite weight.");
}

/// The boxes that an agent sees, each with the number of agents in it times its weight added to those before it.
struct Partners::Choices {
  std::array<double, kMostBoxes> until{}, weight{};
  std::array<std::size_t, kMostBoxes> node{};
  std::size_t size = 0;
  double total = 0;

  void add(std::size_t box, double agents, double each) {
    if (agents == 0) return;
    total += agents * each;
    until[size] = total;
    weight[size] = each;
    node[size++] = box;
  }
};

void Partners::start(std::span<const double> positions, const Homophily& homophily) {
  check_homophily(homophily);
  require(positions.size() >= 2, "partners: there is 1 agent, but at least 2 are needed.");
  const auto [least, most] = std::minmax_element(positions.begin(), positions.end());
  require(std::isfinite(*least) && std::isfinite(*most), "partners: an opinion is not finite.");
  const double range = *most - *least, floor = homophily.distance_floor;
  require(range <= floor || homophily.exponent * std::log(range / floor) <= kLargestExponent,
          "homophily: the exponent ", homophily.exponent, " with opinions that are up to ", range / floor,
          " distance floors apart makes the weight of distant agents 0; choose a smaller exponent or a larger floor.");
  homophily_ = homophily;
  const int levels = levels_for(range, floor);
  lowest_ = *least;
  const double leaves = std::ldexp(1.0, levels);
  leaves_per_unit_ = range > 0 ? leaves / range : 0;
  near_is_floor_ = 2 * range / leaves <= floor;
  box_weights_.assign(2 * (levels + 1), 0);
  for (int level = 0; level <= levels; ++level)
    for (int away = 2; away <= 3; ++away)
      box_weights_[2 * level + away - 2] = homophily.relative_weight((away - 1) * std::ldexp(range, -level));

  empty(levels);
  positions_.assign(positions.begin(), positions.end());
  leaf_.resize(positions.size());
  place_.resize(positions.size());
  for (std::size_t agent = 0; agent < positions_.size(); ++agent) join(agent, leaf_at(positions_[agent]));
  if (is_sparse()) {
    for (const std::size_t leaf : leaf_)
      for (std::size_t node = members_.size() + leaf; node >= 1; node /= 2) ++counts_[node];
    return;
  }
  for (const std::size_t leaf : leaf_) ++counts_[members_.size() + leaf];
  for (std::size_t node = members_.size() - 1; node >= 1; --node)
    counts_[node] = counts_[2 * node] + counts_[2 * node + 1];
}

/// Whether it is less work to go from each agent's leaf to the root than through all nodes.
bool Partners::is_sparse() const { return 4 * leaf_.size() * static_cast<std::size_t>(levels_ + 1) < members_.size(); }

/// Takes all agents out, and leaves boxes of so many levels.
void Partners::empty(int levels) {
  if (levels == levels_ && !members_.empty() && is_sparse()) {
    for (const std::size_t leaf : leaf_) {
      members_[leaf].clear();
      for (std::size_t node = members_.size() + leaf; node >= 1; node /= 2) counts_[node] = 0;
    }
    return;
  }
  levels_ = levels;
  counts_.assign(std::size_t{2} << levels_, 0);
  members_.resize(std::size_t{1} << levels_);
  for (auto& members : members_) members.clear();
}

std::size_t Partners::leaf_at(double position) const {
  const double leaf = (position - lowest_) * leaves_per_unit_;
  return std::min(static_cast<std::size_t>(std::max(leaf, 0.0)), members_.size() - 1);
}

void Partners::join(std::size_t agent, std::size_t leaf) {
  leaf_[agent] = static_cast<std::uint32_t>(leaf);
  place_[agent] = static_cast<std::uint32_t>(members_[leaf].size());
  members_[leaf].push_back(static_cast<std::uint32_t>(agent));
}

void Partners::move(Index who, double position) {
  const std::size_t agent = who;
  positions_[agent] = position;
  const std::size_t old_leaf = leaf_[agent], new_leaf = leaf_at(position);
  if (old_leaf == new_leaf) return;
  auto& members = members_[old_leaf];
  members[place_[agent]] = members.back();
  place_[members.back()] = place_[agent];
  members.pop_back();
  join(agent, new_leaf);
  for (std::size_t from = members_.size() + old_leaf, to = members_.size() + new_leaf; from != to; from /= 2, to /= 2) {
    --counts_[from];
    ++counts_[to];
  }
}

Partners::Choices Partners::choices(std::size_t agent) const {
  Choices found;
  const std::size_t leaf = leaf_[agent], first_leaf = members_.size();
  for (std::size_t near = leaf > 0 ? leaf - 1 : 0; near <= std::min(leaf + 1, first_leaf - 1); ++near) {
    if (near_is_floor_) {
      found.add(first_leaf + near, counts_[first_leaf + near] - (near == leaf ? 1.0 : 0.0), 1);
      continue;
    }
    double sum = 0;  // of the exact weights: such a box is not drawn from by rejection
    for (const std::uint32_t other : members_[near])
      if (other != agent) sum += homophily_.relative_weight(std::abs(positions_[other] - positions_[agent]));
    if (sum > 0) found.add(first_leaf + near, 1, sum);
  }
  // Children of the boxes beside the parent that are not beside this box.
  for (int level = levels_; level >= 2; --level) {
    const std::size_t boxes = std::size_t{1} << level, own = leaf >> (levels_ - level), right = own % 2;
    const double* weights = &box_weights_[2 * level];
    const auto add = [&](std::size_t box, std::size_t away) {
      if (box < boxes) found.add(boxes + box, counts_[boxes + box], weights[away - 2]);  // below 0 wraps to above
    };
    add(own - 2, 2);
    add(own + 2, 2);
    add(right == 1 ? own - 3 : own + 3, 3);
  }
  return found;
}

/// The agent of this rank below a node.
std::size_t Partners::member(std::size_t node, std::size_t rank) const {
  while (node < members_.size()) {
    node *= 2;
    if (rank >= counts_[node]) rank -= counts_[node++];
  }
  return members_[node - members_.size()][rank];
}

/// Whether the node is the leaf or one beside it.
bool Partners::is_near(std::size_t leaf, std::size_t node) const {
  return node + 1 >= members_.size() + leaf && node <= members_.size() + leaf + 1;
}

/// The member whose share of the weights, added up, covers `inside`.
Index Partners::drawn_from_leaf(std::size_t agent, std::size_t leaf, double inside) const {
  double sum = 0;
  std::size_t last = agent;
  for (const std::uint32_t other : members_[leaf]) {
    if (other == agent) continue;
    last = other;
    sum += homophily_.relative_weight(std::abs(positions_[other] - positions_[agent]));
    if (sum > inside) break;
  }
  return static_cast<Index>(last);
}

Index Partners::draw_plainly(std::size_t agent, double uniform) const {
  double total = 0, sum = 0;
  const auto weight = [&](std::size_t other) {
    return other == agent ? 0 : homophily_.relative_weight(std::abs(positions_[other] - positions_[agent]));
  };
  for (std::size_t other = 0; other < positions_.size(); ++other) total += weight(other);
  std::size_t last = agent;
  for (std::size_t other = 0; other < positions_.size(); ++other) {
    if (other == agent) continue;
    last = other;
    sum += weight(other);
    if (sum > uniform * total) break;
  }
  return static_cast<Index>(last);
}

Index Partners::draw(Index who, const Random& random, std::uint64_t entity, std::uint64_t step) const {
  const std::size_t agent = who;
  const Choices boxes = choices(agent);
  for (std::uint64_t round = 0; round < kRounds; ++round) {
    const auto [place, coin] = random.block(entity | (round << 40), step);
    const double target = unit_of(place) * boxes.total;
    std::size_t box = 0;
    while (box + 1 < boxes.size && boxes.until[box] <= target) ++box;
    const double inside = std::max(target - (box > 0 ? boxes.until[box - 1] : 0.0), 0.0), weight = boxes.weight[box];
    const std::size_t node = boxes.node[box];
    const bool near = is_near(leaf_[agent], node);
    if (near && !near_is_floor_) return drawn_from_leaf(agent, node - members_.size(), inside);
    const bool own = node == members_.size() + leaf_[agent];
    const std::size_t count = counts_[node] - (own ? 1 : 0);
    std::size_t rank = std::min(static_cast<std::size_t>(inside / weight), count - 1);
    if (own && rank >= place_[agent]) ++rank;
    const std::size_t other = member(node, rank);
    const double distance = std::abs(positions_[other] - positions_[agent]);
    if (near || unit_of(coin) * weight < homophily_.relative_weight(distance)) return static_cast<Index>(other);
  }
  return draw_plainly(agent, random.uniform(entity | (kRounds << 40), step));
}

}  // namespace fovea::opinion::dynamics
