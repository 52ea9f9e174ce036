/// The experiment "opinion.phase": given a model and a range of one of its numbers, it finds the transition by itself.
/// Keys: settings.cpp and control.cpp; the search: phase.hpp.

#include <omp.h>

#include <algorithm>
#include <cmath>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/machine/thread_count.hpp"
#include "fovea/domains/opinion/cost.hpp"
#include "fovea/domains/opinion/dynamics/formula/formula_keys.hpp"
#include "fovea/domains/opinion/dynamics/model_keys.hpp"
#include "fovea/domains/opinion/experiments.hpp"
#include "fovea/domains/opinion/phase/outcome.hpp"
#include "fovea/domains/opinion/phase/page/doubts.hpp"
#include "fovea/domains/opinion/phase/question.hpp"
#include "fovea/domains/opinion/phase/rounds.hpp"

namespace fovea::opinion::phase {

namespace {

/// A control that every agent has of its own would turn nothing.
void require_free_control(const std::string& control, const society::Traits& traits, const std::string& path) {
  const std::vector<double>& own = control == "temperature"    ? traits.temperature
                                   : control == "confidence"   ? traits.confidence
                                   : control == "stubbornness" ? traits.stubbornness
                                                               : std::vector<double>{};
  const bool free = own.empty() || std::any_of(own.begin(), own.end(), [](double value) { return std::isnan(value); });
  if (!free)
    throw DataError(concat(path, ": gives every agent its own ", control,
                           ", which is phase.control; leave that column out, or empty for those who follow it."));
}

/// Seconds of all walks, on one thread each: with noise of the first grid, and of it with all refinements; without of
/// the grid as a small crowd walks it, and of it with every change that may be met on it.
RunCost search_cost(const PhaseSettings& search, const CrowdMaker& make) {
  constexpr double kBrackets = 4;                // times the grid
  constexpr double kCell = 400, kValues = 3200;  // bytes of what is kept at a control, and of the largest crowd's
  const double threads = omp_get_max_threads();
  const ThreadCount alone(1);
  const double replicas = static_cast<double>(search.noisy || search.drawn ? search.replicas : 1);
  const double walks = replicas * (search.fresh ? 1 : 2), points = static_cast<double>(search.points);
  RunCost cost;
  for (std::size_t k = 0; k < search.sizes.size(); ++k) {
    const Index size = search.sizes[k];
    const double refined = search.noisy ? steps_of_refinements(search, static_cast<std::int64_t>(k)) : 0;
    double least = 0, most = 0, bytes = 0;
    for (const double control : {search.low, std::sqrt(search.low * search.high), search.high}) {
      const double stay = static_cast<double>(search.noisy ? search.steps + search.burn_in : search.steps_max);
      const CrowdCost one = crowd_cost(
          size, [&](Index agents) { return make(control, agents, 0, 0); }, stay, search.noisy ? 0 : search.tolerance);
      least += points * one.least_steps * one.seconds / 3;
      most += (points * (search.noisy ? 1 : kBrackets) * one.most_steps + refined) * one.seconds / 3;
      bytes = std::max(bytes, one.bytes + points * (kCell + (size == search.sizes.back() ? kValues : 0)));
    }
    const double at_once = std::min(walks * static_cast<double>(search.sizes.size()), threads);
    cost.least_seconds += walks * least / at_once;
    cost.most_seconds += walks * most / at_once;
    cost.bytes += walks * bytes;
  }
  return cost;
}

class Phase : public Experiment {
 public:
  std::string_view name() const override { return "opinion.phase"; }
  std::string_view summary() const override {
    return "location and order (continuous or first-order) of a model's transition, with confidence intervals";
  }
  int result_version() const override { return 8; }
  Schema schema() const override { return phase_schema(); }
  void check(const Config& config, Complaints& complaints) const override { check_phase(config, complaints); }

  Inputs open(const Config& config) const override {
    PhaseFiles files = simulate::open_simulation(config);
    return files.population ? as_inputs(std::move(files)) : Inputs{};
  }

  void check_inputs(const Config& config, const Inputs& inputs) const override {
    const auto files = inputs.as<PhaseFiles>();
    const PhaseQuestion question = phase_question(config, *files);
    Complaints complaints;
    society::KeyRules rules(config, complaints);
    if (files->population != nullptr)
      dynamics::check_signs(question.model, question.population, files->population->graph.get(), rules);
    dynamics::check_traits(question.model, question.population, files->traits);
    dynamics::Agents own;
    society::add_traits(files->traits, {question.model.stubbornness}, own);
    dynamics::check_stubbornness(question.model, question.population, own, rules);
    require_free_control(question.control.given, files->traits, question.population.start.file);
    const CrowdMaker make = phase_crowds(config, *files, Random(config.seed.value_or(1)));
    make(question.search.low, question.search.sizes.front(), 0, 0);
  }

  RunCost cost(const Config& config, const Inputs& inputs) const override {
    const PhaseFiles files = inputs.empty() ? PhaseFiles{} : *inputs.as<PhaseFiles>();
    const PhaseQuestion question = phase_question(config, files);
    return search_cost(question.search, phase_crowds(config, files, Random(1)));
  }

  void run(const Config& config, Inputs inputs, const Random& random, Results& results,
           Workbench& bench) const override {
    const PhaseFiles files = inputs.empty() ? PhaseFiles{} : *inputs.as<PhaseFiles>();
    const PhaseQuestion question = phase_question(config, files);
    const PhaseFindings findings =
        find_transitions(question.search, phase_crowds(config, files, random), random.stream("bootstrap"), bench);
    write_phase(question, findings, results);
    if (!question.plain_averaging || question.model.score != "gaussian" || question.control.given != "temperature")
      return;
    write_lifetimes(question, phase_crowds(config, files, random.stream("lifetimes")), results);
  }

  void conclude(Results& merged) const override {
    if (merged.data.has("order")) add_phase_figures(merged);
    if (!merged.verdict().empty()) return;
    const auto& checks = merged.checks();
    const auto held = std::count_if(checks.begin(), checks.end(), [](const Check& check) { return check.holds(); });
    merged.finding(KnownReproduced{static_cast<std::size_t>(held), checks.size()});
  }
};

}  // namespace

std::unique_ptr<Experiment> make_phase() { return std::make_unique<Phase>(); }

}  // namespace fovea::opinion::phase
