#include "fovea/domains/opinion/simulate/settings.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "fovea/core/base/error.hpp"
#include "fovea/core/config/keys.hpp"
#include "fovea/domains/opinion/dynamics/formula/formula_keys.hpp"
#include "fovea/domains/opinion/dynamics/formula/formula_model.hpp"
#include "fovea/domains/opinion/dynamics/model_keys.hpp"
#include "fovea/domains/opinion/dynamics/models.hpp"
#include "fovea/domains/opinion/keys.hpp"
#include "fovea/domains/opinion/simulate/coevolution_keys.hpp"
#include "fovea/domains/opinion/simulate/recorder.hpp"
#include "fovea/domains/opinion/simulate/rest.hpp"
#include "fovea/domains/opinion/society/agents_file.hpp"
#include "fovea/domains/opinion/society/population_keys.hpp"

namespace fovea::opinion::simulate {

namespace {

const std::vector<std::string> kShockKinds{"shift", "set", "temperature", "noise", "confidence", "coupling"};
const SharedKey kEvents{
    "events.file",
    "what happens when: a table step,event,agent[,other][,weight][,opinion] of agents that join and leave, edges that "
    "come and are cut, opinions that are set; .csv or .csv.gz"};

const Keys<SimulateAsked>& voice_keys() {
  using Asked = SimulateAsked;
  const Range opinions = Range::between(-kLargestOpinion, kLargestOpinion);
  static const auto keys =
      Keys<Asked>()
          .key("bots.opinions", &Asked::bots, opinions, "opinion",
               "opinions of bots: agents that influence others, never move and are excluded from measures")
          .key("bots.each", &Asked::bots_each, Range::at_least(1), "", "bots at each of these opinions")
          .key("bots.reach", &Asked::bots_reach, Range::at_least(0), "",
               "influence of a bot, relative to that of an agent")
          .key("media.opinions", &Asked::media, opinions, "opinion",
               "opinions of media, which act like bots: one medium at each of these")
          .key("media.reach", &Asked::media_reach, Range::at_least(0), "",
               "influence of a medium, relative to that of an agent");
  return keys;
}

const Keys<SimulateAsked>& shock_keys() {
  using Asked = SimulateAsked;
  static const auto keys =
      Keys<Asked>()
          .key("shocks.steps", &Asked::shock_steps, Range::at_least(0), "step",
               "a shock occurs before each of these steps; ascending")
          .key("shocks.kinds", &Asked::shock_kinds,
               "for each shock: shift or set (opinions), temperature, noise, confidence or coupling")
          .key("shocks.values", &Asked::shock_values, Range::any(), "",
               "for each shock: the shift of the opinions, or the value that is set")
          .key("shocks.shares", &Asked::shock_shares, Range::between(0, 1), "",
               "for each shock: share of the agents whose opinion is shifted or set, drawn at random; empty: all")
          .file(kEvents, &Asked::events)
          .added_later();
  return keys;
}

const Keys<SimulateAsked>& record_keys() {
  using Asked = SimulateAsked;
  static const auto keys =
      Keys<Asked>()
          .key("run.steps", &Asked::steps, Range::between(1, 1e9), "step",
               "steps; a crowd at rest is not updated further")
          .key(within(Range::at_least(0), kRestTolerance), &Asked::tolerance,
               "at rest: no opinion moves further than this in one step, without noise; 0: run to the end")
          .key(kCampsGap, &Asked::camp_gap)
          .key(kCampsLeastShare, &Asked::least_share)
          .key(kAlpha, &Asked::alpha)
          .key("record.states", &Asked::states_max, Range::between(1, 1000000), "",
               "largest number of recorded states, the last one included; nothing is kept behind the rest")
          .key("record.agents", &Asked::agents_max, Range::at_least(0), "",
               "trajectories kept, evenly spread over the agents")
          .key("record.resolution", &Asked::resolution, Range::at_least(0), "opinion",
               "trajectories are rounded to multiples of this; 0: to 2^-15 of the histogram's range")
          .key("record.lines", &Asked::lines, Range::between(0, 1000), "", "trajectories drawn")
          .key(kBins, &Asked::bins, "bins of the opinion histogram, rounded up to a multiple of 4")
          .key(kLimit, &Asked::limit,
               "histogram over [-limit, limit], doubled where opinions go beyond; 0: from the starting opinions")
          .key("record.measures", &Asked::measures,
               "measures of `fovea list measures` that are recorded besides mean, sd, variance, bimodality, order and "
               "those of camps")
          .added_later()
          .key("record.networks", &Asked::networks, Range::between(1, 10000), "",
               "states whose edges are kept where the network changes, the first and the last among them")
          .added_later()
          .key(within(Range::at_least(0), kDrawnNetwork), &Asked::network_max);
  return keys;
}

bool is_control(const std::string& kind) { return kind != "shift" && kind != "set"; }

void check_shock(const SimulateAsked& asked, const dynamics::ModelEntry& model, society::KeyRules& rules,
                 std::size_t k) {
  const std::string& kind = asked.shock_kinds[k];
  const bool known = std::find(kShockKinds.begin(), kShockKinds.end(), kind) != kShockKinds.end();
  rules.unless(known, "shocks.kinds", "shocks.kinds has '", kind,
               "', but must be shift, set, temperature, noise, confidence or coupling.");
  if (!known) return;
  rules.unless(!is_control(kind) || model.needs(kind), "shocks.kinds", "shocks.kinds has '", kind,
               "', which model.name = \"", model.name, "\" does not read.");
  if (model.rule.is_written())
    for (const dynamics::FormulaName& name : dynamics::formula_names())
      rules.unless(name.key != kind || dynamics::formulas_read(asked.model, asked.population, kind), "shocks.kinds",
                   "shocks.kinds has '", kind, "', but no formula reads ", name.name, ".");
  rules.unless(is_control(kind) || model.rule.update.space != dynamics::Space::sphere, "shocks.kinds",
               "shocks.kinds has '", kind, "', but on the sphere opinions are directions; shock a control.");
  const double value = asked.shock_values[k];
  const bool zero = kind == "noise" || kind == "coupling";
  rules.unless(!is_control(kind) || (zero ? value >= 0 : value > 0), "shocks.values", "shocks.values has ", value,
               " for ", kind, ", but must be ", zero ? ">= 0." : "> 0.");
  const std::int64_t step = asked.shock_steps[k];
  rules.unless(step < asked.steps, "shocks.steps", "shocks.steps has ", step,
               ", but must be < run.steps = ", asked.steps, ".");
}

void check_shocks(const SimulateAsked& asked, const dynamics::ModelEntry& model, society::KeyRules& rules) {
  const std::size_t steps = asked.shock_steps.size(), shares = asked.shock_shares.size();
  const bool fits =
      asked.shock_kinds.size() == steps && asked.shock_values.size() == steps && (shares == 0 || shares == steps);
  rules.unless(fits, "shocks.steps", "shocks.steps has ", steps, " entries, kinds ", asked.shock_kinds.size(),
               ", values ", asked.shock_values.size(), " and shares ", shares,
               "; each shock needs one of each (shares: or none at all).");
  rules.unless(std::is_sorted(asked.shock_steps.begin(), asked.shock_steps.end()), "shocks.steps",
               "shocks.steps must ascend; sort the shocks.");
  if (fits)
    for (std::size_t k = 0; k < steps; ++k) check_shock(asked, model, rules, k);
}

void check_voices(const SimulateAsked& asked, const dynamics::ModelEntry& model, society::KeyRules& rules) {
  for (const char* key : {"bots.opinions", "media.opinions"}) {
    if ((key == std::string_view("bots.opinions") ? asked.bots : asked.media).empty()) continue;
    rules.unless(asked.population.network.kind == society::NetworkKind::none, key, key,
                 " needs all-to-all attention; on a network give bots in start.file, with the column "
                 "kind.");
    rules.unless(asked.population.components == 1, key, key,
                 " needs model.components = 1; give bots in start.file, with the column kind.");
    rules.unless(model.rule.update.hears, key, key, ": in model.name = \"", model.name,
                 "\" agents meet, and reach has no effect; give bots in start.file, with the column kind.");
  }
}

void check_measures(const SimulateAsked& asked, society::KeyRules& rules) {
  const bool on_network = asked.population.network.kind != society::NetworkKind::none;
  std::vector<std::string> known, taken;
  for (const measures::MeasureEntry& entry : measures::measures()) known.emplace_back(entry.name);
  for (const RecordedMeasure& measure : standard_measures()) taken.emplace_back(measure.entry->name);
  const auto among = [](const std::vector<std::string>& names, const std::string& name) {
    return std::find(names.begin(), names.end(), name) != names.end();
  };
  for (const std::string& name : asked.measures) {
    if (!among(known, name)) {
      const std::string near = nearest(name, known);
      rules.unless(false, "record.measures", "record.measures has '", name,
                   "', but must name measures of `fovea list measures`.",
                   near.empty() ? "" : concat(" Did you mean '", near, "'?"));
      continue;
    }
    rules.unless(!among(taken, name), "record.measures", "record.measures has '", name,
                 "', which is always recorded, or named twice; leave it out.");
    rules.unless(name != "echo_chamber", "record.measures",
                 "record.measures has 'echo_chamber', which needs the attention of every pair; opinion.temperature "
                 "records it, and here camp_attention gives it for the final state.");
    rules.unless(!measures::find_measure(name).needs_network || on_network, "record.measures", "record.measures has '",
                 name, "', which needs a network; give network.kind.");
    taken.push_back(name);
  }
}

/// Whether random numbers keep the crowd in motion.
bool is_drawn(const dynamics::ModelSettings& model) {
  const dynamics::Rule& rule = dynamics::find_model(model.model).rule;
  if (rule.is_written()) return dynamics::course_of(model) == dynamics::Course::fluctuating;
  return rule.update == dynamics::Update::contacts || model.noise > 0;
}

/// Positions on the circle are angles, on the sphere of length 1.
double histogram_limit(const SimulateAsked& asked, const society::Population& population) {
  const dynamics::Space space = dynamics::find_model(asked.model.model).rule.update.space;
  if (asked.limit > 0) return asked.limit;
  if (space == dynamics::Space::circle) return std::numbers::pi;
  if (space == dynamics::Space::sphere) return 1;
  double limit = society::opinion_limit(asked.population, population);
  for (const std::vector<double>& opinions : {asked.bots, asked.media})
    for (const double opinion : opinions) limit = std::max(limit, 1.05 * std::abs(opinion));
  return limit;
}

}  // namespace

Schema simulate_schema(const dynamics::ModelEntry* only) {
  Schema schema;
  dynamics::ModelKeys keys;
  keys.only = only;
  dynamics::add_model_keys(schema, keys);
  const dynamics::Update& update = only == nullptr ? dynamics::Update::replace : only->rule.update;
  society::add_population_keys(schema, 1000, dynamics::population_keys(only));
  add_coevolution_keys(schema, only);
  if (update.hears && update.space != dynamics::Space::sphere) voice_keys().declare(schema);
  shock_keys().declare(schema);
  record_keys().declare(schema);
  return schema;
}

void check_simulate(const Config& config, Complaints& complaints) {
  society::KeyRules rules(config, complaints);
  const SimulateAsked asked = simulate_asked(config);
  const dynamics::ModelEntry& model = dynamics::find_model(asked.model.model);
  society::check_population(asked.population, rules, "agents.count", asked.population.agents);
  dynamics::check_model(asked.model, asked.population, rules);
  check_coevolution(asked.model, asked.population, rules);
  check_voices(asked, model, rules);
  check_measures(asked, rules);
  check_shocks(asked, model, rules);
}

SimulateAsked simulate_asked(const Config& config) {
  static const auto keys = Keys<SimulateAsked>().group(voice_keys()).group(shock_keys()).group(record_keys());
  SimulateAsked asked = keys.read(config);
  asked.population = society::population_settings(config);
  asked.model = simulated_model(config);
  return asked;
}

SimulateFiles open_simulation(const Config& config) {
  static const auto event_keys = Keys<std::string>().file(
      kEvents, [](auto& path) -> auto& { return path; });
  SimulateFiles files;
  files.population = society::open_population(config);
  const society::StartSettings start = society::population_files_settings(config).start;
  if (start.kind == society::StartKind::file)
    files.traits = society::read_traits(start.file, files.population->names, society::own_columns(config));
  if (const std::string path = event_keys.read(config); !path.empty()) files.events = read_events(path);
  return files;
}

dynamics::Agents simulated_agents(const SimulateAsked& asked, society::Population& population,
                                  const society::Traits& traits) {
  dynamics::Agents agents;
  agents.start = std::move(population.anchors);
  agents.stubbornness = std::move(population.stubbornness);
  const society::AgentDefaults defaults{asked.model.stubbornness, asked.model.temperature, asked.model.confidence};
  society::add_traits(traits, defaults, agents);
  society::add_bots(agents, asked.bots, asked.bots_each, asked.bots_reach, defaults);
  society::add_bots(agents, asked.media, 1, asked.media_reach, defaults);
  return agents;
}

std::vector<std::string> simulated_names(const SimulateAsked& asked, const society::Population& population,
                                         Index agents) {
  const Index bots = std::ssize(asked.bots) * asked.bots_each, media = std::ssize(asked.media);
  std::vector<std::string> names = population.names;
  if (names.empty()) names = society::numbered_names(agents - bots - media);
  const auto add = [&](const char* kind, Index count) {
    for (Index k = 1; k <= count; ++k) names.push_back(concat(kind, ' ', k));
  };
  add("bot", bots);
  add("medium", media);
  return names;
}

SimulateSettings simulate_settings(const SimulateAsked& asked, const society::Population& population) {
  SimulateSettings settings = asked;
  settings.grid = recorded_steps(
      asked.steps, asked.states_max,
      asked.tolerance > 0 && !is_drawn(asked.model) && asked.shock_steps.empty() && asked.events.empty());
  settings.limit = histogram_limit(asked, population);
  settings.bins = (asked.bins + 3) / 4 * 4;
  if (settings.resolution == 0) settings.resolution = std::exp2(std::floor(std::log2(settings.limit)) - 15);
  for (std::size_t k = 0; k < asked.shock_steps.size(); ++k)
    settings.shocks.push_back({asked.shock_steps[k], asked.shock_kinds[k], asked.shock_values[k],
                               asked.shock_shares.empty() ? 1.0 : asked.shock_shares[k]});
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
