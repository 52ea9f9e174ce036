#include "fovea/domains/opinion/phase/still.hpp"

#include <algorithm>
#include <cmath>

#include "fovea/core/base/error.hpp"

namespace fovea::opinion::phase {

namespace {

// Of the order parameter's range: below, it counts as 0, which a finite crowd never reaches (theory.md, "Finding a
// transition").
constexpr double kNearZero = 0.01;
// Of one walk, each of which takes a bisection: a crowd that changes its camps more often has no phases.
constexpr std::size_t kMostBrackets = 24;

/// In the spacing of the grid, so that the halves are alike there.
double middle_of(double a, double b, bool logarithmic) { return logarithmic ? std::sqrt(a * b) : 0.5 * (a + b); }

}  // namespace

void StillPoint::visit(Archive archive) {
  archive("control", control);
  archive("order", order);
  archive("camps", camps);
  archive("steps", steps);
  archive("at_rest", at_rest);
  archive("on_grid", on_grid);
  archive("shares", shares);
}

void StillBracket::visit(Archive archive) {
  archive("near", near);
  archive("far", far);
  archive("state", state);
}

StillWalk::StillWalk(const PhaseSettings& settings, TurnedCrowd::Maker make, StillPlan plan)
    : settings_(settings),
      plan_(std::move(plan)),
      crowd_(std::move(make), plan_.controls.front()),
      order_(chosen_order(*crowd_, settings.order, false)),
      angles_(on_circle(*crowd_)) {
  opinions_ = prepared_state(*crowd_, plan_.from, settings.mean_is_opinion);
}

double StillWalk::control() const {
  if (!bisecting()) return plan_.controls[position_];
  return middle_of(waiting_.back().near.control, waiting_.back().far.control, settings_.logarithmic);
}

void StillWalk::advance(std::int64_t agent_steps) {
  if (done()) return;
  crowd_.turn(control());  // a restored walk has a fresh crowd
  for (std::int64_t spent = 0; spent < agent_steps && !done(); spent += opinions_.rows()) step();
}

void StillWalk::step() {
  const Matrix<double> before = opinions_;
  crowd_->step(opinions_, total_steps_);
  ++step_;
  ++total_steps_;
  const double change = dynamics::largest_change(before, opinions_);
  require(std::isfinite(change), "opinion.phase: an opinion became infinite or NaN at ", control(),
          " of the control parameter after ", step_, " steps; choose a narrower range or a shorter model.time_step.");
  if (change < settings_.tolerance)
    settle(true);
  else if (step_ >= settings_.steps_max)
    settle(false);
}

StillPoint StillWalk::look(bool at_rest) const {
  StillPoint point;
  point.control = control();
  point.order = order_of(opinions_, crowd_->agents(), order_, settings_);
  point.camps = static_cast<double>(camps_of(opinions_, crowd_->agents(), settings_));
  point.steps = static_cast<double>(step_);
  point.at_rest = at_rest;
  point.on_grid = !bisecting();
  if (plan_.density_bins > 0 && point.on_grid)
    point.shares =
        opinion_shares(opinions_, crowd_->agents(), plan_.density_low, plan_.density_high, plan_.density_bins, angles_);
  return point;
}

void StillWalk::settle(bool at_rest) {
  const StillPoint point = look(at_rest);
  if (bisecting())
    settle_bisection(point);
  else
    settle_on_grid(point);
  step_ = 0;
  if (!done()) crowd_.turn(control());
  if (settings_.fresh) opinions_ = prepared_state(*crowd_, Prepared::spread, settings_.mean_is_opinion);
}

/// Brackets are found on the way, with the state before, and kept or dropped when the whole grid is known.
void StillWalk::settle_on_grid(const StillPoint& point) {
  points_.push_back(point);
  ++position_;
  const bool last = position_ == grid();
  if (points_.size() > 1) waiting_.back().far = point;
  if (!last) {
    StillBracket open;
    open.near = point;
    if (!settings_.fresh) open.state = opinions_;
    waiting_.push_back(std::move(open));
    return;
  }
  drop_smooth_changes();
  std::reverse(waiting_.begin(), waiting_.end());
  if (!waiting_.empty() && !settings_.fresh) opinions_ = waiting_.back().state;
}

double StillWalk::order_range() const {
  const auto [low, high] = std::minmax_element(points_.begin(), points_.end(),
                                               [](const auto& a, const auto& b) { return a.order < b.order; });
  return high->order - low->order;
}

bool StillWalk::camps_count() const { return order_ != Order::strength && order_ != Order::positive; }

bool StillWalk::near_zero(const StillPoint& point) const { return point.order < kNearZero * order_range(); }

bool StillWalk::differ(const StillPoint& a, const StillPoint& b) const {
  return (camps_count() && a.camps != b.camps) || near_zero(a) != near_zero(b) ||
         std::abs(a.order - b.order) > settings_.least_jump * order_range();
}

bool StillWalk::leaves_zero(const StillBracket& bracket) const {
  return near_zero(bracket.near) != near_zero(bracket.far);
}

bool StillWalk::smooth(const StillBracket& bracket) const {
  return leaves_zero(bracket) &&
         std::abs(bracket.far.order - bracket.near.order) <= settings_.least_jump * order_range();
}

/// Keeps the changes; of too many those with the largest jumps.
void StillWalk::drop_smooth_changes() {
  std::erase_if(waiting_, [&](const StillBracket& one) { return !differ(one.near, one.far); });
  if (waiting_.size() <= kMostBrackets) return;
  const auto jump = [](const StillBracket& one) { return std::abs(one.far.order - one.near.order); };
  std::vector<double> jumps;
  for (const StillBracket& one : waiting_) jumps.push_back(jump(one));
  std::nth_element(jumps.begin(), jumps.begin() + kMostBrackets, jumps.end(), std::greater<>());
  const double least = jumps[kMostBrackets];
  std::erase_if(waiting_, [&](const StillBracket& one) { return jump(one) <= least; });
}

bool StillWalk::narrow(const StillBracket& bracket) const {
  const double width = std::abs(bracket.far.control - bracket.near.control);
  return width <= settings_.resolution * std::min(bracket.far.control, bracket.near.control);
}

/// A narrow bracket is found, or was a smooth change; another waits.
void StillWalk::add_bracket(StillBracket bracket) {
  if (!differ(bracket.near, bracket.far)) return;
  if (!narrow(bracket)) {
    waiting_.push_back(std::move(bracket));
  } else {
    bracket.state.resize(0, 0);
    found_.push_back(std::move(bracket));
  }
}

/// The middle is on the near side if it has the near camps; where both ends have as many, if its order is 0 where that
/// of one end alone is, else if it is nearer in order. A third number of camps means two changes, and both are
/// followed.
void StillWalk::settle_bisection(const StillPoint& point) {
  points_.push_back(point);
  const StillBracket bracket = std::move(waiting_.back());
  waiting_.pop_back();
  const bool camps_tell = camps_count() && bracket.near.camps != bracket.far.camps;
  const bool zero_tells = near_zero(bracket.near) != near_zero(bracket.far);
  const bool nearer = zero_tells
                          ? near_zero(point) == near_zero(bracket.near)
                          : std::abs(point.order - bracket.near.order) < std::abs(point.order - bracket.far.order);
  const bool is_near = camps_tell ? point.camps == bracket.near.camps : nearer;
  const bool is_far = camps_tell ? point.camps == bracket.far.camps : !nearer;
  if (!is_near) add_bracket({bracket.near, point, bracket.state});
  if (!is_far) add_bracket({point, bracket.far, settings_.fresh ? Matrix<double>() : opinions_});
  if (!waiting_.empty() && !settings_.fresh) opinions_ = waiting_.back().state;
}

double StillWalk::share() const {
  const double grid_share = static_cast<double>(position_) / static_cast<double>(grid());
  if (!bisecting()) return 0.5 * grid_share;
  const auto open = static_cast<double>(waiting_.size());
  return 0.5 + 0.5 * static_cast<double>(found_.size()) / (open + static_cast<double>(found_.size()) + 1);
}

void StillWalk::visit(Archive archive) {
  archive("position", position_);
  archive("step", step_);
  archive("total_steps", total_steps_);
  archive("opinions", opinions_);
  archive("points", points_);
  archive("waiting", waiting_);
  archive("found", found_);
}

}  // namespace fovea::opinion::phase
