#pragma once
/// Walks that run side by side, each on its own, and can be saved at any time.

#include <functional>
#include <memory>
#include <vector>

#include "fovea/core/data/archive.hpp"

namespace fovea::opinion::phase {

class PhaseTask {
 public:
  virtual ~PhaseTask() = default;
  virtual void advance(std::int64_t agent_steps) = 0;  ///< about so many, one step at least
  virtual bool done() const = 0;
  virtual double share() const = 0;  ///< of its work that is done, in [0, 1]
  virtual void visit(Archive archive) = 0;
};

using PhaseTasks = std::vector<std::unique_ptr<PhaseTask>>;

/// Runs the tasks to their ends, in slices of `slice` agent steps each, several at a time; a single one has all threads
/// for its own loops. after_slice is called between slices with the share of the work that is done. Rethrows the first
/// task's exception, in the order of the tasks.
void run_tasks(PhaseTasks& tasks, std::int64_t slice, const std::function<void(double share)>& after_slice);

/// The states of all tasks, one after the other under the same names. They must be there already, in the same order.
void visit_tasks(const Archive& archive, PhaseTasks& tasks);

}  // namespace fovea::opinion::phase
