#include "fovea/core/study/predict/predict_cases.hpp"

#include <algorithm>

#include "fovea/core/base/error.hpp"
#include "fovea/core/study/ensemble/attended_tokens.hpp"
#include "fovea/core/study/ensemble/rows.hpp"
#include "fovea/core/study/predict/new_files.hpp"
#include "fovea/core/study/predict/unfamiliar.hpp"

namespace fovea::study {

namespace {

constexpr Index kTimedBlock = 64;  // cases, each of which may have thousands of rows

void note_unused(const std::string& name, Difference& difference) {
  if (std::find(difference.unused.begin(), difference.unused.end(), name) == difference.unused.end())
    difference.unused.push_back(name);
}

/// Predictions of rows with a known target, block after block, for their scores.
class KnownRows {
 public:
  void add(const Predictions& predictions, const std::vector<double>& targets) {
    for (const Index row : known_rows_of(targets)) {
      targets_.push_back(targets[row]);
      for (Index c = 0; c < predictions.mean.cols(); ++c) means_.push_back(predictions.mean(row, c));
      if (!predictions.deviation.empty()) deviations_.push_back(predictions.deviation[row]);
    }
  }
  void score(const Target& target, const std::optional<double>& threshold, PredictionSummary& summary) {
    summary.known = static_cast<Index>(targets_.size());
    if (targets_.empty()) return;
    const Index columns = static_cast<Index>(means_.size()) / summary.known;
    Predictions all;
    all.mean = Eigen::Map<const Matrix<double>>(means_.data(), summary.known, columns);
    all.spread = Matrix<double>::Zero(summary.known, columns);
    all.deviation = std::move(deviations_);
    if (threshold) decide_rows(all, *threshold);
    summary.scores = scores_of(target, threshold.has_value());
    summary.values = scored_once(target, all, targets_);
  }

 private:
  std::vector<double> targets_, means_, deviations_;
};

class CasePredictions {
 public:
  CasePredictions(const LearnedTask& task, const TrainedModel& model, const std::string& data,
                  const PredictOptions& options)
      : task_(task),
        model_(model),
        trees_(model.trees ? weighted_parts(*model.trees) : std::nullopt),
        data_(data),
        options_(options),
        config_(config_of_new_files(task, model.config, {data, options.targets, options.set})),
        target_(task.target(config_)),
        timed_(options.times.asked()),
        batch_tokens_(options.batch_tokens) {
    const std::string name(task.name());
    if (timed_) check_can_be_asked(name, target_, model.preparation, model.members);
    if (options.attention) check_has_attention(name, model.members);
    if (batch_tokens_ <= 0) batch_tokens_ = model.members.front().model->handy_tokens();
    summary_.features = model.preparation.features;
  }

  PredictionSummary written(const std::function<void(const PredictedBlock&)>& write) {
    const std::unique_ptr<CaseReader> reader = task_.open(config_, Random(0));
    const Index most = timed_ ? std::min(options_.block, kTimedBlock) : options_.block;
    for (Cases cases = reader->read(most); cases.count() > 0; cases = reader->read(most))
      add(checked(std::move(cases)), write);
    summary_.reading = reader->reading();
    summary_.chance = model_.data.known.chance();
    if (summary_.cases == 0) throw DataError(concat(data_, ": has no cases; at least one is needed."));
    known_.score(target_, model_.threshold, summary_);
    return std::move(summary_);
  }

 private:
  Cases checked(Cases cases) {
    check_cases(data_, cases);
    check_targets(data_, target_, cases);
    const std::vector<Feature>& known = model_.preparation.features;
    for (const Feature& feature : cases.features)
      if (std::none_of(known.begin(), known.end(), [&](const Feature& one) { return one.name == feature.name; }))
        note_unused(feature.name, summary_.difference);
    return seen_by_model(task_, matched(data_, model_.preparation, std::move(cases), summary_.difference));
  }

  std::vector<Matrix<double>> outputs_of_block(const Cases& cases, const Matrix<float>& inputs,
                                               const AskedTimes& asked) const {
    const std::vector<Index> items = first_numbers(cases.count());
    std::vector<Matrix<double>> outputs =
        timed_ ? outputs_when(asked, model_.members, target_, cases, inputs, batch_tokens_)
               : all_outputs(model_.members, target_, cases, inputs, items, batch_tokens_);
    if (trees_)
      mix(outputs, timed_ ? outputs_when(asked, *trees_, target_, cases) : outputs_of(*trees_, target_, cases, items),
          *trees_);
    return outputs;
  }

  void add(const Cases& cases, const std::function<void(const PredictedBlock&)>& write) {
    const Preparation& preparation = model_.preparation;
    const Matrix<float> inputs = prepared(preparation, cases);
    const std::vector<Index> items = first_numbers(cases.count());
    const AskedTimes asked = timed_ ? asked_times(data_, cases, options_.times) : AskedTimes{};
    const std::vector<Matrix<double>> outputs = outputs_of_block(cases, inputs, asked);
    Predictions predictions =
        combined(target_, outputs, model_.calibration, preparation.target_mean, preparation.target_deviation);
    const std::vector<double> shares = shares_outside(preparation, cases);
    summary_.fell_back = task_.falls_back() && target_.kind == TargetKind::classes && !timed_;
    if (summary_.fell_back) fall_back(shares, predictions);
    summary_.unfamiliar += std::count_if(shares.begin(), shares.end(), [](double s) { return s > kUnfamiliar; });
    if (model_.threshold) decide_rows(predictions, *model_.threshold);
    if (!timed_) predictions.sides = sides_of(model_.members, cases, inputs, items, batch_tokens_);
    const std::vector<double> attention =
        options_.attention ? attention_of(model_.members, cases, inputs, batch_tokens_) : std::vector<double>{};
    write({cases, predictions, timed_ ? &asked : nullptr, outputs, attention});
    if (timed_) summary_.late += late_rows(asked, cases);
    summary_.cases += cases.count();
    const std::vector<std::uint64_t> hashes = case_hashes(cases);
    summary_.with_content += std::count_if(hashes.begin(), hashes.end(), [](std::uint64_t hash) { return hash != 0; });
    summary_.learned_from += model_.data.known.among(hashes);
    summary_.rows += predictions.mean.rows();
    if (cases.targets.empty()) return;
    if (timed_) predictions = rows_of(predictions, asked.last_rows());
    known_.add(predictions, targets_of(cases, target_, items));
  }

  const LearnedTask& task_;
  const TrainedModel& model_;
  const std::optional<Companion> trees_;
  const std::string& data_;
  const PredictOptions& options_;
  Config config_;
  Target target_;
  bool timed_;
  Index batch_tokens_;
  PredictionSummary summary_;
  KnownRows known_;
};

}  // namespace

PredictionSummary predict_cases(const LearnedTask& task, const TrainedModel& model, const std::string& data,
                                const PredictOptions& options,
                                const std::function<void(const PredictedBlock&)>& write) {
  return CasePredictions(task, model, data, options).written(write);
}

}  // namespace fovea::study
