/// The experiment "lag.network": on many series the graph with lags on its edges, how lags change over time, and how
/// stable each link is. network_outcome.hpp has what it writes; the links are those of a method of the table
/// (methods.hpp).

#include <algorithm>
#include <cmath>
#include <functional>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/missing.hpp"
#include "fovea/core/data/view.hpp"
#include "fovea/datasets/simulated/driven_units.hpp"
#include "fovea/domains/lag/experiments.hpp"
#include "fovea/domains/lag/methods/methods.hpp"
#include "fovea/domains/lag/network/bootstrap.hpp"
#include "fovea/domains/lag/network/outcome.hpp"
#include "fovea/domains/lag/series/experiment.hpp"
#include "fovea/domains/lag/series/lag_choice.hpp"
#include "fovea/domains/lag/series/lag_set.hpp"

namespace fovea::lag::network {

namespace {

enum MadeSeries : Index { kDam, kMill, kTown, kPort, kSea, kMadeSeries };

/// Water from a dam reaches the mill after 3 steps, and after 6 once the channel has silted up; from there the town and
/// the port; tides act on the port.
datasets::simulated::DrivenUnits made_channel(Index lag_to_mill) {
  datasets::simulated::DrivenUnits units;
  units.names = {"dam", "mill", "town", "port", "sea"};
  units.noise = {1, 0.7, 0.7, 0.7, 1};
  units.links = {{kDam, kDam, 1, 0.3},   {kMill, kMill, 1, 0.3}, {kPort, kPort, 1, 0.2}, {kSea, kSea, 1, 0.5},
                 {kMill, kTown, 2, 0.6}, {kTown, kPort, 4, 0.5}, {kSea, kPort, 1, -0.4}};
  units.links.push_back({kDam, kMill, lag_to_mill, 0.6});
  return units;
}

constexpr Index kLagBefore = 3, kLagAfter = 6;

/// x(t) by the links of its time: those of `before` for t < change. It runs `kSettling` steps before the first row.
Matrix<double> simulate_change(const datasets::simulated::DrivenUnits& before,
                               const datasets::simulated::DrivenUnits& after, Index change, Index steps,
                               const Random& random) {
  constexpr Index kSettling = 200;
  const Index units = before.units();
  Matrix<double> x = Matrix<double>::Zero(steps + kSettling, units);
  for (Index t = 0; t < x.rows(); ++t) {
    const datasets::simulated::DrivenUnits& now = t - kSettling < change ? before : after;
    for (Index u = 0; u < units; ++u)
      x(t, u) = now.noise[u] * random.normal(static_cast<std::uint64_t>(u), static_cast<std::uint64_t>(t));
    for (const datasets::simulated::LaggedLink& link : now.links)
      if (t >= link.lag) x(t, link.target) += link.strength * x(t - link.lag, link.driver);
  }
  return x.bottomRows(steps);
}

struct NetworkSettings {
  series::SeriesAsked series;
  bool difference = false;
  Index made_steps = 1200;
  Index longest_lag = 0;  ///< 0: chosen from the data
  double level = 0.05;
  std::string method = methods::method_names().front();
  Index window = 300, window_step = 50;
  Index draws = 100;
  double block = 0;  ///< 0: chosen from the data
};

const Keys<NetworkSettings>& network_keys() {
  using S = NetworkSettings;
  static const auto keys = [] {
    Keys<S> all;
    all.group(series::series_keys("a simulated channel with known links, one of which changes its lag"), &S::series)
        .key(kDifference, &S::difference)
        .key(kMadeSteps, &S::made_steps)
        .key(kLongestLag, &S::longest_lag)
        .key(kRate, &S::level)
        .choice(methods::method_key(), &S::method)
        .key("windows.length", &S::window, Range::at_least(0), "steps", "rows of a window; 0: no windows")
        .key("windows.step", &S::window_step, Range::at_least(1), "steps", "rows from one window to the next")
        .key("bootstrap.draws", &S::draws, Range::between(0, 1e5), "", "bootstrap draws for the stability; 0: none")
        .key("bootstrap.block", &S::block, {0, 1e6, false, false}, "steps",
             "mean length of a block; 0: chosen from the data");
    return all;
  }();
  return keys;
}

std::shared_ptr<const datasets::series::SeriesTable> made_table(Index steps, const Random& random,
                                                                std::vector<std::string>& notes) {
  datasets::series::SeriesTable table;
  table.names = made_channel(kLagBefore).names;
  table.values =
      simulate_change(made_channel(kLagBefore), made_channel(kLagAfter), steps / 2, steps, random.stream("channel"));
  notes.emplace_back(
      "The series are simulated: a channel with known links. In the middle of the table the lag from dam to mill jumps "
      "from 3 to 6 steps.");
  return std::make_shared<const datasets::series::SeriesTable>(std::move(table));
}

class Network final : public series::SeriesExperiment<NetworkSettings, network_keys> {
 public:
  std::string_view name() const override { return "lag.network"; }
  std::string_view summary() const override {
    return "a network of series with lags on its edges, changes of the lags in time, and the stability of each link";
  }
  int result_version() const override { return 5; }

