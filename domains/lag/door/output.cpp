#include "fovea/domains/lag/door/output.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <limits>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/json_text.hpp"
#include "fovea/core/base/lines.hpp"
#include "fovea/core/base/words.hpp"
#include "fovea/core/data/dataset_csv.hpp"
#include "fovea/core/report/text.hpp"
#include "fovea/datasets/series/series.hpp"
#include "fovea/domains/lag/door/json_output.hpp"
#include "fovea/domains/lag/door/link_rows.hpp"

namespace fovea::lag::door {

namespace {

constexpr std::size_t kMostRows = 200;    // of the table for people; --json and --csv have all
constexpr std::size_t kMostOwnRows = 10;  // of own pasts, unless all are asked for
constexpr std::size_t kLongestName = 24;  // letters: two names and the numbers fit into 80 columns

std::string csv_number(double value) { return !std::isfinite(value) ? "" : json(value).text; }

std::string csv_of(const std::vector<LinkRow>& rows) {
  std::string text =
      "cause,effect,lag,strength,p_value,q_value,self,counts,direction,log10_p,log10_q,effect_size,effect_low,effect_"
      "high,"
      "unit,total_size,total_low,total_high,lag_low,lag_high,kind,with,with_lag,test\n";
  for (const LinkRow& row : rows)
    text += concat(csv_text(row.cause), ',', csv_text(row.effect), ',', row.lag, ',', csv_number(row.strength), ',',
                   csv_number(row.p), ',', csv_number(row.q), ',', row.self() ? 1 : 0, ',', row.counts ? 1 : 0, ',',
                   row.directed ? "->" : "", ',', csv_number(row.log10_p), ',', csv_number(row.log10_q), ',',
                   csv_number(row.does.size), ',', csv_number(row.does.low), ',', csv_number(row.does.high), ',',
                   csv_text(row.does.unit), ',', csv_number(row.does.total_size), ',', csv_number(row.does.total_low),
                   ',', csv_number(row.does.total_high), ',', csv_number(row.does.lag_low), ',',
                   csv_number(row.does.lag_high), ',', row.kind, ',', csv_text(row.with), ',',
                   row.with.empty() ? "" : concat(row.with_lag), ',', csv_text(row.test), '\n');
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
std::string p_text(double p, double log10_p) {
  if (p >= std::numeric_limits<double>::min()) return printed_number("%.2g", p);
  if (!std::isfinite(log10_p)) return "<1e-300";
  const double power = std::floor(log10_p);
  return printed_number("%.2g", std::pow(10, log10_p - power)) + printed_number("e%.0f", power);
}

std::string kind_words(const Dataset& data, const LinkRow& row) {
  if (row.with.empty()) return row.kind;
  return concat(row.kind, " with ", clipped(row.with, kLongestName), ' ', lag_words(data, row.with_lag));
}

std::string table_of(const Dataset& data, const std::vector<LinkRow>& rows, bool self, bool all) {
  std::vector<std::vector<std::string>> cells;
  if (self)
    cells = {{"series", "lag", "strength", "p", "q"}};
  else
    cells = {{"cause", "effect", "lag", "strength", "p", "q"}};
  const bool kinds =
      !self && std::any_of(rows.begin(), rows.end(), [](const LinkRow& row) { return row.kind != "steady"; });
  if (kinds) cells[0].push_back("kind");
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
    for (const std::string& word : {lag_words(data, row.lag), printed_number("%.3f", row.strength),
                                    p_text(row.p, row.log10_p), p_text(row.q, row.log10_q)})
      line.push_back(word);
    if (kinds) line.push_back(kind_words(data, row));
    if (all) line.push_back(row.counts ? "yes" : "");
    cells.push_back(std::move(line));
  }
  if (cells.size() == 1) return "";
  return in_columns(cells, self ? 1 : 2) +
         (left > 0
              ? concat("  ... and ", left, " more; ", self && !all ? "--all, " : "", "--csv and --json have all.\n")
              : "") +
         (undirected ? "  Of some links within a step (lag 0) the direction is not known: --json says of which.\n"
                     : "");
}

std::string ending(const RunSummary& summary, std::size_t width) {
  std::string text;
  for (const std::string& note : summary.results.notes()) text += in_lines("note: " + note, width, 2);
  return text + "result  " + summary.directory.result().path() + "\nreport  " + summary.directory.report().path() +
         '\n';
}

}  // namespace

std::string links_output(const RunSummary& summary, const Asked& asked, std::size_t width) {
  const Form form = form_of(asked.arguments);
  const bool all = asked.arguments.has("all");
  const Dataset& data = summary.results.data;
  const std::vector<LinkRow> rows = all ? all_rows(data) : counting_rows(data);
  if (form == Form::csv) return csv_of(rows);
  if (form == Form::json) return links_json(summary, asked, rows);
  std::string text = in_lines(summary.results.verdict(), width) + table_of(data, rows, false, all);
  const std::string own = table_of(data, rows, true, all);
  if (!own.empty()) text += "Each series' own past:\n" + own;
  if (!rows.empty())
    text +=
        "strength: signed partial correlation; p: p-value of no effect;\n"
        "q: smallest false discovery rate at which the link is significant\n";
  if (asked.arguments.has("export")) text += "graph   " + asked.arguments.text("export", "") + '\n';
  if (std::any_of(rows.begin(), rows.end(), [](const LinkRow& row) { return row.kind != "steady"; }))
    text += "changing, product, variance: kinds with tests of their own; the notes say each in words\n";
  return text + ending(summary, width);
}

std::string pairs_output(const RunSummary& summary, const Asked& asked, std::size_t width) {
  const Form form = form_of(asked.arguments);
  if (form == Form::json) return pairs_json(summary, asked);
  const Dataset& data = summary.results.data;
  const auto &drivers = words(data, "driver"), &responses = words(data, "response");
  const std::vector<std::string> groups = groups_of_pairs(summary.results);
  const auto column = [&](const char* name) -> const std::vector<double>& { return data.at(name).reals(); };
  const auto &lag = column("lag"), &low68 = column("lag_low68"), &high68 = column("lag_high68");
  const auto &low95 = column("lag_low95"), &high95 = column("lag_high95"), &alarm = column("false_alarm");
  std::string csv = "driver,response,lag,low68,high68,low95,high95,false_alarm,group,counts\n";
  const bool grouped = std::any_of(groups.begin(), groups.end(), [](const auto& name) { return !name.empty(); });
  std::vector<std::vector<std::string>> cells{{"driver", "response", "lag", "68 %", "95 %", "false alarm"}};
  if (grouped) cells[0].insert(cells[0].begin(), "group");
  for (std::size_t i = 0; i < drivers.size(); ++i) {
    csv += csv_text(drivers[i]) + ',' + csv_text(responses[i]);
    for (const auto* values : {&lag, &low68, &high68, &low95, &high95, &alarm}) csv += ',' + csv_number((*values)[i]);
    csv += concat(',', csv_text(groups[i]), ',', column("counts")[i] > 0 ? 1 : 0, '\n');
    const auto interval = [](double low, double high) { return rounded_text(low, 4) + " to " + rounded_text(high, 4); };
    cells.push_back({drivers[i], responses[i], rounded_text(lag[i], 4), interval(low68[i], high68[i]),
                     interval(low95[i], high95[i]), rounded_text(alarm[i], 2)});
    if (grouped) cells.back().insert(cells.back().begin(), groups[i]);
  }
  if (form == Form::csv) return csv;
  return in_lines(summary.results.verdict(), width) + in_columns(cells, grouped ? 3 : 2) +
         "lags in the unit of the times; false alarm: probability that unrelated curves look as related\n" +
         ending(summary, width);
}

}  // namespace fovea::lag::door
