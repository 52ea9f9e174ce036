#include "fovea/core/lab/domain.hpp"

#include "fovea/domains/imaging/examples.hpp"
#include "fovea/domains/imaging/experiments.hpp"
#include "fovea/domains/imaging/findings.hpp"
#include "fovea/domains/imaging/inpaint/door.hpp"
#include "fovea/domains/imaging/inspect/inspection.hpp"
#include "fovea/domains/imaging/radiomics/door.hpp"
#include "fovea/domains/imaging/radiomics/repeat_findings.hpp"

namespace fovea::imaging {

namespace {

#define FOVEA_EXPERIMENT(folder, name) &folder::make_##name,
const std::vector<MakeExperiment> kExperiments{
#include "fovea/domains/imaging/experiments.inl"
};
#undef FOVEA_EXPERIMENT

}  // namespace

Domain domain() {
  Domain domain{"imaging",
                "medical and other images: fill holes, measure regions",
                kExperiments,
                {},
                {inpaint::door(), radiomics::door()}};
  domain.findings =
      finding_kinds<AttentionAddsLittle, AttentionMends, FeaturesRepeat, HolesFilled, NoDevice, NoFeatureRepeats>();
  domain.examples = examples();
  domain.inspections = {inspect::inspection()};
  return domain;
}

}  // namespace fovea::imaging
