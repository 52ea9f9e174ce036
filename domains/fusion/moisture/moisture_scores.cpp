#include "fovea/domains/fusion/moisture/moisture_scores.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <set>

#include "fovea/core/base/missing.hpp"
#include "fovea/core/base/moments.hpp"
#include "fovea/core/base/words.hpp"
#include "fovea/core/data/rows.hpp"
#include "fovea/core/learning/training/training_curves.hpp"
#include "fovea/core/statistics/bootstrap.hpp"
#include "fovea/core/study/ensemble/rows.hpp"
#include "fovea/core/study/report/number_findings.hpp"
#include "fovea/domains/fusion/model/lost_sensors.hpp"
#include "fovea/domains/fusion/model/sensor_tokens.hpp"

namespace fovea::fusion::moisture {

namespace {

using study::Cases;
using Numbers = std::vector<double>;

constexpr std::size_t kTenths = 10;
constexpr double kNominal = 0.9, kAllowed = 0.05;  // of the intervals
const char* const kOverSites = "95 % bootstrap interval over sites";
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

void report_predictors(const LearnedMoisture& learned, const MoistureAnswers& said, const Cases& training,
                       const Numbers& truth, const OverSites& sites, Results& results) {
  struct Part {
    std::string name;
    BootstrapInterval error;
    double out_of_fold;
  };
  std::vector<Part> parts;
  const auto add = [&](const char* name, const Numbers& on_test, const Numbers& on_training) {
    if (!on_test.empty()) parts.push_back({name, sites.of_rmse(on_test, truth), rmse(on_training, training.targets)});
  };
  const MoistureAnswers& before = learned.out_of_fold;
  add("all together", said.mean, before.mean);
  add("arbiter alone", said.arbiter, before.arbiter);
  add("forest alone", said.forest, before.forest);
  add("rows that taught alone", said.rows, before.rows);
  const double mean = mean_of(training.targets);
  add("mean of the training rows", Numbers(truth.size(), mean), Numbers(training.targets.size(), mean));
  rows("predictor", parts, &Part::name, "predictor")
      .interval("predictor_rmse", &Part::error, "root mean squared error on test sites", "%")
      .ends(kOverSites)
      .number("predictor_rmse_out_of_fold", &Part::out_of_fold, "out of fold on training sites", "%")
      .write(results)
      .intervals(results, "predictor_rmse",
                 {.name = "predictors",
                  .title = "What each part of the model is worth",
                  .caption = "Root mean squared error on test sites, 95 % bootstrap interval over sites; "
                             "the sign beside it: out of fold, on the training sites.",
                  .variables = {"predictor_rmse_out_of_fold"},
                  .value_label = "RMSE"});
}

void report_lost(const LearnedMoisture& learned, const study::LearnedTask& task, const Cases& test,
                 const OverSites& sites, Results& results) {
  struct Given {
    const char* name;
    Index lost;
    BootstrapInterval error{kNan, kNan, kNan, kNan, 0};
    double coverage = kNan;
  };
  std::vector<Given> list{{"both", -1}, {"s2 lost", 1}, {"s1 lost", 0}};
  for (Given& given : list) {
    const Cases cases = model::without_sensor(test, given.lost);
    bool some_lost = false;
    for (Index i = 0; i < cases.count(); ++i) some_lost = some_lost || cases.size(i) == 0;
    if (some_lost) continue;
    const MoistureAnswers said = answers_of(learned.model, task, cases);
    given.error = sites.of_rmse(said.mean, test.targets);
    given.coverage = mean_of(covered(said, test.targets));
    if (given.lost < 0) continue;
    const std::string& lost = model::kSensorNames[given.lost];
    results.check({concat("trust_in_lost_", lost), concat("largest trust in ", lost, " where it is lost"),
                   "a sensor without tokens is no key", 0, said.trust.col(given.lost).maxCoeff(), absolute(0)});
  }
  rows("sensors", list, &Given::name, "what the model is given")
      .interval("sensors_rmse", &Given::error, "root mean squared error on test sites", "%")
      .ends(kOverSites)
      .number("sensors_coverage", &Given::coverage, "share of the truths within the 90 % intervals")
      .write(results)
      .intervals(
          results, "sensors_rmse",
          {.name = "sensors_lost",
           .title = "When a sensor is lost",
           .caption =
               "One and the same model on test sites, with a sensor taken away; weather, relief, land cover and place "
               "remain. 95 % bootstrap interval over sites.",
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
  struct Tenth {
    double predicted, measured, low, high;
  };
  std::vector<Tenth> tenths;
  for (const auto& places : tenths_by(said.mean))
    tenths.push_back({mean_over(places, said.mean), mean_over(places, truth), mean_over(places, said.lower),
                      mean_over(places, said.upper)});
  const char* const ends = "90 % interval of a row, mean of its ends";
  rows("predicted", tenths, &Tenth::predicted, "predicted moisture, mean of a tenth of the test rows", "%")
      .number("measured", &Tenth::measured, "measured moisture, mean", "%")
      .number("perfect", &Tenth::predicted, "prediction", "%")
      .range("interval", std::identity(), ends, ends, "%")
      .write(results)
      .lines(results, "measured",
             {.name = "reliability",
              .title = "Measured against predicted",
              .caption = "Means of tenths of the test rows by prediction. Dashed: prediction and measurement agree. "
                         "The area is the mean 90 % interval of a single row.",
              .references = {"perfect"},
              .band_low = "interval_low",
              .band_high = "interval_high",
              .value_label = "moisture"});
  struct Widths {
    double width, covered;
  };
  const Numbers inside = covered(said, truth);
  Numbers widths;
  for (std::size_t i = 0; i < truth.size(); ++i) widths.push_back(said.upper[i] - said.lower[i]);
  std::vector<Widths> shares;
  for (const auto& places : tenths_by(widths)) shares.push_back({mean_over(places, widths), mean_over(places, inside)});
  rows("width", shares, &Widths::width, "width of the interval, mean of a tenth of the test rows", "%")
      .number("covered", &Widths::covered, "share of the truths within")
      .number(
          "nominal", [](const Widths&) { return kNominal; }, "nominal")
      .write(results)
      .lines(results, "covered",
             {.name = "coverage",
              .title = "Do narrow intervals hold as often as wide ones?",
              .caption = "Share of the truths within their interval, in tenths of the test rows by its width.",
              .references = {"nominal"}});
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

void report_trust(const MoistureAnswers& said, const Cases& test, Results& results) {
  constexpr std::size_t kFewest = 5;
  const Numbers covers = last_numbers(test, "land cover");
  const Numbers trust(said.trust.col(1).begin(), said.trust.col(1).end());
  results.scalar("trust_s2", mean_of(trust), "1", "mean trust in S2; the rest is trust in S1");
  struct Cover {
    std::string name;
    Numbers trust;
  };
  std::vector<Cover> list{{"all", trust}};
  for (std::size_t c = 0; c < datasets::fields::kLandCovers.size(); ++c) {
    Numbers here;
    for (std::size_t i = 0; i < trust.size(); ++i)
      if (covers[i] == static_cast<double>(c)) here.push_back(trust[i]);
    if (here.size() >= kFewest) list.push_back({datasets::fields::kLandCovers[c], here});
  }
  rows("cover", list, &Cover::name, "land cover of the last month")
      .interval(
          "trust_by_cover", [](const Cover& cover) { return model::trust_range(cover.trust); },
          "mean trust in S2; the rest is trust in S1")
      .ends("nine tenths of the rows", "upper end of nine tenths")
      .number(
          "rows_of_cover", [](const Cover& cover) { return cover.trust.size(); }, "test rows")
      .write(results)
      .intervals(results, "trust_by_cover",
                 {.title = "Whom the arbiter trusts",
                  .caption = "Trust in S2 over the test rows of each land cover, both sensors there: mean, and the "
                             "range of nine tenths of the rows. The rest is trust in S1.",
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
  results.scalar("rmse_low", error.low, "%", kOverSites);
  results.scalar("rmse_high", error.high, "%", kOverSites);
  results.scalar("rmse_half_width", (error.high - error.low) / 2, "%", "half of its 95 % interval");
  results.scalar("coverage", coverage.estimate, "1", "share of the truths within the 90 % intervals, test sites");
  results.scalar("coverage_low", coverage.low, "1", kOverSites);
  results.scalar("coverage_high", coverage.high, "1", kOverSites);
  results.scalar("coverage_half_width", (coverage.high - coverage.low) / 2, "1", "half of its 95 % interval");
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
  const std::vector<Index> groups = study::group_numbers(training);
  const std::string group = training.groups.empty() ? "row" : "site";
  results.finding(study::IntervalsRest{coverage.estimate, coverage.low, coverage.high, 1 - learned.model.constant_share,
                                       group,
                                       static_cast<Index>(std::set<Index>(groups.begin(), groups.end()).size())});
  report_predictors(learned, said, training, truth, sites, results);
  report_tenths(said, truth, results);
  report_lost(learned, task, test, sites, results);
  report_trust(said, test, results);
  results.check({"coverage", "share of the truths within the 90 % intervals on test sites",
                 "Vovk 2015: errors out of fold", kNominal, coverage.estimate, absolute(kAllowed)});
  learning::add_ensemble_curves(results, "final", learned.reports);
}

}  // namespace fovea::fusion::moisture
