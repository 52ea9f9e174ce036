#include "fovea/datasets/simulated/economies/simulated_panel.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/missing.hpp"

namespace fovea::datasets::simulated {

namespace {

using panels::PanelSeries;

/// A recession, or a turn of the leading series alone.
struct Episode {
  Index begin = 0, end = 0;  ///< months of the panel; end: the first behind it
  double depth = 1;
  bool is_recession = true;
};

/// How a series follows the cycle.
struct CycleSeries {
  const char* name;
  double level = 0;     ///< at first, or about which it moves
  double trend = 0;     ///< a month
  double swing = 0;     ///< what the cycle adds in an episode of depth 1: a month, or to the level
  Index lead = 0;       ///< months ahead of the beginning, before they are drawn about it
  Index exit = 0;       ///< months by which it ends ahead of the episode
  double noise = 0;     ///< standard deviation of its innovations
  double memory = 0;    ///< of the deviation from the level; series that grow have none
  int code = 1;         ///< of McCracken & Ng
  Index release = 1;    ///< months after its own
  double rounding = 0;  ///< 0: not rounded
};

constexpr Index kShortestLeading = 4;  // months: series that lead by so many have false turns too
constexpr Index kFirstCall = 24;       // months before a recession may begin
constexpr double kFalseTurns = 0.4;    // chance of one between two recessions

/// Their logarithms grow.
constexpr std::array kGrowing{CycleSeries{"PAYEMS", 52500, 0.0021, -0.0040, 0, 0, 0.0022, 0, 5, 1, 1},
                              CycleSeries{"INDPRO", 22, 0.0040, -0.0105, 0, 0, 0.0065, 0, 5, 1, 1e-4},
                              CycleSeries{"W875RX1", 2430, 0.0030, -0.0042, 0, 0, 0.0055, 0, 5, 1, 0.1},
                              CycleSeries{"CMRMTSPLx", 276700, 0.0033, -0.0095, 0, 0, 0.0100, 0, 5, 2, 1},
                              CycleSeries{"S&P 500", 55.6, 0.0110, -0.0240, 5, 4, 0.0330, 0, 5, 0, 0.01}};
/// Their logarithms move about a level.
constexpr std::array kLevelLogs{CycleSeries{"CLAIMSx", 320000, 0, 0.50, 1, 1, 0.050, 0.92, 5, 0, 1},
                                CycleSeries{"PERMIT", 1450, 0, -0.40, 7, 1, 0.055, 0.92, 4, 1, 1}};
/// They move about a level.
constexpr std::array kLevels{CycleSeries{"UMCSENTx", 90, 0, -14, 5, 2, 3.6, 0.88, 2, 0, 0.1},
                             CycleSeries{"AWHMAN", 40.7, 0, -0.8, 1, 1, 0.18, 0.92, 1, 1, 0.1}};
/// What rates are made of: a slow long rate, its spread over the short one and the two premia of companies.
constexpr CycleSeries kLongRate{"long rate", 5.5, 0, 0, 0, 0, 0.20, 0.995},
    kInversion{"inversion", 1.7, 0, -2.2, 12, 0, 0.22, 0.90}, kEasing{"easing", 0, 0, 0.4, 0, 0, 0, 0.90},
    kPremium{"premium", 0.9, 0, 0, 0, 0, 0.10, 0.90}, kQuality{"quality", 0.95, 0, 0.50, 1, 0, 0.10, 0.94},
    kUnemployment{"UNRATE", 4.4, 0, 0.24, 0, 0, 0.12, 0.985, 2, 1, 0.1};

double rounded(double value, double step) { return step > 0 ? step * std::round(value / step) : value; }

Index whole_between(const Random& random, Index low, Index high, std::uint64_t entity, std::uint64_t step) {
  return low + static_cast<Index>(random.below(static_cast<std::uint64_t>(high - low + 1), entity, step));
}

class PanelSimulation {
 public:
  PanelSimulation(const Random& random, const SimulatedPanelSettings& settings)
      : random_(random), settings_(settings), months_(static_cast<std::size_t>(settings.months)) {
    draw_episodes();
  }

  SimulatedPanel panel() {
    for (const CycleSeries& series : kGrowing) add(series, grown(series, pulse(series)));
    add(kUnemployment, unemployment());
    for (const CycleSeries& series : kLevelLogs) {
      std::vector<double> logs = moved(series, std::log(series.level), pulse(series));
      for (double& value : logs) value = std::exp(value);
      add(series, std::move(logs));
    }
    add_rates();
    for (const CycleSeries& series : kLevels) add(series, moved(series, series.level, pulse(series)));
    make_sentiment_quarterly();
    add_prices();
    found_.panel.source = "simulated panel", found_.panel.first_month = settings_.first_month;
    return std::move(found_);
  }

