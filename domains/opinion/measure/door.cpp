#include "fovea/domains/opinion/experiments.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <span>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/json_text.hpp"
#include "fovea/core/base/lines.hpp"
#include "fovea/core/base/missing.hpp"
#include "fovea/core/base/words.hpp"
#include "fovea/core/data/least_value.hpp"
#include "fovea/core/data/rows.hpp"
#include "fovea/core/lab/directory/machine.hpp"
#include "fovea/domains/opinion/measure/estimate.hpp"

namespace fovea::opinion::measure {

namespace {

constexpr std::size_t kFewGroups = 3;  // of more, people are shown a summary
constexpr std::size_t kMostRows = 30;  // of a summary

struct OptionKey {
  const char* option;
  const char* key;
  enum { text, list, number } kind;
};
constexpr OptionKey kKeys[] = {
    {"edges", "network.edges", OptionKey::text},     {"by", "data.by", OptionKey::list},
    {"wave", "data.wave", OptionKey::text},          {"scale", "data.scale", OptionKey::text},
    {"weight", "data.weight", OptionKey::text},      {"respondent", "data.respondent", OptionKey::text},
    {"value", "data.value", OptionKey::text},        {"sides", "sides.column", OptionKey::text},
    {"node", "network.node", OptionKey::text},       {"relation", "network.relation", OptionKey::text},
    {"missing", "data.missing", OptionKey::list},    {"measures", "measures", OptionKey::list},
    {"hubs", "walk.hubs", OptionKey::number},        {"draws", "bootstrap.draws", OptionKey::number},
    {"null-draws", "null.draws", OptionKey::number}, {"level", "bootstrap.level", OptionKey::number},
    {"levels", "data.levels", OptionKey::list},      {"counts", "data.counts", OptionKey::text}};

Request ask(const Arguments& arguments, OpenInputs&, Narrator&) {
  if (arguments.positional.empty() && !arguments.has("edges"))
    throw UsageError("measure: give FILE, a table of answers, or --edges FILE, a network.");
  Request request{"opinion.measure", {}, {}};
  if (!arguments.positional.empty())
    request.settings.push_back({"data.file=" + quoted_value(arguments.positional[0]), arguments.positional[0]});
  for (const OptionKey& one : kKeys) {
    if (!arguments.has(one.option)) continue;
    const std::string given = arguments.text(one.option, "");
    const std::string value = one.kind == OptionKey::list   ? quoted_values(arguments.names(one.option))
                              : one.kind == OptionKey::text ? quoted_value(given)
                                                            : given;
    request.settings.push_back({concat(one.key, '=', value), concat("--", one.option, ' ', given)});
  }
  if (arguments.has("edge-weights")) request.settings.push_back({"network.use_weights=true", "--edge-weights"});
  return request;
}

/// A measure of a group, or its change at a step.
struct Number : Estimate {
  std::string kind, group, measure;
  /// "<=" of a p-value that is the smallest which its draws can give.
  std::string bound() const { return is_least_p(p, least_p) ? "<=" : ""; }
};

/// kind: value, of every group; change, of every step.
std::vector<Number> numbers_of(const Dataset& data, const std::string& kind) {
  std::vector<Number> all;
  if (!data.has(kind)) return all;
  const bool value = kind == "value";
  const auto words = [&](const char* name) { return std::get<std::vector<std::string>>(data.at(name).values); };
  const std::vector<std::string> measures = words("measure"), groups = words(value ? "group" : "step");
  const LeastValues least = value ? least_values(data.at("null_p")) : LeastValues{};
  for (std::size_t g = 0; g < groups.size(); ++g)
    for (std::size_t m = 0; m < measures.size(); ++m) {
      const auto at = [&](const std::string& name) { return data.at(name).reals()[m * groups.size() + g]; };
      const auto null = [&](const char* name) { return value ? at(name) : kNan; };
      const std::string ends = value ? "" : kind + '_';
      all.push_back({{at(kind), at(ends + "low"), at(ends + "high"), null("null_mean"), null("null_low"),
                      null("null_high"), null("null_p"), least.at({"measure"}, {measures.size()}, m)},
                     kind,
                     groups[g],
                     measures[m]});
    }
  return all;
}

std::string as_csv(const Dataset& data) {
  std::vector<Number> all = numbers_of(data, "value");
  for (Number& number : numbers_of(data, "change")) all.push_back(std::move(number));
  return rows("number", all)
      .text("kind", &Number::kind, "")
      .text("group", &Number::group, "")
      .text("measure", &Number::measure, "")
      .number("value", &Number::value, "")
      .number("low", &Number::low, "")
      .number("high", &Number::high, "")
      .number("null_mean", &Number::null_mean, "")
      .number("null_low", &Number::null_low, "")
      .number("null_high", &Number::null_high, "")
      .number("null_p", &Number::p, "")
      .text("null_p_bound", &Number::bound, "")
      .csv();
}

Json null_json(const Number& number) {
  return rows("number", std::span(&number, 1))
      .number("mean", &Number::null_mean, "")
      .number("low", &Number::null_low, "")
      .number("high", &Number::null_high, "")
      .number("p_value", &Number::p, "")
      .text("p_bound", &Number::bound, "")
      .json()
      .front();
}

Json groups_json(const Dataset& data) {
  const std::vector<Number> numbers = numbers_of(data, "value");
  const std::vector<Json> each = rows("number", numbers)
                                     .text("measure", &Number::measure, "")
                                     .number("value", &Number::value, "")
                                     .number("low", &Number::low, "")
                                     .number("high", &Number::high, "")
                                     .json_field("null", &null_json)
                                     .json();
  const std::size_t measures = data.size_of("measure");
  std::vector<Json> all;
  for (std::size_t first = 0; first < each.size(); first += measures) {
    JsonObject group;
    group.add("group", numbers[first].group);
    if (data.has("answers")) {
      group.add("answers", data.at("answers").reals()[first / measures]);
      group.add("effective_size", data.at("effective_size").reals()[first / measures]);
    }
    const auto from = each.begin() + static_cast<std::ptrdiff_t>(first);
    all.push_back(group.add("measures", json_list({from, from + static_cast<std::ptrdiff_t>(measures)})).done());
  }
  return json_list(all);
}

Json changes_json(const Dataset& data) {
  return json_list(rows("number", numbers_of(data, "change"))
                       .text("step", &Number::group, "")
                       .text("measure", &Number::measure, "")
                       .number("change", &Number::value, "")
                       .number("low", &Number::low, "")
                       .number("high", &Number::high, "")
                       .json());
}

std::string as_json(const RunSummary& summary, const Asked& asked) {
  const Dataset& data = summary.results.data;
  const auto path = [](const std::string& text) { return text.empty() ? Json{"null"} : json(text); };
  JsonObject object;
  object.add("version", build().version);
  object.add("file", path(asked.arguments.positional.empty() ? "" : asked.arguments.positional[0]));
  object.add("edges", path(asked.arguments.text("edges", ""))).add("level", asked.config.real("bootstrap.level"));
  if (data.has("nodes"))
    object.add("nodes", data.at("nodes").reals()[0]).add("edges_used", data.at("edges").reals()[0]);
  object.add("verdict", summary.results.verdict()).add("notes", json_texts(summary.results.notes()));
  object.add("findings", Json{findings_json(summary.results.findings())});
  object.add("groups", groups_json(data)).add("changes", changes_json(data));
  return object.done().text + '\n';
}

std::string interval(const Number& number) {
  return std::isnan(number.low) ? "" : concat(rounded_text(number.low, 3), " to ", rounded_text(number.high, 3));
}

/// Every number with its interval: of a measure of a group, of a mean answer of a side, of a change.
std::string full_table(const Dataset& data) {
  const bool many = data.size_of("group") > 1;
  bool least = false;
  std::vector<std::vector<std::string>> cells{{"measure", "value", "interval", "null model", "p"}};
  if (many) cells[0].insert(cells[0].begin(), "group");
  for (const Number& number : numbers_of(data, "value")) {
    cells.push_back({number.measure, rounded_text(number.value, 4), interval(number),
                     std::isnan(number.null_mean) ? "" : rounded_text(number.null_mean, 3),
                     std::isnan(number.p) ? "" : drawn_p_text(number.p, number.least_p)});
    least = least || !number.bound().empty();
    if (many) cells.back().insert(cells.back().begin(), number.group);
  }
  std::string text =
      in_columns(cells, many ? 2 : 1) + (least ? concat("  <= marks ", kLeastP, "; see --null-draws\n") : "");
  if (!data.has("change")) return text;
  std::vector<std::vector<std::string>> changes{{"from wave to wave", "measure", "change", "interval"}};
  for (const Number& number : numbers_of(data, "change"))
    changes.push_back({number.group, number.measure, rounded_text(number.value, 3), interval(number)});
  return text + in_columns(changes, 2);
}

/// What a summary of many groups shows of a group, in this order, where it was measured.
constexpr std::array kSummary{"mean", "sd", "agreement", "bimodality", "distance_of_means", "overlap"};

bool leaves_zero(const Number& number) { return number.low > 0 || number.high < 0; }

/// A row for each group, or for each step from wave to wave; a star marks a change whose interval has no 0.
std::string summary_table(const std::vector<Number>& numbers, const char* heading, bool changes) {
  std::vector<std::vector<std::string>> rows{{heading}};
  for (const char* measure : kSummary)
    if (std::any_of(numbers.begin(), numbers.end(), [&](const Number& one) { return one.measure == measure; }))
      rows[0].push_back(measure);
  std::size_t left_out = 0;
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const std::string& group = numbers[i].group;
    if (i > 0 && group == numbers[i - 1].group) continue;
    if (rows.size() > kMostRows) {
      ++left_out;
      continue;
    }
    rows.emplace_back(rows[0].size())[0] = group;
    for (std::size_t k = i; k < numbers.size() && numbers[k].group == group; ++k) {
      const auto column = std::find(rows[0].begin() + 1, rows[0].end(), numbers[k].measure);
      if (column == rows[0].end()) continue;
      rows.back()[static_cast<std::size_t>(column - rows[0].begin())] =
          rounded_text(numbers[k].value, 3) + (!changes                  ? ""
                                               : leaves_zero(numbers[k]) ? "*"
                                                                         : " ");
    }
  }
  return in_columns(rows, 1) + (left_out == 0 ? "" : concat("  ... and ", left_out, " more\n"));
}

std::string short_table(const Dataset& data) {
  std::string text = summary_table(numbers_of(data, "value"), "group", false);
  if (const std::vector<Number> changes = numbers_of(data, "change"); !changes.empty()) {
    text += summary_table(changes, "from wave to wave", true);
    if (std::any_of(changes.begin(), changes.end(), leaves_zero)) text += "  * the interval of the change has no 0\n";
  }
  return text + "  Intervals, null models and further measures: --all, --csv, --json and the report.\n";
}

std::string answer(const RunSummary& summary, const Asked& asked, std::size_t width) {
  const Form form = form_of(asked.arguments);
  const Dataset& data = summary.results.data;
  if (form == Form::csv) return as_csv(data);
  if (form == Form::json) return as_json(summary, asked);
  std::string text =
      in_lines(summary.results.verdict(), width) +
      (asked.arguments.has("all") || data.size_of("group") <= kFewGroups ? full_table(data) : short_table(data));
  for (const std::string& note : summary.results.notes()) text += in_lines("note: " + note, width, 2);
  return text + "result  " + summary.directory.result().path() + "\nreport  " + summary.directory.report().path() +
         '\n';
}

std::vector<Option> options() {
  return {
      {"edges", 0, "FILE", "network: table source,target[,weight] or a graph of most programs; FILE: its nodes", false},
      {"by", 0, "NAMES", "columns that make groups, as wave,country", true},
      {"wave", 0, "COLUMN", "the one along which changes are measured (default: by its name, as year; none)", false},
      {"scale", 0, "ENDS", "ends of the scale, as 1..7 (default: the least and the largest answer)", false},
      {"weight", 0, "COLUMN", "design weights (default: all weigh the same)", false},
      {"counts", 0, "COLUMN", "how many people gave the answer of a row (default: recognised); none: one", false},
      {"respondent", 0, "COLUMN", "what is drawn together: a person in a panel, a sampling point", false},
      {"value", 0, "COLUMN", "opinions (default: by its name, or the only column left; an attribute opinion)", false},
      {"sides", 0, "COLUMN", "sides to compare, as party; of nodes recognised, or none: by opinion or from the network",
       false},
      {"node", 0, "COLUMN", "names of the nodes in FILE (default: node, else Id)", false},
      {"relation", 0, "NAME", "only edges of this relation, by their column relation, layer or type", false},
      {"edge-weights", 0, "", "edges count by their weight (default: each once)", false},
      {"levels", 0, "WORDS", "answers in words, the lowest first: they count as 1, 2, ...", true},
      {"missing", 0, "MARKS", "numbers and words that mark missing answers, as 8,9,refused; none: none do", true},
      {"measures", 0, "NAMES", "of 'fovea list measures' (default: all that apply)", true},
      {"hubs", 0, "N", "hubs of each side where random walks end (default 10); 0: no walks", false},
      {"draws", 0, "N", "draws for the intervals (default 1000, fewer where they take long); 0: none", false},
      {"null-draws", 0, "N", "draws of the null model (default 200, or fewer); 0: none", false},
      {"level", 0, "P", "level of the intervals (default 0.95)", false},
      {"all", 'a', "", "print every measure of many groups with its interval, not a summary", false},
      {"json", 0, "", "as one JSON object", false},
      {"csv", 0, "", "as CSV", false}};
}

}  // namespace

