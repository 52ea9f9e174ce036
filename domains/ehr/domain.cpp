#include "fovea/core/lab/domain.hpp"

#include "fovea/domains/ehr/examples.hpp"
#include "fovea/domains/ehr/experiments.hpp"
#include "fovea/domains/ehr/findings.hpp"
#include "fovea/domains/ehr/inspect/inspection.hpp"
#include "fovea/domains/ehr/risk/half_life_findings.hpp"

namespace fovea::ehr {

namespace {

#define FOVEA_EXPERIMENT(folder, name) &folder::make_##name,
const std::vector<MakeExperiment> kExperiments{
#include "fovea/domains/ehr/experiments.inl"
};
#undef FOVEA_EXPERIMENT

}  // namespace

Domain domain() {
  return {"ehr",
          "dated clinical events: how long each matters",
          kExperiments,
          {},
          {},
          {inspect::inspection()},
          {},
          {},
          finding_kinds<AlarmsCompared, AlarmsMeanNothing, HistoryAdds, HistoryHarms, KnownIncidence, NoGainFromHistory,
                        risk::HalfLivesLearned, risk::NoHalfLifeLearned, OutcomeFollowsOrder, PartsMeanNothing>(),
          {},
          examples()};
}

}  // namespace fovea::ehr
