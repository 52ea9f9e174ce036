/// The experiment "nowcast.leave_one_out": each recession, with two years on both sides, predicted by what learned from
/// the others; a year more on both sides teaches nothing. Later recessions teach about earlier ones: it examines
/// whether recessions are alike, not what could have been known.

#include <algorithm>
#include <cmath>

#include "fovea/core/base/missing.hpp"
#include "fovea/core/data/rows.hpp"
#include "fovea/core/linear/scaled_regression.hpp"
#include "fovea/core/statistics/metrics.hpp"
#include "fovea/core/study/ensemble/rows.hpp"
#include "fovea/domains/nowcast/examine/half_lives.hpp"
#include "fovea/domains/nowcast/experiments.hpp"
#include "fovea/domains/nowcast/findings.hpp"
#include "fovea/domains/nowcast/recession/recession_task.hpp"

namespace fovea::nowcast::recession {

namespace {

constexpr Index kBatchOfTokens = 65'536;

/// One recession and what was answered around it.
struct LeftOutRecession {
  std::string months;
  double ours = kNan, ridge = kNan, eight = kNan;  ///< AUROC
  double brier = kNan;
};

double auroc_or_nan(const std::vector<double>& scores, const std::vector<Index>& labels) {
  const auto ones = std::count(labels.begin(), labels.end(), Index{1});
  return ones == 0 || ones == std::ssize(labels) ? kNan : auroc(scores, labels);
}

/// The eight columns of peers, a row a case.
Matrix<double> eight_columns(const study::Cases& cases, const RecessionSettings& settings) {
  const std::vector<Column> eight(classical_columns().begin(), classical_columns().begin() + 8);
  const Index first = month_of(*std::min_element(cases.ends.begin(), cases.ends.end())),
              last = month_of(*std::max_element(cases.ends.begin(), cases.ends.end()));
  const Matrix<double> months = columns_as_known(settings, eight, first, last - first + 1);
  Matrix<double> rows(cases.count(), months.cols());
  for (Index item = 0; item < cases.count(); ++item) rows.row(item) = months.row(month_of(cases.ends[item]) - first);
  return rows;
}

std::vector<Index> with_columns(const Matrix<double>& columns, const std::vector<double>& targets,
                                const std::vector<Index>& items) {
  std::vector<Index> kept;
  for (const Index item : items)
    if (columns.row(item).allFinite() && !std::isnan(targets[item])) kept.push_back(item);
  return kept;
}

LeftOutRecession left_out(const study::StudyOutcome& outcome, const study::FoldModel& fold,
                          const Matrix<double>& columns) {
  const study::Cases& cases = outcome.cases;
  const std::vector<Index> tested = with_columns(columns, cases.targets, fold.split.test);
  const ScaledRegression eight =
      fit_scaled_regression(columns, cases.targets, with_columns(columns, cases.targets, fold.split.training),
                            {.penalty = 10, .middle = Middle::median, .clip = 3});
  const Matrix<double> sides = sides_of(fold.members, cases, prepared(fold.preparation, cases), tested, kBatchOfTokens);
  std::vector<double> ours, ridge, peer;
  std::vector<Index> labels;
  std::string first, last;
  for (std::size_t k = 0; k < tested.size(); ++k) {
    const Index item = tested[k];
    ours.push_back(outcome.predictions.mean(item, 0));
    ridge.push_back(sides(static_cast<Index>(k), 0));
    if (eight.coefficients.size() > 0) peer.push_back(eight.linear(columns.row(item).transpose()));
    labels.push_back(static_cast<Index>(cases.targets[item]));
    if (labels.back() == 1) last = cases.ids[item].substr(0, 7);
    if (first.empty()) first = last;
  }
  const bool any = !first.empty();
  return {any ? concat(first, " to ", last) : cases.ids[fold.split.test.front()].substr(0, 7),
          auroc_or_nan(ours, labels), auroc_or_nan(ridge, labels),
          peer.size() == labels.size() ? auroc_or_nan(peer, labels) : kNan,
          tested.empty() ? kNan : brier_score(ours, labels)};
}

double mean_of(const std::vector<LeftOutRecession>& all, double LeftOutRecession::*number) {
  double sum = 0, count = 0;
  for (const LeftOutRecession& one : all)
    if (!std::isnan(one.*number)) sum += one.*number, count += 1;
  return count > 0 ? sum / count : kNan;
}

class LeaveOneOut final : public RecessionTask {
 public:
  std::string_view name() const override { return "nowcast.leave_one_out"; }
  std::string_view summary() const override { return "each recession predicted by what learned from the others"; }
  bool examines_first() const override { return true; }
  void examine(const study::StudyOutcome& outcome, Results& results) const override {
    const Matrix<double> columns = eight_columns(outcome.cases, recession_settings(outcome.config));
    std::vector<LeftOutRecession> all;
    for (const study::FoldModel& fold : outcome.folds->models) all.push_back(left_out(outcome, fold, columns));
    using Row = LeftOutRecession;
    rows("left_out", all, &Row::months, "recession that was left out")
        .number("left_out_auroc", &Row::ours, "AUROC, attention")
        .number("left_out_auroc_ridge", &Row::ridge, "AUROC, ridge part alone")
        .number("left_out_auroc_eight", &Row::eight, "AUROC, logistic, eight columns, clipped")
        .number("left_out_brier", &Row::brier, "Brier score, attention")
        .write(results);
    results.figure({.kind = "table",
                    .name = "left_out",
                    .title = "Each recession predicted from the others",
                    .caption = "Months within two years of the recession; those within a year more neither teach nor "
                               "calibrate.",
                    .variables = {"left_out_auroc", "left_out_auroc_ridge", "left_out_auroc_eight", "left_out_brier"},
                    .x = "left_out",
                    .digits = 3});
    const double ours = mean_of(all, &Row::ours), ridge = mean_of(all, &Row::ridge), eight = mean_of(all, &Row::eight);
    results.scalar("mean_auroc", ours, "1", "mean AUROC over recessions, attention");
    results.scalar("mean_auroc_ridge", ridge, "1", "mean AUROC over recessions, ridge part alone");
    results.scalar("mean_auroc_eight", eight, "1", "mean AUROC over recessions, logistic, eight columns, clipped");
    results.finding(RecessionsLeftOut{std::ssize(all), ours, ridge, eight});
    const NowcastModelSettings model = nowcast_model_keys().read(outcome.config);
    write_half_lives(kind_memories(outcome, model), model.half_life, results);
    results.finding(FewRecessions{std::ssize(all)});
  }

 protected:
  FoldsBy folds() const override { return FoldsBy::episode; }
};

}  // namespace

std::unique_ptr<Experiment> make_leave_one_out() { return study::make_study(std::make_unique<LeaveOneOut>()); }

}  // namespace fovea::nowcast::recession
