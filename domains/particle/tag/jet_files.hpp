#pragma once
/// The jets that a config names: the files of a training part and of a test part, one after the other.

#include <memory>
#include <string>
#include <vector>

#include "fovea/core/config/config.hpp"
#include "fovea/datasets/particles/particles.hpp"
#include "fovea/domains/particle/model/jet_inputs.hpp"

namespace fovea::particle::tag {

/// Keys data.train, data.test, data.labels, data.unit, data.axis, data.jets.
void declare_jet_files(Schema& schema);
/// Keys inputs.set, inputs.ids.
void declare_inputs(Schema& schema);
model::InputOptions inputs_of(const Config& config);

/// A block of jets of one file.
struct JetBlock {
  std::string source;  ///< the file
  datasets::particles::ParticleSets jets;
  Index first = 0;                 ///< its first jet's number in the file
  std::vector<std::string> parts;  ///< "training", "validation", "test" of each; empty: nobody says
  std::vector<std::string> ids;    ///< of each, unlike those of any other jet
};

/// Blocks of the files of a config. A share split.validation of the jets of data.train validates where there is a file
/// to test on: which ones depends on their numbers alone.
class JetFiles {
 public:
  /// Throws ConfigError where there are not as many labels as files.
  explicit JetFiles(const Config& config);
  ~JetFiles();
  /// The next jets of a file, at most `most`; no jets at the end. Throws DataError, also for a file of events, and for
  /// a jet without constituents.
  JetBlock read(Index most);
  /// What the readers assumed or were told, of all files so far; a sentence each.
  std::vector<std::string> notes() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace fovea::particle::tag
