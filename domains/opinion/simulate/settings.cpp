#include "fovea/domains/opinion/simulate/settings.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "fovea/core/base/error.hpp"
#include "fovea/domains/opinion/dynamics/model_keys.hpp"
#include "fovea/domains/opinion/dynamics/models.hpp"
#include "fovea/domains/opinion/simulate/coevolution_keys.hpp"
#include "fovea/domains/opinion/simulate/recorder.hpp"
#include "fovea/domains/opinion/simulate/rest.hpp"
#include "fovea/domains/opinion/society/agents_file.hpp"
#include "fovea/domains/opinion/society/population_keys.hpp"

namespace fovea::opinion::simulate {

namespace {

const std::vector<std::string> kShockKinds{"shift", "set", "temperature", "noise", "confidence", "coupling"};

void add_bots(Schema& schema) {
  schema.reals("bots.opinions", {}, Range::between(-society::kLargestOpinion, society::kLargestOpinion), "opinion",
               "opinions of bots: agents that influence others, never move and are excluded from measures");
  schema.integer("bots.each", 1, Range::at_least(1), "", "bots at each of these opinions");
  schema.real("bots.reach", 1.0, Range::at_least(0), "", "influence of a bot, relative to that of an agent");
  schema.reals("media.opinions", {}, Range::between(-society::kLargestOpinion, society::kLargestOpinion), "opinion",
               "opinions of media, which act like bots: one medium at each of these");
  schema.real("media.reach", 100.0, Range::at_least(0), "", "influence of a medium, relative to that of an agent");
}

void add_shocks(Schema& schema) {
  schema.integers("shocks.steps", {}, Range::at_least(0), "step",
                  "a shock occurs before each of these steps; ascending");
  schema.texts("shocks.kinds", {},
               "for each shock: shift or set (opinions), temperature, noise, confidence or coupling");
  schema.reals("shocks.values", {}, Range::any(), "",
               "for each shock: the shift of the opinions, or the value that is set");
  schema.reals("shocks.shares", {}, Range::between(0, 1), "",
               "for each shock: share of the agents whose opinion is shifted or set, drawn at random; empty: all");
}

void add_events(Schema& schema) {
  schema
      .file(
          "events.file",
          "what happens when: a table step,event,agent[,other][,weight][,opinion] of agents that join and leave, edges "
          "that come and are cut, opinions that are set; .csv or .csv.gz")
      .added_later();
}

void add_record(Schema& schema) {
  schema.integer("run.steps", 100, Range::between(1, 1e9), "step", "steps; a crowd at rest is not updated further");
  schema.real("rest.tolerance", 1e-6, Range::at_least(0), "opinion",
              "at rest: no opinion moves further than this in one step, without noise; 0: run to the end");
  schema.real("camps.gap", SimulateSettings().camp_gap, Range::positive(), "opinion",
              "agents closer than this, directly or through agents between them, form one camp (cluster)");
  schema.real("camps.least_share", 0.01, Range::between(0, 1), "",
              "smallest share of the agents that is reported as a camp");
  schema.real("measures.alpha", 1.3, Range::between(0, 1.6), "", "exponent of the Esteban-Ray measure");
  schema.integer("record.states", 200, Range::between(1, 1000000), "",
                 "largest number of recorded states, the last one included; nothing is kept behind the rest");
  schema.integer("record.agents", 100000, Range::at_least(0), "", "trajectories kept, evenly spread over the agents");
  schema.real("record.resolution", 0.0, Range::at_least(0), "opinion",
              "trajectories are rounded to multiples of this; 0: to 2^-15 of the histogram's range");
  schema.integer("record.lines", 15, Range::between(0, 1000), "", "trajectories drawn");
  schema.integer("record.bins", 120, Range::between(2, 10000), "",
                 "bins of the opinion histogram, rounded up to a multiple of 4");
  schema.real("record.limit", 0.0, Range::at_least(0), "opinion",
              "histogram over [-limit, limit], doubled where opinions go beyond; 0: from the starting opinions");
  schema
      .texts("record.measures", {},
             "measures of `fovea list measures` that are recorded besides mean, sd, variance, bimodality, order and "
             "those of camps")
      .added_later();
  schema
      .integer("record.networks", 5, Range::between(1, 10000), "",
               "states whose edges are kept where the network changes, the first and the last among them")
      .added_later();
  schema.integer("record.network", 1500, Range::at_least(0), "", "networks of up to this many agents are drawn");
}

bool is_control(const std::string& kind) { return kind != "shift" && kind != "set"; }

void check_shock(const Config& config, society::KeyRules& rules, std::size_t k) {
  const std::string& kind = config.texts("shocks.kinds")[k];
  const std::string& model = config.text("model.name");
  const bool known = std::find(kShockKinds.begin(), kShockKinds.end(), kind) != kShockKinds.end();
  rules.unless(
      known, "shocks.kinds",
      concat("shocks.kinds has '", kind, "', but must be shift, set, temperature, noise, confidence or coupling."));
  if (!known) return;
  rules.unless(!is_control(kind) || dynamics::find_model(model).needs(kind), "shocks.kinds",
               concat("shocks.kinds has '", kind, "', which model.name = \"", model, "\" does not read."));
  rules.unless(is_control(kind) || dynamics::find_model(model).rule.update != dynamics::Update::project, "shocks.kinds",
               concat("shocks.kinds has '", kind, "', but on the sphere opinions are directions; shock a control."));
  const double value = config.reals("shocks.values")[k];
  const bool zero = kind == "noise" || kind == "coupling";
  rules.unless(!is_control(kind) || (zero ? value >= 0 : value > 0), "shocks.values",
               concat("shocks.values has ", value, " for ", kind, ", but must be ", zero ? ">= 0." : "> 0."));
  const std::int64_t step = config.integers("shocks.steps")[k];
  rules.unless(step < config.integer("run.steps"), "shocks.steps",
               concat("shocks.steps has ", step, ", but must be < run.steps = ", config.integer("run.steps"), "."));
}

void check_shocks(const Config& config, society::KeyRules& rules) {
  const auto& steps = config.integers("shocks.steps");
  const std::size_t shares = config.reals("shocks.shares").size();
  const bool fits = config.texts("shocks.kinds").size() == steps.size() &&
                    config.reals("shocks.values").size() == steps.size() && (shares == 0 || shares == steps.size());
  rules.unless(fits, "shocks.steps",
               concat("shocks.steps has ", steps.size(), " entries, kinds ", config.texts("shocks.kinds").size(),
                      ", values ", config.reals("shocks.values").size(), " and shares ", shares,
                      "; each shock needs one of each (shares: or none at all)."));
  rules.unless(std::is_sorted(steps.begin(), steps.end()), "shocks.steps",
               "shocks.steps must ascend; sort the shocks.");
  if (fits)
    for (std::size_t k = 0; k < steps.size(); ++k) check_shock(config, rules, k);
}

void check_cast(const Config& config, society::KeyRules& rules) {
  for (const char* key : {"bots.opinions", "media.opinions"}) {
    if (config.reals(key).empty()) continue;
    rules.unless(rules.is("network.kind", "none"), key,
                 concat(key,
                        " needs all-to-all attention; on a network give bots in start.file, with the column "
                        "kind."));
    rules.unless(config.integer("model.components") == 1, key,
                 concat(key, " needs model.components = 1; give bots in start.file, with the column kind."));
    rules.unless(dynamics::hears(dynamics::find_model(config.text("model.name")).rule.update), key,
                 concat(key, ": in model.name = \"", config.text("model.name"),
                        "\" agents meet, and reach has no effect; give bots in start.file, with the column kind."));
  }
}

void check_measures(const Config& config, society::KeyRules& rules) {
  std::vector<std::string> known, taken;
  for (const measures::MeasureEntry& entry : measures::measures()) known.emplace_back(entry.name);
  for (const RecordedMeasure& measure : standard_measures()) taken.emplace_back(measure.entry->name);
  const auto among = [](const std::vector<std::string>& names, const std::string& name) {
    return std::find(names.begin(), names.end(), name) != names.end();
  };
  for (const std::string& name : config.texts("record.measures")) {
    if (!among(known, name)) {
      const std::string near = nearest(name, known);
      rules.unless(false, "record.measures",
                   concat("record.measures has '", name, "', but must name measures of `fovea list measures`.",
                          near.empty() ? "" : concat(" Did you mean '", near, "'?")));
      continue;
    }
    rules.unless(!among(taken, name), "record.measures",
                 concat("record.measures has '", name, "', which is always recorded, or named twice; leave it out."));
    rules.unless(name != "echo_chamber", "record.measures",
                 "record.measures has 'echo_chamber', which needs the attention of every pair; opinion.temperature "
                 "records it, and here camp_attention gives it for the final state.");
    rules.unless(!measures::find_measure(name).needs_network || !rules.is("network.kind", "none"), "record.measures",
                 concat("record.measures has '", name, "', which needs a network; give network.kind."));
    taken.push_back(name);
  }
}

/// Whether random numbers keep the crowd in motion.
bool is_drawn(const Config& config) {
  const dynamics::Update update = dynamics::find_model(config.text("model.name")).rule.update;
  if (update == dynamics::Update::formula)
    return dynamics::course_of(dynamics::model_settings(config)) == dynamics::Course::fluctuating;
  return update == dynamics::Update::contacts || config.real("model.noise") > 0;
}

/// Positions on the circle are angles, on the sphere of length 1.
double histogram_limit(const Config& config, const society::Population& population) {
  const dynamics::Update update = dynamics::find_model(config.text("model.name")).rule.update;
  if (config.real("record.limit") > 0) return config.real("record.limit");
  if (update == dynamics::Update::turn) return std::numbers::pi;
  if (update == dynamics::Update::project) return 1;
  double limit = society::opinion_limit(config, population);
  for (const char* key : {"bots.opinions", "media.opinions"})
    for (const double opinion : config.reals(key)) limit = std::max(limit, 1.05 * std::abs(opinion));
  return limit;
}

}  // namespace

Schema simulate_schema(const dynamics::ModelEntry* only) {
  Schema schema;
  dynamics::ModelKeys keys;
  keys.only = only;
  dynamics::add_model_keys(schema, keys);
  const dynamics::Update update = only == nullptr ? dynamics::Update::replace : only->rule.update;
  const bool sphere = update == dynamics::Update::project;
  society::add_population_keys(schema, 1000, dynamics::population_keys(only));
  add_coevolution_keys(schema, only);
  if (dynamics::hears(update) && !sphere) add_bots(schema);
  add_shocks(schema);
  add_events(schema);
  add_record(schema);
  return schema;
}

void check_simulate(const Config& config, Complaints& complaints) {
  society::check_population(config, complaints);
  dynamics::check_model(config, complaints);
  check_coevolution(config, complaints);
  society::KeyRules rules(config, complaints);
  check_cast(config, rules);
  check_measures(config, rules);
  check_shocks(config, rules);
}

SimulateFiles open_simulation(const Config& config) {
  SimulateFiles files;
  files.population = society::open_population(config);
  if (config.text("start.kind") == "file")
    files.traits = society::read_traits(config.text("start.file"), files.population->names);
  const bool knows_events = config.schema().find("events.file") != nullptr;  // opinion.phase does not
  if (knows_events && !config.text("events.file").empty()) files.events = read_events(config.text("events.file"));
  return files;
}

dynamics::Agents simulated_agents(const Config& config, const society::Population& population,
                                  const society::Traits& traits) {
  dynamics::Agents agents;
  agents.start = population.anchors;
  if (!population.known.empty()) agents.stubbornness = population.stubbornness;
  const society::AgentDefaults defaults{config.real("model.stubbornness"), config.real("model.temperature"),
                                        config.real("model.confidence")};
  society::add_traits(traits, defaults, agents);
  society::add_bots(agents, config.reals("bots.opinions"), static_cast<Index>(config.integer("bots.each")),
                    config.real("bots.reach"), defaults);
  society::add_bots(agents, config.reals("media.opinions"), 1, config.real("media.reach"), defaults);
  return agents;
}

std::vector<std::string> simulated_names(const Config& config, const society::Population& population) {
  std::vector<std::string> names = population.names;
  if (names.empty()) names = society::numbered_names(population.agents());
  const auto add = [&](const char* kind, std::size_t count) {
    for (std::size_t k = 1; k <= count; ++k) names.push_back(concat(kind, ' ', k));
  };
  add("bot", config.reals("bots.opinions").size() * static_cast<std::size_t>(config.integer("bots.each")));
  add("medium", config.reals("media.opinions").size());
  return names;
}

SimulateSettings simulate_settings(const Config& config, const society::Population& population) {
  SimulateSettings settings;
  settings.steps = config.integer("run.steps");
  settings.tolerance = config.real("rest.tolerance");
  settings.grid = recorded_steps(settings.steps, config.integer("record.states"),
                                 settings.tolerance > 0 && !is_drawn(config) &&
                                     config.integers("shocks.steps").empty() && config.text("events.file").empty());
  settings.camp_gap = config.real("camps.gap");
  settings.least_share = config.real("camps.least_share");
  settings.alpha = config.real("measures.alpha");
  settings.limit = histogram_limit(config, population);
  settings.bins = static_cast<Index>((config.integer("record.bins") + 3) / 4 * 4);
  settings.agents_max = static_cast<Index>(config.integer("record.agents"));
  settings.lines = static_cast<Index>(config.integer("record.lines"));
  settings.networks = static_cast<Index>(config.integer("record.networks"));
  settings.measures = config.texts("record.measures");
  settings.resolution = config.real("record.resolution");
  if (settings.resolution == 0) settings.resolution = std::exp2(std::floor(std::log2(settings.limit)) - 15);
  const auto& steps = config.integers("shocks.steps");
  for (std::size_t k = 0; k < steps.size(); ++k) {
    const double share = config.reals("shocks.shares").empty() ? 1.0 : config.reals("shocks.shares")[k];
    settings.shocks.push_back({steps[k], config.texts("shocks.kinds")[k], config.reals("shocks.values")[k], share});
  }
  return settings;
}

dynamics::Control control_of(const std::string& kind) {
  if (kind == "temperature") return dynamics::Control::temperature;
  if (kind == "noise") return dynamics::Control::noise;
  if (kind == "confidence") return dynamics::Control::confidence;
  require(kind == "coupling", "control_of: '", kind,
          "' is not a control; it must be temperature, noise, confidence or ", "coupling.");
  return dynamics::Control::coupling;
}

}  // namespace fovea::opinion::simulate
