#pragma once
/// What a piece of work costs on this machine: processor time and memory. Such numbers belong to
/// Results::on_this_machine(), never into the result file.

#include <functional>

namespace fovea {

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
