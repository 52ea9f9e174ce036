/// The experiment "fusion.gapfill": what lies below the clouds, from the dates before and after, the visible part of
/// the date and S1.
///
/// One point writes over "task": task_psnr_METHOD, task_mae_METHOD, task_sam_METHOD, task_covered, pixels; their means
/// psnr, mae, sam, ... with _low and _high; width over "column_name"; pictures of a task.

#include <algorithm>
#include <cmath>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/words.hpp"
#include "fovea/core/data/view.hpp"
#include "fovea/core/learning/training/training_curves.hpp"
#include "fovea/core/study/predict/images_predictor.hpp"
#include "fovea/domains/fusion/experiments.hpp"
#include "fovea/domains/fusion/gapfill/gap_learning.hpp"
#include "fovea/domains/fusion/gapfill/gap_model_file.hpp"
#include "fovea/domains/fusion/gapfill/gap_scores.hpp"
#include "fovea/domains/fusion/gapfill/stack_output.hpp"

namespace fovea::fusion::gapfill {

namespace {

/// What a config names.
struct GapInputs {
  ImageStack stack;
  std::vector<GapTask> tasks;  ///< none: they are made
};

datasets::simulated::stacks::CloudedStackPlan stack_plan(const Config& config) {
  datasets::simulated::stacks::CloudedStackPlan plan;
  plan.rows = plan.columns = config.integer("data.side");
  plan.dates = config.integer("data.dates");
  plan.noise = config.real("data.noise");
  return plan;
}

LearnPlan learn_plan(const Config& config, const ImageStack& stack) {
  LearnPlan plan;
  plan.columns = {stack.bands, stack.s1_bands, stack.s1_bands.empty() ? 0 : config.integer("model.seasons"),
                  config.real("model.near_days")};
  plan.rules.away_days = config.real("data.away_days");
  plan.rules.least_clear = config.real("data.least_clear");
  plan.trusted = config.real("model.trusted");
  plan.ridges = config.reals("model.ridges");
  plan.holes = config.integer("training.holes"), plan.epochs = config.integer("training.epochs");
  plan.batch = config.integer("training.batch");
  plan.learning_rate = config.real("training.learning_rate");
  return plan;
}

void report_model(const LearnedGaps& learned, const LearnPlan& plan, Results& results) {
  const std::vector<std::string> names = plan.columns.names();
  std::vector<double> widths(names.size(), 0);
  for (const GapMember& member : learned.model.members)
    for (std::size_t c = 0; c < widths.size(); ++c)
      widths[c] += static_cast<double>(member.log_widths[c]) / static_cast<double>(learned.model.members.size());
  for (double& width : widths) width = std::exp(width);
  results.coordinate("column_name", names, "", "what pixels are compared by");
  results.add("width", {"column_name"}, widths, "1", "learned width, standard deviations (row, column: 20 pixels)");
  results.coordinate("ridge", plan.ridges, "1", "penalty of the trend");
  std::vector<double> losses = learned.ridge_losses;
  for (double& loss : losses) loss *= -10 / std::log(10.0);
  results.add("ridge_psnr", {"ridge"}, losses, "dB", "mean PSNR of validation holes");
  results.scalar("training_holes", static_cast<double>(learned.training_holes), "1", "training holes");
  results.scalar("validation_holes", static_cast<double>(learned.validation_holes), "1",
                 "holes of other dates that calibrate the spread");
  results.figure({.kind = "table",
                  .name = "widths",
                  .title = "Learned widths",
                  .caption = "The smaller, the more a column decides which pixels are alike.",
                  .variables = {"width"},
                  .x = "column_name",
                  .digits = 3});
  results.figure({.kind = "table",
                  .name = "ridges",
                  .title = "The members",
                  .caption = "Each alone, on holes of dates that were not used for training.",
                  .variables = {"ridge_psnr"},
                  .x = "ridge",
                  .digits = 4});
  learning::add_ensemble_curves(results, "training", learned.reports);
}

/// What is known beforehand: the visible is unchanged, and behind simulated clouds nothing is nearer than the noise.
void check_known(const GapModel& model, const ImageStack& stack, const Matrix<float>& seasons,
                 const std::vector<AnsweredTask>& answered, const std::vector<Flags>& visible, double noise,
                 Results& results) {
  const Index date = answered.front().score.task.target;
  const Matrix<float> whole = filled_date(model, stack, seasons, visible, date).image;
  double changed = 0, missing = 0;
  for (Index i = 0; i < stack.pixels(); ++i) {
    const bool seen = visible[date][i] != 0;
    if (seen && whole.row(i) != stack.images[date].row(i)) ++changed;
    if (whole.row(i).array().isNaN().any()) ++missing;
  }
  results.check(
      {"kept", "visible pixels of a filled date that changed", "what is seen is not filled", 0, changed, absolute(0)});
  results.scalar("not_filled", missing, "1", "pixels of that date without any clear date before or after");
  if (stack.ground.empty()) return;
  double squares = 0;
  for (const AnsweredTask& one : answered) squares += one.score.ground_error * one.score.ground_error;
  const double error = std::sqrt(squares / static_cast<double>(answered.size()));
  results.scalar("ground_error", error, "1", "root mean square distance from the simulated ground without noise");
  results.check({"below_noise", "distance from the ground as a share of one value's noise",
                 "many visible pixels are averaged", 0, error / noise, absolute(1)});
  results.check({"covers", "share of the hidden values within 1.645 spread", "a normal error", 0.9,
                 view(results.data, "covered").mean().mean, absolute(0.06)});
}

class Gapfill final : public Experiment, public study::ImagesPredictor {
 public:
  std::string_view name() const override { return "fusion.gapfill"; }
  std::string_view summary() const override { return "what lies below the clouds of a series of images?"; }
  int result_version() const override { return 2; }

