#include "fovea/core/learning/training/training_run.hpp"

#include <algorithm>
#include <cmath>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/words.hpp"

namespace fovea::learning {

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr std::chrono::seconds kBetweenLines{2};

/// "encoder.weight 4x3, encoder.bias 1x3, ...": what a checkpoint must agree with.
std::string shape_text(const Parameters<float>& parameters) {
  std::string text;
  for (const auto& entry : parameters.entries())
    text += concat(text.empty() ? "" : ", ", entry.name, ' ', entry.place.rows, 'x', entry.place.columns);
  return text;
}

std::string duration_text(double seconds) {
  if (seconds < 90) return concat(std::ceil(seconds), " s");
  if (seconds < 90 * 60) return concat(std::ceil(seconds / 60), " min");
  return concat(std::ceil(seconds / 3600), " h");
}

}  // namespace

void TrainingReport::visit(Archive archive) {
  archive("training_loss", training_loss);
  archive("validation_loss", validation_loss);
  archive("metric", metric);
  archive("learning_rate", learning_rate);
  archive("gradient_norm", gradient_norm);
  archive("planned_epochs", planned_epochs);
  archive("steps", steps);
  archive("best_epoch", best_epoch);
  archive("best", best);
  archive("stopped_early", stopped_early);
}

TrainingRun::TrainingRun(Parameters<float>& parameters, const TrainingProblem& problem,
                         const TrainingSettings& settings, const Random& random, Workbench& bench)
    : parameters_(parameters),
      problem_(problem),
      settings_(settings),
      random_(random),
      bench_(bench),
      optimizer_(settings.optimizer, parameters.size()),
      schedule_(settings.schedule),
      gradients_(parameters.size()),
      start_(Clock::now()),
      last_told_(start_ - kBetweenLines) {
  report_.planned_epochs = settings.epochs;
  report_.best = kInfinity;
  if (const std::optional<Dataset> saved = bench.restored()) restore_state(*saved, *this);
  prepare_epoch();
  fraction_at_start_ = fraction();
}

void TrainingRun::visit(Archive archive) {
  archive.expect("training", settings_.name);
  archive.expect("parameters", shape_text(parameters_));
  archive.expect("seed", exact_text(random_.seed()));
  archive("values", parameters_.values());
  archive("best_values", best_);
  archive("optimizer", optimizer_);
  archive("schedule", schedule_);
  archive("epoch", epoch_);
  archive("batch", batch_);
  archive("waiting", waiting_);
  archive("stopped", stopped_);
  archive("epoch_steps", epoch_steps_);
  archive("loss_sum", loss_sum_);
  archive("weight_sum", weight_sum_);
  archive("norm_sum", norm_sum_);
  archive("last_rate", last_rate_);
  archive("report", report_);
}

TrainingReport TrainingRun::finish() {
  while (!done()) {
    prepare_epoch();
    step();
    bench_.checkpoint([this] { return saved_state(*this); });
  }
  report_.stopped_early = stopped_;
  if (settings_.restore_best) std::copy(best_.begin(), best_.end(), parameters_.values().begin());
  tell(true);
  return report_;
}

bool TrainingRun::done() const { return stopped_ || epoch_ >= settings_.epochs; }

double TrainingRun::fraction() const {
  const double within = batches_.empty() ? 0 : static_cast<double>(batch_) / static_cast<double>(batches_.size());
  return (static_cast<double>(epoch_) + within) / static_cast<double>(settings_.epochs);
}

void TrainingRun::prepare_epoch() {
  if (done() || prepared_epoch_ == epoch_) return;
  batches_ = make_batches(problem_.training, problem_.tokens, settings_.batches, random_.stream("batches"),
                          static_cast<std::uint64_t>(epoch_));
  prepared_epoch_ = epoch_;
}

void TrainingRun::step() {
  require(batch_ < static_cast<std::int64_t>(batches_.size()), "train: the checkpoint is of another set of examples.");
  const Batch& batch = batches_[batch_];
  const double total = total_weight(problem_, batch.examples);
  if (total > 0) learn_from(batch, total);  // a batch that weighs nothing has nothing to say
  ++batch_;
  if (batch_ == static_cast<std::int64_t>(batches_.size())) close_epoch();
  bench_.progress(done() ? 1 : fraction());
}

