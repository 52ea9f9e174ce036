#pragma once
/// Rows that go out as they come: to stdout, or to a file that is there only when it is whole.

#include <fstream>
#include <memory>
#include <string>

#include "fovea/core/lab/predictor.hpp"

namespace fovea::command {

class RowsOutput final : public RowFile {
 public:
  /// "" is stdout. Throws StorageError for a file that cannot be written.
  explicit RowsOutput(const std::string& path);
  ~RowsOutput() override;
  RowsOutput(const RowsOutput&) = delete;
  RowsOutput& operator=(const RowsOutput&) = delete;

  void write(const std::string& text) override;
  void finish() override;

 private:
  std::ostream& stream();
  void check(const std::ostream& stream) const;

  std::string path_, temporary_;
  std::ofstream file_;
};

/// The same, but for a file that is begun with its first rows: without any, none is left.
class LazyRowsOutput final : public RowSink {
 public:
  explicit LazyRowsOutput(std::string path) : path_(std::move(path)) {}
  void write(const std::string& text) override;
  void finish();

 private:
  std::string path_;
  std::unique_ptr<RowsOutput> rows_;
};

}  // namespace fovea::command
