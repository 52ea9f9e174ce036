#include "fovea/domains/opinion/phase/tasks.hpp"

#include <exception>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/matrix.hpp"

namespace fovea::opinion::phase {

namespace {

void save_numbers(Dataset& data, const std::string& name, std::vector<double> values) {
  values.insert(values.begin(), static_cast<double>(values.size()));  // netCDF has no dimension of size 0
  data.dimension(name + "_entry", values.size());
  data.add({name, {name + "_entry"}, std::move(values), "1", "state of the search: " + name, {}});
}

std::vector<double> load_numbers(const Dataset& data, const std::string& name) {
  const std::vector<double>& values = data.at(name).reals();
  return {values.begin() + 1, values.end()};
}

std::string task_name(std::size_t k) { return concat("walk_", k); }

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
      tasks[open[static_cast<std::size_t>(k)]]->advance(slice);
    } catch (...) {
      thrown[static_cast<std::size_t>(k)] = std::current_exception();
    }
  }
  for (const std::exception_ptr& error : thrown)
    if (error) std::rethrow_exception(error);
}

}  // namespace

void Archive::visit(double& value) {
  if (!reading_) {
    values_.push_back(value);
    return;
  }
  if (at_ >= values_.size()) throw DataError("checkpoint: a walk ends too early; it belongs to another run.");
  value = values_[at_++];
}

void Archive::visit(std::int64_t& value) {
  auto number = static_cast<double>(value);
  visit(number);
  value = static_cast<std::int64_t>(number);
}

void Archive::visit(bool& value) {
  double number = value ? 1 : 0;
  visit(number);
  value = number != 0;
}

void Archive::visit(std::vector<double>& values) {
  auto count = static_cast<std::int64_t>(values.size());
  visit(count);
  if (reading_) values.resize(static_cast<std::size_t>(count));
  for (double& value : values) visit(value);
}

void Archive::visit(Matrix<double>& matrix) {
  std::int64_t rows = matrix.rows(), columns = matrix.cols();
  visit(rows);
  visit(columns);
  if (reading_) matrix.resize(rows, columns);
  for (Index k = 0; k < matrix.size(); ++k) visit(matrix.data()[k]);
}

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

Dataset saved_tasks(PhaseTasks& tasks, std::vector<double> finished) {
  Dataset data;
  save_numbers(data, "finished", std::move(finished));
  for (std::size_t k = 0; k < tasks.size(); ++k) {
    Archive archive;
    tasks[k]->visit(archive);
    save_numbers(data, task_name(k), archive.values());
  }
  return data;
}

std::vector<double> finished_part(const Dataset& saved) { return load_numbers(saved, "finished"); }

void restore_tasks(const Dataset& saved, PhaseTasks& tasks) {
  for (std::size_t k = 0; k < tasks.size(); ++k) {
    if (!saved.has(task_name(k)))
      throw DataError(concat("checkpoint: there is no /", task_name(k), "; it belongs to another run."));
    Archive archive(load_numbers(saved, task_name(k)));
    tasks[k]->visit(archive);
  }
}

}  // namespace fovea::opinion::phase
