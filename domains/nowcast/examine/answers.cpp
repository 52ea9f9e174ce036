#include "fovea/domains/nowcast/examine/answers.hpp"

#include <algorithm>
#include <cmath>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/missing.hpp"
#include "fovea/core/study/ensemble/rows.hpp"
#include "fovea/domains/nowcast/peers/peers.hpp"
#include "fovea/domains/nowcast/series/columns.hpp"

namespace fovea::nowcast {

namespace {

constexpr Index kBatchTokens = 65'536;

/// The two parts of each tested case's log-odds, by the members that did not learn from it, and the ridge part alone as
/// a probability.
struct Parts {
  std::vector<double> ridge, attention, ridge_alone, low, high;
};

Parts parts_of(const study::StudyOutcome& outcome) {
  const study::Cases& cases = outcome.cases;
  const std::vector<double> none(cases.count(), kNan);
  Parts parts{none, none, none, none, none};
  for (const study::FoldModel& fold : outcome.folds->models) {
    const Matrix<float> inputs = prepared(fold.preparation, cases);
    const Matrix<double> sides = sides_of(fold.members, cases, inputs, fold.split.test, kBatchTokens);
    for (Index r = 0; r < sides.rows(); ++r) {
      parts.ridge[fold.split.test[r]] = sides(r, 0);
      parts.attention[fold.split.test[r]] = sides(r, 1);
    }
    std::vector<Matrix<double>> outputs;
    for (const Matrix<double>& member : outcome.folds->outputs)
      outputs.push_back(study::rows_of(member, fold.split.test));
    const study::Predictions both = combined(outcome.target, outputs, fold.calibration, 0, 1);
    for (std::size_t k = 0; k < fold.split.test.size(); ++k) {
      parts.low[fold.split.test[k]] = both.low[k];
      parts.high[fold.split.test[k]] = both.high[k];
    }
  }
  const auto column = [&](const std::vector<Index>& items) {
    Matrix<double> logits(std::ssize(items), 1);
    for (std::size_t k = 0; k < items.size(); ++k) logits(static_cast<Index>(k), 0) = parts.ridge[items[k]];
    return std::vector<Matrix<double>>{logits};
  };
  for (const study::FoldModel& fold : outcome.folds->models) {
    const std::vector<Index>& teachers = fold.split.calibration;
    const std::vector<double> targets = targets_of(cases, outcome.target, teachers);
    const bool both =
        std::count(targets.begin(), targets.end(), 1.0) > 0 && std::count(targets.begin(), targets.end(), 0.0) > 0;
    study::Calibration line;
    if (both) line = calibrated(outcome.target, column(teachers), targets, study::CalibrationMethod::line, 0, 1);
    const study::Predictions alone = combined(outcome.target, column(fold.split.test), line, 0, 1);
    for (std::size_t k = 0; k < fold.split.test.size(); ++k)
      parts.ridge_alone[fold.split.test[k]] = alone.mean(static_cast<Index>(k), 0);
  }
  return parts;
}

/// The months from the first case to the last, one a row.
struct Calendar {
  Index first = 0, months = 0;
  explicit Calendar(const study::Cases& cases)
      : first(month_of(cases.ends.front())), months(month_of(cases.ends.back()) - first + 1) {}
};

/// Peers by their names, one value a row of the calendar.
std::vector<Answer> peers_of(const study::StudyOutcome& outcome, const RecessionSettings& settings) {
  const study::Cases& cases = outcome.cases;
  const Calendar calendar(cases);
  const Matrix<double> all = columns_as_known(settings, classical_columns(), calendar.first, calendar.months);
  peers::PeerQuestion question;
  question.labels.assign(calendar.months, kNan);
  for (Index item = 0; item < cases.count(); ++item)
    question.labels[month_of(cases.ends[item]) - calendar.first] = cases.targets[item];
  question.first = std::clamp<Index>(month_of_date(settings.first) - calendar.first, 0, calendar.months);
  question.delay = settings.cases.horizon + settings.cases.delay;
  question.refit = 1;  // regressions cost little
  std::vector<Answer> answers;
  const auto ask = [&](const std::string& name, const std::vector<Index>& columns, const auto& peer) {
    question.columns = all(Eigen::all, columns);
    answers.push_back({name, peer(question)});
  };
  const auto regression = [](const ScaledRegressionSettings& settings, bool line = false) {
    return [=](const peers::PeerQuestion& q) { return peers::regression(q, settings, line); };
  };
  const std::vector<Index> four{0, 1, 2, 3}, eight{0, 1, 2, 3, 4, 5, 6, 7};
  const std::vector<Index> eleven = study::first_numbers(all.cols());
  ask("yield-spread probit", {4}, &peers::probit);
  ask("logistic, four coincident", four, regression({.penalty = 1}));
  ask("logistic, eight columns", eight, regression({.penalty = 10}));
  ask("logistic, eight columns, clipped, line", eight,
      regression({.penalty = 10, .middle = Middle::median, .clip = 3}, true));
  question.refit = settings.refit;
  ask("boosted trees", eleven, [](const peers::PeerQuestion& q) {
    return peers::boosted_trees(q, {.rounds = 150, .learning_rate = 0.05, .leaves = 7}, 1);
  });
  std::vector<Column> monthly;
  for (const Index k : four) {
    monthly.push_back(classical_columns()[k]);
    monthly.back().change = 1;
  }
  question.columns = columns_as_known(settings, monthly, calendar.first, calendar.months);
  answers.push_back({"Markov switching", peers::markov_switching(question)});
  const Matrix<double> unemployment =
      columns_as_known(settings, {{.name = "unemployment", .series = "UNRATE"}}, calendar.first, calendar.months);
  answers.push_back({"Sahm's rule",
                     peers::sahm_gap(std::span(unemployment.data(), static_cast<std::size_t>(unemployment.rows()))),
                     false, peers::kSahmCall});
  return answers;
}

}  // namespace

std::vector<RecessionEpisode> ScoredMonths::recessions() const {
  std::vector<RecessionEpisode> found;
  for (Index i = 0; i < count(); ++i) {
    if (labels[i] == 0) continue;
    if (!found.empty() && found.back().last + 1 == months[i])
      found.back().last = months[i];
    else
      found.push_back({months[i], months[i]});
  }
  return found;
}

ScoredMonths scored_months(const study::StudyOutcome& outcome, const RecessionSettings& settings) {
  const study::Cases& cases = outcome.cases;
  const Parts parts = parts_of(outcome);
  ScoredMonths scored;
  Answer ours{"attention", {}}, ridge{"ridge part alone", {}};
  for (Index item = 0; item < cases.count(); ++item) {
    if (std::isnan(outcome.test_targets[item])) continue;
    scored.items.push_back(item);
    scored.months.push_back(month_of(cases.ends[item]));
    scored.labels.push_back(static_cast<Index>(outcome.test_targets[item]));
    scored.low.push_back(parts.low[item]);
    scored.high.push_back(parts.high[item]);
    scored.ridge_part.push_back(parts.ridge[item]);
    scored.attention_part.push_back(parts.attention[item]);
    ours.values.push_back(outcome.predictions.mean(item, 0));
    ridge.values.push_back(parts.ridge_alone[item]);
  }
  const std::vector<RecessionEpisode> recessions = scored.recessions();
  for (const Index month : scored.months) scored.groups.push_back(nearest_episode(recessions, month));
  scored.answers = {std::move(ours), std::move(ridge)};
  const Calendar calendar(cases);
  for (Answer& peer : peers_of(outcome, settings)) {
    std::vector<double> values;
    for (const Index month : scored.months) values.push_back(peer.values[month - calendar.first]);
    if (std::all_of(values.begin(), values.end(), [](double v) { return std::isnan(v); })) continue;
    peer.values = std::move(values);
    scored.answers.push_back(std::move(peer));
  }
  return scored;
}

}  // namespace fovea::nowcast
