#include "fovea/domains/opinion/dynamics/pairwise.hpp"

#include <algorithm>
#include <cmath>

#include "fovea/core/base/error.hpp"
#include "fovea/domains/opinion/dynamics/draw.hpp"

namespace fovea::opinion::dynamics {

namespace {

void check_pair_rule(const PairRule& rule) {
  require(rule.confidence > 0, "pairwise: the confidence is ", rule.confidence, ", but must be > 0.");
  require(rule.rejection >= rule.confidence, "pairwise: the rejection is ", rule.rejection,
          ", but must be >= the confidence, ", rule.confidence, ".");
  require(rule.convergence > 0 && rule.convergence <= 0.5, "pairwise: the convergence is ", rule.convergence,
          ", but must be in (0, 0.5]; at 0.5 two agents meet half way.");
  for (const double bound : rule.confidences)
    require(bound > 0, "pairwise: an agent's confidence is ", bound, ", but must be > 0.");
  for (const double s : rule.stubbornness)
    require(s >= 0 && s <= 1, "pairwise: an agent's stubbornness is ", s, ", but must be in [0, 1].");
}

void check_sizes(const PairRule& rule, Index agents) {
  const auto fits = [agents](std::span<const double> each) {
    return each.empty() || static_cast<Index>(each.size()) == agents;
  };
  require(fits(rule.confidences), "pairwise: there are ", agents, " agents but ", rule.confidences.size(),
          " confidences; give one for each agent, or none.");
  require(fits(rule.stubbornness), "pairwise: there are ", agents, " agents but ", rule.stubbornness.size(),
          " values of stubbornness; give one for each agent, or none.");
}

/// Two agents meet; alike: all agents have the same confidence and none is stubborn.
class Meeting {
 public:
  Meeting(Matrix<double>& opinions, const PairRule& rule)
      : opinions_(opinions),
        rule_(rule),
        alike_(rule.confidences.empty() && rule.stubbornness.empty() && !std::isfinite(rule.rejection) &&
               !std::isfinite(rule.limit)) {}

  bool operator()(Index i, Index j) const {
    if (opinions_.cols() == 1 && alike_) {
      const double d = opinions_.data()[j] - opinions_.data()[i];
      const double move = std::abs(d) < rule_.confidence ? rule_.convergence * d : 0.0;  // without a branch
      opinions_.data()[i] += move;
      opinions_.data()[j] -= move;
      return move != 0;
    }
    return each_by_its_own(i, j);
  }

 private:
  double bound(Index agent) const { return rule_.confidences.empty() ? rule_.confidence : rule_.confidences[agent]; }
  /// 1 towards the other, -1 away, 0 neither.
  double way(Index agent, double distance) const {
    return distance < bound(agent) ? 1.0 : distance > rule_.rejection ? -1.0 : 0.0;
  }
  double pace(Index agent) const {
    const double s = rule_.stubbornness.empty() ? 0.0 : rule_.stubbornness[agent];
    return (1 - s) * rule_.convergence;
  }
  bool each_by_its_own(Index i, Index j) const {
    const double distance = (opinions_.row(j) - opinions_.row(i)).norm();
    const double of_i = way(i, distance) * pace(i), of_j = way(j, distance) * pace(j);
    if (of_i == 0 && of_j == 0) return false;
    for (Index c = 0; c < opinions_.cols(); ++c) {
      const double d = opinions_(j, c) - opinions_(i, c);
      opinions_(i, c) = std::clamp(opinions_(i, c) + of_i * d, -rule_.limit, rule_.limit);
      opinions_(j, c) = std::clamp(opinions_(j, c) - of_j * d, -rule_.limit, rule_.limit);
    }
    return true;
  }

