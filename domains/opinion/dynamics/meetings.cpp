/// The models in which agents meet: two at a time, or along contacts drawn anew in each step.

#include <algorithm>
#include <utility>

#include "fovea/core/base/error.hpp"
#include "fovea/domains/opinion/dynamics/activity.hpp"
#include "fovea/domains/opinion/dynamics/crowd_dynamics.hpp"
#include "fovea/domains/opinion/dynamics/pairwise.hpp"
#include "fovea/domains/opinion/dynamics/rewiring.hpp"

namespace fovea::opinion::dynamics {

namespace {

/// Deffuant's model, with repulsion too, and algorithmic bias.
class Meetings final : public CrowdDynamics {
 public:
  explicit Meetings(CrowdParts parts)
      : CrowdDynamics(std::move(parts)),
        biased_(entry_.needs("homophily")),
        bias_(pair_rule(), {settings_.homophily, settings_.distance_floor}, random_.stream("meetings")),
        meetings_(random_.stream("meetings")) {
    own_stubbornness(agents_.stubbornness);
    if (graph_ != nullptr) Meetings::retie();
    retune();
  }

  void step(Matrix<double>& opinions, std::int64_t step_number) override {
    require_sizes(opinions, opinions);
    if (rewires()) return meet_or_rewire(opinions, step_number);
    follow_network();
    if (!biased_ && graph_ == nullptr) return meet_at_random(opinions, pair_rule(), meetings_, step_number);
    if (!biased_) return meet_along_edges(opinions, graph_->edges, pair_rule(), meetings_, step_number);
    if (graph_ == nullptr) return bias_.step(opinions, step_number);
    bias_.step(opinions, network_, step_number);
  }

 protected:
  void retune() override { bias_.set_rule(pair_rule()); }
  void retie() override {
    if (biased_) network_ = society::adjacency(*graph_);
  }

 private:
  /// Kozma & Barrat (2008): with the probability of the rewiring a meeting tries to move its edge in place of talking.
  void meet_or_rewire(Matrix<double>& opinions, std::int64_t step_number) {
    const Random coins = random_.stream("rewiring");
    meet_along_edges(opinions, *changing_, pair_rule(), meetings_, step_number, [&](Index meeting, Index edge) {
      Draws draws(coins, meeting, step_number);
      if (draws.uniform() >= settings_.rewiring.probability) return false;
      const Index keeps = changing_->edge(edge)[draws.below(2)];
      const double tolerance = rewiring_tolerance();
      if (distance_between(opinions, changing_->edge(edge)[0], changing_->edge(edge)[1]) <= tolerance ||
          !may_rewire(keeps))
        return true;
      const Index to = new_end(opinions, tolerance, keeps, draws);
      if (to >= 0) changing_->move_edge(edge, keeps, to);
      return true;
    });
  }

  Index new_end(const Matrix<double>& opinions, double tolerance, Index keeps, Draws& draws) const {
    if (settings_.rewiring.to == "alike") return end_within(opinions, tolerance, *changing_, keeps, draws);
    if (settings_.rewiring.to == "friends_of_friends") return end_of_path(*changing_, keeps, draws);
    return end_of_all(*changing_, keeps, draws);
  }

  PairRule pair_rule() const {
    PairRule rule;
    rule.confidence = settings_.confidence;
    rule.convergence = settings_.convergence;
    rule.confidences = agents_.confidence;
    rule.stubbornness = agents_.stubbornness;
    if (!entry_.needs("rejection")) return rule;
    rule.rejection = std::max(settings_.rejection, settings_.confidence);
    rule.limit = std::max(1.0, agents_.start.cwiseAbs().maxCoeff());  // [-1, 1], unless the crowd starts outside
    return rule;
  }

  bool biased_;
  datasets::network::Adjacency network_;
  AlgorithmicBias bias_;
  Random meetings_;
};

/// Baumann's activity-driven crowd.
class Contacting final : public CrowdDynamics {
 public:
  explicit Contacting(CrowdParts parts)
      : CrowdDynamics(std::move(parts)),
        driven_(activity_rule(), all_activities(), all_stubbornness(), random_.stream("contacts")) {}

  void step(Matrix<double>& opinions, std::int64_t step_number) override {
    require_sizes(opinions, opinions);
    driven_.step({opinions.data(), static_cast<std::size_t>(opinions.size())}, step_number);
    require_finite(opinions, agents_, settings_.model, step_number);
  }
  std::vector<double> activities() const override { return driven_.activities(); }

 protected:
  void retune() override { driven_.set_rule(activity_rule()); }

 private:
  std::vector<double> all_activities() const {
    if (!agents_.activity.empty()) return agents_.activity;
    return power_law_activities(count(), settings_.activity_exponent, settings_.activity_least,
                                random_.stream("activities"));
  }

  std::vector<double> all_stubbornness() const {
    std::vector<double> all = agents_.stubbornness;
    own_stubbornness(all);
    return all;
  }

  ActivityRule activity_rule() const {
    ActivityRule rule;
    rule.contacts = settings_.contacts;
    rule.homophily = {settings_.homophily, settings_.distance_floor};
    rule.reciprocity = settings_.reciprocity;
    rule.coupling = settings_.coupling;
    rule.steepness = settings_.steepness;
    rule.time_step = settings_.time_step;
    return rule;
  }

  ActivityDriven driven_;
};

}  // namespace

std::unique_ptr<Dynamics> make_meetings(CrowdParts parts) { return std::make_unique<Meetings>(std::move(parts)); }
std::unique_ptr<Dynamics> make_contacting(CrowdParts parts) { return std::make_unique<Contacting>(std::move(parts)); }

}  // namespace fovea::opinion::dynamics