Door door() {
  Door door;
  door.name = "measure";
  door.summary = "how polarised the answers of a survey are, or the sides of a network";
  door.operands = "[FILE]";
  door.fewest = 0;
  door.most = 1;
  door.examples = {
      "fovea measure survey.csv --value q1 --scale 1..7 --weight w",
      "fovea measure survey.csv --value q1 --by wave,country --scale 1..7 --missing 8,9",
      "fovea measure survey.csv --value q1 --sides party --by wave   how far apart parties are, and changes",
      "fovea measure answers.csv                              answer,n: how many people gave each answer",
      "fovea measure nodes.csv --edges retweets.csv            sides or opinions of the nodes",
      "fovea measure panel.csv --edges friends.csv --by wave   each wave on the same network, and changes",
      "fovea measure --edges retweets.csv                      sides found from the network"};
  door.options = options();
  door.details =
      "FILE is CSV (also .gz), in the dialects that lags reads: one row a respondent, or with --edges a node. Without\n"
      "FILE, --value and --sides name attributes of the nodes of a graph document. Each measure has a bootstrap\n"
      "interval (by respondent; of a network by its edges) and a null model: the answers shuffled over the groups, of\n"
      "a single group a normal opinion of the same mean and sd on the same scale; of sides these shuffled; of a\n"
      "network other neighbours with the same degrees. domains/opinion/measures.md has the definitions. The same as:\n"
      "fovea run opinion.measure --set data.file=FILE. The run directory has result.h5 and report.html.";
  door.ask = &ask;
  door.answer = &answer;
  return door;
}

}  // namespace fovea::opinion::measure
