#include "fovea/domains/opinion/phase/question.hpp"

#include <algorithm>
#include <numbers>

#include "fovea/core/base/error.hpp"
#include "fovea/domains/opinion/dynamics/formula/formula_keys.hpp"
#include "fovea/domains/opinion/dynamics/model_keys.hpp"

namespace fovea::opinion::phase {

namespace {

/// A network or a start from files has its own size.
std::vector<Index> sizes_of(const PhaseFiles& files, std::vector<Index> asked) {
  if (files.population && files.population->graph) return {files.population->graph->nodes};
  if (files.population) return {files.population->anchors.rows()};
  return asked;
}

/// What `auto` stands for.
Order order_of(Order asked, const dynamics::Update& update, bool noisy) {
  if (asked != Order::automatic) return asked;
  if (update.imitates) return noisy ? Order::mean : Order::positive;
  return update == dynamics::Update::contacts ? Order::strength : Order::automatic;
}

/// The same. The final states of models without stubbornness, noise and saturation depend on the start.
bool is_fresh(PhaseAsked::Branches asked, dynamics::Course course, bool depends_on_start) {
  if (asked != PhaseAsked::Branches::automatic) return asked == PhaseAsked::Branches::fresh;
  return course == dynamics::Course::determined ? depends_on_start : course == dynamics::Course::drawn;
}

}  // namespace

PhaseQuestion phase_question(const Config& config, const PhaseFiles& files) {
  const PhaseAsked asked = phase_asked(config);
  PhaseQuestion question{.search = asked,
                         .control = phase_control(config),
                         .model = dynamics::model_settings(config),
                         .population = society::population_settings(config)};
  const auto model_at = [&](double value) {
    return dynamics::model_settings(at_control(config, question.control, value));
  };
  const dynamics::ModelSettings top = model_at(asked.high);
  const dynamics::Course course = dynamics::course_of(top);
  const dynamics::Rule& rule = dynamics::find_model(top.model).rule;
  PhaseSettings& search = question.search;
  search.noisy = course == dynamics::Course::fluctuating;
  search.drawn = course != dynamics::Course::determined || question.population.is_drawn();
  search.networks = search.noisy && question.population.network.is_drawn();
  search.sizes = sizes_of(files, asked.sizes);
  search.order = order_of(asked.order, rule.update, search.noisy);
  search.fresh = is_fresh(asked.branches, course,
                          question.control.key.starts_with("start.") ||
                              (top.stubbornness == 0 && rule.value != dynamics::Value::saturated));
  // Without noise or independence a crowd agrees: where the control is what moves it, the low end is the ordered one.
  const bool agree_when_low = search.noisy && dynamics::course_of(model_at(0)) != dynamics::Course::fluctuating;
  // Where all hold one of two opinions, that is order: from a mixture spins may freeze into domains, or halves of a
  // bipartite network into opposite ones, which would pass for hysteresis.
  const bool two_opinions = question.starts(society::StartKind::two_opinions);
  search.up_from = agree_when_low || (search.noisy && two_opinions) ? Prepared::consensus : Prepared::spread;
  search.down_from = agree_when_low ? Prepared::spread : Prepared::consensus;
  // Means of directions are none, and who imitates takes one of the opinions that there are.
  search.mean_is_opinion =
      rule.update.space == dynamics::Space::line && !rule.update.imitates && !(search.noisy && two_opinions);
  question.plain_averaging =
      top.model == "attention" && !question.on_network() && top.stubbornness == 0 && !search.noisy;
  return question;
}

void check_phase(const Config& config, Complaints& complaints) {
  check_control(config, complaints);
  const PhaseAsked asked = phase_asked(config);
  if (asked.low >= asked.high)
    complaints.add(config.source("phase.low"),
                   concat("phase.low = ", asked.low, ", but must be < phase.high = ", asked.high, "."));
  if (asked.sizes.empty() || !std::is_sorted(asked.sizes.begin(), asked.sizes.end(), std::less_equal<>()))
    complaints.add(config.source("phase.sizes"), "phase.sizes must ascend and have at least one entry.");
  if (!complaints.empty()) return;
  const PhaseQuestion question = phase_question(config);
  const dynamics::ModelEntry& entry = dynamics::find_model(question.model.model);
  if (entry.rule.is_written() && dynamics::formulas_read_time(question.model, question.population))
    complaints.add(config.source("formula.update"),
                   "a formula reads t, but a transition is one of final states, which a model that changes with the "
                   "step has not; leave t out, or take opinion.simulate.");
  if (question.search.noisy && asked.branches == PhaseAsked::Branches::fresh)
    complaints.add(config.source("phase.branches"),
                   "phase.branches = \"fresh\", but with noise a crowd is carried through the range; take \"auto\".");
  const bool takes_over = entry.rule.update.imitates && asked.order != Order::camps;
  if (takes_over && !question.starts(society::StartKind::two_opinions) && !question.starts(society::StartKind::file))
    complaints.add(config.source("start.kind"),
                   concat("start.kind = \"", config.text("start.kind"), "\", but model.name = \"", entry.name,
                          "\" takes opinions over as they are; set start.kind = \"two_opinions\" for its order "
                          "parameter, or phase.order = \"camps\" for many opinions."));
}

CrowdMaker phase_crowds(const Config& config, const PhaseFiles& files, const Random& random) {
  const PhaseControl control = phase_control(config);
  const bool angles = dynamics::find_model(config.text("model.name")).rule.update.space == dynamics::Space::circle;
  const bool whole_circle = angles && config.is_default("start.spread") && control.key != "start.spread";
  const bool networks = phase_question(config, files).search.networks;
  return [=](double value, Index size, Index replica, Index walk) -> std::shared_ptr<dynamics::Dynamics> {
    Config here = at_control(config, control, value);
    if (whole_circle) here.set("start.spread", std::numbers::pi, {});  // half a turn on either side
    const Random own = random.stream(concat("size ", size, ", replica ", replica));
    Random network = own.stream("network");
    if (networks) network = network.stream(concat("walk ", walk, " at ", value));
    const society::PopulationDraws draws{size, network, own.stream("start"), own.stream("known"), angles};
    const society::Population population =
        society::make_population(society::population_settings(here), files.population.get(), draws);
    const dynamics::ModelSettings model = dynamics::model_settings(here);
    dynamics::Agents agents;
    agents.start = population.anchors;
    if (!population.known.empty()) agents.stubbornness = population.stubbornness;
    society::add_traits(files.traits, {model.stubbornness, model.temperature, model.confidence}, agents);
    auto crowd =
        dynamics::make_dynamics(model, std::move(agents), population.graph.get(), own.stream(concat("walk ", walk)));
    // the graph lives as long as the crowd
    return {crowd.release(), [graph = population.graph](dynamics::Dynamics* done) { delete done; }};
  };
}

}  // namespace fovea::opinion::phase
