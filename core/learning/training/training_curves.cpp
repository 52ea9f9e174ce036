#include "fovea/core/learning/training/training_curves.hpp"

#include <numeric>

#include "fovea/core/base/missing.hpp"

namespace fovea::learning {

void add_learning_curves(Results& results, const std::string& name, const TrainingReport& report,
                         const std::string& loss_units) {
  const std::string epoch = name + "_epoch";
  std::vector<std::int64_t> numbers(static_cast<std::size_t>(report.planned_epochs));
  std::iota(numbers.begin(), numbers.end(), 1);
  results.coordinate(epoch, numbers, "1", "epoch");
  const auto add = [&](const std::string& what, std::vector<double> curve, const std::string& units,
                       const std::string& meaning) {
    if (curve.empty()) return;
    curve.resize(numbers.size(), kNan);
    results.add(name + "_" + what, {epoch}, std::move(curve), units, meaning);
  };
  add("training_loss", report.training_loss, loss_units, "mean training loss of the epoch");
  add("validation_loss", report.validation_loss, loss_units, "validation loss at the end of the epoch");
  add("metric", report.metric, "1", "metric at the end of the epoch");
  add("learning_rate", report.learning_rate, "1", "learning rate of the last step of the epoch");
  add("gradient_norm", report.gradient_norm, "1", "mean norm of the gradient before clipping");
  results.scalar(name + "_best_epoch", static_cast<double>(report.best_epoch + 1), "1", "epoch of the best model");
  results.scalar(name + "_steps", static_cast<double>(report.steps), "1", "steps of the optimiser");
  Figure figure;
  figure.name = name + "_learning_curve";
  figure.title = "Learning curve";
  figure.caption = "Loss of each epoch; the model of the epoch with the best validation is used.";
  figure.variables = {name + "_training_loss"};
  if (!report.validation_loss.empty()) figure.variables.push_back(name + "_validation_loss");
  figure.x = epoch;
  results.figure(figure);
}

}  // namespace fovea::learning
