/// predict: predict new cases with a trained model.

#include <omp.h>

#include <algorithm>
#include <array>
#include <iostream>
#include <memory>

#include "fovea/core/base/error.hpp"
#include "fovea/core/study/predict/images_predictor.hpp"
#include "fovea/core/study/predict/maps_predictor.hpp"
#include "fovea/experiments/commands/command_table.hpp"
#include "fovea/experiments/commands/find/last_run.hpp"
#include "fovea/experiments/commands/find/open_model.hpp"
#include "fovea/experiments/commands/rows_output.hpp"
#include "fovea/experiments/console.hpp"
#include "fovea/experiments/exit_codes.hpp"
#include "fovea/experiments/signals.hpp"

namespace fovea::command {

namespace {

bool has_option(const std::vector<Option>& options, const std::string& name) {
  return std::any_of(options.begin(), options.end(), [&](const Option& option) { return option.name == name; });
}

const std::array<const PredictorKind*, 3>& predictor_kinds() {
  static const std::array<const PredictorKind*, 3> kinds{&study::rows_kind(), &study::maps_kind(),
                                                         &study::images_kind()};
  return kinds;
}

/// Those of every kind of predictor, each once.
std::vector<Option> options_of_all() {
  std::vector<Option> all;
  for (const PredictorKind* kind : predictor_kinds())
    for (const Option& option : kind->options)
      if (!has_option(all, option.name)) all.push_back(option);
  return all;
}

/// Throws UsageError for an option that this kind does not take.
void refuse_options_of_others(const Arguments& arguments, const PredictorKind& mine, const std::string& file) {
  for (const auto& [given, values] : arguments.options) {
    if (has_option(mine.options, given) || has_option(common_options(), given)) continue;
    std::string taken;
    for (const Option& option : mine.options) taken += (taken.empty() ? "--" : ", --") + option.name;
    for (const PredictorKind* kind : predictor_kinds())
      if (has_option(kind->options, given))
        throw UsageError(concat("--", given, " is for models that ", kind->models, "; ", file, " is one of those that ",
                                mine.models, ", and takes ", taken, "."));
  }
}

void set_threads(const Arguments& arguments) {
  constexpr long long kMostThreads = 4096;
  if (const auto threads = static_cast<int>(std::min(kMostThreads, arguments.integer("threads", 1, 0))); threads > 0)
    omp_set_num_threads(threads);
}

int predict(const Arguments& arguments) {
  Console console(arguments);
  const OpenModel model =
      open_model(run_called(arguments.positional[0], Wanted::model, console), arguments.text("output", ""));
  refuse_options_of_others(arguments, model.predictor->kind(), model.file.path);
  set_threads(arguments);
  listen_to_signals();
  const auto open_rows = [](const std::string& path) { return std::make_unique<RowsOutput>(path); };
  const Json summary = model.predictor->predict({model.file, arguments, console, open_rows});
  if (arguments.has("json")) std::cout << summary.text << '\n';
  return kDone;
}

}  // namespace

std::vector<Command> predict_commands() {
  return {
      {"predict",
       "predict new cases with a trained model",
       "MODEL DATA",
       2,
       2,
       {"fovea predict study.table new.csv -o predictions.csv                  by the model of its last run",
        "fovea predict model.h5 new.csv --json -o predictions.csv",
        "fovea predict model.h5 new.csv --at 6,12,24 -o predictions.csv",
        "fovea predict runs/fusion.gapfill-1a2b3c4d stack.h5 -o filled.h5",
        "fovea predict runs/fusion.flood-1a2b3c4d scenes.csv -o maps --memory 2G",
        "fovea predict runs/particle.toptag-1a2b3c4d atlas.h5 --set data.unit=MeV -o scores.h5"},
       options_of_all(),
       "MODEL is a run directory of a learned question, its model.h5, or the name of an experiment: then its last run "
       "in\n"
       "runs. The file need not be trusted. DATA has the columns that the model was trained on (see: fovea inspect "
       "MODEL).\n"
       "A row for each case, with the spread of the ensemble's members; of two classes also low and high, the range of "
       "90 %\n"
       "of the members' probabilities. It says how far equal models from other random starts disagree, not how far a\n"
       "probability is from the truth.\n"
       "Targets are not needed; if they are present, each row has them, and scores are shown on stderr.\n"
       "With --explain a row for each value of a case, (base) with every value at its middle, (trees) where boosted\n"
       "trees help, and (remainder) of the integration: together the log-odds of the probability, or the number.\n"
       "With --at or --every a row for each case and time, from what was there by then; the time stands behind the id\n"
       "in a column such as time_hours. Not every kind of model predicts at other times than the end of a case.\n"
       "A model of pixels writes maps: of a list of scenes a GeoTIFF of classes and one of layers for each into the\n"
       "folder -o, of a stack of dates both beside each other (-o FILE.tif). What was stopped goes on where it was.\n"
       "A model that fills images writes DATA as it is, with its gaps filled; it takes -o, --tif, --threads and "
       "--json.",
       &predict}};
}

}  // namespace fovea::command
