#include "fovea/core/lab/domain.hpp"

#include "fovea/domains/lag/door/lags.hpp"
#include "fovea/domains/lag/experiments.hpp"
#include "fovea/domains/lag/findings.hpp"
#include "fovea/domains/lag/methods/methods.hpp"
#include "fovea/domains/lag/pair/findings.hpp"

namespace fovea::lag {

namespace {

using pair::NoPairCanBeRelated, pair::NoSignificantLag, pair::SignificantLag;

#define FOVEA_EXPERIMENT(folder, name) &folder::make_##name,
const std::vector<MakeExperiment> kExperiments{
#include "fovea/domains/lag/experiments.inl"
};
#undef FOVEA_EXPERIMENT

std::vector<TableRow> method_rows() {
  std::vector<TableRow> rows;
  for (const methods::MethodEntry& entry : methods::methods())
    rows.push_back({std::string(entry.name), std::string(entry.meaning), "", std::string(entry.source)});
  return rows;
}

}  // namespace

Domain domain() {
  return {
      "lag",
      "which series drives which, at which lags, and with what significance",
      kExperiments,
      {{"methods", &method_rows}},
      {door::lags()},
      {},
      {},
      {},
      finding_kinds<AttentionOffDelays, AttentionOnDelays, FalseLinksOnSurrogates, HiddenFactor, MayWander,
                    NoPairCanBeRelated, NoSignificantLag, PairOfGroup, SharedCourseExplainsLinks, SignificantLag>()};
}

}  // namespace fovea::lag
