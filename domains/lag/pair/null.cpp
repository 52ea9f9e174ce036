#include "fovea/domains/lag/pair/null.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "fovea/core/base/moments.hpp"
#include "fovea/core/data/least_value.hpp"
#include "fovea/core/kernels/exponential.hpp"
#include "fovea/datasets/simulated/light_curves.hpp"

namespace fovea::lag::pair {

namespace {

constexpr int kLagsOfTest = 180;

/// Noise with the curve's errors and a further one.
void add_noise(const ScaledCurve& curve, double log_further_error, const Random& random, std::vector<double>& walk) {
  const double further = curve.typical_error * exponential(log_further_error);
  for (std::size_t i = 0; i < walk.size(); ++i)
    walk[i] += std::sqrt(curve.variance[i] + further * further) * random.normal(i);
}

/// A walk of this width and these numbers at the curve's moments, measured with its errors.
std::vector<double> walk_like(const ScaledCurve& curve, double width, const WalkNumbers& numbers,
                              const Random& random) {
  std::vector<double> walk = datasets::simulated::smoothed_random_walk(curve.time, width, exponential(numbers.log_time),
                                                                       random.stream("walk"));
  for (double& value : walk) value *= exponential(numbers.log_deviation);
  add_noise(curve, numbers.log_driver_error, random.stream("noise"), walk);
  return walk;
}

/// What two curves may be as two walks, the second one smoothed as an echo would be.
struct TwoWalks {
  WalkNumbers driver, response;
  std::size_t width = 0;  ///< place among the widths
};

/// A walk of Metropolis et al. 1953 through their posterior, every 12th step. The best numbers alone would make the
/// drawn pairs too much alike. Both have one damping time: one walk must explain both, so unrelated curves of one kind
/// are taken for related most easily.
std::vector<TwoWalks> likely_walks(PairModel& model, const std::vector<double>& widths, const LagPosterior& posterior,
                                   int draws, const Random& random) {
  constexpr int kSteps = 12;
  const auto height = [&](const TwoWalks& both) {
    WalkNumbers numbers = both.driver;
    numbers.log_scale = both.response.log_deviation;
    numbers.log_response_error = both.response.log_driver_error;
    return model.driver_likelihood(both.driver) + model.response_likelihood(widths[both.width], both.response) +
           model.log_prior(numbers);
  };
  TwoWalks now{posterior.driver.numbers, posterior.response.numbers, 0};
  now.driver.log_time = now.response.log_time = (now.driver.log_time + now.response.log_time) / 2;
  double height_now = height(now);
  std::vector<TwoWalks> drawn;
  for (int step = 1; step <= kSteps * draws; ++step) {
    const auto number = static_cast<std::uint64_t>(step);
    TwoWalks next = now;
    next.driver.log_time += 0.4 * random.normal(number, 0);
    next.response.log_time = next.driver.log_time;
    next.driver.log_deviation += 0.2 * random.normal(number, 1);
    next.response.log_deviation += 0.2 * random.normal(number, 2);
    next.driver.log_driver_error += 0.4 * random.normal(number, 3);
    next.response.log_driver_error += 0.4 * random.normal(number, 4);
    const std::uint64_t move = random.below(4, number, 6);  // half of the steps leave the width
    if (move == 0 && next.width > 0) --next.width;
    if (move == 1 && next.width + 1 < widths.size()) ++next.width;
    const double height_next = height(next);
    if (random.uniform(number, 5) < exponential(std::min(0.0, height_next - height_now))) {
      now = next;
      height_now = height_next;
    }
    if (step % kSteps == 0) drawn.push_back(now);
  }
  return drawn;
}

/// The statistic of any values at the moments of a pair. Everything is searched for anew for each pair, drawn or not,
/// by the same steps, so that the drawn ones tell what the measured one would be without a relation.
class RelationTest {
 public:
  RelationTest(const ScaledCurve& driver, const ScaledCurve& response, Interval range, int trend)
      : driver_(driver), response_(response), trend_(trend) {
    step_ = (range.high - range.low) / kLagsOfTest;
    for (int i = 0; i < kLagsOfTest; ++i) {
      const double lag = range.low + step_ * (i + 0.5);
      const double overlap = overlap_at(lag, driver, response);
      if (overlap > kLeastOverlapOfTest) lags_.push_back({lag, 2 * logarithm(overlap)});
    }
    const std::vector<double> nodes = width_nodes(response, range.high - range.low);
    widths_ = {nodes[0], nodes[3]};
  }

  double statistic(const std::vector<double>& driver, const std::vector<double>& response) const {
    ScaledCurve x = driver_, y = response_;
    x.value = driver;
    y.value = response;
    PairModel model(x, y, trend_);
    const PairModel::Alone of_x = model.driver_alone();
    PairModel::Alone of_y = model.response_alone(widths_[0]);
    for (std::size_t w = 1; w < widths_.size(); ++w) {
      const PairModel::Alone smoothed = model.response_alone(widths_[w]);
      if (smoothed.log_likelihood > of_y.log_likelihood) of_y = smoothed;
    }
    double best = -kNever;
    for (const Place& place : best_places(model, of_x.numbers, of_y.numbers)) {
      const WalkNumbers fitted = model.fitted(place.lag, {place.width}, place.numbers, kEvaluations);
      best = std::max(
          best, model.log_likelihood(place.lag, {place.width}, fitted) + model.log_prior(fitted) + place.log_overlap);
    }
    return best - of_x.log_likelihood - of_y.log_likelihood;
  }

 private:
  static constexpr double kNever = std::numeric_limits<double>::infinity();
  static constexpr double kLeastOverlapOfTest = 0.1;  // with fewer points there is nothing to compare
  static constexpr std::size_t kCandidates = 4;
  static constexpr int kEvaluations = 100;  // of a fit
  struct TestedLag {
    double lag, log_overlap;
  };
  struct Place {
    double lag, width, log_overlap, height;
    WalkNumbers numbers;
  };

