#include "fovea/domains/opinion/temperature/settings.hpp"

#include <algorithm>
#include <cmath>

#include "fovea/core/base/error.hpp"
#include "fovea/core/config/keys.hpp"
#include "fovea/domains/opinion/society/population_keys.hpp"

namespace fovea::opinion::temperature {

namespace {

/// What the config says; what follows from several keys is in TemperatureSettings.
struct TemperatureAsked : TemperatureSettings {
  Index components = 1;
  double low = 0.005, high = 0.3;
  Index count = 16;
  bool logarithmic = true;
  double limit = 0;

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
          .choice("model.score", of_model(&ModelSettings::score), {"gaussian", "dot_product", "cosine", "log_distance"},
                  "score of two opinions: -|x-y|^2/2, x.y, cosine of the angle, -log|x-y|")
          .key("model.distance_floor", of_model(&ModelSettings::distance_floor), Range::positive(), "opinion",
               "log_distance: smaller distances, also that of an agent to itself, are replaced by this one")
          .key("model.stubbornness", of_model(&ModelSettings::stubbornness), Range::between(0, 1), "",
               "s: weight of an agent's starting opinion in each step; 0 is plain averaging")
          .key("model.noise", of_model(&ModelSettings::noise), Range::between(0, society::kLargestOpinion), "opinion",
               "standard deviation of the noise in each step")
          .key("model.components", &TemperatureAsked::components, Range::between(1, 64), "",
               "number of components of an opinion");
  return keys;
}

const Keys<TemperatureAsked>& walk_keys() {
  using Asked = TemperatureAsked;
  static const auto keys =
      Keys<Asked>()
          .key("temperature.low", &Asked::low, Range::positive(), "opinion^2",
               "lowest temperature of the grid (cosine and log_distance: a pure number, without unit)")
          .key("temperature.high", &Asked::high, Range::positive(), "opinion^2", "highest temperature of the grid")
          .key("temperature.count", &Asked::count, Range::between(1, 10000), "", "number of temperatures")
          .choice("temperature.spacing", &Asked::logarithmic, {{"log", true}, {"linear", false}}, "spacing of the grid")
          .key("temperature.values", of_walk(&WalkSettings::temperatures), Range::positive(), "opinion^2",
               "the grid as a list, ascending, instead")
          .key("rest.tolerance", of_walk(&WalkSettings::tolerance), Range::positive(), "opinion",
               "at rest: no opinion moves further than this in one step")
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
          .key("camps.gap", of_observer(&ObserverSettings::camp_gap), Range::positive(), "opinion",
               "agents closer than this, directly or through agents between them, form one camp (cluster); choose it "
               "above the distance of neighbours inside a camp and below the distance of camps, a few sqrt(T)")
          .key("camps.least_share", of_observer(&ObserverSettings::least_share), Range::between(0, 1), "",
               "smallest share of the agents that is reported as a camp")
          .key("measures.alpha", of_observer(&ObserverSettings::alpha), Range::between(0, 1.6), "",
               "exponent of the Esteban-Ray measure")
          .key("record.bins", of_observer(&ObserverSettings::bins), Range::between(2, 10000), "",
               "bins of the opinion histogram")
          .key("record.limit", &Asked::limit, Range::at_least(0), "opinion",
               "histogram over [-limit, limit]; 0: from the starting opinions")
          .key("record.attention_groups", of_observer(&ObserverSettings::attention_groups), Range::between(1, 512), "",
               "rows of the attention map: agents sorted by opinion, in as many groups")
          .key("record.agents_max", of_observer(&ObserverSettings::agents_max), Range::at_least(0), "",
               "up to this many agents each opinion is kept, above it quantiles")
          .key("record.network", &Asked::draw_network,
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
               concat("temperature.low = ", asked.low, ", but must be < temperature.high = ", asked.high, "."));
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
  society::check_population(config, complaints);
}

std::string TemperatureSettings::unit() const {
  return model.score == "gaussian" || model.score == "dot_product" ? "opinion^2" : "1";
}

TemperatureSettings temperature_settings(const Config& config) {
  constexpr std::int64_t kContinuum = 1000;
  const TemperatureAsked asked = walk_keys().read(config, crowd_keys().read(config));
  TemperatureSettings settings = asked;
  settings.model.model = "attention";
  settings.model.self_weight = config.real("network.self_weight");
  settings.observer.tolerance = settings.walk.tolerance;
  settings.walk.temperatures = asked.grid();
  settings.model.temperature = settings.walk.temperatures.front();
  const bool noisy = settings.model.noise > 0;
  const double s = settings.model.stubbornness;
  settings.walk.find_transition = asked.walk.find_transition && !noisy;
  const std::string& start = config.text("start.kind");
  const bool anchored = start == "labelled" && config.real("start.known_stubbornness") > 0;
  settings.walk.plain_averaging = s == 0 && !noisy && !anchored;
  settings.spread = config.real("start.spread");
  settings.gaussian_state = config.text("network.kind") == "none" && settings.model.score == "gaussian" &&
                            asked.components == 1 && !noisy && s > 0 && s < 1 &&
                            (start == "normal" || start == "gaussian_quantiles");
  settings.continuum = start == "gaussian_quantiles" && config.integer("agents.count") >= kContinuum;
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
  return dynamics::make_dynamics(model, std::move(agents), graph, random);
}

}  // namespace fovea::opinion::temperature