 private:
  void draw_episodes() {
    const Random draws = random_.stream("recessions");
    found_.recessions = {"simulated recessions", settings_.first_month, std::vector<double>(months_, 0.0), {}};
    const Index last = settings_.months + settings_.longest_cycle;  // one behind the end is led up to as well
    Index begin = kFirstCall + whole_between(draws, 0, settings_.shortest_cycle, 0, 0);
    for (std::uint64_t k = 0; begin < last; ++k) {
      const Index length = whole_between(draws, settings_.shortest_recession, settings_.longest_recession, k, 1);
      const Index next = begin + whole_between(draws, settings_.shortest_cycle, settings_.longest_cycle, k, 2);
      episodes_.push_back({begin, begin + length, 0.7 + 0.8 * draws.uniform(k, 3), true});
      for (Index t = begin; t < std::min(begin + length, settings_.months); ++t)
        found_.recessions.in[static_cast<std::size_t>(t)] = 1;
      const Index between = begin + length + (next - begin - length) / 2;
      if (draws.uniform(k, 4) < kFalseTurns) episodes_.push_back({between, between + 5, 0.6, false});
      begin = next;
    }
  }

  /// 0 in growth, the depth in episodes as this series shows them.
  std::vector<double> pulse(const CycleSeries& series, bool until_begin = false) const {
    const Random draws = random_.stream(std::string("leads of ") + series.name);
    std::vector<double> found(months_, 0.0);
    for (std::size_t k = 0; k < episodes_.size(); ++k) {
      const Episode& episode = episodes_[k];
      if (!episode.is_recession && series.lead < kShortestLeading) continue;
      const double stretch = 0.7 + 0.6 * draws.uniform(k);
      const Index from = episode.begin - std::lround(stretch * static_cast<double>(series.lead));
      const Index to = until_begin ? episode.begin : episode.end - series.exit;
      for (Index t = std::max<Index>(0, from); t < std::min(to, settings_.months); ++t)
        found[static_cast<std::size_t>(t)] += episode.depth;
    }
    return found;
  }

  std::vector<double> noise(const CycleSeries& series) const {
    std::vector<double> found(months_);
    random_.stream(series.name).normals(0, 0, found);
    for (double& value : found) value *= series.noise;
    return found;
  }

  std::vector<double> grown(const CycleSeries& series, const std::vector<double>& cycle) const {
    const std::vector<double> shocks = noise(series);
    std::vector<double> found(months_);
    double log = std::log(series.level);
    for (std::size_t t = 0; t < months_; ++t) {
      found[t] = std::exp(log);
      if (t + 1 < months_) log += series.trend + series.swing * cycle[t + 1] + shocks[t + 1];
    }
    return found;
  }

  /// An autoregression about the level and what the cycle adds to it.
  std::vector<double> moved(const CycleSeries& series, double level, const std::vector<double>& cycle) const {
    const std::vector<double> shocks = noise(series);
    std::vector<double> found(months_);
    double deviation = 0, smooth = 0;
    for (std::size_t t = 0; t < months_; ++t) {
      deviation = series.memory * deviation + shocks[t];
      smooth += (cycle[t] - smooth) / 3;  // a turn takes some months
      found[t] = level + series.swing * smooth + deviation;
    }
    return found;
  }

  std::vector<double> unemployment() const {
    const std::vector<double> cycle = pulse(kUnemployment), shocks = noise(kUnemployment);
    std::vector<double> found(months_);
    double rate = kUnemployment.level;
    for (std::size_t t = 0; t < months_; ++t) {
      const double away = kUnemployment.memory * (rate - kUnemployment.level);
      rate = std::max(2.5, kUnemployment.level + away + kUnemployment.swing * cycle[t] + shocks[t]);
      found[t] = rate;
    }
    return found;
  }

