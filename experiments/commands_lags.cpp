/// lags: which series of a file drives which, after how long.

#include <iostream>

#include "fovea/core/error.hpp"
#include "fovea/core/lab/runner.hpp"
#include "fovea/datasets/series_file.hpp"
#include "fovea/domains/registry.hpp"
#include "fovea/experiments/choose_config.hpp"
#include "fovea/experiments/command_table.hpp"
#include "fovea/experiments/console.hpp"
#include "fovea/experiments/exit_codes.hpp"
#include "fovea/experiments/lags_output.hpp"
#include "fovea/experiments/run_options.hpp"
#include "fovea/experiments/signals.hpp"

namespace fovea::command {

namespace {

/// A text as TOML has it.
std::string toml_text(const std::string& text) {
  std::string quoted = "\"";
  for (const char letter : text) {
    if (letter == '"' || letter == '\\') quoted += '\\';
    quoted += letter == '\n' ? ' ' : letter;
  }
  return quoted + '"';
}

/// Names given as "a,b" or one by one.
std::vector<std::string> names_given(const Arguments& arguments, const char* option) {
  std::vector<std::string> names;
  for (const std::string& text : arguments.texts(option))
    for (std::size_t start = 0; start <= text.size();) {
      const std::size_t stop = std::min(text.find(',', start), text.size());
      if (stop > start) names.push_back(text.substr(start, stop - start));
      start = stop + 1;
    }
  return names;
}

std::string toml_list(const std::vector<std::string>& names) {
  std::string list = "[";
  for (const std::string& name : names) list += (list.size() > 1 ? ", " : "") + toml_text(name);
  return list + "]";
}

SeriesFileOptions file_options(const Arguments& arguments) {
  return {arguments.text("time", ""), arguments.text("recording", ""), names_given(arguments, "columns")};
}

/// Settings that both experiments have.
std::vector<std::string> common_settings(const Arguments& arguments) {
  std::vector<std::string> set{"data.file=" + toml_text(arguments.positional[0])};
  if (arguments.has("time")) set.push_back("data.time=" + toml_text(arguments.text("time", "")));
  if (arguments.has("recording")) set.push_back("data.recording=" + toml_text(arguments.text("recording", "")));
  if (arguments.has("columns")) set.push_back("data.columns=" + toml_list(names_given(arguments, "columns")));
  return set;
}

std::vector<std::string> discover_settings(const Arguments& arguments) {
  std::vector<std::string> set = common_settings(arguments);
  if (arguments.has("max-lag")) set.push_back(concat("lags.max=", arguments.integer("max-lag", 1, 1)));
  if (arguments.has("lags")) set.push_back("lags.set=" + toml_text(arguments.text("lags", "")));
  if (arguments.has("lagged-only")) set.push_back("lags.contemporaneous=false");
  if (arguments.has("targets")) set.push_back("data.targets=" + toml_list(names_given(arguments, "targets")));
  if (arguments.has("level")) set.push_back("test.level=" + arguments.text("level", ""));
  if (arguments.has("method")) set.push_back("method.name=" + toml_text(arguments.text("method", "")));
  if (arguments.has("beside")) set.push_back("method.beside=" + toml_list(names_given(arguments, "beside")));
  return set;
}

/// Only what makes sense for two curves.
std::vector<std::string> pair_settings(const Arguments& arguments) {
  for (const char* option : {"lags", "targets", "method", "beside", "lagged-only"})
    if (arguments.has(option))
      throw UsageError(concat("'--", option, "' is for evenly spaced times, but those of ", arguments.positional[0],
                              " are not; --max-lag is for both."));
  std::vector<std::string> set = common_settings(arguments);
  if (arguments.has("max-lag")) {
    const double most = arguments.real("max-lag", 0, 1);
    set.push_back(concat("lag.low=", -most));
    set.push_back(concat("lag.high=", most));
  }
  return set;
}

ChosenConfig config_of(const Catalogue& catalogue, const std::string& experiment, std::vector<std::string> set,
                       Arguments arguments) {
  const std::vector<std::string> further = arguments.texts("set");
  set.insert(set.end(), further.begin(), further.end());
  arguments.options["set"] = set;
  arguments.positional = {experiment};
  return choose_config(catalogue, arguments);
}

int lags(const Arguments& arguments) {
  listen_to_signals();
  if (arguments.has("json") && arguments.has("csv"))
    throw UsageError("--json and --csv are two ways to print the same; give one of them.");
  if (arguments.has("max-lag") && arguments.has("lags"))
    throw UsageError("--max-lag and --lags both say which lags are looked at; give one of them.");
  const Catalogue catalogue = all_experiments();
  Console console(arguments);
  const bool irregular = read_series(arguments.positional[0], file_options(arguments)).irregular();
  const std::string experiment = irregular ? "lag.pair" : "lag.discover";
  const ChosenConfig chosen =
      config_of(catalogue, experiment, irregular ? pair_settings(arguments) : discover_settings(arguments), arguments);
  const RunSummary summary =
      run_experiment(catalogue.at(experiment), chosen.config, chosen.text, run_options(arguments), console);
  console.clear();
  if (!summary.failures.empty()) throw DataError(summary.failures.front().error);
  const LagsFormat format = arguments.has("json")  ? LagsFormat::json
                            : arguments.has("csv") ? LagsFormat::csv
                                                   : LagsFormat::text;
  std::cout << (irregular ? pairs_output(summary, format) : links_output(summary, format, arguments.has("all")));
  if (format != LagsFormat::text) console.say("report  " + summary.directory.report());
  return kDone;
}

std::vector<Option> lags_options() {
  std::vector<Option> options{
      {"time", 0, "COLUMN", "the column of times (default: recognised; none: each row is a step)", false},
      {"recording", 0, "COLUMN", "the column that tells recordings or regimes apart (default: recognised)", false},
      {"columns", 0, "NAMES", "the series to read, as a,b,c (default: all)", true},
      {"targets", 0, "NAMES", "the effects that are asked about, as a,b,c (default: all)", true},
      {"max-lag", 0, "N", "largest lag, in steps (default: chosen from the data, and said)", false},
      {"lags", 0, "SET", "the lags looked at, such as 1-5,10,30", false},
      {"lagged-only", 0, "", "leave out lag 0: what moves together within a step", false},
      {"level", 0, "Q", "false discovery rate at which a link counts (default 0.05)", false},
      {"method", 0, "NAME", "how links are looked for (default: the first of 'fovea list methods')", false},
      {"beside", 0, "NAMES", "other methods to compare with in the report", true},
      {"all", 'a', "", "print every link tested, not only those that count", false},
      {"json", 0, "", "as one JSON object", false},
      {"csv", 0, "", "as CSV", false}};
  for (const Option& option : config_options()) options.push_back(option);
  options.push_back({"output", 'o', "DIR", "the folder that receives the run directory (default: runs)", false});
  options.push_back({"force", 'f', "", "compute again even if the same run is finished", false});
  options.push_back({"threads", 't', "N", "threads (default: one a processor); never changes a result", false});
  return options;
}

}  // namespace

std::vector<Command> lags_commands() {
  return {{"lags",
           "which series of a file drives which, after how long, and how sure",
           "FILE",
           1,
           1,
           {"fovea lags data.csv", "fovea lags data.csv --max-lag 20 --targets price,volume --json",
            "fovea lags data.csv.gz --lags 1-5,10,30 --time date --level 0.01",
            "fovea lags light_curves.csv                          uneven times: lags with intervals"},
           lags_options(),
           "FILE is CSV (also .gz) or HDF5: one column a series, or long with columns series, t, y and perhaps dy.\n"
           "Times, separators, recordings and missing cells are recognised and what was recognised is said. A link is\n"
           "a cause, an effect and a lag whose partial effect the method's test supports; strength is a partial\n"
           "correlation. The same as: fovea run lag.discover --set data.file=FILE (uneven times: lag.pair). The run\n"
           "directory has result.h5 and report.html with the pictures.",
           &lags}};
}

}  // namespace fovea::command
