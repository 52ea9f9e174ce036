/// predict: predict new cases with a trained model.

#include <omp.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <iostream>
#include <memory>
#include <optional>
#include <set>
#include <utility>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/json_text.hpp"
#include "fovea/core/base/stop_flag.hpp"
#include "fovea/core/base/storage.hpp"
#include "fovea/core/base/words.hpp"
#include "fovea/core/data/file/dataset_file.hpp"
#include "fovea/core/study/explain/value_shares.hpp"
#include "fovea/core/study/predict/map_maker.hpp"
#include "fovea/core/study/predict/recalibration.hpp"
#include "fovea/core/study/prediction_rows.hpp"
#include "fovea/experiments/commands/command_table.hpp"
#include "fovea/experiments/commands/open_model.hpp"
#include "fovea/experiments/commands/prediction_output.hpp"
#include "fovea/experiments/commands/rows_output.hpp"
#include "fovea/experiments/console.hpp"
#include "fovea/experiments/exit_codes.hpp"
#include "fovea/experiments/signals.hpp"

namespace fovea::command {

namespace {

namespace fs = std::filesystem;

/// Names from a file, so that no letter of theirs commands the terminal.
std::string quoted_names(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ", ") + json(name).text;
  return text;
}

/// Values that lie outside where nothing has changed. The limits of a class leave 1 % of its values outside; twice as
/// many are worth a word.
Index usual(const study::Preparation& learned, const study::Difference& difference, std::size_t scale) {
  return learned.classes.empty() ? 0 : difference.seen[scale / learned.features.size()] / 50;
}

void say_differences(Console& console, const study::PredictionSummary& summary, const study::Preparation& learned) {
  const study::Difference& difference = summary.difference;
  for (const std::string& note : summary.notes) console.say(note);
  if (!difference.unused.empty())
    console.say("columns not used, because the model has no such feature: " + quoted_names(difference.unused));
  for (std::size_t s = 0; s < learned.scales.size(); ++s) {
    const std::string name = json(learned.scale_name(s)).text;
    if (s < difference.outside.size() && difference.outside[s] > usual(learned, difference, s))
      console.say(concat(counted(difference.outside[s], "value"), " of ", name, " outside the training range, ",
                         rounded_text(learned.scales[s].low), " to ", rounded_text(learned.scales[s].high)));
    if (s < difference.missing.size() && difference.missing[s] > 0)
      console.say(concat(counted(difference.missing[s], "value"), " of ", name,
                         " missing; the training data had no missing values of this feature"));
  }
  std::vector<std::string> absent;
  for (std::size_t c = 0; c < difference.seen.size(); ++c)
    if (difference.seen[c] == 0) absent.push_back(learned.classes[c]);
  if (!absent.empty()) console.say("variables of the model that no case has: " + quoted_names(absent));
}

void say_scores(Console& console, const study::PredictionSummary& summary, bool timed) {
  if (summary.late > 0)
    console.say(counted(summary.late, "row") + " asked after the end of the case, where the model has learned nothing");
  if (summary.values.empty()) return;
  console.say(concat(counted(summary.known, "row"), " with a known target",
                     summary.rows > summary.cases && timed ? ", the last of each case:" : ":"));
  for (std::size_t k = 0; k < summary.values.size(); ++k)
    console.say(concat("  ", summary.scores[k].title, "  ", rounded_text(summary.values[k].value)));
}

Json counts_json(const study::Preparation& learned, const std::vector<Index>& counts) {
  JsonObject object;
  for (std::size_t s = 0; s < std::min(learned.scales.size(), counts.size()); ++s)
    if (counts[s] > 0) object.add(learned.scale_name(s), counts[s]);
  return object.done();
}

Json recalibration_json(const study::Recalibration& found) {
  JsonObject object;
  object.add("shift", found.shift).add("error", found.error).add("ones", found.ones).add("zeros", found.zeros);
  return object.done();
}

std::string prediction_json(const study::PredictionSummary& summary, const study::Preparation& learned,
                            const std::optional<study::Recalibration>& recalibrated, const std::string& output) {
  JsonObject differences;
  differences.add("unused", json_texts(summary.difference.unused));
  differences.add("outside_training_range", counts_json(learned, summary.difference.outside));
  differences.add("missing", counts_json(learned, summary.difference.missing));
  JsonObject scores;
  for (std::size_t k = 0; k < summary.values.size(); ++k) scores.add(summary.scores[k].name, summary.values[k].value);
  JsonObject object;
  object.add("output", output).add("cases", summary.cases).add("rows", summary.rows).add("known", summary.known);
  object.add("late", summary.late).add("notes", json_texts(summary.notes));
  if (recalibrated) object.add("recalibration", recalibration_json(*recalibrated));
  object.add("scores", scores.done()).add("differences", differences.done());
  return object.done().text + '\n';
}

void check_is_not_data(const Arguments& arguments, const std::string& option, const std::string& path) {
  std::error_code error;
  if (!path.empty() && fs::equivalent(path, arguments.positional[1], error))
    throw UsageError(concat(option, ' ', path, " is the file of cases itself; give another name."));
}

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
  ExplainedRows(const std::string& path, const study::TrainedModel& model, const study::Target& target,
                const std::string& id_column)
      : model_(model), target_(target) {
    if (path.empty()) return;
    if (target.level != study::TargetLevel::per_case || target.kind == study::TargetKind::classes)
      throw UsageError(
          "--explain takes apart a number or a probability of two classes, one a case; this model "
          "predicts another kind of target.");
    output_ = std::make_unique<RowsOutput>(path);
    output_->write(study::explanation_header(model.preparation, id_column));
  }
  void add(const study::Cases& cases) {
    if (output_ == nullptr) return;
    output_->write(
        study::explanation_rows(model_.preparation, cases, study::explained_predictions(model_, target_, cases)));
  }
  void finish() {
    if (output_ != nullptr) output_->finish();
  }

