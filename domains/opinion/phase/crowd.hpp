#pragma once
/// What the finder of transitions sees of a crowd, and the states that it prepares.

#include "fovea/domains/opinion/phase/phase.hpp"

namespace fovea::opinion::phase {

/// One crowd, made anew for each value of the control, and for each of the networks there. What moves on is its state.
class TurnedCrowd {
 public:
  using Maker = std::function<std::shared_ptr<dynamics::Dynamics>(double control, Index network)>;
  TurnedCrowd(Maker make, double control) : make_(std::move(make)) { turn(control); }
  void turn(double control, Index network = 0) {
    if (crowd_ != nullptr && control == control_ && network == network_) return;
    crowd_ = make_(control, network);
    control_ = control;
    network_ = network;
  }
  dynamics::Dynamics* operator->() const { return crowd_.get(); }
  dynamics::Dynamics& operator*() const { return *crowd_; }

 private:
  Maker make_;
  double control_ = 0;
  Index network_ = 0;
  std::shared_ptr<dynamics::Dynamics> crowd_;
};

/// What Order::automatic stands for with this crowd. noisy: it moves for ever.
Order chosen_order(const dynamics::Dynamics& crowd, Order asked, bool noisy);

/// The order parameter of the counted agents; see Order.
double order_of(const Matrix<double>& opinions, const dynamics::Agents& agents, Order order,
                const PhaseSettings& settings);

/// Camps that hold at least settings.camps_least_share of the counted agents.
Index camps_of(const Matrix<double>& opinions, const dynamics::Agents& agents, const PhaseSettings& settings);

/// The state at the beginning of a walk. mean_is_opinion: see PhaseSettings.
Matrix<double> prepared_state(const dynamics::Dynamics& crowd, Prepared prepared, bool mean_is_opinion);

/// True for the models whose opinions are angles.
bool on_circle(const dynamics::Dynamics& crowd);

/// Share of the counted agents in each of `bins` equal bins over [low, high], first component; outside: the last bin on
/// that side. Angles are taken into [low, low + 2 pi).
std::vector<double> opinion_shares(const Matrix<double>& opinions, const dynamics::Agents& agents, double low,
                                   double high, Index bins, bool angles);

}  // namespace fovea::opinion::phase
