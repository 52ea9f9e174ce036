#pragma once
/// One walk without noise: the grid, then the bisection of every change that was met on it.

#include "fovea/domains/opinion/phase/searches.hpp"

namespace fovea::opinion::phase {

/// The crowd at rest at one value of the control.
struct StillPoint {
  double control = 0;
  double order = 0;
  double camps = 0;
  double steps = 0;
  bool at_rest = false;
  bool on_grid = true;
  std::vector<double> shares;  ///< opinion_shares, on the grid; empty unless they are kept
  void visit(Archive archive);
};

/// A change between two values of the control, and the state at rest at the first of them.
struct StillBracket {
  StillPoint near, far;
  Matrix<double> state;  ///< at `near`; empty where each value begins afresh
  void visit(Archive archive);
};

struct StillPlan {
  std::vector<double> controls;  ///< of the grid, in the order of walking
  Prepared from = Prepared::spread;
  double density_low = 0, density_high = 0;  ///< of the bins
  Index density_bins = 0;                    ///< 0: no shares are kept
};

class StillWalk final : public PhaseTask {
 public:
  StillWalk(const PhaseSettings& settings, TurnedCrowd::Maker make, StillPlan plan);
  void advance(std::int64_t agent_steps) override;
  bool done() const override { return position_ == grid() && waiting_.empty(); }
  double share() const override;
  void visit(Archive archive) override;

  const std::vector<StillPoint>& points() const { return points_; }  ///< in the order they were visited
  const std::vector<StillBracket>& found() const { return found_; }  ///< narrow brackets, jumps and camps
  /// Whether a bracket is the place where the order parameter leaves 0; and without a jump.
  bool leaves_zero(const StillBracket& bracket) const;
  bool smooth(const StillBracket& bracket) const;
  std::int64_t total_steps() const { return total_steps_; }

 private:
  std::int64_t grid() const { return static_cast<std::int64_t>(plan_.controls.size()); }
  bool bisecting() const { return position_ == grid(); }
  double control() const;
  void step();
  void settle(bool at_rest);
  StillPoint look(bool at_rest) const;
  void settle_on_grid(const StillPoint& point);
  void settle_bisection(const StillPoint& point);
  void add_bracket(StillBracket bracket);
  bool narrow(const StillBracket& bracket) const;
  bool differ(const StillPoint& a, const StillPoint& b) const;
  /// Whether camps are phases: not where opinions are pushed about as long as they last, or taken over.
  bool camps_count() const;
  bool near_zero(const StillPoint& point) const;
  double order_range() const;
  void drop_smooth_changes();

  const PhaseSettings& settings_;
  StillPlan plan_;
  TurnedCrowd crowd_;
  Order order_;
  bool angles_;
  std::int64_t position_ = 0;  ///< values of the grid done
  std::int64_t step_ = 0;      ///< at this value
  std::int64_t total_steps_ = 0;
  Matrix<double> opinions_;
  std::vector<StillPoint> points_;
  std::vector<StillBracket> waiting_, found_;
};

}  // namespace fovea::opinion::phase
