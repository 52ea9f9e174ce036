#include "fovea/domains/lag/door/lags.hpp"

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/words.hpp"
#include "fovea/domains/lag/door/output.hpp"
#include "fovea/domains/lag/series/input.hpp"

namespace fovea::lag::door {

namespace {

constexpr const char* kEven = "lag.discover";
constexpr const char* kUneven = "lag.pair";

datasets::series::SeriesFileOptions file_options(const Arguments& arguments) {
  return {arguments.text("time", ""), arguments.text("recording", ""), arguments.names("columns")};
}

/// The settings of the options given; each has the same words on the command line and in the config.
class Settings {
 public:
  explicit Settings(const Arguments& arguments) : arguments_(arguments) {
    all_.push_back({"data.file=" + quoted_value(arguments.positional[0]), arguments.positional[0]});
    text("time", "data.time");
    text("recording", "data.recording");
    names("columns", "data.columns");
  }
  void text(const char* option, const std::string& key) {
    if (arguments_.has(option)) add(option, key, quoted_value(arguments_.text(option, "")));
  }
  void names(const char* option, const std::string& key) {
    if (arguments_.has(option)) add(option, key, quoted_values(arguments_.names(option)));
  }
  /// As it stands: the config says what a number must be.
  void number(const char* option, const std::string& key) {
    if (arguments_.has(option)) add(option, key, arguments_.text(option, ""));
  }
  void add(const char* option, const std::string& key, const std::string& value) {
    all_.push_back({key + '=' + value, concat("--", option, ' ', joined(arguments_.texts(option)))});
  }
  const std::vector<Setting>& all() const { return all_; }

 private:
  static std::string joined(const std::vector<std::string>& words) {
    std::string text;
    for (const std::string& word : words) text += (text.empty() ? "" : ",") + word;
    return text;
  }
  const Arguments& arguments_;
  std::vector<Setting> all_;
};

std::vector<Setting> discover_settings(const Arguments& arguments) {
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
std::vector<Setting> pair_settings(const Arguments& arguments) {
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

/// What there is to do before a table is printed.
std::string pairs_ahead(const datasets::series::SeriesFile& file) {
  std::size_t values = 0, pairs = 0;
  for (const datasets::series::CurveGroup& group : file.groups) {
    pairs += group.curves.empty() ? 0 : group.curves.size() - 1;
    for (const datasets::series::Curve& curve : group.curves) values += curve.time.size();
  }
  return concat(kUneven, " studies ", counted(static_cast<Index>(pairs), "pair"), " of ", values, " values in all.");
}

Request ask(const Arguments& arguments, OpenInputs& opened, Narrator& narrator) {
  if (arguments.has("max-lag") && arguments.has("lags"))
    throw UsageError("--max-lag and --lags both say which lags are looked at; give one of them.");
  const std::string& path = arguments.positional[0];
  const datasets::series::SeriesFileOptions options = file_options(arguments);
  const auto file = series::opened_series(opened.look(series::series_keys(path, options), path, [&] {
    return as_inputs(datasets::series::read_series(path, options));
  }));
  if (!file->irregular()) return {kEven, discover_settings(arguments)};
  narrator.say(pairs_ahead(*file));
  return {kUneven, pair_settings(arguments)};
}

std::string answer(const RunSummary& summary, const Arguments& arguments, std::size_t width) {
  const Form form = form_of(arguments);
  return summary.manifest.experiment == kUneven ? pairs_output(summary, form, width)
                                                : links_output(summary, form, arguments.has("all"), width);
}

std::vector<Option> options() {
  return {{"time", 0, "COLUMN", "the column of times (default: recognised; none: each row is a step)", false},
          {"recording", 0, "COLUMN", "the column that tells recordings or regimes apart (default: recognised)", false},
          {"columns", 0, "NAMES", "the series to read, as a,b,c (default: all)", true},
          {"targets", 0, "NAMES", "the effects that are asked about, as a,b,c (default: all)", true},
          {"max-lag", 0, "N",
           "largest lag, in steps (default: chosen from the data, and said); uneven times: in their unit", false},
          {"lags", 0, "SET", "the lags looked at, such as 1-5,10,30", false},
          {"lagged-only", 0, "", "leave out lag 0: what moves together within a step", false},
          {"difference", 0, "", "look at differences from step to step: for trends and random walks", false},
          {"level", 0, "Q",
           "false discovery rate at which a link counts (default 0.05); uneven times: false alarm (0.01)", false},
          {"method", 0, "NAME", "how links are looked for (default: the first of 'fovea list methods')", false},
          {"beside", 0, "NAMES", "other methods to compare with in the report", true},
          {"all", 'a', "", "print every link tested, not only those that count", false},
          {"json", 0, "", "as one JSON object", false},
          {"csv", 0, "", "as CSV", false}};
}

}  // namespace

Door lags() {
  Door door;
  door.name = "lags";
  door.summary = "which series of a file drives which, after how long, and how sure";
  door.operands = "FILE";
  door.fewest = door.most = 1;
  door.examples = {"fovea lags data.csv", "fovea lags data.csv --max-lag 20 --targets price,volume --json",
                   "fovea lags data.csv.gz --lags 1-5,10,30 --time date --level 0.01",
                   "fovea lags light_curves.csv                          uneven times: lags with intervals"};
  door.options = options();
  door.details =
      "FILE is CSV (also .gz) or HDF5: one column a series, or long with columns series, t, y and perhaps dy.\n"
      "Times, separators, recordings and missing cells are recognised and what was recognised is said. A link is\n"
      "a cause, an effect and a lag whose partial effect the method's test supports; strength is a partial\n"
      "correlation. The same as: fovea run lag.discover --set data.file=FILE (uneven times: lag.pair, which takes\n"
      "minutes for thousands of points; the driver is the series called driver or continuum, else the first:\n"
      "--columns DRIVER,RESPONSE says another). The run directory has result.h5 and report.html with the pictures.";
  door.ask = &ask;
  door.answer = &answer;
  return door;
}

}  // namespace fovea::lag::door
