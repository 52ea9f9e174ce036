/// The experiment "fusion.arbiter": whom to trust, where Bayes' rule knows the answer.

#include <algorithm>
#include <cmath>

#include "fovea/core/base/missing.hpp"
#include "fovea/core/data/view.hpp"
#include "fovea/core/statistics/tests/rank_correlation.hpp"
#include "fovea/core/study/model/shared_keys.hpp"
#include "fovea/core/study/study.hpp"
#include "fovea/datasets/fields/field_series.hpp"
#include "fovea/datasets/simulated/scene_bayes.hpp"
#include "fovea/domains/fusion/crops/field_cases.hpp"
#include "fovea/domains/fusion/experiments.hpp"
#include "fovea/domains/fusion/findings.hpp"
#include "fovea/domains/fusion/model/answer_maps.hpp"
#include "fovea/domains/fusion/model/fusion_task.hpp"
#include "fovea/domains/fusion/model/lost_sensors.hpp"
#include "fovea/domains/fusion/shared_keys.hpp"

namespace fovea::fusion::arbiter {

namespace {

using namespace datasets::simulated;
using datasets::fields::FieldSeries;
using study::Cases;
using study::StudyOutcome;

const std::vector<std::string> kBands{"B02", "B03", "B04", "B08"};
constexpr Index kRadarColumns = 3;
const char* const kDerived = "Bayes' rule with the densities of the scene, domains/fusion/README.md";

struct ArbiterSettings {
  std::string file, label = "class4";
  Index side = 96;  ///< of each of three scenes
  double looks = 4, cloud = 0.2;
  bool leave_out_bad = false;
  bool simulated() const { return file.empty(); }
};

const DataKeys<ArbiterSettings>& arbiter_keys() {
  using S = ArbiterSettings;
  static const auto simulated =
      Keys<S>().key(kSide.within(Range::between(8, 2000)), &S::side).key(kLooks, &S::looks).key(kCloud, &S::cloud);
  static const DataKeys<S> keys{
      Keys<S>()
          .file(study::kDataFile, &S::file,
                "pixels as series of fields of one date (HDF5, datasets/fields/field_series.hpp), with the "
                "numbers of the classes; none: simulated scenes")
          .key(kLabel, &S::label)
          .also([](Schema& schema) { simulated.declare(schema); })
          .choice(study::kDataBad, &S::leave_out_bad)
          .added_later(),
      simulated};
  return keys;
}

/// Pixels are independent: a patch is one pixel. Then nothing is known of a pixel beyond what it shows.
SensorScenePlan plan_of(const ArbiterSettings& settings) {
  SensorScenePlan plan;
  plan.rows = plan.columns = settings.side;
  plan.patch = 1;
  plan.looks = settings.looks, plan.cloud_share = settings.cloud;
  return plan;
}

/// A field a pixel, of one date; S2 is missing where the mask says cloudy.
void add_scene(const SensorScene& scene, Index first, FieldSeries& series) {
  for (std::size_t i = 0; i < scene.truth.size(); ++i) {
    const auto pixel = static_cast<Index>(i), row = first + pixel;
    series.s1.values.row(row) = 10 * scene.backscatter.row(pixel).array().log10();
    series.s2.values.row(row) = scene.reflectance.row(pixel);
    series.ids.push_back(std::to_string(row));
    series.labels.push_back(scene.truth[i]);
  }
}

/// Classes by their numbers, as labels of a file have them.
std::vector<std::string> class_numbers() {
  std::vector<std::string> numbers;
  for (std::size_t c = 0; c < two_sensor_classes().size(); ++c) numbers.push_back(std::to_string(c));
  return numbers;
}

/// Times say nothing: all that is seen of a pixel is of one date.
Cases without_times(Cases cases) {
  cases.times.clear();
  cases.time_unit.clear();
  return cases;
}

Cases pixels_of(const SensorScenePlan& plan, const Random& random) {
  const Index pixels = plan.rows * plan.columns;
  const std::vector<std::string> parts{"training", "validation", "test"};
  FieldSeries series;
  series.days = {0};
  series.s1 = {{"VV", "VH"}, Matrix<double>(std::ssize(parts) * pixels, 2)};
  series.s2 = {kBands, Matrix<double>(std::ssize(parts) * pixels, std::ssize(kBands))};
  std::vector<std::string> part_of;
  for (std::size_t k = 0; k < parts.size(); ++k) {
    add_scene(sensor_scene(plan, random.stream(parts[k])), static_cast<Index>(k) * pixels, series);
    part_of.insert(part_of.end(), pixels, parts[k]);
  }
  Cases cases = without_times(crops::cases_of_fields("the simulated scenes", series, kBands, class_numbers()));
  cases.parts = std::move(part_of);
  return cases;
}

/// The tested pixels as the sensors showed them, from the tokens.
SensorScene shown(const StudyOutcome& outcome, const SensorScenePlan& plan) {
  const std::vector<Index>& items = outcome.split.test;
  const Cases& cases = outcome.cases;
  SensorScene scene;
  scene.rows = plan.rows, scene.columns = plan.columns;
  const auto count = static_cast<Index>(items.size());
  scene.backscatter.resize(count, 2);
  scene.reflectance = Matrix<double>::Constant(count, std::ssize(kBands), kNan);
  for (Index k = 0; k < count; ++k) {
    const std::size_t item = items[k];
    const Index first = cases.offsets[item];
    for (Index c = 0; c < 2; ++c)
      scene.backscatter(k, c) = std::pow(10.0, static_cast<double>(cases.values(first, c)) / 10);
    const bool clear = cases.offsets[item + 1] - first > 1;
    if (clear)
      scene.reflectance.row(k) = cases.values.row(first + 1).segment(kRadarColumns, std::ssize(kBands)).cast<double>();
    scene.clear.push_back(clear ? 1 : 0);
    scene.cloudy.push_back(clear ? 0 : 1);
    scene.truth.push_back(static_cast<Index>(cases.targets[item]));
  }
  return scene;
}

/// Of the tested pixels.
struct Known {
  SensorScene scene;
  Matrix<double> radar, optical, both;  ///< Bayes' posteriors
};

Known known_of(const StudyOutcome& outcome, const SensorScenePlan& plan) {
  const SceneBayes bayes(plan);
  Known known{shown(outcome, plan), {}, {}, {}};
  known.radar = bayes.posteriors(known.scene, SceneSensors::radar);
  known.optical = bayes.posteriors(known.scene, SceneSensors::optical);
  known.both = bayes.posteriors(known.scene, SceneSensors::both);
  return known;
}

/// Share of the pixels, clear ones or all, whose class is the most probable one.
double accuracy(const Known& known, const Matrix<double>& probabilities, bool clear_alone) {
  const std::vector<Index> best = most_probable(probabilities);
  double right = 0, all = 0;
  for (std::size_t i = 0; i < best.size(); ++i) {
    if (clear_alone && !known.scene.clear[i]) continue;
    ++all;
    right += best[i] == known.scene.truth[i] ? 1 : 0;
  }
  return right / all;
}

/// Rows of the tested pixels.
Matrix<double> tested(const StudyOutcome& outcome, const Matrix<double>& rows) {
  Matrix<double> some(std::ssize(outcome.split.test), rows.cols());
  for (std::size_t k = 0; k < outcome.split.test.size(); ++k)
    some.row(static_cast<Index>(k)) = rows.row(outcome.split.test[k]);
  return some;
}

/// What the model says of the tested pixels without a sensor (-1: with both).
model::SensorAnswers said_without(const StudyOutcome& outcome, Index sensor) {
  const model::SensorAnswers said = model::answers_of(outcome, model::without_sensor(outcome.cases, sensor));
  return {tested(outcome, said.probabilities), tested(outcome, said.trust)};
}

void check_accuracy(const StudyOutcome& outcome, const Known& known, const Matrix<double>& fused, Results& results) {
  const double best = accuracy(known, known.both, false), ours = accuracy(known, fused, false);
  results.scalar("bayes_accuracy", best, "1", "accuracy of Bayes' answer to both sensors on the tested pixels");
  results.scalar("fused_accuracy", ours, "1", "accuracy of the model with both sensors on the tested pixels");
  results.check({"as_bayes", "accuracy with both sensors", kDerived, best, ours, absolute(0.01)});
  const double s1 = accuracy(known, said_without(outcome, 1).probabilities, true),
               s2 = accuracy(known, said_without(outcome, 0).probabilities, true);
  const double clear = accuracy(known, fused, true), clear_best = accuracy(known, known.both, true);
  results.check({"gain_over_s1", "accuracy with both less that with S1 alone, clear pixels", kDerived,
                 clear_best - accuracy(known, known.radar, true), clear - s1, absolute(0.015)});
  results.check({"gain_over_s2", "accuracy with both less that with S2 alone, clear pixels", kDerived,
                 clear_best - accuracy(known, known.optical, true), clear - s2, absolute(0.015)});
}

/// What S2 knows of a pixel more than S1, nats: the entropy of Bayes' answer to S1 less that of Bayes' answer to S2.
std::vector<double> known_more(const Known& known) {
  std::vector<double> more = posterior_entropies(known.radar);
  const std::vector<double> optical = posterior_entropies(known.optical);
  for (std::size_t i = 0; i < more.size(); ++i) more[i] -= optical[i];
  return more;
}

/// Trust is what the arbiter learned to mix by; that it follows what is known is a prediction, and may fail.
void measure_trust(const Known& known, const Matrix<double>& trust, Results& results) {
  const std::vector<SceneClass> classes = two_sensor_classes();
  const std::vector<double> knows = known_more(known);
  double forest = 0, forests = 0, soil = 0, soils = 0, cloud = 0;
  double radar_knows = 0;
  std::vector<double> in_optics, knows_more;
  for (std::size_t i = 0; i < known.scene.truth.size(); ++i) {
    const auto row = static_cast<Index>(i);
    if (!known.scene.clear[i]) {
      cloud = std::max(cloud, std::abs(1 - trust(row, 0)));
      continue;
    }
    const std::string& name = classes[known.scene.truth[i]].name;
    if (name.find("forest") != std::string::npos) forest += trust(row, 1), ++forests;
    if (name.find("soil") != std::string::npos) soil += trust(row, 0), ++soils, radar_knows += knows[i] < 0 ? 1 : 0;
    in_optics.push_back(trust(row, 1)), knows_more.push_back(knows[i]);
  }
  results.scalar("trust_on_forest", forest / forests, "1", "mean trust in S2 on forest; predicted: .8 or more");
  results.scalar("trust_on_soil", soil / soils, "1", "mean trust in S1 on soil; predicted: .8 or more");
  results.scalar("soil_known_to_s1", radar_knows / soils, "1",
                 "share of soil on which S1 knows more than S2: trust that follows knowledge is near it");
  results.check({"trust_under_cloud", "largest difference from 1 of the trust in S1 under cloud",
                 "a sensor without tokens is no key", 0, cloud, absolute(0)});
  results.scalar("trust_ranks", rank_correlation(in_optics, knows_more), "1",
                 "Spearman's correlation of the trust in S2 with what it knows more than S1; predicted: .9 or more");
}

/// The tested scene: what the sensors show, the truth, the answer and its error, and two maps of trust.
void add_maps(const Known& known, const model::SensorAnswers& said, Results& results) {
  const SensorScene& scene = known.scene;
  std::vector<double> picture;
  std::vector<model::MapPoint> points;
  for (std::size_t i = 0; i < scene.truth.size(); ++i) {
    for (const Index band : {2, 1, 0}) picture.push_back(scene.reflectance(static_cast<Index>(i), band));
    points.push_back(model::map_point(static_cast<double>(scene.truth[i]), said, static_cast<Index>(i)));
  }
  std::vector<double> rows(scene.rows), columns(scene.columns);
  for (std::size_t i = 0; i < rows.size(); ++i) rows[i] = static_cast<double>(i);
  for (std::size_t i = 0; i < columns.size(); ++i) columns[i] = static_cast<double>(i);
  results.coordinate("row", rows, "1", "row of the scene");
  results.coordinate("column", columns, "1", "column of the scene");
  results.data.dimension("rgb", 3);
  results.add("picture", {"row", "column", "rgb"}, picture, "1", "reflectances of S2, red, green, blue");
  results.add("knows_more", {"row", "column"}, known_more(known), "nat", "what S2 knows more than S1");
  model::add_answer_maps(points, {"water", "broadleaf_forest", "needleleaf_forest", "dry_soil", "wet_soil"},
                         {"#2f6f9f", "#6aa84f", "#1f4d2b", "#d8c26a", "#7a5230"}, results, false);
  results.data.at("picture").attributes["stretch"] = "2 98";
  results.data.at("knows_more").attributes = {{"valid_min", "-1.61"},
                                              {"valid_max", "1.61"}};  // ln 5: all there is to know
  results.figure({.kind = "image",
                  .name = "maps",
                  .title = "The tested scene, and the answer",
                  .caption = "Clouds are left out of the picture. Under them the radar answers alone.",
                  .variables = {"picture", "truth", "answer", "wrong"},
                  .x = "column",
                  .y = "row",
                  .channel = "rgb"});
  results.figure({.kind = "image",
                  .name = "trust",
                  .title = "Whom the arbiter trusts, and what is known",
                  .caption =
                      "Trust in S2, and the entropy of Bayes' answer to S1 less that to S2: above 0 S2 knows more. The "
                      "arbiter never saw it.",
                  .variables = {"trust_map", "knows_more"},
                  .x = "column",
                  .y = "row"});
}

class ArbiterTask final : public model::FusionTask<ArbiterSettings> {
 public:
  ArbiterTask() : FusionTask(arbiter_keys()) {}
  std::string_view name() const override { return "fusion.arbiter"; }
  std::string_view summary() const override { return "does the arbiter trust the sensor that knows?"; }
  int result_version() const override { return 3; }
  study::Target target_of(const ArbiterSettings&) const override {
    std::vector<std::string> names;
    for (const SceneClass& one : two_sensor_classes()) names.push_back(one.name);
    return model::target_of_classes("class", std::move(names));
  }
  std::unique_ptr<study::CaseReader> open_cases(const ArbiterSettings& settings, const Random& random) const override {
    if (settings.simulated()) return study::reader_of(pixels_of(plan_of(settings), random));
    const FieldSeries series =
        datasets::fields::read_field_series(settings.file, settings.label, settings.leave_out_bad);
    study::Reading reading;
    reading.noun = "pixel";
    for (const auto& [reason, place] : series.left_out) reading.leave_out(reading.noun, reason, place);
    return model::reader_with(without_times(crops::cases_of_fields(settings.file, series, kBands, class_numbers())),
                              std::move(reading));
  }
  void examine(const StudyOutcome& outcome, Results& results) const override {
    model::examine_sensors(outcome, results);
    const ArbiterSettings settings = settings_of(outcome.config);
    if (!settings.simulated()) return;  // Bayes' answer is that of simulated scenes
    const Known known = known_of(outcome, plan_of(settings));
    const model::SensorAnswers said = said_without(outcome, -1);
    check_accuracy(outcome, known, said.probabilities, results);
    measure_trust(known, said.trust, results);
    add_maps(known, said, results);
  }
};

/// Its verdict is what came of each prediction.
class ArbiterStudy final : public study::Study {
 public:
  ArbiterStudy() : study::Study(std::make_unique<ArbiterTask>()) {}
  void conclude(Results& merged) const override {
    study::Study::conclude(merged);
    if (!merged.data.has("trust_ranks")) return;
    const auto of = [&](const char* name) { return view(merged.data, name).mean().mean; };
    merged.finding(TrustPredictions{of("fused_accuracy"), of("bayes_accuracy"), of("trust_on_forest"),
                                    of("trust_on_soil"), of("trust_ranks")});
  }
};

}  // namespace

std::unique_ptr<Experiment> make_arbiter() { return std::make_unique<ArbiterStudy>(); }

}  // namespace fovea::fusion::arbiter
