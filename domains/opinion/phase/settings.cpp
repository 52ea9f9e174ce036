#include "fovea/domains/opinion/phase/settings.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "fovea/core/base/error.hpp"
#include "fovea/core/config/keys.hpp"
#include "fovea/domains/opinion/dynamics/formula/formula_keys.hpp"
#include "fovea/domains/opinion/dynamics/model_keys.hpp"
#include "fovea/domains/opinion/keys.hpp"
#include "fovea/domains/opinion/phase/control.hpp"
#include "fovea/domains/opinion/society/population_keys.hpp"

namespace fovea::opinion::phase {

namespace {

constexpr double kHalfTurn = 3.141592653589793;

/// What a config says of a search; what `auto` stands for follows from the model.
struct PhaseAsked : PhaseSettings {
  enum class Branches { automatic, carried, fresh };
  std::string control = "temperature";
  Branches branches = Branches::automatic;
};

/// What a search over a model begins with, unless the config says more.
struct FirstSearch {
  const char* control;
  double low, high;
  bool logarithmic;
};
constexpr std::array kFirstSearches{FirstSearch{"temperature", 0.005, 0.3, true},
                                    FirstSearch{"confidence", 0.05, 1, true},
                                    FirstSearch{"independence", 0.02, 0.5, false},
                                    FirstSearch{"steepness", 0.1, 10, true},
                                    FirstSearch{"start.share", 0.2, 0.8, false},
                                    FirstSearch{"stubbornness", 0.01, 0.9, false},
                                    FirstSearch{"noise", 0.01, 1, true}};

/// Where weights grow as exp(x . y / T) nothing is seen at the temperatures of the Gaussian score; without a norm on
/// the line, colder crowds run away.
constexpr FirstSearch kFirstOfProducts{"temperature", 0.1, 10, true};
constexpr FirstSearch kFirstOnLine{"temperature", 5, 100, true};

FirstSearch first_search(const dynamics::ModelEntry* only) {
  if (only != nullptr && only->rule.score == dynamics::Score::dot_product) {
    const bool runs_away =
        only->rule.normaliser == dynamics::Normaliser::crowd && only->rule.update.space == dynamics::Space::line;
    return runs_away ? kFirstOnLine : kFirstOfProducts;
  }
  const auto is_read = [&](const FirstSearch& search) {
    const std::string_view control = search.control;
    return only == nullptr || only->needs(control) || (control == "start.share" && only->rule.update.imitates);
  };
  return *std::find_if(kFirstSearches.begin(), kFirstSearches.end(), is_read);
}

/// Whether something may push the crowd for ever.
bool may_fluctuate(const dynamics::ModelEntry* only) {
  return only == nullptr || only->needs("noise") || only->needs("independence");
}

const Keys<PhaseAsked>& noisy_keys() {
  static const auto keys =
      Keys<PhaseAsked>()
          .key("phase.burn_in", &PhaseAsked::burn_in, Range::at_least(0), "step",
               "with noise: steps before the measurement")
          .key("phase.steps", &PhaseAsked::steps, Range::at_least(10), "step",
               "with noise: steps of a measurement in the first round; later rounds double it, and around a crossing "
               "N agents take (largest / N)^(1/2) times as many")
          .key("phase.measure_every", &PhaseAsked::measure_every, Range::at_least(1), "step",
               "with noise: steps between two measurements")
          .key("phase.precision", &PhaseAsked::precision, Range::between(1e-6, 1), "",
               "with noise: wanted half width of the 95 % interval, relative")
          .key("phase.binder_precision", &PhaseAsked::binder_precision, Range::between(1e-6, 1), "",
               "with noise: wanted half width of the 95 % interval of the Binder cumulant there; 1: any")
          .key("phase.rounds_max", &PhaseAsked::rounds_max, Range::between(1, 12), "",
               "with noise: largest number of refinements");
  return keys;
}

const Keys<PhaseAsked>& range_keys() {
  static const auto keys =
      Keys<PhaseAsked>()
          .key("phase.control", &PhaseAsked::control,
               "control parameter: a real number that the model reads, such as temperature or independence, one of "
               "the network or the start, such as network.between or start.share, or formula.NAME of "
               "formula.parameters")
          .key("phase.low", &PhaseAsked::low, Range::positive(), "", "low end of the range that is searched")
          .key("phase.high", &PhaseAsked::high, Range::positive(), "", "high end of the range")
          .key("phase.points", &PhaseAsked::points, Range::between(4, 1000), "",
               "values of the control in the first, coarse grid")
          .choice("phase.spacing", &PhaseAsked::logarithmic, {{"log", true}, {"linear", false}},
                  "spacing of the coarse grid")
          .key("phase.sizes", &PhaseAsked::sizes, Range::between(2, 1e7), "",
               "numbers of agents, ascending; a crossing needs at least 2; a network or start file gives its own")
          .choice(
              "phase.order", &PhaseAsked::order,
              {{"auto", Order::automatic},
               {"dispersion", Order::dispersion},
               {"resultant", Order::resultant},
               {"mean", Order::mean},
               {"camps", Order::camps},
               {"strength", Order::strength},
               {"positive", Order::positive}},
              "order parameter; auto: resultant on circle and sphere, mean with noise, positive (share above 0) for "
              "voters without it, strength (root mean square) for contacts, else dispersion")
          .choice(
              "phase.branches", &PhaseAsked::branches,
              {{"auto", PhaseAsked::Branches::automatic},
               {"carried", PhaseAsked::Branches::carried},
               {"fresh", PhaseAsked::Branches::fresh}},
              "carried: up and down, each from the state before; fresh: each value from the start; auto: fresh where "
              "agents meet, for numbers of the start, and for models without stubbornness, noise and saturation, "
              "whose final states depend on the start");
  return keys;
}

const Keys<PhaseAsked>& search_keys() {
  static const auto keys =
      Keys<PhaseAsked>()
          .group(range_keys())
          .key(kCampsGap, &PhaseAsked::camps_gap)
          .key(kCampsLeastShare, &PhaseAsked::camps_least_share)
          .key("phase.tolerance", &PhaseAsked::tolerance, Range::positive(), "opinion",
               "without noise: at rest if no opinion moves further in one step")
          .key("phase.steps_max", &PhaseAsked::steps_max, Range::at_least(1), "step",
               "without noise: most steps at one value")
          .key("phase.resolution", &PhaseAsked::resolution, Range::between(1e-10, 1), "",
               "without noise: relative width of a bracket")
          .key("phase.least_jump", &PhaseAsked::least_jump, Range::between(0.001, 1), "",
               "without noise: smallest jump that is reported where the number of camps does not change, as a share of "
               "the whole range")
          .key("phase.replicas", &PhaseAsked::replicas, Range::between(2, 1000), "",
               "crowds of each size and direction, where noise, meetings, the start or the network are drawn")
          .group(noisy_keys())
          .when(&PhaseAsked::noisy)
          .key("phase.draws", &PhaseAsked::draws, Range::between(100, 100000), "", "bootstrap draws");
  return keys;
}

/// Of a model; nullptr: of any.
PhaseAsked first_settings(const dynamics::ModelEntry* only) {
  const FirstSearch first = first_search(only);
  PhaseAsked settings;
  settings.noisy = may_fluctuate(only);
  settings.control = first.control;
  settings.low = first.low;
  settings.high = first.high;
  settings.logarithmic = first.logarithmic;
  return settings;
}

dynamics::ModelSettings model_at(const Config& config, double control) {
  return dynamics::model_settings(at_control(config, control));
}

dynamics::Course course_at(const Config& config, double control) {
  return dynamics::course_of(model_at(config, control));
}

const dynamics::Rule& rule_of(const Config& config) { return dynamics::find_model(config.text("model.name")).rule; }

bool phase_is_fresh(const Config& config, const PhaseAsked& asked) {
  if (asked.branches != PhaseAsked::Branches::automatic) return asked.branches == PhaseAsked::Branches::fresh;
  const dynamics::Course course = course_at(config, asked.high);
  if (course != dynamics::Course::determined) return course == dynamics::Course::drawn;
  const bool of_start = control_key(config).starts_with("start.");
  return of_start ||
         (model_at(config, asked.high).stubbornness == 0 && rule_of(config).value != dynamics::Value::saturated);
}

/// What `auto` stands for.
Order order_of(const Config& config, const PhaseAsked& asked) {
  if (asked.order != Order::automatic) return asked.order;
  const dynamics::Update& update = rule_of(config).update;
  if (update.imitates) return phase_is_noisy(config) ? Order::mean : Order::positive;
  return update == dynamics::Update::contacts ? Order::strength : Order::automatic;
}

}  // namespace

Schema phase_schema(const dynamics::ModelEntry* only) {
  Schema schema;
  dynamics::ModelKeys model;
  model.name = "attention";
  model.temperature = 1.0;
  model.only = only;
  model.later = true;
  dynamics::add_model_keys(schema, model);
  society::PopulationKeys population = dynamics::population_keys(only);
  population.made_anew = population.later = true;
  society::add_population_keys(schema, 0, population);
  search_keys().declare(schema, first_settings(only));
  return schema;
}

void check_phase(const Config& config, Complaints& complaints) {
  check_control(config, complaints);
  const PhaseAsked asked = search_keys().read(config);
  if (asked.low >= asked.high)
    complaints.add(config.source("phase.low"),
                   concat("phase.low = ", asked.low, ", but must be < phase.high = ", asked.high, "."));
  if (asked.sizes.empty() || !std::is_sorted(asked.sizes.begin(), asked.sizes.end(), std::less_equal<>()))
    complaints.add(config.source("phase.sizes"), "phase.sizes must ascend and have at least one entry.");
  if (!complaints.empty()) return;
  if (rule_of(config).is_written() &&
      dynamics::formulas_read_time(dynamics::model_settings(config), society::population_settings(config)))
    complaints.add(config.source("formula.update"),
                   "a formula reads t, but a transition is one of final states, which a model that changes with the "
                   "step has not; leave t out, or take opinion.simulate.");
  if (phase_is_noisy(config) && asked.branches == PhaseAsked::Branches::fresh)
    complaints.add(config.source("phase.branches"),
                   "phase.branches = \"fresh\", but with noise a crowd is carried through the range; take \"auto\".");
  const society::StartKind start = society::population_settings(config).start.kind;
  if (rule_of(config).update.imitates && start != society::StartKind::two_opinions &&
      start != society::StartKind::file && asked.order != Order::camps)
    complaints.add(
        config.source("start.kind"),
        concat("start.kind = \"", config.text("start.kind"), "\", but model.name = \"", config.text("model.name"),
               "\" takes opinions over as they are; set start.kind = \"two_opinions\" for its order "
               "parameter, or phase.order = \"camps\" for many opinions."));
}

PhaseSettings phase_settings(const Config& config, const PhaseFiles& files) {
  const PhaseAsked asked = search_keys().read(config);
  PhaseSettings settings = asked;
  settings.noisy = phase_is_noisy(config);
  settings.drawn = phase_is_drawn(config);
  settings.sizes = phase_sizes(config, files);
  settings.order = order_of(config, asked);
  settings.fresh = phase_is_fresh(config, asked);
  // Without noise or independence a crowd agrees: where the control is what moves it, the low end is the ordered one.
  const bool agree_when_low = settings.noisy && course_at(config, 0) != dynamics::Course::fluctuating;
  settings.up_from = agree_when_low ? Prepared::consensus : Prepared::spread;
  settings.down_from = agree_when_low ? Prepared::spread : Prepared::consensus;
  const dynamics::Update& update = rule_of(config).update;
  settings.mean_is_opinion = update.space == dynamics::Space::line && !update.imitates;
  return settings;
}

bool phase_is_noisy(const Config& config) {
  return course_at(config, config.real("phase.high")) == dynamics::Course::fluctuating;
}

bool phase_is_drawn(const Config& config) {
  return course_at(config, config.real("phase.high")) != dynamics::Course::determined ||
         society::population_settings(config).is_drawn();
}

bool phase_is_plain_averaging(const Config& config) {
  const dynamics::ModelSettings model = model_at(config, config.real("phase.high"));
  return model.model == "attention" && model.stubbornness == 0 && !phase_is_noisy(config) &&
         society::population_settings(config).network.kind == society::NetworkKind::none;
}

std::vector<Index> phase_sizes(const Config& config, const PhaseFiles& files) {
  if (files.population && files.population->graph) return {files.population->graph->nodes};
  if (files.population) return {files.population->anchors.rows()};
  return search_keys().read(config).sizes;
}

std::shared_ptr<dynamics::Dynamics> phase_crowd(const Config& config, const PhaseFiles& files, double control,
                                                Index size, Index replica, Index walk, const Random& random) {
  Config here = at_control(config, control);
  const bool angles = rule_of(config).update.space == dynamics::Space::circle;
  if (angles && config.is_default("start.spread") && control_key(config) != "start.spread")
    here.set("start.spread", kHalfTurn, {});
  const Random own = random.stream(concat("size ", size, ", replica ", replica));
  const society::PopulationDraws draws{size, own.stream("network"), own.stream("start"), own.stream("known"), angles};
  const society::Population population =
      society::make_population(society::population_settings(here), files.population.get(), draws);
  const dynamics::ModelSettings model = dynamics::model_settings(here);
  dynamics::Agents agents;
  agents.start = population.anchors;
  if (!population.known.empty()) agents.stubbornness = population.stubbornness;
  society::add_traits(files.traits, {model.stubbornness, model.temperature, model.confidence}, agents);
  auto crowd =
      dynamics::make_dynamics(model, std::move(agents), population.graph.get(), own.stream(concat("walk ", walk)));
  const std::shared_ptr<const society::Graph> graph = population.graph;  // lives as long as the crowd
  return {crowd.release(), [graph](dynamics::Dynamics* done) { delete done; }};
}

}  // namespace fovea::opinion::phase
