#pragma once
/// Computes points of a sweep, several at once, each in its folder and under its lock.

#include <atomic>
#include <exception>
#include <functional>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "fovea/core/base/stop_flag.hpp"
#include "fovea/core/lab/directory/run_log.hpp"
#include "fovea/core/lab/open_inputs.hpp"
#include "fovea/core/lab/progress.hpp"
#include "fovea/core/lab/sweep/point_folders.hpp"
#include "fovea/core/lab/sweep/share.hpp"
#include "fovea/core/lab/workbench.hpp"

namespace fovea {

struct SweepPlan {
  int jobs = 1;         ///< points at once
  int threads = 1;      ///< of each point
  int all_threads = 1;  ///< in all: what finished jobs leave free, the last points take
  double checkpoint_seconds = 10;
  bool force = false;          ///< compute finished points again
  bool fail_fast = false;      ///< begin no point after one has failed
  std::optional<Share> share;  ///< nothing: all points, and those that others compute are waited for
  bool locks = true;           ///< whether the disk has them: without, nobody does the points of others
  const StopFlag* stop = nullptr;
};

class PointPool {
 public:
  PointPool(const Experiment& experiment, PointFolders& folders, OpenInputs& inputs, const SweepPlan& plan,
            const std::vector<char>& own, ProgressMeter& meter);

  /// Called with each point that was computed here, by one thread at a time.
  std::function<void(std::size_t)> when_computed = [](std::size_t) {};

  /// Workers share the list; each takes the next until none is left or something ends it all. A point that another
  /// process has is put aside; one that it has finished is left alone. Throws StorageError (the disk refused; all
  /// points stop) and Interrupted (checkpoints are saved).
  void run(const std::vector<std::size_t>& points);

  /// Those put aside since the last call.
  std::vector<std::size_t> take_held() { return std::exchange(held_, {}); }
  bool is_ending() const { return ending_.load(); }
  bool computed_here(std::size_t point) const { return computed_[point] != 0; }
  std::size_t copied() const { return copied_; }  ///< of another seed from which nothing was drawn
  std::size_t found() const { return found_; }    ///< finished by others meanwhile
  const PointFailure& failure(std::size_t point) const { return failures_[point]; }  ///< no error: it has not failed

 private:
  void take_free_threads() const;
  void work(const std::vector<std::size_t>& points);
  void attempt(std::size_t point);
  void take(std::size_t point);
  void compute(std::size_t point, const RunDirectory& folder);
  bool is_copied(std::size_t point, const Config& config);
  BenchPlan bench(std::size_t point, RunLog& log);
  void fail(std::size_t point, const std::string& error);
  void end(std::exception_ptr error);

  const Experiment& experiment_;
  PointFolders& folders_;
  OpenInputs& inputs_;
  const SweepPlan& plan_;
  const std::vector<char>& own_;
  ProgressMeter& meter_;
  std::string start_ = utc_now();
  std::size_t seeds_;                              ///< of each place
  std::vector<std::atomic<std::size_t>> undrawn_;  ///< of each place: 1 + a point whose seed was not drawn from
  std::vector<PointFailure> failures_;
  std::vector<char> computed_;
  std::vector<std::size_t> held_;
  std::size_t copied_ = 0, found_ = 0;
  std::atomic<std::size_t> next_{0};
  std::atomic<bool> ending_{false};
  std::atomic<int> working_{0};
  std::mutex mutex_;
  std::set<std::string> said_;
  std::exception_ptr first_error_;
};

}  // namespace fovea
