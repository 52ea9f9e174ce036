#include "fovea/core/study/report/one_input.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "fovea/core/base/missing.hpp"
#include "fovea/core/statistics/metrics.hpp"
#include "fovea/core/statistics/tests/rank_correlation.hpp"
#include "fovea/core/study/baselines/baselines.hpp"
#include "fovea/core/study/cases/reading_findings.hpp"
#include "fovea/core/study/cases/target_rule.hpp"
#include "fovea/core/study/ensemble/rows.hpp"

namespace fovea::study {

namespace {

constexpr Index kMostExamined = 100'000;
constexpr Index kMostCells = 50'000'000;  // of all columns together: 400 MB
constexpr double kMostHave = 0.9;         // values of fewer cases are those of a choice of them

/// What these values say of the outcomes of their rows.
TellsOutcomeAlone said_alone(const std::string& input, const Target& target, std::span<const double> values,
                             std::span<const double> outcomes) {
  TellsOutcomeAlone found{input, target.name};
  found.cases = std::ssize(outcomes);
  found.ranks = target.rule().real();
  const Index ones = std::count(outcomes.begin(), outcomes.end(), 1.0);
  found.fewest = found.ranks ? found.cases : std::min(ones, found.cases - ones);
  if (found.fewest < kFewestToTell) return found;
  if (found.ranks) {
    found.score = std::abs(rank_correlation(values, outcomes));
  } else {
    const double area = auroc(values, std::vector<Index>(outcomes.begin(), outcomes.end()));
    found.score = std::max(area, 1 - area);
  }
  return found;
}

/// The same of the rows that are not 0, where most are: there values that are missing are 0.
TellsOutcomeAlone said_where_known(const std::string& input, const Target& target, const Matrix<double>& column,
                                   const std::vector<double>& outcomes) {
  std::vector<double> values, known;
  for (std::size_t k = 0; k < outcomes.size(); ++k)
    if (const double value = column(static_cast<Index>(k), 0); value != 0)
      values.push_back(value), known.push_back(outcomes[k]);
  const auto all = static_cast<double>(outcomes.size()), held = static_cast<double>(values.size());
  return held < kMostHave * all ? TellsOutcomeAlone{input, target.name} : said_alone(input, target, values, known);
}

/// Whether a sum of squares about the mean is more than the rounding of the sum of squares.
bool varies(double about_mean, double squares) { return about_mean > 1e-9 * squares; }

/// Sums over the rows of one stratum.
struct Stratum {
  double count = 0, sum = 0;
};

/// The share of a column's variance that lies between the strata of the targets.
double between_strata(const Matrix<double>& column, const Target& target, const std::vector<double>& targets) {
  std::map<Index, Stratum> strata;
  double count = 0, sum = 0, squares = 0;
  for (std::size_t i = 0; i < targets.size(); ++i) {
    if (std::isnan(targets[i])) continue;
    const double x = column(static_cast<Index>(i), 0);
    Stratum& of = strata[target.rule().stratum(target, static_cast<Index>(targets[i]))];
    of.count += 1, of.sum += x;
    count += 1, sum += x, squares += x * x;
  }
  const double middle = sum * sum / count;
  double between = -middle;
  for (const auto& [key, of] : strata) between += of.sum * of.sum / of.count;
  return varies(squares - middle, squares) ? between / (squares - middle) : 0;
}

double squared_correlation(const Matrix<double>& column, const std::vector<double>& targets) {
  double count = 0, x = 0, y = 0, xx = 0, yy = 0, xy = 0;
  for (std::size_t i = 0; i < targets.size(); ++i) {
    if (std::isnan(targets[i])) continue;
    const double a = column(static_cast<Index>(i), 0), b = targets[i];
    count += 1, x += a, y += b, xx += a * a, yy += b * b, xy += a * b;
  }
  const double of_x = xx - x * x / count, of_y = yy - y * y / count, both = xy - x * y / count;
  return varies(of_x, xx) && varies(of_y, yy) ? both * both / (of_x * of_y) : 0;
}

Index most_telling(const Matrix<double>& inputs, const Target& target, const std::vector<double>& targets) {
  Index best = 0;
  double most = -1;
  for (Index c = 0; c < inputs.cols(); ++c) {
    const Matrix<double> column = inputs.col(c);
    const double share =
        target.rule().real() ? squared_correlation(column, targets) : between_strata(column, target, targets);
    if (share > most) most = share, best = c;
  }
  return best;
}

/// Which column it is of one split, and what it says of the split's test part.
struct Asked {
  Index column = 0;
  Predictions predictions;
};

Asked asked(const StudyOutcome& outcome, const Preparation& preparation, const Split& split) {
  const Matrix<float> inputs = outcome.folds ? prepared(preparation, outcome.cases) : outcome.inputs;
  const auto of = [&](const std::vector<Index>& items) {
    return mean_inputs(outcome.cases, inputs, outcome.target, items);
  };
  const auto known = [&](const std::vector<Index>& items) { return targets_of(outcome.cases, outcome.target, items); };
  const Matrix<double> training = of(split.training);
  const std::vector<double> targets = known(split.training);
  const Index column = most_telling(training, outcome.target, targets);
  return {column, ridge(outcome.target, training.col(column), targets, of(split.validation).col(column),
                        known(split.validation), of(split.test).col(column))};
}

/// Evenly spread cases with a known outcome, so few that their columns fit into memory.
std::vector<Index> examined_alone(const Cases& cases) {
  const Index columns = std::ssize(cases.features) + 1, kinds = std::max<Index>(1, std::ssize(cases.classes));
  const Index most = std::min(kMostExamined, kMostCells / (columns * kinds));
  const std::vector<Index> known = known_rows_of(cases.targets);
  const std::size_t step = 1 + known.size() / static_cast<std::size_t>(most + 1);
  std::vector<Index> items;
  for (std::size_t k = 0; k < known.size(); k += step) items.push_back(known[k]);
  return items;
}

}  // namespace

void look_for_giveaways(Cases& cases, const Target& target) {
  const bool can_ask = target.rule().real() || target.rule().binary();
  if (!can_ask || target.level != TargetLevel::per_case || cases.targets.empty()) return;
  const Cases some = selected(cases, examined_alone(cases));
  if (some.tokens() == 0) return;
  const std::vector<Index> all = first_numbers(some.count());
  const Preparation preparation = prepare(some, all, target);
  const Matrix<double> columns = mean_inputs(some, prepared(preparation, some), target, all);
  const std::vector<std::string> names = mean_input_names(preparation, target);
  std::string last;  // of a text of two words one column says what the other does
  for (Index c = 0; c < columns.cols(); ++c) {
    const std::string& name = names[static_cast<std::size_t>(c)];
    const std::string feature = name.substr(0, name.find(" = "));
    if (feature == last) continue;
    const Matrix<double> column = columns.col(c);
    TellsOutcomeAlone found = said_alone(name, target, std::span(column.data(), some.targets.size()), some.targets);
    if (!found.holds()) found = said_where_known(name, target, column, some.targets);
    if (!found.holds()) continue;
    cases.reading.finding(found);
    last = feature;
  }
}

OneInput one_input(const StudyOutcome& outcome, const Examination& examined) {
  std::map<std::string, Index> chosen;
  Predictions all = outcome.predictions;  // for its shape
  all.decisions.clear();
  const auto put = [&](const Asked& told, const Preparation& preparation, const std::vector<Index>& places) {
    ++chosen[mean_input_names(preparation, outcome.target).at(static_cast<std::size_t>(told.column))];
    for (std::size_t k = 0; k < places.size(); ++k) {
      all.mean.row(places[k]) = told.predictions.mean.row(static_cast<Index>(k));
      if (!all.deviation.empty()) all.deviation[static_cast<std::size_t>(places[k])] = told.predictions.deviation[k];
    }
  };
  if (outcome.folds) {
    for (const FoldModel& fold : outcome.folds->models)
      put(asked(outcome, fold.preparation, fold.split), fold.preparation,
          target_rows(outcome.cases, outcome.target, fold.split.test));
  } else {
    put(asked(outcome, outcome.model.preparation, outcome.split), outcome.model.preparation,
        first_numbers(all.mean.rows()));
  }
  const auto most =
      std::max_element(chosen.begin(), chosen.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
  const std::vector<Index> rows = known_rows_of(outcome.test_targets);
  return {most->first, scored_once(outcome.target, rows_of(all, rows), examined.targets).front().value};
}

}  // namespace fovea::study
