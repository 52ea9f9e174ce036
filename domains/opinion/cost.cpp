#include "fovea/domains/opinion/cost.hpp"

#include <malloc.h>
#include <omp.h>
#include <time.h>

#include <algorithm>

#include "fovea/core/base/machine/thread_count.hpp"

namespace fovea::opinion {

namespace {

constexpr double kLongEnough = 0.02, kLookForRest = 0.1;    // seconds
constexpr double kDearestPair = 1e-7, kDearestStep = 1e-5;  // seconds, of what is not worth a look
constexpr int kSureCalls = 4;                               // of fewer the fastest may have waited for a processor
constexpr Index kCrowdAtRest = 1000;

double seconds_on(clockid_t clock) {
  timespec time{};
  ::clock_gettime(clock, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}
double processor_seconds() { return seconds_on(CLOCK_THREAD_CPUTIME_ID); }

/// As long as it would take on a machine that is not busy: that of this thread, or the share of each of all threads.
double seconds_of_call(const std::function<void()>& work) {
  const double start = processor_seconds(), all = seconds_on(CLOCK_PROCESS_CPUTIME_ID);
  work();
  return std::max(processor_seconds() - start, (seconds_on(CLOCK_PROCESS_CPUTIME_ID) - all) / omp_get_max_threads());
}

double allocated() {
  const auto memory = ::mallinfo2();
  return static_cast<double>(memory.uordblks + memory.hblkhd);
}

}  // namespace

WorkCost work_cost(Index agents, const PrepareWork& prepare, Index fewest) {
  double before = 0;
  bool judged = false, square = false;
  for (Index n = std::min(agents, fewest);; n = std::min(agents, 4 * n)) {
    const double taken = allocated();
    const std::function<void()> work = prepare(n);
    const double start = processor_seconds();
    WorkCost cost{seconds_of_call(work), 0};
    cost.bytes = std::max(0.0, allocated() - taken);
    int calls = 1;
    for (; processor_seconds() - start < 2 * kLongEnough; ++calls)
      cost.seconds = std::min(cost.seconds, seconds_of_call(work));
    if (before > 0 && (calls >= kSureCalls || !judged)) {
      square = cost.seconds > 8 * before;  // 16 times with each step as the square, 4 times as the number
      judged = true;
    }
    const double times = static_cast<double>(agents) / static_cast<double>(n);
    if (n < agents && (cost.seconds < kLongEnough || before == 0)) {
      before = cost.seconds;
      continue;
    }
    return {cost.seconds * (square ? times * times : times), cost.bytes * times};
  }
}

CrowdCost crowd_cost(Index agents, const std::function<std::shared_ptr<dynamics::Dynamics>(Index agents)>& make,
                     double steps, double tolerance, Index fewest) {
  const auto n = static_cast<double>(agents);
  if (steps * (n * n * kDearestPair + kDearestStep) < 1) return {};
  struct Crowd {
    std::shared_ptr<dynamics::Dynamics> dynamics;
    Matrix<double> opinions;
    std::int64_t steps = 0;
    void step() { dynamics->step(opinions, steps++); }
  };
  const auto made = [&](Index count) {
    const auto crowd = std::make_shared<Crowd>(Crowd{make(count), {}});
    crowd->opinions = crowd->dynamics->first_opinions();
    return crowd;
  };
  const WorkCost step = work_cost(
      agents, [&](Index count) { return [crowd = made(count)] { crowd->step(); }; }, fewest);
  CrowdCost cost{step, steps, steps};
  const auto crowd = made(std::min(agents, std::max(kCrowdAtRest, fewest)));
  if (tolerance == 0 || crowd->dynamics->never_rests()) return cost;
  const ThreadCount one(1);  // a crowd so small is no faster on many
  const double start = processor_seconds();
  cost.least_steps = 0;
  bool moves = true;
  while (moves && cost.least_steps < steps && processor_seconds() - start < kLookForRest) {
    const Matrix<double> before = crowd->opinions;
    crowd->step();
    ++cost.least_steps;
    moves = dynamics::largest_change(before, crowd->opinions) > tolerance || !crowd->dynamics->settled(crowd->opinions);
  }
  if (!moves) cost.most_steps = cost.least_steps;
  return cost;
}

}  // namespace fovea::opinion
