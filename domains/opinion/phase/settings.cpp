#include "fovea/domains/opinion/phase/question.hpp"

#include <algorithm>
#include <array>

#include "fovea/core/config/keys.hpp"
#include "fovea/domains/opinion/dynamics/model_keys.hpp"
#include "fovea/domains/opinion/keys.hpp"
#include "fovea/domains/opinion/society/population_keys.hpp"

namespace fovea::opinion::phase {

namespace {

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
              "voters without it, strength (root mean square) for contacts, else dispersion; formulas of angles: set "
              "resultant")
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

PhaseAsked phase_asked(const Config& config) { return search_keys().read(config); }

}  // namespace fovea::opinion::phase
