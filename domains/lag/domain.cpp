#include "fovea/core/lab/domain.hpp"

#include "fovea/datasets/recognise/file_kind.hpp"
#include "fovea/datasets/series/findings.hpp"
#include "fovea/domains/lag/discover/findings.hpp"
#include "fovea/domains/lag/door/lags.hpp"
#include "fovea/domains/lag/examples.hpp"
#include "fovea/domains/lag/experiments.hpp"
#include "fovea/domains/lag/findings.hpp"
#include "fovea/domains/lag/methods/methods.hpp"
#include "fovea/domains/lag/network/findings.hpp"
#include "fovea/domains/lag/pair/findings.hpp"

namespace fovea::lag {

namespace {

using datasets::series::CountsRows, datasets::series::LocalClock, datasets::series::NumberedRecordings,
    datasets::series::RunningTotals, datasets::series::SameColumns, datasets::series::SummingColumns,
    datasets::series::TimesRead, discover::BeyondSteadyEffects, discover::DoubtAboutLinks,
    discover::FewLinksOnSurrogates, discover::LinksOfWanderers, discover::UnpromisedLinks, network::LagChanges,
    pair::FalseAlarmsOfSimulatedPairs, pair::LagsOfSimulatedPairs, pair::NoPairCanBeRelated, pair::NoSignificantLag,
    pair::RelatedPairs, pair::SignificantLag;

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
  return {"lag",
          "which series drives which, at which lags, and with what significance",
          kExperiments,
          {{"methods", &method_rows}},
          {door::lags()},
          {},
          {},
          {},
          finding_kinds<AttentionOffDelays, AttentionOnDelays, BeyondSteadyEffects, CountsRows, DoubtAboutLinks,
                        FalseAlarmsOfSimulatedPairs, FalseLinksOnSurrogates, FewLinksOnSurrogates, HiddenFactor,
                        LagChanges, LagsOfSimulatedPairs, LinksOfWanderers, LocalClock, MayWander, NoPairCanBeRelated,
                        NoSignificantLag, NoSignificantLink, NumberedRecordings, PairOfGroup, RelatedPairs,
                        RunningTotals, SameColumns, SharedCourseExplainsLinks, SignificantLag, SignificantLinks,
                        SummingColumns, TimesRead, UnpromisedLinks>(),
          {{"a table of time series",
            [](const std::string& path) { return datasets::kind_of_file(path) == datasets::FileKind::series; },
            "fovea lags @"}},
          examples()};
}

}  // namespace fovea::lag
