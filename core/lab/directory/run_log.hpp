#pragma once
/// The log of a run: text lines, each with the seconds since the start; a resumed run goes on in the same file.

#include <chrono>
#include <mutex>
#include <string>

#include "fovea/core/base/place.hpp"
#include "fovea/core/lab/progress.hpp"

namespace fovea {

class RunLog {
 public:
  /// The file is made with the first line.
  explicit RunLog(Place place) : place_(std::move(place)), start_(std::chrono::steady_clock::now()) {}
  /// Throws DataError if the log is a link, no regular file, or has a second name. To be asked before the first line.
  void check() const;
  /// Adds a line. A disk that refuses is ignored: the log is for people, and the result's own writes will tell. So is
  /// what check() refuses: nothing is written then.
  void line(const std::string& text);

 private:
  std::mutex mutex_;
  Place place_;
  std::chrono::steady_clock::time_point start_;
};

/// Passes everything on, and keeps the sentences in the log.
class LoggingNarrator final : public Narrator {
 public:
  LoggingNarrator(Narrator& listener, RunLog& log) : listener_(listener), log_(log) {}
  void say(const std::string& sentence) override {
    log_.line(sentence);
    listener_.say(sentence);
  }
  void detail(const std::string& sentence) override {
    log_.line(sentence);
    listener_.detail(sentence);
  }
  void progress(const Progress& progress) override {
    last_ = progress;
    listener_.progress(progress);
  }
  const Progress& last() const { return last_; }

 private:
  Narrator& listener_;
  RunLog& log_;
  Progress last_;
};

}  // namespace fovea
