/// The search with noise: rounds of walks, see phase_rounds.hpp, and what they found.

#include <algorithm>
#include <cmath>
#include <compare>
#include <map>
#include <optional>

#include "fovea/core/base/error.hpp"
#include "fovea/core/statistics/tests/modality.hpp"
#include "fovea/domains/opinion/phase/rounds.hpp"

namespace fovea::opinion::phase {

namespace {

// Of m, at most, of each cell of the largest crowds: values next in time are alike.
constexpr Index kValuesKept = 400;
constexpr Index kHistogramBins = 40;
// Of a 95 % interval, in standard errors of a normal estimate.
constexpr double kHalfWidth = 1.96;
// p of a second peak where there is one; a single histogram is tested (after Silverman 1981).
constexpr double kOnePeakChance = 0.01;
// The first value of a walk begins in a prepared state, far from where noise keeps the crowd; the others begin in the
// neighbouring value's.
constexpr std::int64_t kFirstBurnIns = 2;
// Numbers of walks of a replica: more than two in every round that there may be.
constexpr Index kWalks = 64;

class NoisySearch {
 public:
  NoisySearch(const PhaseSettings& settings, const CrowdMaker& make, const Random& random, Workbench& bench)
      : settings_(settings), make_(make), random_(random), bench_(bench) {
    order_ = chosen_order(*make(settings.low, settings.sizes.front(), 0, 0), settings.order, true);
    range_ = density_range(settings, make);
  }

  PhaseFindings run() {
    if (const std::optional<Dataset> saved = bench_.restored())
      restore_state(*saved, *this);
    else
      begin_round();
    while (!tasks_.empty()) {
      run_tasks(tasks_, settings_.slice, [&](double share) {
        bench_.progress((static_cast<double>(rounds_) + share) / static_cast<double>(settings_.rounds_max + 1));
        bench_.checkpoint([&] { return saved_state(*this); });
      });
      collect();
      ++rounds_;
      bench_.log(concat("round ", rounds_, ": ", cells_.size(), " cells, ", steps_, " steps"));
      begin_round();
    }
    return findings();
  }

  /// The rounds that were measured, and the walks of the one under way, which follow from them.
  void visit(Archive archive) {
    archive("rounds", rounds_);
    archive("steps", steps_);
    archive("cells", cells_);
    if (archive.restores()) begin_round();
    visit_tasks(archive, tasks_);
  }

 private:
  /// Without tasks the search is at its end.
  void begin_round() {
    tasks_.clear();
    owners_.clear();
    const std::optional<RoundPlan> plan = next_round(settings_, cells_, rounds_, random_);
    if (plan) make_tasks(*plan);
  }

  void make_tasks(const RoundPlan& plan) {
    for (const RoundWalk& walk : plan.walks) {
      const Index size = settings_.sizes[walk.size];
      const bool largest = walk.size + 1 == static_cast<std::int64_t>(settings_.sizes.size());
      for (Index replica = 0; replica < settings_.replicas; ++replica) {
        const std::int64_t steps = std::llround(static_cast<double>(plan.steps) * walk.longer);
        NoisyPlan one{.controls = walk.controls,
                      .from = walk.up ? settings_.up_from : settings_.down_from,
                      .burn_in = plan.burn_in,
                      .first_burn_in = kFirstBurnIns * plan.burn_in,
                      .steps = steps,
                      .networks = std::max<Index>(1, steps / plan.steps_of_network),
                      .values_kept = largest ? kValuesKept : 0,
                      .density_bins = largest && replica == 0 && walk.up && rounds_ == 0 ? kDensityBins : 0,
                      .density_low = range_.low,
                      .density_high = range_.high};
        const Index number = 2 * rounds_ + walk.up;
        tasks_.push_back(std::make_unique<NoisyWalk>(
            settings_,
            [this, size, replica, number](double control, Index network) {
              return make_(control, size, replica, number + kWalks * network);
            },
            std::move(one)));
        owners_.push_back({rounds_, walk.size, replica, walk.up, {}});
      }
    }
  }

  void collect() {
    for (std::size_t k = 0; k < tasks_.size(); ++k) {
      const auto& walk = static_cast<const NoisyWalk&>(*tasks_[k]);
      for (const NoisyCell& cell : walk.cells()) {
        RoundCell one = owners_[k];
        one.cell = cell;
        cells_.push_back(std::move(one));
      }
      steps_ += walk.total_steps();
    }
    tasks_.clear();
  }

