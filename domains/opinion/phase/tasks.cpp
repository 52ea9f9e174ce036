#include "fovea/domains/opinion/phase/tasks.hpp"

#include <exception>
#include <string>

#include "fovea/core/base/matrix.hpp"

namespace fovea::opinion::phase {

namespace {

double share_of(const PhaseTasks& tasks) {
  double sum = 0;
  for (const auto& task : tasks) sum += task->done() ? 1 : task->share();
  return tasks.empty() ? 1 : sum / static_cast<double>(tasks.size());
}

/// One slice of each task that is not done.
void advance_all(PhaseTasks& tasks, const std::vector<std::size_t>& open, std::int64_t slice) {
  std::vector<std::exception_ptr> thrown(open.size());
  const auto count = static_cast<Index>(open.size());
#pragma omp parallel for schedule(dynamic, 1) if (count > 1)
  for (Index k = 0; k < count; ++k) {
    try {
      tasks[open[k]]->advance(slice);
    } catch (...) {
      thrown[k] = std::current_exception();
    }
  }
  for (const std::exception_ptr& error : thrown)
    if (error) std::rethrow_exception(error);
}

}  // namespace

void run_tasks(PhaseTasks& tasks, std::int64_t slice, const std::function<void(double share)>& after_slice) {
  for (;;) {
    std::vector<std::size_t> open;
    for (std::size_t k = 0; k < tasks.size(); ++k)
      if (!tasks[k]->done()) open.push_back(k);
    if (open.empty()) return;
    advance_all(tasks, open, slice);
    after_slice(share_of(tasks));
  }
}

void visit_tasks(const Archive& archive, PhaseTasks& tasks) {
  archive.expect("tasks", std::to_string(tasks.size()));
  for (const auto& task : tasks) archive("task", *task);
}

}  // namespace fovea::opinion::phase
