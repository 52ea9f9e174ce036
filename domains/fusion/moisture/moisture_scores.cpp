#include "fovea/domains/fusion/moisture/moisture_scores.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

#include "fovea/core/base/missing.hpp"
#include "fovea/core/base/moments.hpp"
#include "fovea/core/base/words.hpp"
#include "fovea/core/learning/training/training_curves.hpp"
#include "fovea/core/statistics/bootstrap.hpp"
#include "fovea/core/study/ensemble/rows.hpp"
#include "fovea/domains/fusion/model/lost_sensors.hpp"
#include "fovea/domains/fusion/model/sensor_tokens.hpp"

namespace fovea::fusion::moisture {

namespace {

using study::Cases;
using Numbers = std::vector<double>;

constexpr std::size_t kTenths = 10;
constexpr double kNominal = 0.9, kAllowed = 0.05;  // of the intervals
const BootstrapSettings kDraws{.draws = 2000, .kind = BootstrapKind::percentile};

double rmse(const Numbers& predicted, const Numbers& truth) {
  double sum = 0;
  for (std::size_t i = 0; i < truth.size(); ++i) sum += (predicted[i] - truth[i]) * (predicted[i] - truth[i]);
  return std::sqrt(sum / static_cast<double>(truth.size()));
}

double mean_of(const Numbers& values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

Numbers covered(const MoistureAnswers& answers, const Numbers& truth) {
  Numbers inside;
  for (std::size_t i = 0; i < truth.size(); ++i)
    inside.push_back(truth[i] >= answers.lower[i] && truth[i] <= answers.upper[i] ? 1 : 0);
  return inside;
}

/// Intervals over the sites of tested cases.
class OverSites {
 public:
  OverSites(const Cases& test, const Random& random) : groups_(study::group_numbers(test)), random_(random) {}
  BootstrapInterval of_rmse(const Numbers& predicted, const Numbers& truth) const {
    return interval([&](std::span<const Index> rows) {
      double sum = 0;
      for (const Index row : rows) {
        const std::size_t i = row;
        sum += (predicted[i] - truth[i]) * (predicted[i] - truth[i]);
      }
      return std::sqrt(sum / static_cast<double>(rows.size()));
    });
  }
  BootstrapInterval of_mean(const Numbers& values) const {
    return interval([&](std::span<const Index> rows) {
      double sum = 0;
      for (const Index row : rows) sum += values[row];
      return sum / static_cast<double>(rows.size());
    });
  }

 private:
  BootstrapInterval interval(const std::function<double(std::span<const Index>)>& statistic) const {
    const auto count = static_cast<Index>(groups_.size());
    if (std::adjacent_find(groups_.begin(), groups_.end(), std::not_equal_to<>()) == groups_.end()) {
      const std::vector<Index> all = study::first_numbers(count);
      return {statistic(all), kNan, kNan, kNan, 0};
    }
    return bootstrap_interval(count, statistic, random_, kDraws, groups_);
  }
  std::vector<Index> groups_;
  Random random_;
};

/// Points with intervals, over a coordinate.
struct Rows {
  Numbers value, low, high;
  void add(const BootstrapInterval& one) {
    value.push_back(one.estimate), low.push_back(one.low), high.push_back(one.high);
  }
  void write(Results& results, const std::string& name, const std::string& over, const std::string& unit,
             const std::string& meaning) const {
    results.add(name, {over}, value, unit, meaning);
    results.add(name + "_low", {over}, low, unit, "95 % bootstrap interval over sites");
    results.add(name + "_high", {over}, high, unit, "95 % bootstrap interval over sites");
  }
};

void report_predictors(const LearnedMoisture& learned, const MoistureAnswers& said, const Cases& training,
                       const Numbers& truth, const OverSites& sites, Results& results) {
  std::vector<std::string> names;
  std::vector<const Numbers*> answers;
  Numbers out_of_fold;
  const auto add = [&](const char* who, const Numbers& on_test, const Numbers& on_training) {
    if (on_test.empty()) return;
    names.emplace_back(who), answers.push_back(&on_test);
    out_of_fold.push_back(rmse(on_training, training.targets));
  };
  const MoistureAnswers& before = learned.out_of_fold;
  add("all together", said.mean, before.mean);
  add("arbiter alone", said.arbiter, before.arbiter);
  add("forest alone", said.forest, before.forest);
  add("rows that taught alone", said.rows, before.rows);
  const double mean = mean_of(training.targets);
  const Numbers means(truth.size(), mean);
  names.push_back("mean of the training rows"), answers.push_back(&means);
  out_of_fold.push_back(rmse(Numbers(training.targets.size(), mean), training.targets));
  Rows rows;
  for (const Numbers* one : answers) rows.add(sites.of_rmse(*one, truth));
  results.coordinate("predictor", names, "", "predictor");
  rows.write(results, "predictor_rmse", "predictor", "%", "root mean squared error on test sites");
  results.add("predictor_rmse_out_of_fold", {"predictor"}, out_of_fold, "%", "out of fold on training sites");
  results.figure({.kind = "intervals",
                  .name = "predictors",
                  .title = "What each part of the model is worth",
                  .caption = "Root mean squared error on test sites, 95 % bootstrap interval over sites; "
                             "the sign beside it: out of fold, on the training sites.",
                  .variables = {"predictor_rmse", "predictor_rmse_out_of_fold"},
                  .x = "predictor",
                  .band_low = "predictor_rmse_low",
                  .band_high = "predictor_rmse_high",
                  .value_label = "RMSE"});
}

void report_lost(const LearnedMoisture& learned, const study::LearnedTask& task, const Cases& test,
                 const OverSites& sites, Results& results) {
  const std::vector<std::string> names{"both", "s2 lost", "s1 lost"};
  Rows rows;
  Numbers coverage;
  for (const Index lost : {Index{-1}, Index{1}, Index{0}}) {
    const Cases cases = model::without_sensor(test, lost);
    bool some_lost = false;
    for (Index i = 0; i < cases.count(); ++i) some_lost = some_lost || cases.size(i) == 0;
    if (some_lost) {
      rows.add({kNan, kNan, kNan, kNan, 0}), coverage.push_back(kNan);
      continue;
    }
    const MoistureAnswers said = answers_of(learned.model, task, cases);
    rows.add(sites.of_rmse(said.mean, test.targets));
    coverage.push_back(mean_of(covered(said, test.targets)));
    if (lost < 0) continue;
    results.check({concat("trust_in_lost_", model::kSensorNames[lost]),
                   concat("largest trust in ", model::kSensorNames[lost], " where it is lost"),
                   "a sensor without tokens is no key", 0, said.trust.col(lost).maxCoeff(), absolute(0)});
  }
  results.coordinate("sensors", names, "", "what the model is given");
  rows.write(results, "sensors_rmse", "sensors", "%", "root mean squared error on test sites");
  results.add("sensors_coverage", {"sensors"}, coverage, "1", "share of the truths within the 90 % intervals");
  results.figure({.kind = "intervals",
                  .name = "sensors_lost",
                  .title = "When a sensor is lost",
                  .caption =
                      "One and the same model on test sites, with a sensor taken away; weather, relief, land cover "
                      "and place remain. 95 % bootstrap interval over sites.",
                  .variables = {"sensors_rmse"},
                  .x = "sensors",
                  .band_low = "sensors_rmse_low",
                  .band_high = "sensors_rmse_high",
                  .value_label = "RMSE"});
}

/// Which cases are in which tenth by a number; fewer where there are few.
std::vector<std::vector<std::size_t>> tenths_by(const Numbers& numbers) {
  std::vector<std::size_t> order(numbers.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return numbers[a] < numbers[b]; });
  std::vector<std::vector<std::size_t>> tenths(std::min(kTenths, numbers.size()));
  for (std::size_t k = 0; k < order.size(); ++k) tenths[k * tenths.size() / order.size()].push_back(order[k]);
  return tenths;
}

double mean_over(const std::vector<std::size_t>& places, const Numbers& numbers) {
  double sum = 0;
  for (const std::size_t place : places) sum += numbers[place];
  return sum / static_cast<double>(places.size());
}

void report_tenths(const MoistureAnswers& said, const Numbers& truth, Results& results) {
  Numbers predicted, measured, lower, upper, width, share;
  const Numbers inside = covered(said, truth);
  for (const auto& tenth : tenths_by(said.mean)) {
    predicted.push_back(mean_over(tenth, said.mean)), measured.push_back(mean_over(tenth, truth));
    lower.push_back(mean_over(tenth, said.lower)), upper.push_back(mean_over(tenth, said.upper));
  }
  results.coordinate("predicted", predicted, "%", "predicted moisture, mean of a tenth of the test rows");
  results.add("measured", {"predicted"}, measured, "%", "measured moisture, mean");
  results.add("perfect", {"predicted"}, predicted, "%", "prediction");
  results.add("interval_low", {"predicted"}, lower, "%", "90 % interval of a row, mean of its ends");
  results.add("interval_high", {"predicted"}, upper, "%", "90 % interval of a row, mean of its ends");
  results.figure({.kind = "lines",
                  .name = "reliability",
                  .title = "Measured against predicted",
                  .caption =
                      "Means of tenths of the test rows by prediction. Dashed: prediction and measurement agree. "
                      "The area is the mean 90 % interval of a single row.",
                  .variables = {"measured"},
                  .references = {"perfect"},
                  .x = "predicted",
                  .band_low = "interval_low",
                  .band_high = "interval_high",
                  .value_label = "moisture"});
  Numbers widths;
  for (std::size_t i = 0; i < truth.size(); ++i) widths.push_back(said.upper[i] - said.lower[i]);
  for (const auto& tenth : tenths_by(widths)) {
    width.push_back(mean_over(tenth, widths)), share.push_back(mean_over(tenth, inside));
  }
  results.coordinate("width", width, "%", "width of the interval, mean of a tenth of the test rows");
  results.add("covered", {"width"}, share, "1", "share of the truths within");
  results.add("nominal", {"width"}, Numbers(width.size(), kNominal), "1", "nominal");
  results.figure({.kind = "lines",
                  .name = "coverage",
                  .title = "Do narrow intervals hold as often as wide ones?",
                  .caption = "Share of the truths within their interval, in tenths of the test rows by its width.",
                  .variables = {"covered"},
                  .references = {"nominal"},
                  .x = "width"});
}

/// The last token's category or number of a case; NaN where no token has it.
Numbers last_numbers(const Cases& cases, const std::string& feature) {
  Numbers numbers(cases.count(), kNan);
  const auto found = std::find_if(cases.features.begin(), cases.features.end(),
                                  [&](const study::Feature& one) { return one.name == feature; });
  if (found == cases.features.end()) return numbers;
  for (Index i = 0; i < cases.count(); ++i)
    for (Index k = cases.offsets[i]; k < cases.offsets[i + 1]; ++k)
      if (const float number = cases.values(k, found - cases.features.begin()); !std::isnan(number))
        numbers[i] = static_cast<double>(number);
  return numbers;
}

struct TrustRows {
  std::vector<std::string> names;
  Numbers mean, low, high, cases;
  void add(const std::string& name, Numbers trust) {
    std::sort(trust.begin(), trust.end());
    names.push_back(name), cases.push_back(static_cast<double>(trust.size()));
    mean.push_back(mean_of(trust)), low.push_back(sorted_quantile(trust, 0.05)),
        high.push_back(sorted_quantile(trust, 0.95));
  }
};

void report_trust(const MoistureAnswers& said, const Cases& test, Results& results) {
  constexpr std::size_t kFewest = 5;
  const Numbers covers = last_numbers(test, "land cover");
  Numbers trust(said.trust.col(1).begin(), said.trust.col(1).end());
  results.scalar("trust_s2", mean_of(trust), "1", "mean trust in S2; the rest is trust in S1");
  TrustRows rows;
  rows.add("all", trust);
  for (std::size_t c = 0; c < datasets::fields::kLandCovers.size(); ++c) {
    Numbers here;
    for (std::size_t i = 0; i < trust.size(); ++i)
      if (covers[i] == static_cast<double>(c)) here.push_back(trust[i]);
    if (here.size() >= kFewest) rows.add(datasets::fields::kLandCovers[c], here);
  }
  results.coordinate("cover", rows.names, "", "land cover of the last month");
  results.add("trust_by_cover", {"cover"}, rows.mean, "1", "mean trust in S2; the rest is trust in S1");
  results.add("trust_by_cover_low", {"cover"}, rows.low, "1", "nine tenths of the rows");
  results.add("trust_by_cover_high", {"cover"}, rows.high, "1", "upper end of nine tenths");
  results.add("rows_of_cover", {"cover"}, rows.cases, "1", "test rows");
  results.figure({.kind = "intervals",
                  .name = "trust_by_cover",
                  .title = "Whom the arbiter trusts",
                  .caption =
                      "Trust in S2 over the test rows of each land cover, both sensors there: mean, and the range of "
                      "nine tenths of the rows. The rest is trust in S1.",
                  .variables = {"trust_by_cover"},
                  .x = "cover",
                  .band_low = "trust_by_cover_low",
                  .band_high = "trust_by_cover_high",
                  .value_label = "trust in S2"});
}

}  // namespace

void report_moisture(const LearnedMoisture& learned, const study::LearnedTask& task, const Cases& training,
                     const Cases& test, const Random& random, Results& results) {
  const MoistureAnswers said = answers_of(learned.model, task, test);
  const Numbers& truth = test.targets;
  const OverSites sites(test, random);
  const BootstrapInterval error = sites.of_rmse(said.mean, truth), coverage = sites.of_mean(covered(said, truth));
  results.scalar("rmse", error.estimate, "%", "root mean squared error on test sites");
  results.scalar("rmse_low", error.low, "%", "95 % bootstrap interval over sites");
  results.scalar("rmse_high", error.high, "%", "95 % bootstrap interval over sites");
  results.scalar("rmse_half_width", (error.high - error.low) / 2, "%", "half of the interval");
  results.scalar("coverage", coverage.estimate, "1", "share of the truths within the 90 % intervals, test sites");
  results.scalar("coverage_low", coverage.low, "1", "95 % bootstrap interval over sites");
  results.scalar("coverage_high", coverage.high, "1", "95 % bootstrap interval over sites");
  results.scalar("coverage_half_width", (coverage.high - coverage.low) / 2, "1", "half of the interval");
  results.scalar("training_rows", static_cast<double>(training.count()), "1", "training rows");
  results.scalar("test_rows", static_cast<double>(test.count()), "1", "rows of other sites");
  results.headline({.variable = "rmse",
                    .label = "RMSE, % moisture",
                    .predicted = "",
                    .half_width = "rmse_half_width",
                    .meaning = "On sites that were not used for training."});
  results.headline({.variable = "coverage",
                    .label = "within the 90 % interval",
                    .predicted = "",
                    .half_width = "coverage_half_width",
                    .meaning = "Intervals rest on errors at training sites, out of fold."});
  report_predictors(learned, said, training, truth, sites, results);
  report_tenths(said, truth, results);
  report_lost(learned, task, test, sites, results);
  report_trust(said, test, results);
  results.check({"coverage", "share of the truths within the 90 % intervals on test sites",
                 "Vovk 2015: errors out of fold", kNominal, coverage.estimate, absolute(kAllowed)});
  learning::add_ensemble_curves(results, "final", learned.reports);
}

}  // namespace fovea::fusion::moisture
