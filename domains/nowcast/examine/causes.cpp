#include "fovea/domains/nowcast/examine/causes.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/words.hpp"
#include "fovea/core/linear/calibration_line.hpp"
#include "fovea/core/study/ensemble/explanation.hpp"

namespace fovea::nowcast {

namespace {

constexpr std::size_t kDeletedEvents = 12;

/// One fold's model, ready to be asked about its tested months.
struct AskedFold {
  const study::FoldModel& model;
  Matrix<float> inputs;
  CalibrationLine line;
};

AskedFold asked(const study::StudyOutcome& outcome, const study::FoldModel& model) {
  AskedFold fold{model, prepared(model.preparation, outcome.cases), {}};
  const study::Calibration& calibration = model.calibration;
  fold.line.intercept = calibration.line ? calibration.intercept : 0;
  fold.line.slope = calibration.line ? calibration.slope : 1 / calibration.scale;
  return fold;
}

/// Mean over members and heads.
std::vector<double> weights_of(const AskedFold& fold, const study::Cases& cases, Index item) {
  std::vector<double> weights(cases.size(item));
  for (const study::Member& member : fold.model.members) {
    const Matrix<double> logs = scores_of_tokens(member, cases, fold.inputs, {item}, cases.size(item) + 1);
    for (std::size_t i = 0; i < weights.size(); ++i)
      weights[i] += std::exp(logs(static_cast<Index>(i), 0)) / static_cast<double>(fold.model.members.size());
  }
  return weights;
}

MonthCauses month_causes(const AskedFold& fold, const study::StudyOutcome& outcome, Index item) {
  const study::Cases& cases = outcome.cases;
  const Index first = cases.offsets[item];
  const std::vector<double> gradients = gradient_shares_of(fold.model.members, cases, fold.inputs, item),
                            weights = weights_of(fold, cases, item);
  const auto name = [&](Index token) -> const std::string& { return cases.classes[cases.kinds[first + token]]; };
  std::vector<Index> columns, events;
  for (Index token = 0; token < cases.size(item); ++token)
    if (name(token) != kNothing) (name(token).starts_with(kColumnPrefix) ? columns : events).push_back(token);
  std::stable_sort(events.begin(), events.end(),
                   [&](Index a, Index b) { return std::abs(gradients[a]) > std::abs(gradients[b]); });
  events.resize(std::min(events.size(), kDeletedEvents));
  columns.insert(columns.end(), events.begin(), events.end());
  const std::vector<double> removed = removals_of(fold.model.members, cases, fold.inputs, item, columns);
  MonthCauses month;
  month.logit = 0;
  for (const Matrix<double>& outputs : outcome.folds->outputs)
    month.logit += outputs(item, 0) / static_cast<double>(outcome.folds->outputs.size());
  month.sum_deletions = std::accumulate(removed.begin(), removed.end(), 0.0);
  for (std::size_t k = 0; k < columns.size(); ++k) {
    const Index token = columns[k];
    const bool column = name(token).starts_with(kColumnPrefix);
    month.causes.push_back({column ? name(token).substr(std::string_view(kColumnPrefix).size()) : name(token),
                            date_of(month_of(cases.times[first + token])).substr(0, 7), column ? kNan : weights[token],
                            gradients[token], removed[k], fold.line.probability(month.logit - removed[k])});
  }
  std::stable_sort(month.causes.begin(), month.causes.end(),
                   [](const Cause& a, const Cause& b) { return std::abs(a.deletion) > std::abs(b.deletion); });
  month.causes.resize(kCausesShown);
  return month;
}

}  // namespace

std::vector<MonthCauses> causes_of(const study::StudyOutcome& outcome, const ScoredMonths& scored) {
  std::vector<MonthCauses> all(scored.count());
  std::vector<Index> place(outcome.cases.count(), -1);
  for (Index i = 0; i < scored.count(); ++i) place[scored.items[i]] = i;
  for (const study::FoldModel& model : outcome.folds->models) {
    const bool any =
        std::any_of(model.split.test.begin(), model.split.test.end(), [&](Index item) { return place[item] >= 0; });
    if (!any) continue;
    const AskedFold fold = asked(outcome, model);
    for (const Index item : model.split.test)
      if (place[item] >= 0) all[place[item]] = month_causes(fold, outcome, item);
  }
  return all;
}

std::string story_of(Index month, double before, double now, const std::vector<Cause>& causes) {
  constexpr double kMoved = 0.02;
  constexpr std::size_t kMostNamed = 3;
  const double change = std::isnan(before) ? 0 : now - before;
  const bool moved = std::abs(change) >= kMoved;
  const double direction = moved ? change : now - 0.5;
  std::string named;
  std::size_t count = 0;
  for (const Cause& cause : causes) {
    const double effect = now - cause.without;
    if (count == kMostNamed || !(std::abs(effect) >= kNamed) || effect * direction <= 0) continue;
    const bool release = cause.released != date_of(month).substr(0, 7);
    named += concat(count == 0 ? " Without " : ", without ", cause.name, release ? concat(" of ", cause.released) : "",
                    count == 0 ? " it would be " : " ", fixed_text(cause.without, 2));
    ++count;
  }
  const std::string from = moved ? concat(" after ", fixed_text(before, 2), " the month before") : "";
  const std::string nothing =
      concat(" Taken out one at a time, no column or event ", direction > 0 ? "lowers" : "raises", " it by ",
             fixed_text(kNamed, 2), " or more.");
  return concat(date_of(month).substr(0, 7), ": probability ", fixed_text(now, 2), from, '.',
                named.empty() ? nothing : named + '.');
}

}  // namespace fovea::nowcast
