#pragma once
/// What the finder of transitions sees of a crowd, and the states that it prepares.

#include "fovea/domains/opinion/phase/phase.hpp"

namespace fovea::opinion::phase {

/// What Order::automatic stands for with this crowd. noisy: its noise is above 0 or is the control.
Order chosen_order(const dynamics::Dynamics& crowd, Order asked, bool noisy);

/// The order parameter of the counted agents; see Order.
double order_of(const Matrix<double>& opinions, const dynamics::Agents& agents, Order order,
                const PhaseSettings& settings);

/// Camps that hold at least settings.camps_least_share of the counted agents.
Index camps_of(const Matrix<double>& opinions, const dynamics::Agents& agents, const PhaseSettings& settings);

/// The state at the beginning of a walk. On the circle (`angles`) everybody at the first agent's angle.
Matrix<double> prepared_state(const dynamics::Agents& agents, Prepared prepared, double default_stubbornness,
                              bool angles);

/// True for the models whose opinions are angles.
bool on_circle(const dynamics::Dynamics& crowd);

/// Share of the counted agents in each of `bins` equal bins over [low, high], first component; outside: the last bin on
/// that side. Angles are taken into [low, low + 2 pi).
std::vector<double> opinion_shares(const Matrix<double>& opinions, const dynamics::Agents& agents, double low,
                                   double high, Index bins, bool angles);

}  // namespace fovea::opinion::phase
