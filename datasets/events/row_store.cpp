#include "fovea/datasets/events/row_store.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <utility>

#include "fovea/core/base/error.hpp"

namespace fovea::datasets::events {

namespace {

constexpr const char* kUsualFolder = "/var/tmp";  // /tmp is often memory
constexpr std::size_t kRowsAtOnce = 1U << 14;

[[noreturn]] void refuse_disk(const std::string& folder, const char* what) {
  const char* const reason = std::strerror(errno);
  throw StorageError(concat(folder, ": the rows of a long file of events are kept there for a while, but cannot be ",
                            what, " (", reason, "); set TMPDIR to a folder with room for 16 bytes a row, or 32."));
}

bool are_in_order(const std::vector<RowRun>& runs) {
  return std::adjacent_find(runs.begin(), runs.end(),
                            [](const RowRun& a, const RowRun& b) { return a.stay >= b.stay; }) == runs.end();
}

/// Rows that are written to their part in pieces.
class PartWriter {
 public:
  PartWriter(const RowFile& file, std::size_t first) : file_(file), at_(first) { rows_.reserve(kPiece); }
  void add(const StoredRow* rows, std::size_t count) {
    if (rows_.size() + count > kPiece) flush();
    if (count > kPiece) {
      file_.write(at_, rows, count);
      at_ += count;
    } else {
      rows_.insert(rows_.end(), rows, rows + count);
    }
  }
  void flush() {
    file_.write(at_, rows_.data(), rows_.size());
    at_ += rows_.size();
    rows_.clear();
  }

