#include "fovea/core/study/predict/rows_predictor.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <filesystem>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/stop_flag.hpp"
#include "fovea/core/base/words.hpp"
#include "fovea/core/study/predict/explanation_rows.hpp"
#include "fovea/core/study/predict/prediction_notes.hpp"
#include "fovea/core/study/predict/prediction_output.hpp"
#include "fovea/core/study/predict/prediction_rows.hpp"
#include "fovea/core/study/predict/requests.hpp"

namespace fovea::study {

namespace {

namespace fs = std::filesystem;

/// The file that receives the rows; "" for stdout.
std::string output_of(const Arguments& arguments) {
  const std::string output = arguments.text("output", "");
  if (output.empty() && arguments.has("json"))
    throw UsageError("--json prints the summary on stdout, so the rows need a file: add -o FILE.");
  check_is_not_data(arguments, "--output", output);
  return output;
}

/// The file that receives the contributions; "" where they are not wanted.
std::string explained_of(const Arguments& arguments, const std::string& output) {
  const std::string explained = arguments.text("explain", "");
  if (!arguments.has("explain")) return "";
  if (arguments.has("at") || arguments.has("every"))
    throw UsageError("--explain takes apart what is predicted at the end of each case; leave out --at and --every.");
  check_is_not_data(arguments, "--explain", explained);
  if (!output.empty() && fs::path(explained).lexically_normal() == fs::path(output).lexically_normal())
    throw UsageError(concat("--explain ", explained, " is the file of the rows, too; give another name."));
  return explained;
}

/// How many tokens of each case are wanted, of those that are attended to most; 0: none.
Index attended_of(const Arguments& arguments, const std::string& output) {
  constexpr long long kMostAttended = 10'000;
  if (is_hdf5_name(output) && (arguments.has("at") || arguments.has("every")))
    throw UsageError(concat("-o ", output, ": HDF5 rows are one a case; with --at and --every write CSV."));
  if (!arguments.has("attention")) return 0;
  if (arguments.has("at") || arguments.has("every"))
    throw UsageError("--attention is told at the end of each case; leave out --at and --every.");
  return static_cast<Index>(std::min(kMostAttended, arguments.integer("attention", 1, 1)));
}

/// Writes what the predictions of each block are made of; nothing where it is not wanted.
class ExplainedRows {
 public:
  ExplainedRows(const std::string& path, const PredictRequest& request, const OpenModel& opened, const Target& target)
      : model_(opened.model), target_(target) {
    if (path.empty()) return;
    if (!can_be_taken_apart(target))
      throw UsageError(
          "--explain takes apart a number or a probability of two classes, one a case; this model "
          "predicts another kind of target.");
    output_ = request.open_rows(path);
    output_->write(explanation_header(model_.preparation, opened.task.id_column()));
  }
  void add(const Cases& cases) {
    if (output_ == nullptr) return;
    output_->write(explanation_rows(model_.preparation, cases, explained_predictions(model_, target_, cases)));
  }
  void finish() {
    if (output_ != nullptr) output_->finish();
  }

 private:
  const TrainedModel& model_;
  const Target& target_;
  std::unique_ptr<RowFile> output_;
};

/// The times of --at, ascending, each once.
std::vector<double> times_of(const Arguments& arguments) {
  std::vector<double> times;
  for (const std::string& word : arguments.names("at")) {
    double time = 0;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), time);
    if (error != std::errc() || end != word.data() + word.size() || !std::isfinite(time))
      throw UsageError(concat("--at ", word, ": must be a time, or several such as 6,12,24."));
    times.push_back(time);
  }
  if (arguments.has("at") && times.empty()) throw UsageError("--at: names no time; give one, or several: 6,12,24.");
  std::sort(times.begin(), times.end());
  times.erase(std::unique(times.begin(), times.end()), times.end());
  if (static_cast<Index>(times.size()) > kMostTimes)
    throw UsageError(concat("--at: names ", times.size(), " times, but at most ", kMostTimes, " are allowed."));
  return times;
}

TimeQuestion time_question(const Arguments& arguments) {
  if (arguments.has("at") && arguments.has("every"))
    throw UsageError("--at and --every both set the times of prediction; give one of them.");
  const TimeQuestion question{times_of(arguments), arguments.real("every", 0, 0)};
  if (arguments.has("every") && !(question.every > 0)) throw UsageError("--every 0: must be above 0.");
  return question;
}

PredictOptions predict_options(const Arguments& arguments) {
  constexpr long long kMostTokens = 1LL << 30;
  PredictOptions options;
  options.batch_tokens = static_cast<Index>(std::min(kMostTokens, arguments.integer("batch", 1, 0)));
  options.times = time_question(arguments);
  options.targets = arguments.text("outcomes", "");
  options.set = arguments.texts("set");
  return options;
}

