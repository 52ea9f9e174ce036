#include "fovea/domains/opinion/fit/data.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>
#include <set>
#include <tuple>

#include "fovea/core/attention/fast/line_attention.hpp"
#include "fovea/core/base/error.hpp"
#include "fovea/core/base/moments.hpp"
#include "fovea/core/kernels/exponential.hpp"
#include "fovea/core/statistics/distributions/normal.hpp"
#include "fovea/datasets/votes/ideal_points.hpp"

namespace fovea::opinion::fit {

namespace {

struct Scenario {
  const char* name;
  double temperature, stubbornness, drift, growth;
};
constexpr double kDeaf = SimulatedTruth::kDeaf;
constexpr std::array kScenarios{Scenario{"own", 0, 0, 0, 0},
                                Scenario{"heaped", kDeaf, 0, 0, 0},
                                Scenario{"drifting", kDeaf, 0, 0.08, 0},
                                Scenario{"growing", kDeaf, 0, 0, 0.06},
                                Scenario{"reversed", kDeaf, 0, 0, 0},
                                Scenario{"resampled", kDeaf, 0, 0, 0},
                                Scenario{"averaging", 0.15, 0.1, 0, 0},
                                Scenario{"stubborn", 0.3, 0.4, 0, 0},
                                Scenario{"warm", 0.6, 0.2, 0, 0},
                                Scenario{"shifted", 0.15, 0.1, 0.05, 0},
                                Scenario{"spreading", 0.15, 0.1, 0, 0.05}};

/// The quantiles of each half.
std::vector<double> two_halves(const SimulatedTruth& truth) {
  const Index half = truth.agents / 2;
  std::vector<double> opinions;
  for (const double side : {-0.5, 0.5})
    for (Index i = 0; i < half; ++i) {
      const double z = normal_quantile((static_cast<double>(i) + 0.5) / static_cast<double>(half));
      opinions.push_back(side * truth.separation + truth.spread * z);
    }
  return opinions;
}

/// x <- m + e^g ((1 - s) A(x) + s x(0) - m) + v, in O(N).
class SimulatedCrowd {
 public:
  explicit SimulatedCrowd(const SimulatedTruth& truth)
      : truth_(truth), start_(two_halves(truth)), opinions_(start_), weights_(start_.size()), values_(start_.size()) {}

  const std::vector<double>& opinions() const { return opinions_; }

  void step() {
    attention_.gaussian_sums(opinions_, opinions_, opinions_, {}, truth_.temperature, weights_, values_);
    double mean = 0;
    for (const double opinion : opinions_) mean += opinion / static_cast<double>(opinions_.size());
    const double s = truth_.stubbornness, stretch = exponential(truth_.growth);
    for (std::size_t i = 0; i < opinions_.size(); ++i) {
      const double moved = (1 - s) * values_[i] / weights_[i] + s * start_[i];
      opinions_[i] = mean + truth_.drift + stretch * (moved - mean);
    }
  }