  void check_series(const NetworkSettings& asked, const Inputs& inputs) const override {
    series::refuse_uneven(asked.series, *series::opened_series(inputs));
  }

  void search(const NetworkSettings& asked, Inputs inputs, const Random& random, Results& results,
              Workbench& bench) const override {
    bench.progress(0);
    std::vector<std::string> notes;
    const std::shared_ptr<const datasets::series::SeriesTable> measured =
        asked.series.made() ? made_table(asked.made_steps, random, notes)
                            : series::table_of(asked.series, asked.difference, std::move(inputs), notes);
    NetworkFindings network(*measured);
    network.notes = std::move(notes);
    if (const MayWander walks = series::may_wander(*measured); !asked.series.made() && walks.holds())
      network.notes.insert(network.notes.begin(), walks.sentence());
    choose_lags(asked.longest_lag, network);
    network.settings.level = asked.level;
    const methods::MethodEntry& method = methods::method_of(asked.method);
    network.method = std::string(method.name);
    network.meaning = std::string(method.meaning);
    choose_windows(asked, network);
    const auto rows = static_cast<double>(network.table.steps());
    const double all = rows * (1 + static_cast<double>(asked.draws)) +
                       static_cast<double>(network.windows.size()) * static_cast<double>(asked.window);
    double searched = 0;
    const Searched done = [&](const datasets::series::SeriesTable& table) {
      bench.progress(std::min((searched += static_cast<double>(table.steps())) / all, 1.0));
    };
    network.whole = method.find(network.table, network.settings, random.stream("whole"));
    done(network.table);
    look_into_windows(method, random, network, done);
    draw(asked, method, random, network, done);
    write_network(network, results);
    if (asked.series.made()) examine(network, results);
  }

 private:
  /// The row of a change of known lags is off by a few steps: the difference of the sums over k rows has mean k r and
  /// deviation sqrt(2 k), r = 0.5 the correlation at the lag: 20 rows are a shift of 3 deviations at 72 %.
  static constexpr double kRowTolerance = 20;
  /// One false link beside five: a table whose links change is not what the tests assume, and the memory of the mill
  /// that follows another lag in each half is not the same as one memory with both.
  static constexpr double kFalseShare = 0.2;
  /// Of 100 draws a link that stands ten deviations out may miss a few.
  static constexpr double kStabilityTolerance = 0.05;

  static void choose_lags(Index most, NetworkFindings& network) {
    if (most > 0) {
      network.settings.lags = series::lag_set(concat("1-", most));
      return;
    }
    series::LagChoice choice = series::choose_lags(network.table);
    network.settings.lags = std::move(choice.lags);
    network.settings.lags_tried = choice.tried;
    network.notes.push_back(std::move(choice.reason));
  }

  using Searched = std::function<void(const datasets::series::SeriesTable&)>;

  static void choose_windows(const NetworkSettings& asked, NetworkFindings& network) {
    const Index length = asked.window;
    if (length == 0 || length >= network.table.steps()) return;
    require(length >= 2 * network.settings.lags.back() + 20, "lag.network: windows of ", length,
            " rows are too short for lags up to ", network.settings.lags.back(), "; they need ",
            2 * network.settings.lags.back() + 20, ". Set windows.length or lags.max.");
    network.windows = sliding_windows(network.table.steps(), length, asked.window_step);
  }