  /// The best lag and width with the damping time of the driver, and with that of the response.
  std::vector<Place> best_places(PairModel& model, const WalkNumbers& of_x, const WalkNumbers& of_y) const {
    std::vector<Place> places;
    for (const WalkNumbers* of : {&of_x, &of_y}) {
      WalkNumbers shared = *of;
      shared.log_scale = 0;
      shared.log_driver_error = of_x.log_driver_error;
      shared.log_response_error = of_y.log_driver_error;
      Place top{0, 0, 0, -kNever, shared};
      for (const Place& candidate : candidates(model, shared)) improve(model, candidate, top);
      if (top.height > -kNever) places.push_back(top);
    }
    return places;
  }

  /// The best few of the lags that are looked at first, no two of them neighbours.
  std::vector<Place> candidates(PairModel& model, const WalkNumbers& shared) const {
    std::vector<Place> all, chosen;
    for (const TestedLag& tested : lags_)
      for (const double width : widths_)
        all.push_back({tested.lag, width, tested.log_overlap,
                       model.log_likelihood(tested.lag, {width}, shared) + tested.log_overlap, shared});
    std::stable_sort(all.begin(), all.end(), [](const Place& a, const Place& b) { return a.height > b.height; });
    for (const Place& place : all) {
      const bool apart = std::none_of(chosen.begin(), chosen.end(), [&](const Place& other) {
        return std::abs(other.lag - place.lag) < 1.5 * step_;
      });
      if (apart) chosen.push_back(place);
      if (chosen.size() == kCandidates) break;
    }
    return chosen;
  }

  /// Lags between the candidate and its neighbours: a peak can be narrower than the distance of the lags tested.
  void improve(PairModel& model, const Place& candidate, Place& top) const {
    constexpr int kParts = 5;
    for (int part = -kParts + 1; part < kParts; ++part) {
      Place place = candidate;
      place.lag += step_ * part / kParts;
      place.height = model.log_likelihood(place.lag, {place.width}, place.numbers) + place.log_overlap;
      if (place.height > top.height) top = place;
    }
  }

  const ScaledCurve& driver_;
  const ScaledCurve& response_;
  int trend_;
  double step_ = 0;
  std::vector<TestedLag> lags_;
  std::vector<double> widths_;
};

}  // namespace

std::vector<UnrelatedPair> unrelated_pairs(const ScaledCurve& driver, const ScaledCurve& response, Interval range,
                                           const LagPosterior& posterior, int trend, int draws, const Random& random) {
  PairModel model(driver, response, trend);
  const std::vector<double> widths = width_nodes(response, range.high - range.low);
  const std::vector<TwoWalks> walks = likely_walks(model, widths, posterior, draws, random.stream("numbers"));
  std::vector<UnrelatedPair> pairs;
  for (std::size_t draw = 0; draw < walks.size(); ++draw) {
    const Random of_draw = random.stream(std::to_string(draw));
    pairs.push_back({walk_like(driver, 0, walks[draw].driver, of_draw.stream("driver")),
                     walk_like(response, widths[walks[draw].width], walks[draw].response, of_draw.stream("response"))});
  }
  return pairs;
}

FalseAlarm false_alarm(const ScaledCurve& driver, const ScaledCurve& response, Interval range, int trend,
                       const std::vector<UnrelatedPair>& unrelated, const Told& told) {
  const RelationTest test(driver, response, range, trend);
  FalseAlarm found;
  found.statistic = test.statistic(driver.value, response.value);
  found.drawn.resize(unrelated.size());
  const auto draws = static_cast<std::ptrdiff_t>(unrelated.size());
  std::ptrdiff_t finished = 0;
#pragma omp parallel for schedule(dynamic)
  for (std::ptrdiff_t draw = 0; draw < draws; ++draw) {
    const UnrelatedPair& pair = unrelated[draw];
    found.drawn[draw] = test.statistic(pair.driver, pair.response);
    if (!told) continue;
#pragma omp critical(false_alarm_progress)
    told(static_cast<double>(++finished) / static_cast<double>(draws));
  }
  const auto as_large =
      std::count_if(found.drawn.begin(), found.drawn.end(), [&](double drawn) { return !(drawn < found.statistic); });
  found.probability = drawn_p(static_cast<std::size_t>(as_large), static_cast<std::size_t>(draws));
  return found;
}

NullBand attention_null_band(const AttentionProfile& profile, const std::vector<double>& lags,
                             const std::vector<UnrelatedPair>& unrelated) {
  std::vector<std::vector<double>> profiles(unrelated.size());
  const auto draws = static_cast<std::ptrdiff_t>(unrelated.size());
#pragma omp parallel for schedule(static)
  for (std::ptrdiff_t draw = 0; draw < draws; ++draw) {
    const UnrelatedPair& pair = unrelated[draw];
    profiles[draw] = profile.correlations(lags, pair.driver, pair.response);
  }
  NullBand band;
  for (std::size_t i = 0; i < lags.size(); ++i) {
    std::vector<double> known;
    for (const std::vector<double>& one : profiles)
      if (!std::isnan(one[i])) known.push_back(one[i]);
    std::sort(known.begin(), known.end());
    const bool enough = known.size() >= 19;
    band.low.push_back(enough ? sorted_quantile(known, 0.025) : std::numeric_limits<double>::quiet_NaN());
    band.high.push_back(enough ? sorted_quantile(known, 0.975) : std::numeric_limits<double>::quiet_NaN());
  }
  return band;
}

}  // namespace fovea::lag::pair
