#include "fovea/domains/ehr/risk/half_lives.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "fovea/core/base/moments.hpp"
#include "fovea/core/learning/class_events.hpp"
#include "fovea/core/study/hazards/hazard_target.hpp"

namespace fovea::ehr::risk {

namespace {

constexpr double kWithinSpan = 0.9;

/// What came of a case: intervals without the first end, then whether it came.
struct Course {
  Index survived = 0, ended = 0;
};

std::vector<Course> courses_of(const study::Target& target, const study::Cases& cases) {
  std::vector<Course> courses(cases.count());
  if (target.kind == study::TargetKind::hazards) {
    const learning::HazardTargets seen = study::hazards_of_codes(target, cases.targets);
    for (std::size_t b = 0; b < courses.size(); ++b) courses[b] = {seen.survived[b], seen.ends[b] == 1 ? 1 : 0};
  } else {
    for (std::size_t b = 0; b < courses.size(); ++b) {
      const Index outcome = cases.targets[b] == 1 ? 1 : 0;
      if (!std::isnan(cases.targets[b])) courses[b] = {1 - outcome, outcome};
    }
  }
  return courses;
}

/// Values and ages of the cases that were seen, and the variable of each.
struct AgedValues {
  std::vector<Index> offsets{0}, kinds;
  std::vector<double> times, ages, values;
};

AgedValues aged_values(const study::Cases& cases, const Matrix<float>& inputs, const std::vector<Index>& items) {
  AgedValues all;
  for (const Index b : items) {
    const double end = study::end_of(cases, b);
    for (Index i = cases.offsets[b]; i < cases.offsets[b + 1]; ++i) {
      if (inputs(i, 1) != 0 || cases.times[i] > end) continue;
      all.kinds.push_back(cases.kinds[i]);
      all.times.push_back(cases.times[i]);
      all.ages.push_back(end - cases.times[i]);
      all.values.push_back(static_cast<double>(inputs(i, 0)));
    }
    all.offsets.push_back(std::ssize(all.kinds));
  }
  return all;
}

double span_of(std::vector<double> ages) {
  if (ages.empty()) return 1;
  std::sort(ages.begin(), ages.end());
  const double span = sorted_quantile(ages, kWithinSpan);
  return span > 0 ? span : std::max(1.0, ages.back());
}

}  // namespace

decay::DecayData decay_data(const study::Target& target, const study::Cases& cases, const Matrix<float>& inputs) {
  const std::vector<Course> courses = courses_of(target, cases);
  const std::vector<Index> groups = study::group_numbers(cases);
  decay::DecayData data;
  if (target.kind == study::TargetKind::hazards) data.intervals = study::intervals_of(target);
  std::vector<Index> items;
  for (Index b = 0; b < cases.count(); ++b)
    if (courses[b].survived + courses[b].ended > 0) {
      items.push_back(b);
      data.events.outcomes.push_back(courses[b].ended);
      data.survived.push_back(courses[b].survived);
      data.groups.push_back(groups[b]);
    }
  const AgedValues values = aged_values(cases, inputs, items);
  data.events.variables = std::ssize(cases.classes);
  data.events.window = span_of(values.ages);
  const learning::GroupedEvents grouped =
      learning::group_by_class(values.offsets, values.times, values.kinds, data.events.variables);
  data.events.offsets = grouped.offsets;
  for (const Index i : grouped.order) {
    data.events.ages.push_back(values.ages[i]);
    data.events.values.push_back(values.values[i]);
  }
  return data;
}

}  // namespace fovea::ehr::risk
