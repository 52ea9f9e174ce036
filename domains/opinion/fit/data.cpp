#include "fovea/domains/opinion/fit/data.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>
#include <set>

#include "fovea/core/attention/fast/line_attention.hpp"
#include "fovea/core/base/error.hpp"
#include "fovea/core/base/moments.hpp"
#include "fovea/core/kernels/exponential.hpp"
#include "fovea/core/statistics/distributions/normal.hpp"
#include "fovea/datasets/votes/ideal_points.hpp"

namespace fovea::opinion::fit {

namespace {

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

}  // namespace

OpinionSeries simulated_series(const SimulatedTruth& truth, const Random& random) {
  const Random who = random.stream("sampled agents"), changes = random.stream("turnover"),
               errors = random.stream("errors");
  SimulatedCrowd crowd(truth);
  OpinionSeries series;
  const double end = truth.separation / 2 + 2 * truth.spread;
  if (truth.points > 1) series.grid = even_grid(-end, end, 2 * end / static_cast<double>(truth.points - 1));
  std::vector<std::uint64_t> place(static_cast<std::size_t>(truth.sample));
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
      const double opinion = crowd.opinions()[place[k]] + truth.noise * errors.normal(k, period);
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

std::vector<Index> gaps_between(const std::vector<double>& times) {
  constexpr double kLongest = 1000;
  std::int64_t unit = 0;
  std::vector<std::int64_t> gaps;
  for (std::size_t t = 1; t < times.size(); ++t) {
    const double gap = times[t] - times[t - 1];
    if (gap != std::round(gap) || gap > 1e9) return {};
    gaps.push_back(static_cast<std::int64_t>(gap));
    unit = std::gcd(unit, gaps.back());
  }
  std::vector<Index> units;
  for (const std::int64_t gap : gaps) units.push_back(gap / unit);
  const bool alike = std::all_of(units.begin(), units.end(), [&](Index gap) { return gap == units.front(); });
  if (alike || (times.back() - times.front()) / static_cast<double>(unit) > kLongest) return {};
  return units;
}

}  // namespace fovea::opinion::fit
