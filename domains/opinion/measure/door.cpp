#include "fovea/domains/opinion/measure/door.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/json_text.hpp"
#include "fovea/core/base/lines.hpp"
#include "fovea/core/base/words.hpp"
#include "fovea/core/data/dataset_csv.hpp"
#include "fovea/core/lab/directory/machine.hpp"

namespace fovea::opinion::measure {

namespace {

constexpr std::size_t kFewGroups = 3;  // of more, people are shown the main measures alone

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
    {"node", "network.node", OptionKey::text},       {"missing", "data.missing", OptionKey::list},
    {"measures", "measures", OptionKey::list},       {"hubs", "walk.hubs", OptionKey::number},
    {"draws", "bootstrap.draws", OptionKey::number}, {"null-draws", "null.draws", OptionKey::number},
    {"level", "bootstrap.level", OptionKey::number}, {"levels", "data.levels", OptionKey::list}};

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

/// The result's arrays over measures and groups, or measures and steps.
class Arrays {
 public:
  Arrays(const Dataset& data, const std::string& dimension)
      : data_(data), measures_(words("measure")), rows_(words(dimension)) {}

  const std::vector<std::string>& measures() const { return measures_; }
  const std::vector<std::string>& rows() const { return rows_; }
  double at(const char* name, std::size_t measure, std::size_t row) const {
    return data_.at(name).reals()[measure * rows_.size() + row];
  }

