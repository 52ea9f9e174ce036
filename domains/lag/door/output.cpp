#include "fovea/domains/lag/door/output.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <tuple>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/json_text.hpp"
#include "fovea/core/base/lines.hpp"
#include "fovea/core/base/words.hpp"
#include "fovea/core/report/text.hpp"
#include "fovea/datasets/series/series.hpp"

namespace fovea::lag::door {

namespace {

constexpr std::size_t kMostRows = 200;    // of the table for people; --json and --csv have all
constexpr std::size_t kMostOwnRows = 10;  // of own pasts, unless all are asked for
constexpr std::size_t kLongestName = 24;  // letters: two names and the numbers fit into 80 columns

struct LinkRow {
  std::string cause, effect;
  std::int64_t lag = 0;
  double strength = 0, p = 1, q = 1;
  bool counts = true, directed = true;
  bool self() const { return cause == effect; }
};

const std::vector<std::string>& words(const Dataset& data, const std::string& name) {
  return std::get<std::vector<std::string>>(data.at(name).values);
}

void sort_by_q(std::vector<LinkRow>& rows) {
  std::stable_sort(rows.begin(), rows.end(),
                   [](const LinkRow& a, const LinkRow& b) { return std::tie(a.q, a.p) < std::tie(b.q, b.p); });
}

std::vector<LinkRow> counting_rows(const Dataset& data) {
  std::vector<LinkRow> rows;
  if (!data.has("link_lag")) return rows;
  const auto &causes = words(data, "link_cause"), &effects = words(data, "link_effect");
  const auto &lags = data.at("link_lag").reals(), &strength = data.at("link_strength").reals();
  const auto &p = data.at("link_p").reals(), &q = data.at("link_q").reals();
  const auto& kinds = words(data, "link_kind");
  for (std::size_t i = 0; i < lags.size(); ++i)
    rows.push_back({causes[i], effects[i], static_cast<std::int64_t>(lags[i]), strength[i], p[i], q[i], true,
                    kinds[i] != "moves with"});
  sort_by_q(rows);
  return rows;
}

std::vector<LinkRow> all_rows(const Dataset& data) {
  if (!data.has("strength")) return counting_rows(data);
  std::vector<LinkRow> rows;
  const auto &causes = words(data, "cause"), &effects = words(data, "effect");
  const auto& lags = std::get<std::vector<std::int64_t>>(data.at("lag").values);
  const auto &strength = data.at("strength").reals(), &p = data.at("p_value").reals();
  const auto &q = data.at("q_value").reals(), &counts = data.at("counts").reals();
  for (std::size_t i = 0; i < strength.size(); ++i) {
    if (std::isnan(strength[i])) continue;
    const std::size_t pair = i / lags.size();
    rows.push_back({causes[pair % causes.size()], effects[pair / causes.size()], lags[i % lags.size()], strength[i],
                    p[i], q[i], counts[i] > 0, lags[i % lags.size()] > 0});
  }
  sort_by_q(rows);
  return rows;
}

Json json_of(const LinkRow& row) {
  JsonObject object;
  object.add("cause", row.cause).add("effect", row.effect).add("lag", row.lag).add("strength", row.strength);
  object.add("p_value", row.p).add("q_value", row.q).add("self", row.self()).add("counts", row.counts);
  return object.done();
}

/// A field of a CSV file.
std::string csv_field(const std::string& text) {
  if (text.find_first_of(",\"\n\r") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char letter : text) quoted += letter == '"' ? std::string("\"\"") : std::string(1, letter);
  return quoted + '"';
}

std::string csv_number(double value) { return std::isnan(value) ? "" : json(value).text; }

std::string csv_of(const std::vector<LinkRow>& rows) {
  std::string text = "cause,effect,lag,strength,p_value,q_value,self,counts\n";
  for (const LinkRow& row : rows)
    text += concat(csv_field(row.cause), ',', csv_field(row.effect), ',', row.lag, ',', csv_number(row.strength), ',',
                   csv_number(row.p), ',', csv_number(row.q), ',', row.self() ? 1 : 0, ',', row.counts ? 1 : 0, '\n');
  return text;
}

std::string lag_words(const Dataset& data, std::int64_t lag) {
  const Variable& step = data.at("lag_step");
  if (step.units == "1")
    return datasets::series::time_text(static_cast<double>(lag), "");  // times without a unit: in steps
  return datasets::series::time_text(static_cast<double>(lag) * step.reals().front(), step.units);
}

/// In a form that can be copied into a program.
std::string printed_number(const char* format, double value) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), format, value);
  return text.data();
}

/// A p-value that is too small for a double is not 0.
std::string p_text(double p) { return p > 0 ? printed_number("%.2g", p) : "<1e-300"; }

