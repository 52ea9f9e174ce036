#pragma once
/// Keys and options of files of particles that several experiments and commands have (core/config/keys.hpp).

#include "fovea/core/base/error.hpp"
#include "fovea/core/config/keys.hpp"
#include "fovea/core/lab/arguments.hpp"

namespace fovea::particle {

inline const SharedKey kTrainingFiles{"data.train", "training files; none: simulated"};
inline const SharedKey kTestFiles{"data.test", "test files; none: a part of the others"};
inline const SharedKey kSimulatedEvents{"data.events", "number of simulated events, where there is no file"};
inline const SharedChoice<> kEnergyUnit{
    "data.unit", {"", "GeV", "MeV"}, "unit of energies, where a file states none or a wrong one; empty: as it states"};
inline const SharedChoice<> kAxis{
    "data.axis", {"", "eta", "rapidity"}, "coordinate along the beam, where a file states none; empty: as it states"};

/// Of the option --bad, as data.bad. Throws UsageError for another word.
inline bool leaves_out_bad(const Arguments& arguments) {
  const std::string word = arguments.text("bad", "stop");
  if (word != "stop" && word != "leave out")
    throw UsageError(concat("--bad ", word, ": must be stop or \"leave out\"."));
  return word == "leave out";
}
inline const Option kBadOption{"bad", 0, "WHAT", "records that cannot be read: stop (the default), or leave out",
                               false};

}  // namespace fovea::particle
