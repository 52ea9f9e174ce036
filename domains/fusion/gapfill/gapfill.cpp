/// The experiment "fusion.gapfill": what lies below the clouds, from the dates before and after, the visible part of
/// the date and S1.
///
/// One point writes over "task": task_psnr_METHOD, task_mae_METHOD, task_sam_METHOD, task_covered, pixels; their means
/// psnr, mae, sam, ... with _low and _high; width over "column_name"; pictures of a task.

#include <algorithm>
#include <cmath>
#include <functional>

#include "fovea/core/base/error.hpp"
#include "fovea/core/config/keys.hpp"
#include "fovea/core/data/rows.hpp"
#include "fovea/core/data/view.hpp"
#include "fovea/core/learning/training/training_curves.hpp"
#include "fovea/core/study/cases/reading.hpp"
#include "fovea/core/study/model/shared_keys.hpp"
#include "fovea/core/study/predict/images_predictor.hpp"
#include "fovea/core/study/report/reading_report.hpp"
#include "fovea/domains/fusion/experiments.hpp"
#include "fovea/domains/fusion/findings.hpp"
#include "fovea/domains/fusion/gapfill/gap_learning.hpp"
#include "fovea/domains/fusion/gapfill/gap_model_file.hpp"
#include "fovea/domains/fusion/gapfill/gap_scores.hpp"
#include "fovea/domains/fusion/gapfill/stack_output.hpp"
#include "fovea/domains/fusion/model/sealed_model.hpp"
#include "fovea/domains/fusion/shared_keys.hpp"