  static void look_into_windows(const methods::MethodEntry& method, const Random& random, NetworkFindings& network,
                                const Searched& done) {
    for (std::size_t w = 0; w < network.windows.size(); ++w) {
      const datasets::series::SeriesTable window = window_of(network.table, network.windows[w]);
      network.in_window.push_back(method.find(window, network.settings, random.stream(concat("window ", w))));
      done(window);
    }
  }

  /// Blocks as the most persistent series needs them, and not below the longest lag: each costs as many rows more.
  static void draw(const NetworkSettings& asked, const methods::MethodEntry& method, const Random& random,
                   NetworkFindings& network, const Searched& done) {
    network.block = asked.block;
    if (network.block < 1) {
      network.block = static_cast<double>(network.settings.lags.back());
      for (Index s = 0; s < network.table.series(); ++s) {
        const Vector<double> series = network.table.values.col(s);
        network.block = std::max(network.block, block_length(std::span(series.data(), series.size())));
      }
    }
    const Index reach = 2 * network.settings.lags.back();  // a cause at the longest lag has a past of its own
    for (Index d = 0; d < asked.draws; ++d) {
      const datasets::series::SeriesTable again =
          drawn_again(network.table, network.block, reach, random.stream("bootstrap"), d);
      network.draws.push_back(method.find(again, network.settings, random.stream(concat("draw ", d))));
      done(network.table);
    }
  }

  /// Against the links of the simulation.
  static void examine(const NetworkFindings& network, Results& results) {
    const std::vector<methods::Link> links = links_of_network(network);
    const std::vector<double> stability = shares_of_draws(links, network.draws);
    std::vector<datasets::simulated::LaggedLink> truth = made_channel(kLagBefore).links;
    truth.push_back({kDam, kMill, kLagAfter, 0});
    truth.erase(std::remove_if(truth.begin(), truth.end(),
                               [](const datasets::simulated::LaggedLink& t) { return t.driver == t.target; }),
                truth.end());
    double right = 0, found = 0, least = 1;
    for (std::size_t k = 0; k < links.size(); ++k) {
      const methods::Link& link = links[k];
      if (!link.counts) continue;
      found += 1;
      const bool is_true = std::any_of(truth.begin(), truth.end(), [&](const datasets::simulated::LaggedLink& t) {
        return t.driver == link.cause && t.target == link.effect && t.lag == link.lag;
      });
      right += is_true ? 1 : 0;
      if (is_true && !network.draws.empty()) least = std::min(least, stability[k]);
    }
    const std::string source = "the links of the simulation";
    results.check({"true_links", "number of true links that are significant in the whole table", source,
                   static_cast<double>(truth.size()), right, absolute(0)});
    results.check({"false_links", "share of false links among the significant ones", "Benjamini and Hochberg 1995", 0.0,
                   found > 0 ? 1 - right / found : kNan, absolute(kFalseShare)});
    if (!network.draws.empty())
      results.check(
          {"stable", "stability of the least stable true link", source, 1.0, least, absolute(kStabilityTolerance)});
    if (network.windows.size() < 4) return;
    double before = kNan, after = kNan, row = kNan, changes = 0;
    const auto values = [&](const char* name) { return view(results.data, name).values(); };
    const std::vector<double> all_before = values("lag_before");
    for (std::size_t p = 0; p < all_before.size(); ++p) {
      if (std::isnan(all_before[p])) continue;
      changes += 1;
      before = all_before[p];
      after = values("lag_after")[p];
      row = values("change_time")[p];
    }
    results.check({"changes", "pairs whose lag changes", source, 1.0, changes, absolute(0)});
    results.check({"lag_before", "lag before the change", source, kLagBefore, before, absolute(0)});
    results.check({"lag_after", "lag after the change", source, kLagAfter, after, absolute(0)});
    results.check({"time_of_change", "row at which the lag changes", source,
                   static_cast<double>(network.table.steps() / 2), row, absolute(kRowTolerance)});
  }
};

}  // namespace

std::unique_ptr<Experiment> make_network() { return std::make_unique<Network>(); }

}  // namespace fovea::lag::network
