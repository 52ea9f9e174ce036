#include "fovea/core/data/file/dataset_file.hpp"
#include "fovea/core/lab/workbench.hpp"
#include "fovea/core/learning/training/training_series.hpp"
#include "fovea/tests/core/learning/line_task.hpp"
#include "fovea/tests/support/runs/bench.hpp"
#include "fovea/tests/support/test.hpp"

namespace fovea::learning {

TEST_CASE("a training has the same bits on 1, 2, 3 and 5 threads", "[learning][training][threads]") {
  const LineTask task = line_task(60, 0.1);
  const int before = omp_get_max_threads();
  omp_set_num_threads(1);
  const Ending one = train_line(task, line_settings(6), *plain_workbench());
  for (const int threads : {2, 3, 5}) {
    omp_set_num_threads(threads);
    CHECK(same_ending(train_line(task, line_settings(6), *plain_workbench()), one));
  }
  omp_set_num_threads(before);
}

TEST_CASE("a training that is stopped at any step and goes on ends in the same bits", "[learning][training]") {
  const LineTask task = line_task(60, 0.1);
  TrainingSettings settings = line_settings(30);
  settings.patience = 3;
  for (const OptimizerSettings& optimizer : {OptimizerSettings(AdamW{}), OptimizerSettings(Sgd{0.9, true, 0.01})}) {
    settings.optimizer = optimizer;
    const Ending straight = train_line(task, settings, *plain_workbench(), true);
    REQUIRE(straight.report.steps >= 20);
    REQUIRE(straight.report.best_epoch < straight.report.epochs() - 1);
    REQUIRE(straight.report.learning_rate.back() < straight.report.learning_rate.front());
    REQUIRE(straight.report.stopped_early);
    for (int stop = 1; stop <= straight.report.steps; ++stop) {
      StoppingBench bench(stop);
      CHECK_THROWS_AS(train_line(task, settings, bench, true), Interrupted);
      bench.begin_again();
      CAPTURE(stop);
      CHECK(same_ending(train_line(task, settings, bench, true), straight));
    }
  }
}

TEST_CASE("a training that is stopped after every single step ends in the same bits", "[learning][training]") {
  const LineTask task = line_task(60, 0.1);
  const Ending straight = train_line(task, line_settings(3), *plain_workbench());
  StoppingBench bench(1);
  int stops = 0;
  std::optional<Ending> ending;
  while (!ending && stops < 1000) {
    bench.begin_again(1);
    try {
      ending = train_line(task, line_settings(3), bench);
    } catch (const Interrupted&) {
      ++stops;
    }
  }
  CHECK(stops == straight.report.steps);
  CHECK(same_ending(*ending, straight));
}

TEST_CASE("every shard of every step has random numbers of its own", "[learning][training]") {
  const LineTask task = line_task(60, 0.1);
  LineModel model;
  TrainingProblem problem = line_problem(model, task, 0);
  std::set<std::uint64_t> steps;
  std::size_t shards = 0;
  const auto plain = problem.loss;
  problem.loss = [&](Tape<float>& tape, std::span<const Index> examples, float total) {
#pragma omp critical(count_shards)
    {
      steps.insert(tape.pass().step);
      ++shards;
    }
    return plain(tape, examples, total);
  };
  const TrainingReport report = train(model.parameters, problem, line_settings(3), Random(5), *plain_workbench());
  CHECK(steps.size() == shards);
  CHECK(shards > static_cast<std::size_t>(2 * report.steps));
}

TEST_CASE("a checkpoint of a training survives the disk with its bits", "[learning][training]") {
  const LineTask task = line_task(60, 0.1);
  const Ending straight = train_line(task, line_settings(3), *plain_workbench());
  const support::TemporaryFolder folder(support::memory_disk());
  StopFlag stop{15};
  BenchPlan plan;
  plan.folder = folder.path();
  plan.stop = &stop;
  LabWorkbench first(plan);
  CHECK_THROWS_AS(train_line(task, line_settings(3), first), Interrupted);
  plan.stop = nullptr;
  LabWorkbench second(plan);
  CHECK(same_ending(train_line(task, line_settings(3), second), straight));
}

TEST_CASE("several trainings share a bench, and those that were done are not repeated", "[learning][training]") {
  const LineTask task = line_task(40, 0.1);
  int steps_taken = 0;
  const auto run_three = [&](Workbench& bench) {
    TrainingSeries series(bench, 3);
    std::vector<Ending> endings;
    for (const char* name : {"a", "b", "c"}) {
      LineModel model;
      const TrainingProblem plain = line_problem(model, task, 5);
      TrainingProblem problem = plain;
      problem.loss = [&](Tape<float>& tape, std::span<const Index> examples, float total) {
#pragma omp atomic
        ++steps_taken;
        return plain.loss(tape, examples, total);
      };
      TrainingSettings settings = line_settings(2);
      settings.name = name;
      const TrainingReport report = series.train(model.parameters, problem, settings, Random(1).stream(name));
      endings.push_back({{model.parameters.values().begin(), model.parameters.values().end()}, report});
    }
    return endings;
  };
  const std::vector<Ending> straight = run_three(*plain_workbench());
  const int all_steps = steps_taken;
  const auto total = static_cast<int>(straight[0].report.steps + straight[1].report.steps + straight[2].report.steps);
  for (int stop = 1; stop <= total; ++stop) {
    StoppingBench bench(stop);
    CHECK_THROWS_AS(run_three(bench), Interrupted);
    bench.begin_again();
    steps_taken = 0;
    const std::vector<Ending> resumed = run_three(bench);
    for (std::size_t k = 0; k < 3; ++k) CHECK(same_ending(resumed[k], straight[k]));
    if (stop == total) CHECK(steps_taken == 0);
    CHECK(steps_taken < all_steps);
  }
  const auto bench = plain_workbench();
  TrainingSeries series(*bench, 1);
  LineModel model;
  TrainingSettings settings = line_settings(1);
  settings.name = "a.b";
  series.train(model.parameters, line_problem(model, task, 5), settings, Random(1));
  CHECK_THROWS_WITH(series.train(model.parameters, line_problem(model, task, 5), settings, Random(1)),
                    "training series: 'a.b' must be a name that no earlier training had.");
}

TEST_CASE("what a series makes once is not made again by a run that goes on", "[learning][training]") {
  const LineTask task = line_task(40, 0.1);
  int made = 0;
  const auto run_series = [&](Workbench& bench) {
    TrainingSeries series(bench, 3);
    const auto train_one = [&](const char* name) {
      LineModel model;
      TrainingSettings settings = line_settings(2);
      settings.name = name;
      const TrainingReport report = series.train(model.parameters, line_problem(model, task, 5), settings, Random(1));
      return Ending{{model.parameters.values().begin(), model.parameters.values().end()}, report};
    };
    const Ending first = train_one("first");
    const Dataset other = series.once("other", [&] {
      Dataset data;
      data.add({"number", {}, std::vector<double>{0.1 + ++made}, "1", "a number", {}});
      return data;
    });
    CHECK(other.at("number").reals() == std::vector<double>{1.1});
    return std::pair(first, train_one("last"));
  };
  const auto straight = run_series(*plain_workbench());
  made = 0;
  StoppingBench bench(1);
  int stops = 0;
  for (bool done = false; !done && stops < 1000;) {
    bench.begin_again(1);
    try {
      const auto ending = run_series(bench);
      CHECK(same_ending(ending.first, straight.first));
      CHECK(same_ending(ending.second, straight.second));
      done = true;
    } catch (const Interrupted&) {
      ++stops;
    }
  }
  CHECK(made == 1);
  CHECK(stops == straight.first.report.steps + 1 + straight.second.report.steps);
  CHECK_THROWS_AS(
      [&] {
        bench.begin_again();
        TrainingSeries(bench, 1).once("another", [] { return Dataset(); });
      }(),
      DataError);
}

}  // namespace fovea::learning
