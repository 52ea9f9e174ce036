#include "fovea/domains/opinion/phase/crowd.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "fovea/domains/opinion/measures/measures.hpp"
#include "fovea/domains/opinion/society/graph.hpp"

namespace fovea::opinion::phase {

namespace {

constexpr double kTurn = 2 * std::numbers::pi;

bool takes_part(const dynamics::Agents& agents, Index i) { return agents.counted.empty() || agents.counted[i] != 0; }

double mean_length(const Matrix<double>& opinions) {
  double squares = 0;
  for (Index c = 0; c < opinions.cols(); ++c) {
    double sum = 0;
    for (Index i = 0; i < opinions.rows(); ++i) sum += opinions(i, c);
    squares += sum * sum;
  }
  return std::sqrt(squares) / static_cast<double>(opinions.rows());
}

/// Length of the mean of the unit vectors; for vectors, of the mean vector.
double resultant(const Matrix<double>& opinions) {
  if (opinions.cols() > 1) return mean_length(opinions);
  double cosines = 0, sines = 0;
  for (Index i = 0; i < opinions.rows(); ++i) {
    cosines += std::cos(opinions(i, 0));
    sines += std::sin(opinions(i, 0));
  }
  return std::sqrt(cosines * cosines + sines * sines) / static_cast<double>(opinions.rows());
}

double measured_order(const Matrix<double>& opinions, Order order, const PhaseSettings& settings) {
  switch (order) {
    case Order::resultant:
      return resultant(opinions);
    case Order::mean:
      return mean_length(opinions);
    // who stands outside the largest camp, so that one camp is 0 as consensus is for the others
    case Order::camps:
      return 1 - static_cast<double>(measures::find_camps(opinions, settings.camps_gap).sizes.front()) /
                     static_cast<double>(opinions.rows());
    case Order::strength:
      return std::sqrt(opinions.squaredNorm() / static_cast<double>(opinions.rows()));
    case Order::positive:
      return static_cast<double>((opinions.col(0).array() > 0).count()) / static_cast<double>(opinions.rows());
    default:
      return std::sqrt(measures::variance(opinions));
  }
}

}  // namespace

bool on_circle(const dynamics::Dynamics& crowd) {
  return crowd.settings().model.find("circle") != std::string::npos && crowd.agents().start.cols() == 1;
}

Order chosen_order(const dynamics::Dynamics& crowd, Order asked, bool noisy) {
  if (asked != Order::automatic) return asked;
  const std::string& model = crowd.settings().model;
  if (on_circle(crowd) || model.find("sphere") != std::string::npos) return Order::resultant;
  return noisy ? Order::mean : Order::dispersion;
}

double order_of(const Matrix<double>& opinions, const dynamics::Agents& agents, Order order,
                const PhaseSettings& settings) {
  if (agents.counted.empty()) return measured_order(opinions, order, settings);
  return measured_order(society::kept_rows(opinions, agents.counted), order, settings);
}

Index camps_of(const Matrix<double>& opinions, const dynamics::Agents& agents, const PhaseSettings& settings) {
  const Matrix<double>& counted = agents.counted.empty() ? opinions : society::kept_rows(opinions, agents.counted);
  return measures::find_camps(counted, settings.camps_gap).at_least(settings.camps_least_share);
}

Matrix<double> prepared_state(const dynamics::Dynamics& crowd, Prepared prepared, bool mean_is_opinion) {
  const dynamics::Agents& agents = crowd.agents();
  Matrix<double> state = agents.start;
  if (prepared == Prepared::spread) return state;
  Matrix<double> mean = Matrix<double>::Zero(1, state.cols());
  for (Index i = 0; i < state.rows(); ++i) mean += state.row(i);
  mean /= static_cast<double>(state.rows());
  // an average of directions is none, and of two opinions nobody's: the first agent's is one of them
  if (!mean_is_opinion) mean = state.row(0);
  for (Index i = 0; i < state.rows(); ++i) {
    const double s = agents.stubbornness.empty() ? crowd.settings().stubbornness : agents.stubbornness[i];
    if (s < 1) state.row(i) = mean;
  }
  return state;
}

std::vector<double> opinion_shares(const Matrix<double>& opinions, const dynamics::Agents& agents, double low,
                                   double high, Index bins, bool angles) {
  std::vector<double> shares(bins, 0.0);
  double all = 0;
  for (Index i = 0; i < opinions.rows(); ++i) {
    if (!takes_part(agents, i)) continue;
    double x = opinions(i, 0);
    if (angles) x = low + (x - low) - kTurn * std::floor((x - low) / kTurn);
    const double place = std::floor((x - low) / (high - low) * static_cast<double>(bins));
    shares[static_cast<std::size_t>(std::clamp(place, 0.0, static_cast<double>(bins - 1)))] += 1;
    all += 1;
  }
  for (double& share : shares) share /= all;
  return shares;
}

}  // namespace fovea::opinion::phase
