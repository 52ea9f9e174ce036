#include "fovea/domains/opinion/dynamics/rewiring.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

namespace fovea::opinion::dynamics {

namespace {

constexpr int kProposals = 32;

bool is_free(const society::ChangingNetwork& network, Index agent, Index other) {
  return other != agent && (network.multiple() || !network.joined(other, agent));
}

/// propose(): a candidate. list(put): put(candidate, weight) for all of them, in proportion to the proposals.
template <typename Propose, typename Fits, typename List>
Index first_that_fits(const Propose& propose, const Fits& fits, const List& list, Draws& draws) {
  for (int k = 0; k < kProposals; ++k) {
    const Index other = propose();
    if (other >= 0 && fits(other)) return other;
  }
  std::vector<Index> left;
  std::vector<double> weights;
  list([&](Index other, double weight) {
    if (!fits(other)) return;
    left.push_back(other);
    weights.push_back(weight);
  });
  const std::size_t place = drawn_by_weight(weights, draws.uniform());
  return place < left.size() ? left[place] : Index{-1};
}

}  // namespace

double distance_between(const Matrix<double>& opinions, Index i, Index j) {
  return opinions.cols() == 1 ? std::abs(opinions(j, 0) - opinions(i, 0)) : (opinions.row(j) - opinions.row(i)).norm();
}

std::size_t OpinionGroups::kind_of(double opinion) const {
  return (std::lower_bound(known_.begin(), known_.end(), opinion) - known_.begin());
}

bool OpinionGroups::find_kinds(std::span<const double> opinions) {
  kind_.resize(opinions.size(), 0);
  for (std::size_t i = 0; i < opinions.size(); ++i) {
    if (kind_[i] < known_.size() && known_[kind_[i]] == opinions[i]) continue;  // as most are
    kind_[i] = static_cast<std::uint32_t>(kind_of(opinions[i]));
    if (kind_[i] == known_.size() || known_[kind_[i]] != opinions[i]) return false;
  }
  return true;
}

void OpinionGroups::start(std::span<const double> opinions) {
  if (!find_kinds(opinions)) {
    known_.insert(known_.end(), opinions.begin(), opinions.end());
    std::sort(known_.begin(), known_.end());
    known_.erase(std::unique(known_.begin(), known_.end()), known_.end());
    members_.resize(known_.size());
    find_kinds(opinions);
  }
  place_.resize(opinions.size());
  for (auto& members : members_) members.clear();
  for (std::size_t i = 0; i < opinions.size(); ++i) {
    place_[i] = static_cast<std::uint32_t>(members_[kind_[i]].size());
    members_[kind_[i]].push_back(static_cast<std::uint32_t>(i));
  }
}

void OpinionGroups::change(Index agent, double opinion) {
  const std::size_t i = agent;
  std::vector<std::uint32_t>& old = members_[kind_[i]];
  old[place_[i]] = old.back();
  place_[old.back()] = place_[i];
  old.pop_back();
  kind_[i] = static_cast<std::uint32_t>(kind_of(opinion));
  place_[i] = static_cast<std::uint32_t>(members_[kind_[i]].size());
  members_[kind_[i]].push_back(static_cast<std::uint32_t>(agent));
}

Index end_among(std::span<const std::uint32_t> pool, const society::ChangingNetwork& network, Index agent,
                Draws& draws) {
  if (pool.empty()) return -1;
  return first_that_fits([&] { return static_cast<Index>(pool[draws.below(std::ssize(pool))]); },
                         [&](Index other) { return is_free(network, agent, other); },
                         [&](const auto& put) {
                           for (const std::uint32_t other : pool) put(static_cast<Index>(other), 1.0);
                         },
                         draws);
}

Index end_of_all(const society::ChangingNetwork& network, Index agent, Draws& draws) {
  return first_that_fits([&] { return draws.below(network.nodes()); },
                         [&](Index other) { return is_free(network, agent, other); },
                         [&](const auto& put) {
                           for (Index other = 0; other < network.nodes(); ++other) put(other, 1.0);
                         },
                         draws);
}

Index end_within(const Matrix<double>& opinions, double within, const society::ChangingNetwork& network, Index agent,
                 Draws& draws) {
  return first_that_fits(
      [&] { return draws.below(network.nodes()); },
      [&](Index other) { return distance_between(opinions, agent, other) <= within && is_free(network, agent, other); },
      [&](const auto& put) {
        for (Index other = 0; other < network.nodes(); ++other) put(other, 1.0);
      },
      draws);
}

Index end_of_path(const society::ChangingNetwork& network, Index agent, Draws& draws) {
  const auto one_of = [&](std::span<const std::uint32_t> some) {
    return static_cast<Index>(some[draws.below(std::ssize(some))]);
  };
  const std::span<const std::uint32_t> near = network.neighbours(agent);
  if (near.empty()) return -1;
  return first_that_fits(
      [&] {
        const std::span<const std::uint32_t> beyond = network.neighbours(one_of(near));
        return beyond.empty() ? Index{-1} : one_of(beyond);
      },
      [&](Index other) { return is_free(network, agent, other); },
      [&](const auto& put) {
        for (const std::uint32_t middle : near) {
          const std::span<const std::uint32_t> beyond = network.neighbours(middle);
          for (const std::uint32_t other : beyond) put(other, 1 / static_cast<double>(beyond.size()));
        }
      },
      draws);
}

Unfollowing::Unfollowing(const Rewiring& rule, const Homophily& homophily, const Random& random)
    : rule_(rule), homophily_(homophily), draws_(random.stream("unfollowing")), partners_(random.stream("followed")) {}

void Unfollowing::sort(const Matrix<double>& opinions) {
  by_opinion_.resize(opinions.rows());
  std::iota(by_opinion_.begin(), by_opinion_.end(), 0U);
  const auto key = [&](std::uint32_t i) { return std::pair(opinions(i, 0), i); };
  std::sort(by_opinion_.begin(), by_opinion_.end(), [&](std::uint32_t a, std::uint32_t b) { return key(a) < key(b); });
  ascending_.clear();
  for (const std::uint32_t i : by_opinion_) ascending_.push_back(opinions(i, 0));
}

void Unfollowing::step(const Matrix<double>& opinions, double tolerance, std::span<const std::uint8_t> may,
                       society::ChangingNetwork& network, std::int64_t step) {
  if (rule_.to == "alike" && opinions.cols() == 1) sort(opinions);
  if (rule_.to == "recommended") tree_.start({opinions.data(), static_cast<std::size_t>(opinions.size())}, homophily_);
  std::vector<std::uint32_t> far;
  for (Index i = 0; i < opinions.rows(); ++i) {
    Draws draws(draws_, i, step);
    if (draws.uniform() >= rule_.probability || (!may.empty() && may[i] == 0)) continue;
    far.clear();
    const std::span<const std::uint32_t> near = network.neighbours(i), edges = network.edges_of(i);
    for (std::size_t k = 0; k < near.size(); ++k)
      if (distance_between(opinions, i, near[k]) > tolerance) far.push_back(edges[k]);
    if (far.empty()) continue;
    const Index edge = far[draws.below(std::ssize(far))];
    const Index to = new_end(opinions, tolerance, network, i, step, draws);
    if (to >= 0) network.move_edge(edge, i, to);
  }
}

Index Unfollowing::new_end(const Matrix<double>& opinions, double tolerance, const society::ChangingNetwork& network,
                           Index agent, std::int64_t step, Draws& draws) const {
  if (rule_.to == "friends_of_friends") return end_of_path(network, agent, draws);
  if (rule_.to == "recommended") return recommended(opinions, network, agent, step, draws);
  if (rule_.to == "random") return end_of_all(network, agent, draws);
  if (opinions.cols() > 1) return end_within(opinions, tolerance, network, agent, draws);
  const double x = opinions(agent, 0);
  // The ends by the same subtraction as everywhere: x_j - x <= tolerance.
  const auto first =
      std::partition_point(ascending_.begin(), ascending_.end(), [&](double other) { return x - other > tolerance; });
  const auto last = std::partition_point(first, ascending_.end(), [&](double other) { return other - x <= tolerance; });
  const std::span<const std::uint32_t> all = by_opinion_;
  return end_among(all.subspan(first - ascending_.begin(), last - first), network, agent, draws);
}

Index Unfollowing::recommended(const Matrix<double>& opinions, const society::ChangingNetwork& network, Index agent,
                               std::int64_t step, Draws& draws) const {
  std::uint64_t proposal = static_cast<std::uint64_t>(agent) * kProposals;
  return first_that_fits([&] { return tree_.draw(agent, partners_, proposal++, static_cast<std::uint64_t>(step)); },
                         [&](Index other) { return is_free(network, agent, other); },
                         [&](const auto& put) {
                           for (Index other = 0; other < network.nodes(); ++other)
                             put(other, homophily_.relative_weight(distance_between(opinions, agent, other)));
                         },
                         draws);
}

}  // namespace fovea::opinion::dynamics
