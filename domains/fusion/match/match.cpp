/// The experiment "fusion.match": a place of one sensor's image found in the other's, and the shift between the two.
///
/// One point writes over "places": recall_s1_to_s2, recall_s2_to_s1 with _low, _high, recall_by_chance; shift_row,
/// shift_column with _low, _high; over "moved": found_row, found_column; a picture.

#include <cmath>

#include "fovea/core/base/error.hpp"
#include "fovea/core/data/rows.hpp"
#include "fovea/core/data/view.hpp"
#include "fovea/core/lab/experiment.hpp"
#include "fovea/core/learning/training/training_curves.hpp"
#include "fovea/core/study/model/shared_keys.hpp"
#include "fovea/core/study/predict/images_predictor.hpp"
#include "fovea/core/study/report/reading_report.hpp"
#include "fovea/domains/fusion/experiments.hpp"
#include "fovea/domains/fusion/findings.hpp"
#include "fovea/domains/fusion/match/image_shift.hpp"
#include "fovea/domains/fusion/match/match_learning.hpp"
#include "fovea/domains/fusion/match/match_output.hpp"
#include "fovea/domains/fusion/match/match_scores.hpp"
#include "fovea/domains/fusion/model/sealed_model.hpp"
#include "fovea/domains/fusion/shared_keys.hpp"

namespace fovea::fusion::match {

namespace {

struct SceneSettings {
  std::string scenes;  ///< their list; empty: simulated
  flood::SceneReading reading;
  Index side = 192;
  double looks = 8, shift = 0.6;
  SplitPlan split;
  bool simulated() const { return scenes.empty(); }
};

const DataKeys<SceneSettings>& scene_keys() {
  using S = SceneSettings;
  static const auto simulated =
      Keys<S>()
          .key(kSide.within(Range::between(96, 4000)), &S::side)
          .key(kLooks, &S::looks)
          .key("data.shift", &S::shift, Range::between(-3, 3), "px", "shift of the simulated radar");
  static const DataKeys<S> keys{
      Keys<S>()
          .file(kScenes, &S::scenes,
                "list of scenes: CSV scene,s1,s2[,split][,mask] of GeoTIFFs beside it; none: simulated")
          .group(flood::reading_keys(), &S::reading)
          .also([](Schema& schema) { simulated.declare(schema); })
          .key(kBlock.within(Range::between(16, 4096)), inside(&S::split, &SplitPlan::block))
          .key(kGuard, inside(&S::split, &SplitPlan::guard),
               "margin around scored blocks that is not used for training")
          .choice(kExamine, inside(&S::split, &SplitPlan::validation)),
      simulated};
  return keys;
}

const Keys<TeachingPlan>& teaching_keys() {
  using S = TeachingPlan;
  const auto of_model = [](auto member) { return inside(&S::model, member); };
  static const auto keys =
      Keys<S>()
          .key("model.cell", of_model(&MatchPlan::cell), Range::between(1, 16), "px", "side of a cell; it divides 16")
          .key(study::kModelWidth.within(Range::between(1, 512)), of_model(&MatchPlan::width), "width of the layers")
          .key("model.layers", of_model(&MatchPlan::layers), Range::between(0, 8), "",
               "layers that see the neighbours of a cell")
          .key("model.numbers", of_model(&MatchPlan::numbers), Range::between(1, 512), "", "numbers that encode a cell")
          .key(study::kModelDropout, of_model(&MatchPlan::dropout))
          .key("training.groups", &S::groups, Range::between(1, 1e6), "",
               "training groups of patches, within which pairs are contrasted")
          .key("training.pairs", &S::pairs, Range::between(2, 4096), "", "largest number of pairs in a group")
          .key(kShift.within(Range::between(0, 8)), &S::shift)
          .key(study::kTrainingEpochs, &S::epochs, "passes over the groups")
          .key(study::kTrainingBatch.within(Range::between(1, 100)), &S::batch, "groups in a training step")
          .key(study::kTrainingLearningRate, &S::learning_rate)
          .key("training.decay", &S::decay, Range::between(0, 10), "1", "weight decay")
          .key(study::kEnsembleMembers.within(Range::between(1, 32)), &S::members,
               "ensemble members, whose embeddings are concatenated");
  return keys;
}

/// The shift of the first scene, and what is found when its S1 is moved further; false where there is none.
bool report_shift(const PairScene& scene, const Random& random, Results& results) {
  const ShiftPlan plan;
  const ImageShift shift = image_shift(scene, plan, random);
  const auto most = static_cast<double>(plan.most);
  if (results.finding(ShiftNotFound{scene.name, shift.row, shift.column, most, shift.correlation})) return false;
  const auto add = [&](const char* name, double value, const char* what) { results.scalar(name, value, "px", what); };
  add("shift_row", shift.row, "S1 shows what S2 shows so many rows below");
  add("shift_row_low", shift.row_low, "its lower end, 95 %, bootstrap over blocks");
  add("shift_row_high", shift.row_high, "its upper end");
  add("shift_column", shift.column, "S1 shows what S2 shows so many columns to the right");
  add("shift_column_low", shift.column_low, "its lower end, 95 %, bootstrap over blocks");
  add("shift_column_high", shift.column_high, "its upper end");
  add("shift_row_half_width", (shift.row_high - shift.row_low) / 2, "half of its 95 % interval");
  add("shift_column_half_width", (shift.column_high - shift.column_low) / 2, "half of its 95 % interval");
  results.headline({.variable = "shift_row",
                    .label = "shift of S1, rows",
                    .half_width = "shift_row_half_width",
                    .meaning = "S1 shows what S2 shows so many rows below; below 0: above."});
  results.headline({.variable = "shift_column",
                    .label = "shift of S1, columns",
                    .half_width = "shift_column_half_width",
                    .meaning = "The same to the right; below 0: to the left."});
  results.scalar("shift_correlation", shift.correlation, "1", "correlation of the gradients there");
  struct Move {
    double by, down, left;
  };
  std::vector<Move> moves;
  double worst = 0;
  for (const double by : {0.5, 1.0, 1.5, 2.0, 2.5, 3.0}) {
    const ImageShift found = image_shift(with_moved_s1(scene, by, -by), {6, 32, 10}, random);
    moves.push_back({by, shift.row - found.row, found.column - shift.column});
    worst = std::max({worst, std::abs(moves.back().down - by), std::abs(moves.back().left - by)});
  }
  results.check({"moves_found", "largest error of a move of S1 by up to 3 pixels, px", "S1 was moved by it", 0, worst,
                 absolute(0.25)});
  rows("moved", moves, &Move::by, "S1 moved down and to the left by", "px")
      .number("found_down", &Move::down, "found down", "px")
      .number("found_left", &Move::left, "found to the left", "px")
      .write(results)
      .table(results, {.name = "moves",
                       .title = "S1 moved, and what is found",
                       .caption = "Less the shift that is there without moving.",
                       .digits = 2});
  return true;
}

class Match final : public Experiment, public study::ImagesPredictor {
 public:
  std::string_view name() const override { return "fusion.match"; }
  std::string_view summary() const override { return "where is this place in the other sensor's image?"; }
  int result_version() const override { return 2; }

