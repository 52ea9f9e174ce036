#include "fovea/domains/opinion/phase/noisy.hpp"

#include <cmath>

#include "fovea/core/base/error.hpp"

namespace fovea::opinion::phase {

void NoisyCell::visit(Archive archive) {
  archive("control", control);
  archive("count", moments.count);
  archive("first", moments.first);
  archive("second", moments.second);
  archive("fourth", moments.fourth);
  archive("correlation_time", correlation_time);
  archive("camps", camps);
  archive("values", values);
  archive("shares", shares);
}

NoisyWalk::NoisyWalk(const PhaseSettings& settings, TurnedCrowd::Maker make, NoisyPlan plan)
    : settings_(settings),
      plan_(std::move(plan)),
      crowd_(std::move(make), plan_.controls.front()),
      order_(chosen_order(*crowd_, settings.order, true)),
      angles_(on_circle(*crowd_)) {
  opinions_ = prepared_state(*crowd_, plan_.from, settings.mean_is_opinion);
}

void NoisyWalk::advance(std::int64_t agent_steps) {
  if (done()) return;
  turn();
  for (std::int64_t spent = 0; spent < agent_steps && !done(); spent += opinions_.rows()) {
    crowd_->step(opinions_, total_steps_);
    ++total_steps_;
    ++step_;
    const std::int64_t measured = step_ - burn_in();
    if (measured > 0 && measured % settings_.measure_every == 0) measure();
    if (measured >= plan_.steps / plan_.networks) end_network();
  }
}

void NoisyWalk::measure() {
  const double m = order_of(opinions_, crowd_->agents(), order_, settings_);
  require(std::isfinite(m), "opinion.phase: an opinion became infinite or NaN at ", plan_.controls[cells_.size()],
          " of the control parameter after ", step_, " steps; choose a narrower range or a shorter model.time_step.");
  cell_.moments.add(m);
  blocking_.add(m * m);
  if (plan_.values_kept == 0) return;
  const std::int64_t all = plan_.steps / settings_.measure_every;
  const std::int64_t thinning = std::max<std::int64_t>(1, all / plan_.values_kept);
  const auto number = static_cast<std::int64_t>(cell_.moments.count);
  if (number % thinning == 0 && static_cast<Index>(cell_.values.size()) < plan_.values_kept) cell_.values.push_back(m);
}

void NoisyWalk::end_network() {
  cell_.correlation_time +=
      blocking_.correlation_time() * static_cast<double>(settings_.measure_every) / static_cast<double>(plan_.networks);
  blocking_ = {};
  step_ = 0;
  if (++network_ == plan_.networks) end_value();
  if (!done()) turn();
}

void NoisyWalk::end_value() {
  cell_.control = plan_.controls[cells_.size()];
  cell_.camps = static_cast<double>(camps_of(opinions_, crowd_->agents(), settings_));
  if (plan_.density_bins > 0)
    cell_.shares =
        opinion_shares(opinions_, crowd_->agents(), plan_.density_low, plan_.density_high, plan_.density_bins, angles_);
  cells_.push_back(std::move(cell_));
  cell_ = {};
  network_ = 0;
}

double NoisyWalk::share() const {
  const double on_network = static_cast<double>(burn_in() + plan_.steps / plan_.networks);
  const double here =
      (static_cast<double>(network_) + static_cast<double>(step_) / on_network) / static_cast<double>(plan_.networks);
  return (static_cast<double>(cells_.size()) + here) / static_cast<double>(plan_.controls.size());
}

void NoisyWalk::visit(Archive archive) {
  archive("network", network_);
  archive("step", step_);
  archive("total_steps", total_steps_);
  archive("opinions", opinions_);
  archive("cell", cell_);
  std::vector<double> blocks = blocking_.state();
  archive("blocks", blocks);
  if (archive.restores()) blocking_.restore(blocks);
  archive("cells", cells_);
}

}  // namespace fovea::opinion::phase
