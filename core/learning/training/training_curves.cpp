#include "fovea/core/learning/training/training_curves.hpp"

#include <numeric>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/missing.hpp"

namespace fovea::learning {

void add_learning_curves(Results& results, const std::string& name, const TrainingReport& report,
                         const std::string& loss_units) {
  const std::string epoch = name + "_epoch";
  std::vector<std::int64_t> numbers(report.planned_epochs);
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
  figure.title = name.starts_with("member_") ? "Learning curve of member " + name.substr(7) : "Learning curve";
  figure.caption = "Loss of each epoch; the model of the epoch with the best validation is used.";
  figure.variables = {name + "_training_loss"};
  if (!report.validation_loss.empty()) figure.variables.push_back(name + "_validation_loss");
  figure.x = epoch;
  results.figure(figure);
}

void add_ensemble_curves(Results& results, const std::string& name, std::span<const TrainingReport> reports,
                         const std::string& loss_units) {
  require(!reports.empty(), "add_ensemble_curves: there is no report; an ensemble has at least one member.");
  std::vector<std::int64_t> epochs(reports.front().planned_epochs), members(reports.size());
  std::iota(epochs.begin(), epochs.end(), 1);
  std::iota(members.begin(), members.end(), 1);
  const std::string epoch = name + "_epoch", member = name + "_member";
  results.coordinate(epoch, epochs, "1", "epoch");
  results.coordinate(member, members, "1", "member");
  Figure figure{.name = name + "_learning_curves",
                .title = "Learning curves",
                .caption = reports.front().validation_loss.empty()
                               ? "Mean training loss of each epoch; the model of the last epoch is used."
                               : "Loss of each epoch; the model of the epoch with the best validation is used.",
                .variables = {},
                .x = epoch,
                .hue = member};
  const auto add = [&](const char* what, std::vector<double> TrainingReport::*curve, const char* meaning) {
    if ((reports.front().*curve).empty()) return;
    std::vector<double> all;
    for (const TrainingReport& report : reports) {
      std::vector<double> of_one = report.*curve;
      of_one.resize(epochs.size(), kNan);
      all.insert(all.end(), of_one.begin(), of_one.end());
    }
    results.add(name + what, {member, epoch}, std::move(all), loss_units, meaning);
    figure.variables.push_back(name + what);
  };
  add("_training_loss", &TrainingReport::training_loss, "mean training loss of the epoch");
  add("_validation_loss", &TrainingReport::validation_loss, "validation loss at the end of the epoch");
  std::vector<double> best;
  for (const TrainingReport& report : reports) best.push_back(static_cast<double>(report.best_epoch + 1));
  results.add(name + "_best_epoch", {member}, best, "1", "epoch of the lowest loss");
  results.figure(figure);
}

}  // namespace fovea::learning