  Schema schema() const override {
    Schema schema;
    schema.file("data.file",
                "a stack of dates (HDF5: s2/r10m, s2/r20m, s2/scl, s2/time, s1/db, s1/time); none: simulated");
    schema.file("data.tasks",
                "CSV target,mask_source,prev,next: dates to hide, numbered from 0; none: made from the "
                "clouds of other dates");
    schema.integer("data.side", 48, Range::between(16, 512), "px", "simulated: side of the images");
    schema.integer("data.dates", 36, Range::between(12, 200), "", "simulated: optical dates, every 10 days");
    schema.real("data.noise", 0.01, Range::between(1e-4, 0.2), "1", "simulated: deviation of a reflectance");
    schema.real("data.away_days", 15, Range::between(0, 400), "d",
                "dates nearer than this are not used in holes, as clouds last");
    schema.real("data.least_clear", 0.9, Range::between(0, 1), "1",
                "least clear share of dates that holes are cut into, or that serve as before and after");
    schema.integer("model.seasons", 6, Range::between(0, 24), "", "parts of the series whose mean S1 is an input");
    schema.real("model.near_days", 8, Range::between(0, 100), "d",
                "S1 is averaged over this many days before and after a date");
    schema.real(
        "model.trusted", 0.2, Range::between(0, 1), "1",
        "dates with a smaller clear share are not used to fill others: what counts as clear there is often thin cloud");
    schema.reals("model.ridges", {0.03, 0.1, 0.3, 1}, Range::between(1e-6, 1e6), "1",
                 "ridge penalties of the trend: one ensemble member each");
    schema.integer("training.holes", 4, Range::between(1, 100), "", "holes cut into each clear date");
    schema.integer("training.epochs", 8, Range::between(1, 1000), "", "passes over the holes");
    schema.integer("training.batch", 4, Range::between(1, 100), "", "holes in a training step");
    schema.real("training.learning_rate", 0.05, Range::positive(), "1",
                "learning rate of the logarithms of the widths");
    return schema;
  }

