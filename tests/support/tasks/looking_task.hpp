#pragma once
/// A learned question whose runs can be looked into.

#include <functional>
#include <memory>
#include <utility>

#include "fovea/core/study/study.hpp"
#include "fovea/tests/support/tasks/toy_task.hpp"

namespace fovea::support {

/// A task that takes a look at what a run found.
class LookingTask final : public study::LearnedTask {
 public:
  using Look = std::function<void(const study::StudyOutcome&)>;
  explicit LookingTask(Look look, std::unique_ptr<study::LearnedTask> task = toy_task())
      : look_(std::move(look)), task_(std::move(task)) {}
  std::string_view name() const override { return task_->name(); }
  std::string_view summary() const override { return task_->summary(); }
  int result_version() const override { return 1; }
  std::string data_key() const override { return task_->data_key(); }
  void keys(Schema& schema) const override { task_->keys(schema); }
  study::Target target(const Config& config) const override { return task_->target(config); }
  std::unique_ptr<study::CaseReader> open(const Config& config, const Random& random) const override {
    return task_->open(config, random);
  }
  void examine(const study::StudyOutcome& outcome, Results&) const override { look_(outcome); }

 private:
  Look look_;
  std::unique_ptr<study::LearnedTask> task_;
};

}  // namespace fovea::support
