#include "fovea/core/lab/domain.hpp"

#include <algorithm>
#include <limits>

#include "fovea/core/base/error.hpp"
#include "fovea/datasets/network/findings.hpp"
#include "fovea/datasets/recognise/file_kind.hpp"
#include "fovea/domains/opinion/dynamics/formula/formula_model.hpp"
#include "fovea/domains/opinion/dynamics/models.hpp"
#include "fovea/domains/opinion/examples.hpp"
#include "fovea/domains/opinion/experiments.hpp"
#include "fovea/domains/opinion/findings.hpp"
#include "fovea/domains/opinion/fit/findings.hpp"
#include "fovea/domains/opinion/fit/series_findings.hpp"
#include "fovea/domains/opinion/measure/findings.hpp"
#include "fovea/domains/opinion/measures/measure_table.hpp"
#include "fovea/domains/opinion/moderation/findings.hpp"
#include "fovea/domains/opinion/phase/page/doubts.hpp"
#include "fovea/domains/opinion/phase/page/findings.hpp"
#include "fovea/domains/opinion/phase/question.hpp"
#include "fovea/domains/opinion/simulate/settings.hpp"
#include "fovea/domains/opinion/temperature/findings.hpp"

namespace fovea::opinion {

namespace {

#define FOVEA_EXPERIMENT(folder, name) &folder::make_##name,
const std::vector<MakeExperiment> kExperiments{
#include "fovea/domains/opinion/experiments.inl"
};
#undef FOVEA_EXPERIMENT

std::vector<TableRow> measure_rows() {
  constexpr double kInfinite = std::numeric_limits<double>::infinity();
  std::vector<TableRow> rows;
  for (const measures::MeasureEntry& entry : measures::measures())
    rows.push_back({std::string(entry.name), std::string(entry.definition),
                    concat(entry.low > -kInfinite ? "in [" : "in (", entry.low, ", ", entry.high,
                           entry.high < kInfinite ? "]" : ")", entry.unit == "1" ? "" : concat(" ", entry.unit),
                           entry.needs_network ? ", on a network" : "",
                           entry.undefined.empty() ? "" : concat("; NaN where ", entry.undefined)),
                    std::string(entry.source)});
  return rows;
}

std::vector<TableRow> model_rows() {
  std::vector<TableRow> rows;
  for (const dynamics::ModelEntry& entry : dynamics::models())
    rows.push_back(
        {std::string(entry.name), std::string(entry.equation), std::string(entry.reads), std::string(entry.source)});
  return rows;
}

/// What formulas of a model may use.
std::vector<TableRow> formula_rows() {
  std::vector<TableRow> rows;
  for (const dynamics::FormulaName& name : dynamics::formula_names())
    rows.push_back({std::string(name.name), std::string(name.meaning),
                    name.key.empty() ? "" : concat("model.", name.key), std::string(name.where)});
  for (const FormulaFunction& function : formula_functions())
    rows.push_back({concat(function.name, function.arguments == 1 ? "(a)" : "(a, b)"), std::string(function.meaning),
                    "", "function"});
  std::sort(rows.begin(), rows.end(), [](const TableRow& a, const TableRow& b) { return a.name < b.name; });
  return rows;
}

std::vector<std::string> model_names() {
  std::vector<std::string> names;
  for (const dynamics::ModelEntry& entry : dynamics::models()) names.emplace_back(entry.name);
  return names;
}

Schema simulate_keys(std::string_view model) { return simulate::simulate_schema(&dynamics::find_model(model)); }
Schema phase_keys(std::string_view model) { return phase::phase_schema(&dynamics::find_model(model)); }

std::vector<FindingKind> opinion_finding_kinds() {
  using namespace phase;
  using namespace temperature;
  using namespace moderation;
  using namespace fit;
  using namespace measure;
  using namespace datasets::network;
  return finding_kinds<
      PlainAveragingMoves, StabilityLost, StabilityUnchanged, KnownResultsHold, KnownResultsFail,
      AveragingHasNoTransition, NoTransition, NotResolved, OneNoisySize, CumulantsCross, CrossingOfTwoSizes,
      SizesOffOneCurve, OrderLeavesZero, FirstOrderTransition, FinalStateChanges, OnlySmallerCrowds, PlaceOfOneSize,
      PlaceMovesWithSize, PlacesAreMeans, MeanFieldOnNetwork, CrossingTooWide, SearchNotAtRest, SharesOnSide,
      KnownReproduced, SweptTransitions, TransitionsOfBranches, NoCamps, CampsOverTemperature, AveragingNotAtRest,
      CampsOfBranch, TwoCampsEnd, TemperaturesNotAtRest, MeansOverTime, BisectionNotAtRest, LoudnessCaptures,
      NoLoudnessCaptures, AttackersNeeded, SamplesDiffer, SamplesAlike, ModelsCompared, ModelRefuted, AttentionFitted,
      SimulatedValues, GainsOverFrozen, PeopleAnswerAgain, EstimatesExamined, StillnessExamined, MotionFound,
      RunsDescribed, WindowsDescribed, RivalsNotFitted, NextPeriodPredicted, QuadratureUnresolved, InfluenceExamined,
      NetworkRecognised, EdgeWeightsUnused, EdgeColumnsUnread, RelationsOfEdges, NodeColumnsUnused, CountsRead,
      SurveyColumnsUnused, SidesOfFew, SidesDiffer, SidesAlike, DrawsByTime>();
}

}  // namespace

Domain domain() {
  return {
      "opinion",
      "opinion dynamics with attention: consensus, polarization and the transitions between them",
      kExperiments,
      {{"formula", &formula_rows}, {"measures", &measure_rows}, {"models", &model_rows}},
      {measure::door()},
      {},
      {},
      {{"opinion.phase", &model_names, &phase_keys}, {"opinion.simulate", &model_names, &simulate_keys}},
      opinion_finding_kinds(),
      {{"a network",
        [](const std::string& path) {
          const datasets::FileKind kind = datasets::kind_of_file(path);
          return kind == datasets::FileKind::edges || kind == datasets::FileKind::graph;
        },
        "fovea measure --edges @"},
       {"a survey", [](const std::string& path) { return datasets::kind_of_file(path) == datasets::FileKind::survey; },
        "fovea measure @"}},
      examples()};
}

}  // namespace fovea::opinion
