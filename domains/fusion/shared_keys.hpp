#pragma once
/// Keys that several experiments with radar and optical images have.

#include "fovea/core/config/keys.hpp"

namespace fovea::fusion {

/// Keys of which some say how data are simulated. Those are declared among the others by also(), and asked for only
/// where no data are given, S::simulated(): so points of a sweep share what is read of files whatever they say.
template <typename S>
struct DataKeys {
  Keys<S> all, simulated;
  S read(const Config& config) const {
    S settings = all.read(config);
    return settings.simulated() ? simulated.read(config, std::move(settings)) : settings;
  }
};

inline const SharedKey kScenes{
    "data.scenes", "list of scenes: CSV scene,s1,s2[,labels][,split][,mask] of GeoTIFFs beside it; none: simulated"};
inline const SharedKey kLabel{"data.label", "the array of labels in the file"};
inline const SharedKey kClasses{"data.classes",
                                "numbers of the labels to distinguish; none: those of the training pixels"};
inline const SharedKey kBands{"data.bands", "bands of S2 to use; none: all of the file"};
inline const SharedKey kSide{"data.side", "side of the simulated images", Range::at_least(1), "px"};
inline const SharedKey kLooks{"data.looks", "looks of the simulated radar; fewer: more speckle", Range::between(1, 1e6),
                              "1"};
inline const SharedKey kCloud{"data.cloud", "share of the simulated pixels whose S2 clouds hide",
                              Range::between(0, 0.9), "1"};
inline const SharedKey kBlock{"data.block", "side of the blocks that split a scene", Range::between(8, 4096), "px"};
inline const SharedKey kGuard{"data.guard", "margin inside blocks for validation and test whose pixels are left out",
                              Range::between(0, 64), "px"};
inline const SharedChoice<bool> kExamine{
    "data.examine",
    {{"test", false}, {"validation", true}},
    "blocks that are scored; validation: a fifth of the training blocks, in place of the test"};
inline const SharedKey kShift{"training.shift", "largest shift of S1 in training", Range::between(0, 16), "px"};

}  // namespace fovea::fusion
