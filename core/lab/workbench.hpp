#pragma once
/// The workbench of a point that is computed in a folder: two generations of checkpoints, a stop flag, progress, log.
///
/// Files: checkpoint-0.h5 and checkpoint-1.h5 in turn, sealed (checkpoint/sealed_file.hpp): where one was cut off or
/// damaged, the generation before it is restored. Rank 0 writes them, when every rank has written its own rows.

#include <chrono>
#include <cstdint>
#include <functional>
#include <string>

#include "fovea/core/base/place.hpp"
#include "fovea/core/base/stop_flag.hpp"
#include "fovea/core/lab/checkpoint/own_rows.hpp"
#include "fovea/core/lab/experiment.hpp"

namespace fovea {

struct BenchPlan {
  Place folder = "";               ///< where the checkpoints go
  double interval_seconds = 10;    ///< time between checkpoints; 0: at every opportunity
  const StopFlag* stop = nullptr;  ///< may be null: never stopped
  const Ranks* ranks = &alone();   ///< who compute the point together; all ends and saves at the same step
  std::function<void(double)> progress = [](double) {};
  std::function<void(const std::string&)> log = [](const std::string&) {};
  std::function<void(const std::string&)> say = [](const std::string&) {};  ///< to the user
};

class LabWorkbench final : public Workbench {
 public:
  explicit LabWorkbench(BenchPlan plan);
  std::optional<Dataset> restored() override;
  void checkpoint(const std::function<Dataset()>& state) override;
  const Ranks& ranks() const override { return *plan_.ranks; }
  void own_rows(Matrix<double>& rows, RankPart part, Index total) override { own_ = {&rows, part, total}; }
  void progress(double fraction) override { plan_.progress(fraction); }
  void log(const std::string& line) override { plan_.log(line); }
  void say(const std::string& sentence) override { plan_.say(sentence); }

 private:
  void save(Dataset state);
  std::optional<Dataset> state_of(std::uint64_t number);

  BenchPlan plan_;
  OwnRows own_;
  std::uint64_t next_number_ = 1;
  std::chrono::steady_clock::time_point last_saved_;
};

/// Whether there is a checkpoint from which a point would go on.
bool has_checkpoints(const Place& folder);
/// Removes the checkpoints of a folder, seals first. Throws StorageError.
void remove_checkpoints(const Place& folder);

}  // namespace fovea