 private:
  const std::vector<std::string>& words(const std::string& name) const {
    return std::get<std::vector<std::string>>(data_.at(name).values);
  }
  const Dataset& data_;
  const std::vector<std::string>&measures_, &rows_;
};

std::string csv_number(double value) { return std::isfinite(value) ? exact_text(value) : ""; }

std::string as_csv(const Dataset& data) {
  std::string text = "kind,group,measure,value,low,high,null_mean,null_low,null_high,null_p\n";
  const Arrays groups(data, "group");
  for (std::size_t g = 0; g < groups.rows().size(); ++g)
    for (std::size_t m = 0; m < groups.measures().size(); ++m) {
      text += concat("value,", csv_text(groups.rows()[g]), ',', groups.measures()[m]);
      for (const char* name : {"value", "low", "high", "null_mean", "null_low", "null_high", "null_p"})
        text += ',' + csv_number(groups.at(name, m, g));
      text += '\n';
    }
  if (!data.has("change")) return text;
  const Arrays steps(data, "step");
  for (std::size_t s = 0; s < steps.rows().size(); ++s)
    for (std::size_t m = 0; m < steps.measures().size(); ++m) {
      text += concat("change,", csv_text(steps.rows()[s]), ',', steps.measures()[m]);
      for (const char* name : {"change", "change_low", "change_high"}) text += ',' + csv_number(steps.at(name, m, s));
      text += ",,,,\n";
    }
  return text;
}

Json groups_json(const Dataset& data) {
  const Arrays groups(data, "group");
  std::vector<Json> all;
  for (std::size_t g = 0; g < groups.rows().size(); ++g) {
    std::vector<Json> measures;
    for (std::size_t m = 0; m < groups.measures().size(); ++m) {
      JsonObject null, one;
      null.add("mean", groups.at("null_mean", m, g)).add("low", groups.at("null_low", m, g));
      null.add("high", groups.at("null_high", m, g)).add("p_value", groups.at("null_p", m, g));
      one.add("measure", groups.measures()[m]).add("value", groups.at("value", m, g));
      one.add("low", groups.at("low", m, g)).add("high", groups.at("high", m, g)).add("null", null.done());
      measures.push_back(one.done());
    }
    JsonObject group;
    group.add("group", groups.rows()[g]);
    if (data.has("answers")) {
      group.add("answers", data.at("answers").reals()[g]);
      group.add("effective_size", data.at("effective_size").reals()[g]);
    }
    all.push_back(group.add("measures", json_list(measures)).done());
  }
  return json_list(all);
}

Json changes_json(const Dataset& data) {
  std::vector<Json> all;
  if (!data.has("change")) return json_list(all);
  const Arrays steps(data, "step");
  for (std::size_t s = 0; s < steps.rows().size(); ++s)
    for (std::size_t m = 0; m < steps.measures().size(); ++m) {
      JsonObject one;
      one.add("step", steps.rows()[s]).add("measure", steps.measures()[m]).add("change", steps.at("change", m, s));
      all.push_back(one.add("low", steps.at("change_low", m, s)).add("high", steps.at("change_high", m, s)).done());
    }
  return json_list(all);
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
  return object.add("groups", groups_json(data)).add("changes", changes_json(data)).done().text + '\n';
}

std::string interval(double low, double high) {
  return std::isnan(low) ? "" : concat(rounded_text(low, 3), " to ", rounded_text(high, 3));
}

/// Whether people are shown a measure of many groups.
bool is_main(const std::string& measure) {
  static const std::set<std::string> main{"agreement", "bimodality", "dip", "mean", "sd"};
  return main.count(measure) > 0;
}

std::string as_table(const Dataset& data, bool all) {
  const Arrays groups(data, "group");
  const bool many = groups.rows().size() > 1;
  all = all || groups.rows().size() <= kFewGroups;
  std::vector<std::vector<std::string>> cells{{"measure", "value", "interval", "null model", "p"}};
  if (many) cells[0].insert(cells[0].begin(), "group");
  for (std::size_t g = 0; g < groups.rows().size(); ++g)
    for (std::size_t m = 0; m < groups.measures().size(); ++m) {
      if (!all && !is_main(groups.measures()[m])) continue;
      const double null = groups.at("null_mean", m, g), p = groups.at("null_p", m, g);
      cells.push_back({groups.measures()[m], rounded_text(groups.at("value", m, g), 4),
                       interval(groups.at("low", m, g), groups.at("high", m, g)),
                       std::isnan(null) ? "" : rounded_text(null, 3), std::isnan(p) ? "" : rounded_text(p, 2)});
      if (many) cells.back().insert(cells.back().begin(), groups.rows()[g]);
    }
  std::string text = in_columns(cells, many ? 2 : 1);
  if (data.has("change")) {
    const Arrays steps(data, "step");
    std::vector<std::vector<std::string>> rows{{"from wave to wave", "measure", "change", "interval"}};
    for (std::size_t s = 0; s < steps.rows().size(); ++s)
      for (std::size_t m = 0; m < steps.measures().size(); ++m)
        if (all || is_main(steps.measures()[m]))
          rows.push_back({steps.rows()[s], steps.measures()[m], rounded_text(steps.at("change", m, s), 3),
                          interval(steps.at("change_low", m, s), steps.at("change_high", m, s))});
    text += in_columns(rows, 2);
  }
  return text + (all ? "" : "  The main measures; --all, --csv and --json have the others.\n");
}

std::string answer(const RunSummary& summary, const Asked& asked, std::size_t width) {
  const Form form = form_of(asked.arguments);
  const Dataset& data = summary.results.data;
  if (form == Form::csv) return as_csv(data);
  if (form == Form::json) return as_json(summary, asked);
  std::string text = in_lines(summary.results.verdict(), width) + as_table(data, asked.arguments.has("all"));
  for (const std::string& note : summary.results.notes()) text += in_lines("note: " + note, width, 2);
  return text + "result  " + summary.directory.result().path() + "\nreport  " + summary.directory.report().path() +
         '\n';
}

std::vector<Option> options() {
  return {
      {"edges", 0, "FILE", "network: table source,target[,weight], GraphML, GEXF, GML, Pajek; FILE: its nodes", false},
      {"by", 0, "NAMES", "columns that make groups, as wave,country", true},
      {"wave", 0, "COLUMN", "the one along which changes are measured (default: by its name, as year; none)", false},
      {"scale", 0, "ENDS", "ends of the scale, as 1..7 (default: the least and the largest answer)", false},
      {"weight", 0, "COLUMN", "design weights (default: all weigh the same)", false},
      {"respondent", 0, "COLUMN", "what is drawn together: a person in a panel, a sampling point", false},
      {"value", 0, "COLUMN", "opinions (default: by its name, or the only column left; an attribute opinion)", false},
      {"sides", 0, "COLUMN", "side of each node (default: recognised); none: by opinion or from the network", false},
      {"node", 0, "COLUMN", "names of the nodes in FILE (default: node, else Id)", false},
      {"edge-weights", 0, "", "edges count by their weight (default: each once)", false},
      {"levels", 0, "WORDS", "answers in words, the lowest first: they count as 1, 2, ...", true},
      {"missing", 0, "MARKS", "numbers and words that mark missing answers, as 8,9,refused; none: none do", true},
      {"measures", 0, "NAMES", "of 'fovea list measures' (default: all that apply)", true},
      {"hubs", 0, "N", "hubs of each side where random walks end (default 10); 0: no walks", false},
      {"draws", 0, "N", "draws for the intervals (default 1000); 0: none", false},
      {"null-draws", 0, "N", "draws of the null model (default 200); 0: none", false},
      {"level", 0, "P", "level of the intervals (default 0.95)", false},
      {"all", 'a', "", "print every measure of many groups, not the main ones alone", false},
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
  door.examples = {"fovea measure survey.csv --value q1 --scale 1..7 --weight w",
                   "fovea measure survey.csv --value q1 --by wave,country --scale 1..7 --missing 8,9",
                   "fovea measure nodes.csv --edges retweets.csv            sides or opinions of the nodes",
                   "fovea measure panel.csv --edges friends.csv --by wave   each wave on the same network, and changes",
                   "fovea measure --edges retweets.csv                      sides found from the network"};
  door.options = options();
  door.details =
      "FILE is CSV (also .gz), in the dialects that lags reads: one row a respondent, or with --edges a node. Without\n"
      "FILE, --value and --sides name attributes of the nodes of a graph document. Each measure has a bootstrap\n"
      "interval (by respondent; of a network by its edges) and a null model: the answers shuffled over the groups, of\n"
      "a single group a normal opinion of the same mean and sd on the same scale; of a network other neighbours with\n"
      "the same degrees. domains/opinion/measures.md has the definitions. The same as: fovea run opinion.measure\n"
      "--set data.file=FILE. The run directory has result.h5 and report.html.";
  door.ask = &ask;
  door.answer = &answer;
  return door;
}

}  // namespace fovea::opinion::measure
