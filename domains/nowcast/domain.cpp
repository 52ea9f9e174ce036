#include "fovea/core/lab/domain.hpp"

#include "fovea/domains/nowcast/experiments.hpp"
#include "fovea/domains/nowcast/findings.hpp"
#include "fovea/domains/nowcast/made/made_findings.hpp"

namespace fovea::nowcast {

namespace {

#define FOVEA_EXPERIMENT(folder, name) &folder::make_##name,
const std::vector<MakeExperiment> kExperiments{
#include "fovea/domains/nowcast/experiments.inl"
};
#undef FOVEA_EXPERIMENT

}  // namespace

Domain domain() {
  Domain domain{"nowcast", "recessions: how probable this month is one, from events", kExperiments, {}, {}};
  domain.findings = finding_kinds<AttentionBesideRidge, FewRecessions, FollowsHiddenCause, HalfLivesToldByData,
                                  KnownCauses, MonthsByRecession, NowcastStands, RecessionsLeftOut, RevisedValues>();
  return domain;
}

}  // namespace fovea::nowcast