  std::int64_t largest() const { return static_cast<std::int64_t>(settings_.sizes.size()) - 1; }

  PhaseFindings findings() const {
    PhaseFindings found;
    found.order = order_;
    found.rounds = rounds_ - 1;
    found.steps = steps_;
    add_points(found);
    const auto open = round_of_loop(cells_, largest(), settings_.logarithmic);
    for (std::int64_t size = 0; size <= largest(); ++size) {
      const NoisyLoop loop = noisy_loop(cells_, size, settings_.logarithmic, open.value_or(0));
      found.loop_area.push_back(std::abs(loop.area));
      found.loop_error.push_back(loop.area_error);
      found.least_binder.push_back(least_binder(size));
    }
    if (open) {
      found.kind = TransitionKind::first_order;
      add_loop_ends(found, *open);
      add_histogram(found, noisy_loop(cells_, largest(), settings_.logarithmic, *open).at);
    } else {
      add_crossing(found);
    }
    add_density(found);
    return found;
  }

  void add_points(PhaseFindings& found) const {
    struct Place {
      std::int64_t size, up;
      double control;
      std::int64_t round;
      auto operator<=>(const Place&) const = default;
    };
    std::map<Place, std::vector<const NoisyCell*>> places;
    for (const RoundCell& one : cells_) places[{one.size, one.up, one.cell.control, one.round}].push_back(&one.cell);
    for (const auto& [place, cells] : places)
      found.points.push_back(point_of(place.size, place.up, place.round, cells));
  }

  PhasePoint point_of(std::int64_t size, std::int64_t up, std::int64_t round,
                      const std::vector<const NoisyCell*>& cells) const {
    PhasePoint point{.control = cells.front()->control,
                     .size = settings_.sizes[size],
                     .direction = up ? Direction::up : Direction::down,
                     .round = static_cast<int>(round),
                     .steps = kNan};
    std::vector<OrderSums> replicas;
    for (const NoisyCell* cell : cells) {
      replicas.push_back(cell->moments);
      point.correlation_time += cell->correlation_time / static_cast<double>(cells.size());
      point.camps += cell->camps / static_cast<double>(cells.size());
    }
    const auto n = static_cast<double>(point.size);
    const Estimate order = pooled_estimate(replicas, OrderStatistic::mean);
    const Estimate susceptibility = pooled_estimate(replicas, OrderStatistic::susceptibility, n);
    const Estimate binder = pooled_estimate(replicas, OrderStatistic::binder);
    point.order = order.value, point.order_error = order.error;
    point.susceptibility = susceptibility.value, point.susceptibility_error = susceptibility.error;
    point.binder = binder.value, point.binder_error = binder.error;
    return point;
  }

  /// Below 0 where two phases take turns: a sign of first order.
  double least_binder(std::int64_t size) const {
    double least = kNan;
    for (const CumulantPoint& point : cumulant_points(cells_, 0, settings_.low, settings_.high))
      if (point.size_class == static_cast<std::size_t>(size))
        least = std::fmin(least, pooled_estimate(point.replicas, OrderStatistic::binder).value);
    return least;
  }

  void add_loop_ends(PhaseFindings& found, std::int64_t open) const {
    for (std::int64_t size = 0; size <= largest(); ++size) {
      const double middle = noisy_loop(cells_, size, settings_.logarithmic, open).middle;
      for (const std::int64_t up : {1, 0}) {
        LoopEnd best;
        for (std::int64_t round = 0; round < rounds_; ++round) {
          const LoopEnd end = loop_end(cells_, round, size, up, middle);
          if (end.found) best = end;
        }
        if (!best.found) continue;
        found.jumps.push_back({.low = best.at - kHalfWidth * best.error,
                               .high = best.at + kHalfWidth * best.error,
                               .size = settings_.sizes[size],
                               .direction = up ? Direction::up : Direction::down,
                               .order_before = best.order_near,
                               .order_after = best.order_far,
                               .camps_before = kNan,
                               .camps_after = kNan});
      }
    }
  }