namespace fovea::fusion::gapfill {

namespace {

using datasets::simulated::stacks::CloudedStackPlan;

/// What a config names.
struct GapInputs {
  ImageStack stack;
  std::vector<GapTask> tasks;  ///< none: they are made
};

struct GapFiles {
  std::string file, tasks;
  bool leave_out_bad = false;
};

const Keys<GapFiles>& file_keys() {
  static const auto keys =
      Keys<GapFiles>()
          .file(study::kDataFile, &GapFiles::file,
                "a stack of dates (HDF5: s2/r10m, s2/r20m, s2/scl, s2/time, s1/db, s1/time); none: simulated")
          .file("data.tasks", &GapFiles::tasks,
                "CSV target,mask_source,prev,next: dates to hide, numbered from 0; none: made from the "
                "clouds of other dates")
          .choice(study::kDataBad, &GapFiles::leave_out_bad)
          .added_later();
  return keys;
}

const Keys<CloudedStackPlan>& stack_keys() {
  using S = CloudedStackPlan;
  static const auto keys =
      Keys<S>()
          .key(kSide.within(Range::between(16, 512)), &S::rows)
          .key("data.dates", &S::dates, Range::between(12, 200), "", "simulated: optical dates, every 10 days")
          .key("data.noise", &S::noise, Range::between(1e-4, 0.2), "1", "simulated: deviation of a reflectance");
  return keys;
}

const Keys<LearnPlan>& learning_keys() {
  using S = LearnPlan;
  static const auto keys =
      Keys<S>()
          .key("data.away_days", inside(&S::rules, &GapRules::away_days), Range::between(0, 400), "d",
               "dates nearer than this are not used in holes, as clouds last")
          .key("data.least_clear", inside(&S::rules, &GapRules::least_clear), Range::between(0, 1), "1",
               "least clear share of dates that holes are cut into, or that serve as before and after")
          .key("model.seasons", inside(&S::columns, &ColumnPlan::seasons), Range::between(0, 24), "",
               "parts of the series whose mean S1 is an input")
          .key("model.near_days", inside(&S::columns, &ColumnPlan::near_days), Range::between(0, 100), "d",
               "S1 is averaged over this many days before and after a date")
          .key("model.trusted", &S::trusted, Range::between(0, 1), "1",
               "dates with a smaller clear share are not used to fill others: what counts as clear there is often thin "
               "cloud")
          .key("model.ridges", &S::ridges, Range::between(1e-6, 1e6), "1",
               "ridge penalties of the trend: one ensemble member each")
          .key("training.holes", &S::holes, Range::between(1, 100), "", "holes cut into each clear date")
          .key(study::kTrainingEpochs.within(Range::between(1, 1000)), &S::epochs, "passes over the holes")
          .key(study::kTrainingBatch.within(Range::between(1, 100)), &S::batch, "holes in a training step")
          .key(study::kTrainingLearningRate, &S::learning_rate, "learning rate of the logarithms of the widths");
  return keys;
}

LearnPlan plan_for(const ImageStack& stack, LearnPlan plan) {
  plan.columns.bands = stack.bands, plan.columns.s1_bands = stack.s1_bands;
  if (stack.s1_bands.empty()) plan.columns.seasons = 0;
  return plan;
}

void report_model(const LearnedGaps& learned, const LearnPlan& plan, Results& results) {
  const std::vector<std::string> names = plan.columns.names();
  std::vector<double> widths(names.size(), 0);
  for (const GapMember& member : learned.model.members)
    for (std::size_t c = 0; c < widths.size(); ++c)
      widths[c] += static_cast<double>(member.log_widths[c]) / static_cast<double>(learned.model.members.size());
  rows("column_name", names, std::identity(), "what pixels are compared by")
      .number(
          "width", [&](const std::string&, std::size_t c) { return std::exp(widths[c]); },
          "learned width, standard deviations (row, column: 20 pixels)")
      .write(results)
      .table(results, {.name = "widths",
                       .title = "Learned widths",
                       .caption = "The smaller, the more a column decides which pixels are alike.",
                       .digits = 3});
  rows("ridge", plan.ridges, std::identity(), "penalty of the trend")
      .number(
          "ridge_psnr", [&](double, std::size_t m) { return learned.ridge_losses[m] * (-10 / std::log(10.0)); },
          "mean PSNR of validation holes", "dB")
      .write(results)
      .table(results, {.name = "ridges",
                       .title = "The members",
                       .caption = "Each alone, on holes of dates that were not used for training.",
                       .digits = 4});
  results.scalar("training_holes", static_cast<double>(learned.training_holes), "1", "training holes");
  results.scalar("validation_holes", static_cast<double>(learned.validation_holes), "1",
                 "holes of other dates that calibrate the spread");
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

study::Reading reading_of(const ImageStack& stack, bool simulated) {
  study::Reading reading;
  reading.noun = "image", reading.token = "pixel";
  if (!simulated) reading.files = {stack.source};
  const char* const known_by = simulated ? "simulated" : "the layout of the file";
  reading.cases = reading.groups = stack.dates(), reading.tokens = stack.dates() * stack.pixels();
  if (!stack.s1_bands.empty()) reading.variables.push_back({"s1", "dB", known_by, std::ssize(stack.s1)});
  reading.variables.push_back({"s2", "reflectance", known_by, stack.dates()});
  Index hidden = 0;
  for (const Flags& clear : stack.clear) hidden += std::count(clear.begin(), clear.end(), 0);
  reading.left_out = {{"pixel", hidden, "below a cloud or a shadow, or without a number in some band"}};
  reading.without_folders();
  return reading;
}

class Gapfill final : public Experiment, public study::ImagesPredictor {
 public:
  std::string_view name() const override { return "fusion.gapfill"; }
  std::string_view summary() const override { return "what lies below the clouds of a series of images?"; }
  int result_version() const override { return 2; }

  Schema schema() const override {
    Schema schema;
    file_keys().declare(schema);
    stack_keys().declare(schema);
    learning_keys().declare(schema);
    return schema;
  }

  void check(const Config& config, Complaints& complaints) const override {
    const GapFiles files = file_keys().read(config);
    if (files.file.empty() && !files.tasks.empty())
      complaints.add(config.source("data.tasks"), "data.tasks numbers the dates of a stack; give it as data.file.");
    if (learning_keys().read(config).ridges.empty())
      complaints.add(config.source("model.ridges"), "model.ridges is empty; give at least one penalty.");
  }

  Inputs open(const Config& config) const override {
    const GapFiles files = file_keys().read(config);
    if (files.file.empty()) return {};
    datasets::rasters::Stack stack(files.file);
    stack.may_leave_out(files.leave_out_bad);
    GapInputs inputs{image_stack(stack), {}};
    if (!files.tasks.empty()) inputs.tasks = read_tasks(files.tasks, inputs.stack);
    return as_inputs(std::move(inputs));
  }

  void run(const Config& config, Inputs inputs, const Random& random, Results& results,
           Workbench& bench) const override {
    CloudedStackPlan simulated = stack_keys().read(config);
    simulated.columns = simulated.rows;
    if (inputs.empty())
      inputs = as_inputs(GapInputs{image_stack(simulated, clouded_stack(simulated, random.stream("stack"))), {}});
    const auto& [stack, given] = *inputs.as<GapInputs>();
    study::report_reading(reading_of(stack, file_keys().read(config).file.empty()), {}, results, bench);
    const LearnPlan plan = plan_for(stack, learning_keys().read(config));
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
    check_known(learned.model, stack, seasons, answered, visible, simulated.noise, results);
    study::Reading reading;
    for (const std::string& what : stack.left_out) reading.leave_out("date", "cannot be read", what);
    for (const study::LeftOut& one : reading.left_out)
      results.note(concat("Left out: ", study::left_out_text(reading, one), "."));
    results.finding(GapsMade{std::ssize(answered), !given.empty()});
    model::keep_model(gap_model_dataset(learned.model, name(), result_version()), results);
  }

  const Predictor* predictor(std::string_view) const override { return this; }
  std::vector<std::string> apply(const std::string& source, const Dataset& model,
                                 const Request& request) const override {
    if (!request.set.empty())
      throw ConfigError(
          concat("--set ", request.set.back(), ": a stack is written as it is, and filled; leave it out."));
    return write_filled_stack(read_gap_model(source, model, result_version()), request.data, request.output,
                              request.rasters);
  }
  std::string describe(const std::string& source, const Dataset& model) const override {
    return gap_model_text(read_gap_model(source, model, result_version()));
  }

  void conclude(Results& merged) const override {
    if (!merged.data.has("psnr")) return;
    const auto of = [&](const char* variable) { return view(merged.data, variable).mean().mean; };
    merged.finding(GapsFilled{of("psnr"), of("psnr_linear"), of("psnr_nearest"), of("sam"), of("sam_linear")});
    if (merged.data.has("psnr_gain_low"))
      merged.finding(NoBetterThanInterpolation{of("psnr_gain"), of("psnr_gain_low"), of("psnr_gain_high")});
  }
};

}  // namespace

std::unique_ptr<Experiment> make_gapfill() { return std::make_unique<Gapfill>(); }

}  // namespace fovea::fusion::gapfill
