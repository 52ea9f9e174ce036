#pragma once
/// Rows of events on their way from a file to their stays: in memory, or beyond a limit in a temporary file, so that
/// the memory of reading does not grow with the file. Internal to datasets/events.

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace fovea::datasets::events {

/// A row whose stay is known from where it stands; 16 bytes.
struct StoredRow {
  double time = 0;  ///< hours, or seconds since 1970 of a date
  float value = 0;
  std::uint16_t kind = 0;  ///< number of the variable, in the order in which they were first seen
  bool is_static = false;
};

/// So many rows, one behind the other, belong to a stay.
struct RowRun {
  std::uint32_t stay = 0, rows = 0;
};

/// A file of rows that has no name any more: it goes when its owner goes, however that ends. In the folder that TMPDIR
/// names, else in /var/tmp. Throws StorageError that says how to choose another folder.
class RowFile {
 public:
  RowFile();
  ~RowFile();
  RowFile(RowFile&& other) noexcept;
  RowFile& operator=(RowFile&& other) noexcept;
  /// Rows [first, first + count) of the file.
  void write(std::size_t first, const StoredRow* rows, std::size_t count) const;
  void read(std::size_t first, StoredRow* rows, std::size_t count) const;

 private:
  std::string folder_;
  int file_ = -1;
};

/// Rows in the order in which they were added; in memory are at most `limit` of them, and a block.
class RowStore {
 public:
  explicit RowStore(std::size_t limit);
  void add(const StoredRow& row) {
    if (last_.size() == rows_of_block_) put_block();
    last_.push_back(row);
    ++count_;
  }
  std::size_t count() const { return count_; }
  void read(std::size_t first, StoredRow* rows, std::size_t count) const;

 private:
  void put_block();
  std::size_t limit_, rows_of_block_, count_ = 0, in_file_ = 0;
  std::vector<std::vector<StoredRow>> blocks_;  // full ones, behind those of the file
  std::vector<StoredRow> last_;
  std::vector<RowFile> file_;  // none or one
};

/// The rows of stay after stay, by number. Rows of a stay that stand apart in the file are gathered part by part, each
/// of at most `limit` rows (or one stay), by way of a second temporary file where the rows are more than the limit.
class RowsOfStays {
 public:
  /// runs: in the order of the rows, those of all rows. rows: of each stay.
  RowsOfStays(RowStore store, std::vector<RowRun> runs, std::vector<std::uint32_t> rows, std::size_t limit);
  /// Those of the next stay, in the order in which they were added.
  void next(std::vector<StoredRow>& rows);

 private:
  struct Part {
    std::uint32_t first_stay = 0, stays = 0;
    std::size_t first_row = 0, rows = 0;
    std::vector<RowRun> runs = {};
  };
  void plan_parts(std::size_t limit);
  void part_rows(const std::vector<RowRun>& runs);
  void gather(Part& part);

  RowStore store_;
  std::vector<std::uint32_t> rows_;  // of each stay
  std::vector<Part> parts_;          // none: the rows of each stay stand together, in the order of the stays
  std::vector<RowFile> parted_;      // where there are several parts
  std::vector<StoredRow> gathered_;
  std::size_t stay_ = 0, part_ = 0;  // the next of them
  std::size_t at_ = 0;               // its rows, in the store or among the gathered ones
};

}  // namespace fovea::datasets::events