/// Refits the intercept if that is wanted, and says what came of it.
std::optional<Recalibration> recalibrate_model(const Arguments& arguments, PredictOptions options, OpenModel& opened,
                                               Narrator& narrator) {
  if (!arguments.has("recalibrate")) {
    if (arguments.has("recalibrate-outcomes"))
      throw UsageError("--recalibrate-outcomes names the targets of the cases of --recalibrate, which is not given.");
    return std::nullopt;
  }
  const std::string data = arguments.text("recalibrate", "");
  if (!fs::exists(data)) throw DataError(concat(data, ": there is no such file; give cases with known targets."));
  options.targets = arguments.text("recalibrate-outcomes", "");
  const Recalibration found = recalibrate(opened.task, opened.model, data, options);
  narrator.say(concat("intercept moved by ", text_with_error(found.shift, found.error), " log-odds, from ", found.ones,
                      " of ", found.ones + found.zeros, " known outcomes"));
  return found;
}

}  // namespace

const PredictorKind& rows_kind() {
  static const PredictorKind kind{
      "answer case by case",
      "the cases to predict",
      {{"at", 0, "TIMES", "predict each case at these times in place of its end, in the unit of the model's times",
        true},
       {"every", 0, "STEP", "predict each case at every STEP of time before its end, and at its end", false},
       {"attention", 0, "K", "also the K tokens of each case that are attended to most, and their shares", false},
       {"explain", 0, "FILE",
        "write what the value of each token adds to each prediction: its variable, hour and contribution", false},
       {"outcomes", 0, "FILE", "targets of the cases, where they are not in DATA, for scores on stderr", false},
       {"recalibrate", 0, "FILE", "refit the intercept on these cases with known targets of another place", false},
       {"recalibrate-outcomes", 0, "FILE", "their targets, where they are not in that file", false},
       {"output", 'o', "FILE", "file for the rows: CSV, or HDF5 with logits if it ends in .h5 (default: stdout)",
        false},
       {"set", 's', "KEY=VALUE",
        "how the cases are read, where DATA differs from the training files: --set data.unit=MeV", true},
       {"threads", 't', "N", "number of threads (default: one per processor); does not change the result", false},
       {"batch", 0, "N", "tokens computed at a time (default: as many as suit the model); does not change the result",
        false},
       {"json", 0, "", "the summary as one JSON object on stdout, with what --recalibrate found; needs -o", false}}};
  return kind;
}

Json RowsPredictor::predict(const PredictRequest& request) const {
  OpenModel opened = open_model(task_, request.model);
  const Arguments& arguments = request.arguments;
  const std::string output = output_of(arguments);
  const std::string explained = explained_of(arguments, output);
  const Index attended = attended_of(arguments, output);
  PredictOptions options = predict_options(arguments);
  options.attention = attended > 0;
  check_data_is_there(request, kind());
  const Preparation& learned = opened.model.preparation;
  const Target target = task_.target(opened.model.config);
  const bool timed = options.times.asked();
  if (timed) check_can_be_asked(opened.file, target, learned, opened.model.members);
  const std::optional<Recalibration> recalibrated = recalibrate_model(arguments, options, opened, request.narrator);
  const std::unique_ptr<PredictionOutput> rows =
      open_prediction_output(request, opened, target, timed ? time_column(learned.time_unit) : "", attended);
  ExplainedRows contributions(explained, request, opened, target);
  const auto write = [&](const PredictedBlock& block) {
    rows->add(block);
    contributions.add(block.cases);
    if (process_stop_flag().load() != 0)
      throw Interrupted(
          concat("stopped before the last case", output.empty() ? "." : "; " + output + " was not written."));
  };
  const PredictionSummary summary = predict_cases(task_, opened.model, request.data(), options, write);
  rows->finish();
  contributions.finish();
  say_of_model(request.narrator, opened.model);
  say_differences(request.narrator, summary, learned);
  say_scores(request.narrator, summary, timed);
  return prediction_json(summary, learned, recalibrated, output);
}

std::string RowsPredictor::text(const ModelFile& model) const { return model_text(open_model(task_, model)); }

std::optional<Json> RowsPredictor::json(const ModelFile& model) const { return model_json(open_model(task_, model)); }

void RowsPredictor::export_weights(const ModelFile& model, const std::string& path,
                                   const ExportedWeights& wanted) const {
  export_safetensors(open_model(task_, model), path, wanted);
}

}  // namespace fovea::study
