#include "fovea/core/study/report/hazard_report.hpp"

#include <algorithm>
#include <numeric>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/words.hpp"
#include "fovea/core/data/rows.hpp"
#include "fovea/core/study/hazards/hazard_target.hpp"

namespace fovea::study {

namespace {

constexpr double kTwoSided = 1.96;  // 95 %
constexpr std::size_t kTenths = 10;

/// A predicted and an observed incidence.
struct IncidenceShare {
  double predicted = 0;
  ValueInterval observed;
};
using IncidenceShares = std::vector<IncidenceShare>;

void write_shares(const std::string& name, const std::vector<std::string>& over, const IncidenceShares& shares,
                  Results& results) {
  rows(over, shares)
      .prefix(name + '_')
      .number("predicted", &IncidenceShare::predicted, "mean predicted incidence")
      .interval("observed", &IncidenceShare::observed, "observed incidence (Aalen & Johansen)")
      .end_names("low", "high")
      .ends("95 % interval, of the observed incidence")
      .write(results);
}

/// What some cases have of one end in each interval.
void add_course(const Target& target, const Matrix<double>& mean, const std::vector<double>& codes,
                const std::vector<Index>& items, Index end, bool horizon_alone, IncidenceShares& shares) {
  std::vector<double> mine, errors;
  for (const Index row : items) mine.push_back(codes[row]);
  const std::vector<double> observed = incidences_of(target, mine, &errors);
  for (Index t = horizon_alone ? intervals_of(target) - 1 : 0; t < intervals_of(target); ++t) {
    const Index column = incidence_column(target, t, end);
    double sum = 0;
    for (const Index row : items) sum += mean(row, column);
    const double share = observed[column], half = kTwoSided * errors[column];
    shares.push_back(
        {sum / static_cast<double>(items.size()), {share, std::max(0.0, share - half), std::min(1.0, share + half)}});
  }
}

/// The rows by the incidence of an end by the horizon, in parts of nearly equal size.
std::vector<std::vector<Index>> parts_by_risk(const Target& target, const Matrix<double>& mean, Index end,
                                              std::size_t count) {
  const Index column = incidence_column(target, intervals_of(target) - 1, end);
  std::vector<Index> order(mean.rows());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = static_cast<Index>(i);
  std::stable_sort(order.begin(), order.end(), [&](Index a, Index b) { return mean(a, column) < mean(b, column); });
  std::vector<std::vector<Index>> parts(count);
  for (std::size_t i = 0; i < order.size(); ++i) parts[i * count / order.size()].push_back(order[i]);
  return parts;
}

void write_hazard_figures(const Target& target, const std::string& things, bool has_tenths, Results& results) {
  const std::string horizon = concat(plain_text(target.edges.back()), target.unit == "1" ? "" : ' ' + target.unit);
  const auto figure = [&](const std::string& name, const std::string& title, const std::string& caption,
                          const std::string& of, const std::string& x, const std::string& hue) {
    results.figure({.kind = "lines",
                    .name = name,
                    .title = title,
                    .caption = caption,
                    .variables = {of + "_observed"},
                    .references = {of + "_predicted"},
                    .x = x,
                    .hue = hue,
                    .band_low = of + "_low",
                    .band_high = of + "_high"});
  };
  const std::string first = target.classes.front();
  figure("incidence_by_risk", concat("Incidence of '", first, "' by predicted risk"),
         concat("Observed incidence (Aalen & Johansen, with 95 % bands) in thirds of the ", things,
                " by their predicted risk. Dashed: what the model predicted for them."),
         "group", "time", "risk_group");
  if (ends_of(target) > 1)
    figure("incidence_of_ends", "Incidence of each end",
           concat("Of all ", things, ". Dashed: mean of what the model predicted."), "end", "time", "end");
  if (!has_tenths) return;
  figure("horizon_calibration", concat("Calibration by ", horizon),
         concat("Observed incidence (Aalen & Johansen, with 95 % bands) of each end in tenths of the ", things,
                " by its predicted risk. Dashed: the mean predicted one."),
         "tenth", "risk_tenth", "end");
}

}  // namespace

void write_hazards(const StudyOutcome& outcome, const Examination& examined, Results& results) {
  const Target& target = outcome.target;
  const Matrix<double>& mean = examined.predictions.front().mean;
  const Index cell = outcome.cases.smallest_cell;
  if (mean.rows() < std::max(kFewestForHazards, 3 * cell)) return;
  results.coordinate("time", std::vector<double>(target.edges.begin() + 1, target.edges.end()), target.unit, "time");
  results.coordinate("end", target.classes, "", "end");
  results.coordinate("risk_group", std::vector<std::string>{"lowest third", "middle third", "highest third"}, "",
                     outcome.things() + " by predicted risk");
  IncidenceShares of_ends, of_groups, of_tenths;
  for (Index k = 1; k <= ends_of(target); ++k)
    add_course(target, mean, examined.targets, parts_by_risk(target, mean, k, 1).front(), k, false, of_ends);
  for (const auto& rows : parts_by_risk(target, mean, 1, 3))
    add_course(target, mean, examined.targets, rows, 1, false, of_groups);
  write_shares("end", {"end", "time"}, of_ends, results);
  write_shares("group", {"risk_group", "time"}, of_groups, results);
  const bool has_tenths = mean.rows() >= static_cast<Index>(kTenths) * cell;
  if (has_tenths) {
    for (Index k = 1; k <= ends_of(target); ++k)
      for (const auto& rows : parts_by_risk(target, mean, k, kTenths))
        add_course(target, mean, examined.targets, rows, k, true, of_tenths);
    std::vector<double> tenths(kTenths);
    std::iota(tenths.begin(), tenths.end(), 1.0);
    results.coordinate("risk_tenth", tenths, "1", concat("tenth of the ", outcome.things(), ", by predicted risk"));
    write_shares("tenth", {"end", "risk_tenth"}, of_tenths, results);
  }
  write_hazard_figures(target, outcome.things(), has_tenths, results);
}

}  // namespace fovea::study
