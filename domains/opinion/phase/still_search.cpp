/// The search at rest: one walk for each size and direction, and for each replica where something is drawn.

#include <algorithm>
#include <cmath>
#include <optional>

#include "fovea/core/base/missing.hpp"
#include "fovea/core/base/moments.hpp"
#include "fovea/core/statistics/distributions/student.hpp"
#include "fovea/domains/opinion/phase/still.hpp"

namespace fovea::opinion::phase {

namespace {

class StillSearch {
 public:
  StillSearch(const PhaseSettings& settings, const CrowdMaker& make, Workbench& bench)
      : settings_(settings), make_(make), bench_(bench) {
    order_ = chosen_order(*make(settings.low, settings.sizes.front(), 0, 0), settings.order, false);
    range_ = density_range(settings, make);
    for (auto size = settings.sizes.rbegin(); size != settings.sizes.rend(); ++size)  // the longest first
      for (const Direction direction : {Direction::up, Direction::down}) {
        if (settings.fresh && direction == Direction::down) continue;
        for (Index replica = 0; replica < replicas(); ++replica) add_walk(*size, direction, replica);
      }
  }

  PhaseFindings run() {
    const auto visit = [this](const Archive& archive) { visit_tasks(archive, tasks_); };
    if (const std::optional<Dataset> saved = bench_.restored()) restore_state(*saved, visit);
    run_tasks(tasks_, settings_.slice, [&](double share) {
      bench_.progress(share);
      bench_.checkpoint([&] { return saved_state(visit); });
    });
    return findings();
  }

 private:
  struct Walk {
    Index size;
    Direction direction;
    const StillWalk* walk;
  };

  Index replicas() const { return settings_.drawn ? settings_.replicas : 1; }

  void add_walk(Index size, Direction direction, Index replica) {
    const std::vector<double> grid = phase_grid(settings_), back(grid.rbegin(), grid.rend());
    const bool up = direction == Direction::up, largest = size == settings_.sizes.back();
    StillPlan plan{up ? grid : back, up ? settings_.up_from : settings_.down_from, range_.low, range_.high,
                   largest && replica == 0 ? kDensityBins : 0};
    auto walk = std::make_unique<StillWalk>(
        settings_,
        [this, size, replica, up](double control, Index) { return make_(control, size, replica, up ? 0 : 1); },
        std::move(plan));
    walks_.push_back({size, direction, walk.get()});
    tasks_.push_back(std::move(walk));
  }

  PhaseFindings findings() const {
    PhaseFindings found;
    found.order = order_;
    for (const Index size : settings_.sizes) {
      for (const Direction direction : {Direction::up, Direction::down}) {
        const std::vector<const StillWalk*> walks = walks_of(size, direction);
        if (walks.empty()) continue;
        add_points(found, size, direction, walks);
        add_jumps(found, size, direction, walks);
        for (const StillWalk* walk : walks) found.steps += walk->total_steps();
      }
      const MeanWithError loop = loop_of(size);
      found.loop_area.push_back(loop.mean);
      found.loop_error.push_back(loop.error);
      found.least_binder.push_back(kNan);
    }
    const bool jumps =
        std::any_of(found.jumps.begin(), found.jumps.end(), [](const FoundJump& jump) { return !jump.smooth; });
    found.kind = found.jumps.empty() ? TransitionKind::none
                 : jumps             ? TransitionKind::first_order
                                     : TransitionKind::continuous;
    add_density(found);
    return found;
  }

  std::vector<const StillWalk*> walks_of(Index size, Direction direction) const {
    std::vector<const StillWalk*> walks;
    for (const Walk& one : walks_)
      if (one.size == size && one.direction == direction) walks.push_back(one.walk);
    return walks;
  }

  /// The grid as means over the replicas, and what each of them visited between.
  static void add_points(PhaseFindings& found, Index size, Direction direction,
                         const std::vector<const StillWalk*>& walks) {
    std::vector<PhasePoint> points;
    for (std::size_t k = 0; k < walks.front()->points().size(); ++k)
      if (walks.front()->points()[k].on_grid) points.push_back(mean_point(walks, k));
    for (const StillWalk* walk : walks)
      for (const StillPoint& point : walk->points())
        if (!point.on_grid) points.push_back(point_of(point));
    std::stable_sort(points.begin(), points.end(), [](const auto& a, const auto& b) { return a.control < b.control; });
    for (PhasePoint& point : points) {
      point.size = size;
      point.direction = direction;
      found.points.push_back(point);
    }
  }

  static PhasePoint point_of(const StillPoint& point) {
    return {.control = point.control,
            .round = point.on_grid ? 0 : 1,
            .order = point.order,
            .correlation_time = kNan,
            .camps = point.camps,
            .steps = point.steps,
            .at_rest = point.at_rest};
  }

  /// Point k of all walks, which go through the same grid first.
  static PhasePoint mean_point(const std::vector<const StillWalk*>& walks, std::size_t k) {
    PhasePoint out = point_of(walks.front()->points()[k]);
    if (walks.size() == 1) return out;
    std::vector<double> orders;
    out.camps = out.steps = 0;
    for (const StillWalk* walk : walks) {
      const StillPoint& point = walk->points()[k];
      orders.push_back(point.order);
      out.camps += point.camps / static_cast<double>(walks.size());
      out.steps += point.steps / static_cast<double>(walks.size());
      out.at_rest = out.at_rest && point.at_rest;
    }
    const MeanWithError order = mean_with_error(orders);
    out.order = order.mean;
    out.order_error = order.error;
    return out;
  }

