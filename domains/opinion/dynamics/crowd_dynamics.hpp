#pragma once
/// What all models share: who takes part, the numbers and their controls, the draws of the noise.

#include <memory>
#include <span>

#include "fovea/domains/opinion/dynamics/dynamics.hpp"
#include "fovea/domains/opinion/dynamics/hearing.hpp"
#include "fovea/domains/opinion/dynamics/models.hpp"

namespace fovea::opinion::dynamics {

/// What make_dynamics() has checked.
struct CrowdParts {
  const ModelEntry* entry = nullptr;
  ModelSettings settings;
  Agents agents;
  const society::Graph* graph = nullptr;
  Random random{0};
};

/// The model's rule of hearing with the present controls; it points into agents.
HearingRule hearing_rule_of(const ModelEntry& entry, const ModelSettings& settings, const Agents& agents);

class CrowdDynamics : public Dynamics {
 public:
  explicit CrowdDynamics(CrowdParts parts);
  void set(Control control, double value) override;
  bool never_rests() const override;
  const Agents& agents() const override { return agents_; }
  const ModelSettings& settings() const override { return settings_; }
  society::ChangingNetwork* change_network() override;
  const society::ChangingNetwork* changed_network() const override { return changing_.get(); }
  bool settled(const Matrix<double>& opinions) const override;
  Matrix<double> transposed_jacobian(const Matrix<double>& opinions, const Matrix<double>& v) const override;

 protected:
  /// Called after a control has changed.
  virtual void retune() {}
  bool rewires() const { return settings_.rewiring.probability > 0; }
  /// The distance from which on an edge is cut: strictly above.
  double rewiring_tolerance() const;
  /// Whether the agent moves its edges: bots and media do not.
  bool may_rewire(Index i) const { return agents_.counted.empty() || agents_.counted[i] != 0; }
  /// Called after graph_ has become another.
  virtual void retie() {}
  /// Before a step: graph_ becomes the network as it is now, where that has changed.
  void follow_network();

  Index count() const { return agents_.count(); }
  /// An agent's own, also in models without one for all: a bot is stubborn everywhere.
  double stubbornness(Index i) const {
    if (!agents_.stubbornness.empty()) return agents_.stubbornness[i];
    return stubborn_ ? settings_.stubbornness : 0;
  }
  /// One number for each agent where `all` is empty and the model has one for all that is not 0.
  void own_stubbornness(std::vector<double>& all) const {
    if (all.empty() && stubborn_ && settings_.stubbornness > 0) all.assign(count(), settings_.stubbornness);
  }
  /// Draws this step's noise: a standard normal for each component of each agent; 0 for those who do not count: bots do
  /// not tremble.
  void draw_tremors(std::int64_t step);
  /// Those of a part of the numbers, of which the first is number `first` of the agents here.
  void draw_tremors(std::int64_t step, Index first, std::span<double> part) const;
  static constexpr Index kTremorsTogether = 8192;
  double tremor(Index i, Index c) const { return tremors_[i * agents_.start.cols() + c]; }
  /// sqrt(2 noise dt): the noise of a step in continuous time.
  double diffusion_step() const;
  HearingRule hearing_rule() const { return hearing_rule_of(entry_, settings_, agents_); }
  /// Throws ArgumentError unless both are as large as the crowd.
  void require_sizes(const Matrix<double>& opinions, const Matrix<double>& v) const;

  const ModelEntry& entry_;
  ModelSettings settings_;
  Agents agents_;
  const society::Graph* graph_;
  Random random_;
  Random noise_;
  bool stubborn_;
  std::vector<double> tremors_;
  std::unique_ptr<society::ChangingNetwork> changing_;

 private:
  society::Graph present_;
  std::uint64_t seen_version_ = 0;
};

std::unique_ptr<Dynamics> make_averaging(CrowdParts parts);
std::unique_ptr<Dynamics> make_circle(CrowdParts parts);
std::unique_ptr<Dynamics> make_sphere(CrowdParts parts);
std::unique_ptr<Dynamics> make_meetings(CrowdParts parts);
std::unique_ptr<Dynamics> make_contacting(CrowdParts parts);
std::unique_ptr<Dynamics> make_formula(CrowdParts parts);
std::unique_ptr<Dynamics> make_adopting(CrowdParts parts);
std::unique_ptr<Dynamics> make_grouping(CrowdParts parts);
std::unique_ptr<Dynamics> make_outflowing(CrowdParts parts);

/// Throws ArgumentError with the first agent whose opinion is no number any more.
void require_finite(const Matrix<double>& opinions, const Agents& agents, std::string_view model, std::int64_t step);

/// J'a of the unnormalised sums h_i = sum_j e_ij x_j / sum_k W_ik g_k with the dot product, everybody or a network.
Matrix<double> crowd_backward(const HearingRule& rule, const society::Graph* graph, const Matrix<double>& opinions,
                              const Matrix<double>& a);

/// Calls pair(i, j, W_ij) for all j that i hears, itself included, in a fixed order. self_weight: W_ii on a network.
template <typename Pair>
void for_each_pair(const society::Graph* graph, double self_weight, Index agents, const Pair& pair) {
  if (graph == nullptr) {
    for (Index i = 0; i < agents; ++i)
      for (Index j = 0; j < agents; ++j) pair(i, j, 1.0);
    return;
  }
  for (Index i = 0; i < agents; ++i) pair(i, i, self_weight);
  for (std::size_t e = 0; e < graph->edges.size(); ++e) {
    pair(graph->edges[e][0], graph->edges[e][1], graph->weight(e));
    pair(graph->edges[e][1], graph->edges[e][0], graph->weight(e));
  }
}

}  // namespace fovea::opinion::dynamics
