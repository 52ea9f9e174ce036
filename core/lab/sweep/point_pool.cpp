#include "fovea/core/lab/sweep/point_pool.hpp"

#include <omp.h>

#include <algorithm>
#include <thread>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/machine/drawn.hpp"
#include "fovea/core/base/storage.hpp"
#include "fovea/core/lab/directory/folder_lock.hpp"
#include "fovea/core/lab/run_point.hpp"

namespace fovea {

PointPool::PointPool(const Experiment& experiment, PointFolders& folders, OpenInputs& inputs, const SweepPlan& plan,
                     const std::vector<char>& own, ProgressMeter& meter)
    : experiment_(experiment),
      folders_(folders),
      inputs_(inputs),
      plan_(plan),
      own_(own),
      meter_(meter),
      seeds_(folders.sweep().axes().back().values.size()),
      undrawn_(folders.size() / seeds_),
      failures_(folders.size()),
      computed_(folders.size()) {}

void PointPool::run(const std::vector<std::size_t>& points) {
  const std::size_t workers = std::min<std::size_t>(std::max(1, plan_.jobs), points.size());
  std::vector<std::thread> threads;
  next_ = 0;
  working_ = static_cast<int>(workers);
  for (std::size_t i = 0; i < workers; ++i)
    threads.emplace_back([&] {
      work(points);
      --working_;
    });
  for (std::thread& thread : threads) thread.join();
  if (first_error_) std::rethrow_exception(first_error_);
}

/// Jobs that found nothing left to do hand their threads to the others; results do not depend on it.
void PointPool::take_free_threads() const {
  omp_set_num_threads(std::max(plan_.threads, plan_.all_threads / std::max(1, working_.load())));
}

void PointPool::work(const std::vector<std::size_t>& points) {
  take_free_threads();
  for (;;) {
    const std::size_t next = next_.fetch_add(1);
    if (next >= points.size() || ending_.load()) return;
    if (plan_.stop != nullptr && plan_.stop->load() != 0) return end(std::make_exception_ptr(Interrupted("stopped")));
    attempt(points[next]);
  }
}

void PointPool::attempt(std::size_t point) {
  try {
    take(point);
  } catch (const Interrupted&) {
    end(std::current_exception());
  } catch (const StorageError&) {
    end(std::current_exception());
  } catch (const std::bad_alloc&) {
    fail(point, "there was not enough memory; use fewer --jobs, or make the point smaller.");
  } catch (const std::exception& error) {
    fail(point, error.what());
  }
}

void PointPool::take(std::size_t point) {
  const bool again = plan_.force && own_[point] != 0;
  if (own_[point] == 0 && folders_.is_finished(point, Look::size)) return;
  const RunDirectory folder = folders_.folder(point);
  make_folder(folder.place());
  const std::optional<FolderLock> lock = FolderLock::of_point(folder);
  if (!lock) {
    const std::lock_guard guard(mutex_);
    held_.push_back(point);
    return;
  }
  if (!again && (folders_.is_finished(point, Look::size) || folders_.is_taken_over(point))) {
    if (own_[point] != 0) meter_.finish(point);
    const std::lock_guard guard(mutex_);
    ++found_;
    return;
  }
  if (const std::optional<PointFailure> failure = find_failure(folder); failure && failure->at > start_) {
    failures_[point] = *failure;  // another process tried it since we began
    return meter_.fail(point);
  }
  if (own_[point] == 0) meter_.more();
  compute(point, folder);
}

void PointPool::compute(std::size_t point, const RunDirectory& folder) {
  RunLog log(folder.log());
  log.check();
  const Config config = folders_.sweep().config(point);
  if (!is_copied(point, config)) {
    const bool whole = !has_checkpoints(folder.place());  // what was drawn before a resume is not known here
    finish_point(experiment_, config, inputs_.of(experiment_, config), folders_.identity(point), folder,
                 bench(point, log));
    if (whole && !drawn_from(*config.seed)) undrawn_[point / seeds_] = point + 1;
  }
  remove_file(folder.failure());
  computed_[point] = 1;
  meter_.detail("finished " + folders_.sweep().label(point));
  meter_.finish(point);
  const std::lock_guard guard(mutex_);
  when_computed(point);
}

/// Whether the same place was computed with another seed from which nothing was drawn, and this is now a copy of it.
bool PointPool::is_copied(std::size_t point, const Config& config) {
  const std::size_t other = undrawn_[point / seeds_].load();
  if (other == 0 || !copy_point(config, folders_.identity(point), folders_.folder(other - 1), folders_.folder(point)))
    return false;
  const std::lock_guard guard(mutex_);
  ++copied_;
  return true;
}

BenchPlan PointPool::bench(std::size_t point, RunLog& log) {
  BenchPlan plan;
  plan.interval_seconds = plan_.checkpoint_seconds;
  plan.stop = plan_.stop;
  plan.progress = [this, point](double fraction) {  // called by the thread that computes the point
    take_free_threads();
    meter_.update(point, fraction);
  };
  plan.log = [&log](const std::string& line) { log.line(line); };
  plan.say = [this, &log](const std::string& sentence) {  // points share their data, and what is to be said of them
    log.line(sentence);
    const std::lock_guard guard(mutex_);
    if (said_.insert(sentence).second) meter_.say(sentence);
  };
  return plan;
}

void PointPool::fail(std::size_t point, const std::string& error) {
  const RunDirectory folder = folders_.folder(point);
  failures_[point] = {folders_.sweep().label(point), error, utc_now(), folder.path()};
  meter_.fail(point);
  meter_.say(concat("point ", failures_[point].label, " failed: ", error));
  if (plan_.fail_fast) ending_ = true;
  try {
    write_failure(folder, failures_[point]);
  } catch (const std::runtime_error&) {  // the disk refuses, or the folder is a link
    end(std::current_exception());
  }
}

void PointPool::end(std::exception_ptr error) {
  const std::lock_guard guard(mutex_);
  if (!first_error_) first_error_ = std::move(error);
  ending_ = true;
}

}  // namespace fovea