  Schema schema() const override {
    Schema schema;
    scene_keys().all.declare(schema);
    teaching_keys().declare(schema);
    return schema;
  }

  void check(const Config& config, Complaints& complaints) const override {
    const Index cell = teaching_keys().read(config).model.cell;
    if (kPatch % cell != 0)
      complaints.add(config.source("model.cell"),
                     concat("model.cell is ", cell, ", but must divide 16: 1, 2, 4, 8 or 16."));
    const SplitPlan split = scene_keys().read(config).split;
    if (2 * split.guard >= split.block)
      complaints.add(config.source("data.guard"), "data.guard leaves nothing of data.block.");
  }

  Inputs open(const Config& config) const override {
    const SceneSettings settings = scene_keys().read(config);
    if (settings.simulated()) return {};
    return as_inputs(read_pair_scenes(settings.scenes, settings.reading, settings.split));
  }

  void run(const Config& config, Inputs inputs, const Random& random, Results& results,
           Workbench& bench) const override {
    const SceneSettings settings = scene_keys().read(config);
    const bool simulated = inputs.empty();
    if (simulated)
      inputs = as_inputs(
          simulated_pair(settings.side, settings.looks, settings.shift, settings.split, random.stream("scene")));
    const PairScenes& pairs = *inputs.as<PairScenes>();
    study::report_reading(pairs.reading, repeated_patches(pairs.scenes), results, bench);
    const std::string source = simulated ? "the simulated scene" : settings.scenes;
    TeachingPlan plan = teaching_keys().read(config);
    plan.model.s2_bands = pairs.s2_bands;
    const LearnedMatch learned = learn_match(pairs.scenes, plan, source, random, bench);
    const ExaminedPatches patches = examine_patches(learned.model, pairs.scenes, settings.split.block);
    if (patches.pixels.empty())
      throw DataError(concat(source,
                             ": no patch of 16 x 16 pixels is for test with both sensors there, so nothing can be ",
                             "scored; give a larger scene, or a split with more of 1."));
    report_retrieval(patches, pairs.scenes, learned.model.plan, random.stream("intervals"), results);
    if (report_shift(pairs.scenes[0], random.stream("shift"), results) && simulated)
      results.check({"shift_found", "shift found of the simulated radar, rows, px", "the shift of the simulated scene",
                     settings.shift, results.data.at("shift_row").reals()[0], absolute(0.25)});
    learning::add_ensemble_curves(results, "training", learned.reports);
    model::keep_model(match_model_dataset(learned.model, name(), result_version()), results);
  }

  const Predictor* predictor(std::string_view) const override { return this; }
  std::vector<std::string> apply(const std::string& source, const Dataset& model,
                                 const Request& request) const override {
    return write_embeddings(read_match_model(source, model, result_version()), request.data, request.output);
  }
  std::string describe(const std::string& source, const Dataset& model) const override {
    return match_model_text(read_match_model(source, model, result_version()));
  }

  void conclude(Results& merged) const override {
    if (!merged.data.has("recall_s1_to_s2")) return;
    const auto of = [&](const char* variable, std::size_t k) {
      return view(merged.data, variable).at({{"places", k}}).mean().mean;
    };
    merged.finding(PatchesFound{of("recall_s1_to_s2", 0), of("recall_s2_to_s1", 0), of("recall_s1_to_s2", 2),
                                of("recall_s2_to_s1", 2), of("recall_by_chance", 0), of("recall_by_chance", 2)});
  }
};

}  // namespace

std::unique_ptr<Experiment> make_match() { return std::make_unique<Match>(); }

}  // namespace fovea::fusion::match
