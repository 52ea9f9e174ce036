#include "fovea/domains/opinion/temperature/settings.hpp"

#include <algorithm>
#include <cmath>

#include "fovea/core/base/error.hpp"
#include "fovea/core/config/keys.hpp"
#include "fovea/domains/opinion/keys.hpp"

namespace fovea::opinion::temperature {

namespace {

/// What the config says; what follows from several keys is in TemperatureSettings.
struct TemperatureAsked : TemperatureSettings {
  double low = 0.005, high = 0.3;
  Index count = 16;
  bool logarithmic = true;

  std::vector<double> grid() const {
    if (!walk.temperatures.empty()) return walk.temperatures;
    std::vector<double> grid;
    for (Index k = 0; k < count; ++k) {
      const double share = count > 1 ? static_cast<double>(k) / static_cast<double>(count - 1) : 0.0;
      grid.push_back(logarithmic ? low * std::pow(high / low, share) : low + (high - low) * share);
    }
    return grid;
  }
};

template <typename Member>
auto of_model(Member member) {
  return inside(&TemperatureAsked::model, member);
}
template <typename Member>
auto of_walk(Member member) {
  return inside(&TemperatureAsked::walk, member);
}
template <typename Member>
auto of_observer(Member member) {
  return inside(&TemperatureAsked::observer, member);
}

const Keys<TemperatureAsked>& crowd_keys() {
  using dynamics::ModelSettings;
  static const auto keys =
      Keys<TemperatureAsked>()
          .choice("branch", of_walk(&WalkSettings::branch),
                  {{"cooling", Branch::cooling}, {"heating", Branch::heating}, {"fresh", Branch::fresh}},
                  "cooling: from the top down, beginning in consensus; heating: from the bottom up, beginning with the "
                  "anchors; fresh: each temperature from the anchors")
          .choice(kScore.name, of_model(&ModelSettings::score), kScore.words,
                  "score of two opinions: -|x-y|^2/2, x.y, cosine of the angle, -log|x-y|")
          .key(kDistanceFloor, of_model(&ModelSettings::distance_floor),
               "log_distance: smaller distances, also that of an agent to itself, are replaced by this one")
          .key(kStubbornness, of_model(&ModelSettings::stubbornness),
               "s: weight of an agent's starting opinion in each step; 0 is plain averaging")
          .key(in_units_of("opinion", kNoise), of_model(&ModelSettings::noise),
               "standard deviation of the noise in each step")
          .key(kComponents, inside(&TemperatureAsked::population, &society::PopulationSettings::components),
               "number of components of an opinion");
  return keys;
}

const Keys<TemperatureAsked>& walk_keys() {
  using Asked = TemperatureAsked;
  static const auto keys =
      Keys<Asked>()
          .key(kTemperatureLow, &Asked::low,
               "lowest temperature of the grid (cosine and log_distance: a pure number, without unit)")
          .key(kTemperatureHigh, &Asked::high, "highest temperature of the grid")
          .key(kTemperatureCount, &Asked::count)
          .choice("temperature.spacing", &Asked::logarithmic, {{"log", true}, {"linear", false}}, "spacing of the grid")
          .key("temperature.values", of_walk(&WalkSettings::temperatures), Range::positive(), "opinion^2",
               "the grid as a list, ascending, instead")
          .key(kRestTolerance, of_walk(&WalkSettings::tolerance))
          .key("rest.steps_max", of_walk(&WalkSettings::steps_max), Range::at_least(1), "step",
               "most steps at one temperature, without noise")
          .key("average.burn_in", of_walk(&WalkSettings::burn_in), Range::at_least(0), "step",
               "with noise: steps before the time average")
          .key("average.steps", of_walk(&WalkSettings::average_steps), Range::at_least(10), "step",
               "with noise: steps of the time average")
          .key("transition.find", of_walk(&WalkSettings::find_transition),
               "bisect for the temperature where one camp becomes several (without noise)")
          .key("transition.resolution", of_walk(&WalkSettings::resolution), Range::between(1e-9, 1), "",
               "relative width of the final bracket")
          .key(kCampsGap, of_observer(&ObserverSettings::camp_gap),
               "agents closer than this, directly or through agents between them, form one camp (cluster); choose it "
               "above the distance of neighbours inside a camp and below the distance of camps, a few sqrt(T)")
          .key(kCampsLeastShare, of_observer(&ObserverSettings::least_share))
          .key(kAlpha, of_observer(&ObserverSettings::alpha))
          .key(kBins, of_observer(&ObserverSettings::bins))
          .key(kLimit, inside(&Asked::population, &society::PopulationSettings::limit))
          .key("record.attention_groups", of_observer(&ObserverSettings::attention_groups), Range::between(1, 512), "",
               "rows of the attention map: agents sorted by opinion, in as many groups")
          .key("record.agents_max", of_observer(&ObserverSettings::agents_max), Range::at_least(0), "",
               "up to this many agents each opinion is kept, above it quantiles")
          .key(kDrawnNetwork, &Asked::draw_network,
               "keep and draw the network; switch off when a network key is swept");
  return keys;
}

void check_temperatures(const TemperatureAsked& asked, society::KeyRules& rules) {
  const std::vector<double>& values = asked.walk.temperatures;
  const bool ascending = std::adjacent_find(values.begin(), values.end(), std::greater_equal<>()) == values.end();
  rules.unless(ascending, "temperature.values",
               "temperature.values must ascend, each value once; sort it. Branch cooling walks it from the end.");
  if (!values.empty()) return;
  rules.unless(asked.low < asked.high || (asked.low == asked.high && asked.count == 1), "temperature.low",
               "temperature.low = ", asked.low, ", but must be < temperature.high = ", asked.high, ".");
}

}  // namespace

Schema temperature_schema() {
  Schema schema;
  crowd_keys().declare(schema);
  society::add_population_keys(schema, 4000);
  walk_keys().declare(schema);
  return schema;
}

void check_settings(const Config& config, Complaints& complaints) {
  society::KeyRules rules(config, complaints);
  check_temperatures(walk_keys().read(config), rules);
  const society::PopulationSettings population = society::population_settings(config);
  society::check_population(population, rules, "agents.count", population.agents);
}

std::string TemperatureSettings::unit() const {
  return model.score == "gaussian" || model.score == "dot_product" ? "opinion^2" : "1";
}

TemperatureSettings temperature_settings(const Config& config) {
  constexpr std::int64_t kContinuum = 1000;
  const TemperatureAsked asked = walk_keys().read(config, crowd_keys().read(config));
  TemperatureSettings settings = asked;
  settings.model.model = "attention";
  settings.population = society::population_settings(config);
  settings.model.self_weight = settings.population.network.self_weight;
  settings.observer.tolerance = settings.walk.tolerance;
  settings.walk.temperatures = asked.grid();
  settings.model.temperature = settings.walk.temperatures.front();
  const bool noisy = settings.model.noise > 0;
  const double s = settings.model.stubbornness;
  settings.walk.find_transition = asked.walk.find_transition && !noisy;
  const society::StartSettings& start = settings.population.start;
  const bool quantiles = start.kind == society::StartKind::gaussian_quantiles;
  const bool anchored = start.kind == society::StartKind::labelled && start.known_stubbornness > 0;
  settings.walk.plain_averaging = s == 0 && !noisy && !anchored;
  settings.gaussian_state = settings.population.network.kind == society::NetworkKind::none &&
                            settings.model.score == "gaussian" && settings.population.components == 1 && !noisy &&
                            s > 0 && s < 1 && (quantiles || start.kind == society::StartKind::normal);
  settings.continuum = quantiles && settings.population.agents >= kContinuum;
  return settings;
}

std::unique_ptr<dynamics::Dynamics> make_crowd(const TemperatureSettings& settings,
                                               const society::Population& population, const Random& random) {
  dynamics::ModelSettings model = settings.model;
  model.stubbornness = 0;  // each agent has its own
  const society::Graph* graph = population.graph ? &*population.graph : nullptr;
  model.fast = graph == nullptr;  // on a network by the engine, in whose attention the map and the index are told
  dynamics::Agents agents;
  agents.start = population.anchors;
  agents.stubbornness = population.stubbornness;
  if (agents.stubbornness.empty()) agents.stubbornness.assign(population.agents(), settings.model.stubbornness);
  return dynamics::make_dynamics(model, std::move(agents), graph, random);
}

}  // namespace fovea::opinion::temperature
