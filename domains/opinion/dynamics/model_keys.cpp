#include "fovea/domains/opinion/dynamics/model_keys.hpp"

#include <algorithm>

#include "fovea/core/base/error.hpp"
#include "fovea/domains/opinion/dynamics/formula/formula_keys.hpp"
#include "fovea/domains/opinion/society/population_keys.hpp"

namespace fovea::opinion::dynamics {

namespace {

std::vector<std::string> model_names() {
  std::vector<std::string> names;
  for (const ModelEntry& entry : models()) names.emplace_back(entry.name);
  return names;
}

/// Declares the keys that count.
class ModelKeyTable {
 public:
  ModelKeyTable(Schema& schema, const ModelKeys& keys) : schema_(schema), keys_(keys) {}

  void add() {
    add_state();
    real("temperature", keys_.temperature, Range::positive(), "opinion^2",
         "T of the score; a transformer's beta is 1 / T");
    real("confidence", 0.2, Range::positive(), "opinion", "eps: agents that differ by more have no influence");
    real("sharpness", 100, Range::at_least(0), "1/opinion^2", "of smooth bounded confidence; 0: equal weights");
    real("stubbornness", 0.0, Range::between(0, 1), "",
         "s: weight of an agent's starting opinion; of voters: probability that one keeps its own");
    real("coupling", 1.0, Range::at_least(0), "", "K: weight of the influence in continuous time");
    real("steepness", 1.0, Range::at_least(0), "1/opinion", "alpha of tanh(alpha x)");
    later(real("convergence", 0.5, Range{0, 0.5, true, false}, "",
               "mu: two agents that meet each move by this share of their difference"));
    later(real("homophily", 1.0, Range::at_least(0), "", "exponent of the distance when partners are drawn"));
    later(real("distance_floor", 1e-6, Range::positive(), "opinion", "smaller distances are replaced by this one"));
    real("time_step", 0.05, Range::between(1e-9, 1), "", "dt of the models in continuous time");
    real("noise", 0.0, Range::between(0, society::kLargestOpinion), "",
         "standard deviation in each step (opinion), or diffusion D in continuous time (opinion^2)");
    add_contacts();
    add_voters();
    later(schema_.flag("model.fast", true,
                       "use sums in O(N) where the model has them; false: all pairs, by the attention engine"));
    if (keys_.only == nullptr || keys_.only->rule.update == Update::formula) add_formula_keys(schema_);
  }

 private:
  bool counts(std::string_view field) const { return keys_.only == nullptr || keys_.only->needs(field); }

  /// Whether it was declared.
  bool real(const char* field, double fallback, const Range& range, const char* unit, const char* meaning) {
    if (!counts(field)) return false;
    schema_.real(concat("model.", field), fallback, range, unit, meaning);
    return true;
  }
  void later(bool declared) {
    if (declared && keys_.later) schema_.added_later();
  }
  void later(Schema&) { later(true); }

  void add_state() {
    schema_.choice("model.name", keys_.only == nullptr ? keys_.name : std::string(keys_.only->name), model_names(),
                   "the model; `fovea list models` gives its equation");
    if (counts("score"))
      schema_.choice("model.score", "gaussian", {"gaussian", "dot_product", "cosine", "log_distance"},
                     "attention, saturation: score of two opinions: -|x-y|^2/2, x.y, cosine, -log|x-y|");
    const bool sphere = keys_.only != nullptr && keys_.only->rule.update == Update::project;
    if (keys_.only == nullptr || !has_one_component(keys_.only->rule))
      later(schema_.integer("model.components", sphere ? 3 : 1, Range::between(1, 64), "",
                            "components of an opinion; sphere: 2 or more"));
  }

  void add_contacts() {
    later(real("activity_exponent", 2.1, Range::any(), "", "baumann: activities ~ a^-exponent"));
    later(real("activity_least", 0.01, Range{0, 1, true, false}, "", "baumann: least activity"));
    later(real("reciprocity", 0.5, Range::between(0, 1), "", "baumann: probability that a contact is mutual"));
    if (counts("contacts"))
      later(schema_.integer("model.contacts", 10, Range::at_least(1), "", "baumann: contacts of an active agent"));
  }

