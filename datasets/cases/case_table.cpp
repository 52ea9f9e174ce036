#include "fovea/datasets/cases/case_table.hpp"

#include <algorithm>
#include <map>
#include <optional>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/missing.hpp"
#include "fovea/datasets/cases/case_rows.hpp"
#include "fovea/datasets/series/cell_numbers.hpp"

namespace fovea::datasets::cases {

namespace {

/// The units that stand in a row of their own, by column; empty: there is none.
std::vector<std::string> units_of(const std::string& path, const CellRules& rules) {
  std::vector<std::string> units;
  if (rules.text.units_line == 0) return units;
  text::CsvReader csv(path, rules.text.csv);
  while (csv.next() && csv.row() != rules.text.units_line) continue;
  for (std::size_t c = 0; c < csv.columns().size(); ++c) units.emplace_back(text::trimmed(csv.text(c)));
  return units;
}

Places named_places(const std::string& path, const text::CsvReader& csv, const CaseColumns& columns) {
  std::map<std::string, std::size_t> there;
  std::vector<std::string> units = units_of(path, columns.rules);
  units.resize(csv.columns().size());
  for (std::size_t c = 0; c < csv.columns().size(); ++c) {
    const ColumnTitle title = title_of(csv.columns()[c]);
    if (!there.emplace(title.name, c).second)
      throw DataError(concat(path, ": has two columns '", text::shown_text(title.name), "'; keep one."));
    if (units[c].empty() || series::is_missing(units[c])) units[c] = title.unit;
  }
  const auto find = [&](const std::string& name) -> std::optional<std::size_t> {
    const auto found = name.empty() ? there.end() : there.find(name);
    return found == there.end() ? std::nullopt : std::optional(found->second);
  };
  const auto need = [&](const std::string& name) {
    const auto found = find(name);
    if (!found && !name.empty())
      throw DataError(concat(path, ": has no column '", text::shown_text(name), "', which the cases need",
                             name == columns.id && columns.time.empty()
                                 ? "; where each row is a case of its own: --set data.id=''"
                                 : "."));
    return found;
  };
  Places places{need(columns.id),
                need(columns.time),
                find(columns.group),
                {},
                find(columns.weight),
                find(columns.target),
                "",
                {},
                {}};
  if (places.time) places.time_unit = columns.dated ? "d" : units[*places.time];
  for (const CaseFeature& one : columns.features) {
    const auto at = find(one.feature.name);
    if (!at) continue;  // whoever needs it says so (study::matched())
    places.features.push_back(one.feature);
    if (!one.date) places.features.back().unit = units[*at];
    places.of_features.push_back(*at);
  }
  return places;
}

double day_in(const text::CsvReader& csv, std::size_t column, series::DayMonth order) {
  const auto day = series::date_of(csv.text(column), order);
  if (!day) csv.refuse(column, concat("'", text::shown_text(csv.text(column)), "' is no date."));
  return *day;
}

double table_number(const text::CsvReader& csv, std::size_t column, const CellRules& rules) {
  const std::string_view cell = csv.text(column);
  if (is_missing(cell, rules)) return kNan;
  const auto number = number_in(cell, rules);
  if (!number)
    csv.refuse(column, concat("'", text::shown_text(cell),
                              "' is not a number; leave the cell empty, or name its word: --set data.missing=WORD."));
  return number->value;
}

/// Cells of a table of one's own.
class TableCells {
 public:
  TableCells(CellRules rules, const Places& places, const CaseColumns& columns) : rules_(std::move(rules)) {
    for (const study::Feature& feature : places.features) {
      const auto same = [&](const CaseFeature& one) { return one.feature.name == feature.name; };
      dates_.push_back(std::find_if(columns.features.begin(), columns.features.end(), same)->date);
      categories_.push_back(feature.categories);
    }
  }

  double feature(const text::CsvReader& csv, std::size_t column, std::size_t f) {
    if (categories_[f].empty() && !dates_[f]) return table_number(csv, column, rules_);
    if (dates_[f] ? is_missing(csv.text(column), rules_) : is_missing_name(csv.text(column), rules_)) return kNan;
    if (dates_[f]) return day_in(csv, column, rules_.dates);
    const std::string name = name_in(csv.text(column), rules_);
    const auto found = std::lower_bound(categories_[f].begin(), categories_[f].end(), name);
    if (found != categories_[f].end() && *found == name) return static_cast<double>(found - categories_[f].begin());
    const std::string title = title_of(csv.columns()[column]).name;
    auto& [count, example] = unknown_[title];
    if (count++ == 0) example = text::shown_text(name);
    return kNan;
  }

