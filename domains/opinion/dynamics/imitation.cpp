/// Models in which opinions are taken over as they are, one update after another: pair after pair is the definition, so
/// a step is one sequence and the number of threads plays no part. An agent of stubbornness s keeps its opinion with
/// probability s when it would change it; bots (s = 1) never change.

#include <algorithm>
#include <utility>
#include <vector>

#include "fovea/core/base/error.hpp"
#include "fovea/domains/opinion/dynamics/crowd_dynamics.hpp"
#include "fovea/domains/opinion/dynamics/draw.hpp"
#include "fovea/domains/opinion/dynamics/rewiring.hpp"

namespace fovea::opinion::dynamics {

namespace {

class Imitating : public CrowdDynamics {
 public:
  explicit Imitating(CrowdParts parts)
      : CrowdDynamics(std::move(parts)),
        updates_(random_.stream("updates")),
        reluctance_(random_.stream("reluctance")) {
    if (graph_ != nullptr) Imitating::retie();
  }

  void step(Matrix<double>& opinions, std::int64_t step_number) final {
    require_sizes(opinions, opinions);
    if (!rewires()) follow_network();
    start({opinions.data(), static_cast<std::size_t>(opinions.rows())});
    for (Index k = 0; k < updates(); ++k) {
      Draws draws(updates_, k, step_number);
      update({opinions.data(), static_cast<std::size_t>(opinions.rows())}, draws);
    }
  }

 protected:
  /// Before the updates of a step.
  virtual void start(std::span<const double>) {}
  virtual Index updates() const { return count(); }
  virtual void update(std::span<double> x, Draws& draws) = 0;
  void retie() override { network_ = society::adjacency(*graph_); }

  bool everybody() const { return graph_ == nullptr; }
  std::span<const std::uint32_t> neighbours(Index i) const {
    return rewires() ? changing_->neighbours(i) : network_.of(i);
  }

  /// One whom i hears: any other agent, or a neighbour by the weight of its edge; -1 where there is none.
  Index heard_by(Index i, Draws& draws) const {
    if (everybody()) {
      const Index other = draws.below(count() - 1);
      return other + (other >= i ? 1 : 0);
    }
    const std::span<const std::uint32_t> near = neighbours(i);
    if (near.empty()) return -1;
    const std::span<const double> weights = weights_of(i);
    if (weights.empty()) return static_cast<Index>(near[draws.below(std::ssize(near))]);
    const std::size_t place = drawn_by_weight(weights, draws.uniform());
    return place < near.size() ? static_cast<Index>(near[place]) : -1;
  }

  /// Whether i changed its opinion.
  bool take(std::span<double> x, Index i, double opinion, const Draws& draws) const {
    double& own = x[i];
    if (own == opinion) return false;
    const double s = stubbornness(i);
    const bool changes = s == 0 || (s < 1 && draws.of_agent(reluctance_, i, count()) >= s);
    if (changes) own = opinion;
    return changes;
  }

 private:
  /// Of the edges to the neighbours; empty: all 1.
  std::span<const double> weights_of(Index i) const {
    if (!rewires()) return network_.weights_of(i);
    weights_.clear();
    if (changing_->weighted())
      for (const std::uint32_t edge : changing_->edges_of(i)) weights_.push_back(changing_->weight(edge));
    return weights_;
  }

  datasets::network::Adjacency network_;
  mutable std::vector<double> weights_;
  Random updates_, reluctance_;
};

/// The voter model (Clifford & Sudbury 1973; Holley & Liggett 1975) asks one, the q-voter model (Castellano, Munoz &
/// Pastor-Satorras 2009) q, drawn with repetition, and takes their opinion over where all agree. With probability p an
/// agent is independent instead and takes one of the opinions of the start, all alike (Granovsky & Madras 1995; Nyczka,
/// Sznajd-Weron & Cislo 2012: of two opinions, the other one with probability 1/2). With the probability of the
/// rewiring it moves one of its edges in place of all this (Holme & Newman 2006); an agent without neighbours then does
/// nothing.
class Adopting final : public Imitating {
 public:
  explicit Adopting(CrowdParts parts)
      : Imitating(std::move(parts)),
        panel_(entry_.needs("panel") ? settings_.panel : 1),
        known_(agents_.start.data(), agents_.start.data() + agents_.start.rows()) {
    std::sort(known_.begin(), known_.end());
    known_.erase(std::unique(known_.begin(), known_.end()), known_.end());
    groups_ = OpinionGroups(known_);
  }

 private:
  bool by_groups() const { return rewires() && settings_.rewiring.to == "alike"; }

  void start(std::span<const double> x) override {
    if (by_groups()) groups_.start(x);
  }

  void update(std::span<double> x, Draws& draws) override {
    const Index i = draws.below(count());
    if (rewires() && draws.uniform() < settings_.rewiring.probability) return rewire(x, i, draws);
    adopt(x, i, draws);
  }

