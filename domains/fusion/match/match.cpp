/// The experiment "fusion.match": a place of one sensor's image found in the other's, and the shift between the two.
///
/// One point writes over "places": recall_s1_to_s2, recall_s2_to_s1 with _low, _high, recall_by_chance; shift_row,
/// shift_column with _low, _high; over "moved": found_row, found_column; a picture.

#include <cmath>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/words.hpp"
#include "fovea/core/data/rows.hpp"
#include "fovea/core/data/view.hpp"
#include "fovea/core/lab/experiment.hpp"
#include "fovea/core/learning/training/training_curves.hpp"
#include "fovea/core/study/predict/images_predictor.hpp"
#include "fovea/domains/fusion/experiments.hpp"
#include "fovea/domains/fusion/match/image_shift.hpp"
#include "fovea/domains/fusion/match/match_learning.hpp"
#include "fovea/domains/fusion/match/match_output.hpp"
#include "fovea/domains/fusion/match/match_scores.hpp"

namespace fovea::fusion::match {

namespace {

SplitPlan split_plan(const Config& config) {
  return {config.integer("data.block"), config.integer("data.guard"), config.text("data.examine") == "validation"};
}

TeachingPlan teaching_plan(const Config& config, const std::vector<std::string>& bands) {
  TeachingPlan plan;
  plan.model = {bands,
                config.integer("model.cell"),
                config.integer("model.width"),
                config.integer("model.layers"),
                config.integer("model.numbers"),
                config.real("model.dropout")};
  plan.members = config.integer("ensemble.members");
  plan.groups = config.integer("training.groups"), plan.pairs = config.integer("training.pairs");
  plan.shift = config.integer("training.shift");
  plan.epochs = config.integer("training.epochs"), plan.batch = config.integer("training.batch");
  plan.learning_rate = config.real("training.learning_rate"), plan.decay = config.real("training.decay");
  return plan;
}

/// The shift of the first scene, and what is found when its S1 is moved further.
void report_shift(const PairScene& scene, const Random& random, Results& results) {
  const ImageShift shift = image_shift(scene, {}, random);
  const auto add = [&](const char* name, double value, const char* what) { results.scalar(name, value, "px", what); };
  add("shift_row", shift.row, "S1 shows what S2 shows so many rows below");
  add("shift_row_low", shift.row_low, "its lower end, 95 %, bootstrap over blocks");
  add("shift_row_high", shift.row_high, "its upper end");
  add("shift_column", shift.column, "S1 shows what S2 shows so many columns to the right");
  add("shift_column_low", shift.column_low, "its lower end, 95 %, bootstrap over blocks");
  add("shift_column_high", shift.column_high, "its upper end");
  add("shift_row_half_width", (shift.row_high - shift.row_low) / 2, "half of the interval");
  add("shift_column_half_width", (shift.column_high - shift.column_low) / 2, "half of the interval");
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
}

class Match final : public Experiment, public study::ImagesPredictor {
 public:
  std::string_view name() const override { return "fusion.match"; }
  std::string_view summary() const override { return "where is this place in the other sensor's image?"; }
  int result_version() const override { return 2; }

  Schema schema() const override {
    Schema schema;
    schema.file("data.scenes", "list of scenes: CSV scene,s1,s2[,split][,mask] of GeoTIFFs beside it; none: simulated");
    schema.choice("data.units.s1", "auto", {"auto", "db", "linear"}, "unit of S1; auto: determined from its values");
    schema.choice("data.units.s2", "auto", {"auto", "numbers", "reflectance", "offset"},
                  "unit of S2: 10000 x reflectance, reflectance, or 10000 x reflectance + 1000; auto: determined from "
                  "its values");
    schema.texts("data.bands", {}, "bands of S2 to use; none: those of the first scene");
    schema.integer("data.side", 192, Range::between(96, 4000), "px", "side of the simulated scene");
    schema.real("data.looks", 8, Range::between(1, 1e6), "1", "looks of the simulated radar; fewer: more speckle");
    schema.real("data.shift", 0.6, Range::between(-3, 3), "px", "shift of the simulated radar");
    schema.integer("data.block", 64, Range::between(16, 4096), "px", "side of the blocks that split a scene");
    schema.integer("data.guard", 4, Range::between(0, 64), "px",
                   "margin around scored blocks that is not used for training");
    schema.choice("data.examine", "test", {"test", "validation"},
                  "blocks that are scored; validation: every fifth training block, in place of the test");
    schema.integer("model.cell", 4, Range::between(1, 16), "px", "side of a cell; it divides 16");
    schema.integer("model.width", 32, Range::between(1, 512), "", "width of the layers");
    schema.integer("model.layers", 1, Range::between(0, 8), "", "layers that see the neighbours of a cell");
    schema.integer("model.numbers", 8, Range::between(1, 512), "", "numbers that encode a cell");
    schema.real("model.dropout", 0.1, Range::between(0, 0.9), "1", "dropout rate of the layers during training");
    schema.integer("training.groups", 800, Range::between(1, 1e6), "",
                   "training groups of patches, within which pairs are contrasted");
    schema.integer("training.pairs", 192, Range::between(2, 4096), "", "largest number of pairs in a group");
    schema.integer("training.shift", 1, Range::between(0, 8), "px", "largest shift of S1 in training");
    schema.integer("training.epochs", 2, Range::between(1, 10000), "", "passes over the groups");
    schema.integer("training.batch", 2, Range::between(1, 100), "", "groups in a training step");
    schema.real("training.learning_rate", 2e-3, Range::positive(), "1", "highest learning rate");
    schema.real("training.decay", 0.05, Range::between(0, 10), "1", "weight decay");
    schema.integer("ensemble.members", 2, Range::between(1, 32), "",
                   "ensemble members, whose embeddings are concatenated");
    return schema;
  }