 private:
  static constexpr std::size_t kPiece = 4096;
  const RowFile& file_;
  std::size_t at_;
  std::vector<StoredRow> rows_;
};

}  // namespace

RowFile::RowFile() {
  const char* const asked = std::getenv("TMPDIR");
  folder_ = asked != nullptr && *asked != '\0' ? asked : kUsualFolder;
  std::string path = folder_ + "/fovea-rows-XXXXXX";
  file_ = ::mkostemp(path.data(), O_CLOEXEC);
  if (file_ < 0) refuse_disk(folder_, "opened");
  ::unlink(path.c_str());
}

RowFile::~RowFile() {
  if (file_ >= 0) ::close(file_);
}

RowFile::RowFile(RowFile&& other) noexcept : folder_(std::move(other.folder_)), file_(std::exchange(other.file_, -1)) {}

RowFile& RowFile::operator=(RowFile&& other) noexcept {
  std::swap(folder_, other.folder_);
  std::swap(file_, other.file_);
  return *this;
}

void RowFile::write(std::size_t first, const StoredRow* rows, std::size_t count) const {
  const char* bytes = reinterpret_cast<const char*>(rows);
  std::size_t left = count * sizeof(StoredRow);
  auto at = static_cast<off_t>(first * sizeof(StoredRow));
  while (left > 0) {
    const ssize_t done = ::pwrite(file_, bytes, left, at);
    if (done < 0 && errno == EINTR) continue;
    if (done <= 0) refuse_disk(folder_, "written");
    bytes += done, at += done, left -= done;
  }
}

void RowFile::read(std::size_t first, StoredRow* rows, std::size_t count) const {
  char* bytes = reinterpret_cast<char*>(rows);
  std::size_t left = count * sizeof(StoredRow);
  auto at = static_cast<off_t>(first * sizeof(StoredRow));
  while (left > 0) {
    const ssize_t done = ::pread(file_, bytes, left, at);
    if (done < 0 && errno == EINTR) continue;
    if (done <= 0) refuse_disk(folder_, "read again");
    bytes += done, at += done, left -= done;
  }
}

RowStore::RowStore(std::size_t limit) : limit_(limit), rows_of_block_(std::clamp<std::size_t>(limit, 1, kRowsAtOnce)) {}

void RowStore::put_block() {
  blocks_.push_back(std::move(last_));
  if (!file_.empty() || count_ > limit_) {
    if (file_.empty()) file_.emplace_back();
    for (std::vector<StoredRow>& block : blocks_) {
      file_.front().write(in_file_, block.data(), block.size());
      in_file_ += block.size();
    }
    last_ = std::move(blocks_.back());
    last_.clear();
    blocks_.clear();
  } else {
    last_ = {};
  }
  last_.reserve(rows_of_block_);
}

void RowStore::read(std::size_t first, StoredRow* rows, std::size_t count) const {
  if (first < in_file_) {
    const std::size_t some = std::min(count, in_file_ - first);
    file_.front().read(first, rows, some);
    first += some, rows += some, count -= some;
  }
  while (count > 0) {
    const std::size_t place = first - in_file_, block = place / rows_of_block_, from = place % rows_of_block_;
    const std::vector<StoredRow>& held = block < blocks_.size() ? blocks_[block] : last_;
    const std::size_t some = std::min(count, held.size() - from);
    std::copy_n(held.begin() + static_cast<std::ptrdiff_t>(from), some, rows);
    first += some, rows += some, count -= some;
  }
}

RowsOfStays::RowsOfStays(RowStore store, std::vector<RowRun> runs, std::vector<std::uint32_t> rows, std::size_t limit)
    : store_(std::move(store)), rows_(std::move(rows)) {
  if (are_in_order(runs)) return;
  plan_parts(store_.count() <= limit ? store_.count() : limit);
  if (parts_.size() > 1)
    part_rows(runs);
  else
    parts_.front().runs = std::move(runs);
}

void RowsOfStays::plan_parts(std::size_t limit) {
  for (std::size_t s = 0; s < rows_.size(); ++s) {
    if (parts_.empty() || parts_.back().rows + rows_[s] > limit) {
      const std::size_t first = parts_.empty() ? 0 : parts_.back().first_row + parts_.back().rows;
      parts_.push_back({static_cast<std::uint32_t>(s), 0, first, 0});
    }
    ++parts_.back().stays;
    parts_.back().rows += rows_[s];
  }
}

void RowsOfStays::part_rows(const std::vector<RowRun>& runs) {
  std::vector<std::uint32_t> part_of;
  std::vector<PartWriter> writers;
  const RowFile& file = parted_.emplace_back();
  for (const Part& part : parts_) {
    part_of.insert(part_of.end(), part.stays, static_cast<std::uint32_t>(writers.size()));
    writers.emplace_back(file, part.first_row);
  }
  std::vector<StoredRow> rows;
  std::size_t from = 0, read = 0;  // rows[from, ...) are the next; so many were read
  for (const RowRun& run : runs) {
    const std::uint32_t part = part_of[run.stay];
    parts_[part].runs.push_back(run);
    for (std::size_t left = run.rows; left > 0;) {
      if (from == rows.size()) {
        rows.resize(std::min(kRowsAtOnce, store_.count() - read));
        store_.read(read, rows.data(), rows.size());
        read += rows.size(), from = 0;
      }
      const std::size_t some = std::min(left, rows.size() - from);
      writers[part].add(rows.data() + from, some);
      from += some, left -= some;
    }
  }
  for (PartWriter& writer : writers) writer.flush();
}

void RowsOfStays::gather(Part& part) {
  std::vector<StoredRow> rows(part.rows);
  if (parted_.empty())
    store_.read(0, rows.data(), rows.size());
  else
    parted_.front().read(part.first_row, rows.data(), rows.size());
  std::vector<std::size_t> next(part.stays, 0);
  for (std::size_t k = 1; k < next.size(); ++k) next[k] = next[k - 1] + rows_[part.first_stay + k - 1];
  gathered_.resize(rows.size());
  auto from = rows.begin();
  for (const RowRun& run : part.runs) {
    std::size_t& to = next[run.stay - part.first_stay];
    std::copy_n(from, run.rows, gathered_.begin() + static_cast<std::ptrdiff_t>(to));
    from += run.rows, to += run.rows;
  }
  part.runs = {};
  at_ = 0;
}

void RowsOfStays::next(std::vector<StoredRow>& rows) {
  rows.resize(rows_[stay_]);
  if (parts_.empty()) {
    store_.read(at_, rows.data(), rows.size());
  } else {
    while (part_ < parts_.size() && parts_[part_].first_stay <= stay_) gather(parts_[part_++]);
    std::copy_n(gathered_.begin() + static_cast<std::ptrdiff_t>(at_), rows.size(), rows.begin());
  }
  at_ += rows.size();
  ++stay_;
}

}  // namespace fovea::datasets::events
