#include "fovea/domains/lag/pair/posterior.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "fovea/core/base/error.hpp"
#include "fovea/core/kernels/exponential.hpp"
#include "fovea/domains/lag/pair/draws.hpp"
#include "fovea/domains/lag/pair/outliers.hpp"

namespace fovea::lag::pair {

namespace {

constexpr double kFarBelow = 18;  // log posterior below the largest: e^-18 of the mass is not looked at closely
constexpr double kLargeGap = 6;   // median distances of points: further apart is a gap
constexpr double kLeastOverlap = 0.02;
// Between the cells of the scan a sharp likelihood may rise by more than kFarBelow.
constexpr double kUnknownHeight = std::numeric_limits<double>::infinity();
constexpr double kScanned = 0.6, kAveraged = 0.9;  // of the work, for the progress

struct Cell {
  double middle, size;
};

/// A lag and window whose likelihood a scan looks at.
struct Knot {
  std::size_t window, cell;
};

/// One search for the posterior of one pair.
class PosteriorSearch {
 public:
  PosteriorSearch(const ScaledCurve& driver, const ScaledCurve& response, const PosteriorSettings& settings)
      : driver_(driver), response_(response), settings_(settings), model_(driver_, response_, settings.trend) {
    const double step = std::max(std::min(typical_distance(driver.time), typical_distance(response.time)) / 3,
                                 (settings.high - settings.low) / 1500);
    const auto cells = static_cast<std::size_t>(std::ceil((settings.high - settings.low) / step));
    const double size = (settings.high - settings.low) / static_cast<double>(cells);
    for (std::size_t i = 0; i < cells; ++i)
      cells_.push_back({settings.low + size * (static_cast<double>(i) + 0.5), size});
    windows_ = echo_windows(response, settings.high - settings.low, settings.tails);
    for (std::size_t w = 0; w < windows_.size(); ++w)
      for (std::size_t i = 0; i < cells; i += stride(windows_[w], size)) knots_.push_back({w, i});
  }

  LagPosterior run() {
    LagPosterior found;
    find_best(found);
    draw_all_numbers();
    std::vector<double> log_density(cells_.size());
    share(cells_.size(), {kScanned, kAveraged}, [&](PairModel& model, std::size_t i) {
      log_density[i] = averaged_at(model, cells_[i], scanned_[i], prior_[i]);
    });
    split_heavy_cells(log_density);
    fill(log_density, found);
    found.driver = model_.driver_alone();
    found.response = model_.response_alone();
    found.window = best_window_;
    found.numbers = best_numbers_;
    found.log_bayes_factor = model_.log_likelihood(best_lag_, best_window_, best_numbers_) +
                             model_.log_prior(best_numbers_) - found.driver.log_likelihood -
                             found.response.log_likelihood;
    return found;
  }

 private:
  double log_lag_prior(double lag) const {
    return 2 * logarithm(std::max(kLeastOverlap, overlap_at(lag, driver_, response_)));
  }

  /// work(model, i) for i < count, shared among the threads, each with a model of its own; meanwhile progress goes from
  /// one end of its part to the other.
  template <typename Work>
  void share(std::size_t count, Interval part, const Work& work) {
    std::size_t finished = 0;
#pragma omp parallel
    {
      PairModel model(driver_, response_, settings_.trend);
#pragma omp for schedule(dynamic)
      for (std::ptrdiff_t i = 0; i < static_cast<std::ptrdiff_t>(count); ++i) {
        work(model, i);
        if (!settings_.told) continue;
#pragma omp critical(posterior_progress)
        settings_.told(part.low +
                       (part.high - part.low) * static_cast<double>(++finished) / static_cast<double>(count));
      }
    }
  }

  /// A wide top hat smooths the likelihood: every few cells, and straight lines in between, are enough. (An
  /// exponential has a sharp front, and costs little.)
  static std::size_t stride(const EchoWindow& window, double cell) {
    return std::clamp(static_cast<std::size_t>(window.width / (8 * cell)), std::size_t{1}, std::size_t{8});
  }

