#include "fovea/domains/opinion/simulate/coevolution_keys.hpp"

#include "fovea/core/base/error.hpp"
#include "fovea/core/config/keys.hpp"
#include "fovea/domains/opinion/dynamics/formula/formula_keys.hpp"
#include "fovea/domains/opinion/dynamics/model_keys.hpp"

namespace fovea::opinion::simulate {

namespace {

constexpr std::initializer_list<const char*> kRewiringKeys = {"rewiring.probability", "rewiring.to", "rewiring.cut",
                                                              "rewiring.multiple", "rewiring.tolerance"};
constexpr std::initializer_list<const char*> kFeedKeys = {"feed.size", "feed.share"};
constexpr std::initializer_list<const char*> kNearnessKeys = {"feed.homophily", "feed.distance_floor"};

/// recommends: agents may have a feed to find new neighbours in.
Keys<dynamics::ModelSettings> make_keys(bool recommends) {
  using dynamics::Feed;
  using dynamics::ModelSettings;
  using dynamics::Rewiring;
  const auto rewiring = [](auto member) { return inside(&ModelSettings::rewiring, member); };
  const auto feed = [](auto member) { return inside(&ModelSettings::feed, member); };
  std::vector<std::string> ends{"alike", "random", "friends_of_friends"};
  if (recommends) ends.emplace_back("recommended");
  return Keys<ModelSettings>()
      .key("rewiring.probability", rewiring(&Rewiring::probability), Range::between(0, 1), "",
           "probability that an agent moves an edge in place of asking or talking, or after a step; 0: the network "
           "stays")
      .added_later()
      .choice("rewiring.to", rewiring(&Rewiring::to), ends,
              "the new neighbour: of the same opinion or within the tolerance, anybody, a neighbour's neighbour, or "
              "near as in a feed")
      .added_later()
      .choice("rewiring.cut", rewiring(&Rewiring::any), {{"distant", false}, {"any", true}},
              "voter, q_voter: only edges between different opinions are moved (Vazquez et al. 2008), or any (Holme & "
              "Newman 2006)")
      .added_later()
      .key("rewiring.multiple", rewiring(&Rewiring::multiple),
           "voter, q_voter: an edge may be moved to a neighbour once more, as in Holme & Newman (2006)")
      .added_later()
      .key("rewiring.tolerance", rewiring(&Rewiring::tolerance), Range::at_least(0), "opinion",
           "edges between opinions further apart may be cut; 0: model.confidence")
      .added_later()
      .key("feed.size", feed(&Feed::size), Range::between(0, 100000), "",
           "agents recommended to each agent in each step; 0: none")
      .added_later()
      .key("feed.share", feed(&Feed::share), Range{0, 1, true, false}, "",
           "share of an agent's attention that its feed has")
      .added_later()
      .key("feed.homophily", feed(&Feed::homophily), Range::at_least(0), "",
           "an agent is recommended with p ~ distance^-homophily; 0: all alike")
      .added_later()
      .key("feed.distance_floor", feed(&Feed::distance_floor), Range::positive(), "opinion",
           "smaller distances are replaced by this one")
      .added_later();
}

const Keys<dynamics::ModelSettings>& coevolution_keys(bool recommends = true) {
  static const auto with_feed = make_keys(true), without = make_keys(false);
  return recommends ? with_feed : without;
}

}  // namespace

void add_coevolution_keys(Schema& schema, const dynamics::ModelEntry* only) {
  if (only == nullptr) return coevolution_keys().declare(schema);
  const bool moves = dynamics::knows_rewiring(only->rule), recommends = dynamics::knows_feed(only->rule);
  const bool voters = only->rule.update.asks;
  coevolution_keys(recommends).declare(schema, {}, [=](std::string_view key) {
    if (key.starts_with("feed.")) return recommends;
    if (key == "rewiring.cut" || key == "rewiring.multiple") return moves && voters;
    return moves && (key != "rewiring.tolerance" || !voters);
  });
}

void check_coevolution(const dynamics::ModelSettings& model, const society::PopulationSettings& population,
                       society::KeyRules& rules) {
  constexpr const char *kMovers = "take voter, q_voter, deffuant, jager_amblard, or one that hears.",
                       *kListeners = "take one that hears, such as degroot or hegselmann_krause.";
  const dynamics::ModelEntry& entry = dynamics::find_model(model.model);
  const bool written = entry.rule.is_written(), voters = entry.rule.update.asks;
  const bool moves = dynamics::knows_rewiring(entry.rule), listens = dynamics::knows_feed(entry.rule);
  const std::string name = concat("model.name = \"", entry.name, "\"");
  const auto refuse = [&](std::initializer_list<const char*> keys, bool useless, const std::string& why) {
    for (const char* key : keys) rules.unless(!useless || !rules.given(key), key, key, " is given, but ", why);
  };
  refuse(kRewiringKeys, written && model.formula.step == "pairs",
         "formula.step = \"pairs\", whose agents cannot move edges; take formula.step = \"together\".");
  refuse(kRewiringKeys, !moves, concat(name, ", whose agents cannot move edges; ", kMovers));
  refuse(kRewiringKeys, population.network.kind == society::NetworkKind::none,
         "network.kind = \"none\"; give a network.");
  refuse(kFeedKeys, !listens, concat(name, ", whose agents have no feed; ", kListeners));
  refuse(kFeedKeys, population.components > 1, "model.components > 1; a feed needs 1.");
  refuse(kNearnessKeys, !listens, concat(name, ", whose agents have no feed; ", kListeners));
  refuse({"rewiring.cut", "rewiring.multiple"}, !voters,
         concat(name, ", whose network stays simple and is cut by rewiring.tolerance; remove it."));
  refuse({"rewiring.tolerance"}, voters, concat(name, ", which cuts by rewiring.cut; remove it."));
  rules.unless(model.rewiring.to != "recommended" || (listens && population.components == 1), "rewiring.to",
               "rewiring.to = \"recommended\", but needs model.components = 1 and a model whose agents hear; ",
               kListeners);
  const bool has_confidence =
      written ? dynamics::formulas_read(model, population, "confidence") : entry.needs("confidence");
  rules.unless(!(model.rewiring.probability > 0) || voters || has_confidence || model.rewiring.tolerance > 0 || !moves,
               "rewiring.tolerance", "rewiring.tolerance = 0, but ", name,
               written ? " reads no eps" : " has no confidence", "; say from which difference on edges are cut.");
}

std::vector<std::string> idle_keys(const dynamics::ModelSettings& model, const society::KeyRules& rules) {
  std::vector<std::string> notes;
  const auto name_idle = [&](std::initializer_list<const char*> keys, bool idle, const char* why) {
    std::vector<std::string> named;
    for (const char* key : keys)
      if (idle && rules.given(key)) named.emplace_back(key);
    if (!named.empty()) notes.push_back(society::without_effect(why, named));
  };
  const bool still = model.rewiring.probability == 0, quiet = model.feed.size == 0;
  name_idle(kRewiringKeys, still, "rewiring.probability = 0, so that no edge is moved");
  name_idle(kFeedKeys, quiet, "feed.size = 0, so that nobody is recommended");
  name_idle(kNearnessKeys, quiet && (still || model.rewiring.to != "recommended"), "Nobody is recommended");
  for (std::string& note : society::idle_population_keys(rules)) notes.push_back(std::move(note));
  return notes;
}

dynamics::ModelSettings simulated_model(const Config& config) {
  return coevolution_keys().read(config, dynamics::model_settings(config));
}

}  // namespace fovea::opinion::simulate
