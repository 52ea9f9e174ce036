#pragma once
/// Time that does not depend on what else runs on the machine.

#include <omp.h>
#include <sys/resource.h>

#include <algorithm>
#include <limits>

namespace fovea::support {

/// Seconds of processor time: of this process, all its threads, and of the children that it has waited for.
inline double processor_seconds() {
  double sum = 0;
  for (const auto who : {RUSAGE_SELF, RUSAGE_CHILDREN}) {
    rusage used{};
    ::getrusage(who, &used);
    for (const timeval& time : {used.ru_utime, used.ru_stime})
      sum += static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
  }
  return sum;
}

/// What the work takes on one thread: the least of three times.
template <typename Work>
double least_processor_seconds(const Work& work) {
  const int before = omp_get_max_threads();
  omp_set_num_threads(1);
  double least = std::numeric_limits<double>::infinity();
  for (int round = 0; round < 3; ++round) {
    const double start = processor_seconds();
    work();
    least = std::min(least, processor_seconds() - start);
  }
  omp_set_num_threads(before);
  return least;
}

}  // namespace fovea::support
