#include "fovea/domains/opinion/temperature/temperature.hpp"

#include "fovea/domains/opinion/temperature/outcome.hpp"
#include "fovea/domains/opinion/temperature/settings.hpp"

namespace fovea::opinion::temperature {

namespace {

class TemperatureExperiment : public Experiment {
 public:
  std::string_view name() const override { return "opinion.temperature"; }
  std::string_view summary() const override {
    return "polarization of a crowd that attends to itself, against temperature, cooling and heating";
  }
  int result_version() const override { return 3; }
  Schema schema() const override { return temperature_schema(); }

  void check(const Config& config, Complaints& complaints) const override { check_settings(config, complaints); }

  void check_inputs(const Config& config) const override {
    const std::string& network = config.text("network.kind");
    if (network == "edges" || network == "karate" || config.text("start.kind") == "file")
      society::make_population(config, Random(config.seed.value_or(1)));
  }

  void run(const Config& config, const Random& random, Results& results, Workbench& bench) const override {
    const society::Population population = society::make_population(config, random);
    const Observer observer(population, observer_settings(config, population));
    const WalkSettings settings = walk_settings(config);
    dynamics::Crowd crowd(crowd_setup(config, population), settings.temperatures.front(), random.stream("noise"));
    const WalkResult found = walk(crowd, observer, settings, bench);
    write_outcome(config, population, observer, settings, found, results);
  }

  void conclude(Results& merged) const override { write_verdict(merged); }
};

}  // namespace

std::unique_ptr<Experiment> make_temperature_experiment() { return std::make_unique<TemperatureExperiment>(); }

}  // namespace fovea::opinion::temperature