void TrainingRun::learn_from(const Batch& batch, double total) {
  const Pass pass{true, random_.stream("dropout"), static_cast<std::uint64_t>(optimizer_.steps())};
  last_rate_ = schedule_.rate(optimizer_.steps(), fraction());
  const std::string where = concat(settings_.name, ", step ", optimizer_.steps() + 1, " (epoch ", epoch_ + 1,
                                   ", learning rate ", last_rate_, "): ");
  const double loss = shards_.learn(parameters_, batch, problem_.loss, total, pass, gradients_);
  if (!std::isfinite(loss))
    throw DivergenceError(concat(where, "the loss is ", loss,
                                 ", but must be finite; lower the learning rate, warm it up, or clip the gradient "
                                 "more (largest_norm = ",
                                 settings_.largest_norm, ")."));
  try {
    norm_sum_ += clip_gradients<float>(parameters_, gradients_, settings_.largest_norm);
  } catch (const DivergenceError& error) {
    throw DivergenceError(where + error.what());
  }
  optimizer_.step(parameters_, gradients_, last_rate_);
  loss_sum_ += loss * total;
  weight_sum_ += total;
  ++epoch_steps_;
}

void TrainingRun::close_epoch() {
  require(weight_sum_ > 0, "train: all training examples have weight 0; at least one weight must be > 0.");
  report_.training_loss.push_back(loss_sum_ / weight_sum_);
  report_.gradient_norm.push_back(norm_sum_ / static_cast<double>(epoch_steps_));
  report_.learning_rate.push_back(last_rate_);
  report_.steps = optimizer_.steps();
  double deciding = report_.training_loss.back();
  if (!problem_.validation.empty()) {
    deciding = measured_loss(shards_, parameters_, problem_, problem_.validation, settings_.batches);
    report_.validation_loss.push_back(deciding);
  }
  if (problem_.metric) {
    report_.metric.push_back(problem_.metric->value(parameters_));
    if (problem_.metric->decides) deciding = report_.metric.back();
  }
  judge(deciding);
  tell(false);
  ++epoch_;
  batch_ = epoch_steps_ = 0;
  loss_sum_ = weight_sum_ = norm_sum_ = 0;
}

void TrainingRun::judge(double deciding) {
  if (!std::isfinite(deciding))
    throw DivergenceError(concat(settings_.name, ", end of epoch ", epoch_ + 1, ": the validation criterion is ",
                                 deciding,
                                 ", but must be finite; lower the learning rate, or look for a division by "
                                 "0, a logarithm or a root of 0 in the model or the metric."));
  const bool falls = !(problem_.metric && problem_.metric->decides && problem_.metric->larger_is_better);
  const double loss = falls ? deciding : -deciding, best = falls ? report_.best : -report_.best;
  schedule_.observe(loss);
  if (report_.best_epoch < 0 || loss < best - settings_.improvement) {
    report_.best = deciding;
    report_.best_epoch = epoch_;
    best_.assign(parameters_.values().begin(), parameters_.values().end());
    waiting_ = 0;
  } else if (++waiting_ >= settings_.patience && settings_.patience > 0) {
    stopped_ = true;
  }
}

void TrainingRun::tell(bool at_once) {
  const Clock::time_point now = Clock::now();
  if (!at_once && now - last_told_ < kBetweenLines) return;
  last_told_ = now;
  std::string text = line();
  const double gone = fraction() - fraction_at_start_;
  if (!done() && gone > 0)
    text += ", at most " +
            duration_text(std::chrono::duration<double>(now - start_).count() / gone * (1 - fraction())) + " left";
  bench_.log(text);
}

std::string TrainingRun::line() const {
  if (report_.training_loss.empty()) return settings_.name + ": no training";
  std::string text = concat(settings_.name, ": epoch ", report_.epochs(), " of ", settings_.epochs, ", loss ",
                            report_.training_loss.back());
  if (!report_.validation_loss.empty()) text += concat(", validation ", report_.validation_loss.back());
  if (!report_.metric.empty()) text += concat(", metric ", report_.metric.back());
  if (done()) text += concat("; best in epoch ", report_.best_epoch + 1);
  return text;
}

}  // namespace fovea::learning
