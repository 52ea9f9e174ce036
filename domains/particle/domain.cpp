#include "fovea/core/lab/domain.hpp"

#include "fovea/domains/particle/clustering/clustering.hpp"
#include "fovea/domains/particle/door/jets.hpp"
#include "fovea/domains/particle/examples.hpp"
#include "fovea/domains/particle/experiments.hpp"
#include "fovea/domains/particle/file_findings.hpp"
#include "fovea/domains/particle/findings.hpp"
#include "fovea/domains/particle/inspect/inspection.hpp"

namespace fovea::particle {

namespace {

#define FOVEA_EXPERIMENT(folder, name) &folder::make_##name,
const std::vector<MakeExperiment> kExperiments{
#include "fovea/domains/particle/experiments.inl"
};
#undef FOVEA_EXPERIMENT

}  // namespace

Domain domain() {
  Domain domain{
      "particle", "events and jets of particle colliders", kExperiments, {}, {door::jets()}, {inspect::inspection()}};
  domain.findings = finding_kinds<AttentionBeatsNumbers, NumbersBeatAttention, PerhapsMeV, PerhapsTeV, ClassesRenamed,
                                  SumsDiffer, RepeatedSets, OneClassAlone, NumberTellsClass, ShortcutSeparates>();
  domain.examples = examples();
  if (clustering::has_fastjet())
    domain.libraries = {
        {"fastjet", clustering::fastjet_version(),
         "is under the GPL, version 2 or later; whoever passes this program on must do so under the GPL "
         "with its source, or build it without FastJet (-DFOVEA_FASTJET=OFF)"}};
  return domain;
}

}  // namespace fovea::particle
