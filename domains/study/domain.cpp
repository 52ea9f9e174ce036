#include "fovea/core/lab/domain.hpp"

#include "fovea/domains/study/experiments.hpp"
#include "fovea/domains/study/findings.hpp"
#include "fovea/domains/study/inspect/inspection.hpp"

namespace fovea::study {

namespace {

#define FOVEA_EXPERIMENT(folder, name) &folder::make_##name,
const std::vector<MakeExperiment> kTableExperiments{
#include "fovea/domains/study/experiments.inl"
};
#undef FOVEA_EXPERIMENT

}  // namespace

Domain domain() {
  return {"study",
          "a learned question of one's own, asked of any table of cases",
          kTableExperiments,
          {},
          {},
          {inspect::inspection()},
          {},
          {},
          finding_kinds<MayBeCodes, OthersTogether>()};
}

}  // namespace fovea::study
