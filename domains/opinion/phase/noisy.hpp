#pragma once
/// One walk with noise: a crowd is carried through a list of controls, and its order parameter measured on line.

#include "fovea/core/statistics/binder.hpp"
#include "fovea/core/statistics/processes/blocking.hpp"
#include "fovea/domains/opinion/phase/searches.hpp"

namespace fovea::opinion::phase {

/// What one crowd showed at one value of the control.
struct NoisyCell {
  double control = 0;
  OrderSums moments;            ///< of m
  double correlation_time = 0;  ///< of m^2, in steps
  double camps = 0;             ///< at the end
  std::vector<double> values;   ///< of m, thinned, where they are kept
  std::vector<double> shares;   ///< opinion_shares at the end, where they are kept
  void visit(Archive archive);
};

struct NoisyPlan {
  std::vector<double> controls;  ///< in the order of walking
  Prepared from = Prepared::spread;
  std::int64_t burn_in = 0;        ///< at each control
  std::int64_t first_burn_in = 0;  ///< at the first
  std::int64_t steps = 1;
  Index networks = 1;      ///< at each control: the steps are shared among so many, each after a burn-in of its own
  Index values_kept = 0;   ///< at most, of each cell
  Index density_bins = 0;  ///< 0: no shares are kept
  double density_low = 0, density_high = 0;
};

class NoisyWalk final : public PhaseTask {
 public:
  NoisyWalk(const PhaseSettings& settings, TurnedCrowd::Maker make, NoisyPlan plan);
  void advance(std::int64_t agent_steps) override;
  bool done() const override { return cells_.size() == plan_.controls.size(); }
  double share() const override;
  void visit(Archive archive) override;

  const std::vector<NoisyCell>& cells() const { return cells_; }  ///< in the order of walking
  std::int64_t total_steps() const { return total_steps_; }

 private:
  bool at_first() const { return cells_.empty() && network_ == 0; }
  std::int64_t burn_in() const { return at_first() ? plan_.first_burn_in : plan_.burn_in; }
  void turn() { crowd_.turn(plan_.controls[cells_.size()], network_); }
  void measure();
  void end_network();
  void end_value();

  const PhaseSettings& settings_;
  NoisyPlan plan_;
  TurnedCrowd crowd_;
  Order order_;
  bool angles_;
  Index network_ = 0;      ///< of those of this control
  std::int64_t step_ = 0;  ///< on it
  std::int64_t total_steps_ = 0;
  Matrix<double> opinions_;
  NoisyCell cell_;
  Blocking blocking_;
  std::vector<NoisyCell> cells_;
};

}  // namespace fovea::opinion::phase