  static FoundJump jump_of(Index size, Direction direction, const StillWalk& walk, const StillBracket& bracket) {
    const StillPoint &near = bracket.near, &far = bracket.far;
    return {.low = std::min(near.control, far.control),
            .high = std::max(near.control, far.control),
            .size = size,
            .direction = direction,
            .order_before = near.order,
            .order_after = far.order,
            .camps_before = near.camps,
            .camps_after = far.camps,
            .smooth = walk.smooth(bracket)};
  }

  static void add_jumps(PhaseFindings& found, Index size, Direction direction,
                        const std::vector<const StillWalk*>& walks) {
    std::vector<FoundJump> main;
    for (const StillWalk* walk : walks) {
      if (walks.size() == 1)
        for (const StillBracket& bracket : walk->found())
          found.jumps.push_back(jump_of(size, direction, *walk, bracket));
      if (const StillBracket* bracket = main_bracket(*walk)) main.push_back(jump_of(size, direction, *walk, *bracket));
    }
    // A jump that half of the replicas lack is none of this size; one replica would have no error.
    if (walks.size() > 1 && main.size() >= 2 && 2 * main.size() > walks.size()) found.jumps.push_back(mean_jump(main));
    const auto same = [&](const FoundJump& jump) { return jump.size == size && jump.direction == direction; };
    std::sort(std::find_if(found.jumps.begin(), found.jumps.end(), same), found.jumps.end(),
              [](const FoundJump& a, const FoundJump& b) { return a.at() < b.at(); });  // bisection goes to and fro
  }

  /// Where the order parameter leaves 0, else its largest jump; nullptr for none.
  static const StillBracket* main_bracket(const StillWalk& walk) {
    const auto rank = [&](const StillBracket& one) {
      return std::pair(walk.leaves_zero(one), std::abs(one.far.order - one.near.order));
    };
    const auto main = std::max_element(walk.found().begin(), walk.found().end(),
                                       [&](const auto& a, const auto& b) { return rank(a) < rank(b); });
    return main == walk.found().end() ? nullptr : &*main;
  }

  /// The largest jumps of the replicas as one: at their mean, with the 95 % interval of Student's t and their bracket.
  static FoundJump mean_jump(const std::vector<FoundJump>& jumps) {
    const auto n = static_cast<double>(jumps.size());
    FoundJump mean = jumps.front();
    mean.order_before = mean.order_after = mean.camps_before = mean.camps_after = 0;
    std::vector<double> places;
    double bracket = 0;
    int smooth = 0;
    for (const FoundJump& jump : jumps) {
      places.push_back(jump.at());
      bracket += 0.5 * (jump.high - jump.low) / n;
      mean.order_before += jump.order_before / n, mean.order_after += jump.order_after / n;
      mean.camps_before += jump.camps_before / n, mean.camps_after += jump.camps_after / n;
      smooth += jump.smooth ? 1 : 0;
    }
    const MeanWithError place = mean_with_error(places);
    const double half = std::hypot(student_width(0.95, static_cast<int>(jumps.size()) - 1) * place.error, bracket);
    mean.low = place.mean - half;
    mean.high = place.mean + half;
    mean.averaged = true;
    mean.smooth = 2 * smooth > static_cast<int>(jumps.size());
    return mean;
  }

  /// Area between the branches, mean over the replicas; without error where there is one.
  MeanWithError loop_of(Index size) const {
    if (settings_.fresh) return {0, 0};
    const std::vector<const StillWalk*> up = walks_of(size, Direction::up), down = walks_of(size, Direction::down);
    std::vector<double> areas;
    for (std::size_t k = 0; k < up.size(); ++k) areas.push_back(area_between(*up[k], *down[k]));
    if (areas.size() == 1) return {areas.front(), 0};
    return mean_with_error(areas);
  }

  double area_between(const StillWalk& rising, const StillWalk& falling) const {
    std::vector<StillPoint> up, down;
    for (const StillPoint& point : rising.points())
      if (point.on_grid) up.push_back(point);
    for (const StillPoint& point : falling.points())
      if (point.on_grid) down.insert(down.begin(), point);
    double area = 0;
    for (std::size_t k = 0; k + 1 < up.size(); ++k) {
      const double width =
          settings_.logarithmic ? std::log(up[k + 1].control / up[k].control) : up[k + 1].control - up[k].control;
      area += 0.5 * width * (std::abs(up[k].order - down[k].order) + std::abs(up[k + 1].order - down[k + 1].order));
    }
    return area;
  }

  void add_density(PhaseFindings& found) const {
    found.density_opinion = density_bins(range_);
    const StillWalk& walk = *walks_of(settings_.sizes.back(), Direction::up).front();
    for (const StillPoint& point : walk.points()) {
      if (!point.on_grid) continue;
      found.density_control.push_back(point.control);
      found.densities.push_back(point.shares);
    }
  }

  const PhaseSettings& settings_;
  const CrowdMaker& make_;
  Workbench& bench_;
  PhaseTasks tasks_;
  std::vector<Walk> walks_;
  Order order_ = Order::dispersion;
  DensityRange range_;
};

}  // namespace

PhaseFindings search_still(const PhaseSettings& settings, const CrowdMaker& make, Workbench& bench) {
  return StillSearch(settings, make, bench).run();
}

}  // namespace fovea::opinion::phase
