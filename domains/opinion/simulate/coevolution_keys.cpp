#include "fovea/domains/opinion/simulate/coevolution_keys.hpp"

#include "fovea/core/base/error.hpp"
#include "fovea/core/config/keys.hpp"
#include "fovea/domains/opinion/dynamics/formula/formula_keys.hpp"
#include "fovea/domains/opinion/dynamics/model_keys.hpp"

namespace fovea::opinion::simulate {

namespace {

constexpr const char* kRewiringKeys[] = {"rewiring.probability", "rewiring.to", "rewiring.cut", "rewiring.multiple",
                                         "rewiring.tolerance"};
constexpr const char* kFeedKeys[] = {"feed.size", "feed.share"};
constexpr const char* kNearnessKeys[] = {"feed.homophily", "feed.distance_floor"};

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

class Rules {
 public:
  Rules(const dynamics::ModelSettings& model, const society::PopulationSettings& population, society::KeyRules& rules)
      : rules_(rules), model_(model), population_(population), entry_(dynamics::find_model(model.model)) {}

  void check() {
    const bool recommends = model_.rewiring.to == "recommended";
    const std::string model = concat("model.name = \"", entry_.name, "\"");
    const bool written = entry_.rule.is_written();
    refuse(kRewiringKeys, written && model_.formula.step == "pairs",
           "formula.step = \"pairs\", whose agents cannot move edges; take formula.step = \"together\".");
    refuse(kRewiringKeys, !dynamics::knows_rewiring(entry_.rule),
           concat(model, ", whose agents cannot move edges; ", kMovers));
    refuse(kRewiringKeys, population_.network.kind == society::NetworkKind::none,
           "network.kind = \"none\"; give a network.");
    refuse(kFeedKeys, !dynamics::knows_feed(entry_.rule), concat(model, ", whose agents have no feed; ", kListeners));
    refuse(kFeedKeys, population_.components > 1, "model.components > 1; a feed needs 1.");
    refuse(kNearnessKeys, !dynamics::knows_feed(entry_.rule),
           concat(model, ", whose agents have no feed; ", kListeners));
    const bool voters = entry_.rule.update.asks;
    refuse({"rewiring.cut", "rewiring.multiple"}, !voters,
           concat(model, ", whose network stays simple and is cut by ", "rewiring.tolerance; remove it."));
    refuse({"rewiring.tolerance"}, voters, concat(model, ", which cuts by rewiring.cut; remove it."));
    rules_.unless(
        !recommends || (dynamics::knows_feed(entry_.rule) && population_.components == 1), "rewiring.to",
        concat("rewiring.to = \"recommended\", but needs model.components = 1 and a model whose agents hear; ",
               kListeners));
    const bool has_confidence =
        written ? dynamics::formulas_read(model_, population_, "confidence") : entry_.needs("confidence");
    rules_.unless(!(model_.rewiring.probability > 0) || voters || has_confidence || model_.rewiring.tolerance > 0 ||
                      !dynamics::knows_rewiring(entry_.rule),
                  "rewiring.tolerance",
                  concat("rewiring.tolerance = 0, but ", model, written ? " reads no eps" : " has no confidence",
                         "; say from which difference on edges are cut."));
  }

 private:
  static constexpr const char* kMovers = "take voter, q_voter, deffuant, jager_amblard, or one that hears.";
  static constexpr const char* kListeners = "take one that hears, such as degroot or hegselmann_krause.";

  template <typename Keys>
  void refuse(const Keys& keys, bool useless, const std::string& why) {
    for (const char* key : keys)
      if (useless && rules_.given(key)) rules_.unless(false, key, concat(key, " is given, but ", why));
  }
  void refuse(std::initializer_list<const char*> keys, bool useless, const std::string& why) {
    refuse<std::initializer_list<const char*>>(keys, useless, why);
  }

  society::KeyRules& rules_;
  const dynamics::ModelSettings& model_;
  const society::PopulationSettings& population_;
  const dynamics::ModelEntry& entry_;
};

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
  Rules(model, population, rules).check();
}

std::vector<std::string> idle_keys(const dynamics::ModelSettings& model, const society::KeyRules& rules) {
  std::vector<std::string> notes;
  const auto name_idle = [&](const auto& keys, bool idle, const char* why) {
    std::string names;
    for (const char* key : keys)
      if (idle && rules.given(key)) names += (names.empty() ? "" : ", ") + std::string(key);
    if (!names.empty())
      notes.push_back(
          concat(why, ": without effect ", names.find(',') == std::string::npos ? "is " : "are ", names, "."));
  };
  const bool still = model.rewiring.probability == 0, quiet = model.feed.size == 0;
  name_idle(kRewiringKeys, still, "rewiring.probability = 0, so that no edge is moved");
  name_idle(kFeedKeys, quiet, "feed.size = 0, so that nobody is recommended");
  name_idle(kNearnessKeys, quiet && (still || model.rewiring.to != "recommended"), "Nobody is recommended");
  return notes;
}

dynamics::ModelSettings simulated_model(const Config& config) {
  return coevolution_keys().read(config, dynamics::model_settings(config));
}

}  // namespace fovea::opinion::simulate
