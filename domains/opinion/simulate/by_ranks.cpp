/// Which simulations several processes compute together.

#include <algorithm>
#include <array>

#include "fovea/domains/opinion/simulate/settings.hpp"
#include "fovea/domains/opinion/society/population_keys.hpp"

namespace fovea::opinion::simulate {

namespace {

using society::StartKind;

constexpr std::array kStartsByNumber{StartKind::gaussian_quantiles, StartKind::normal, StartKind::uniform,
                                     StartKind::even, StartKind::two_camps};

bool hears_by_ranks(const dynamics::ModelEntry& model) {
  const dynamics::Rule& rule = model.rule;
  return (rule.update == dynamics::Update::replace || rule.update == dynamics::Update::relax) &&
         (rule.score == dynamics::Score::chosen || rule.score == dynamics::Score::alike);
}

}  // namespace

void check_simulated_by_ranks(const Config& config) {
  Complaints complaints;
  society::KeyRules rules(config, complaints);
  const SimulateAsked asked = simulate_asked(config);
  const dynamics::ModelEntry& model = dynamics::find_model(asked.model.model);
  const auto needs = [&](bool holds, const char* key, const std::string& value, const char* must) {
    rules.unless(holds, key, key, value, " needs one process, fovea run; several compute a crowd together ", must);
  };
  const auto word = [](const std::string& value) { return concat(" = \"", value, '"'); };
  needs(hears_by_ranks(model), "model.name", word(std::string(model.name)),
        "by attention, saturation, degroot or friedkin_johnsen.");
  needs(model.rule.score != dynamics::Score::chosen || asked.model.score == "gaussian", "model.score",
        word(asked.model.score), "with model.score = \"gaussian\".");
  needs(asked.model.fast, "model.fast", " = false", "with model.fast = true.");
  needs(asked.population.components == 1, "model.components", concat(" = ", asked.population.components),
        "with model.components = 1.");
  needs(asked.population.network.kind == society::NetworkKind::none, "network.kind",
        rules.given("network.kind") ? word(rules.word("network.kind")) : "", "without a network.");
  const StartKind start = asked.population.start.kind;
  needs(std::find(kStartsByNumber.begin(), kStartsByNumber.end(), start) != kStartsByNumber.end(), "start.kind",
        word(rules.word("start.kind")), "from gaussian_quantiles, normal, uniform, even or two_camps.");
  needs(asked.bots.empty(), "bots.opinions", "", "without bots.");
  needs(asked.media.empty(), "media.opinions", "", "without media.");
  needs(asked.events.empty(), "events.file", word(asked.events), "without events.");
  needs(asked.model.feed.size == 0, "feed.size", concat(" = ", asked.model.feed.size), "without a feed.");
  needs(asked.measures.empty(), "record.measures", "", "with the standard measures alone.");
  complaints.raise();
}

}  // namespace fovea::opinion::simulate
