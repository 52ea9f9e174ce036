/// The search without noise: one walk for each size and direction.

#include <algorithm>
#include <cmath>
#include <optional>

#include "fovea/domains/opinion/phase/searches.hpp"
#include "fovea/domains/opinion/phase/still.hpp"

namespace fovea::opinion::phase {

namespace {

class StillSearch {
 public:
  StillSearch(const PhaseSettings& settings, const CrowdMaker& make, Workbench& bench)
      : settings_(settings), bench_(bench) {
    const std::vector<double> grid = phase_grid(settings), back(grid.rbegin(), grid.rend());
    for (auto size = settings.sizes.rbegin(); size != settings.sizes.rend(); ++size)  // the longest first
      for (const Direction direction : {Direction::up, Direction::down}) {
        if (settings.fresh && direction == Direction::down) continue;
        const bool up = direction == Direction::up;
        std::unique_ptr<dynamics::Dynamics> crowd = make(*size, 0, up ? 0 : 1);
        order_ = chosen_order(*crowd, settings.order, false);
        range_ = density_range(*crowd);
        const bool largest = *size == settings.sizes.back();
        StillPlan plan{up ? grid : back, up ? settings.up_from : settings.down_from, range_.low, range_.high,
                       largest ? kDensityBins : 0};
        auto walk = std::make_unique<StillWalk>(settings, std::move(crowd), std::move(plan));
        walks_.push_back({*size, direction, walk.get()});
        tasks_.push_back(std::move(walk));
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

  PhaseFindings findings() {
    PhaseFindings found;
    found.order = order_;
    std::stable_sort(walks_.begin(), walks_.end(), [](const Walk& a, const Walk& b) { return a.size < b.size; });
    for (const Walk& one : walks_) {
      add_points(found, one);
      for (const StillBracket& bracket : one.walk->found()) found.jumps.push_back(jump_of(one, bracket));
      found.steps += one.walk->total_steps();
    }
    for (const Index size : settings_.sizes) {
      found.loop_area.push_back(settings_.fresh ? 0 : loop_of(size));
      found.loop_error.push_back(0);
      found.least_binder.push_back(kNan);
    }
    found.kind = found.jumps.empty() ? TransitionKind::none : TransitionKind::first_order;
    add_density(found);
    return found;
  }

  void add_points(PhaseFindings& found, const Walk& one) const {
    std::vector<StillPoint> points = one.walk->points();
    std::stable_sort(points.begin(), points.end(), [](const auto& a, const auto& b) { return a.control < b.control; });
    for (const StillPoint& point : points) {
      PhasePoint out;
      out.control = point.control;
      out.size = one.size;
      out.direction = one.direction;
      out.round = point.on_grid ? 0 : 1;
      out.order = point.order;
      out.camps = point.camps;
      out.at_rest = point.at_rest;
      out.correlation_time = kNan;
      out.steps = point.steps;
      found.points.push_back(out);
    }
  }

  static FoundJump jump_of(const Walk& one, const StillBracket& bracket) {
    FoundJump jump;
    jump.low = std::min(bracket.near.control, bracket.far.control);
    jump.high = std::max(bracket.near.control, bracket.far.control);
    jump.size = one.size;
    jump.direction = one.direction;
    jump.order_before = bracket.near.order;
    jump.order_after = bracket.far.order;
    jump.camps_before = bracket.near.camps;
    jump.camps_after = bracket.far.camps;
    return jump;
  }

  const StillWalk* walk_of(Index size, Direction direction) const {
    for (const Walk& one : walks_)
      if (one.size == size && one.direction == direction) return one.walk;
    return nullptr;
  }

  double loop_of(Index size) const {
    std::vector<StillPoint> up, down;
    for (const StillPoint& point : walk_of(size, Direction::up)->points())
      if (point.on_grid) up.push_back(point);
    for (const StillPoint& point : walk_of(size, Direction::down)->points())
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
    const StillWalk& walk = *walk_of(settings_.sizes.back(), Direction::up);
    for (const StillPoint& point : walk.points()) {
      if (!point.on_grid) continue;
      found.density_control.push_back(point.control);
      found.densities.push_back(point.shares);
    }
  }

  const PhaseSettings& settings_;
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