 private:
  const study::TrainedModel& model_;
  const study::Target& target_;
  std::unique_ptr<RowsOutput> output_;
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
  if (static_cast<Index>(times.size()) > study::kMostTimes)
    throw UsageError(concat("--at: names ", times.size(), " times, but at most ", study::kMostTimes, " are allowed."));
  return times;
}

study::TimeQuestion time_question(const Arguments& arguments) {
  if (arguments.has("at") && arguments.has("every"))
    throw UsageError("--at and --every both say when cases are asked; give one of them.");
  const study::TimeQuestion question{times_of(arguments), arguments.real("every", 0, 0)};
  if (arguments.has("every") && !(question.every > 0)) throw UsageError("--every 0: must be above 0.");
  return question;
}

void set_threads(const Arguments& arguments) {
  constexpr long long kMostThreads = 4096;
  if (const auto threads = static_cast<int>(std::min(kMostThreads, arguments.integer("threads", 1, 0))); threads > 0)
    omp_set_num_threads(threads);
}

study::PredictOptions predict_options(const Arguments& arguments) {
  constexpr long long kMostTokens = 1LL << 30;
  study::PredictOptions options;
  options.batch_tokens = static_cast<Index>(std::min(kMostTokens, arguments.integer("batch", 1, 0)));
  options.times = time_question(arguments);
  options.targets = arguments.text("outcomes", "");
  options.set = arguments.texts("set");
  set_threads(arguments);
  return options;
}

/// Refits the intercept if that is wanted, and says what came of it.
std::optional<study::Recalibration> recalibrate_model(const Arguments& arguments, study::PredictOptions options,
                                                      OpenModel& opened, Console& console) {
  if (!arguments.has("recalibrate")) {
    if (arguments.has("recalibrate-outcomes"))
      throw UsageError("--recalibrate-outcomes names the targets of the cases of --recalibrate, which is not given.");
    return std::nullopt;
  }
  const std::string data = arguments.text("recalibrate", "");
  if (!fs::exists(data)) throw DataError(concat(data, ": there is no such file; give cases with known targets."));
  options.targets = arguments.text("recalibrate-outcomes", "");
  const study::Recalibration found = study::recalibrate(*opened.study, opened.model, data, options);
  console.say(concat("intercept moved by ", text_with_error(found.shift, found.error), " log-odds, from ", found.ones,
                     " of ", found.ones + found.zeros, " known outcomes"));
  return found;
}

