#include "fovea/datasets/panels/panel.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <set>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/missing.hpp"
#include "fovea/core/base/words.hpp"
#include "fovea/datasets/panels/month_rows.hpp"
#include "fovea/datasets/series/dialect.hpp"
#include "fovea/datasets/series/missing_marks.hpp"
#include "fovea/datasets/text/names.hpp"

namespace fovea::datasets::panels {

namespace {

constexpr int kMostCode = 7;
constexpr std::size_t kNamed = 8;  // series in a note

bool takes_logarithm(int code) { return code >= 4 && code <= 6; }

/// What stands where other rows have their date, in small letters without its colon.
std::string row_label(std::string_view date) {
  std::string word = datasets::text::lower_case(date);
  while (word.ends_with(':') || word.ends_with(' ')) word.pop_back();
  return word;
}

bool is_code_row(std::string_view label) {
  return label == "transform" || label == "transformation" || label == "tcode";
}

/// A series while it is read.
struct PanelColumn {
  std::size_t place = 0;  ///< of the file
  PanelSeries series;
};

class PanelReading {
 public:
  PanelReading(const std::string& path, const Codes& codes, const Codes& usual)
      : path_(path), codes_(codes), usual_(usual), rows_(path) {
    for (const auto& [name, code] : codes)
      if (code < 1 || code > kMostCode)
        throw DataError(concat(path, ": the code that is given for ", datasets::text::quoted(name), " is ", code,
                               ", but must be 1 to 7 (McCracken & Ng 2016)."));
    for (const std::size_t place : rows_.values())
      columns_.push_back({place, {rows_.reader().columns()[place], {}, {}}});
  }

  MonthlyPanel read() {
    while (rows_.next()) {
      if (const std::string label = row_label(rows_.date()); label == "factors")  // FRED-QD's, which are quarters
        continue;
      else if (is_code_row(label))
        take_codes();
      else
        take_values();
    }
    MonthlyPanel panel{path_, 0, {}, datasets::series::reading_notes(path_)};
    panel.first_month = rows_.first_month(panel.notes);
    give_codes(panel.notes);
    for (const PanelColumn& column : columns_) check(column);
    for (PanelColumn& column : columns_) panel.series.push_back(std::move(column.series));
    note_end(panel);
    return panel;
  }

 private:
  void take_codes() {
    const std::size_t line = rows_.reader().row();
    if (rows_.rows() > 0)
      throw DataError(concat(path_, ":row ", line, ": has the codes, but must stand above the first month."));
    if (code_line_ > 0)
      throw DataError(concat(path_, ":row ", line, ": has codes, but row ", code_line_, " has them too; keep one."));
    code_line_ = line;
    for (PanelColumn& column : columns_) {
      const double code = rows_.number(column.place);
      if (std::isnan(code)) continue;
      if (!(code >= 1 && code <= kMostCode && code == std::floor(code)))
        rows_.refuse(line, column.place, concat("is ", code, ", but a code must be 1 to 7 (McCracken & Ng 2016)."));
      column.series.code = static_cast<int>(code);
    }
  }

  void take_values() {
    rows_.take_date();
    for (PanelColumn& column : columns_) column.series.values.push_back(rows_.number(column.place));
  }

  void give_codes(std::vector<std::string>& notes) {
    std::vector<std::string> changed, lacking;
    std::set<std::string, std::less<>> names;
    for (PanelColumn& column : columns_) {
      PanelSeries& series = column.series;
      names.insert(series.name);
      if (const auto given = codes_.find(series.name); given != codes_.end()) {
        if (series.code && *series.code != given->second) changed.push_back(series.name);
        series.code = given->second;
      }
      if (const auto found = usual_.find(series.name); code_line_ == 0 && !series.code && found != usual_.end())
        series.code = found->second;
      if (!series.code && code_line_ > 0)
        rows_.refuse(code_line_, column.place, "is empty; give the series a code from 1 to 7, here or in the config.");
      if (!series.code) lacking.push_back(series.name);
    }
    if (lacking.size() == columns_.size())
      throw DataError(concat(path_,
                             ": has no row Transform: with a code for each series, and the config gives none for ",
                             datasets::text::quoted(lacking[0]), "; write one of the two."));
    std::erase_if(columns_, [](const PanelColumn& column) { return !column.series.code; });
    note(notes, changed, "the codes of the config take the place of those of the file for");
    note(notes, lacking, "left out, as they have no code:");
    std::vector<std::string> strange;
    for (const auto& [name, code] : codes_)
      if (!names.contains(name)) strange.push_back(name);
    note(notes, strange, "the config gives codes for series that are not there:");
  }

