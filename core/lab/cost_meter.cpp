#include "fovea/core/lab/cost_meter.hpp"

#include <malloc.h>
#include <omp.h>

#include <algorithm>
#include <ctime>
#include <exception>
#include <mutex>
#include <thread>

namespace fovea {

namespace {

double thread_seconds() {
  timespec time{};
  ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

/// Bytes that the C library has handed out to this process, of all threads.
double allocated_bytes() {
  const struct mallinfo2 info = ::mallinfo2();
  return static_cast<double>(info.uordblks + info.hblkhd);
}

Cost measured(const std::function<void(const LookAtMemory&)>& work, double least_seconds) {
  omp_set_num_threads(1);  // of this thread alone
  Cost cost;
  const double before = allocated_bytes();
  double start = thread_seconds();
  work([&] { cost.peak_bytes = std::max(cost.peak_bytes, allocated_bytes() - before); });
  cost.cpu_seconds = thread_seconds() - start;
  for (double spent = cost.cpu_seconds; spent < least_seconds;) {
    start = thread_seconds();
    work([] {});
    const double took = std::max(thread_seconds() - start, 1e-9);
    cost.cpu_seconds = std::min(cost.cpu_seconds, took);
    spent += took;
  }
  return cost;
}

}  // namespace

Cost cost_of(const std::function<void(const LookAtMemory&)>& work, double least_seconds) {
  static std::mutex one_at_a_time;
  const std::lock_guard<std::mutex> lock(one_at_a_time);
  Cost cost;
  std::exception_ptr error;
  std::thread([&] {
    try {
      cost = measured(work, least_seconds);
    } catch (...) {
      error = std::current_exception();
    }
  }).join();
  if (error) std::rethrow_exception(error);
  return cost;
}

}  // namespace fovea
