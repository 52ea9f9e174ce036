#include "fovea/datasets/cases/table_survey.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <unordered_set>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/words.hpp"
#include "fovea/core/config/schema.hpp"
#include "fovea/datasets/series/cell_numbers.hpp"
#include "fovea/datasets/text/csv.hpp"
#include "fovea/datasets/text/names.hpp"
#include "fovea/datasets/text/row_fault.hpp"

namespace fovea::datasets::cases {

namespace {

constexpr Index kFewestToCount = 10;   // rows: fewer numbers that ascend by one are no running number
constexpr std::size_t kFewNames = 20;  // of a column of numbers and words: "1", "2", "3+"

/// A column as it is gathered.
struct Gathered {
  TableColumn column;
  std::unordered_set<std::size_t> seen;
  std::vector<double> values;
  series::DayMonthEvidence evidence;
  bool slashed = false;  // has dates such as 03/04/2020
  bool counts = true;    // each number is the one before and 1
  double last = 0;
  Index nones = 0;  // cells "none": a name among words, nothing among numbers
  std::string none;

  void see_value(double value) {
    TableColumn& c = column;
    const bool first = c.numbers + c.dates == 0;
    c.low = first ? value : std::min(c.low, value), c.high = first ? value : std::max(c.high, value);
    counts = counts && (first ? value == 0 || value == 1 : value == last + 1);
    last = value;
  }

