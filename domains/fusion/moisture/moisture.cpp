/// The experiment "fusion.moisture": how much water is in living fuel, a number with an interval.

#include <algorithm>
#include <cmath>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/missing.hpp"
#include "fovea/core/base/storage.hpp"
#include "fovea/core/base/words.hpp"
#include "fovea/core/data/dataset_csv.hpp"
#include "fovea/core/data/view.hpp"
#include "fovea/core/statistics/folds.hpp"
#include "fovea/core/study/cases/split_settings.hpp"
#include "fovea/core/study/ensemble/fitting_settings.hpp"
#include "fovea/core/study/predict/images_predictor.hpp"
#include "fovea/core/study/predict/new_files.hpp"
#include "fovea/core/study/predict/prediction_rows.hpp"
#include "fovea/core/study/report/reading_report.hpp"
#include "fovea/core/study/trained/study_keys.hpp"
#include "fovea/datasets/fields/made_moisture.hpp"
#include "fovea/domains/fusion/experiments.hpp"
#include "fovea/domains/fusion/findings.hpp"
#include "fovea/domains/fusion/model/sealed_model.hpp"
#include "fovea/domains/fusion/moisture/moisture_cases.hpp"
#include "fovea/domains/fusion/moisture/moisture_scores.hpp"

namespace fovea::fusion::moisture {

namespace {

using datasets::fields::MoistureTable;

/// Sites for test where the table names none.
void split_sites(const std::string& source, MoistureTable& table, const study::Cases& cases, double share,
                 const Random& random) {
  constexpr Index kParts = 20;
  const std::vector<Index> groups = study::group_numbers(cases);
  const Index sites = groups.empty() ? 0 : 1 + *std::max_element(groups.begin(), groups.end());
  if (sites < kParts)
    throw DataError(concat(source, ": has ", counted(sites, "site"), ", but ", kParts,
                           " are needed to draw those of the test; name them by is_test."));
  const std::vector<Index> part = group_folds(groups, kParts, random);
  for (const Index of_row : part)
    table.is_test.push_back(of_row < std::max<Index>(1, std::lround(share * kParts)) ? 1 : 0);
}

study::Reading reading_of(const MoistureSettings& settings, const MoistureTable& table) {
  study::Reading reading{.noun = "row", .token = "sensor reading", .group = "site"};
  if (!settings.file.empty()) reading.files = {settings.file};
  for (const std::string& what : table.left_out) reading.leave_out("row", "a number that cannot be", what);
  reading.without_folders();
  return reading;
}

/// The cases of one side whose moisture was measured.
study::Cases measured(const study::Cases& cases, const std::vector<Index>& items, const std::string& source,
                      const char* side) {
  std::vector<Index> known;
  for (const Index item : items)
    if (!std::isnan(cases.targets[item])) known.push_back(item);
  if (known.size() < 2)
    throw DataError(concat(source, ": of its rows for ", side, ' ', known.size(),
                           " have a known moisture y, but at least 2 are needed."));
  return study::selected(cases, known);
}

std::string csv_of(const study::Cases& cases, const MoistureAnswers& said) {
  std::string text = "row,prediction,lower,upper,trust_s1,trust_s2\n";
  for (std::size_t i = 0; i < said.mean.size(); ++i) {
    text += csv_text(cases.ids[i]);
    for (const double number : {said.mean[i], said.lower[i], said.upper[i], said.trust(static_cast<Index>(i), 0),
                                said.trust(static_cast<Index>(i), 1)})
      text += ',' + exact_text(number);
    text += '\n';
  }
  return text;
}

class Moisture final : public Experiment, public study::ImagesPredictor {
 public:
  std::string_view name() const override { return task_->name(); }
  std::string_view summary() const override { return task_->summary(); }
  int result_version() const override { return task_->result_version(); }
  Schema schema() const override { return study::study_schema(*task_); }
  void check(const Config& config, Complaints& complaints) const override {
    study::check_study(*task_, config, complaints);
    if (study::split_keys().read(config).folds < 2)
      complaints.add(config.source("split.folds"),
                     "split.folds must be >= 2: intervals rest on sites that did not teach.");
    if (study::split_keys().read(config).method != study::FoldMethod::group)
      complaints.add(config.source("split.method"),
                     "split.method must be \"group\": intervals rest on sites that did not teach.");
  }
  Inputs open(const Config& config) const override {
    const std::string& file = config.text("data.file");
    if (file.empty()) return {};
    MoistureTable table = datasets::fields::read_moisture_table(file, config.text("data.bad") == "leave out");
    if (table.moisture.empty())
      throw DataError(concat(file, ": has no array y of moisture to learn from; a table without it can be predicted."));
    return as_inputs(std::move(table));
  }

