#include "fovea/core/study/hazards/hazard_target.hpp"

#include <algorithm>
#include <cmath>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/missing.hpp"
#include "fovea/core/kernels/exponential.hpp"
#include "fovea/core/learning/training/ensemble.hpp"
#include "fovea/core/statistics/survival/aalen_johansen.hpp"

namespace fovea::study {

Index intervals_of(const Target& target) { return static_cast<Index>(target.edges.size()) - 1; }

Index ends_of(const Target& target) { return static_cast<Index>(target.classes.size()); }

Index incidence_column(const Target& target, Index interval, Index end) { return interval * ends_of(target) + end - 1; }

namespace {

/// The next edge, where a time is in the later half of an interval.
double rounded_up(const Target& target, double time) {
  const std::vector<double>& edges = target.edges;
  const auto next = std::upper_bound(edges.begin(), edges.end(), time);
  if (next == edges.begin() || next == edges.end()) return time;
  return time > (*(next - 1) + *next) / 2 ? *next : time;
}

constexpr double kPlaces = 1 << 30;  // in an interval: a code and its place fit into a double

/// In [0, 1] to the next of the places; an end or the ends of the range may be left out.
double to_place(double share, double lowest, double highest) {
  return std::clamp(std::round(share * kPlaces), lowest, kPlaces - highest) / kPlaces;
}

/// Behind the last edge lies, in halves of [0, 1), who was censored in the later half of the last interval, and who was
/// seen later still, by end: there the code says neither when nor how.
double place_beyond(const Target& target, double time, Index end) {
  const double horizon = target.edges.back(), width = static_cast<double>(ends_of(target) + 1);
  const double beyond = to_place((time - horizon) / time, 1, 1);
  return 0.5 + (static_cast<double>(end) + beyond) / (2 * width);
}

/// When in its interval an end or a censoring came.
double place_of(const Target& target, double time, Index end, Index survived) {
  const std::vector<double>& edges = target.edges;
  if (time > edges.back()) return place_beyond(target, time, end);
  const auto next = std::lower_bound(edges.begin() + 1, edges.end(), time);
  const double share = (time - *(next - 1)) / (*next - *(next - 1));
  if (end > 0) return 1 - to_place(share, 1, 0);
  const bool later = survived > next - edges.begin() - 1;
  if (survived == intervals_of(target)) return (1 - to_place(share, kPlaces / 2 + 1, 0)) / 2;
  if (time >= *next) return 0;
  return later ? to_place(share, kPlaces / 2 + 1, 1) : std::min(0.5, to_place(std::max(0.0, share), 0, 1));
}

/// The inverse: on the scale of exact_ends(); `end` becomes that which came beyond the last edge.
double exact_time(const Target& target, Index survived, double place, Index& end) {
  const auto whole = static_cast<double>(survived);
  if (end > 0) return whole + (1 - place);
  if (survived < intervals_of(target)) return place > 0.5 ? whole - 1 + place : whole + place;
  if (place < 0.5) return whole - 2 * place;
  const double width = static_cast<double>(ends_of(target) + 1);
  const double parts = (2 * place - 1) * width, which = std::floor(parts + 0.25 / kPlaces);
  end = static_cast<Index>(which);
  return whole + to_place(parts - which, 1, 1);
}

}  // namespace

std::vector<double> hazard_codes(const Target& target, std::span<const double> times, std::span<const double> ends) {
  require(times.size() == ends.size(), "hazard_codes: there are ", times.size(), " times and ", ends.size(),
          " ends; as many are needed.");
  const Index most = ends_of(target);
  std::vector<double> known_times;
  std::vector<Index> known_ends;
  for (std::size_t i = 0; i < times.size(); ++i) {
    if (std::isnan(times[i]) || std::isnan(ends[i])) continue;
    require(ends[i] >= 0 && ends[i] <= static_cast<double>(most) && ends[i] == std::floor(ends[i]),
            "hazard_codes: an end is ", ends[i], ", but must be a whole number in [0, ", most, "].");
    known_times.push_back(ends[i] == 0 ? rounded_up(target, times[i]) : times[i]);
    known_ends.push_back(static_cast<Index>(ends[i]));
  }
  const learning::HazardTargets seen = learning::hazard_targets(known_times, known_ends, target.edges);
  std::vector<double> codes(times.size(), kNan);
  std::size_t next = 0;
  for (std::size_t i = 0; i < times.size(); ++i) {
    if (std::isnan(times[i]) || std::isnan(ends[i])) continue;
    codes[i] = static_cast<double>(seen.survived[next] * (most + 1) + seen.ends[next]) +
               place_of(target, times[i], static_cast<Index>(ends[i]), seen.survived[next]);
    ++next;
  }
  return codes;
}

learning::HazardTargets hazards_of_codes(const Target& target, std::span<const double> codes) {
  const Index width = ends_of(target) + 1;
  learning::HazardTargets targets;
  for (const double code : codes) {
    const Index whole = std::isnan(code) ? 0 : static_cast<Index>(code);
    targets.survived.push_back(whole / width);
    targets.ends.push_back(whole % width);
  }
  return targets;
}

ObservedEnds observed_ends(const Target& target, std::span<const double> codes) {
  learning::HazardTargets seen = hazards_of_codes(target, codes);
  ObservedEnds observed;
  for (std::size_t i = 0; i < codes.size(); ++i)
    observed.times.push_back(static_cast<double>(seen.survived[i]) + (seen.ends[i] > 0 ? 0.5 : 0));
  observed.ends = std::move(seen.ends);
  return observed;
}

ObservedEnds exact_ends(const Target& target, std::span<const double> codes) {
  learning::HazardTargets seen = hazards_of_codes(target, codes);
  ObservedEnds exact;
  for (std::size_t i = 0; i < codes.size(); ++i)
    exact.times.push_back(exact_time(target, seen.survived[i], codes[i] - std::floor(codes[i]), seen.ends[i]));
  exact.ends = std::move(seen.ends);
  return exact;
}

namespace {

Matrix<double> with_shifts(const Target& target, Matrix<double> logits, std::span<const double> shifts) {
  for (Index t = 0; t < intervals_of(target) && !shifts.empty(); ++t)
    for (Index k = 0; k < ends_of(target); ++k) logits.col(t * (ends_of(target) + 1) + k).array() += shifts[k];
  return logits;
}

/// How many of each end are expected in the intervals that were entered.
std::vector<double> expected_ends(const Target& target, const Matrix<double>& logits,
                                  const learning::HazardTargets& seen, std::span<const double> codes,
                                  std::span<const double> shifts) {
  const Index ends = ends_of(target), width = ends + 1;
  std::vector<double> expected(ends, 0.0), part(ends);
  for (Index i = 0; i < logits.rows(); ++i) {
    const std::size_t row = i;
    if (std::isnan(codes[row])) continue;
    const Index entered = seen.survived[row] + (seen.ends[row] > 0 ? 1 : 0);
    for (Index t = 0; t < entered; ++t) {
      double sum = 1;
      for (std::size_t k = 0; k < part.size(); ++k)
        sum += part[k] =
            exponential(logits(i, t * width + static_cast<Index>(k)) + shifts[k] - logits(i, t * width + ends));
      for (std::size_t k = 0; k < part.size(); ++k) expected[k] += part[k] / sum;
    }
  }
  return expected;
}

}  // namespace

std::vector<double> hazard_shifts(const Target& target, std::span<const Matrix<double>> outputs,
                                  std::span<const double> codes) {
  constexpr int kMostSteps = 200;
  constexpr double kSmallestStep = 1e-9, kLargestStep = 2;
  const learning::HazardTargets seen = hazards_of_codes(target, codes);
  std::vector<double> observed(ends_of(target), 0.0), shifts = observed;
  double known = 0;
  for (std::size_t i = 0; i < codes.size(); ++i) {
    known += std::isnan(codes[i]) ? 0 : 1;
    if (seen.ends[i] > 0) observed[seen.ends[i] - 1] += 1;
  }
  if (known == 0) return {};
  for (int step = 0; step < kMostSteps; ++step) {
    std::vector<double> expected(shifts.size(), 0.0);
    for (const Matrix<double>& output : outputs) {
      const std::vector<double> mine = expected_ends(target, output, seen, codes, shifts);
      for (std::size_t k = 0; k < expected.size(); ++k) expected[k] += mine[k] / static_cast<double>(outputs.size());
    }
    double largest = 0;
    for (std::size_t k = 0; k < shifts.size(); ++k) {
      if (observed[k] == 0) continue;
      const double change = std::clamp(logarithm(observed[k] / expected[k]), -kLargestStep, kLargestStep);
      shifts[k] += change;
      largest = std::max(largest, std::abs(change));
    }
    if (largest < kSmallestStep) break;
  }
  return shifts;
}

Predictions combined_hazards(const Target& target, std::span<const Matrix<double>> outputs,
                             std::span<const double> shifts) {
  const Index intervals = intervals_of(target), ends = ends_of(target);
  std::vector<Matrix<double>> incidences;
  for (const Matrix<double>& output : outputs) {
    Matrix<double>& mine = incidences.emplace_back(output.rows(), intervals * ends);
    if (output.rows() == 0) continue;
    const Matrix<double> shares = learning::hazard_incidences(with_shifts(target, output, shifts), ends);
    for (Index t = 0; t < intervals; ++t) mine.middleCols(t * ends, ends) = shares.middleCols(t * (ends + 1), ends);
  }
  const learning::EnsemblePrediction together = learning::combine(incidences);
  return {together.mean, together.spread, {}, {}};
}

std::vector<double> incidences_of(const Target& target, std::span<const double> codes, std::vector<double>* errors) {
  const Index intervals = intervals_of(target), ends = ends_of(target);
  const ObservedEnds observed = observed_ends(target, codes);
  const std::vector<IncidenceStep> curve = aalen_johansen(observed.times, observed.ends, ends);
  std::vector<double> shares;
  std::size_t next = 0;
  for (Index t = 0; t < intervals; ++t) {
    while (next < curve.size() && curve[next].time < static_cast<double>(t + 1)) ++next;
    for (Index k = 0; k < ends; ++k) {
      shares.push_back(next > 0 ? curve[next - 1].incidence[k] : 0);
      if (errors) errors->push_back(next > 0 ? curve[next - 1].error[k] : 0);
    }
  }
  return shares;
}

}  // namespace fovea::study
