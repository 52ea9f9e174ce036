#pragma once
/// The jets that keys name: the files of a training part and of a test part, one after the other.

#include <memory>
#include <string>
#include <vector>

#include "fovea/core/lab/experiment.hpp"
#include "fovea/core/study/cases/reading.hpp"
#include "fovea/datasets/particles/particles.hpp"

namespace fovea::particle::tag {

/// What the keys data.* of jets say.
struct JetSettings {
  std::vector<std::string> train, test;  ///< files
  std::vector<std::string> labels;       ///< of all jets of each file of `train`; none: as the files say
  std::string unit, axis;
  Index simulated = 6000;  ///< jets, where no file is given
  bool leave_out_bad = false;
};
const Keys<JetSettings>& jet_keys();
/// There must be as many labels as files.
void check_jet_files(const JetSettings& settings, const Complain& complain);

/// A block of jets of one file.
struct JetBlock {
  std::string source;  ///< the file
  datasets::particles::ParticleSets jets;
  Index first = 0;                 ///< its first jet's number in the file
  std::vector<std::string> parts;  ///< "training", "validation", "test" of each; empty: nobody says
  std::vector<std::string> ids;    ///< of each, unlike those of any other jet
};

/// Blocks of these files. A share `validation` (split.validation) of the jets of data.train validates where there is a
/// file to test on: which ones depends on their numbers alone.
class JetFiles {
 public:
  /// looks: whether reading() has findings on the jets, for which they are surveyed. Throws ConfigError where there are
  /// not as many labels as files; DataError for a file that is named twice.
  /// classes: what the question calls the labels 0 and 1; none: it does not.
  JetFiles(const JetSettings& settings, double validation, bool looks = false, std::vector<std::string> classes = {});
  ~JetFiles();
  /// The next jets of a file, at most `most`; no jets at the end. Throws DataError, also for a file of events, and for
  /// a jet without constituents.
  JetBlock read(Index most);
  /// Of all files so far.
  study::Reading reading() const;

 private:
  JetBlock next_block(Index most);
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace fovea::particle::tag