  /// The log posterior of each lag and window, with these numbers.
  void scan(const WalkNumbers& numbers, Interval part) {
    std::vector<double> heights(knots_.size());
    share(knots_.size(), part, [&](PairModel& model, std::size_t k) {
      heights[k] = model.log_likelihood(cells_[knots_[k].cell].middle, windows_[knots_[k].window], numbers);
    });
    scanned_.assign(cells_.size(), std::vector<double>(windows_.size()));
    prior_.resize(cells_.size());
    for (std::size_t i = 0; i < cells_.size(); ++i) prior_[i] = log_lag_prior(cells_[i].middle);
    for (std::size_t k = 0; k < knots_.size(); ++k) {
      const auto [window, from] = knots_[k];
      const bool last = k + 1 == knots_.size() || knots_[k + 1].window != window;
      const std::size_t to = last ? cells_.size() : knots_[k + 1].cell;
      const double rise = last ? 0 : heights[k + 1] - heights[k];
      for (std::size_t i = from; i < to; ++i)
        scanned_[i][window] =
            heights[k] + static_cast<double>(i - from) / static_cast<double>(to - from) * rise + prior_[i];
    }
  }

  /// Lags and windows that stand out, the best first, no two of one mode.
  std::vector<std::pair<std::size_t, std::size_t>> candidates(std::size_t most) const {
    std::vector<std::size_t> best_window(cells_.size()), order(cells_.size());
    std::vector<double> height(cells_.size());
    for (std::size_t i = 0; i < cells_.size(); ++i) {
      const auto& row = scanned_[i];
      best_window[i] = static_cast<std::size_t>(std::max_element(row.begin(), row.end()) - row.begin());
      height[i] = row[best_window[i]];
    }
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return height[a] > height[b]; });
    std::vector<std::pair<std::size_t, std::size_t>> chosen;
    for (const std::size_t i : order) {
      const bool new_mode = std::none_of(chosen.begin(), chosen.end(), [&](const auto& other) {
        return std::max(i, other.first) - std::min(i, other.first) < cells_.size() / 40 + 2;
      });
      if (new_mode) chosen.emplace_back(i, best_window[i]);
      if (chosen.size() == most) break;
    }
    return chosen;
  }

  /// Both curves' outliers, as they are at the best fit.
  void weigh(LagPosterior& found) {
    const auto likelihood = [&] { return model_.log_likelihood(best_lag_, best_window_, best_numbers_); };
    found.driver_outliers =
        weigh_outliers(driver_, further_variance(driver_, best_numbers_.log_driver_error), likelihood);
    found.response_outliers =
        weigh_outliers(response_, further_variance(response_, best_numbers_.log_response_error), likelihood);
  }

  void find_best(LagPosterior& found) {
    constexpr std::size_t kModes = 4;
    const WalkNumbers of_response = model_.response_alone().numbers;
    WalkNumbers start = model_.driver_alone().numbers;
    start.log_response_error = of_response.log_driver_error;
    start.log_scale = of_response.log_deviation - start.log_deviation;
    double best = -std::numeric_limits<double>::infinity();
    for (int round = 0; round < 2; ++round) {
      scan(start, {round * kScanned / 3, (round + 1) * kScanned / 3});
      for (const auto& [cell, window] : candidates(round == 0 ? kModes : 2)) {
        const WalkNumbers numbers = model_.fitted(cells_[cell].middle, windows_[window], start, 150);
        const double height = model_.log_likelihood(cells_[cell].middle, windows_[window], numbers) +
                              model_.log_prior(numbers) + prior_[cell];
        if (height <= best) continue;
        best = height;
        best_numbers_ = numbers;
        best_lag_ = cells_[cell].middle;
        best_window_ = windows_[window];
      }
      if (settings_.outliers) {
        weigh(found);
        best = -std::numeric_limits<double>::infinity();  // of other variances
      }
      start = best_numbers_;
    }
    if (settings_.outliers) best_numbers_ = model_.fitted(best_lag_, best_window_, best_numbers_, 150);
    scan(best_numbers_, {2 * kScanned / 3, kScanned});
  }

  /// Where the scan of a window is largest: windows of other shapes have other means.
  double best_lag_of(std::size_t window) const {
    std::size_t best = 0;
    for (std::size_t i = 1; i < cells_.size(); ++i)
      if (scanned_[i][window] > scanned_[best][window]) best = i;
    return cells_[best].middle;
  }

  void draw_all_numbers() {
    const NumbersMatrix curvature = numbers_curvature(model_, best_lag_, best_window_, best_numbers_);
    draws_.clear();
    for (std::size_t w = 0; w < windows_.size(); ++w) {
      const WalkNumbers centre = model_.fitted(best_lag_of(w), windows_[w], best_numbers_, 200);
      draws_.push_back(draw_numbers(model_, centre, curvature, settings_.draws));
    }
    for (const std::vector<double>& row : scanned_)
      for (const double height : row) highest_ = std::max(highest_, height);
  }