  void add_crossing(PhaseFindings& found) const {
    if (rounds_ < 3) return;  // the first two only look for the window
    const auto window = fine_window(settings_, cells_);
    if (!window) return;
    const auto interval = crossing_in(settings_, cells_, *window, random_);
    if (!interval || (settings_.networks && !stands_out(*interval))) return;
    found.kind = TransitionKind::continuous;
    FoundCrossing& crossing = found.crossing;
    crossing.control = interval->estimate.control;
    crossing.low = interval->low, crossing.high = interval->high;
    crossing.binder = interval->estimate.binder;
    crossing.binder_low = interval->binder_low, crossing.binder_high = interval->binder_high;
    crossing.chi_square = interval->estimate.chi_square;
    crossing.degrees = interval->estimate.degrees;
    crossing.correction = interval->estimate.correction;
    crossing.narrow_enough = narrow_enough(settings_, *interval);
    widen(crossing);
    add_pairs(found, *window);
    add_histogram(found, crossing.control);
  }

  void add_pairs(PhaseFindings& found, const CrossingWindow& window) const {
    const double margin = kWindowMargin * (window.high - window.low);
    const std::vector<CumulantPoint> all = cumulant_points(cells_, 1, window.low - margin, window.high + margin);
    for (std::size_t small = 0; small + 1 < settings_.sizes.size(); ++small) {
      std::vector<CumulantPoint> two;
      for (const CumulantPoint& point : all)
        if (point.size_class == small || point.size_class == small + 1) two.push_back(point);
      const CumulantCrossing pair = cumulant_crossing(two);
      found.crossing.pair_control.push_back(pair.control);
      found.crossing.pair_binder.push_back(pair.binder);
    }
  }

  /// Of the largest crowds at the control nearest to `near`, both directions together.
  void add_histogram(PhaseFindings& found, double near) const {
    double at = kNan;
    for (const RoundCell& one : cells_)
      if (one.size == largest() && !one.cell.values.empty() &&
          !(std::abs(one.cell.control - near) >= std::abs(at - near)))
        at = one.cell.control;
    std::vector<double> values;
    double independent = 0;
    for (const RoundCell& one : cells_) {
      if (one.size != largest() || one.cell.control != at) continue;
      values.insert(values.end(), one.cell.values.begin(), one.cell.values.end());
      // values nearer in time than two correlation times count as one
      const double steps = one.cell.moments.count * static_cast<double>(settings_.measure_every);
      independent += std::min(static_cast<double>(one.cell.values.size()),
                              std::fmax(1, steps / std::fmax(1, 2 * one.cell.correlation_time)));
    }
    if (values.empty()) return;
    // the largest value falls into the last bin, and a crowd that stays at 0 has bins too
    const double top = 1.0001 * *std::max_element(values.begin(), values.end()) + 1e-300;
    const double width = top / static_cast<double>(kHistogramBins);
    std::vector<double> counts(static_cast<std::size_t>(kHistogramBins), 0.0);
    for (const double value : values) counts[static_cast<std::size_t>(value / width)] += 1;
    const Modality modality = histogram_modality(counts, independent, random_.stream("modality"));
    found.histogram_control = at;
    found.peaks_chance = modality.chance;
    found.peaks = modality.chance < kOnePeakChance ? 2 : 1;
    for (std::size_t k = 0; k < counts.size(); ++k) {
      found.histogram_order.push_back(width * (static_cast<double>(k) + 0.5));
      found.histogram.push_back(counts[k] / (static_cast<double>(values.size()) * width));
    }
  }

  void add_density(PhaseFindings& found) const {
    found.density_opinion = density_bins(range_);
    for (const RoundCell& one : cells_) {
      if (one.cell.shares.empty()) continue;
      found.density_control.push_back(one.cell.control);
      found.densities.push_back(one.cell.shares);
    }
  }

  const PhaseSettings& settings_;
  const CrowdMaker& make_;
  Random random_;
  Workbench& bench_;
  Order order_ = Order::mean;
  DensityRange range_;
  PhaseTasks tasks_;
  std::vector<RoundCell> owners_;
  std::vector<RoundCell> cells_;
  std::int64_t rounds_ = 0;
  std::int64_t steps_ = 0;
};

}  // namespace

PhaseFindings search_noisy(const PhaseSettings& settings, const CrowdMaker& make, const Random& random,
                           Workbench& bench) {
  return NoisySearch(settings, make, random, bench).run();
}

}  // namespace fovea::opinion::phase