std::string table_of(const Dataset& data, const std::vector<LinkRow>& rows, bool self, bool all) {
  std::vector<std::vector<std::string>> cells;
  if (self)
    cells = {{"series", "lag", "strength", "p", "q"}};
  else
    cells = {{"cause", "effect", "lag", "strength", "p", "q"}};
  if (all) cells[0].push_back("significant");
  const std::size_t most = self && !all ? kMostOwnRows : kMostRows;
  std::size_t left = 0;
  bool undirected = false;
  for (const LinkRow& row : rows) {
    if (row.self() != self) continue;
    if (cells.size() > most) {
      ++left;
      continue;
    }
    undirected = undirected || (!row.directed && row.counts);
    std::vector<std::string> line{clipped(row.cause, kLongestName)};
    if (!self) line.push_back(clipped(row.effect, kLongestName));
    for (const std::string& word :
         {lag_words(data, row.lag), printed_number("%.3f", row.strength), p_text(row.p), p_text(row.q)})
      line.push_back(word);
    if (all) line.push_back(row.counts ? "yes" : "");
    cells.push_back(std::move(line));
  }
  if (cells.size() == 1) return "";
  return in_columns(cells, self ? 1 : 2) +
         (left > 0
              ? concat("  ... and ", left, " more; ", self && !all ? "--all, " : "", "--csv and --json have all.\n")
              : "") +
         (undirected ? "  Links at lag 0 are within a step: their direction is not known.\n" : "");
}

std::string ending(const RunSummary& summary, std::size_t width) {
  std::string text;
  for (const std::string& note : summary.results.notes()) text += in_lines("note: " + note, width, 2);
  return text + "result  " + summary.directory.result().path() + "\nreport  " + summary.directory.report().path() +
         '\n';
}

Json interval_json(double low, double high) { return json_list({json(low), json(high)}); }

}  // namespace

std::string links_output(const RunSummary& summary, Form form, bool all, std::size_t width) {
  const Dataset& data = summary.results.data;
  const std::vector<LinkRow> rows = all ? all_rows(data) : counting_rows(data);
  if (form == Form::csv) return csv_of(rows);
  if (form == Form::json) {
    std::vector<Json> links;
    for (const LinkRow& row : rows) links.push_back(json_of(row));
    return JsonObject().add("links", json_list(links)).done().text + '\n';
  }
  std::string text = in_lines(summary.results.verdict(), width) + table_of(data, rows, false, all);
  const std::string own = table_of(data, rows, true, all);
  if (!own.empty()) text += "Each series' own past:\n" + own;
  if (!rows.empty())
    text +=
        "strength: signed partial correlation; p: p-value of no effect;\n"
        "q: smallest false discovery rate at which the link is significant\n";
  return text + ending(summary, width);
}

std::string pairs_output(const RunSummary& summary, Form form, std::size_t width) {
  const Dataset& data = summary.results.data;
  const auto &drivers = words(data, "driver"), &responses = words(data, "response");
  const auto column = [&](const char* name) -> const std::vector<double>& { return data.at(name).reals(); };
  const auto &lag = column("lag"), &low68 = column("lag_low68"), &high68 = column("lag_high68");
  const auto &low95 = column("lag_low95"), &high95 = column("lag_high95"), &alarm = column("false_alarm");
  std::vector<Json> pairs;
  std::string csv = "driver,response,lag,low68,high68,low95,high95,false_alarm\n";
  std::vector<std::vector<std::string>> cells{{"driver", "response", "lag", "68 %", "95 %", "false alarm"}};
  for (std::size_t i = 0; i < drivers.size(); ++i) {
    JsonObject object;
    object.add("driver", drivers[i]).add("response", responses[i]).add("lag", lag[i]);
    object.add("interval68", interval_json(low68[i], high68[i])).add("interval95", interval_json(low95[i], high95[i]));
    pairs.push_back(object.add("false_alarm", alarm[i]).done());
    csv += csv_field(drivers[i]) + ',' + csv_field(responses[i]);
    for (const auto* values : {&lag, &low68, &high68, &low95, &high95, &alarm}) csv += ',' + csv_number((*values)[i]);
    csv += '\n';
    const auto interval = [](double low, double high) { return rounded_text(low, 4) + " to " + rounded_text(high, 4); };
    cells.push_back({drivers[i], responses[i], rounded_text(lag[i], 4), interval(low68[i], high68[i]),
                     interval(low95[i], high95[i]), rounded_text(alarm[i], 2)});
  }
  if (form == Form::json) return JsonObject().add("pairs", json_list(pairs)).done().text + '\n';
  if (form == Form::csv) return csv;
  return in_lines(summary.results.verdict(), width) + in_columns(cells, 2) +
         "lags in the unit of the times; false alarm: probability that unrelated curves look as related\n" +
         ending(summary, width);
}

}  // namespace fovea::lag::door
