/// The experiment "opinion.phase": given a model and a range of one of its numbers, it finds the transition by itself.
/// Keys: settings.cpp and control.cpp; the search: phase.hpp.

#include <algorithm>
#include <cmath>

#include "fovea/core/base/error.hpp"
#include "fovea/domains/opinion/dynamics/formula/formula_keys.hpp"
#include "fovea/domains/opinion/dynamics/model_keys.hpp"
#include "fovea/domains/opinion/experiments.hpp"
#include "fovea/domains/opinion/phase/outcome.hpp"
#include "fovea/domains/opinion/phase/settings.hpp"

namespace fovea::opinion::phase {

namespace {

constexpr std::int64_t kLongestLifetime = 20000;  // steps: those beyond are known by the same formula

/// A control that every agent has of its own would turn nothing.
void require_free_control(const Config& config, const PhaseFiles& files) {
  const std::string& control = config.text("phase.control");
  const std::vector<double>& own = control == "temperature"    ? files.traits.temperature
                                   : control == "confidence"   ? files.traits.confidence
                                   : control == "stubbornness" ? files.traits.stubbornness
                                                               : std::vector<double>{};
  const bool free = own.empty() || std::any_of(own.begin(), own.end(), [](double value) { return std::isnan(value); });
  if (!free)
    throw DataError(concat(config.text("start.file"), ": gives every agent its own ", control,
                           ", which is phase.control; leave that column out, or empty for those who follow it."));
}

class Phase : public Experiment {
 public:
  std::string_view name() const override { return "opinion.phase"; }
  std::string_view summary() const override {
    return "location and order (continuous or first-order) of a model's transition, with confidence intervals";
  }
  int result_version() const override { return 6; }
  Schema schema() const override { return phase_schema(); }
  void check(const Config& config, Complaints& complaints) const override { check_phase(config, complaints); }

  Inputs open(const Config& config) const override {
    PhaseFiles files = simulate::open_simulation(config);
    return files.population ? as_inputs(std::move(files)) : Inputs{};
  }

  void check_inputs(const Config& config, const Inputs& inputs) const override {
    const auto files = inputs.as<PhaseFiles>();
    const dynamics::ModelSettings model = dynamics::model_settings(config);
    const society::PopulationSettings population = society::population_settings(config);
    Complaints complaints;
    society::KeyRules rules(config, complaints);
    if (files->population != nullptr) dynamics::check_signs(model, population, files->population->graph.get(), rules);
    dynamics::check_traits(model, population, files->traits);
    dynamics::Agents own;
    society::add_traits(files->traits, {model.stubbornness}, own);
    dynamics::check_stubbornness(model, population, own, rules);
    require_free_control(config, *files);
    const Random random(config.seed.value_or(1));
    phase_crowd(config, *files, config.real("phase.low"), phase_sizes(config, *files).front(), 0, 0, random);
  }

  void run(const Config& config, Inputs inputs, const Random& random, Results& results,
           Workbench& bench) const override {
    const PhaseFiles files = inputs.empty() ? PhaseFiles{} : *inputs.as<PhaseFiles>();
    const auto make = [&](double control, Index size, Index replica, Index walk) {
      return phase_crowd(config, files, control, size, replica, walk, random);
    };
    const PhaseFindings findings =
        find_transitions(phase_settings(config, files), make, random.stream("bootstrap"), bench);
    write_phase(config, findings, results);
    if (phase_is_plain_averaging(config) && config.text("model.score") == "gaussian" &&
        config.text("phase.control") == "temperature")
      write_lifetimes(config, measure_lifetimes(config, kLongestLifetime, random.stream("lifetimes")), results);
  }

  void conclude(Results& merged) const override {
    if (merged.data.has("order")) add_phase_figures(merged);
    if (!merged.verdict().empty()) return;
    std::size_t held = 0;
    for (const Check& check : merged.checks()) held += check.holds() ? 1 : 0;
    merged.verdict(concat(held, " of ", merged.checks().size(), " known results were reproduced."));
  }
};

}  // namespace

std::unique_ptr<Experiment> make_phase() { return std::make_unique<Phase>(); }

}  // namespace fovea::opinion::phase