  void check(const Config& config, Complaints& complaints) const override {
    if (config.text("data.file").empty() && !config.text("data.tasks").empty())
      complaints.add(config.source("data.tasks"), "data.tasks numbers the dates of a stack; give it as data.file.");
    if (config.reals("model.ridges").empty())
      complaints.add(config.source("model.ridges"), "model.ridges is empty; give at least one penalty.");
  }

  Inputs open(const Config& config) const override {
    const std::string& file = config.text("data.file");
    if (file.empty()) return {};
    GapInputs inputs{image_stack(datasets::rasters::Stack(file)), {}};
    if (const std::string& tasks = config.text("data.tasks"); !tasks.empty())
      inputs.tasks = read_tasks(tasks, inputs.stack);
    return as_inputs(std::move(inputs));
  }

  void run(const Config& config, Inputs inputs, const Random& random, Results& results,
           Workbench& bench) const override {
    if (inputs.empty()) {
      const auto plan = stack_plan(config);
      inputs = as_inputs(GapInputs{image_stack(plan, clouded_stack(plan, random.stream("stack"))), {}});
    }
    const auto& [stack, given] = *inputs.as<GapInputs>();
    const LearnPlan plan = learn_plan(config, stack);
    const std::vector<GapTask> tasks = given.empty() ? made_tasks(stack, plan.rules, random.stream("tasks")) : given;
    const std::vector<Flags> visible = visible_without(stack, tasks);
    const LearnedGaps learned = learn_gaps(stack, visible, plan, random, bench);
    const Matrix<float> seasons = season_columns(stack, plan.columns);
    std::vector<AnsweredTask> answered;
    for (const GapTask& task : tasks) {
      AnsweredTask one = answer_task(learned.model, stack, seasons, visible, task, plan.rules);
      if (!one.hidden.empty()) answered.push_back(std::move(one));
    }
    if (answered.empty())
      throw DataError(concat(stack.source, ": no gap can be cut into its clear dates, so nothing can be scored; give ",
                             "data.tasks, or lower data.away_days or data.least_clear."));
    report_tasks(stack, answered, random.stream("intervals"), results);
    report_model(learned, plan, results);
    check_known(learned.model, stack, seasons, answered, visible, config.real("data.noise"), results);
    if (given.empty())
      results.note(concat(counted(std::ssize(answered), "gap"),
                          " of dates that are clear were made from the clouds of other "
                          "dates; no gap is used for training."));
    Dataset model = gap_model_dataset(learned.model, name(), result_version());
    results.data.add(
        {"model_hash", {}, std::vector<std::string>{content_hash(model)}, "", "content hash of model.h5", {}});
    results.keep_model(std::move(model));
  }

  const Predictor* predictor(std::string_view) const override { return this; }
  std::vector<std::string> apply(const std::string& source, const Dataset& model,
                                 const Request& request) const override {
    return write_filled_stack(read_gap_model(source, model, result_version()), request.data, request.output,
                              request.rasters);
  }
  std::string describe(const std::string& source, const Dataset& model) const override {
    return gap_model_text(read_gap_model(source, model, result_version()));
  }

  void conclude(Results& merged) const override {
    if (!merged.data.has("psnr")) return;
    const auto of = [&](const char* variable) { return view(merged.data, variable).mean().mean; };
    merged.verdict(concat("Hidden pixels are filled with a PSNR of ", rounded_text(of("psnr"), 4),
                          " dB, linear interpolation in time ", rounded_text(of("psnr_linear"), 4),
                          " dB, the nearest clear date ", rounded_text(of("psnr_nearest"), 4),
                          " dB; the spectral angle is ", rounded_text(of("sam"), 3), " degrees (",
                          rounded_text(of("sam_linear"), 3), " by interpolation)."));
  }
};

}  // namespace

std::unique_ptr<Experiment> make_gapfill() { return std::make_unique<Gapfill>(); }

}  // namespace fovea::fusion::gapfill
