#pragma once
/// Keys of files of particles that several experiments have (SharedKey, core/config/keys.hpp).

#include "fovea/core/config/keys.hpp"

namespace fovea::particle {

inline const SharedKey kTrainingFiles{"data.train", "training files; none: simulated"};
inline const SharedKey kTestFiles{"data.test", "test files; none: a part of the others"};
inline const SharedKey kSimulatedEvents{"data.events", "number of simulated events, where there is no file"};
inline const SharedChoice<> kEnergyUnit{
    "data.unit", {"", "GeV", "MeV"}, "unit of energies, where a file states none or a wrong one; empty: as it states"};
inline const SharedChoice<> kAxis{
    "data.axis", {"", "eta", "rapidity"}, "coordinate along the beam, where a file states none; empty: as it states"};

}  // namespace fovea::particle
