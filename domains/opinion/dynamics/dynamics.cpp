#include "fovea/domains/opinion/dynamics/dynamics.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/parallel.hpp"
#include "fovea/domains/opinion/dynamics/crowd_dynamics.hpp"
#include "fovea/domains/opinion/dynamics/formula/formula_model.hpp"
#include "fovea/domains/opinion/dynamics/partners.hpp"

namespace fovea::opinion::dynamics {

namespace {

/// One number for each agent, in its range; or none.
template <typename Allowed>
void require_each(const std::vector<double>& values, Index agents, const char* name, const char* range,
                  const Allowed& allowed) {
  require(values.empty() || static_cast<Index>(values.size()) == agents, "make_dynamics: there are ", agents,
          " agents but ", values.size(), " values of ", name, "; give one for each agent, or none.");
  for (std::size_t i = 0; i < values.size(); ++i)
    require(allowed(values[i]), "make_dynamics: ", name, " of agent ", i, " = ", values[i], ", but must be ", range,
            ".");
}

bool positive(double value) { return value > 0 && std::isfinite(value); }
bool not_negative(double value) { return value >= 0 && std::isfinite(value); }
bool share(double value) { return value >= 0 && value <= 1; }

void require_valid_agents(const Agents& agents) {
  const Index n = agents.count();
  require((n > 0 || !agents.ranks->alone()) && agents.start.cols() > 0, "make_dynamics: start is ", n, " x ",
          agents.start.cols(), "; at least one agent with one component is needed.");
  for (Index i = 0; i < n; ++i)
    require(agents.start.row(i).allFinite(), "make_dynamics: the start of agent ", i,
            " is NaN or infinite; each opinion must be finite.");
  require_each(agents.stubbornness, n, "stubbornness", "in [0, 1]", share);
  require_each(agents.temperature, n, "temperature", "> 0", positive);
  require_each(agents.confidence, n, "confidence", "> 0", positive);
  require_each(agents.reach, n, "reach", ">= 0", not_negative);
  require_each(agents.activity, n, "activity", "in [0, 1]", share);
  bool heard = agents.reach.empty();
  for (const double g : agents.reach) heard = heard || g > 0;
  require(heard,
          "make_dynamics: the reach of every agent is 0, so no agent has any influence; at least one must be > 0.");
  require(agents.counted.empty() || static_cast<Index>(agents.counted.size()) == n, "make_dynamics: there are ", n,
          " agents but ", agents.counted.size(), " entries of counted; give one for each agent, or none.");
}

void require_number(bool holds, const char* name, double value, const char* range) {
  require(holds, "make_dynamics: ", name, " = ", value, ", but must be ", range, ".");
}

void require_settings(const ModelEntry& entry, const ModelSettings& s, bool directed) {
  const bool known =
      s.score == "gaussian" || s.score == "dot_product" || s.score == "cosine" || s.score == "log_distance";
  require(!entry.needs("score") || known, "make_dynamics: the score is '", s.score,
          "', but must be gaussian, dot_product, cosine or log_distance.");
  require_number(positive(s.temperature), "temperature", s.temperature, "> 0");
  require_number(positive(s.confidence), "confidence", s.confidence, "> 0");
  require_number(not_negative(s.sharpness), "sharpness", s.sharpness, ">= 0");
  require_number(share(s.stubbornness), "stubbornness", s.stubbornness, "in [0, 1]");
  require_number(not_negative(s.coupling), "coupling", s.coupling, ">= 0");
  require_number(not_negative(s.steepness), "steepness", s.steepness, ">= 0");
  require_number(s.convergence > 0 && s.convergence <= 0.5, "convergence", s.convergence, "in (0, 0.5]");
  require_number(not_negative(s.homophily), "homophily", s.homophily, ">= 0");
  require_number(positive(s.distance_floor), "distance_floor", s.distance_floor, "> 0");
  require_number(positive(s.self_weight) || (directed && s.self_weight == 0), "self_weight", s.self_weight,
                 directed ? ">= 0" : "> 0");
  require_number(positive(s.time_step), "time_step", s.time_step, "> 0");
  require_number(not_negative(s.noise), "noise", s.noise, ">= 0");
  require_number(share(s.independence), "independence", s.independence, "in [0, 1]");
  if (entry.needs("rejection")) require_number(s.rejection >= s.confidence, "rejection", s.rejection, ">= confidence");
  if (entry.needs("panel"))
    require(s.panel >= 1 && s.panel <= kLargestPanel && (!entry.rule.update.by_panel || s.panel % 2 == 1),
            "make_dynamics: panel = ", s.panel, ", but must be ", entry.rule.update.by_panel ? "odd and " : "",
            "in [1, ", kLargestPanel, "].");
}

void require_space(const ModelEntry& entry, const ModelSettings& settings, const Agents& agents,
                   const society::Graph* graph) {
  const Index d = agents.start.cols();
  const Update& update = entry.rule.update;
  require(!update.one_component || d == 1, entry.name, ": opinions have ", d, " components, but ",
          update.space == Space::circle ? "on the circle each is 1 angle in radians." : "this model has 1.");
  if (update.space == Space::sphere) {
    require(d >= 2, entry.name, ": opinions have 1 component, but a point of the sphere needs at least 2.");
    for (Index i = 0; i < agents.count(); ++i)
      require(agents.start.row(i).squaredNorm() > 0, entry.name, ": the start of agent ", i,
              " is 0, which has no direction; give it a length.");
  }
  require(update != Update::contacts || graph == nullptr, entry.name,
          ": takes no network, because its agents draw their own contacts.");
  require(graph == nullptr || !graph->directed || !update.mutual, entry.name,
          ": agents that meet move one another, so the network must not be directed.");
  const Index least = update.by_panel ? settings.panel : update.least_agents;
  require(graph != nullptr || agents.count() >= least, entry.name, ": there are ", agents.count(),
          " agents, but at least ", least, " are needed.");
  const auto repels = [](double weight) { return weight < 0; };
  require(graph == nullptr || knows_repulsion(entry.rule.score) ||
              std::none_of(graph->weights.begin(), graph->weights.end(), repels),
          entry.name,
          ": the network has negative weights, which only degroot, friedkin_johnsen and formula know as repulsion.");
  require(graph == nullptr || graph->nodes == agents.count(), entry.name, ": there are ", agents.count(),
          " agents but a network of ", graph == nullptr ? 0 : graph->nodes, " nodes; each agent needs one.");
}

void require_coevolution(const ModelEntry& entry, const ModelSettings& s, const Agents& agents,
                         const society::Graph* graph) {
  const Rewiring& rewiring = s.rewiring;
  require_number(share(rewiring.probability), "rewiring.probability", rewiring.probability, "in [0, 1]");
  require_number(not_negative(rewiring.tolerance), "rewiring.tolerance", rewiring.tolerance, ">= 0");
  const bool follows = knows_feed(entry.rule);
  if (rewiring.probability > 0) {
    const bool written_pairs = entry.rule.is_written() && s.formula.step == "pairs";
    require(knows_rewiring(entry.rule) && !written_pairs, entry.name,
            ": agents of this model cannot move their edges.");
    require(graph != nullptr, entry.name, ": there is no network whose edges could be moved.");
    const auto repels = [](double weight) { return weight < 0; };
    require(std::none_of(graph->weights.begin(), graph->weights.end(), repels), entry.name,
            ": the network has negative weights, with which edges cannot be moved to those whom one chooses.");
    require(rewiring.to == "alike" || rewiring.to == "random" || rewiring.to == "friends_of_friends" ||
                (rewiring.to == "recommended" && follows && agents.start.cols() == 1),
            entry.name, ": rewiring.to is '", rewiring.to, "', but must be alike, random",
            follows ? ", friends_of_friends or, with one component, recommended." : " or friends_of_friends.");
    require(entry.rule.update.asks || !(rewiring.any || rewiring.multiple), entry.name,
            ": only voters move any edge, or have an edge twice.");
    require(entry.rule.update.imitates || rewiring.tolerance > 0 || entry.needs("confidence"), entry.name,
            ": rewiring.tolerance is 0, but this model has no confidence; say from which difference on edges are cut.");
  }
  if (s.feed.size == 0) return;
  require(s.feed.size > 0 && follows && agents.start.cols() == 1, entry.name,
          ": a feed needs agents that hear, with one component.");
  require_number(s.feed.share > 0 && s.feed.share <= 1, "feed.share", s.feed.share, "in (0, 1]");
  require(agents.count() >= 2, entry.name, ": a feed needs at least 2 agents.");
  check_homophily({s.feed.homophily, s.feed.distance_floor});
}

}  // namespace

std::unique_ptr<Dynamics> make_dynamics(const ModelSettings& settings, Agents agents, const society::Graph* graph,
                                        const Random& random) {
  const ModelEntry& entry = find_model(settings.model);
  require_settings(entry, settings, graph != nullptr && graph->directed);
  require_valid_agents(agents);
  require_space(entry, settings, agents, graph);
  require_coevolution(entry, settings, agents, graph);
  return entry.rule.update.make({&entry, settings, std::move(agents), graph, random});
}

Course course_of(const ModelSettings& settings) {
  const ModelEntry& entry = find_model(settings.model);
  if (entry.rule.is_written()) {
    const FormulaModel model(settings, {});
    return model.is_drawn() ? Course::fluctuating : model.pairs ? Course::drawn : Course::determined;
  }
  if (entry.needs("noise") && settings.noise > 0) return Course::fluctuating;
  if (entry.needs("independence") && settings.independence > 0) return Course::fluctuating;
  return entry.rule.update.hears ? Course::determined : Course::drawn;
}

double largest_change(const Matrix<double>& before, const Matrix<double>& after) {
  constexpr Index kPart = Index{1} << 16;
  const Index parts = (before.size() + kPart - 1) / kPart;
  std::vector<double> largest(parts, 0.0);
  for_each_task(parts, parts > 1, [&](Index part) {
    const Index end = std::min(before.size(), (part + 1) * kPart);
    for (Index i = part * kPart; i < end; ++i) {
      const double change = std::abs(after.data()[i] - before.data()[i]);
      if (!(change <= largest[part]))
        largest[part] = std::isnan(change) ? std::numeric_limits<double>::infinity() : change;
    }
  });
  return parts == 0 ? 0 : *std::max_element(largest.begin(), largest.end());
}

}  // namespace fovea::opinion::dynamics