  void see(std::string_view cell, const CellRules& rules, std::size_t row) {
    TableColumn& c = column;
    if (is_missing(cell, rules)) {
      counts = false;
      if (is_missing_name(cell, rules))
        ++c.missing;
      else
        ++nones, none = name_in(cell, rules);
      return;
    }
    const std::string name = name_in(cell, rules);
    if (seen.size() < kMostDistinct) seen.insert(std::hash<std::string>{}(name));
    if (const auto found = c.names.find(name); found != c.names.end())
      ++found->second;
    else if (c.names.size() <= kMostNames)
      c.names.emplace(name, 1);
    if (const auto number = number_in(cell, rules)) {
      see_value(number->value);
      ++c.numbers, c.limits += number->limit ? 1 : 0;
      c.whole = c.whole && std::floor(number->value) == number->value && !number->limit;
      if (!number->limit) values.push_back(number->value);
      return;
    }
    if (series::is_date(cell)) {
      if (series::is_slash_date(cell)) slashed = true, evidence.add(cell);
      if (const auto day = series::date_of(cell, rules.dates)) see_value(*day);
      ++c.dates;
      return;
    }
    c.has_decimal_commas = c.has_decimal_commas || series::is_decimal_comma(text::trimmed(cell));
    if (c.words++ == 0) c.odd = text::shown_text(cell), c.odd_row = row;
  }
};

ColumnKind kind_of(const Gathered& found, Index rows) {
  const TableColumn& c = found.column;
  const Index filled = rows - c.missing;
  if (filled == 0) return ColumnKind::empty;
  if (c.distinct == 1 && c.missing == 0) return ColumnKind::constant;
  const bool id = is_named_as_identifier(c.name);
  if (c.words == 0 && c.dates == 0) {
    const bool names_rows = (id && c.whole) || (found.counts && rows >= kFewestToCount);
    return names_rows ? ColumnKind::identifier : ColumnKind::number;
  }
  if (c.words == 0 && c.numbers == 0) return ColumnKind::date;
  if (id) return ColumnKind::identifier;
  if (c.has_decimal_commas) return ColumnKind::mixed;
  const bool few = c.names.size() <= kMostNames && (2 * c.distinct <= filled || filled < kFewestToCount);
  if (2 * c.words < filled && c.distinct > static_cast<Index>(kFewNames)) return ColumnKind::mixed;
  if (few) return ColumnKind::names;
  return c.distinct == filled ? ColumnKind::identifier : ColumnKind::text;
}

CellRules rules_of(const std::string& path, const std::vector<std::string>& missing) {
  CellRules rules{series::recognise_text(path), {}, {}};
  if (!rules.text.csv.header)
    throw DataError(concat(path, ": its first row holds no names; a table of cases needs a name for each column."));
  if (missing != std::vector<std::string>{"none"})
    for (const std::string& mark : missing) rules.missing.push_back(name_in(mark, rules));
  return rules;
}

void finish(Gathered& found, Index rows, bool suspect) {
  TableColumn& c = found.column;
  if (c.words > 0 && found.nones > 0) {
    c.names.emplace(found.none, found.nones), c.words += found.nones;
    found.seen.insert(std::hash<std::string>{}(found.none));
  } else {
    c.missing += found.nones;
  }
  c.distinct = static_cast<Index>(found.seen.size());
  c.kind = kind_of(found, rows);
  if (found.slashed) c.order = found.evidence.order(), c.dates_are_open = c.order == series::DayMonth::unknown;
  if (suspect && c.kind == ColumnKind::number) c.mark = series::suspected_mark(found.values);
}

}  // namespace

const char* name_of(ColumnKind kind) {
  constexpr std::array kNames{"numbers",  "dates", "names",           "identifier",
                              "constant", "empty", "different texts", "numbers and words"};
  return kNames[static_cast<std::size_t>(kind)];
}

bool is_named_as_identifier(std::string_view name) {
  constexpr std::array<std::string_view, 18> kWords{
      "",        "id",      "index",       "row",    "rownames", "uuid",      "mrn",       "key",        "unnamed: 0",
      "patient", "subject", "participant", "person", "stay",     "encounter", "admission", "respondent", "case"};
  const std::string word = text::lower_case(name);
  if (std::find(kWords.begin(), kWords.end(), std::string_view(word)) != kWords.end()) return true;
  if (word.size() < 3 || !word.ends_with("id")) return false;
  const char before = name[name.size() - 3];
  const bool camel = name[name.size() - 2] == 'I' && before >= 'a' && before <= 'z';
  return camel || before == '_' || before == ' ' || before == '-' || before == '.';
}

const TableColumn* TableSurvey::find(std::string_view name) const {
  const std::string wanted = title_of(name).name;
  const auto found =
      std::find_if(columns.begin(), columns.end(), [&](const TableColumn& one) { return one.name == wanted; });
  return found == columns.end() ? nullptr : &*found;
}

std::size_t TableSurvey::place(std::string_view name) const {
  return static_cast<std::size_t>(&at(name, "the plan") - columns.data());
}

const TableColumn& TableSurvey::at(std::string_view name, std::string_view key) const {
  if (const TableColumn* const found = find(name)) return *found;
  constexpr std::size_t kMostListed = 12;
  std::vector<std::string> names;
  for (const TableColumn& column : columns) names.push_back(column.name);
  const std::string close = nearest(name, names);
  throw DataError(concat(path, ": has no column '", text::shown_text(name), "', which ", key, " names; ",
                         close.empty() ? concat("there are: ", text::listed(names, &text::quoted, kMostListed), ".")
                                       : concat("did you mean '", text::shown_text(close), "'?")));
}

bool next_whole_row(text::CsvReader& reader) {
  for (;;) try {
      return reader.next();
    } catch (const text::RowFault&) {  // whoever makes cases of the rows counts it
    }
}

TableSurvey survey_table(const std::string& path, const std::vector<std::string>& missing, series::DayMonth dates,
                         bool leave_out_bad) {
  TableSurvey survey{path, rules_of(path, missing), {}, 0, {}};
  survey.rules.dates = dates;
  survey.notes = survey.rules.text.notes;
  text::CsvReader reader(path, survey.rules.text.csv);
  std::vector<Gathered> found(reader.columns().size());
  for (std::size_t c = 0; c < found.size(); ++c) {
    const ColumnTitle title = title_of(reader.columns()[c]);
    found[c].column.name = title.name, found[c].column.unit = title.unit;
  }
  while (leave_out_bad ? next_whole_row(reader) : reader.next()) {
    const bool units = reader.row() == survey.rules.text.units_line;
    for (std::size_t c = 0; c < found.size(); ++c)
      if (!units)
        found[c].see(reader.text(c), survey.rules, reader.row());
      else if (!series::is_missing(reader.text(c)))
        found[c].column.unit = text::trimmed(reader.text(c));
    survey.rows += units ? 0 : 1;
  }
  if (survey.rows == 0) throw DataError(concat(path, ": has names of columns, but no row; it needs a row a case."));
  for (Gathered& one : found) {
    finish(one, survey.rows, missing.empty());
    survey.columns.push_back(std::move(one.column));
  }
  return survey;
}

}  // namespace fovea::datasets::cases
