// Gaps filled by attention: what is known around them in time, what teaches, what is said, and what is refused.

#include "fovea/domains/fusion/gapfill/gap_learning.hpp"
#include "fovea/domains/fusion/gapfill/gap_model_file.hpp"
#include "fovea/domains/fusion/gapfill/gap_scores.hpp"
#include "fovea/tests/support/test.hpp"

namespace fovea::fusion::gapfill {

namespace {

/// 1 x 3 pixels with one band on four dates; pixel 2 is never clear but on the last date.
ImageStack tiny_stack() {
  ImageStack stack;
  stack.source = "tiny";
  stack.rows = 1, stack.columns = 3;
  stack.bands = {"B08"};
  stack.days = {0, 10, 15, 30};
  for (const float level : {0.1F, 0.9F, 0.2F, 0.4F}) {
    stack.images.push_back(Matrix<float>::Constant(3, 1, level));
    stack.clear.push_back({1, 1, 0});
  }
  stack.clear[1] = {0, 1, 0};
  stack.clear[3] = {1, 0, 1};
  return stack;
}

ImageStack made_stack(Index side = 24) {
  datasets::simulated::stacks::CloudedStackPlan plan;
  plan.rows = plan.columns = side;
  plan.dates = 30;
  return image_stack(plan, clouded_stack(plan, Random(5)));
}

LearnPlan small_plan(const ImageStack& stack) {
  LearnPlan plan;
  plan.columns = {stack.bands, stack.s1_bands, 3, 8};
  plan.ridges = {0.1};
  plan.holes = 2, plan.epochs = 2;
  return plan;
}

struct Said {
  std::vector<GapTask> tasks;
  LearnedGaps learned;
  std::vector<AnsweredTask> answered;
};

Said learn_and_answer(const ImageStack& stack, const std::vector<GapTask>& tasks, const LearnPlan& plan) {
  const std::vector<Flags> visible = visible_without(stack, tasks);
  Said said{tasks, learn_gaps(stack, visible, plan, Random(3), *plain_workbench()), {}};
  const Matrix<float> seasons = season_columns(stack, plan.columns);
  for (const GapTask& task : tasks)
    said.answered.push_back(answer_task(said.learned.model, stack, seasons, visible, task, plan.rules));
  return said;
}

void check_equal(const Said& a, const Said& b) {
  CHECK(a.learned.model.members[0].log_widths == b.learned.model.members[0].log_widths);
  CHECK(a.learned.model.scale == b.learned.model.scale);
  for (std::size_t k = 0; k < a.answered.size(); ++k) {
    CHECK(a.answered[k].filled.values == b.answered[k].filled.values);
    CHECK(a.answered[k].filled.spread == b.answered[k].filled.spread);
  }
}

std::string tasks_file(const support::TemporaryFolder& folder, const std::string& rows) {
  std::ofstream(folder.file("tasks.csv")) << "target,mask_source,prev,next,hidden_px\n" << rows;
  return folder.file("tasks.csv");
}

}  // namespace

TEST_CASE("a pixel is interpolated between its nearest usable dates that are far enough", "[fusion]") {
  const ImageStack stack = tiny_stack();
  const Frame frame = nearest_frame(stack, 2, stack.clear, 0, 0);
  CHECK(frame.known == Flags{1, 1, 1});
  CHECK(frame.interpolated()(0, 0) == Approx(0.25));  // half of the 30 days from .1 to .4
  CHECK(frame.interpolated()(1, 0) == Approx(0.9));   // nothing after: what was before
  CHECK(frame.interpolated()(2, 0) == Approx(0.4));   // nothing before
  const Frame apart = nearest_frame(stack, 2, stack.clear, 5, 0);
  CHECK(apart.before(1, 0) == Approx(0.1));  // day 10 is not more than 5 days away
  const Frame clear_ones = nearest_frame(stack, 2, stack.clear, 0, 0.5);
  CHECK(clear_ones.before(1, 0) == Approx(0.1));  // day 10 is clear on a third alone
  const Frame given = frame_between(stack, 2, 0, 3, stack.clear);
  CHECK(given.known == Flags{1, 0, 0});
  CHECK(frame_between(stack, 2, 1, 3, std::vector<Flags>(4, Flags{1, 1, 1})).nearest()(0, 0) == Approx(0.9));
}

TEST_CASE("what a task hides teaches nothing and changes no answer", "[fusion]") {
  ImageStack stack = made_stack();
  const LearnPlan plan = small_plan(stack);
  std::vector<GapTask> tasks = made_tasks(stack, plan.rules, Random(8));
  REQUIRE(tasks.size() >= 2);
  REQUIRE(tasks[0].mask != tasks[1].mask);
  tasks.push_back({tasks[0].target, tasks[1].mask, -1, -1});  // what one hides of a date, the other must not use
  const Said before = learn_and_answer(stack, tasks, plan);
  for (const AnsweredTask& one : before.answered)
    for (const Index i : one.hidden) stack.images[one.score.task.target].row(i).setConstant(0.7F);
  check_equal(before, learn_and_answer(stack, tasks, plan));
}

TEST_CASE("gaps are learned and filled with the same bits by any number of threads", "[fusion][threads]") {
  const ImageStack stack = made_stack();
  const LearnPlan plan = small_plan(stack);
  const std::vector<GapTask> tasks = made_tasks(stack, plan.rules, Random(8));
  const int before = omp_get_max_threads();
  omp_set_num_threads(1);
  const Said alone = learn_and_answer(stack, tasks, plan);
  for (const int threads : {2, 3, 5}) {
    omp_set_num_threads(threads);
    check_equal(alone, learn_and_answer(stack, tasks, plan));
  }
  omp_set_num_threads(before);
}

TEST_CASE("what is linear in the columns, or alike among like pixels, is filled exactly", "[fusion]") {
  ImageStack stack = made_stack();
  GapModel model;
  model.plan = {stack.bands, {}, 0, 8};
  model.members = {{1e-6, std::vector<float>(model.plan.count(), std::log(0.02F))}};
  model.scale = model.alone = std::vector<double>(stack.bands.size(), 1);
  model.floor = std::vector<double>(stack.bands.size(), 0);
  const Frame frame = nearest_frame(stack, 10, stack.clear, 15, 0.9);
  const Matrix<float> between = frame.interpolated();
  std::vector<Index> visible, hidden;
  for (Index i = 0; i < stack.pixels(); ++i) {
    REQUIRE(frame.known[i] == 1);
    (i % 3 == 0 ? hidden : visible).push_back(i);
    stack.images[10].row(i) = between.row(i) + 0.5F * frame.before.row(i);
  }
  const Matrix<float> seasons = season_columns(stack, model.plan);
  const auto largest_error = [&](const FilledGap& gap) {
    float most = 0;
    for (std::size_t k = 0; k < hidden.size(); ++k)
      most = std::max(most,
                      (gap.values.row(static_cast<Index>(k)) - stack.images[10].row(hidden[k])).cwiseAbs().maxCoeff());
    return most;
  };
  CHECK(largest_error(fill_gap(model, stack, seasons, 10, frame, visible, hidden)) < 1e-4F);
  model.members[0].ridge = 1e6;  // no trend: an offset of each half of the image is found by the column "row" alone
  std::fill(model.members[0].log_widths.begin(), model.members[0].log_widths.end(), 20.0F);
  model.members[0].log_widths[model.plan.count() - 2] = std::log(1e-3F);
  for (Index i = 0; i < stack.pixels(); ++i)
    stack.images[10].row(i) = (between.row(i).array() + (i < stack.pixels() / 2 ? 0.1F : -0.1F)).matrix();
  const FilledGap gap = fill_gap(model, stack, seasons, 10, frame, visible, hidden);
  CHECK(largest_error(gap) < 1e-4F);
  CHECK(gap.spread.maxCoeff() < 1e-3F);
  CHECK(fill_gap(model, stack, seasons, 10, frame, {}, hidden).values.row(0) == between.row(hidden[0]));
}

TEST_CASE("attention is nearer than interpolation behind simulated clouds, and knows how near", "[fusion]") {
  const ImageStack stack = made_stack(32);
  LearnPlan plan = small_plan(stack);
  plan.epochs = 4;
  const Said said = learn_and_answer(stack, made_tasks(stack, plan.rules, Random(8)), plan);
  double gain = 0, covered = 0;
  for (const AnsweredTask& one : said.answered) {
    gain += (one.score.psnr[0] - one.score.psnr[1]) / static_cast<double>(said.answered.size());
    covered += one.score.covered / static_cast<double>(said.answered.size());
    CHECK(one.score.ground_error < 0.01);  // the noise of a value
  }
  CHECK(gain > 4);
  CHECK(covered > 0.84);
  CHECK(covered < 0.97);
}

TEST_CASE("a filled date keeps what was seen, and leaves out what no date shows", "[fusion]") {
  ImageStack stack = made_stack();
  const LearnPlan plan = small_plan(stack);
  const GapModel model = learn_gaps(stack, stack.clear, plan, Random(3), *plain_workbench()).model;
  std::vector<Flags> usable = stack.clear;
  for (Flags& flags : usable) flags[7] = 0;  // never seen
  const Matrix<float> seasons = season_columns(stack, plan.columns);
  for (Index date = 0; date < stack.dates(); date += 7) {
    const FilledDate filled = filled_date(model, stack, seasons, usable, date);
    CHECK(filled.image.row(7).array().isNaN().all());
    Index seen = 0;
    for (Index i = 0; i < stack.pixels(); ++i)
      if (usable[date][i] != 0 && ++seen > 0) CHECK(filled.image.row(i) == stack.images[date].row(i));
    CHECK(seen + std::ssize(filled.hidden) + 1 == stack.pixels());
    CHECK((filled.spread.array() > 0).all());
  }
}

TEST_CASE("a model of gaps comes back from its file, and a changed file is refused", "[fusion]") {
  const ImageStack stack = made_stack();
  const GapModel model = learn_gaps(stack, stack.clear, small_plan(stack), Random(3), *plain_workbench()).model;
  Dataset file = gap_model_dataset(model, "fusion.gapfill", 1);
  const GapModel again = read_gap_model("m.h5", file, 1);
  CHECK(again.members[0].log_widths == model.members[0].log_widths);
  CHECK(again.scale == model.scale);
  CHECK(again.plan.names() == model.plan.names());
  CHECK(gap_model_text(again).find("before B08") != std::string::npos);
  using support::refusal_of;
  CHECK(refusal_of<DataError>([&] {
          read_gap_model("m.h5", file, 2);
        }).starts_with("m.h5: was trained by another version"));
  file.at("ridge").values = std::vector<double>{2};
  CHECK(
      refusal_of<DataError>([&] { read_gap_model("m.h5", file, 1); }).starts_with("m.h5: its content does not match"));
}

TEST_CASE("tasks that cannot be are refused with their row", "[fusion]") {
  const support::TemporaryFolder folder;
  const ImageStack stack = tiny_stack();
  const auto refusal = [&](const std::string& rows) {
    return support::refusal_of<DataError>([&] { read_tasks(tasks_file(folder, rows), stack); });
  };
  const std::string path = folder.file("tasks.csv");
  CHECK(refusal("2,1,0,9,1\n") == path + ":row 2, column 'next': is date 9, but tiny has the dates 0 to 3.");
  CHECK(refusal("2,1,-1,3,1\n") == path + ":row 2, column 'prev': is date -1, but tiny has the dates 0 to 3.");
  CHECK(refusal("2,1,2,3,1\n") == path + ":row 2, column 'prev': is date 2, but must lie before the target, 2.");
  CHECK(refusal("2,1,0,1,1\n") == path + ":row 2, column 'next': is date 1, but must lie after the target, 2.");
  CHECK(refusal("2,1,0,3,1\n").find("which hides all or nothing") != std::string::npos);
  CHECK(refusal("2,nan,0,3,1\n").find(path + ":row 2, column 'mask_source': ") == 0);
  CHECK(refusal("") == path + ": has no task; give at least one row.");
}

TEST_CASE("without clear dates nothing is learned, and that is said", "[fusion]") {
  ImageStack stack = made_stack();
  for (Flags& flags : stack.clear) std::fill(flags.begin(), flags.begin() + stack.pixels() / 2, std::uint8_t{0});
  CHECK(support::refusal_of<DataError>([&] {
          learn_gaps(stack, stack.clear, small_plan(stack), Random(3), *plain_workbench());
        }).find("holes in the shape of clouds can be cut into no date") != std::string::npos);
}

TEST_CASE("the shared stack's tasks are filled better than 32.7 dB", "[fusion][long]") {
  const auto file = support::shared_data("fusion/wc_be_2018_31UDS.h5");
  const auto table = support::shared_data("fusion/gapfill_tasks_wc_be_2018_31UDS.csv");
  if (!file || !table) return;
  const ImageStack stack = image_stack(datasets::rasters::Stack(file->string()));
  LearnPlan plan = small_plan(stack);
  plan.ridges = {0.3}, plan.columns.seasons = 6;
  const Said said = learn_and_answer(stack, read_tasks(table->string(), stack), plan);
  double psnr = 0, linear = 0, angle = 0;
  for (const AnsweredTask& one : said.answered)
    psnr += one.score.psnr[0], linear += one.score.psnr[1], angle += one.score.angle[0];
  CHECK(psnr / 29 > 32.7);
  CHECK(linear / 29 == Approx(28.79).margin(0.005));
  CHECK(angle / 29 < 4.1);
  CHECK(said.answered.front().score.pixels == 2076);
  CHECK(stack.date_text(0) == "2017-08-04");
}

}  // namespace fovea::fusion::gapfill
