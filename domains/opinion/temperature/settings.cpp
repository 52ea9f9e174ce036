#include "fovea/domains/opinion/temperature/settings.hpp"

#include <algorithm>
#include <cmath>

#include "fovea/core/base/error.hpp"
#include "fovea/domains/opinion/society/population_keys.hpp"

namespace fovea::opinion::temperature {

namespace {

Range fraction() { return Range::between(0, 1); }

void add_model_keys(Schema& schema) {
  schema.choice("branch", "cooling", {"cooling", "heating", "fresh"},
                "cooling: from the top down, beginning in consensus; heating: from the bottom up, beginning with the "
                "anchors; fresh: each temperature from the anchors");
  schema.choice("model.score", "gaussian", {"gaussian", "dot_product", "cosine", "log_distance"},
                "score of two opinions: -|x-y|^2/2, x.y, cosine of the angle, -log|x-y|");
  schema.real("model.distance_floor", 1e-6, Range::positive(), "opinion",
              "log_distance: smaller distances, also that of an agent to itself, are replaced by this one");
  schema.real("model.stubbornness", 0.05, fraction(), "",
              "s: weight of an agent's starting opinion in each step; 0 is plain averaging");
  schema.real("model.noise", 0.0, Range::between(0, society::kLargestOpinion), "opinion",
              "standard deviation of the noise in each step");
  schema.integer("model.components", 1, Range::between(1, 64), "", "number of components of an opinion");
}

void add_run_keys(Schema& schema) {
  schema.real("temperature.low", 0.005, Range::positive(), "opinion^2",
              "lowest temperature of the grid (cosine and log_distance: a pure number, without unit)");
  schema.real("temperature.high", 0.3, Range::positive(), "opinion^2", "highest temperature of the grid");
  schema.integer("temperature.count", 16, Range::between(1, 10000), "", "number of temperatures");
  schema.choice("temperature.spacing", "log", {"log", "linear"}, "spacing of the grid");
  schema.reals("temperature.values", {}, Range::positive(), "opinion^2", "the grid as a list, ascending, instead");
  schema.real("rest.tolerance", 1e-6, Range::positive(), "opinion",
              "at rest: no opinion moves further than this in one step");
  schema.integer("rest.steps_max", 5000, Range::at_least(1), "step", "most steps at one temperature, without noise");
  schema.integer("average.burn_in", 500, Range::at_least(0), "step", "with noise: steps before the time average");
  schema.integer("average.steps", 1000, Range::at_least(10), "step", "with noise: steps of the time average");
  schema.flag("transition.find", true, "bisect for the temperature where one camp becomes several (without noise)");
  schema.real("transition.resolution", 0.002, Range::between(1e-9, 1), "", "relative width of the final bracket");
  schema.real("camps.gap", 0.1, Range::positive(), "opinion",
              "agents closer than this, directly or through agents between them, form one camp (cluster); choose it "
              "above the distance of neighbours inside a camp and below the distance of camps, a few sqrt(T)");
  schema.real("camps.least_share", 0.01, fraction(), "", "smallest share of the agents that is reported as a camp");
  schema.real("measures.alpha", 1.3, Range::between(0, 1.6), "", "exponent of the Esteban-Ray measure");
  schema.integer("record.bins", 120, Range::between(2, 10000), "", "bins of the opinion histogram");
  schema.real("record.limit", 0.0, Range::at_least(0), "opinion",
              "histogram over [-limit, limit]; 0: from the starting opinions");
  schema.integer("record.attention_groups", 48, Range::between(1, 512), "",
                 "rows of the attention map: agents sorted by opinion, in as many groups");
  schema.integer("record.agents_max", 2000, Range::at_least(0), "",
                 "up to this many agents each opinion is kept, above it quantiles");
  schema.flag("record.network", true, "keep and draw the network; switch off when a network key is swept");
}

void check_temperatures(const Config& config, society::KeyRules& rules) {
  const std::vector<double>& values = config.reals("temperature.values");
  const bool ascending = std::adjacent_find(values.begin(), values.end(), std::greater_equal<>()) == values.end();
  rules.unless(ascending, "temperature.values",
               "temperature.values must ascend, each value once; sort it. Branch cooling walks it from the end.");
  if (!values.empty()) return;
  const double low = config.real("temperature.low"), high = config.real("temperature.high");
  rules.unless(low < high || (low == high && config.integer("temperature.count") == 1), "temperature.low",
               concat("temperature.low = ", low, ", but must be < temperature.high = ", high, "."));
}

}  // namespace

Schema temperature_schema() {
  Schema schema;
  add_model_keys(schema);
  society::add_population_keys(schema, 4000);
  add_run_keys(schema);
  return schema;
}

void check_settings(const Config& config, Complaints& complaints) {
  society::KeyRules rules(config, complaints);
  check_temperatures(config, rules);
  society::check_population(config, complaints);
}

std::vector<double> temperature_grid(const Config& config) {
  const std::vector<double>& values = config.reals("temperature.values");
  if (!values.empty()) return values;
  const double low = config.real("temperature.low"), high = config.real("temperature.high");
  const std::int64_t count = config.integer("temperature.count");
  const bool log = config.text("temperature.spacing") == "log";
  std::vector<double> grid;
  for (std::int64_t k = 0; k < count; ++k) {
    const double share = count > 1 ? static_cast<double>(k) / static_cast<double>(count - 1) : 0.0;
    grid.push_back(log ? low * std::pow(high / low, share) : low + (high - low) * share);
  }
  return grid;
}

std::string temperature_unit(const Config& config) {
  const std::string& score = config.text("model.score");
  return score == "gaussian" || score == "dot_product" ? "opinion^2" : "1";
}

std::unique_ptr<dynamics::Dynamics> make_crowd(const Config& config, const society::Population& population,
                                               const Random& random) {
  dynamics::ModelSettings settings;
  settings.model = "attention";
  settings.score = config.text("model.score");
  settings.temperature = temperature_grid(config).front();
  settings.distance_floor = config.real("model.distance_floor");
  settings.self_weight = config.real("network.self_weight");
  settings.noise = config.real("model.noise");
  const society::Graph* graph = population.graph ? &*population.graph : nullptr;
  settings.fast = graph == nullptr;  // on a network by the engine, in whose attention the map and the index are told
  dynamics::Agents agents;
  agents.start = population.anchors;
  agents.stubbornness = population.stubbornness;
  return dynamics::make_dynamics(settings, std::move(agents), graph, random);
}

ObserverSettings observer_settings(const Config& config, const society::Population& population) {
  ObserverSettings settings;
  settings.camp_gap = config.real("camps.gap");
  settings.least_share = config.real("camps.least_share");
  settings.alpha = config.real("measures.alpha");
  settings.tolerance = config.real("rest.tolerance");
  settings.opinion_limit = society::opinion_limit(config, population);
  settings.bins = config.integer("record.bins");
  settings.attention_groups = config.integer("record.attention_groups");
  settings.agents_max = config.integer("record.agents_max");
  return settings;
}

WalkSettings walk_settings(const Config& config) {
  WalkSettings settings;
  const std::string& branch = config.text("branch");
  settings.branch = branch == "cooling" ? Branch::cooling : branch == "heating" ? Branch::heating : Branch::fresh;
  settings.temperatures = temperature_grid(config);
  settings.tolerance = config.real("rest.tolerance");
  settings.steps_max = config.integer("rest.steps_max");
  settings.burn_in = config.integer("average.burn_in");
  settings.average_steps = config.integer("average.steps");
  settings.find_transition = config.flag("transition.find") && config.real("model.noise") == 0;
  settings.resolution = config.real("transition.resolution");
  const bool anchored = config.text("start.kind") == "labelled" && config.real("start.known_stubbornness") > 0;
  settings.plain_averaging = config.real("model.stubbornness") == 0 && config.real("model.noise") == 0 && !anchored;
  return settings;
}

bool gaussian_state_applies(const Config& config) {
  const std::string& start = config.text("start.kind");
  const double s = config.real("model.stubbornness");
  return config.text("network.kind") == "none" && config.text("model.score") == "gaussian" &&
         config.integer("model.components") == 1 && config.real("model.noise") == 0 && s > 0 && s < 1 &&
         (start == "normal" || start == "gaussian_quantiles");
}

}  // namespace fovea::opinion::temperature