/// Options that are given, but have no part in it.
void allow_options(const Arguments& arguments, const std::set<std::string>& known, const std::string& file,
                   const std::string& instead) {
  for (const auto& [option, values] : arguments.options)
    if (!known.contains(option) && !values.empty())
      throw UsageError(concat("--", option, " is for models that answer case by case; ", file, " fills images: give ",
                              instead, "."));
}

int say_all(const std::vector<std::string>& said, const Arguments& arguments, const std::string& output,
            Console& console) {
  for (const std::string& sentence : said) console.say(sentence);
  if (!arguments.has("json")) return kDone;
  JsonObject object;
  object.add("output", output).add("notes", json_texts(said));
  std::cout << object.done().text << '\n';
  return kDone;
}

/// Maps in place of rows.
int predict_maps(const OpenModel& opened, const study::MapMaker& maker, const Arguments& arguments) {
  allow_options(arguments, {"output", "threads", "json", "set", "memory", "quiet", "verbose"}, opened.file,
                "-o, --set, --threads, --memory or --json; or rows: -o FILE.csv");
  constexpr std::size_t kLeast = std::size_t{128} << 20;
  const std::string memory = arguments.text("memory", "512M");
  const std::string data = arguments.positional[1], output = arguments.text("output", "");
  const study::MapMaker::Request request{
      data, output, opened.file, opened.hash, arguments.texts("set"), bytes_in("memory", memory)};
  if (request.memory < kLeast) throw UsageError(concat("--memory ", memory, ": must be at least 128M."));
  if (!fs::exists(data)) throw DataError(concat(data, ": there is no such file; give what is to be mapped."));
  set_threads(arguments);
  listen_to_signals();
  Console console(arguments);
  return say_all(maker.write_maps(opened.model, request), arguments, output, console);
}

int predict_cases(const Arguments& arguments, OpenModel opened) {
  if (arguments.has("memory"))
    throw UsageError("--memory is for maps of images; rows take the memory of a block of cases.");
  const std::string output = output_of(arguments), data = arguments.positional[1];
  const std::string explained = explained_of(arguments, output);
  const Index attended = attended_of(arguments, output);
  study::PredictOptions options = predict_options(arguments);
  options.attention = attended > 0;
  Console console(arguments);
  if (!fs::exists(data)) throw DataError(concat(data, ": there is no such file; give the cases to predict."));
  listen_to_signals();
  const study::Target target = opened.study->task().target(opened.model.config);
  const bool timed = options.times.asked();
  if (timed) study::check_can_be_asked(opened.file, target, opened.model.preparation, opened.model.members);
  const std::optional<study::Recalibration> recalibrated = recalibrate_model(arguments, options, opened, console);
  const std::unique_ptr<PredictionOutput> rows = open_prediction_output(
      output, opened, target, timed ? study::time_column(opened.model.preparation.time_unit) : "", attended);
  const std::string id_column = opened.study->task().id_column();
  ExplainedRows contributions(explained, opened.model, target, id_column);
  const auto write = [&](const study::PredictedBlock& block) {
    rows->add(block);
    contributions.add(block.cases);
    if (process_stop_flag().load() != 0)
      throw Interrupted(
          concat("stopped before the last case", output.empty() ? "." : "; " + output + " was not written."));
  };
  const study::PredictionSummary summary = opened.study->predict(opened.model, data, options, write);
  rows->finish();
  contributions.finish();
  say_differences(console, summary, opened.model.preparation);
  say_scores(console, summary, timed);
  if (arguments.has("json")) std::cout << prediction_json(summary, opened.model.preparation, recalibrated, output);
  return kDone;
}

