#include "fovea/core/learning/training/training.hpp"

#include "fovea/core/learning/training/training_curves.hpp"
#include "fovea/tests/core/learning/line_task.hpp"
#include "fovea/tests/support/runs/bench.hpp"
#include "fovea/tests/support/test.hpp"

namespace fovea::learning {

TEST_CASE("a training finds the line that made the data", "[learning][training]") {
  const LineTask task = line_task(300, 0.0);
  TrainingSettings settings = line_settings(60);
  const Ending ending = train_line(task, settings, *plain_workbench());
  constexpr float kNoiseOfInputs = 0.02f;  // inputs carry a noise of 0.01 while training
  const std::vector<float> truth{0.5f, -1.0f, 2.0f, 0.25f};
  for (std::size_t k = 0; k < truth.size(); ++k) CHECK(std::abs(ending.values[k] - truth[k]) < kNoiseOfInputs);
  CHECK(ending.report.validation_loss.back() < 1e-3 * ending.report.validation_loss.front());
  CHECK(ending.report.epochs() == 60);
}

TEST_CASE("a step goes down the gradient of the whole batch, however it is cut into shards",
          "[learning][training][twin]") {
  constexpr double kFloatSums = 2e-5;  // relative: sums of 60 x 9 terms in float
  LineTask task = line_task(60, 0.1);
  task.input_noise = 0;
  Eigen::Vector4d gradient = Eigen::Vector4d::Zero();
  for (std::size_t e = 0; e < 60; ++e) {
    Eigen::Vector4d sums;
    sums << task.tokens[e].cast<double>().colwise().sum().transpose(), static_cast<double>(task.sizes[e]);
    const double error = 0.1 * sums.head(3).sum() - static_cast<double>(task.targets[e]);
    gradient += 2 * error / 60 * sums;
  }
  for (const Index shard_tokens : {100000, 10}) {
    LineModel model;
    TrainingSettings settings = line_settings(1);
    settings.batches = {100000, shard_tokens, true, 0};
    settings.optimizer = Sgd{0, false, 0};
    settings.schedule = {1.0};
    settings.largest_norm = std::numeric_limits<double>::infinity();
    const TrainingReport report =
        train(model.parameters, line_problem(model, task, 0), settings, Random(5), *plain_workbench());
    const Eigen::Vector4d start(0.1, 0.1, 0.1, 0);
    for (Index k = 0; k < 4; ++k) {
      const double moved = start[k] - static_cast<double>(model.parameters.values()[k]);
      CHECK(std::abs(moved - gradient[k]) < kFloatSums * gradient.norm());
    }
    CHECK(std::abs(report.gradient_norm[0] / gradient.norm() - 1) < kFloatSums);
  }
}

TEST_CASE("early stopping waits as long as it was told, and the best model comes back", "[learning][training]") {
  const LineTask task = line_task(30, 0.0);
  LineModel model;
  TrainingProblem problem = line_problem(model, task, 0);
  const std::vector<double> script{0.1, 0.5, 0.4, 0.8, 0.7, 0.8, 0.79, 0.9};
  std::vector<std::vector<float>> seen;
  problem.metric = TrainingMetric{[&](const Parameters<float>& p) {
                                    seen.emplace_back(p.values().begin(), p.values().end());
                                    return script[seen.size() - 1];
                                  },
                                  true, true};
  TrainingSettings settings = line_settings(8);
  settings.patience = 3;
  const TrainingReport report = train(model.parameters, problem, settings, Random(5), *plain_workbench());
  CHECK(report.stopped_early);
  CHECK(report.best_epoch == 3);
  CHECK(report.best == 0.8);
  CHECK(report.epochs() == 7);
  CHECK(std::equal(seen[3].begin(), seen[3].end(), model.parameters.values().begin()));
}

TEST_CASE("weights of examples and the batches do not change what the mean loss is", "[learning][training]") {
  constexpr double kFloatSums = 1e-5;
  const LineTask task = line_task(40, 0.5);
  const LineModel model;
  const TrainingProblem problem = line_problem(model, task, 0);
  double sum = 0;
  for (std::size_t e = 0; e < 40; ++e) {
    double answer = 0;
    for (Index i = 0; i < task.sizes[e]; ++i) answer += 0.1 * task.tokens[e].row(i).cast<double>().sum();
    sum += std::pow(answer - static_cast<double>(task.targets[e]), 2);
  }
  CHECK(std::abs(mean_loss(model.parameters, problem, problem.training) / (sum / 40) - 1) < kFloatSums);
  CHECK(std::abs(mean_loss(model.parameters, problem, problem.training, {1, 7, true, 0}) / (sum / 40) - 1) <
        kFloatSums);
  CHECK(mean_loss(model.parameters, problem, {}) == 0);
}

TEST_CASE("predictions come in the order of the list with the same bits for any shards", "[learning][training]") {
  const LineTask task = line_task(30, 0.0);
  const LineModel model;
  const std::vector<Index> examples{7, 3, 29, 3};
  const auto output = [&](Tape<float>& tape, std::span<const Index> some) { return model.output(tape, task, some); };
  const Matrix<float> whole = predict(model.parameters, task.sizes, examples, output);
  CHECK(whole.rows() == 8 + 4 + 3 + 4);
  CHECK(whole == predict(model.parameters, task.sizes, examples, output, {1, 1, true, 3}));
  CHECK(whole.middleRows(8, 4) == whole.bottomRows(4));
  CHECK(predict(model.parameters, task.sizes, {}, output).size() == 0);
}

TEST_CASE("a training that blows up says where and what to do", "[learning][training][errors]") {
  const LineTask task = line_task(30, 0.0);
  LineModel model;
  TrainingProblem problem = line_problem(model, task, 0);
  int calls = 0;
  problem.loss = [&](Tape<float>& tape, std::span<const Index> examples, float total) {
    Variable<float> loss = line_loss(tape, model.output(tape, task, examples), task, examples, total);
    if (++calls == 3) loss.data()[0] = std::numeric_limits<float>::quiet_NaN();
    return loss;
  };
  TrainingSettings settings = line_settings(2);
  settings.name = "lines";
  settings.batches = {60, 1000, true, 0};
  settings.schedule = {};
  CHECK_THROWS_WITH(train(model.parameters, problem, settings, Random(5), *plain_workbench()),
                    "lines, step 3 (epoch 1, learning rate 0.001): the loss is nan, but must be finite; lower the "
                    "learning rate, warm it up, or clip the gradient more (largest_norm = 1).");
  LineModel wild;
  TrainingProblem wild_problem = line_problem(wild, task, 0);
  settings.optimizer = Sgd{0.9, false, 0};
  settings.schedule.learning_rate = 1e30;
  settings.largest_norm = std::numeric_limits<double>::infinity();
  CHECK_THROWS_AS(train(wild.parameters, wild_problem, settings, Random(5), *plain_workbench()), DivergenceError);
}

TEST_CASE("an error inside a shard comes out of the training", "[learning][training][errors]") {
  const LineTask task = line_task(30, 0.0);
  LineModel model;
  TrainingProblem problem = line_problem(model, task, 0);
  problem.loss = [&](Tape<float>& tape, std::span<const Index> examples, float) -> Variable<float> {
    require(examples[0] != 4, "the model does not like example 4.");
    return model.output(tape, task, examples.first(1));
  };
  TrainingSettings settings = line_settings(1);
  settings.batches = {1000, 1, false, 0};
  problem.training = {4, 0, 9};
  CHECK_THROWS_WITH(train(model.parameters, problem, settings, Random(5), *plain_workbench()),
                    "the model does not like example 4.");
  problem.training = {1};
  CHECK_THROWS_WITH(train(model.parameters, problem, settings, Random(5), *plain_workbench()),
                    "train: the loss is 2 x 1, but must be one number.");
}

TEST_CASE("a training refuses problems that cannot be and checkpoints of another", "[learning][training][errors]") {
  const LineTask task = line_task(30, 0.0);
  LineModel model;
  TrainingProblem problem = line_problem(model, task, 0);
  problem.training = {30};
  const auto bench = plain_workbench();
  CHECK_THROWS_WITH(train(model.parameters, problem, line_settings(1), Random(5), *bench),
                    "train: there is no example 30 to learn from; there are 30, counted from 0.");
  problem.training = {0};
  problem.weights.assign(30, 0.0);
  CHECK_THROWS_WITH(train(model.parameters, problem, line_settings(1), Random(5), *bench),
                    "train: all training examples have weight 0; at least one weight must be > 0.");
  problem.weights.pop_back();
  CHECK_THROWS_AS(train(model.parameters, problem, line_settings(1), Random(5), *bench), ArgumentError);

  StoppingBench stopping(2);
  CHECK_THROWS_AS(train_line(task, line_settings(2), stopping), Interrupted);
  LineModel larger;
  larger.parameters.add("more", Matrix<float>::Zero(1, 1));
  CHECK_THROWS_WITH(train(larger.parameters, line_problem(larger, task, 0), line_settings(2), Random(5), stopping),
                    "checkpoint: /parameters is 'weight 3x1, bias 1x1', but must be 'weight 3x1, bias 1x1, "
                    "more 1x1'; it belongs to another run.");
  CHECK_THROWS_AS(train(model.parameters, line_problem(model, task, 0), line_settings(2), Random(6), stopping),
                  DataError);
}

TEST_CASE("learning curves have a place for every planned epoch", "[learning][training]") {
  const LineTask task = line_task(30, 0.0);
  StoppingBench bench;
  const Ending ending = train_line(task, line_settings(4), bench);
  CHECK(bench.lines.back().starts_with("training: epoch 4 of 4, loss "));
  Results results;
  TrainingReport report = ending.report;
  report.planned_epochs = 6;
  add_learning_curves(results, "line", report);
  const std::vector<double>& curve = results.data.at("line_validation_loss").reals();
  CHECK(curve.size() == 6);
  CHECK(curve[3] == report.validation_loss[3]);
  CHECK(std::isnan(curve[5]));
  CHECK(results.data.at("line_best_epoch").reals()[0] == static_cast<double>(report.best_epoch + 1));
  CHECK(results.figures().size() == 1);
}

TEST_CASE("learning curves of an ensemble are one figure", "[learning][training]") {
  TrainingReport first, second;
  first.planned_epochs = second.planned_epochs = 3;
  first.training_loss = {3, 2, 1};
  second.training_loss = {5, 4};
  first.best_epoch = 2, second.best_epoch = 1;
  Results results;
  add_ensemble_curves(results, "all", std::vector{first, second});
  const std::vector<double>& loss = results.data.at("all_training_loss").reals();
  CHECK(std::vector(loss.begin(), loss.begin() + 5) == std::vector<double>{3, 2, 1, 5, 4});
  CHECK(std::isnan(loss[5]));
  CHECK_FALSE(results.data.has("all_validation_loss"));
  CHECK(results.data.at("all_best_epoch").reals() == std::vector<double>{3, 2});
  REQUIRE(results.figures().size() == 1);
  CHECK(results.figures()[0].hue == "all_member");
}

}  // namespace fovea::learning
