#pragma once
/// How a run tells the outside how far it is. The lab never prints: it speaks to a Narrator.

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <thread>
#include <unordered_map>

namespace fovea {

struct Progress {
  double fraction = 0;  ///< of the whole work, in [0, 1]
  std::size_t finished = 0;
  std::size_t failed = 0;
  std::size_t total = 1;  ///< points; 1 for a single run
  double elapsed_seconds = 0;
  std::optional<double> seconds_left;  ///< from the pace so far; empty until there is one
};

/// Whoever listens to a run. Calls come from several threads, but never two at once.
class Narrator {
 public:
  virtual ~Narrator() = default;
  virtual void say(const std::string& sentence) = 0;     ///< something the user should know
  virtual void progress(const Progress& progress) = 0;   ///< about ten times a second at most
  virtual void detail(const std::string& sentence) = 0;  ///< something the log should know, and a curious user
};

/// A Narrator that listens to nothing: for tests and for use as a library.
Narrator& silent_narrator();

/// Puts the progress of all points together, and tells it once a second also where no point reports any: a step may
/// take minutes. Safe to call from several threads.
class ProgressMeter {
 public:
  /// total points, of which `reused` were finished before and do not count for the pace.
  ProgressMeter(Narrator& narrator, std::size_t total, std::size_t reused);

  void more();                                      ///< a point more
  void update(std::size_t point, double fraction);  ///< a point is this far, in [0, 1]
  void finish(std::size_t point);
  void fail(std::size_t point);
  void say(const std::string& sentence);
  void detail(const std::string& sentence);
  Progress now() const;

 private:
  Progress measure() const;
  void tell(bool at_once);
  void set(std::size_t point, double fraction);

  mutable std::mutex mutex_;
  Narrator& narrator_;
  std::size_t total_;
  std::unordered_map<std::size_t, double> fractions_;  // of each point begun; their sum costs the same for any number
  double sum_ = 0;
  double sum_at_start_ = 0;
  std::size_t finished_ = 0;
  std::size_t failed_ = 0;
  std::chrono::steady_clock::time_point start_;
  std::chrono::steady_clock::time_point last_told_;
  bool resumed_seen_ = false;
  std::condition_variable_any end_;
  std::jthread heart_;  // last: it ends first
};

}  // namespace fovea
