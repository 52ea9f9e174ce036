#include "fovea/domains/ehr/alarms/alarms.hpp"

#include <algorithm>
#include <cmath>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/missing.hpp"
#include "fovea/core/base/moments.hpp"
#include "fovea/core/base/parallel.hpp"

namespace fovea::ehr::alarms {

namespace {

constexpr Index kCandidates = 512;

/// Calls alarm(hour) for each.
template <typename Alarm>
void for_each_alarm(std::span<const double> hours, const double* risks, Index count, double threshold,
                    double refractory, const Alarm& alarm) {
  bool above = false;
  double last = -INFINITY;
  for (Index k = 0; k < count; ++k) {
    const double hour = hours[k];
    const bool now = risks[k] >= threshold;
    if (now && !above && hour - last >= refractory) {
      alarm(hour);
      last = hour;
    }
    above = now;
  }
}

StayAlarms alarms_of_stay(const Watch& watch, const Matrix<double>& risks, Index stay, double threshold) {
  StayAlarms found{0, kNan};
  for_each_alarm(watch.hours, &risks(stay, 0), watch.watched[stay], threshold, watch.refractory, [&](double hour) {
    if (found.count++ == 0) found.first = hour;
  });
  return found;
}

double rate_of(const Watch& watch, const Matrix<double>& risks, const std::vector<Index>& stays, double threshold) {
  double alarms = 0, days = 0;
  for (const Index stay : stays) {
    alarms += static_cast<double>(alarms_of_stay(watch, risks, stay, threshold).count);
    days += watch.days(stay);
  }
  return days > 0 ? alarms / days : 0;
}

/// Descending, each once.
std::vector<double> candidates_of(const Watch& watch, const Matrix<double>& risks, const std::vector<Index>& stays) {
  std::vector<double> all;
  for (const Index stay : stays)
    for (Index k = 0; k < watch.watched[stay]; ++k) all.push_back(risks(stay, k));
  std::sort(all.begin(), all.end(), std::greater<>());
  std::vector<double> some;
  for (Index k = 0; k < kCandidates && !all.empty(); ++k) some.push_back(all[k * all.size() / kCandidates]);
  some.erase(std::unique(some.begin(), some.end()), some.end());
  return some;
}

std::vector<Index> stays_outside(const Watch& watch, Index fold) {
  std::vector<Index> stays;
  for (Index stay = 0; stay < watch.count(); ++stay)
    if (watch.folds[stay] != fold) stays.push_back(stay);
  return stays;
}

/// candidates descend, rates are theirs.
double threshold_for(const std::vector<double>& candidates, const std::vector<double>& rates, double wanted) {
  const auto over = std::find_if(rates.begin(), rates.end(), [&](double rate) { return rate > wanted; });
  if (over == rates.begin()) return std::nextafter(candidates.front(), INFINITY);
  const auto place = over == rates.end() ? std::max_element(rates.begin(), rates.end()) : over - 1;
  return candidates[place - rates.begin()];
}

}  // namespace

std::vector<double> alarm_hours(std::span<const double> hours, std::span<const double> risks, double threshold,
                                double refractory) {
  require(hours.size() == risks.size(), "alarm_hours: there are ", hours.size(), " hours and ", risks.size(),
          " risks; as many are needed.");
  std::vector<double> found;
  for_each_alarm(hours, risks.data(), static_cast<Index>(hours.size()), threshold, refractory,
                 [&](double hour) { found.push_back(hour); });
  return found;
}

double Watch::days(Index stay) const {
  const Index count = watched[stay];
  return count > 0 ? hours[count - 1] / 24 : 0;
}

Index watched_hours(std::span<const double> hours, double death) {
  if (std::isnan(death)) return static_cast<Index>(hours.size());
  return std::upper_bound(hours.begin(), hours.end(), death) - hours.begin();
}

std::vector<StayAlarms> alarms_of(const Watch& watch, const Matrix<double>& risks, std::span<const double> thresholds) {
  std::vector<StayAlarms> found;
  for (Index stay = 0; stay < watch.count(); ++stay) {
    const std::size_t fold = watch.folds[stay];
    found.push_back(alarms_of_stay(watch, risks, stay, thresholds[fold]));
  }
  return found;
}

std::vector<std::vector<double>> thresholds_for(const Watch& watch, const Matrix<double>& risks,
                                                std::span<const double> wanted) {
  const Index folds = watch.folds.empty() ? 0 : 1 + *std::max_element(watch.folds.begin(), watch.folds.end());
  std::vector<std::vector<double>> thresholds(wanted.size(), std::vector<double>(folds));
  for (Index fold = 0; fold < folds; ++fold) {
    const std::vector<Index> others = stays_outside(watch, fold);
    const std::vector<double> candidates = candidates_of(watch, risks, others);
    require(!candidates.empty(), "thresholds_for: no stay outside fold ", fold + 1, " is watched.");
    std::vector<double> rates(candidates.size());
    for_each_task(static_cast<Index>(candidates.size()), true,
                  [&](Index k) { rates[k] = rate_of(watch, risks, others, candidates[k]); });
    for (std::size_t w = 0; w < wanted.size(); ++w) thresholds[w][fold] = threshold_for(candidates, rates, wanted[w]);
  }
  return thresholds;
}

AlarmScores alarm_scores(const Watch& watch, std::span<const StayAlarms> alarms, std::span<const double> weights) {
  double days = 0, count = 0, right = 0, ill = 0;
  AlarmScores scores;
  std::vector<double> leads;
  for (Index stay = 0; stay < watch.count(); ++stay) {
    const std::size_t s = stay;
    const double weight = weights[s], alarms_here = weight * static_cast<double>(alarms[s].count);
    days += weight * watch.days(stay);
    ill += weight * watch.outcomes[s];
    count += alarms_here;
    right += alarms_here * watch.outcomes[s];
    if (alarms[s].count == 0) continue;
    scores.alarmed += weight;
    scores.alarmed_ill += weight * watch.outcomes[s];
    if (watch.outcomes[s] == 1 && !std::isnan(watch.death[s]))
      leads.insert(leads.end(), static_cast<std::size_t>(weight), watch.death[s] - alarms[s].first);
  }
  const auto share = [](double part, double whole) { return whole > 0 ? part / whole : kNan; };
  scores.missed = ill - scores.alarmed_ill;
  scores.rate = share(count, days);
  scores.sensitivity = share(scores.alarmed_ill, ill);
  scores.by_alarm = share(right, count);
  scores.by_stay = share(scores.alarmed_ill, scores.alarmed);
  scores.led = static_cast<double>(leads.size());
  std::sort(leads.begin(), leads.end());
  const auto quantile = [&](double q) { return leads.empty() ? kNan : sorted_quantile(leads, q); };
  scores.lead = quantile(0.5);
  scores.lead_low = quantile(0.25);
  scores.lead_high = quantile(0.75);
  return scores;
}

AlarmScores without_small_cells(AlarmScores scores, double least) {
  if (scores.alarmed_ill < least || scores.alarmed - scores.alarmed_ill < least)
    scores.sensitivity = scores.by_alarm = scores.by_stay = kNan;
  if (scores.missed > 0 && scores.missed < least) scores.sensitivity = kNan;
  if (scores.led < 2 * least) scores.lead = kNan;
  if (scores.led < 4 * least) scores.lead_low = scores.lead_high = kNan;
  return scores;
}

std::vector<double> drawn_weights(std::span<const Index> groups, const Random& random, Index draw) {
  const auto count =
      static_cast<std::uint64_t>(groups.empty() ? 0 : 1 + *std::max_element(groups.begin(), groups.end()));
  std::vector<double> times(count, 0.0), weights;
  for (std::uint64_t k = 0; k < count; ++k) ++times[random.below(count, k, static_cast<std::uint64_t>(draw))];
  for (const Index group : groups) weights.push_back(times[group]);
  return weights;
}

}  // namespace fovea::ehr::alarms
