#include "fovea/core/lab/domain.hpp"

#include "fovea/domains/fusion/experiments.hpp"
#include "fovea/domains/fusion/findings.hpp"

namespace fovea::fusion {

namespace {

#define FOVEA_EXPERIMENT(folder, name) &folder::make_##name,
const std::vector<MakeExperiment> kExperiments{
#include "fovea/domains/fusion/experiments.inl"
};
#undef FOVEA_EXPERIMENT

}  // namespace

Domain domain() {
  return {"fusion",
          "radar and optical images of the Earth together",
          kExperiments,
          {},
          {},
          {},
          {},
          {},
          finding_kinds<GapsFilled, GapsMade, MoistureError, NoBetterThanInterpolation, NoCaseLeft, PatchesFound,
                        SensorsLost, TestSitesDrawn, TrustPredictions, UnderStress>()};
}

}  // namespace fovea::fusion
