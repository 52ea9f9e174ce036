#include "fovea/datasets/cases/case_file.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <optional>
#include <unordered_set>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/missing.hpp"
#include "fovea/core/base/words.hpp"
#include "fovea/datasets/series/cell_numbers.hpp"
#include "fovea/datasets/text/csv.hpp"

namespace fovea::datasets::cases {

namespace {

constexpr std::size_t kMostFeatures = 10000;

/// What all rows of a case must say alike.
struct Common {
  std::string id, group, part;
  double target = kNan, weight = 1;
};

/// Where the columns of cases stand in a file.
struct Places {
  std::optional<std::size_t> id, time, group, part, weight, target;
  std::string time_unit;
  std::vector<study::Feature> features;
  std::vector<std::size_t> of_features;
};

using Read = std::function<double(const text::CsvReader& reader, std::size_t column, std::size_t feature)>;

/// How the cells of a file become numbers.
struct Cells {
  Read feature;
  std::function<double(const text::CsvReader&reader, std::size_t column)> time, target;
  std::size_t units_line = 0;  ///< no row of a case
};

/// Rows become cases, block after block.
class CaseFile : public study::CaseReader {
 public:
  /// scattered: an id may come again after other cases.
  CaseFile(std::unique_ptr<text::CsvReader> csv, Places places, Cells cells, CaseFileOptions options,
           bool scattered = false)
      : options_(std::move(options)),
        csv_(std::move(csv)),
        at_(std::move(places)),
        cells_(std::move(cells)),
        scattered_(scattered) {
    waiting_ = next_row();
  }

  study::Cases read(Index most) override {
    study::Cases cases;
    cases.features = at_.features;
    cases.time_unit = at_.time ? at_.time_unit : "";
    values_.clear();
    while (waiting_ && cases.count() < most) read_case(cases);
    cases.values =
        Eigen::Map<const Matrix<float>>(values_.data(), cases.tokens(), static_cast<Index>(at_.features.size()));
    return cases;
  }

 private:
  bool next_row() {
    bool there = csv_->next();
    if (there && csv_->row() == cells_.units_line) there = csv_->next();
    rows_ += there ? 1 : 0;
    return there;
  }

  std::string id() const { return at_.id ? std::string(text::trimmed(csv_->text(*at_.id))) : std::to_string(rows_); }

  Common common() const {
    Common row;
    row.id = id();
    if (row.id.empty()) csv_->refuse(*at_.id, "the id is empty; every row belongs to a case.");
    if (at_.group) row.group = std::string(text::trimmed(csv_->text(*at_.group)));
    if (at_.part) row.part = std::string(text::trimmed(csv_->text(*at_.part)));
    if (at_.target) row.target = cells_.target(*csv_, *at_.target);
    if (at_.weight) row.weight = csv_->number(*at_.weight);
    return row;
  }

  void check_common(const Common& first) const {
    const Common row = common();
    const auto same = [](double a, double b) { return a == b || (std::isnan(a) && std::isnan(b)); };
    const auto refuse = [&](const std::optional<std::size_t>& column) {
      csv_->refuse(*column, concat("differs from the first row of case '", text::shown_text(first.id),
                                   "'; it must be the same in all rows of a case."));
    };
    if (row.group != first.group) refuse(at_.group);
    if (row.part != first.part) refuse(at_.part);
    if (!same(row.weight, first.weight)) refuse(at_.weight);
    if (options_.level == study::TargetLevel::per_case && !same(row.target, first.target)) refuse(at_.target);
  }

  /// False for a row that says of its case that it has no token.
  bool read_token(study::Cases& cases) {
    const double time = at_.time ? cells_.time(*csv_, *at_.time) : 0;
    const std::size_t before = values_.size();
    bool any = false;
    for (std::size_t f = 0; f < at_.of_features.size(); ++f) {
      const std::size_t at = at_.of_features[f];
      const double x = cells_.feature(*csv_, at, f);
      if (std::isinf(x)) csv_->refuse(at, "is infinite; leave it empty if it is not known.");
      const auto value = static_cast<float>(x);
      if (std::isinf(value)) csv_->refuse(at, "is too large for a float; choose another unit.");
      any = any || !std::isnan(x);
      values_.push_back(value);
    }
    if (!any && (!at_.time || std::isnan(time))) {
      values_.resize(before);
      return false;
    }
    if (at_.time && !std::isfinite(time)) csv_->refuse(*at_.time, "the time must be a finite number.");
    if (at_.time) cases.times.push_back(time);
    return true;
  }

  void read_case(study::Cases& cases) {
    Common first = common();
    if (scattered_)
      first = seen_.emplace(first.id, first).first->second;
    else if (!hashes_.insert(std::hash<std::string>{}(first.id)).second)
      csv_->refuse(*at_.id, concat("case '", text::shown_text(first.id),
                                   "' comes again after other cases; the rows of a case must stand together."));
    Index tokens = 0;
    do {
      check_common(first);
      if (read_token(cases)) {
        if (++tokens > options_.most_tokens)
          csv_->refuse(*at_.id, concat("case '", text::shown_text(first.id), "' has more than ", options_.most_tokens,
                                       " rows."));
        if (at_.target && options_.level == study::TargetLevel::per_token) {
          cases.targets.push_back(cells_.target(*csv_, *at_.target));
          if (at_.weight) cases.weights.push_back(first.weight);
        }
      }
      waiting_ = next_row();
    } while (waiting_ && at_.id && id() == first.id);
    finish(first, tokens, cases);
  }

