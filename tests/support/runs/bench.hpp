#pragma once
/// A workbench that stops runs and lets them go on.

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "fovea/core/base/error.hpp"
#include "fovea/core/lab/checkpoint/own_rows.hpp"
#include "fovea/core/lab/experiment.hpp"
#include "fovea/tests/support/catch.hpp"

namespace fovea::support {

/// Stops a run at one of its checkpoints, having saved; the next run on the same bench goes on from there. Claims that
/// progress stays in [0, 1] and never falls.
class StoppingBench final : public Workbench {
 public:
  /// at: the checkpoint to stop at, counted from 1; 0: none.
  explicit StoppingBench(int at = 0) : stop_at_(at) {}
  /// Lets a run go on from this state, to its end.
  explicit StoppingBench(Dataset state) : saved(std::move(state)) {}
  /// Counts the checkpoints of the next run anew.
  void begin_again(int at = 0) { stop_at_ = at, checkpoints_ = 0; }

  std::optional<Dataset> restored() override {
    std::optional<Dataset> state = saved;
    if (state && own_.rows != nullptr) take_own_rows(own_, *state);
    return state;
  }
  void own_rows(Matrix<double>& rows, RankPart part, Index total) override { own_ = {&rows, part, total}; }
  void checkpoint(const std::function<Dataset()>& state) override {
    ++checkpoints_;
    if (keep_each > 0 && checkpoints_ % keep_each == 0) kept.push_back(whole(state));
    if (checkpoints_ != stop_at_) return;
    saved = whole(state);
    throw Interrupted("stopped by the test");
  }
  void progress(double fraction) override {
    CHECK((fraction <= 1 && fraction >= (fractions.empty() ? 0 : fractions.back())));
    fractions.push_back(fraction);
  }
  void log(const std::string& line) override { lines.push_back(line); }

  int keep_each = 0;              ///< every how many checkpoints a state goes to `kept`; 0: never
  std::optional<Dataset> saved;   ///< at the last stop
  std::vector<Dataset> kept;      ///< in their order
  std::vector<double> fractions;  ///< of all runs
  std::vector<std::string> lines;

 private:
  Dataset whole(const std::function<Dataset()>& state) const {
    Dataset saving = state();
    if (own_.rows != nullptr) add_own_rows(own_, saving);
    return saving;
  }

  int stop_at_ = 0, checkpoints_ = 0;
  OwnRows own_;
};

/// One that keeps every state, or every so many-th, and never stops.
inline StoppingBench keeping_bench(int each = 1) {
  StoppingBench bench;
  bench.keep_each = each;
  return bench;
}

}  // namespace fovea::support
