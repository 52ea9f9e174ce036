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

#include <cmath>

#include "fovea/domains/opinion/cost.hpp"
#include "fovea/domains/opinion/experiments.hpp"
#include "fovea/domains/opinion/society/population_files.hpp"
#include "fovea/domains/opinion/temperature/outcome.hpp"
#include "fovea/domains/opinion/temperature/settings.hpp"

namespace fovea::opinion::temperature {

namespace {

/// Of the grid, and of it with a bisection, whose rounds are longer; records compare all pairs.
RunCost branch_cost(TemperatureSettings settings, const society::PopulationFiles* files) {
  constexpr double kBisection = 3;  // times the mean of the grid
  struct Stage {
    society::Population population;
    std::unique_ptr<dynamics::Dynamics> crowd;
  };
  const Random random(1);
  society::PopulationSettings& population = settings.population;
  const bool whole = population.network.is_read();
  if (!whole && population.is_read()) {  // others like those of the file, as many as are asked for
    const Matrix<double>& anchors = files->anchors;
    population.agents = anchors.rows();
    population.start.kind = society::StartKind::normal;
    population.start.spread = std::sqrt((anchors.array() - anchors.mean()).square().mean());
  }
  const Index agents = whole ? files->graph->nodes : population.agents;
  const auto stage = [&](Index count, double temperature) {
    population.agents = count;
    settings.model.temperature = temperature;
    auto one = std::make_shared<Stage>(Stage{society::make_population(population, files, random), nullptr});
    one->crowd = make_crowd(settings, one->population, random);
    return one;
  };
  const WalkSettings& walk = settings.walk;
  const bool noisy = settings.model.noise > 0;
  const double ratio = walk.temperatures.back() / walk.temperatures.front();
  const double rounds = walk.find_transition ? kBisection * std::log2(1 + ratio / walk.resolution) : 0;
  const Index fewest = whole ? agents : population.network.is_drawn() ? 4096 : 256;
  RunCost cost;
  for (const double temperature : {walk.temperatures.front(), std::sqrt(ratio) * walk.temperatures.front()}) {
    const double steps = static_cast<double>(noisy ? walk.burn_in + walk.average_steps : walk.steps_max);
    const CrowdCost one = crowd_cost(
        agents,
        [&](Index count) {
          const auto made = stage(count, temperature);
          return std::shared_ptr<dynamics::Dynamics>(made, made->crowd.get());
        },
        steps, noisy ? 0 : walk.tolerance, fewest);
    const double share = static_cast<double>(walk.temperatures.size()) / 2 * one.seconds;
    cost.least_seconds += share * one.least_steps;
    cost.most_seconds += share * one.most_steps * (1 + rounds / static_cast<double>(walk.temperatures.size()));
    cost.bytes = one.bytes;
  }
  if (cost.bytes == 0) return cost;
  const WorkCost record = work_cost(
      agents,
      [&](Index count) -> std::function<void()> {
        const auto made = stage(count, walk.temperatures.front());
        const auto observer = std::make_shared<Observer>(made->population, settings.observer);
        return [=] { observer->record(*made->crowd, made->population.anchors, {}); };
      },
      fewest);
  const double records = static_cast<double>(walk.temperatures.size()) * record.seconds;
  return {cost.least_seconds + records, cost.most_seconds + records, cost.bytes + record.bytes};
}

class TemperatureExperiment : public Experiment {
 public:
  std::string_view name() const override { return "opinion.temperature"; }
  std::string_view summary() const override {
    return "polarization against the temperature of the attention, on cooling and on heating";
  }
  int result_version() const override { return 6; }
  Schema schema() const override { return temperature_schema(); }

  void check(const Config& config, Complaints& complaints) const override { check_settings(config, complaints); }

  Inputs open(const Config& config) const override { return Inputs(society::open_population(config)); }

  void check_inputs(const Config& config, const Inputs& inputs) const override {
    const Random random(config.seed.value_or(1));
    society::make_population(society::population_settings(config), inputs.as<society::PopulationFiles>().get(), random);
  }

  RunCost cost(const Config& config, const Inputs& inputs) const override {
    return branch_cost(temperature_settings(config), inputs.as<society::PopulationFiles>().get());
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
