#include "fovea/domains/opinion/phase/settings.hpp"

#include <algorithm>
#include <cmath>

#include "fovea/core/base/error.hpp"
#include "fovea/core/statistics/distributions/normal.hpp"
#include "fovea/domains/opinion/dynamics/models.hpp"

namespace fovea::opinion::phase {

namespace {

constexpr double kHalfTurn = 3.141592653589793;

bool can_be_searched(const dynamics::ModelEntry& entry) {
  const dynamics::Update update = entry.rule.update;
  return (dynamics::hears(update) && update != dynamics::Update::project) || update == dynamics::Update::pairs;
}

std::vector<std::string> searchable_models() {
  std::vector<std::string> names;
  for (const dynamics::ModelEntry& entry : dynamics::models())
    if (can_be_searched(entry)) names.emplace_back(entry.name);
  return names;
}

void add_phase_model(Schema& schema) {
  schema.choice("model.name", "attention", searchable_models(), "the model; `fovea list models` gives its equation");
  schema.choice("model.score", "gaussian", {"gaussian", "dot_product", "cosine", "log_distance"},
                "attention, saturation: score of two opinions: -|x-y|^2/2, x.y, cosine, -log|x-y|");
  schema.real("model.temperature", 1.0, Range::positive(), "opinion^2",
              "T of the score, unless it is the control; a transformer's beta is 1 / T");
  schema.real("model.confidence", 0.2, Range::positive(), "opinion", "eps, unless it is the control");
  schema.real("model.sharpness", 100, Range::at_least(0), "1/opinion^2", "of smooth bounded confidence");
  schema.real("model.stubbornness", 0.0, Range::between(0, 1), "", "s: weight of an agent's starting opinion");
  schema.real("model.coupling", 1.0, Range::at_least(0), "", "K of the models in continuous time, unless the control");
  schema.real("model.steepness", 1.0, Range::at_least(0), "1/opinion", "alpha of tanh(alpha x)");
  schema.real("model.time_step", 0.05, Range::between(1e-9, 1), "", "dt of the models in continuous time");
  schema.real("model.noise", 0.0, Range::at_least(0), "",
              "standard deviation in each step (opinion), or diffusion D in continuous time, unless the control");
  schema.choice("start.kind", "gaussian_quantiles", {"gaussian_quantiles", "even", "normal", "uniform", "two_camps"},
                "anchors and spread state: normal quantiles, evenly spaced, drawn normal, drawn uniform, or one half "
                "at each end");
  schema.real("start.spread", 1.0, Range::positive(), "opinion",
              "standard deviation of the start; even, uniform, two_camps: half the range (angles: half a turn)");
}

void add_phase_search(Schema& schema) {
  schema.choice("phase.control", "temperature", {"temperature", "noise", "confidence", "coupling"},
                "control parameter");
  schema.real("phase.low", 0.005, Range::positive(), "", "low end of the range that is searched");
  schema.real("phase.high", 0.3, Range::positive(), "", "high end of the range");
  schema.integer("phase.points", 13, Range::between(4, 1000), "", "values of the control in the first, coarse grid");
  schema.choice("phase.spacing", "log", {"log", "linear"}, "spacing of the coarse grid");
  schema.integers("phase.sizes", {500, 1000, 2000, 4000}, Range::between(2, 1e7), "",
                  "numbers of agents, ascending; a crossing needs at least 2");
  schema.choice("phase.order", "auto", {"auto", "dispersion", "resultant", "mean", "camps"},
                "order parameter; auto: resultant on the circle, else dispersion without noise and mean with it");
  schema.choice("phase.branches", "auto", {"auto", "carried", "fresh"},
                "carried: up and down, each from the state before; fresh: each value from the start; auto: fresh for "
                "models without stubbornness, noise and saturation, whose final states depend on the start");
  schema.real("camps.gap", 0.1, Range::positive(), "opinion",
              "agents closer than this, directly or through agents between them, form one camp (cluster)");
  schema.real("camps.least_share", 0.01, Range::between(0, 1), "",
              "smallest share of the agents that is reported as a camp");
  schema.real("phase.tolerance", 1e-8, Range::positive(), "opinion",
              "without noise: at rest if no opinion moves further in one step");
  schema.integer("phase.steps_max", 200000, Range::at_least(1), "step", "without noise: most steps at one value");
  schema.real("phase.resolution", 0.001, Range::between(1e-10, 1), "", "without noise: relative width of a bracket");
  schema.real("phase.least_jump", 0.1, Range::between(0.001, 1), "",
              "without noise: smallest jump that is reported where the number of camps does not change, as a share of "
              "the whole range");
  schema.integer("phase.replicas", 4, Range::between(2, 1000), "", "with noise: crowds of each size and direction");
  schema.integer("phase.burn_in", 500, Range::at_least(0), "step", "with noise: steps before the measurement");
  schema.integer("phase.steps", 4000, Range::at_least(10), "step",
                 "with noise: steps of a measurement in the first round; later rounds double it, and around a crossing "
                 "N agents take (largest / N)^(1/2) times as many");
  schema.integer("phase.measure_every", 5, Range::at_least(1), "step", "with noise: steps between two measurements");
  schema.real("phase.precision", 0.005, Range::between(1e-6, 1), "",
              "with noise: wanted half width of the 95 % interval, relative");
  schema.real("phase.binder_precision", 1, Range::between(1e-6, 1), "",
              "with noise: wanted half width of the 95 % interval of the Binder cumulant there; 1: any");
  schema.integer("phase.rounds_max", 4, Range::between(1, 12), "", "with noise: largest number of refinements");
  schema.integer("phase.draws", 1000, Range::between(100, 100000), "", "bootstrap draws");
}

dynamics::Control phase_control(const Config& config) {
  const std::string& name = config.text("phase.control");
  return name == "temperature"  ? dynamics::Control::temperature
         : name == "noise"      ? dynamics::Control::noise
         : name == "confidence" ? dynamics::Control::confidence
                                : dynamics::Control::coupling;
}

bool phase_is_fresh(const Config& config) {
  const std::string& branches = config.text("phase.branches");
  if (branches != "auto") return branches == "fresh";
  return config.real("model.stubbornness") == 0 && !phase_is_noisy(config) && config.text("model.name") != "saturation";
}

Order phase_order(const Config& config) {
  const std::string& name = config.text("phase.order");
  return name == "dispersion"  ? Order::dispersion
         : name == "resultant" ? Order::resultant
         : name == "mean"      ? Order::mean
         : name == "camps"     ? Order::camps
                               : Order::automatic;
}

/// The opinion of agent i of n at the start.
double phase_start(const Config& config, Index i, Index n, const Random& random) {
  const std::string& kind = config.text("start.kind");
  const bool angle = dynamics::find_model(config.text("model.name")).rule.update == dynamics::Update::turn;
  const double spread = angle ? kHalfTurn : config.real("start.spread");
  const double share = (static_cast<double>(i) + 0.5) / static_cast<double>(n);
  if (kind == "gaussian_quantiles") return spread * normal_quantile(share);
  if (kind == "normal") return spread * random.normal(static_cast<std::uint64_t>(i));
  if (kind == "uniform") return spread * (2 * random.uniform(static_cast<std::uint64_t>(i)) - 1);
  if (kind == "two_camps") return 2 * i < n ? -spread : spread;
  if (angle) return spread * (2 * share - 1);
  return spread * (2 * static_cast<double>(i) / static_cast<double>(n - 1) - 1);
}

}  // namespace

Schema phase_schema() {
  Schema schema;
  add_phase_model(schema);
  add_phase_search(schema);
  return schema;
}

void check_phase(const Config& config, Complaints& complaints) {
  const dynamics::ModelEntry& entry = dynamics::find_model(config.text("model.name"));
  const std::string& control = config.text("phase.control");
  if (!entry.needs(control))
    complaints.add(config.source("phase.control"), concat("phase.control = \"", control, "\", which model.name = \"",
                                                          entry.name, "\" does not read; it reads ", entry.reads, "."));
  if (config.real("phase.low") >= config.real("phase.high"))
    complaints.add(config.source("phase.low"), concat("phase.low = ", config.real("phase.low"),
                                                      ", but must be < phase.high = ", config.real("phase.high"), "."));
  const auto& sizes = config.integers("phase.sizes");
  if (sizes.empty() || !std::is_sorted(sizes.begin(), sizes.end(), std::less_equal<>()))
    complaints.add(config.source("phase.sizes"), "phase.sizes must ascend and have at least one entry.");
  if (phase_is_noisy(config) && config.text("phase.branches") == "fresh")
    complaints.add(config.source("phase.branches"),
                   "phase.branches = \"fresh\", but with noise a crowd is carried through the range; take \"auto\".");
}

dynamics::ModelSettings phase_model(const Config& config) {
  dynamics::ModelSettings model;
  model.model = config.text("model.name");
  model.score = config.text("model.score");
  model.temperature = config.real("model.temperature");
  model.confidence = config.real("model.confidence");
  model.sharpness = config.real("model.sharpness");
  model.stubbornness = config.real("model.stubbornness");
  model.coupling = config.real("model.coupling");
  model.steepness = config.real("model.steepness");
  model.time_step = config.real("model.time_step");
  model.noise = config.real("model.noise");
  const double middle = std::sqrt(config.real("phase.low") * config.real("phase.high"));
  switch (phase_control(config)) {
    case dynamics::Control::temperature:
      model.temperature = middle;
      break;
    case dynamics::Control::noise:
      model.noise = middle;
      break;
    case dynamics::Control::confidence:
      model.confidence = middle;
      break;
    case dynamics::Control::coupling:
      model.coupling = middle;
      break;
  }
  return model;
}

PhaseSettings phase_settings(const Config& config) {
  PhaseSettings settings;
  settings.control = phase_control(config);
  settings.low = config.real("phase.low");
  settings.high = config.real("phase.high");
  settings.logarithmic = config.text("phase.spacing") == "log";
  settings.points = config.integer("phase.points");
  for (const std::int64_t size : config.integers("phase.sizes")) settings.sizes.push_back(static_cast<Index>(size));
  settings.order = phase_order(config);
  settings.fresh = phase_is_fresh(config);
  const bool agree_when_low = settings.control == dynamics::Control::noise;
  settings.up_from = agree_when_low ? Prepared::consensus : Prepared::spread;
  settings.down_from = agree_when_low ? Prepared::spread : Prepared::consensus;
  settings.camps_gap = config.real("camps.gap");
  settings.camps_least_share = config.real("camps.least_share");
  settings.tolerance = config.real("phase.tolerance");
  settings.steps_max = config.integer("phase.steps_max");
  settings.resolution = config.real("phase.resolution");
  settings.least_jump = config.real("phase.least_jump");
  settings.replicas = config.integer("phase.replicas");
  settings.burn_in = config.integer("phase.burn_in");
  settings.steps = config.integer("phase.steps");
  settings.measure_every = config.integer("phase.measure_every");
  settings.precision = config.real("phase.precision");
  settings.binder_precision = config.real("phase.binder_precision");
  settings.rounds_max = config.integer("phase.rounds_max");
  settings.draws = config.integer("phase.draws");
  return settings;
}

bool phase_is_noisy(const Config& config) {
  return config.text("phase.control") == "noise" || config.real("model.noise") > 0;
}

bool phase_is_plain_averaging(const Config& config) {
  return config.text("model.name") == "attention" && config.real("model.stubbornness") == 0 && !phase_is_noisy(config);
}

std::unique_ptr<dynamics::Dynamics> phase_crowd(const Config& config, Index size, Index replica, Index walk,
                                                const Random& random) {
  const Random own = random.stream(concat("size ", size, ", replica ", replica));
  const Random start = own.stream("start");
  dynamics::Agents agents;
  agents.start.resize(size, 1);
  for (Index i = 0; i < size; ++i) agents.start(i, 0) = phase_start(config, i, size, start);
  return dynamics::make_dynamics(phase_model(config), std::move(agents), nullptr, own.stream(concat("walk ", walk)));
}

std::string phase_control_name(const Config& config) { return config.text("phase.control"); }

std::string phase_control_unit(const Config& config) {
  const std::string& control = config.text("phase.control");
  if (control == "confidence") return "opinion";
  if (control == "coupling") return "1";
  const bool angle = dynamics::find_model(config.text("model.name")).rule.update == dynamics::Update::turn;
  const bool bare = config.text("model.score") == "cosine" || config.text("model.score") == "log_distance" || angle;
  if (control == "temperature") return bare ? "1" : "opinion^2";
  return angle ? "1" : "opinion^2";
}

}  // namespace fovea::opinion::phase
