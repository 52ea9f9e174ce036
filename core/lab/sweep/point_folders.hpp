#pragma once
/// The points of a sweep on the disk: where each lies, and how it stands. What makes a point's identity is worked out
/// when it is first asked for. Safe for several threads.

#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "fovea/core/lab/directory/manifest.hpp"
#include "fovea/core/lab/directory/run_identity.hpp"
#include "fovea/core/lab/sweep.hpp"

namespace fovea {

class PointFolders {
 public:
  /// files: to hash.
  PointFolders(const Experiment& experiment, const Sweep& sweep, InputFiles& files, RunDirectory directory);

  std::size_t size() const { return sweep_.size(); }
  const Sweep& sweep() const { return sweep_; }
  const std::string& identity(std::size_t point);
  RunDirectory folder(std::size_t point) { return directory_.point(identity(point)); }

  bool is_finished(std::size_t point, Look look) { return finished(folder(point), identity(point), look).has_value(); }
  /// Whether another sweep of the same experiment beside this one had finished the point, and it is here now as well.
  bool is_taken_over(std::size_t point);
  /// Whether as many points as there are have a result or a failure here: a look that needs no identity.
  bool may_be_complete() const;

 private:
  const Experiment& experiment_;
  const Sweep& sweep_;
  InputFiles& files_;
  RunDirectory directory_;
  Config config_;                        ///< of the last point whose identity was worked out
  std::vector<std::string> identities_;  ///< empty: not worked out yet
  std::optional<std::vector<RunDirectory>> others_;
  std::mutex mutex_;
};

}  // namespace fovea