  void add_voters() {
    if (counts("panel"))
      schema_
          .integer("model.panel", 3, Range::between(1, kLargestPanel), "",
                   "q_voter: agents asked (q); majority: agents of a group, odd")
          .added_later();
    if (counts("independence"))
      schema_
          .real("model.independence", 0.0, Range::between(0, 1), "",
                "voter, q_voter: probability that an agent takes one of the start's opinions at random instead")
          .added_later();
    if (counts("rejection"))
      schema_
          .real("model.rejection", 1.0, Range::positive(), "opinion",
                "jager_amblard: agents that differ by more move apart; not below the confidence")
          .added_later();
  }

  Schema& schema_;
  const ModelKeys& keys_;
};

/// A key of the model that is set, and that this model does not read.
void check_unread(const Config& config, const ModelEntry& entry, society::KeyRules& rules) {
  for (const Parameter& parameter : config.schema().parameters()) {
    const std::string& key = parameter.key;
    if (!key.starts_with("model.") || key == "model.name" || key == "model.components" || key == "model.fast") continue;
    const bool read = entry.needs(std::string_view(key).substr(6));
    rules.unless(read || config.is_default(key), key.c_str(),
                 concat(key, " is given, but model.name = \"", entry.name, "\" does not read it; it reads ",
                        entry.reads, ". Remove the key."));
    rules.unless(!read || config.is_default(key) || key != "model.distance_floor" ||
                     entry.rule.score != Score::chosen || rules.is("model.score", "log_distance"),
                 key.c_str(), "model.distance_floor is given, but counts for model.score = \"log_distance\" alone.");
  }
}

bool sums_over_others(const Config& config, const ModelEntry& entry) {
  return hears(entry.rule.update) && (entry.rule.update != Update::formula || formulas_hear(config));
}

/// Whether a column of start.file changes anything. An agent's own stubbornness counts everywhere; that of agents whose
/// formulas do not read s is check_stubbornness()'s.
bool reads_trait(const Config& config, const ModelEntry& entry, const std::string& column) {
  if (column == "stubbornness" || column == "kind") return true;
  if (column == "reach") return sums_over_others(config, entry);
  return entry.rule.update == Update::formula ? formulas_read(config, column) : entry.needs(column);
}

bool has_repulsion(const society::Graph& graph) {
  return std::any_of(graph.weights.begin(), graph.weights.end(), [](double weight) { return weight < 0; });
}

}  // namespace

society::PopulationKeys population_keys(const ModelEntry* only) {
  society::PopulationKeys keys;
  keys.directed = true;
  if (only == nullptr) return keys;
  const Update update = only->rule.update;
  keys.network = update != Update::contacts;
  keys.own_weight = hears(update);
  keys.directed = hears(update) || update == Update::adopt;
  if (update == Update::project) keys.start = "normal";
  if (imitates(update)) keys.start = "two_opinions";
  return keys;
}

bool has_one_component(const Rule& rule) {
  return rule.update == Update::turn || rule.update == Update::contacts || rule.update == Update::repel ||
         imitates(rule.update);
}

void add_model_keys(Schema& schema, const ModelKeys& keys) { ModelKeyTable(schema, keys).add(); }

void check_model(const Config& config, Complaints& complaints) {
  society::KeyRules rules(config, complaints);
  const ModelEntry& entry = find_model(config.text("model.name"));
  const Rule& rule = entry.rule;
  const std::int64_t components = config.integer("model.components");
  check_unread(config, entry, rules);
  rules.unless(!has_one_component(rule) || components == 1, "model.components",
               concat("model.components = ", components, ", but model.name = \"", entry.name, "\" has 1."));
  rules.unless(rule.update != Update::project || components >= 2, "model.name",
               concat("model.components = ", components, ", but a point of the sphere needs at least 2."));
  rules.unless(
      rule.update != Update::contacts || rules.is("network.kind", "none"), "network.kind",
      concat("network.kind is given, but the agents of model.name = \"", entry.name, "\" draw their own contacts."));
  const bool one_way = hears(rule.update) || rule.update == Update::adopt || rule.update == Update::contacts;
  rules.unless(one_way || !config.flag("network.directed"), "network.directed",
               concat("network.directed = true, but in model.name = \"", entry.name,
                      "\" agents that meet move one another; take a model whose agents hear, such as degroot."));
  rules.unless(
      rule.update != Update::group || config.integer("model.panel") % 2 == 1, "model.panel",
      concat("model.panel = ", config.integer("model.panel"), ", but a group must be odd to have a majority."));
  rules.unless(rule.update != Update::repel || config.real("model.rejection") >= config.real("model.confidence"),
               "model.rejection",
               concat("model.rejection = ", config.real("model.rejection"),
                      ", but must be >= model.confidence = ", config.real("model.confidence"), "."));
  const bool hears_itself = sums_over_others(config, entry);
  rules.unless(hears_itself || config.is_default("network.self_weight"), "network.self_weight",
               concat("network.self_weight is given, but agents of model.name = \"", entry.name,
                      "\" take no sum in which their own opinion had a weight. Remove the key."));
  check_formula(config, model_settings(config), complaints);
}

bool reads_edge_weights(const Config& config) {
  const ModelEntry& entry = find_model(config.text("model.name"));
  const bool by_distance = entry.rule.update == Update::pairs && entry.rule.score == Score::log_distance;
  return sums_over_others(config, entry) || entry.rule.update == Update::adopt || by_distance;
}

void check_traits(const Config& config, const society::Traits& traits) {
  const ModelEntry& entry = find_model(config.text("model.name"));
  const bool written = entry.rule.update == Update::formula;
  std::string read, unread;
  for (const std::string& column : society::trait_columns())
    if (reads_trait(config, entry, column)) read += concat(read.empty() ? "" : ", ", column);
  for (const std::string& column : society::given_traits(traits)) {
    if (reads_trait(config, entry, column)) continue;
    throw DataError(concat(config.text("start.file"), ": has values in the column '", column,
                           "', which model.name = \"", entry.name, "\"", written ? " as it is written" : "",
                           " does not read; of agents it reads ", read.empty() ? "opinions alone" : read,
                           ". Remove the column, or leave its cells empty."));
  }
}

void check_signs(const Config& config, const society::Graph* graph) {
  const ModelEntry& entry = find_model(config.text("model.name"));
  const bool written = entry.rule.update == Update::formula;
  if (graph == nullptr || !has_repulsion(*graph)) return;
  Complaints complaints;
  if (config.schema().find("rewiring.probability") != nullptr && config.real("rewiring.probability") > 0)
    complaints.add(config.source("rewiring.probability"),
                   concat("rewiring.probability > 0, but ", config.text("network.edges"),
                          " has negative weights: an edge that is moved keeps its weight, so that agents would be "
                          "repelled by those whom they choose. Remove the key, or set network.use_weights = false."));
  complaints.raise();
  if (knows_repulsion(entry.rule.score) && !written) return;
  if (written && formulas_repel(config)) return;
  if (written)
    complaints.add(
        config.source("formula.normaliser"),
        concat(config.text("network.edges"), " has negative weights, which only formula.step = \"together\" ",
               "with formula.normaliser = \"share\" or \"sum\" knows as repulsion; take these, or set ",
               "network.use_weights = false."));
  complaints.raise();
  complaints.add(config.source("model.name"),
                 concat("model.name = \"", entry.name, "\", but ", config.text("network.edges"),
                        " has negative weights, which only degroot, friedkin_johnsen and formula know as repulsion; ",
                        "choose one of them, or set network.use_weights = false."));
  complaints.raise();
}

ModelSettings model_settings(const Config& config) {
  ModelSettings settings;
  settings.model = config.text("model.name");
  settings.score = config.text("model.score");
  settings.temperature = config.real("model.temperature");
  settings.confidence = config.real("model.confidence");
  settings.sharpness = config.real("model.sharpness");
  settings.stubbornness = config.real("model.stubbornness");
  settings.coupling = config.real("model.coupling");
  settings.steepness = config.real("model.steepness");
  settings.convergence = config.real("model.convergence");
  settings.homophily = config.real("model.homophily");
  settings.distance_floor = config.real("model.distance_floor");
  settings.self_weight = config.real("network.self_weight");
  settings.time_step = config.real("model.time_step");
  settings.noise = config.real("model.noise");
  settings.activity_exponent = config.real("model.activity_exponent");
  settings.activity_least = config.real("model.activity_least");
  settings.reciprocity = config.real("model.reciprocity");
  settings.contacts = static_cast<Index>(config.integer("model.contacts"));
  settings.panel = static_cast<Index>(config.integer("model.panel"));
  settings.independence = config.real("model.independence");
  settings.rejection = config.real("model.rejection");
  settings.formula = formula_settings(config);
  settings.fast = config.flag("model.fast");
  return settings;
}

}  // namespace fovea::opinion::dynamics