  void add_rates() {
    const auto part = [&](const CycleSeries& series, bool until_begin = false) {
      return moved(series, series.level, pulse(series, until_begin));
    };
    const std::vector<double> slow = part(kLongRate), inversion = part(kInversion, true), easing = part(kEasing);
    const std::vector<double> premium = part(kPremium), quality = part(kQuality);
    std::vector<double> ten_years(months_), bills(months_), funds(months_), aaa(months_), baa(months_);
    const Random overnight = random_.stream("FEDFUNDS");
    for (std::size_t t = 0; t < months_; ++t) {
      ten_years[t] = std::max(0.6, slow[t]);
      bills[t] = std::max(0.01, ten_years[t] - inversion[t] - easing[t]);
      funds[t] = std::max(0.05, bills[t] + 0.25 + 0.1 * overnight.normal(t));
      aaa[t] = ten_years[t] + std::max(0.2, premium[t]);
      baa[t] = aaa[t] + std::max(0.4, quality[t]);
    }
    const auto rate = [](const char* name) { return CycleSeries{name, 0, 0, 0, 0, 0, 0, 0, 2, 0, 0.01}; };
    add(rate("GS10"), std::move(ten_years)), add(rate("TB3MS"), std::move(bills));
    add(rate("FEDFUNDS"), std::move(funds)), add(rate("BAA"), std::move(baa)), add(rate("AAA"), std::move(aaa));
  }

  /// Months in which the oil price jumps: ahead of half of the recessions, and now and then without one.
  std::vector<double> oil_jumps() const {
    const Random draws = random_.stream("oil jumps");
    std::vector<double> jumps(months_, 0.0);
    for (std::size_t k = 0; k < episodes_.size(); ++k) {
      const bool jumps_here = draws.uniform(k) < (episodes_[k].is_recession ? 0.5 : 0.25);
      const Index month = episodes_[k].begin - whole_between(draws, 1, 9, k, 1);
      for (Index t = month; jumps_here && t < month + 3; ++t)  // three months in which it rises
        if (t >= 0 && t < settings_.months) jumps[static_cast<std::size_t>(t)] = 0.12 + 0.1 * draws.uniform(k, 2);
    }
    return jumps;
  }

  /// Oil, whose changes are a part of those of consumer prices.
  void add_prices() {
    constexpr double kOilNoise = 0.055, kOilBack = 0.01, kShareOfOil = 0.02;
    const Random oil_noise = random_.stream("OILPRICEx"), price_noise = random_.stream("CPIAUCSL");
    const std::vector<double> jumps = oil_jumps();
    std::vector<double> oil(months_), prices(months_);
    double log_oil = std::log(3.0), log_price = std::log(29.0), inflation = 0.003;
    for (std::size_t t = 0; t < months_; ++t) {
      const double usual = std::log(3.0) + 0.0035 * static_cast<double>(t);
      const double change = jumps[t] + kOilNoise * oil_noise.normal(t) - kOilBack * (log_oil - usual);
      log_oil += change;
      inflation = 0.003 + 0.97 * (inflation - 0.003) + 0.0004 * price_noise.normal(t, 1);
      log_price += inflation + kShareOfOil * change + 0.0015 * price_noise.normal(t);
      oil[t] = std::exp(log_oil), prices[t] = std::exp(log_price);
    }
    add({"OILPRICEx", 0, 0, 0, 0, 0, 0, 0, 6, 0, 0.01}, std::move(oil));
    add({"CPIAUCSL", 0, 0, 0, 0, 0, 0, 0, 6, 1, 1e-3}, std::move(prices));
  }

  /// Rounds it and empties what is not yet released at the end of the last month.
  void add(const CycleSeries& series, std::vector<double> values) {
    for (double& value : values) value = rounded(value, series.rounding);
    std::fill(values.end() - series.release, values.end(), kNan);
    found_.panel.series.push_back({series.name, series.code, std::move(values)});
  }

  /// As surveys of consumers were until 1977: in the second month of each quarter.
  void make_sentiment_quarterly() {
    for (PanelSeries& series : found_.panel.series)
      for (Index t = 0; series.name == "UMCSENTx" && t < settings_.months; ++t)
        if (const Index month = settings_.first_month + t; month < 12 * 1978 && month % 3 != 1)
          series.values[static_cast<std::size_t>(t)] = kNan;
  }

  const Random& random_;
  SimulatedPanelSettings settings_;
  std::size_t months_;
  std::vector<Episode> episodes_;
  SimulatedPanel found_;
};

}  // namespace

SimulatedPanel simulated_panel(const Random& random, const SimulatedPanelSettings& settings) {
  require(settings.months >= 120, "simulated panel: it has ", settings.months, " months; it takes 120 at least.");
  require(1 <= settings.shortest_recession && settings.shortest_recession <= settings.longest_recession &&
              settings.longest_recession < settings.shortest_cycle && settings.shortest_cycle <= settings.longest_cycle,
          "simulated panel: recessions of ", settings.shortest_recession, " to ", settings.longest_recession,
          " months must be shorter than the cycles of ", settings.shortest_cycle, " to ", settings.longest_cycle,
          " months.");
  return PanelSimulation(random, settings).panel();
}

}  // namespace fovea::datasets::simulated