  void adopt(std::span<double> x, Index i, Draws& draws) {
    if (settings_.independence > 0 && draws.uniform() < settings_.independence)
      return become(x, i, known_[draws.below(std::ssize(known_))], draws);
    Index asked = heard_by(i, draws);
    if (asked < 0) return;
    const double opinion = x[asked];
    for (Index k = 1; k < panel_; ++k) {
      asked = heard_by(i, draws);
      if (x[asked] != opinion) return;
    }
    become(x, i, opinion, draws);
  }

  void become(std::span<double> x, Index i, double opinion, const Draws& draws) {
    if (!take(x, i, opinion, draws) || !by_groups()) return;
    groups_.change(i, opinion);
  }

  void rewire(std::span<const double> x, Index i, Draws& draws) {
    const std::span<const std::uint32_t> near = neighbours(i);
    if (near.empty() || !may_rewire(i)) return;
    const std::size_t place = draws.below(std::ssize(near));
    if (!settings_.rewiring.any && x[near[place]] == x[i]) return;
    const Index edge = static_cast<Index>(changing_->edges_of(i)[place]), to = new_end(i, draws);
    if (to >= 0) changing_->move_edge(edge, i, to);
  }

  Index new_end(Index i, Draws& draws) const {
    if (by_groups()) return end_among(groups_.like(i), *changing_, i, draws);
    if (settings_.rewiring.to == "friends_of_friends") return end_of_path(*changing_, i, draws);
    return end_of_all(*changing_, i, draws);
  }

  Index panel_;
  std::vector<double> known_;  // the opinions of the start, ascending
  OpinionGroups groups_;
};

/// The majority rule (Galam 2002; Krapivsky & Redner 2003): of everybody, N / G groups of G a step, in each of which
/// all take the opinion of most; on a network N agents a step, each of which takes that of most of itself and its
/// neighbours. Where no opinion has the most, nothing changes.
class Grouping final : public Imitating {
 public:
  explicit Grouping(CrowdParts parts) : Imitating(std::move(parts)) {}

 private:
  Index updates() const override { return everybody() ? std::max<Index>(1, count() / settings_.panel) : count(); }

  void update(std::span<double> x, Draws& draws) override {
    members_.clear();
    if (everybody())
      draw_group(draws);
    else {
      members_.push_back(draws.below(count()));
      for (const std::uint32_t j : neighbours(members_[0])) members_.push_back(static_cast<Index>(j));
    }
    said_.clear();
    for (const Index i : members_) said_.push_back(x[i]);
    std::sort(said_.begin(), said_.end());
    std::size_t most = 0, place = 0;
    bool alone = true;
    for (std::size_t first = 0, k = 1; k <= said_.size(); ++k) {
      if (k < said_.size() && said_[k] == said_[first]) continue;
      if (k - first == most) alone = false;
      if (k - first > most) {
        most = k - first;
        place = first;
        alone = true;
      }
      first = k;
    }
    if (!alone) return;
    const std::size_t change = everybody() ? members_.size() : 1;
    for (std::size_t k = 0; k < change; ++k) take(x, members_[k], said_[place], draws);
  }

  /// G different agents, all groups alike (Floyd's way: no draw is repeated).
  void draw_group(Draws& draws) {
    for (Index last = count() - settings_.panel; last < count(); ++last) {
      const Index drawn = draws.below(last + 1);
      const bool known = std::find(members_.begin(), members_.end(), drawn) != members_.end();
      members_.push_back(known ? last : drawn);
    }
  }

  std::vector<Index> members_;
  std::vector<double> said_;
};

/// Sznajd-Weron & Sznajd (2000): two that agree win over those around them. On a network (Stauffer, Sousa & Moss de
/// Oliveira 2000) all neighbours of both ends of an edge; of everybody one third agent (Slanina & Lavicka 2003).
class Outflowing final : public Imitating {
 public:
  explicit Outflowing(CrowdParts parts) : Imitating(std::move(parts)) {}

 private:
  void update(std::span<double> x, Draws& draws) override {
    if (!everybody() && graph_->edges.empty()) return;
    Index i = 0, j = 0;
    if (everybody()) {
      i = draws.below(count());
      j = heard_by(i, draws);
    } else {
      const auto& edge = graph_->edges[draws.below(std::ssize(graph_->edges))];
      i = edge[0];
      j = edge[1];
    }
    const double opinion = x[i];
    if (x[j] != opinion) return;
    if (everybody()) {
      take(x, third(i, j, draws), opinion, draws);
      return;
    }
    for (const Index end : {i, j})
      for (const std::uint32_t k : neighbours(end)) take(x, static_cast<Index>(k), opinion, draws);
  }

  Index third(Index i, Index j, Draws& draws) const {
    Index k = draws.below(count() - 2);
    for (const Index taken : {std::min(i, j), std::max(i, j)}) k += k >= taken ? 1 : 0;
    return k;
  }
};

}  // namespace

std::unique_ptr<Dynamics> make_adopting(CrowdParts parts) { return std::make_unique<Adopting>(std::move(parts)); }
std::unique_ptr<Dynamics> make_grouping(CrowdParts parts) { return std::make_unique<Grouping>(std::move(parts)); }
std::unique_ptr<Dynamics> make_outflowing(CrowdParts parts) { return std::make_unique<Outflowing>(std::move(parts)); }

}  // namespace fovea::opinion::dynamics