  /// Log posterior density of a cell, averaged over the windows and numbers that are not far below the largest height.
  /// Heights of windows become those of their best draw.
  double averaged_at(PairModel& model, const Cell& cell, std::vector<double>& heights, double prior) const {
    std::vector<double> terms;
    for (std::size_t w = 0; w < windows_.size(); ++w) {
      if (heights[w] < highest_ - kFarBelow) continue;
      heights[w] = -kUnknownHeight;
      for (const NumbersDraw& draw : draws_[w]) {
        terms.push_back(model.log_likelihood(cell.middle, windows_[w], draw.numbers) + prior + draw.log_weight);
        heights[w] = std::max(heights[w], terms.back());
      }
    }
    if (terms.empty()) return -std::numeric_limits<double>::infinity();
    const double largest = *std::max_element(terms.begin(), terms.end());
    double sum = 0;
    for (const double term : terms) sum += exponential(term - largest);
    return largest + logarithm(sum);
  }

  static std::vector<double> masses(const std::vector<Cell>& cells, const std::vector<double>& log_density) {
    const double largest = *std::max_element(log_density.begin(), log_density.end());
    std::vector<double> mass(cells.size());
    double sum = 0;
    for (std::size_t i = 0; i < cells.size(); ++i)
      sum += mass[i] = cells[i].size * exponential(log_density[i] - largest);
    for (double& m : mass) m /= sum;
    return mass;
  }

  /// Cells that hold much, and their neighbours, become five each, until none holds much.
  void split_heavy_cells(std::vector<double>& log_density) {
    constexpr int kMostRounds = 4;
    for (std::vector<double>& row : scanned_) row.assign(windows_.size(), kUnknownHeight);
    for (int round = 0; round < kMostRounds; ++round)
      if (!split_once(log_density, round)) return;
  }

  /// Whether a cell held much.
  bool split_once(std::vector<double>& log_density, int round) {
    constexpr double kHeavy = 0.04;
    constexpr int kParts = 5;
    const std::vector<double> mass = masses(cells_, log_density);
    const auto heavy = [&](std::size_t i) { return i < mass.size() && mass[i] > kHeavy; };
    std::vector<Cell> cells;
    std::vector<double> densities;
    std::vector<std::vector<double>> heights;
    std::vector<std::size_t> smaller;  // places of the new cells
    for (std::size_t i = 0; i < cells_.size(); ++i) {
      const bool split = heavy(i) || heavy(i + 1) || (i > 0 && heavy(i - 1));
      const int parts = split ? kParts : 1;
      for (int part = 0; part < parts; ++part) {
        const double size = cells_[i].size / parts;
        if (split) smaller.push_back(cells.size());
        cells.push_back({cells_[i].middle + size * (part - (parts - 1) / 2), size});
        densities.push_back(log_density[i]);
        heights.push_back(scanned_[i]);
      }
    }
    const double ahead = (1 - kAveraged) / (1 << round);
    share(smaller.size(), {1 - ahead, 1 - ahead / 2}, [&](PairModel& model, std::size_t k) {
      const Cell& cell = cells[smaller[k]];
      densities[smaller[k]] = averaged_at(model, cell, heights[smaller[k]], log_lag_prior(cell.middle));
    });
    cells_ = cells;
    scanned_ = heights;
    log_density = densities;
    highest_ = -kUnknownHeight;
    for (const std::size_t i : smaller)
      for (const double height : scanned_[i]) highest_ = std::max(highest_, height);
    return !smaller.empty();
  }

  void fill(const std::vector<double>& log_density, LagPosterior& found) const {
    found.mass = masses(cells_, log_density);
    for (const Cell& cell : cells_) {
      found.middle.push_back(cell.middle);
      found.size.push_back(cell.size);
    }
    found.interval68 = shortest_interval(found, 0.6827);
    found.interval95 = shortest_interval(found, 0.9545);
    found.lag = median_lag(found);
    weigh_main_mode(found);
  }

  /// The main mode: around the densest cell as far as the density, averaged over a few cells, is above 1/1000 of its
  /// largest value.
  static void weigh_main_mode(LagPosterior& found) {
    std::size_t top = 0;
    const auto density = [&](std::size_t i) { return found.mass[i] / found.size[i]; };
    for (std::size_t i = 0; i < found.mass.size(); ++i)
      if (density(i) > density(top)) top = i;
    std::size_t low = top, high = top;
    while (low > 0 && density(low - 1) > 1e-3 * density(top)) --low;
    while (high + 1 < found.mass.size() && density(high + 1) > 1e-3 * density(top)) ++high;
    found.main_share = 0;
    for (std::size_t i = low; i <= high; ++i) found.main_share += found.mass[i];
  }