  void note(std::vector<std::string>& notes, const std::vector<std::string>& names, std::string_view what) const {
    if (!names.empty())
      notes.push_back(concat(file_name(path_), ": ", what, " ", datasets::text::listed(names, {}, kNamed), "."));
  }

  void check(const PanelColumn& column) const {
    const PanelSeries& series = column.series;
    if (std::all_of(series.values.begin(), series.values.end(), [](double value) { return std::isnan(value); }))
      throw DataError(
          concat(path_, ": column ", datasets::text::quoted(series.name), " is empty in every row; take it out."));
    if (const auto mark = datasets::series::suspected_mark(series.values))
      throw DataError(concat(path_, ": column ", datasets::text::quoted(series.name), " has ", mark->value, " in ",
                             counted(static_cast<Index>(mark->count), "row"), ", far from its other values (",
                             mark->low, " to ", mark->high,
                             "), as marks of missing values are; leave such cells empty."));
    if (!takes_logarithm(*series.code)) return;
    for (std::size_t i = 0; i < series.values.size(); ++i)
      if (series.values[i] <= 0)
        rows_.refuse(rows_.line(i), column.place,
                     concat("is ", series.values[i], ", but code ", *series.code,
                            " takes the logarithm; give it another code, or mend the value."));
  }

  void note_end(MonthlyPanel& panel) const {
    std::vector<std::string> empty;
    for (const PanelSeries& series : panel.series)
      if (std::isnan(series.values.back())) empty.push_back(series.name);
    note(panel.notes, empty,
         concat(empty.size(), " of ", panel.series.size(), empty.size() == 1 ? " series has" : " series have",
                " no value in ", month_text(panel.last_month()), ", the last month:"));
  }

  std::string path_;
  const Codes &codes_, &usual_;
  MonthRows rows_;
  std::vector<PanelColumn> columns_;
  std::size_t code_line_ = 0;  ///< 0: none
};

std::vector<double> differences(const std::vector<double>& x) {
  std::vector<double> found(x.size(), kNan);
  for (std::size_t i = 1; i < x.size(); ++i) found[i] = x[i] - x[i - 1];
  return found;
}

}  // namespace

std::string month_text(Index month) {
  const Index within = month % 12 + 1;
  const std::string year = std::to_string(month / 12);
  return concat(std::string(4 - std::min<std::size_t>(4, year.size()), '0'), year, within < 10 ? "-0" : "-", within);
}

const PanelSeries* MonthlyPanel::find(std::string_view name) const {
  const auto found =
      std::find_if(series.begin(), series.end(), [&](const PanelSeries& one) { return one.name == name; });
  return found == series.end() ? nullptr : &*found;
}

MonthlyPanel read_panel(const std::string& path, const Codes& codes, const Codes& usual) {
  return PanelReading(path, codes, usual).read();
}

std::vector<double> transformed(const PanelSeries& series) {
  require(series.code && *series.code >= 1 && *series.code <= kMostCode, "transformed: '", series.name,
          "' has no code from 1 to 7.");
  std::vector<double> x = series.values;
  const int code = *series.code;
  if (takes_logarithm(code))
    for (double& value : x) value = std::log(value);
  if (code == 7)
    for (std::size_t i = x.size(); i-- > 0;) x[i] = i == 0 ? kNan : x[i] / x[i - 1] - 1;
  const int times = code == 7 ? 1 : (code - 1) % 3;
  for (int n = 0; n < times; ++n) x = differences(x);
  for (double& value : x)
    if (!std::isfinite(value)) value = kNan;
  return x;
}

}  // namespace fovea::datasets::panels
