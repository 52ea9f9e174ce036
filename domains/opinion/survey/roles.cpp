#include "fovea/domains/opinion/survey/roles.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <set>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/missing.hpp"
#include "fovea/datasets/series/cell_numbers.hpp"
#include "fovea/datasets/series/dialect.hpp"

namespace fovea::opinion::survey {

namespace {

using datasets::text::CsvReader;

constexpr std::array kOpinionNames{"opinion", "value", "answer", "response", "score", "position"};
constexpr std::array kWaveNames{"wave", "year", "time", "period", "round", "date", "month", "session", "congress"};
constexpr std::array kSideNames{"side", "sides", "camp", "faction", "party", "leaning"};
constexpr std::array kCountNames{"n",     "count",  "counts",  "freq",        "frequency", "people",
                                 "cases", "number", "persons", "respondents", "votes"};
constexpr std::array kNodeNames{"node", "id"};  // Gephi's tables of nodes have Id

std::string lower(std::string text) {
  for (char& letter : text)
    if (letter >= 'A' && letter <= 'Z') letter = static_cast<char>(letter - 'A' + 'a');
  return text;
}

template <typename Names>
bool is_one_of(const std::string& column, const Names& names) {
  return std::find(names.begin(), names.end(), lower(column)) != names.end();
}

/// The one column of these names, or nothing.
template <typename Names>
std::string recognised(const std::vector<std::string>& columns, const Names& names) {
  std::string found;
  for (const std::string& column : columns) {
    if (!is_one_of(column, names)) continue;
    if (!found.empty()) return "";
    found = column;
  }
  return found;
}

void choose_wave(const std::string& path, const AnswerColumns& wanted, const CsvReader& table, Roles& roles,
                 std::vector<std::string>& notes) {
  roles.by = wanted.by;
  if (wanted.wave == "none" && !wanted.in_time) return;
  roles.wave = !wanted.wave.empty() ? wanted.wave : recognised(wanted.in_time ? table.columns() : roles.by, kWaveNames);
  if (roles.wave.empty() && wanted.in_time)
    throw DataError(concat(path, ": it is not clear which column holds the waves; name it with data.wave."));
  if (!roles.wave.empty() && std::find(roles.by.begin(), roles.by.end(), roles.wave) == roles.by.end())
    roles.by.insert(roles.by.begin(), roles.wave);
  if (roles.wave.empty() && !roles.by.empty())
    notes.push_back(
        "No column of the groups is known as the wave, so changes are not measured; --wave COLUMN names it, "
        "--wave none says that there is none.");
}

/// Of a network: the column that is named, or the one that other programs call so.
void choose_node(const std::string& path, const AnswerColumns& wanted, const CsvReader& table, Roles& roles,
                 std::vector<std::string>& notes) {
  roles.node = wanted.node;
  if (roles.node.empty() || table.has(roles.node)) return;
  const std::string found = wanted.node == "node" ? recognised(table.columns(), kNodeNames) : "";
  if (found.empty())
    throw DataError(concat(path, ": has no column '", wanted.node, "' of the names of nodes; there are: ",
                           listed(table.columns()), "; name one with network.node (--node)."));
  roles.node = found;
  notes.push_back(concat("Names of nodes are read from the column ", found, "."));
}

/// Of the nodes of a network: what says on which side each is, unless opinions do.
void choose_side(const AnswerColumns& wanted, const CsvReader& table, Roles& roles, std::vector<std::string>& notes) {
  roles.side = wanted.side;
  if (roles.side == "none") roles.side.clear();
  if (!wanted.side.empty()) return;
  const std::vector<std::string> left = free_columns(table.columns(), roles);
  roles.side = side_among(left);
  if (roles.side.empty() && left.size() == 1 && !is_one_of(left[0], kOpinionNames)) roles.side = left[0];
  if (!roles.side.empty()) notes.push_back(concat("Sides are read from the column ", roles.side, "."));
}

bool is_edge_list(const std::vector<std::string>& columns) {
  return !recognised(columns, std::array{"source", "from"}).empty() &&
         !recognised(columns, std::array{"target", "to"}).empty();
}

/// Beside the answers the only column that is left, if its name and its numbers say so: whole, and no answer twice.
void choose_counts(const std::string& path, const AnswerColumns& wanted, const CsvReader& table, Roles& roles) {
  roles.counts = wanted.counts == "none" ? "" : wanted.counts;
  if (!wanted.counts.empty() || !roles.node.empty() || wanted.in_time || !roles.respondent.empty()) return;
  const std::vector<std::string> left = free_columns(table.columns(), roles);
  const std::string found = left.size() == (roles.value.empty() ? 2U : 1U) ? recognised(left, kCountNames) : "";
  if (found.empty()) return;
  CsvReader rows(path, datasets::series::dialect_of(path));
  std::set<std::vector<std::string>> seen;
  bool numbered = true;  // rows are, 1, 2, ...
  for (double last = kNan; rows.next();) {
    std::vector<std::string> others;
    for (const std::string& column : table.columns())
      if (column != found) others.emplace_back(datasets::text::trimmed(rows.text(rows.column(column))));
    const auto people = datasets::series::number_in(rows.text(rows.column(found)), false);
    if (!people || !(*people >= 0) || std::floor(*people) != *people || !seen.insert(others).second) return;
    numbered = numbered && (std::isnan(last) || *people == last + 1);
    last = *people;
  }
  if (!numbered) roles.counts = found;
}

}  // namespace

std::vector<std::string> free_columns(const std::vector<std::string>& columns, const Roles& roles) {
  std::vector<std::string> taken = roles.by, left;
  for (const std::string* one :
       {&roles.value, &roles.weight, &roles.respondent, &roles.node, &roles.side, &roles.counts})
    taken.push_back(*one);
  for (const std::string& column : columns)
    if (std::find(taken.begin(), taken.end(), column) == taken.end()) left.push_back(column);
  return left;
}

std::string listed(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ", ") + datasets::text::shown_text(name);
  return text;
}

