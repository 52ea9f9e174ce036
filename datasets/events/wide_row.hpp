#pragma once
/// Rows of a wide table: a column a variable. Internal to datasets/events.

#include <string>
#include <vector>

#include "fovea/datasets/events/cells.hpp"

namespace fovea::datasets::events {

class WideRow {
 public:
  WideRow(const text::CsvReader& reader, const EventColumns& columns, bool decimal_comma, StayBuilder& builder);
  /// Adds an event for each cell of the reader's row that holds a value. row: its stay and time.
  void take(EventRow row, const RowPlace& place);
  /// The end of the file: columns that were not read are noted.
  void finish();

 private:
  struct Column {
    std::size_t place = 0;
    std::string name = {};
    bool is_static = false, is_word = false, is_outcome = false, is_number = false, is_text = false;
    double last = kNan;  ///< of a static: what the stay has
    std::string last_word = {};
  };
  struct Cell {
    Column* column;
    EventValue value;
    std::string word = {};  ///< "sex = Female"; empty: a value of the column's variable
  };
  void take_cell(Column& column);

  const text::CsvReader& reader_;
  bool decimal_comma_;
  StayBuilder& builder_;
  std::vector<Column> columns_;
  std::vector<Cell> cells_;  ///< of the row
  std::string stay_;         ///< of the row before
};

}  // namespace fovea::datasets::events
