/// lags: which series of a file drives which, after how long.

#include <iostream>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/words.hpp"
#include "fovea/core/lab/runner.hpp"
#include "fovea/datasets/series/once.hpp"
#include "fovea/domains/registry.hpp"
#include "fovea/experiments/commands/choose_config.hpp"
#include "fovea/experiments/commands/command_table.hpp"
#include "fovea/experiments/commands/run_options.hpp"
#include "fovea/experiments/console.hpp"
#include "fovea/experiments/exit_codes.hpp"
#include "fovea/experiments/lags_output.hpp"
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

datasets::series::SeriesFileOptions file_options(const Arguments& arguments) {
  return {arguments.text("time", ""), arguments.text("recording", ""), names_given(arguments, "columns")};
}

/// A setting of the experiment, and the option that asked for it.
struct Asked {
  std::string setting, option;
};

/// The settings of the options given; each has the same words on the command line and in the config.
class Settings {
 public:
  explicit Settings(const Arguments& arguments) : arguments_(arguments) {
    all_.push_back({"data.file=" + toml_text(arguments.positional[0]), arguments.positional[0]});
    text("time", "data.time");
    text("recording", "data.recording");
    names("columns", "data.columns");
  }
  void text(const char* option, const std::string& key) {
    if (arguments_.has(option)) add(option, key, toml_text(arguments_.text(option, "")));
  }
  void names(const char* option, const std::string& key) {
    if (arguments_.has(option)) add(option, key, toml_list(names_given(arguments_, option)));
  }
  /// As it stands: the config says what a number must be.
  void number(const char* option, const std::string& key) {
    if (arguments_.has(option)) add(option, key, arguments_.text(option, ""));
  }
  void add(const char* option, const std::string& key, const std::string& value) {
    all_.push_back({key + '=' + value, concat("--", option, ' ', joined(arguments_.texts(option)))});
  }
  const std::vector<Asked>& all() const { return all_; }

 private:
  static std::string joined(const std::vector<std::string>& words) {
    std::string text;
    for (const std::string& word : words) text += (text.empty() ? "" : ",") + word;
    return text;
  }
  const Arguments& arguments_;
  std::vector<Asked> all_;
};

std::vector<Asked> discover_settings(const Arguments& arguments) {
  Settings set(arguments);
  if (arguments.has("max-lag")) set.add("max-lag", "lags.max", concat(arguments.integer("max-lag", 1, 1)));
  set.text("lags", "lags.set");
  if (arguments.has("lagged-only")) set.add("lagged-only", "lags.contemporaneous", "false");
  if (arguments.has("difference")) set.add("difference", "data.difference", "true");
  set.names("targets", "data.targets");
  set.number("level", "test.level");
  set.text("method", "method.name");
  set.names("beside", "method.beside");
  return set.all();
}

/// Only what makes sense for two curves.
std::vector<Asked> pair_settings(const Arguments& arguments) {
  for (const char* option : {"lags", "targets", "method", "beside", "lagged-only", "difference"})
    if (arguments.has(option))
      throw UsageError(concat("'--", option, "' is for evenly spaced times, but those of ", arguments.positional[0],
                              " are not; --max-lag is for both."));
  Settings set(arguments);
  if (arguments.has("max-lag")) {
    const double most = arguments.real("max-lag", 0, 1);
    set.add("max-lag", "lag.low", concat(-most));
    set.add("max-lag", "lag.high", concat(most));
  }
  set.number("level", "level");
  return set.all();
}

/// The same complaint about the option that was given, not about the setting that it stands for.
std::string about_options(std::string complaint, const std::vector<Asked>& asked) {
  for (const Asked& one : asked) {
    const std::string setting = "--set " + one.setting;
    for (std::size_t at = 0; (at = complaint.find(setting, at)) != std::string::npos; at += one.option.size())
      complaint.replace(at, setting.size(), one.option);
  }
  return complaint;
}

ChosenConfig config_of(const Catalogue& catalogue, const std::string& experiment, const std::vector<Asked>& asked,
                       Arguments arguments) {
  std::vector<std::string> set;
  for (const Asked& one : asked) set.push_back(one.setting);
  const std::vector<std::string> further = arguments.texts("set");
  set.insert(set.end(), further.begin(), further.end());
  arguments.options["set"] = set;
  arguments.positional = {experiment};
  return choose_config(catalogue, arguments);
}

RunSummary run_asked(const std::string& experiment, const std::vector<Asked>& asked, const Arguments& arguments,
                     Console& console) {
  const Catalogue catalogue = all_experiments();
  try {
    const ChosenConfig chosen = config_of(catalogue, experiment, asked, arguments);
    return run_experiment(catalogue.at(experiment), chosen.config, chosen.text, run_options(arguments), console);
  } catch (const ConfigError& error) {
    throw ConfigError(about_options(error.what(), asked));
  }
}

/// What there is to do before a table is printed; empty for evenly spaced series.
std::string pairs_ahead(const datasets::series::SeriesFile& file) {
  if (!file.irregular()) return "";
  std::size_t values = 0, pairs = 0;
  for (const datasets::series::CurveGroup& group : file.groups) {
    pairs += group.curves.empty() ? 0 : group.curves.size() - 1;
    for (const datasets::series::Curve& curve : group.curves) values += curve.time.size();
  }
  return concat("lag.pair studies ", counted(static_cast<Index>(pairs), "pair"), " of ", values, " values in all.");
}

int lags(const Arguments& arguments) {
  listen_to_signals();
  if (arguments.has("json") && arguments.has("csv"))
    throw UsageError("--json and --csv are two ways to print the same; give one of them.");
  if (arguments.has("max-lag") && arguments.has("lags"))
    throw UsageError("--max-lag and --lags both say which lags are looked at; give one of them.");
  Console console(arguments);
  // The experiment reads what its config says; that it is this file, it finds in memory (series_once.hpp).
  const std::string pairs =
      pairs_ahead(*datasets::series::look_at_series(arguments.positional[0], file_options(arguments)));
  const bool irregular = !pairs.empty();
  if (irregular) console.say(pairs);
  const RunSummary summary = irregular ? run_asked("lag.pair", pair_settings(arguments), arguments, console)
                                       : run_asked("lag.discover", discover_settings(arguments), arguments, console);
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
      {"max-lag", 0, "N",
       "largest lag, in steps (default: chosen from the data, and said); uneven times: in their unit", false},
      {"lags", 0, "SET", "the lags looked at, such as 1-5,10,30", false},
      {"lagged-only", 0, "", "leave out lag 0: what moves together within a step", false},
      {"difference", 0, "", "look at differences from step to step: for trends and random walks", false},
      {"level", 0, "Q", "false discovery rate at which a link counts (default 0.05); uneven times: false alarm (0.01)",
       false},
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
  return {
      {"lags",
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
       "correlation. The same as: fovea run lag.discover --set data.file=FILE (uneven times: lag.pair, which takes\n"
       "minutes for thousands of points; the driver is the series called driver or continuum, else the first:\n"
       "--columns DRIVER,RESPONSE says another). The run directory has result.h5 and report.html with the pictures.",
       &lags}};
}

}  // namespace fovea::command