  Matrix<double>& opinions_;
  const PairRule& rule_;
  bool alike_;
};

void check_meetings(const Matrix<double>& opinions, const PairRule& rule) {
  check_pair_rule(rule);
  check_sizes(rule, opinions.rows());
  require(opinions.rows() >= 2, "pairwise: there is ", opinions.rows(), " agent, but at least 2 are needed.");
}

void check_network(const datasets::network::Adjacency& network, Index agents) {
  require(static_cast<Index>(network.offsets.size()) == agents + 1, "pairwise: the network has ",
          std::max<std::size_t>(network.offsets.size(), 1) - 1, " nodes, but there are ", agents, " agents.");
  for (const std::uint32_t j : network.neighbours)
    require(j < agents, "pairwise: a neighbour is agent ", j, ", but there are ", agents, " agents.");
}

double distance_of(const Matrix<double>& opinions, Index i, Index j) {
  return opinions.cols() == 1 ? std::abs(opinions(j, 0) - opinions(i, 0)) : (opinions.row(j) - opinions.row(i)).norm();
}

}  // namespace

void meet_at_random(Matrix<double>& opinions, const PairRule& rule, const Random& random, std::int64_t step) {
  check_meetings(opinions, rule);
  const Index agents = opinions.rows();
  const Meeting meet(opinions, rule);
  for (Index k = 0; k < agents; ++k) {
    const auto [first, second] = random.block(static_cast<std::uint64_t>(k), static_cast<std::uint64_t>(step));
    const Index i = scaled(first, agents), other = scaled(second, agents - 1);
    meet(i, other + (other >= i ? 1 : 0));
  }
}

void meet_along_edges(Matrix<double>& opinions, std::span<const society::Edge> edges, const PairRule& rule,
                      const Random& random, std::int64_t step) {
  check_meetings(opinions, rule);
  const auto agents = opinions.rows();
  for (const auto& [a, b] : edges)
    require(a >= 0 && b >= 0 && a < agents && b < agents && a != b, "pairwise: an edge leads from ", a, " to ", b,
            ", but must join two of the agents 0 to ", agents - 1, ".");
  if (edges.empty()) return;
  const Meeting meet(opinions, rule);
  for (Index k = 0; k < agents; ++k) {
    const std::uint64_t bits = random.bits(static_cast<std::uint64_t>(k), static_cast<std::uint64_t>(step));
    const auto& [i, j] = edges[scaled(bits, static_cast<Index>(edges.size()))];
    meet(i, j);
  }
}

void meet_along_edges(Matrix<double>& opinions, const society::ChangingNetwork& network, const PairRule& rule,
                      const Random& random, std::int64_t step, const std::function<bool(Index, Index)>& instead) {
  check_meetings(opinions, rule);
  require(network.nodes() == opinions.rows(), "pairwise: the network has ", network.nodes(), " nodes, but there are ",
          opinions.rows(), " agents.");
  if (network.edge_count() == 0) return;
  const Meeting meet(opinions, rule);
  for (Index k = 0; k < opinions.rows(); ++k) {
    const std::uint64_t bits = random.bits(static_cast<std::uint64_t>(k), static_cast<std::uint64_t>(step));
    const Index edge = scaled(bits, network.edge_count());
    if (instead(k, edge)) continue;
    const auto& [i, j] = network.edge(edge);
    meet(i, j);
  }
}

AlgorithmicBias::AlgorithmicBias(const PairRule& rule, const Homophily& homophily, const Random& random)
    : rule_(rule), homophily_(homophily), agents_(random.stream("agents")), partners_(random.stream("partners")) {
  check_pair_rule(rule);
  check_homophily(homophily);
}

void AlgorithmicBias::set_rule(const PairRule& rule) {
  check_pair_rule(rule);
  rule_ = rule;
}

void AlgorithmicBias::step(Matrix<double>& opinions, std::int64_t step_number) {
  check_meetings(opinions, rule_);
  const auto step = static_cast<std::uint64_t>(step_number);
  const Index agents = opinions.rows();
  const Meeting meet(opinions, rule_);
  const bool on_a_line = opinions.cols() == 1;
  if (on_a_line) tree_.start({opinions.data(), static_cast<std::size_t>(agents)}, homophily_);
  weights_.resize(agents);
  for (std::uint64_t k = 0; k < static_cast<std::uint64_t>(agents); ++k) {
    const Index i = scaled(agents_.bits(k, step), agents);
    if (on_a_line) {
      const Index j = tree_.draw(i, partners_, k, step);
      if (!meet(i, j)) continue;
      tree_.move(i, opinions(i, 0));
      tree_.move(j, opinions(j, 0));
    } else {
      for (Index j = 0; j < agents; ++j)
        weights_[j] = j == i ? 0 : homophily_.relative_weight(distance_of(opinions, i, j));
      meet(i, static_cast<Index>(drawn_by_weight(weights_, partners_.uniform(k, step))));
    }
  }
}

void AlgorithmicBias::step(Matrix<double>& opinions, const datasets::network::Adjacency& network,
                           std::int64_t step_number) {
  check_meetings(opinions, rule_);
  check_network(network, opinions.rows());
  const auto step = static_cast<std::uint64_t>(step_number);
  const Meeting meet(opinions, rule_);
  for (std::uint64_t k = 0; k < static_cast<std::uint64_t>(opinions.rows()); ++k) {
    const Index i = scaled(agents_.bits(k, step), opinions.rows());
    const std::size_t first = network.offsets[i];
    const std::size_t end = network.offsets[i + 1];
    weights_.clear();
    for (std::size_t place = first; place < end; ++place) {
      const double distance = distance_of(opinions, i, static_cast<Index>(network.neighbours[place]));
      weights_.push_back(network.weight(place) * homophily_.relative_weight(distance));
    }
    const std::size_t drawn = drawn_by_weight(weights_, partners_.uniform(k, step));
    if (drawn < weights_.size()) meet(i, static_cast<Index>(network.neighbours[first + drawn]));
  }
}

}  // namespace fovea::opinion::dynamics
