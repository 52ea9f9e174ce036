#pragma once
/// What a piece of work costs on this machine: processor time and memory. Such numbers belong to
/// Results::on_this_machine(), never into the result file.

#include <functional>

#include "fovea/core/config/shared_key.hpp"

namespace fovea {

/// Keys of experiments that measure costs over sizes.
inline const SharedKey kDimension{"dimension", "d: dimension of queries, keys and values", Range::between(1, 4096)};
inline const SharedKey kFitFrom{"fit_from",
                                "smallest size in the fits of time and memory, where the fixed cost of a call is small",
                                Range::at_least(1)};
inline const SharedKey kLeastSeconds{"least_seconds", "a call is repeated until this total time is reached",
                                     Range::between(0, 60), "s"};

struct Cost {
  double cpu_seconds = 0;  ///< of the one thread that did it; the least of all repetitions
  double peak_bytes = 0;   ///< allocated beyond what was there before, the most that any look at it saw the first time
};

/// To be called by the work wherever much of its memory is in use; does nothing when the work is repeated.
using LookAtMemory = std::function<void()>;

/// Does the work in a thread of its own, so that no memory kept from earlier work is used again, with one OpenMP
/// thread; again and again until `least_seconds` have gone into it. Memory is what the C library has handed out
/// (mallinfo2), so it is exact to the byte and does not depend on pages; what other threads allocate meanwhile is
/// counted too. Costs are measured one at a time, also where several points of a sweep run at once. Throws what the
/// work throws.
Cost cost_of(const std::function<void(const LookAtMemory& look)>& work, double least_seconds);

}  // namespace fovea
