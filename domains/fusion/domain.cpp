#include "fovea/core/lab/domain.hpp"

#include "fovea/datasets/recognise/file_kind.hpp"
#include "fovea/domains/fusion/examples.hpp"
#include "fovea/domains/fusion/experiments.hpp"
#include "fovea/domains/fusion/findings.hpp"
#include "fovea/domains/fusion/inspect/inspection.hpp"
#include "fovea/domains/fusion/model/sensor_findings.hpp"

namespace fovea::fusion {

namespace {

#define FOVEA_EXPERIMENT(folder, name) &folder::make_##name,
const std::vector<MakeExperiment> kExperiments{
#include "fovea/domains/fusion/experiments.inl"
};
#undef FOVEA_EXPERIMENT

}  // namespace

Domain domain() {
  return {
      "fusion",
      "radar and optical images of the Earth together",
      kExperiments,
      {},
      {},
      {inspect::inspection()},
      {},
      {},
      finding_kinds<FusingDoesNotHelp, FusingHelps, GapsFilled, GapsMade, MoistureError, NoBetterThanInterpolation,
                    NoCaseLeft, OneSensorAlone, PatchesFound, SensorsLost, ShiftNotFound, StackedTrees, TestSitesDrawn,
                    TrustPredictions, UnderStress>(),
      {{"a list of scenes",
        [](const std::string& path) { return datasets::kind_of_file(path) == datasets::FileKind::scenes; },
        "fovea run fusion.flood --set data.scenes=@"},
       {"a raster", [](const std::string& path) { return datasets::kind_of_file(path) == datasets::FileKind::raster; },
        "name @ in a list of scenes (CSV scene,s1,s2[,labels]), and: fovea run fusion.flood --set data.scenes=LIST"}},
      examples()};
}

}  // namespace fovea::fusion
