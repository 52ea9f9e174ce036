#pragma once
/// Independent tasks on all threads. Which thread takes which task changes no result: each task owns what it writes.

#include <omp.h>

#include <exception>

#include "fovea/core/base/matrix.hpp"

namespace fovea {

/// Threads of a parallel loop.
inline Index thread_count() { return omp_get_max_threads(); }

/// Calls task(0) .. task(count - 1), in any order; `worthwhile` false: on this thread alone. A thread takes `together`
/// tasks in a row at a time. The first exception that was thrown is thrown again when all threads are done.
template <typename Task>
void for_each_task(Index count, bool worthwhile, const Task& task, Index together = 1) {
  if (!worthwhile || count < 2) {
    for (Index i = 0; i < count; ++i) task(i);
    return;
  }
  std::exception_ptr failure;
#pragma omp parallel for schedule(dynamic, together)
  for (Index i = 0; i < count; ++i) {
    try {
      task(i);
    } catch (...) {
#pragma omp critical(fovea_task_failure)
      if (!failure) failure = std::current_exception();
    }
  }
  if (failure) std::rethrow_exception(failure);
}

}  // namespace fovea
