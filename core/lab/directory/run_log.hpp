#pragma once
/// The log of a run: text lines, each with the seconds since the start; a resumed run goes on in the same file.

#include <chrono>
#include <mutex>
#include <string>

namespace fovea {

class RunLog {
 public:
  /// The file is made with the first line.
  explicit RunLog(std::string path) : path_(std::move(path)), start_(std::chrono::steady_clock::now()) {}
  /// Adds a line. A disk that refuses is ignored: the log is for people, and the result's own writes will tell.
  void line(const std::string& text);

 private:
  std::mutex mutex_;
  std::string path_;
  std::chrono::steady_clock::time_point start_;
};

}  // namespace fovea