/// By a model that is applied in a way of its own.
int predict_by(const OpenOwnModel& model, const Arguments& arguments, Console& console) {
  allow_options(arguments, {"output", "tif", "threads", "json", "quiet", "verbose"}, model.file,
                "-o FILE.h5, --tif, --threads or --json");
  const std::string& data = arguments.positional[1];
  const std::string output = arguments.text("output", "");
  if (output.empty()) throw UsageError("images go into a file: add -o FILE.h5.");
  if (!fs::exists(data))
    throw DataError(concat(data, ": there is no such file; give the data that the model is to see."));
  set_threads(arguments);
  listen_to_signals();
  const std::vector<std::string> said =
      model.experiment->apply(model.file, model.data, {data, output, arguments.has("tif")});
  return say_all(said, arguments, output, console);
}

int predict(const Arguments& arguments) {
  const Place file = model_file(arguments.positional[0]);
  const Dataset content = read_dataset(file);
  const std::optional<OpenOwnModel> own = own_model(file.path(), content);
  if (!own) {
    if (arguments.has("tif")) throw UsageError("--tif is for models that fill images; this one answers case by case.");
    OpenModel opened = open_model(file.path(), content);
    const auto* maker = dynamic_cast<const study::MapMaker*>(opened.study);
    if (maker != nullptr && maker->is_map(arguments.text("output", ""))) {
      check_is_not_data(arguments, "--output", arguments.text("output", ""));
      return predict_maps(opened, *maker, arguments);
    }
    return predict_cases(arguments, std::move(opened));
  }
  check_is_not_data(arguments, "--output", arguments.text("output", ""));
  Console console(arguments);
  return predict_by(*own, arguments, console);
}

}  // namespace

std::vector<Command> predict_commands() {
  return {
      {"predict",
       "predict new cases with a trained model",
       "MODEL DATA",
       2,
       2,
       {"fovea predict runs/my.question-1a2b3c4d new.csv -o predictions.csv",
        "fovea predict model.h5 new.csv --json -o predictions.csv",
        "fovea predict model.h5 new.csv --at 6,12,24 -o predictions.csv",
        "fovea predict runs/fusion.gapfill-1a2b3c4d stack.h5 -o filled.h5",
        "fovea predict runs/fusion.flood-1a2b3c4d scenes.csv -o maps --memory 2G",
        "fovea predict runs/particle.toptag-1a2b3c4d atlas.h5 --set data.unit=MeV -o scores.h5"},
       {{"at", 0, "TIMES", "ask every case at these times in place of its end, in the unit of the model's times", true},
        {"every", 0, "STEP", "ask every case each STEP of time before its end, and at its end", false},
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
        {"tif", 0, "", "of a model that fills images: also a GeoTIFF for each date beside the output", false},
        {"memory", 0, "BYTES", "of maps: the most that the process may take, such as 2G (default: 512M)", false},
        {"threads", 't', "N", "number of threads (default: one per processor); does not change the result", false},
        {"batch", 0, "N", "tokens computed at a time (default: as many as suit the model); does not change the result",
         false},
        {"json", 0, "", "the summary as one JSON object on stdout, with what --recalibrate found; needs -o", false}},
       "MODEL is a run directory of a learned question, or its model.h5; the file need not be trusted. DATA has the\n"
       "columns that the model was trained on (see: fovea inspect MODEL). A row for each case, with the spread of the\n"
       "ensemble's members; of two classes also low and high, the range of 90 % of the members' probabilities. It "
       "says\n"
       "how far equal models from other random starts disagree, not how far a probability is from the truth.\n"
       "Targets are not needed; if they are present, each row has them, and scores are shown on stderr.\n"
       "With --explain a row for each value of a case, (base) with every value at its middle, (trees) where boosted\n"
       "trees help, and (remainder) of the integration: together the log-odds of the probability, or the number.\n"
       "With --at or --every a row for each case and time, from what was there by then; the time stands behind the id\n"
       "in a column such as time_hours. Only a model that can be asked at times answers.\n"
       "A model of pixels writes maps: of a list of scenes a GeoTIFF of classes and one of layers for each into the\n"
       "folder -o, of a stack of dates both beside each other (-o FILE.tif). What was stopped goes on where it was.\n"
       "A model that fills images writes DATA as it is, with its gaps filled; it takes -o, --tif, --threads and "
       "--json.",
       &predict}};
}

}  // namespace fovea::command
