// Rows of moisture as tokens and columns, what teaches, a lost sensor, the model's file and what is refused.

#include "fovea/core/study/trained/study_keys.hpp"
#include "fovea/core/study/trees/bagged_trees.hpp"
#include "fovea/datasets/fields/made_moisture.hpp"
#include "fovea/domains/fusion/model/lost_sensors.hpp"
#include "fovea/domains/fusion/model/sealed_model.hpp"
#include "fovea/domains/fusion/moisture/moisture_cases.hpp"
#include "fovea/domains/fusion/moisture/moisture_model.hpp"
#include "fovea/tests/support/runs/run.hpp"
#include "fovea/tests/support/test.hpp"

namespace fovea::fusion::moisture {

namespace {

using datasets::fields::MoistureTable;

MoistureTable made_table(Index sites = 12) { return datasets::fields::made_moisture(sites, {6, 12, 30}, Random(5)); }

const std::string kSmallMoisture =
    "[model]\ndates = 3\nwidth = 8\nheads = 2\nfeatures = 8\n[training]\nepochs = 2\npatience = 0\n[split]\nfolds = 3\n"
    "validation = 0\n[ensemble]\nmembers = 2\n[forest]\ntrees = 8\n";

LearnedMoisture learned_of(const study::Cases& cases, const study::LearnedTask& task) {
  const auto bench = plain_workbench();
  learning::TrainingSeries trainings(*bench, 8);
  return learn_moisture("made", task, cases, support::config_of(task, kSmallMoisture), Random(3), trainings);
}

Index column_of(const study::Cases& cases, const std::string& name) {
  const auto found = std::find_if(cases.features.begin(), cases.features.end(),
                                  [&](const study::Feature& one) { return one.name == name; });
  REQUIRE(found != cases.features.end());
  return found - cases.features.begin();
}

}  // namespace

TEST_CASE("a row of moisture is a token for each sensor and month that is whole", "[fusion]") {
  MoistureTable table = made_table();
  table.values(1, 0) = kNan;                                         // VV in the second month of the first row
  table.values.row(3).head(6) = table.values.row(3).head(6) * kNan;  // both sensors in the first month of the second
  const study::Cases cases = cases_of_moisture(table);
  CHECK(cases.count() == table.count());
  CHECK(cases.size(0) == 5);
  CHECK(cases.size(1) == 4);
  CHECK(cases.groups[0] == "site 0");
  const Index vh = column_of(cases, "VH"), ndvi = column_of(cases, "NDVI"), warm = column_of(cases, "temperature_2m");
  CHECK(static_cast<double>(cases.values(0, vh)) == Approx(table.values(0, 1)));
  CHECK(std::isnan(cases.values(0, ndvi)));
  const double red = table.values(0, 2), near = table.values(0, 3);
  CHECK(static_cast<double>(cases.values(2, ndvi)) == Approx((near - red) / (near + red)));
  CHECK(static_cast<double>(cases.values(2, warm)) == Approx(table.values(0, 6)));
  const Matrix<float> columns = columns_of_moisture(cases, 3);
  CHECK(std::isnan(columns(0, vh * 3 + 1)));
  CHECK(static_cast<double>(columns(0, warm * 3 + 1)) == Approx(table.values(1, 6)));  // S2 has it
  CHECK(std::isnan(columns(1, warm * 3)));
}

TEST_CASE("a site of moisture is on one side", "[fusion][property]") {
  MoistureTable table = made_table();
  for (Index i = 0; i < table.count(); ++i) table.is_test.push_back(i < 24 ? 1 : 0);
  const MoistureSides sides = sides_of_moisture("made", table);
  CHECK(sides.test.size() == 24);
  table.is_test[23] = 0;
  CHECK(refusal_of<DataError>([&] { sides_of_moisture("made", table); }) ==
        "made: site site 3 has rows of training and of test; keep it on one side.");
}

TEST_CASE("a lost sensor has a trust of 0, answers are the same alone and with any threads, and in a file",
          "[fusion]") {
  const auto task = moisture_task();
  const study::Cases cases = cases_of_moisture(made_table());
  const LearnedMoisture learned = learned_of(cases, *task);
  const MoistureAnswers all = answers_of(learned.model, *task, cases);
  const study::Cases blind = model::without_sensor(cases, 1);
  const MoistureAnswers radar = answers_of(learned.model, *task, blind);
  CHECK(radar.trust.col(1).cwiseAbs().maxCoeff() == 0);
  CHECK(radar.trust.col(0).minCoeff() == 1);
  CHECK((all.trust.rowwise().sum().array() - 1).abs().maxCoeff() < 1e-6);
  const int threads = omp_get_max_threads();
  for (const int some : {1, 2, 3, 5}) {
    omp_set_num_threads(some);
    const MoistureAnswers alone = answers_of(learned.model, *task, study::selected(cases, {17}));
    CHECK(alone.mean[0] == all.mean[17]);
    CHECK(alone.lower[0] == all.lower[17]);
    CHECK(learned_of(cases, *task).model.high == learned.model.high);
  }
  omp_set_num_threads(threads);
  const Dataset file = moisture_model_dataset(*task, learned.model);
  const MoistureModel read = read_moisture_model("model.h5", file, *task);
  const MoistureAnswers again = answers_of(read, *task, cases);
  CHECK(again.mean == all.mean);
  CHECK(again.upper == all.upper);
  Dataset changed = file;
  std::get<std::vector<double>>(changed.at("rows_share").values)[0] = 2;
  CHECK(refusal_of<DataError>([&] {
          read_moisture_model("model.h5", changed, *task);
        }).find("does not match its hash") != std::string::npos);
}

TEST_CASE("a model of moisture written before the mean had a share has none of it", "[fusion]") {
  const auto task = moisture_task();
  const study::Cases cases = cases_of_moisture(made_table());
  MoistureModel model = learned_of(cases, *task).model;
  model.constant_share = 0;
  const Dataset whole = moisture_model_dataset(*task, model);
  const auto without = [&](const std::string& name) {
    Dataset rest;
    rest.attributes = whole.attributes, rest.documents = whole.documents;
    for (const Dimension& dimension : whole.dimensions()) rest.dimension(dimension.name, dimension.size);
    for (const Variable& variable : whole.variables())
      if (variable.name != name) rest.add(variable);
    model::seal(rest);
    return rest;
  };
  const MoistureModel read = read_moisture_model("model.h5", without("constant_share"), *task);
  CHECK(read.constant_share == 0);
  CHECK(answers_of(read, *task, cases).mean == answers_of(model, *task, cases).mean);
  CHECK_THROWS_AS(read_moisture_model("model.h5", without("rows_share"), *task), DataError);
}

TEST_CASE("intervals of moisture leave room for one more site than taught", "[fusion][statistics]") {
  const auto task = moisture_task();
  const study::Cases cases = cases_of_moisture(made_table(20));
  const MoistureAnswers said = learned_of(cases, *task).out_of_fold;
  double inside = 0;
  for (std::size_t i = 0; i < said.mean.size(); ++i)
    inside += cases.targets[i] >= said.lower[i] && cases.targets[i] <= said.upper[i] ? 1 : 0;
  const double beyond = (0.05 * 21 - 0.5) / 20;  // of the rows of 20 sites, on either side
  CHECK(std::abs(inside / static_cast<double>(said.mean.size()) - (1 - 2 * beyond)) < 0.02);
}

TEST_CASE("a table that lacks a sensor is answered, one that lacks the weather is not", "[fusion]") {
  const auto task = moisture_task();
  const LearnedMoisture learned = learned_of(cases_of_moisture(made_table()), *task);
  MoistureTable radar = made_table();
  radar.bands = {"VV", "VH", "temperature_2m", "total_precipitation", "elevation", "slope"};
  Matrix<double> left(radar.values.rows(), 6);
  left << radar.values.leftCols(2), radar.values.rightCols(4);
  radar.values = left;
  const study::Cases cases = cases_for(learned.model, "new.h5", radar);
  CHECK(answers_of(learned.model, *task, cases).trust.col(1).maxCoeff() == 0);
  radar.bands[2] = "dew_point";
  CHECK(refusal_of<DataError>([&] { cases_for(learned.model, "new.h5", radar); }).find("temperature_2m") !=
        std::string::npos);
}

TEST_CASE("attention over the rows that taught is the mean by Nadaraya and Watson", "[fusion][twin]") {
  const study::Cases cases = cases_of_moisture(made_table());
  std::vector<Index> first(36);
  for (std::size_t i = 0; i < first.size(); ++i) first[i] = static_cast<Index>(i);
  const RowMemory memory = row_memory(cases, first, 3, 0.7);
  CHECK(memory.columns.size() == 3 + 3 + 2 + 6 + 2);  // weather, relief once, season, place once
  const std::vector<double> said = answers_of(memory, study::selected(cases, {5, 60}), 3);
  const RowMemory scaled = row_memory(cases, {5, 60}, 3, 1);
  double sum = 0, weight = 0;
  for (Index j = 0; j < 36; ++j) {
    const double w = std::exp(-(memory.keys.row(5) - memory.keys.row(j)).squaredNorm() / (2 * 0.7 * 0.7));
    sum += w * memory.values[j], weight += w;
  }
  CHECK(said[0] == Approx(sum / weight));
  CHECK(scaled.keys.rows() == 2);
}

TEST_CASE("a forest for numbers is the mean of its trees and finds a step", "[study][trees]") {
  Matrix<float> rows(200, 2);
  std::vector<float> targets;
  for (Index i = 0; i < 200; ++i) {
    rows(i, 0) = static_cast<float>(i % 20), rows(i, 1) = static_cast<float>(i % 7);
    targets.push_back(i % 20 < 10 ? 10.0F : 30.0F);
  }
  study::BaggingSettings settings;
  settings.trees = 50, settings.column_share = 1;
  const study::BoostedTrees forest = study::bagged_trees(rows, targets, {}, settings, 3);
  CHECK(forest.roots.size() == 50);
  CHECK(forest.base == Approx(20));
  const float low[] = {3, 2}, high[] = {15, 2};
  CHECK(std::abs(forest.log_odds(low) - 10) < 1);
  CHECK(std::abs(forest.log_odds(high) - 30) < 1);
  CHECK(study::bagged_trees(rows, targets, {}, settings, 3).value == forest.value);
}

TEST_CASE("the shared table of moisture has months, sites and places", "[fields]") {
  const auto path = support::shared_data("fusion/fuel_moisture.h5");
  if (!path) return;
  const MoistureTable table = datasets::fields::read_moisture_table(path->string());
  CHECK(table.count() == 2313);
  CHECK(table.months == 3);
  CHECK(std::count(table.is_test.begin(), table.is_test.end(), 1) == 735);
  CHECK(table.sites.front() == "Lost Creek, WY");
  CHECK(table.covers(0, 0) == 2);
  CHECK(sides_of_moisture("file", table).training.size() == 1578);
  CHECK(cases_of_moisture(table).tokens() == 2313 * 6);
}

}  // namespace fovea::fusion::moisture
