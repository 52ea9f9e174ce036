#pragma once
/// Columns of equal length, in each form in which a page, a file or a command shows them: arrays, a table, figures, CSV
/// and JSON. rows.hpp makes them from rows.

#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

#include "fovea/core/base/json_text.hpp"
#include "fovea/core/data/results.hpp"

namespace fovea {

/// One dimension, or several, slowest first: "link", or {"tagger", "share"}.
struct Over {
  Over(const char* name) : names{name} {}
  Over(std::string name) : names{std::move(name)} {}
  Over(std::vector<std::string> list) : names(std::move(list)) {}
  Over(std::initializer_list<std::string> list) : names(list) {}
  std::vector<std::string> names;
};

/// In which forms a column appears.
struct Shown {
  bool array = true;
  bool table = true;  ///< among the columns of table(); the ends of an interval only after with_ends()
  bool csv = true;
  bool json = true;
};

struct Column {
  enum class Cells { plain, flags, json };
  Variable array;                   ///< name, dimensions, values, units, long name
  std::string key;                  ///< its name in CSV and JSON
  Cells cells = Cells::plain;       ///< flags: 1 and 0 are true and false in JSON; json: texts of finished JSON
  std::string low = {}, high = {};  ///< the arrays of its interval; empty: it has none
  bool is_end = false;
  Shown shown = {};
};

class Columns {
 public:
  /// over: the dimensions of the arrays; count: of rows, the product of their sizes.
  Columns(Over over, std::size_t count);

  /// Adds the arrays, in the order of their declaration. Dimensions without a coordinate column must be declared
  /// before. Throws ArgumentError as Dataset::add().
  const Columns& write(Dataset& data) const;
  const Columns& write(Results& results) const;

  /// The options as a figure of these columns, returned or added to results. What an option has is kept; else x is the
  /// dimension (of several, the last) and
  ///   table        the variables are all columns that tables show
  ///   intervals    of one column, called by its array or its name in CSV: the name is that of the array, the band its
  ///                interval, if it has one, the value_label its long name; options.variables come after the array
  ///   lines        the same without a value_label
  Figure table(Figure options) const;
  Figure intervals(const std::string& column, Figure options) const;
  Figure lines(const std::string& column, Figure options) const;
  const Columns& table(Results& results, Figure options) const;
  const Columns& intervals(Results& results, const std::string& column, Figure options) const;
  const Columns& lines(Results& results, const std::string& column, Figure options) const;

  /// A line of names and one a row, each ended by '\n', fields as csv_text() has them. Numbers have the shortest form
  /// that reads back to the same bits; NaN is an empty cell, infinities are inf and -inf.
  std::string csv() const;
  /// An object a row. NaN and an empty text are null; infinities "inf" and "-inf".
  std::vector<Json> json() const;

  const std::vector<Column>& list() const { return list_; }
  std::size_t count() const { return count_; }
  /// A cell as CSV has it, but not quoted.
  std::string cell(const Column& column, std::size_t row) const;

 protected:
  void coordinate(Values values, const std::string& units, const std::string& long_name);
  void add_column(const std::string& name, Values values, const std::string& units, const std::string& long_name,
                  Column::Cells cells = Column::Cells::plain);
  void add_ends(const std::string& name, std::vector<double> low, std::vector<double> high, const std::string& units,
                const std::string& meaning_low, const std::string& meaning_high);
  void tie_ends();  ///< the last three columns are a point and its interval

  // Of the column declared last, with its ends.
  void empty_where(const std::vector<bool>& left_out);
  void rename_key(const std::string& key);
  void mean_ends(const std::string& low, const std::string& high);
  void name_ends(const std::string& low, const std::string& high);
  void show(Shown shown);
  void show_ends();

  std::string prefix_;

 private:
  Figure drawn(const char* kind, const std::string& column, Figure options) const;
  std::pair<Column*, Column*> ends();

  std::vector<std::string> over_;
  std::size_t count_;
  std::vector<Column> list_;
  std::size_t last_ = 0;  ///< where the columns declared last begin
};

}  // namespace fovea
