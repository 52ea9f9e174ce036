#pragma once
/// Walks that run side by side, each on its own, and can be saved at any time.

#include <functional>
#include <memory>
#include <vector>

#include "fovea/core/base/matrix.hpp"
#include "fovea/core/lab/experiment.hpp"

namespace fovea::opinion::phase {

/// Numbers that are written or read in the same order by one function, so that saving and restoring cannot differ.
class Archive {
 public:
  Archive() = default;                                                                          ///< to write
  explicit Archive(std::vector<double> values) : values_(std::move(values)), reading_(true) {}  ///< to read
  bool reading() const { return reading_; }
  const std::vector<double>& values() const { return values_; }

  void visit(double& value);
  void visit(std::int64_t& value);  ///< below 2^53
  void visit(bool& value);
  void visit(std::vector<double>& values);
  void visit(Matrix<double>& matrix);
  /// A list of things that have visit(Archive&).
  template <typename T>
  void visit_all(std::vector<T>& things) {
    auto count = static_cast<std::int64_t>(things.size());
    visit(count);
    if (reading_) things.resize(static_cast<std::size_t>(count));
    for (T& thing : things) thing.visit(*this);
  }

 private:
  std::vector<double> values_;
  std::size_t at_ = 0;
  bool reading_ = false;
};

class PhaseTask {
 public:
  virtual ~PhaseTask() = default;
  virtual void advance(std::int64_t agent_steps) = 0;  ///< about so many, one step at least
  virtual bool done() const = 0;
  virtual double share() const = 0;  ///< of its work that is done, in [0, 1]
  virtual void visit(Archive& archive) = 0;
};

using PhaseTasks = std::vector<std::unique_ptr<PhaseTask>>;

/// Runs the tasks to their ends, in slices of `slice` agent steps each, several at a time; a single one has all threads
/// for its own loops. after_slice is called between slices with the share of the work that is done. Rethrows the first
/// task's exception, in the order of the tasks.
void run_tasks(PhaseTasks& tasks, std::int64_t slice, const std::function<void(double share)>& after_slice);

/// Checkpoints: what was finished, and the tasks under way.
Dataset saved_tasks(PhaseTasks& tasks, std::vector<double> finished);
std::vector<double> finished_part(const Dataset& saved);
/// Throws DataError where the saved tasks are not these.
void restore_tasks(const Dataset& saved, PhaseTasks& tasks);

}  // namespace fovea::opinion::phase