std::vector<std::string> weights_among(const std::vector<std::string>& columns) {
  std::vector<std::string> found;
  for (const std::string& column : columns) {
    const std::string name = lower(column);
    const auto has = [&](const char* part) { return name.find(part) != std::string::npos; };
    if (has("weight") || has("wght") || has("wgt") || name == "w" || name.starts_with("wt") || name.ends_with("wt") ||
        is_one_of(column, kCountNames))
      found.push_back(column);
  }
  return found;
}

std::string side_among(const std::vector<std::string>& columns) { return recognised(columns, kSideNames); }

Roles roles_of(const std::string& path, const AnswerColumns& wanted, const CsvReader& table,
               std::vector<std::string>& notes) {
  const bool network = !wanted.node.empty();
  Roles roles;
  choose_wave(path, wanted, table, roles, notes);
  roles.value = wanted.value;
  roles.weight = wanted.weight;
  roles.respondent = wanted.respondent;
  choose_node(path, wanted, table, roles, notes);
  for (const std::string* name : {&roles.value, &roles.weight, &roles.respondent})
    if (!name->empty()) table.column(*name);
  for (const std::string& name : roles.by) table.column(name);
  if (network || !wanted.side.empty()) choose_side(wanted, table, roles, notes);
  choose_counts(path, wanted, table, roles);
  for (const std::string* name : {&roles.side, &roles.counts})
    if (!name->empty()) table.column(*name);
  if (!roles.value.empty()) return roles;
  const std::vector<std::string> left = free_columns(table.columns(), roles);
  roles.value = recognised(left, kOpinionNames);
  if (roles.value.empty() && left.size() == 1 && !network) roles.value = left[0];
  if (!roles.value.empty()) notes.push_back(concat("Opinions are read from the column ", roles.value, "."));
  if (roles.value.empty() && !network)
    throw DataError(concat(path, ": it is not clear which column holds the opinions (",
                           left.empty() ? "none is left" : listed(left),
                           "); name it with data.value (fovea measure --value)",
                           is_edge_list(table.columns()) ? "; a network is given by --edges." : "."));
  return roles;
}

}  // namespace fovea::opinion::survey
