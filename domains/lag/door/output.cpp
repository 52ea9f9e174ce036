#include "fovea/domains/lag/door/output.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <limits>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/lines.hpp"
#include "fovea/core/base/words.hpp"
#include "fovea/core/data/least_value.hpp"
#include "fovea/core/report/text.hpp"
#include "fovea/datasets/series/series.hpp"
#include "fovea/domains/lag/door/json_output.hpp"
#include "fovea/domains/lag/door/link_rows.hpp"
#include "fovea/domains/lag/door/pair_rows.hpp"

namespace fovea::lag::door {

namespace {

constexpr std::size_t kMostRows = 200;    // of the table for people; --json and --csv have all
constexpr std::size_t kMostOwnRows = 10;  // of own pasts, unless all are asked for
constexpr std::size_t kLongestName = 24;  // letters: two names and the numbers fit into 80 columns

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
  return concat(row.kind, " with ", clipped(row.with, kLongestName), ' ',
                lag_words(data, static_cast<std::int64_t>(row.with_lag)));
}

/// Of those between series, of which the verdict says why.
bool any_unpromised(const std::vector<LinkRow>& rows) {
  return std::any_of(rows.begin(), rows.end(),
                     [](const LinkRow& row) { return row.counts && !row.promised && row.cause != row.effect; });
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
  const bool doubted = !self && any_unpromised(rows);
  if (doubted) cells[0].push_back("promised");
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
    if (doubted) line.push_back(row.promised ? "yes" : row.counts ? "no" : "");
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
  if (form == Form::csv) return discover::link_columns(rows).csv();
  if (form == Form::json) return links_json(summary, asked, rows);
  std::string text = in_lines(summary.results.verdict(), width) + table_of(data, rows, false, all);
  const std::string own = table_of(data, rows, true, all);
  if (!own.empty()) text += "Each series' own past:\n" + own;
  if (!rows.empty())
    text +=
        "strength: signed partial correlation; p: p-value of no effect;\n"
        "q: smallest false discovery rate at which the link is significant\n";
  if (any_unpromised(rows)) text += "promised: at most the level of the links with yes are false on average\n";
  if (asked.arguments.has("export")) text += "graph   " + asked.arguments.text("export", "") + '\n';
  const auto any_of = [&](auto kind) { return std::any_of(rows.begin(), rows.end(), kind); };
  if (any_of([](const LinkRow& row) { return row.kind == "product"; }))
    text += "product: the cause acts times the value named beside it\n";
  if (any_of([](const LinkRow& row) { return row.kind == "changing" || row.kind == "variance"; }))
    text += "changing, variance: kinds with tests of their own; the notes say each in words\n";
  return text + ending(summary, width);
}

std::string pairs_output(const RunSummary& summary, const Asked& asked, std::size_t width) {
  const Form form = form_of(asked.arguments);
  if (form == Form::json) return pairs_json(summary, asked);
  const std::vector<PairRow> rows = pair_rows(summary.results);
  if (form == Form::csv) return pair_columns(rows).csv();
  const bool grouped = std::any_of(rows.begin(), rows.end(), [](const PairRow& row) { return !row.group.empty(); });
  std::vector<std::vector<std::string>> cells{{"driver", "response", "lag", "68 %", "95 %", "false alarm"}};
  const auto interval = [](const ValueInterval& of) {
    return rounded_text(of.low, 4) + " to " + rounded_text(of.high, 4);
  };
  for (const PairRow& row : rows)
    cells.push_back({row.driver, row.response, rounded_text(row.lag, 4), interval(row.within68), interval(row.within95),
                     drawn_p_text(row.false_alarm, row.least)});
  const bool least = std::any_of(rows.begin(), rows.end(), [](const PairRow& row) { return !row.bound().empty(); });
  for (std::size_t i = 0; grouped && i < cells.size(); ++i)
    cells[i].insert(cells[i].begin(), i == 0 ? "group" : rows[i - 1].group);
  return in_lines(summary.results.verdict(), width) + in_columns(cells, grouped ? 3 : 2) +
         "lags in the unit of the times; false alarm: probability that unrelated curves look as related\n" +
         (least ? concat("<= marks ", kLeastP, "\n") : "") + ending(summary, width);
}

}  // namespace fovea::lag::door
