#include "fovea/domains/lag/door/lags.hpp"

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/words.hpp"
#include "fovea/domains/lag/door/file_facts.hpp"
#include "fovea/domains/lag/door/graph_file.hpp"
#include "fovea/domains/lag/door/output.hpp"
#include "fovea/domains/lag/door/reading.hpp"
#include "fovea/domains/lag/series/input.hpp"

namespace fovea::lag::door {

namespace {

constexpr const char* kEven = "lag.discover";
constexpr const char* kUneven = "lag.pair";

datasets::series::SeriesFileOptions file_options(const Arguments& arguments) {
  return {arguments.text("time", ""),      arguments.text("recording", ""), arguments.names("columns"),
          arguments.text("dates", "auto"), arguments.names("missing"),      arguments.text("totals", "difference")};
}

/// The settings of the options given; each has the same words on the command line and in the config.
class Settings {
 public:
  explicit Settings(const Arguments& arguments) : arguments_(arguments) {
    all_.push_back({"data.file=" + quoted_value(arguments.positional[0]), arguments.positional[0]});
    text("time", "data.time");
    text("recording", "data.recording");
    names("columns", "data.columns");
    text("dates", "data.dates");
    names("missing", "data.missing");
    text("totals", "data.totals");
  }
  void text(const char* option, const std::string& key) {
    if (arguments_.has(option)) add(option, key, quoted_value(arguments_.text(option, "")));
  }
  void names(const char* option, const std::string& key) {
    if (arguments_.has(option)) add(option, key, quoted_values(arguments_.names(option)));
  }
  /// Each as it was given, commas and all.
  void list(const char* option, const std::string& key) {
    if (arguments_.has(option)) add(option, key, quoted_values(arguments_.texts(option)));
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
  set.text("season", "adjust.season");
  set.text("trend", "adjust.trend");
  set.text("breaks", "adjust.breaks");
  set.names("given", "adjust.given");
  set.list("forbid", "knowledge.forbid");
  set.list("require", "knowledge.require");
  set.text("tiers", "knowledge.tiers");
  set.text("groups", "knowledge.groups");
  set.number("level", "test.level");
  set.names("effects", "further.effects");
  set.text("method", "method.name");
  set.names("beside", "method.beside");
  return set.all();
}

/// Only what makes sense for two curves.
std::vector<Setting> pair_settings(const Arguments& arguments) {
  for (const char* option : {"lags", "targets", "method", "beside", "lagged-only", "difference", "export", "effects",
                             "season", "trend", "breaks", "given", "forbid", "require", "tiers", "groups"})
    if (arguments.has(option))
      throw UsageError(concat("'--", option, "' applies to evenly spaced times, but those of ", arguments.positional[0],
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
    throw UsageError("--max-lag and --lags both give the lags; give one of them.");
  if (arguments.has("export")) graph_format_of(arguments.text("export", ""));
  const std::string& path = arguments.positional[0];
  const datasets::series::SeriesFileOptions options = file_options(arguments);
  const auto file = series::opened_series(opened.look(series::values_of_keys(path, options), path, [&] {
    return as_inputs(datasets::series::read_series(path, options));
  }));
  const Inputs seen = as_inputs(facts_of(*file));
  if (!file->irregular()) return {kEven, discover_settings(arguments), seen};
  narrator.say(pairs_ahead(*file));
  return {kUneven, pair_settings(arguments), seen};
}

std::string explained(const Arguments& arguments, std::size_t width) {
  if (!arguments.has("explain-reading")) return "";
  const std::string& path = arguments.positional[0];
  return reading_output(path, datasets::series::read_series(path, file_options(arguments)), form_of(arguments), width);
}

std::string answer(const RunSummary& summary, const Asked& asked, std::size_t width) {
  if (asked.request.experiment == kUneven) return pairs_output(summary, asked, width);
  if (asked.arguments.has("export")) export_graph(summary.results.data, asked.arguments.text("export", ""));
  return links_output(summary, asked, width);
}

std::vector<Option> options() {
  return {
      {"time", 0, "COLUMN", "column of times (default: recognised; none: each row is a step)", false},
      {"recording", 0, "COLUMN", "column that separates recordings or regimes (default: recognised)", false},
      {"columns", 0, "NAMES", "series to read, as a,b,c (default: all)", true},
      {"dates", 0, "ORDER", "day-first or month-first, for dates such as 03/04/2020 (default: decided by the column)",
       false},
      {"missing", 0, "NUMBERS", "numbers that mark missing values, such as -999,-9999; none: no number does", true},
      {"totals", 0, "KIND", "of running totals: difference (default), what is added from row to row, or keep", false},
      {"explain-reading", 0, "", "print how the file is read, and each series, and stop", false},
      {"targets", 0, "NAMES", "effects to be explained, as a,b,c (default: all)", true},
      {"max-lag", 0, "N",
       "largest lag, in steps (default: chosen from the data, and reported); uneven times: in their unit", false},
      {"lags", 0, "SET", "lags tested, such as 1-5,10,30", false},
      {"lagged-only", 0, "", "do not test lag 0, links within a step", false},
      {"difference", 0, "", "use differences from step to step: for trends and random walks", false},
      {"season", 0, "PERIODS", "seasons held fixed: auto (default), none, or periods in steps such as 24,168", false},
      {"trend", 0, "KIND", "trend held fixed: auto (default), none, linear or smooth", false},
      {"breaks", 0, "ROWS", "changes of level held fixed: auto (default), none, or rows such as 500,800", false},
      {"given", 0, "NAMES", "series that are conditioned on, but are neither causes nor effects, as a,b", true},
      {"forbid", 0, "LINK", "a link that cannot be: 'rain<-*', 'a->b', 'a->b@3' (lag in steps; * any series)", true},
      {"require", 0, "LINK", "a link that is always conditioned on: 'a->b@3'", true},
      {"tiers", 0, "TIERS", "no series drives an earlier tier: 'rain,snow | upstream | town'", false},
      {"groups", 0, "GROUPS", "names for several series: 'weather = rain,snow | rivers = up*,town'", false},
      {"level", 0, "Q",
       "false discovery rate of significant links (default 0.05); uneven times: false-alarm probability (0.01)", false},
      {"effects", 0, "KINDS", "further effects looked for: changing,product,variance (default: all three) or none",
       true},
      {"method", 0, "NAME", "method by which links are searched (default: the first of 'fovea list methods')", false},
      {"beside", 0, "NAMES", "other methods for comparison in the report", true},
      {"all", 'a', "", "print every tested link, not only the significant ones", false},
      {"export", 0, "FILE", "write the graph of significant links too, as .graphml or .dot", false},
      {"json", 0, "", "as one JSON object", false},
      {"csv", 0, "", "as CSV", false}};
}

}  // namespace

Door lags() {
  Door door;
  door.name = "lags";
  door.summary = "which series of a file drives which, at which lags, and with what significance";
  door.operands = "FILE";
  door.fewest = door.most = 1;
  door.examples = {"fovea lags data.csv", "fovea lags data.csv --max-lag 20 --targets price,volume --json",
                   "fovea lags data.csv.gz --lags 1-5,10,30 --time date --level 0.01",
                   "fovea lags export.csv --explain-reading                how the file is read, without a search",
                   "fovea lags light_curves.csv                          uneven times: lags with intervals"};
  door.options = options();
  door.details =
      "FILE is CSV (also .gz) or HDF5: one column a series, or long with columns series, t, y and perhaps dy.\n"
      "Times, separators, recordings and missing cells are recognised and reported. A link is\n"
      "a cause, an effect and a lag; it is significant if its partial effect passes a test. Strength is a partial\n"
      "correlation. The same as: fovea run lag.discover --set data.file=FILE (uneven times: lag.pair, which takes\n"
      "minutes for thousands of points; the driver is the series called driver or continuum, else the first;\n"
      "--columns DRIVER,RESPONSE chooses another). The run directory has result.h5 and report.html with the pictures.";
  door.ask = &ask;
  door.answer = &answer;
  door.instead = &explained;
  return door;
}

}  // namespace fovea::lag::door
