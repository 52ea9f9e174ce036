#include "fovea/core/lab/progress.hpp"

#include <algorithm>

namespace fovea {

namespace {

using Clock = std::chrono::steady_clock;
constexpr double kSecondsBetweenCalls = 0.1;
constexpr std::chrono::seconds kHeartbeat{1};

double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

class SilentNarrator final : public Narrator {
 public:
  void say(const std::string&) override {}
  void progress(const Progress&) override {}
  void detail(const std::string&) override {}
};

}  // namespace

Narrator& silent_narrator() {
  static SilentNarrator silence;
  return silence;
}

ProgressMeter::ProgressMeter(Narrator& narrator, std::size_t total, std::size_t reused)
    : narrator_(narrator),
      total_(total),
      sum_(static_cast<double>(reused)),
      sum_at_start_(sum_),
      finished_(reused),
      start_(Clock::now()),
      last_told_(start_),
      heart_([this](const std::stop_token& stop) {
        std::unique_lock lock(mutex_);
        while (!end_.wait_for(lock, stop, kHeartbeat, [&] { return stop.stop_requested(); })) tell(false);
      }) {}

void ProgressMeter::more() {
  const std::lock_guard lock(mutex_);
  ++total_;
}

void ProgressMeter::update(std::size_t point, double fraction) {
  const std::lock_guard lock(mutex_);
  set(point, std::clamp(fraction, 0.0, 1.0));
  tell(false);
}

void ProgressMeter::finish(std::size_t point) {
  const std::lock_guard lock(mutex_);
  set(point, 1.0);
  ++finished_;
  tell(finished_ + failed_ == total_);
}

void ProgressMeter::fail(std::size_t point) {
  const std::lock_guard lock(mutex_);
  set(point, 1.0);
  ++failed_;
  tell(true);
}

void ProgressMeter::say(const std::string& sentence) {
  const std::lock_guard lock(mutex_);
  narrator_.say(sentence);
}

void ProgressMeter::detail(const std::string& sentence) {
  const std::lock_guard lock(mutex_);
  narrator_.detail(sentence);
}

Progress ProgressMeter::now() const {
  const std::lock_guard lock(mutex_);
  return measure();
}

void ProgressMeter::set(std::size_t point, double fraction) {
  // The first word of a single run that was resumed says where it starts from: no pace can be read off that.
  if (!resumed_seen_ && total_ == 1) sum_at_start_ = fraction < 1 ? fraction : 0;
  resumed_seen_ = true;
  double& before = fractions_[point];
  sum_ += fraction - before;
  before = fraction;
}

Progress ProgressMeter::measure() const {
  Progress progress;
  progress.total = total_;
  progress.finished = finished_;
  progress.failed = failed_;
  progress.elapsed_seconds = seconds_since(start_);
  const double total = static_cast<double>(std::max<std::size_t>(1, progress.total));
  progress.fraction = std::clamp(sum_ / total, 0.0, 1.0);
  const double gained = sum_ - sum_at_start_;
  if (gained > 0) progress.seconds_left = std::max(0.0, (total - sum_) * progress.elapsed_seconds / gained);
  return progress;
}

void ProgressMeter::tell(bool at_once) {
  if (!at_once && seconds_since(last_told_) < kSecondsBetweenCalls) return;
  last_told_ = Clock::now();
  narrator_.progress(measure());
}

}  // namespace fovea
