#pragma once
/// Rows of a table become cases, block after block. Internal to datasets/cases.

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <unordered_set>
#include <vector>

#include "fovea/core/base/missing.hpp"
#include "fovea/core/study/cases/cases.hpp"
#include "fovea/datasets/text/csv.hpp"
#include "fovea/datasets/text/row_fault.hpp"

namespace fovea::datasets::cases {

/// Where the columns of cases stand in a file.
struct Places {
  std::optional<std::size_t> id, time, group, part, weight, target;
  std::string time_unit;
  std::vector<study::Feature> features;
  std::vector<std::size_t> of_features;
};

/// How the cells of a file become numbers.
struct Cells {
  std::function<double(const text::CsvReader& reader, std::size_t column, std::size_t feature)> feature;
  std::function<double(const text::CsvReader&reader, std::size_t column)> time, target;
  std::size_t units_line = 0;  ///< no row of a case
  /// What becomes of a row that cannot be read, if it does not throw: the row is left out. None: the fault is thrown.
  std::function<void(const text::RowFault& fault)> bad = {};
};

class CaseRows : public study::CaseReader {
 public:
  /// scattered: an id may come again after other cases, and is then a case of the same name.
  CaseRows(std::unique_ptr<text::CsvReader> csv, Places places, Cells cells, bool scattered = false);
  study::Cases read(Index most) override;

 private:
  /// What all rows of a case must say alike.
  struct Common {
    std::string id, group, part;
    double target = kNan, weight = 1;
  };
  struct Row {
    Common common;
    bool has_token = false;  ///< else the row says of its case that it has none
    double time = 0;
    std::vector<float> values;
  };
  bool next_row();
  void leave_out(const text::RowFault& fault) const;
  Common common() const;
  void check_common(const Common& first) const;
  void read_token();
  void add_row(const Common& first, Index& tokens, study::Cases& cases);
  void read_case(study::Cases& cases);
  void finish(const Common& first, Index tokens, study::Cases& cases) const;

  std::unique_ptr<text::CsvReader> csv_;
  Places at_;
  Cells cells_;
  Row row_;  ///< the next one, where one is waiting
  std::vector<float> values_;
  std::unordered_set<std::size_t> hashes_;  // of ids, where none may come again
  std::map<std::string, Common> seen_;      // where they may
  Index rows_ = 0;
  bool scattered_ = false, waiting_ = false;
};

}  // namespace fovea::datasets::cases
