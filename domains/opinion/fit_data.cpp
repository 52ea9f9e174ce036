#include "fovea/domains/opinion/fit_data.hpp"

#include <cmath>
#include <limits>
#include <map>

#include "fovea/core/attention/attend.hpp"
#include "fovea/core/attention/kernels/exponential.hpp"
#include "fovea/core/attention/modifiers.hpp"
#include "fovea/core/attention/scores.hpp"
#include "fovea/core/error.hpp"
#include "fovea/core/statistics/moments.hpp"
#include "fovea/core/statistics/normal.hpp"
#include "fovea/datasets/ideal_points.hpp"

namespace fovea::opinion {

namespace {

Matrix<double> two_halves(const SimulatedTruth& truth) {
  const Index half = truth.agents / 2;
  Matrix<double> opinions(2 * half, 1);
  for (Index i = 0; i < half; ++i) {
    const double z = normal_quantile((static_cast<double>(i) + 0.5) / static_cast<double>(half));
    opinions(i, 0) = -truth.separation / 2 + truth.spread * z;
    opinions(half + i, 0) = truth.separation / 2 + truth.spread * z;
  }
  return opinions;
}

/// x <- m + e^g ((1 - s) A(x) + s x(0) - m) + v, all pairs by the engine.
Matrix<double> simulated_step(const Matrix<double>& opinions, const Matrix<double>& start,
                              const SimulatedTruth& truth) {
  AttentionSpec<double> spec;
  spec.score = {gaussian_score<double>(), {}};
  spec.modifiers = {{temperature<double>(), {logarithm(truth.temperature)}}};
  const double mean = opinions.mean(), stretch = exponential(truth.growth);
  Matrix<double> next = (1 - truth.stubbornness) * attend<double>(opinions, opinions, opinions, spec).outputs;
  next += truth.stubbornness * start;
  next.array() = (next.array() - mean) * stretch + mean + truth.drift;
  return next;
}

}  // namespace

OpinionSeries simulated_series(const SimulatedTruth& truth, const Random& random) {
  const Matrix<double> start = two_halves(truth);
  const Random who = random.stream("sampled agents"), changes = random.stream("turnover"),
               errors = random.stream("errors");
  Matrix<double> opinions = start;
  OpinionSeries series;
  std::vector<std::uint64_t> place(static_cast<std::size_t>(truth.sample));
  std::vector<std::int64_t> person(place.size());
  std::int64_t persons = 0;
  for (Index t = 0; t < truth.periods; ++t) {
    for (Index k = 0; t > 0 && k < truth.steps_per_period; ++k) opinions = simulated_step(opinions, start, truth);
    const auto period = static_cast<std::uint64_t>(t);
    std::vector<double> sample;
    for (std::uint64_t k = 0; k < place.size(); ++k) {
      if (t == 0 || changes.uniform(k, period) < truth.turnover) {
        place[k] = who.below(static_cast<std::uint64_t>(opinions.rows()), k, period);
        person[k] = persons++;
      }
      sample.push_back(opinions(static_cast<Index>(place[k]), 0) + truth.noise * errors.normal(k, period));
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
  const IdealPoints* before = nullptr;
  std::map<std::string, std::int64_t> numbers;
  OpinionSeries series;
  const std::vector<IdealPoints> all = read_ideal_points(path, chamber);
  for (const IdealPoints& points : all) {
    if (points.period < first || points.period > last) continue;
    series.times.push_back(static_cast<double>(points.year()));
    series.samples.push_back(points.positions);
    series.stayed.push_back(before ? turnover(*before, points).stayed : std::numeric_limits<double>::quiet_NaN());
    before = &points;
    if (points.member_ids.empty()) continue;
    series.persons.emplace_back();
    for (const std::string& member : points.member_ids)
      series.persons.back().push_back(numbers.emplace(member, static_cast<std::int64_t>(numbers.size())).first->second);
  }
  if (series.times.size() < 2)
    throw DataError(concat(path, ": has ", series.times.size(), " periods from ", first, " to ", last, " of chamber '",
                           chamber, "'; at least 2 are needed."));
  return series;
}

SeriesScale scale_of(const OpinionSeries& series) {
  std::vector<double> all;
  for (const std::vector<double>& sample : series.samples) all.insert(all.end(), sample.begin(), sample.end());
  const Moments of = moments(all);
  return {of.mean, std::sqrt(of.variance)};
}

}  // namespace fovea::opinion