 private:
  const SimulatedTruth& truth_;
  LineAttention attention_;
  std::vector<double> start_, opinions_, weights_, values_;
};

/// The opinion at a place of the crowd, as a scenario without influence asks for it. gone: share of the periods; u: in
/// [0, 1), drawn.
double asked_opinion(const SimulatedTruth& truth, const std::vector<double>& crowd, std::uint64_t place, double gone,
                     double end, double u) {
  const bool late = gone >= 0.5;
  if (truth.scenario == "reversed") return (late ? -1 : 1) * crowd[place * 3 / 4];  // a lopsided crowd
  if (truth.scenario == "resampled" && late && u < 0.5) return crowd[(place + crowd.size()) / 2];
  if (truth.scenario == "heaped" && u < (1 - gone / 2) / 3) return -end;
  if (truth.scenario == "heaped" && u > 0.95 - 0.05 * gone) return end;
  return crowd[place];
}

}  // namespace

std::vector<std::string> scenario_names() {
  std::vector<std::string> names;
  for (const Scenario& scenario : kScenarios) names.emplace_back(scenario.name);
  return names;
}

SimulatedTruth with_scenario(SimulatedTruth truth) {
  for (const auto& [name, temperature, stubbornness, drift, growth] : kScenarios)
    if (truth.scenario == name && truth.scenario != "own")
      std::tie(truth.temperature, truth.stubbornness, truth.drift, truth.growth) =
          std::tie(temperature, stubbornness, drift, growth);
  return truth;
}

OpinionSeries simulated_series(const SimulatedTruth& truth, const Random& random) {
  const Random who = random.stream("sampled agents"), changes = random.stream("turnover"),
               errors = random.stream("errors"), scenario = random.stream("scenario");
  SimulatedCrowd crowd(truth);
  OpinionSeries series;
  const double end = truth.separation / 2 + 2 * truth.spread;
  if (truth.points > 1) series.grid = even_grid(-end, end, 2 * end / static_cast<double>(truth.points - 1));
  std::vector<std::uint64_t> place(truth.sample);
  std::vector<std::int64_t> person(place.size());
  std::int64_t persons = 0;
  for (Index t = 0; t < truth.periods; ++t) {
    for (Index k = 0; t > 0 && k < truth.steps_per_period; ++k) crowd.step();
    const auto period = static_cast<std::uint64_t>(t);
    std::vector<double> sample;
    for (std::uint64_t k = 0; k < place.size(); ++k) {
      if (t == 0 || changes.uniform(k, period) < truth.turnover) {
        place[k] = who.below(crowd.opinions().size(), k, period);
        person[k] = persons++;
      }
      const double gone = static_cast<double>(t) / static_cast<double>(truth.periods);
      const double opinion = asked_opinion(truth, crowd.opinions(), place[k], gone, end, scenario.uniform(k, period)) +
                             truth.noise * errors.normal(k, period);
      sample.push_back(series.grid.empty() ? opinion : series.grid.points[series.grid.nearest(opinion)]);
    }
    series.times.push_back(static_cast<double>(t));
    series.samples.push_back(std::move(sample));
    if (truth.turnover < 1) series.persons.push_back(person);
    series.stayed.push_back(t == 0 ? std::numeric_limits<double>::quiet_NaN() : 1 - truth.turnover);
  }
  return series;
}

OpinionSeries senate_series(const std::string& path, const std::string& chamber, std::int64_t first,
                            std::int64_t last) {
  const datasets::votes::IdealPoints* before = nullptr;
  std::map<std::string, std::int64_t> numbers;
  OpinionSeries series;
  const std::vector<datasets::votes::IdealPoints> all = datasets::votes::read_ideal_points(path, chamber);
  for (const datasets::votes::IdealPoints& points : all) {
    if (points.period < first || points.period > last) continue;
    series.times.push_back(static_cast<double>(points.year()));
    series.samples.push_back(points.positions);
    series.stayed.push_back(before ? datasets::votes::turnover(*before, points).stayed
                                   : std::numeric_limits<double>::quiet_NaN());
    before = &points;
    if (points.member_ids.empty()) continue;
    series.persons.emplace_back();
    for (const std::string& member : points.member_ids)
      series.persons.back().push_back(numbers.emplace(member, static_cast<std::int64_t>(numbers.size())).first->second);
  }
  if (series.times.size() < 2)
    throw DataError(concat(path, ": has ", series.times.size(), " periods from ", first, " to ", last, " of chamber '",
                           chamber, "'; at least 2 are needed."));
  series.grid = grid_of(series);
  return series;
}

SeriesScale scale_of(const OpinionSeries& series) {
  std::vector<double> all;
  for (const std::vector<double>& sample : series.samples) all.insert(all.end(), sample.begin(), sample.end());
  const Moments of = moments(all);
  return {of.mean, std::sqrt(of.variance)};
}

AnswerGrid even_grid(double low, double high, double step) {
  AnswerGrid grid;
  const auto last = static_cast<std::size_t>(std::ceil((high - low) / step - 1e-6));
  for (std::size_t k = 0; k <= last; ++k) grid.points.push_back(low + step * static_cast<double>(k));
  return grid;
}

AnswerGrid grid_of(const OpinionSeries& series) {
  constexpr std::size_t kMostValues = 101, kAnswersEach = 10, kMostPoints = 201;  // 0 to 100 is a scale too
  std::set<double> values;
  std::size_t answers = 0;
  for (const std::vector<double>& sample : series.samples)
    for (const double answer : sample) {
      ++answers;
      values.insert(answer);
      if (values.size() > kMostValues) return {};
    }
  if (values.size() < 2 || answers < kAnswersEach * values.size()) return {};
  const AnswerGrid chosen{{values.begin(), values.end()}};
  const double step = chosen.step(), low = chosen.points.front(), high = chosen.points.back();
  if ((high - low) / step > static_cast<double>(kMostPoints - 1)) return chosen;
  for (const double value : values)
    if (std::abs(std::remainder(value - low, step)) > 1e-6 * step) return chosen;
  return even_grid(low, high, step);
}

namespace {

constexpr double kNearlyWhole = 0.1;  // of a unit: months have 28 to 31 days, and fieldwork is not on one day

std::vector<double> differences(const std::vector<double>& times) {
  std::vector<double> gaps;
  for (std::size_t t = 1; t < times.size(); ++t) gaps.push_back(times[t] - times[t - 1]);
  return gaps;
}

std::vector<Index> whole_multiples(const std::vector<double>& gaps, double unit) {
  std::vector<Index> units;
  for (const double gap : gaps) units.push_back(std::max<Index>(1, std::llround(gap / unit)));
  return units;
}

double unit_of(const std::vector<double>& gaps, const std::vector<Index>& units) {
  return std::accumulate(gaps.begin(), gaps.end(), 0.0) /
         static_cast<double>(std::accumulate(units.begin(), units.end(), Index{0}));
}

bool nearly_whole(const std::vector<double>& gaps, const std::vector<Index>& units) {
  const double unit = unit_of(gaps, units);
  for (std::size_t k = 0; k < gaps.size(); ++k)
    if (!(std::abs(gaps[k] / unit - static_cast<double>(units[k])) <= kNearlyWhole)) return false;
  return true;
}

/// By the greatest common divisor; empty where they are not whole.
std::vector<Index> exact_multiples(const std::vector<double>& gaps) {
  std::int64_t unit = 0;
  for (const double gap : gaps) {
    if (gap != std::round(gap) || gap > 1e9) return {};
    unit = std::gcd(unit, static_cast<std::int64_t>(gap));
  }
  return whole_multiples(gaps, static_cast<double>(unit));
}

/// By the least gap, or the largest part of it that nearly divides all; else by a quarter of it.
std::vector<Index> near_multiples(const std::vector<double>& gaps) {
  constexpr int kMostParts = 12, kElse = 4;
  const double least = *std::min_element(gaps.begin(), gaps.end());
  for (int parts = 1; parts <= kMostParts; ++parts) {
    const std::vector<Index> units = whole_multiples(gaps, least / parts);
    const std::vector<Index> again = whole_multiples(gaps, unit_of(gaps, units));
    if (nearly_whole(gaps, again)) return again;
  }
  return whole_multiples(gaps, least / kElse);
}

}  // namespace

std::vector<Index> gaps_between(const std::vector<double>& times) {
  constexpr Index kLongest = 1000;
  const std::vector<double> gaps = differences(times);
  if (nearly_whole(gaps, std::vector<Index>(gaps.size(), 1))) return {};
  const auto is_short = [](const std::vector<Index>& units) {
    return !units.empty() && std::accumulate(units.begin(), units.end(), Index{0}) <= kLongest;
  };
  if (std::vector<Index> units = exact_multiples(gaps); is_short(units)) return units;
  if (std::vector<Index> units = near_multiples(gaps); is_short(units)) return units;
  return whole_multiples(gaps, (times.back() - times.front()) / static_cast<double>(kLongest));
}

}  // namespace fovea::opinion::fit
