#include "fovea/domains/opinion/dynamics/model_keys.hpp"

#include <algorithm>

#include "fovea/core/base/error.hpp"
#include "fovea/core/config/keys.hpp"
#include "fovea/domains/opinion/dynamics/formula/formula_keys.hpp"
#include "fovea/domains/opinion/keys.hpp"

namespace fovea::opinion::dynamics {

namespace {

std::vector<std::string> model_names() {
  std::vector<std::string> names;
  for (const ModelEntry& entry : models()) names.emplace_back(entry.name);
  return names;
}

struct ModelAsked : ModelSettings {
  Index components = 1;
};

Keys<ModelAsked> make_keys(bool later) {
  using Asked = ModelAsked;
  return Keys<Asked>()
      .choice("model.name", &Asked::model, model_names(), "the model; `fovea list models` gives its equation")
      .choice(kScore, &Asked::score)
      .key(kComponents, &Asked::components)
      .added_later(later)
      .key("model.temperature", &Asked::temperature, Range::positive(), "opinion^2",
           "T of the score; a transformer's beta is 1 / T")
      .key("model.confidence", &Asked::confidence, Range::positive(), "opinion",
           "eps: agents that differ by more have no influence")
      .key("model.sharpness", &Asked::sharpness, Range::at_least(0), "1/opinion^2",
           "of smooth bounded confidence; 0: equal weights")
      .key(kStubbornness, &Asked::stubbornness)
      .key("model.coupling", &Asked::coupling, Range::at_least(0), "", "K: weight of the influence in continuous time")
      .key("model.steepness", &Asked::steepness, Range::at_least(0), "1/opinion", "alpha of tanh(alpha x)")
      .key("model.convergence", &Asked::convergence, Range{0, 0.5, true, false}, "",
           "mu: two agents that meet each move by this share of their difference")
      .added_later(later)
      .key("model.homophily", &Asked::homophily, Range::at_least(0), "",
           "exponent of the distance when partners are drawn")
      .added_later(later)
      .key(kDistanceFloor, &Asked::distance_floor)
      .added_later(later)
      .key("model.time_step", &Asked::time_step, Range::between(1e-9, 1), "", "dt of the models in continuous time")
      .key(kNoise, &Asked::noise)
      .key("model.activity_exponent", &Asked::activity_exponent, Range::any(), "", "baumann: activities ~ a^-exponent")
      .added_later(later)
      .key("model.activity_least", &Asked::activity_least, Range{0, 1, true, false}, "", "baumann: least activity")
      .added_later(later)
      .key("model.reciprocity", &Asked::reciprocity, Range::between(0, 1), "",
           "baumann: probability that a contact is mutual")
      .added_later(later)
      .key("model.contacts", &Asked::contacts, Range::at_least(1), "", "baumann: contacts of an active agent")
      .added_later(later)
      .key("model.panel", &Asked::panel, Range::between(1, kLargestPanel), "",
           "q_voter: agents asked (q); majority: agents of a group, odd")
      .added_later()
      .key("model.independence", &Asked::independence, Range::between(0, 1), "",
           "voter, q_voter: probability that an agent takes one of the start's opinions at random instead")
      .added_later()
      .key("model.rejection", &Asked::rejection, Range::positive(), "opinion",
           "jager_amblard: agents that differ by more move apart; not below the confidence")
      .added_later()
      .key("model.fast", &Asked::fast,
           "use sums in O(N) where the model has them; false: all pairs, by the attention engine")
      .added_later(later);
}

const Keys<ModelAsked>& asked_keys(bool later = false) {
  static const auto now = make_keys(false), then = make_keys(true);
  return later ? then : now;
}

/// A key of the model that is set, and that this model does not read.
void check_unread(const ModelSettings& model, const ModelEntry& entry, society::KeyRules& rules) {
  for (const std::string& key : rules.given_keys("model.")) {
    if (key == "model.name" || key == "model.components" || key == "model.fast") continue;
    const bool read = entry.needs(std::string_view(key).substr(6));
    rules.unless(read, key, key, " is given, but model.name = \"", entry.name, "\" does not read it; it reads ",
                 entry.reads, ". Remove the key.");
    rules.unless(
        !read || key != "model.distance_floor" || entry.rule.score != Score::chosen || model.score == "log_distance",
        key, "model.distance_floor is given, but counts for model.score = \"log_distance\" alone.");
  }
}

bool sums_over_others(const ModelSettings& model, const society::PopulationSettings& population) {
  const Rule& rule = find_model(model.model).rule;
  return rule.update.hears && (!rule.is_written() || formulas_hear(model, population));
}

/// Whether a column of start.file changes anything. An agent's own stubbornness counts everywhere; that of agents whose
/// formulas do not read s is check_stubbornness()'s.
bool reads_trait(const ModelSettings& model, const society::PopulationSettings& population, const std::string& column) {
  if (column == "stubbornness" || column == "kind") return true;
  if (column == "reach") return sums_over_others(model, population);
  const ModelEntry& entry = find_model(model.model);
  return entry.rule.is_written() ? formulas_read(model, population, column) : entry.needs(column);
}

bool has_repulsion(const society::Graph& graph) {
  return std::any_of(graph.weights.begin(), graph.weights.end(), [](double weight) { return weight < 0; });
}

}  // namespace

society::PopulationKeys population_keys(const ModelEntry* only) {
  society::PopulationKeys keys;
  keys.directed = true;
  if (only == nullptr) return keys;
  const Update& update = only->rule.update;
  keys.network = update != Update::contacts;
  keys.own_weight = update.hears;
  keys.directed = !update.mutual;
  if (update.space == Space::sphere) keys.start = society::StartKind::normal;
  if (update.imitates) keys.start = society::StartKind::two_opinions;
  return keys;
}

void add_model_keys(Schema& schema, const ModelKeys& keys) {
  const ModelEntry* only = keys.only;
  const auto counts = [only](std::string_view key) {
    if (only == nullptr || key == "model.name" || key == "model.fast") return true;
    return key == "model.components" ? !only->rule.update.one_component : only->needs(key.substr(6));
  };
  ModelAsked defaults;
  defaults.model = only == nullptr ? keys.name : std::string(only->name);
  defaults.temperature = keys.temperature;
  if (only != nullptr && only->rule.update.space == Space::sphere) defaults.components = 3;
  asked_keys(keys.later).declare(schema, defaults, counts);
  if (only == nullptr || only->rule.is_written()) formula_keys().declare(schema);
}

void check_model(const ModelSettings& model, const society::PopulationSettings& population, society::KeyRules& rules) {
  const ModelEntry& entry = find_model(model.model);
  const Update& update = entry.rule.update;
  const Index components = population.components;
  check_unread(model, entry, rules);
  rules.unless(!update.one_component || components == 1, "model.components", "model.components = ", components,
               ", but model.name = \"", entry.name, "\" has 1.");
  rules.unless(update.space != Space::sphere || components >= 2, "model.name", "model.components = ", components,
               ", but a point of the sphere needs at least 2.");
  rules.unless(update != Update::contacts || population.network.kind == society::NetworkKind::none, "network.kind",
               "network.kind is given, but the agents of model.name = \"", entry.name, "\" draw their own contacts.");
  rules.unless(!update.mutual || !population.network.directed, "network.directed",
               "network.directed = true, but in model.name = \"", entry.name,
               "\" agents that meet move one another; take a model whose agents hear, such as degroot.");
  rules.unless(!update.by_panel || model.panel % 2 == 1, "model.panel", "model.panel = ", model.panel,
               ", but a group must be odd to have a majority.");
  rules.unless(update != Update::repel || model.rejection >= model.confidence, "model.rejection",
               "model.rejection = ", model.rejection, ", but must be >= model.confidence = ", model.confidence, ".");
  rules.unless(sums_over_others(model, population) || !rules.given("network.self_weight"), "network.self_weight",
               "network.self_weight is given, but agents of model.name = \"", entry.name,
               "\" take no sum in which their own opinion had a weight. Remove the key.");
  check_formula(model, population, rules);
}

bool reads_edge_weights(const ModelSettings& model, const society::PopulationSettings& population) {
  const Rule& rule = find_model(model.model).rule;
  return sums_over_others(model, population) || rule.update.asks || rule.draws_by_score();
}

void check_traits(const ModelSettings& model, const society::PopulationSettings& population,
                  const society::Traits& traits) {
  const bool written = find_model(model.model).rule.is_written();
  std::string read;
  for (const std::string& column : society::trait_columns())
    if (reads_trait(model, population, column)) read += concat(read.empty() ? "" : ", ", column);
  for (const std::string& column : society::given_traits(traits)) {
    if (reads_trait(model, population, column)) continue;
    throw DataError(concat(population.start.file, ": has values in the column '", column, "', which model.name = \"",
                           model.model, "\"", written ? " as it is written" : "", " does not read; of agents it reads ",
                           read.empty() ? "opinions alone" : read, ". Remove the column, or leave its cells empty."));
  }
}

void check_signs(const ModelSettings& model, const society::PopulationSettings& population, const society::Graph* graph,
                 society::KeyRules& rules) {
  if (graph == nullptr || !has_repulsion(*graph)) return;
  const std::string& edges = population.network.edges;
  const Rule& rule = find_model(model.model).rule;
  if (model.rewiring.probability > 0)
    rules.unless(false, "rewiring.probability", "rewiring.probability > 0, but ", edges,
                 " has negative weights: an edge that is moved keeps its weight, so that agents would be "
                 "repelled by those whom they choose. Remove the key, or set network.use_weights = false.");
  rules.raise();
  if (rule.is_written())
    rules.unless(formulas_repel(model.formula), "formula.normaliser", edges,
                 " has negative weights, which only formula.step = \"together\" ",
                 "with formula.normaliser = \"share\" or \"sum\" knows as repulsion; take these, or set ",
                 "network.use_weights = false.");
  rules.raise();
  rules.unless(rule.is_written() || knows_repulsion(rule.score), "model.name", "model.name = \"", model.model,
               "\", but ", edges,
               " has negative weights, which only degroot, friedkin_johnsen and formula know as repulsion; ",
               "choose one of them, or set network.use_weights = false.");
  rules.raise();
}

ModelSettings model_settings(const Config& config) {
  static const auto keys = Keys<ModelAsked>().group(asked_keys()).key(kSelfWeight, &ModelAsked::self_weight);
  ModelSettings settings = keys.read(config);
  settings.formula = formula_settings(config);
  return settings;
}

}  // namespace fovea::opinion::dynamics
