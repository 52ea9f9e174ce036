#include "fovea/domains/fusion/gapfill/gap_scores.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/missing.hpp"
#include "fovea/core/data/rows.hpp"
#include "fovea/core/statistics/agreement/picture_quality.hpp"
#include "fovea/core/statistics/bootstrap.hpp"
#include "fovea/domains/fusion/model/sensor_tokens.hpp"

namespace fovea::fusion::gapfill {

namespace {

constexpr double kNinety = 1.645;  // deviations of a normal number that hold 90 %

Matrix<double> chosen_rows(const Matrix<float>& all, const std::vector<Index>& rows) {
  Matrix<double> some(std::ssize(rows), all.cols());
  for (std::size_t k = 0; k < rows.size(); ++k) some.row(static_cast<Index>(k)) = all.row(rows[k]).cast<double>();
  return some;
}

std::span<const double> numbers(const Matrix<double>& matrix) { return std::span(matrix.data(), matrix.size()); }

/// Hidden and visible pixels of a task that its frame knows.
Hole hole_of(const ImageStack& stack, const std::vector<Flags>& visible, const GapTask& task, const Frame& frame) {
  Hole hole{task.target, task.mask, {}, {}};
  const std::size_t target = task.target, mask = task.mask;
  for (Index i = 0; i < stack.pixels(); ++i) {
    const std::size_t at = i;
    if (frame.known[at] == 0 || stack.clear[target][at] == 0) continue;
    if (stack.clear[mask][at] == 0) hole.hidden.push_back(i);
    if (stack.clear[mask][at] != 0 && visible[target][at] != 0) hole.visible.push_back(i);
  }
  return hole;
}

double mean_of(const std::vector<AnsweredTask>& answered, const std::function<double(const TaskScore&)>& of) {
  double sum = 0;
  for (const AnsweredTask& one : answered) sum += of(one.score);
  return sum / static_cast<double>(answered.size());
}

/// A mean over the tasks, and its 95 % interval where there are several.
void add_mean(const std::vector<AnsweredTask>& answered, const std::string& name, const std::string& unit,
              const std::string& meaning, const std::function<double(const TaskScore&)>& of, const Random& random,
              Results& results) {
  results.scalar(name, mean_of(answered, of), unit, meaning);
  if (answered.size() < 2) return;
  const auto mean = [&](std::span<const Index> rows) {
    double sum = 0;
    for (const Index k : rows) sum += of(answered[k].score);
    return sum / static_cast<double>(rows.size());
  };
  BootstrapSettings settings;
  settings.kind = BootstrapKind::percentile;
  const BootstrapInterval interval = bootstrap_interval(std::ssize(answered), mean, random.stream(name), settings);
  results.scalar(name + "_low", interval.low, unit, meaning + ", lower end (95 %, bootstrap over tasks)");
  results.scalar(name + "_high", interval.high, unit, meaning + ", upper end (95 %, bootstrap over tasks)");
}

void add_means(const std::vector<AnsweredTask>& answered, const Random& random, Results& results) {
  for (std::size_t m = 0; m < kMethods.size(); ++m) {
    const auto add = [&](const char* name, const char* unit, const char* meaning, auto member) {
      add_mean(
          answered, m == 0 ? name : concat(name, "_", kMethods[m]), unit, concat(meaning, " by ", kMethods[m]),
          [=](const TaskScore& score) { return (score.*member)[m]; }, random, results);
    };
    add("psnr", "dB", "mean PSNR of the tasks", &TaskScore::psnr);
    add("mae", "1", "mean absolute error of reflectances", &TaskScore::error);
    add("sam", "degree", "mean spectral angle", &TaskScore::angle);
  }
  add_mean(
      answered, "psnr_gain", "dB", "PSNR of attention less that of linear interpolation, mean over the tasks",
      [](const TaskScore& score) { return score.psnr[0] - score.psnr[1]; }, random, results);
  add_mean(
      answered, "covered", "1", "share of the hidden values within 1.645 spread; 0.9 is right",
      [](const TaskScore& score) { return score.covered; }, random, results);
  results.headline({.variable = "psnr", .label = "PSNR", .meaning = "mean over the tasks, range 1, all bands"});
  results.headline({.variable = "psnr_linear", .label = "by linear interpolation", .meaning = "of the same pixels"});
  results.headline({.variable = "sam", .label = "spectral angle, degrees", .meaning = "mean over the tasks"});
  results.headline({.variable = "covered",
                    .label = "within 90 % interval",
                    .meaning = "share of the hidden values within 1.645 spread of the prediction"});
}

void add_table(const ImageStack& stack, const std::vector<AnsweredTask>& answered, Results& results) {
  const auto date = [&](const AnsweredTask& one) {
    return concat(stack.date_text(one.score.task.target), " (", one.score.task.target, ")");
  };
  auto table = rows("task", answered, date, "hidden date, and its number");
  table
      .number(
          "pixels", [](const AnsweredTask& one) { return one.score.pixels; }, "pixels")
      .prefix("task_");
  const auto add = [&](const std::string& what, const std::string& unit, const std::string& meaning, auto member) {
    for (std::size_t m = 0; m < kMethods.size(); ++m)
      table.number(
          concat(what, "_", kMethods[m]), [=](const AnsweredTask& one) { return (one.score.*member)[m]; },
          concat(meaning, " by ", kMethods[m]), unit);
  };
  add("psnr", "dB", "PSNR", &TaskScore::psnr);
  add("mae", "1", "MAE", &TaskScore::error);
  add("sam", "degree", "SAM", &TaskScore::angle);
  table
      .number(
          "covered", [](const AnsweredTask& one) { return one.score.covered; }, "within 90 %")
      .write(results)
      .lines(results, "task_psnr_attention",
             {.name = "psnr_by_task",
              .title = "PSNR of each task",
              .caption = "Each task hides one date where another date has clouds.",
              .variables = {"task_psnr_linear", "task_psnr_nearest"},
              .value_label = "PSNR"})
      .table(results, {.name = "tasks",
                       .title = "Tasks",
                       .caption = "PSNR over all bands (range 1), mean absolute error, spectral angle.",
                       .digits = 4});
}

/// Root mean square over the bands.
double row_size(const Matrix<float>& rows, Index row) {
  return std::sqrt(rows.row(row).cast<double>().squaredNorm() / static_cast<double>(rows.cols()));
}

void add_picture(const std::string& name, const std::string& meaning, const std::vector<double>& values,
                 Results& results) {
  results.add(name, {"row", "column", "rgb"}, values, "1", meaning);
  results.data.at(name).attributes["stretch"] = "2 98";
}

void add_map(const std::string& name, const std::string& meaning, const std::vector<double>& values, double most,
             Results& results) {
  results.add(name, {"row", "column"}, values, "1", meaning);
  results.data.at(name).attributes = {{"valid_min", "0"}, {"valid_max", std::to_string(most)}};
}

/// The task with the median PSNR: truth, hole, answer, error and spread.
void add_pictures(const ImageStack& stack, const AnsweredTask& shown, Results& results) {
  const Matrix<float>& truth = stack.images[shown.score.task.target];
  Matrix<float> seen = truth, filled = truth;
  const std::size_t pixels = stack.pixels();
  std::vector<double> error(pixels, kNan), spread(pixels, kNan);
  for (std::size_t k = 0; k < shown.hidden.size(); ++k) {
    const Index i = shown.hidden[k], row = static_cast<Index>(k);
    seen.row(i).setConstant(static_cast<float>(kNan));
    filled.row(i) = shown.filled.values.row(row);
    error[i] = row_size(filled - truth, i);
    spread[i] = row_size(shown.filled.spread, row);
  }
  results.data.dimension("row", stack.rows);
  results.data.dimension("column", stack.columns);
  results.data.dimension("rgb", 3);
  const std::array<Index, 3> bands = model::color_bands(stack.bands);
  const auto colors = [&](const Matrix<float>& image) {
    std::vector<double> values;
    for (Index i = 0; i < stack.pixels(); ++i)
      for (const Index band : bands) values.push_back(static_cast<double>(image(i, band)));
    return values;
  };
  add_picture("truth", "the truth", colors(truth), results);
  add_picture("seen", "what is seen", colors(seen), results);
  add_picture("filled", "filled", colors(filled), results);
  double most = 0.02;
  for (const std::vector<double>* map : {&error, &spread})
    for (const double value : *map) most = std::max(most, std::isfinite(value) ? value : 0);
  add_map("error_map", "error", error, std::ceil(most * 100) / 100, results);
  add_map("spread_map", "spread", spread, std::ceil(most * 100) / 100, results);
  results.figure({.kind = "image",
                  .name = "pictures",
                  .title = "A task: " + stack.date_text(shown.score.task.target),
                  .caption = "The task with the median PSNR. Error and spread: root mean square over the bands.",
                  .variables = {"truth", "seen", "filled", "error_map", "spread_map"},
                  .x = "column",
                  .y = "row",
                  .channel = "rgb"});
}

}  // namespace

AnsweredTask answer_task(const GapModel& model, const ImageStack& stack, const Matrix<float>& seasons,
                         const std::vector<Flags>& visible, const GapTask& task, const GapRules& rules) {
  const Frame frame = task.before < 0 ? nearest_frame(stack, task.target, visible, rules.away_days, rules.least_clear)
                                      : frame_between(stack, task.target, task.before, task.after, stack.clear);
  const Hole hole = hole_of(stack, visible, task, frame);
  AnsweredTask answered{{task, std::ssize(hole.hidden)}, hole.hidden, {}};
  if (hole.hidden.empty()) return answered;
  answered.filled = fill_gap(model, stack, seasons, task.target, frame, hole.visible, hole.hidden);
  const Matrix<double> truth = chosen_rows(stack.images[task.target], hole.hidden);
  const std::array<Matrix<double>, 3> said{answered.filled.values.cast<double>(),
                                           chosen_rows(frame.interpolated(), hole.hidden),
                                           chosen_rows(frame.nearest(), hole.hidden)};
  for (std::size_t m = 0; m < said.size(); ++m) {
    answered.score.psnr[m] = peak_signal_to_noise(numbers(said[m]), numbers(truth), 1);
    answered.score.error[m] = (said[m] - truth).cwiseAbs().mean();
    answered.score.angle[m] = mean_spectral_angle(said[m], truth);
  }
  const Matrix<double> spread = answered.filled.spread.cast<double>();
  answered.score.covered = static_cast<double>(((said[0] - truth).array().abs() <= kNinety * spread.array()).count()) /
                           static_cast<double>(truth.size());
  if (!stack.ground.empty())
    answered.score.ground_error =
        std::sqrt((said[0] - chosen_rows(stack.ground[task.target], hole.hidden)).cwiseAbs2().mean());
  return answered;
}

void report_tasks(const ImageStack& stack, const std::vector<AnsweredTask>& answered, const Random& random,
                  Results& results) {
  add_means(answered, random, results);
  add_table(stack, answered, results);
  std::vector<std::size_t> order(answered.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return std::pair(answered[a].score.psnr[0], a) < std::pair(answered[b].score.psnr[0], b);
  });
  add_pictures(stack, answered[order[order.size() / 2]], results);
}

}  // namespace fovea::fusion::gapfill
