#include "fovea/experiments/commands/rows_output.hpp"

#include <filesystem>
#include <iostream>
#include <utility>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/storage.hpp"

namespace fovea::command {

RowsOutput::RowsOutput(const std::string& path) : path_(path) {
  if (path_.empty()) return;
  temporary_ = write_temporary(path_, "").path();
  file_.open(temporary_, std::ios::binary | std::ios::app);
}

RowsOutput::~RowsOutput() {
  std::error_code error;
  if (!temporary_.empty()) std::filesystem::remove(temporary_, error);
}

void RowsOutput::write(const std::string& text) { check(stream() << text); }

void RowsOutput::finish() {
  check(stream().flush());
  if (path_.empty()) return;
  file_.close();
  check(file_);
  publish_file(std::exchange(temporary_, ""), path_);
}

std::ostream& RowsOutput::stream() { return path_.empty() ? std::cout : file_; }

void RowsOutput::check(const std::ostream& stream) const {
  if (!stream)
    throw StorageError(concat(path_.empty() ? "stdout" : path_, ": cannot be written; the disk may be full."));
}

void LazyRowsOutput::write(const std::string& text) {
  if (rows_ == nullptr) rows_ = std::make_unique<RowsOutput>(path_);
  rows_->write(text);
}

void LazyRowsOutput::finish() {
  if (rows_ != nullptr) rows_->finish();
}

}  // namespace fovea::command
