#pragma once
/// Edges that are moved while opinions move.

#include <span>
#include <utility>
#include <vector>

#include "fovea/core/base/random.hpp"
#include "fovea/domains/opinion/dynamics/coevolution.hpp"
#include "fovea/domains/opinion/dynamics/draw.hpp"
#include "fovea/domains/opinion/dynamics/partners.hpp"
#include "fovea/domains/opinion/society/changing_network.hpp"

namespace fovea::opinion::dynamics {

/// Who holds which opinion, where there are few of them. Members in ascending order at the start of a step, so that the
/// draws of a step depend on the opinions alone.
class OpinionGroups {
 public:
  explicit OpinionGroups(std::vector<double> known = {}) : known_(std::move(known)), members_(known_.size()) {}
  /// O(N) and O(log(opinions)) for each that has changed; O(N log N) where an opinion is not known yet.
  void start(std::span<const double> opinions);
  void change(Index agent, double opinion);  ///< to one that is known, in O(log(opinions))
  std::span<const std::uint32_t> like(Index agent) const { return members_[kind_[agent]]; }

 private:
  std::size_t kind_of(double opinion) const;
  bool find_kinds(std::span<const double> opinions);  ///< whether all are known
  std::vector<double> known_;                         ///< ascending
  std::vector<std::uint32_t> kind_, place_;
  std::vector<std::vector<std::uint32_t>> members_;
};

/// A new neighbour for `agent`, one who is none yet; -1 where there is nobody. Proposals are drawn again until one fits
/// (von Neumann 1951), and listed after 32 in vain, which gives the same law.
Index end_among(std::span<const std::uint32_t> pool, const society::ChangingNetwork& network, Index agent,
                Draws& draws);
/// Of all agents.
Index end_of_all(const society::ChangingNetwork& network, Index agent, Draws& draws);
/// Of all agents, those whose distance from x_agent is at most `within`.
Index end_within(const Matrix<double>& opinions, double within, const society::ChangingNetwork& network, Index agent,
                 Draws& draws);
/// A neighbour of a neighbour, both drawn evenly.
Index end_of_path(const society::ChangingNetwork& network, Index agent, Draws& draws);

double distance_between(const Matrix<double>& opinions, Index i, Index j);

/// Unfollowing (Sasahara et al. 2021) between the steps of models that hear; agent after agent, each seeing the edges
/// that those before it have moved.
class Unfollowing {
 public:
  Unfollowing(const Rewiring& rule, const Homophily& homophily, const Random& random);

  /// may: 0 for those who move no edge; empty: all do. O(N + edges), with "alike" O(N log N).
  void step(const Matrix<double>& opinions, double tolerance, std::span<const std::uint8_t> may,
            society::ChangingNetwork& network, std::int64_t step);

 private:
  Index new_end(const Matrix<double>& opinions, double tolerance, const society::ChangingNetwork& network, Index agent,
                std::int64_t step, Draws& draws) const;
  Index recommended(const Matrix<double>& opinions, const society::ChangingNetwork& network, Index agent,
                    std::int64_t step, Draws& draws) const;
  void sort(const Matrix<double>& opinions);

  Rewiring rule_;
  Homophily homophily_;
  Random draws_, partners_;
  Partners tree_;
  std::vector<std::uint32_t> by_opinion_;  ///< agents by their opinion
  std::vector<double> ascending_;
};

}  // namespace fovea::opinion::dynamics