  double time(const text::CsvReader& csv, std::size_t column) const {
    if (is_missing(csv.text(column), rules_)) return kNan;
    if (const auto number = number_in(csv.text(column), rules_)) return number->value;
    return day_in(csv, column, rules_.dates);
  }

  /// Names that the training data did not have.
  void describe(study::Reading& reading) const {
    for (const auto& [column, seen] : unknown_)
      reading.left_out.push_back(
          {"cell",
           seen.first,
           concat("names of '", text::shown_text(column), "' that the training data did not have, taken as missing"),
           {seen.second}});
  }

 private:
  CellRules rules_;
  std::vector<bool> dates_;
  std::vector<std::vector<std::string>> categories_;
  std::map<std::string, std::pair<Index, std::string>> unknown_;
};

/// The tokens of cases with the same id together, in the order of their times; cases in the order of their first rows.
study::Cases gathered(const study::Cases& parts) {
  std::map<std::string, Index> numbers;
  std::vector<std::vector<Index>> tokens;
  std::vector<Index> firsts;
  for (Index b = 0; b < parts.count(); ++b) {
    const auto [at, fresh] = numbers.emplace(parts.ids[b], static_cast<Index>(tokens.size()));
    if (fresh) tokens.emplace_back(), firsts.push_back(b);
    for (Index i = parts.offsets[b]; i < parts.offsets[b + 1]; ++i) tokens[at->second].push_back(i);
  }
  study::Cases cases = selected(parts, firsts);
  cases.offsets.assign(1, 0);
  cases.values.resize(parts.tokens(), parts.values.cols());
  cases.times.clear();
  for (std::vector<Index>& of_case : tokens) {
    if (!parts.times.empty())
      std::stable_sort(of_case.begin(), of_case.end(),
                       [&](Index a, Index b) { return parts.times[a] < parts.times[b]; });
    Index row = cases.offsets.back();
    for (const Index i : of_case) {
      cases.values.row(row++) = parts.values.row(i);
      if (!parts.times.empty()) cases.times.push_back(parts.times[i]);
    }
    cases.offsets.push_back(row);
  }
  return cases;
}

/// What the header and the columns say: what is not learned from, and units.
study::Reading reading_of(const std::string& path, const text::CsvReader& csv, const CaseColumns& columns) {
  study::Reading reading{.token = "row", .group = columns.group, .group_is_column = !columns.group.empty()};
  for (const std::string& note : columns.rules.text.notes) reading.notes.push_back(concat(path, ": ", note));
  for (const std::string& column : csv.columns()) {
    const std::string name = title_of(column).name;
    const auto left =
        std::find_if(columns.left.begin(), columns.left.end(), [&](const auto& one) { return one.first == name; });
    if (left != columns.left.end()) reading.leave_out("column", left->second, "'" + text::shown_text(name) + "'");
  }
  return reading;
}

/// A table of one's own: with ids its rows are put together first.
class CaseTable : public study::CaseReader {
 public:
  CaseTable(const std::string& path, const CaseColumns& columns) {
    auto csv = std::make_unique<text::CsvReader>(path, columns.rules.text.csv);
    reading_ = reading_of(path, *csv, columns);
    Places places = named_places(path, *csv, columns);
    cells_ = std::make_shared<TableCells>(columns.rules, places, columns);
    const auto bad = [this, leaves_out = columns.leave_out_bad](const text::RowFault& fault) {
      if (!leaves_out) throw DataError(with_way_out(fault));
      reading_.leave_out("row", fault.reason, fault.place);
    };
    Cells cells{
        [cells = cells_](const text::CsvReader& r, std::size_t c, std::size_t f) { return cells->feature(r, c, f); },
        [cells = cells_](const text::CsvReader& r, std::size_t c) { return cells->time(r, c); }, columns.target_of,
        columns.rules.text.units_line, bad};
    const bool together = places.id.has_value();
    rows_ = std::make_unique<CaseRows>(std::move(csv), std::move(places), std::move(cells), together);
    if (together) rows_ = study::reader_of(gathered(read_all(*rows_)));
  }

  study::Cases read(Index most) override { return rows_->read(most); }
  study::Reading reading() const override {
    study::Reading reading = reading_;
    cells_->describe(reading);
    return reading;
  }

 private:
  study::Reading reading_;
  std::shared_ptr<TableCells> cells_;
  std::unique_ptr<study::CaseReader> rows_;
};

}  // namespace

std::string with_way_out(const text::RowFault& fault) {
  return concat(fault.what(), " To leave out such rows: --set data.bad='leave out'.");
}

std::unique_ptr<study::CaseReader> read_case_table(const std::string& path, const CaseColumns& columns) {
  return std::make_unique<CaseTable>(path, columns);
}

}  // namespace fovea::datasets::cases