  static double median_lag(const LagPosterior& found) {
    double below = 0;
    for (std::size_t i = 0; i < found.mass.size(); ++i) {
      if (below + found.mass[i] >= 0.5) return found.middle[i] + found.size[i] * ((0.5 - below) / found.mass[i] - 0.5);
      below += found.mass[i];
    }
    return found.middle.back();
  }

  ScaledCurve driver_, response_;  // of our own: their variances change where outliers are weighed
  PosteriorSettings settings_;
  PairModel model_;
  std::vector<Cell> cells_;
  std::vector<EchoWindow> windows_;
  std::vector<Knot> knots_;
  std::vector<double> prior_;
  std::vector<std::vector<double>> scanned_;
  std::vector<std::vector<NumbersDraw>> draws_;
  EchoWindow best_window_;
  double best_lag_ = 0, highest_ = -std::numeric_limits<double>::infinity();
  WalkNumbers best_numbers_;
};

}  // namespace

Interval default_lag_range(const ScaledCurve& driver, const ScaledCurve& response) {
  const double reach =
      0.5 * std::min(driver.time.back() - driver.time.front(), response.time.back() - response.time.front());
  return {-reach, reach};
}

double overlap_at(double lag, const ScaledCurve& driver, const ScaledCurve& response) {
  const double gap = kLargeGap * typical_distance(driver.time);
  std::size_t met = 0, next = 0;
  for (const double t : response.time) {
    const double at = t - lag;
    while (next < driver.time.size() && driver.time[next] < at) ++next;
    if (next > 0 && next < driver.time.size() && driver.time[next] - driver.time[next - 1] <= gap) ++met;
  }
  return static_cast<double>(met) / static_cast<double>(response.time.size());
}

std::vector<double> width_nodes(const ScaledCurve& response, double range) {
  constexpr int kWidths = 6;
  const double widest = range / 8, narrowest = std::min(typical_distance(response.time) / 2, widest / 8);
  std::vector<double> widths{0};
  for (int i = 0; i < kWidths; ++i)
    widths.push_back(narrowest * exponential(logarithm(widest / narrowest) * i / (kWidths - 1)));
  return widths;
}

std::vector<EchoWindow> echo_windows(const ScaledCurve& response, double range, bool tails) {
  constexpr int kTails = 12;
  constexpr double kRatio = 1.35;  // finer than widths: the front is sharp, so the mean jumps by what the length does
  std::vector<EchoWindow> windows;
  for (const double width : width_nodes(response, range)) windows.push_back({width, 0});
  double tail = range / 14;
  for (int i = 0; tails && i < kTails; ++i, tail /= kRatio) windows.push_back({0, tail});
  return windows;
}

Interval shortest_interval(const LagPosterior& posterior, double mass) {
  const std::size_t cells = posterior.mass.size();
  Interval best{posterior.middle.front() - posterior.size.front() / 2,
                posterior.middle.back() + posterior.size.back() / 2};
  double sum = 0;
  std::size_t high = 0;
  for (std::size_t low = 0; low < cells; ++low) {
    while (high < cells && sum < mass) sum += posterior.mass[high++];
    if (sum < mass) break;
    // the cell at the upper end is only used as far as needed
    const double last = posterior.mass[high - 1];
    const double spare = last > 0 ? posterior.size[high - 1] * std::min(1.0, (sum - mass) / last) : 0;
    const double from = posterior.middle[low] - posterior.size[low] / 2;
    const double to = posterior.middle[high - 1] + posterior.size[high - 1] / 2 - spare;
    if (to - from < best.high - best.low) best = {from, to};
    sum -= posterior.mass[low];
  }
  return best;
}

LagPosterior lag_posterior(const ScaledCurve& driver, const ScaledCurve& response, const PosteriorSettings& settings) {
  PosteriorSettings complete = settings;
  if (settings.low == 0 && settings.high == 0) {
    const Interval range = default_lag_range(driver, response);
    complete.low = range.low;
    complete.high = range.high;
  }
  require(complete.low < complete.high, "pair: the lags reach from ", complete.low, " to ", complete.high,
          "; the range must not be empty.");
  return PosteriorSearch(driver, response, complete).run();
}

}  // namespace fovea::lag::pair