  void run(const Config& config, Inputs inputs, const Random& random, Results& results,
           Workbench& bench) const override {
    const bool simulated = inputs.empty();
    const MoistureSettings settings = moisture_keys().read(config);
    const study::SplitSettings split = study::split_keys().read(config);
    const std::string source = simulated ? "the simulated table" : settings.file;
    MoistureTable table =
        simulated ? datasets::fields::made_moisture(settings.sites, {.noise = settings.noise}, random.stream("table"))
                  : *inputs.as<MoistureTable>();
    study::Cases cases = cases_of_moisture(table);
    study::check_cases(source, cases);
    if (results.finding(TestSitesDrawn{!table.is_test.empty()}))
      split_sites(source, table, cases, split.test, random.stream("test sites"));
    const MoistureSides sides = sides_of_moisture(source, table);
    cases.reading = reading_of(settings, table);
    study::count_cases(cases.reading, cases, task_->target(config));
    cases.reading.first = cases.reading.last = kNan;  // times are places of months within a row
    study::report_reading(cases, {study::Split{sides.training, {}, sides.test}}, results, bench);
    const study::Cases training = measured(cases, sides.training, source, "training"),
                       test = measured(cases, sides.test, source, "test");
    learning::TrainingSeries trainings(bench, (split.folds + 1) * study::fitting_keys().read(config).members);
    const LearnedMoisture learned = learn_moisture(source, *task_, training, config, random, trainings);
    report_moisture(learned, *task_, training, test, random.stream("bootstrap"), results);
    if (simulated)
      results.check({"above_noise", "RMSE over the deviation of the measurement",
                     "no prediction is better than the noise; up to half of the remaining variance may be unexplained",
                     1.3, view(results.data, "rmse").mean().mean / settings.noise, absolute(0.4)});
    model::keep_model(moisture_model_dataset(*task_, learned.model), results);
  }

  const Predictor* predictor(std::string_view) const override { return this; }
  std::vector<std::string> apply(const std::string& source, const Dataset& data,
                                 const Request& request) const override {
    const MoistureModel model = read_moisture_model(source, data, *task_);
    const Config config =
        study::config_of_new_files(*task_, model.attention.config, {.data = request.data, .set = request.set});
    const MoistureTable table =
        datasets::fields::read_moisture_table(request.data, moisture_keys().read(config).leave_out_bad);
    const study::Cases cases = cases_for(model, request.data, table);
    const MoistureAnswers said = answers_of(model, *task_, cases);
    write_file(request.output, csv_of(cases, said));
    std::vector<std::string> notes{counted(cases.count(), "row")};
    const study::Reading reading = reading_of({.file = request.data}, table);
    for (const study::LeftOut& one : reading.left_out)
      notes.push_back("left out: " + study::left_out_text(reading, one));
    double sum = 0, count = 0;
    for (std::size_t i = 0; i < cases.targets.size(); ++i)
      if (const double error = said.mean[i] - cases.targets[i]; !std::isnan(error)) sum += error * error, ++count;
    if (count > 0)
      notes.push_back(
          concat("RMSE of the ", count, " rows with a known moisture: ", plain_text(std::sqrt(sum / count), 4), " %"));
    return notes;
  }
  std::string describe(const std::string& source, const Dataset& data) const override {
    const MoistureModel model = read_moisture_model(source, data, *task_);
    std::string features;
    for (const study::Feature& feature : model.attention.preparation.features)
      features += concat(features.empty() ? "" : ", ", feature.name);
    return concat(
        "moisture in per cent of dry mass from ", counted(model.months, "month"), " of ", features, "\n",
        counted(std::ssize(model.attention.members), "member"), " of attention", ", weight ", plain_text(model.own()),
        model.forest
            ? concat("; a forest of ", model.forest->roots.size(), " trees, weight ", plain_text(model.forest_share))
            : std::string(),
        model.rows ? concat("; attention over ", model.rows->values.size(), " training rows, weight ",
                            plain_text(model.rows_share))
                   : std::string(),
        model.constant_share > 0
            ? concat("; the mean of what was learned from, weight ", plain_text(model.constant_share))
            : "",
        "\n90 % intervals: ", plain_text(model.low), " deviations below, ", plain_text(model.high), " above\n");
  }

  void conclude(Results& merged) const override {
    if (!merged.data.has("rmse")) return;
    const auto of = [&](const char* variable) { return view(merged.data, variable).mean().mean; };
    const auto lost = [&](std::size_t k) { return view(merged.data, "sensors_rmse").at({{"sensors", k}}).mean().mean; };
    merged.finding(MoistureError{of("rmse"), lost(1), lost(2), of("coverage")});
  }

 private:
  std::unique_ptr<study::LearnedTask> task_ = moisture_task();
};

}  // namespace

std::unique_ptr<Experiment> make_moisture() { return std::make_unique<Moisture>(); }

}  // namespace fovea::fusion::moisture