  void check(const Config& config, Complaints& complaints) const override {
    if (kPatch % config.integer("model.cell") != 0)
      complaints.add(config.source("model.cell"),
                     concat("model.cell is ", config.integer("model.cell"), ", but must divide 16: 1, 2, 4, 8 or 16."));
    if (2 * config.integer("data.guard") >= config.integer("data.block"))
      complaints.add(config.source("data.guard"), "data.guard leaves nothing of data.block.");
  }

  Inputs open(const Config& config) const override {
    const std::string& list = config.text("data.scenes");
    if (list.empty()) return {};
    const auto stated = [&](const char* key) { return config.text(key) == "auto" ? "" : config.text(key); };
    return as_inputs(read_pair_scenes(
        list, {config.texts("data.bands"), stated("data.units.s1"), stated("data.units.s2"), split_plan(config)}));
  }

  void run(const Config& config, Inputs inputs, const Random& random, Results& results,
           Workbench& bench) const override {
    const bool simulated = inputs.empty();
    if (simulated)
      inputs = as_inputs(simulated_pair(config.integer("data.side"), config.real("data.looks"),
                                        config.real("data.shift"), split_plan(config), random.stream("scene")));
    const PairScenes& pairs = *inputs.as<PairScenes>();
    for (const std::string& note : pairs.notes) results.note(note);
    const std::string source = simulated ? "the simulated scene" : config.text("data.scenes");
    const LearnedMatch learned =
        learn_match(pairs.scenes, teaching_plan(config, pairs.s2_bands), source, random, bench);
    const ExaminedPatches patches = examine_patches(learned.model, pairs.scenes, config.integer("data.block"));
    if (patches.pixels.empty())
      throw DataError(concat(source,
                             ": no patch of 16 x 16 pixels is for test with both sensors there, so nothing can be ",
                             "scored; give a larger scene, or a split with more of 1."));
    report_retrieval(patches, pairs.scenes, learned.model.plan, random.stream("intervals"), results);
    report_shift(pairs.scenes[0], random.stream("shift"), results);
    if (simulated) {
      const double known = config.real("data.shift");
      results.check({"shift_found", "shift found of the simulated radar, rows, px", "the shift of the simulated scene",
                     known, std::get<std::vector<double>>(results.data.at("shift_row").values)[0], absolute(0.25)});
    }
    learning::add_ensemble_curves(results, "training", learned.reports);
    Dataset model = match_model_dataset(learned.model, name(), result_version());
    results.data.add(
        {"model_hash", {}, std::vector<std::string>{content_hash(model)}, "", "content hash of model.h5", {}});
    results.keep_model(std::move(model));
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
      return rounded_text(view(merged.data, variable).at({{"places", k}}).mean().mean, 3);
    };
    merged.verdict(concat("The right patch is found first for ", of("recall_s1_to_s2", 0), " of the S1 patches and ",
                          of("recall_s2_to_s1", 0), " of the S2 patches, among the first ten for ",
                          of("recall_s1_to_s2", 2), " and ", of("recall_s2_to_s1", 2), "; by chance ",
                          of("recall_by_chance", 0), " and ", of("recall_by_chance", 2), "."));
  }
};

}  // namespace

std::unique_ptr<Experiment> make_match() { return std::make_unique<Match>(); }

}  // namespace fovea::fusion::match
