#pragma once
/// The input files of one run, opened once: the check of the config and the run, a door and the experiment it asks, and
/// all points of a sweep that read the same get the same object.
///
/// Two configs read the same if they agree in every key that open() asked for. What was read last is kept; what was
/// read before lives on as long as a point uses it, and is read again where it is asked for later: so a sweep over
/// what is read does not gather all of it in memory. A file that has changed is read again, and so is one that had
/// been written less than two seconds before it was read: the clocks of some disks could hide a second change.

#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "fovea/core/lab/experiment.hpp"

namespace fovea {

/// Safe for several threads; one of them reads at a time.
class OpenInputs {
 public:
  OpenInputs();
  ~OpenInputs();
  OpenInputs(const OpenInputs&) = delete;
  OpenInputs& operator=(const OpenInputs&) = delete;

  /// What experiment.open(config) gives, or gave: all calls must be about one experiment. Throws what open() throws.
  Inputs of(const Experiment& experiment, const Config& config);

  /// The same for the last who asks: nothing is kept here, so that what is let go there is gone.
  Inputs take(const Experiment& experiment, const Config& config);

  /// Keeps nothing any more that nobody uses.
  void let_go();

  /// Whether what this config reads was opened before, kept or not.
  bool knows(const Config& config) const;

  /// For a door that must look into its file before it knows which experiment it asks: what read() gives, kept as what
  /// open() gives where a config has these values. keys: all those that open() asks for; one of them has `file`.
  Inputs look(const std::map<std::string, ConfigValue>& keys, const std::string& file,
              const std::function<Inputs()>& read);

 private:
  struct Record;
  std::optional<Inputs> kept(const Config& config);
  void keep(Record record, const Inputs& inputs);

  std::mutex reading_;
  mutable std::mutex remembering_;
  std::vector<Record> records_;
  Inputs latest_;
};

}  // namespace fovea