  void finish(const Common& first, Index tokens, study::Cases& cases) const {
    cases.offsets.push_back(cases.tokens() + tokens);
    cases.ids.push_back(first.id);
    if (at_.group) cases.groups.push_back(first.group);
    if (at_.part) cases.parts.push_back(first.part);
    if (!at_.target || options_.level == study::TargetLevel::per_token) return;
    cases.targets.push_back(first.target);
    if (at_.weight) cases.weights.push_back(first.weight);
  }

  CaseFileOptions options_;
  std::unique_ptr<text::CsvReader> csv_;
  Places at_;
  Cells cells_;
  std::vector<float> values_;
  std::unordered_set<std::size_t> hashes_;  // of ids, where none may come again
  std::map<std::string, Common> seen_;      // where they may
  Index rows_ = 0;
  bool scattered_ = false, waiting_ = false;
};

void place(const std::string& path, std::optional<std::size_t>& found, const std::string& name, std::size_t at) {
  if (found) throw DataError(concat(path, ": has two columns '", name, "'; keep one."));
  found = at;
}

/// The columns of a file in our own names: whatever is no other thing is a feature.
Places own_places(const std::string& path, const text::CsvReader& csv, const std::string& target) {
  Places places;
  const std::map<std::string, std::optional<std::size_t>*> special{
      {"id", &places.id},     {"time", &places.time},     {"group", &places.group},
      {"part", &places.part}, {"weight", &places.weight}, {target, &places.target}};
  for (std::size_t c = 0; c < csv.columns().size(); ++c) {
    const ColumnTitle title = title_of(csv.columns()[c]);
    if (const auto found = special.find(title.name); found != special.end()) {
      place(path, *found->second, title.name, c);
      if (title.name == "time") places.time_unit = title.unit;
      continue;
    }
    places.features.push_back({title.name, title.unit, {}});
    places.of_features.push_back(c);
  }
  if (!places.id) throw DataError(concat(path, ": has no column 'id', which says which rows are one case."));
  if (places.features.size() > kMostFeatures)
    throw DataError(
        concat(path, ": has ", places.features.size(), " features, but at most ", kMostFeatures, " are read."));
  return places;
}

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
      throw DataError(concat(path, ": has no column '", text::shown_text(name), "', which the cases need."));
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
  if (places.time) places.time_unit = units[*places.time];
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

  std::vector<std::string> notes(const std::string& path) const {
    std::vector<std::string> notes;
    for (const auto& [column, seen] : unknown_)
      notes.push_back(concat(path, ": ", counted(seen.first, "cell"), seen.first == 1 ? " of" : " of '",
                             text::shown_text(column), "' are names that the training data did not have, such as '",
                             seen.second, "'; they are taken as missing."));
    return notes;
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

/// A table of one's own: with ids its rows are put together first.
class CaseTable : public study::CaseReader {
 public:
  CaseTable(const std::string& path, const CaseColumns& columns) : path_(path) {
    auto csv = std::make_unique<text::CsvReader>(path, columns.rules.text.csv);
    Places places = named_places(path, *csv, columns);
    CellRules times = columns.rules;
    times.dates = columns.time_order;
    cells_ = std::make_shared<TableCells>(columns.rules, places, columns);
    const auto of_times = std::make_shared<TableCells>(times, Places{}, columns);
    Cells cells{
        [cells = cells_](const text::CsvReader& r, std::size_t c, std::size_t f) { return cells->feature(r, c, f); },
        [of_times](const text::CsvReader& r, std::size_t c) { return of_times->time(r, c); }, columns.target_of,
        columns.rules.text.units_line};
    const bool together = places.id.has_value();
    rows_ =
        std::make_unique<CaseFile>(std::move(csv), std::move(places), std::move(cells), CaseFileOptions{}, together);
    if (together) rows_ = study::reader_of(gathered(read_all(*rows_)));
  }

  study::Cases read(Index most) override { return rows_->read(most); }
  std::vector<std::string> notes() const override { return cells_->notes(path_); }

 private:
  std::string path_;
  std::shared_ptr<TableCells> cells_;
  std::unique_ptr<study::CaseReader> rows_;
};

}  // namespace

std::unique_ptr<study::CaseReader> read_case_file(const std::string& path, const CaseFileOptions& options) {
  auto csv = std::make_unique<text::CsvReader>(path);
  Places places = own_places(path, *csv, options.target);
  const auto number = [](const text::CsvReader& reader, std::size_t column) { return reader.number_or_nan(column); };
  Cells cells{
      [](const text::CsvReader& reader, std::size_t column, std::size_t) { return reader.number_or_nan(column); },
      number, number};
  return std::make_unique<CaseFile>(std::move(csv), std::move(places), std::move(cells), options);
}

std::unique_ptr<study::CaseReader> read_case_table(const std::string& path, const CaseColumns& columns) {
  return std::make_unique<CaseTable>(path, columns);
}

}  // namespace fovea::datasets::cases
