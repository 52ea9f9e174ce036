/// The experiment "opinion.temperature": how a crowd that attends to itself polarizes as the temperature falls, and
/// whether it comes back when the temperature rises. The equations are in domains/opinion/theory.md; every key is
/// declared in the schema.
///
/// One point of a sweep is one branch (cooling, heating or fresh) with one seed; it writes, over "temperature":
///   variance, sd, bimodality, esteban_ray, camps, largest_camp_share, camp_distance, nearest_camps, echo_chamber,
///   at_rest, steps; modularity, assortativity on a network; share_on_real_side, share_undecided when some members are
///   known; predicted_sd (Gaussian state, NaN where there is none); opinion_density(temperature, opinion);
///   attention(temperature, from, to); opinions(temperature, agent[, component]) or opinion_quantile(temperature,
///   quantile);
/// and the scalars transition_temperature, transition_half_width, predicted_transition (NaN where there is none).
/// A network adds names, drawing positions, edges, and plain label propagation beside the attention.

#include "fovea/domains/opinion/experiments.hpp"
#include "fovea/domains/opinion/society/population.hpp"
#include "fovea/domains/opinion/temperature/outcome.hpp"
#include "fovea/domains/opinion/temperature/settings.hpp"

namespace fovea::opinion::temperature {

namespace {

class TemperatureExperiment : public Experiment {
 public:
  std::string_view name() const override { return "opinion.temperature"; }
  std::string_view summary() const override {
    return "polarization against the temperature of the attention, on cooling and on heating";
  }
  int result_version() const override { return 7; }
  Schema schema() const override { return temperature_schema(); }

  void check(const Config& config, Complaints& complaints) const override { check_settings(config, complaints); }

  Inputs open(const Config& config) const override { return Inputs(society::open_population(config)); }

  void check_inputs(const Config& config, const Inputs& inputs) const override {
    const Random random(config.seed.value_or(1));
    society::make_population(society::population_settings(config), inputs.as<society::PopulationFiles>().get(), random);
  }

  void run(const Config& config, Inputs inputs, const Random& random, Results& results,
           Workbench& bench) const override {
    const auto files = inputs.as<society::PopulationFiles>();
    TemperatureSettings settings = temperature_settings(config);
    const society::Population population = society::make_population(settings.population, files.get(), random);
    settings.observer.opinion_limit = society::opinion_limit(settings.population, population);
    const Observer observer(population, settings.observer);
    const std::unique_ptr<dynamics::Dynamics> crowd = make_crowd(settings, population, random);
    const WalkResult found = walk(*crowd, observer, settings.walk, bench);
    write_outcome(settings, population, observer, found, results);
    results.data.attributes["branch"] = config.text("branch");
  }

  void conclude(Results& merged) const override { write_verdict(merged); }
};

}  // namespace

std::unique_ptr<Experiment> make_temperature() { return std::make_unique<TemperatureExperiment>(); }

}  // namespace fovea::opinion::temperature
