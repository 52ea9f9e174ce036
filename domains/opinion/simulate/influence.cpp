#include "fovea/domains/opinion/simulate/outcome.hpp"

#include <algorithm>
#include <cmath>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/words.hpp"
#include "fovea/domains/opinion/society/graph.hpp"

namespace fovea::opinion::simulate {

namespace {

constexpr std::size_t kMostMembers = 2000;  // elimination takes n^3 / 3 multiplications
constexpr std::size_t kMostClasses = 12;    // checked
constexpr double kRounding = 1e-12;         // of the largest opinion; a step rounds each mean to a few 1e-16

bool has_negative(const society::Graph& graph) {
  return std::any_of(graph.weights.begin(), graph.weights.end(), [](double weight) { return weight < 0; });
}

std::string name_of(const society::Population& population, Index agent) { return population.names[agent]; }

/// Averages with fixed weights, and nothing else.
bool is_plain(const dynamics::Dynamics& crowd, const Recorder& recorder) {
  const dynamics::Agents& agents = crowd.agents();
  const auto holds_on = [](double s) { return s > 0; };
  return crowd.settings().model == "degroot" && crowd.changed_network() == nullptr && crowd.settings().feed.size == 0 &&
         crowd.settings().noise == 0 && recorder.settings().shocks.empty() && agents.reach.empty() &&
         std::none_of(agents.stubbornness.begin(), agents.stubbornness.end(), holds_on);
}

/// plain: averages with fixed weights.
void note_classes(const society::Population& population, const std::vector<society::ClosedClass>& classes, bool plain,
                  bool changed, Results& results) {
  std::size_t inside = 0;
  for (const society::ClosedClass& one : classes) inside += one.members.size();
  const auto others = static_cast<std::size_t>(population.graph->nodes) - inside;
  results.note(concat("Closed classes", changed ? " of the network at the end" : "",
                      ", whose members hear nobody outside: ", classes.size(), ", with ",
                      counted(static_cast<std::int64_t>(inside), "agent"), " in all; the largest has ",
                      std::max_element(classes.begin(), classes.end(),
                                       [](const auto& a, const auto& b) { return a.members.size() < b.members.size(); })
                          ->members.size(),
                      ".",
                      others == 0 ? ""
                      : plain ? concat(" In the limit the other ", counted(static_cast<std::int64_t>(others), "agent"),
                                       others == 1 ? " follows" : " follow", " them.")
                              : concat(" The other ", counted(static_cast<std::int64_t>(others), "agent"),
                                       others == 1 ? " hears" : " hear", " them, directly or through others.")));
  for (const society::ClosedClass& one : classes)
    if (one.period > 1)
      results.note(concat("The closed class of '", name_of(population, one.members[0]), "', ", one.members.size(),
                          " agents, has period ", one.period,
                          ": with fixed weights its opinions go round and have no limit; a weight of one's own opinion "
                          "ends this."));
}

void check_class(const society::Population& population, const dynamics::Dynamics& crowd,
                 const society::ClosedClass& one, std::size_t number, const Matrix<double>& opinions,
                 Results& results) {
  const society::Graph& graph = *population.graph;
  const std::vector<double> shares = society::left_eigenvector(graph, one.members, crowd.settings().self_weight);
  const Matrix<double>& start = crowd.agents().start;
  double predicted = 0, measured = 0, scale = 0, low = opinions(one.members[0], 0), high = low;
  for (std::size_t k = 0; k < shares.size(); ++k) {
    const Index agent = one.members[k];
    predicted += shares[k] * start(agent, 0);
    measured += shares[k] * opinions(agent, 0);
    scale = std::max(scale, std::abs(start(agent, 0)));
    low = std::min(low, opinions(agent, 0));
    high = std::max(high, opinions(agent, 0));
  }
  const std::string whose =
      concat("closed class of '", name_of(population, one.members[0]), "' (", one.members.size(), " agents)");
  results.check({concat("consensus_of_class_", number),
                 concat(whose, ": mean opinion by the left eigenvector, at the end against the start"),
                 "DeGroot 1974: pi'x is kept by every step, and is the consensus", predicted, measured,
                 absolute(kRounding * std::max(scale, 1e-300))});
  results.note(concat("DeGroot's limit for the ", whose, ": ", predicted, "; at the end its opinions lie within ",
                      high - low, " of each other."));
}

}  // namespace

void write_influence(const society::Population& population, const dynamics::Dynamics& dynamics,
                     const Recorder& recorder, const Matrix<double>& opinions, Results& results) {
  if (!population.graph || !population.graph->directed) return;
  const std::vector<society::ClosedClass> classes =
      society::closed_classes(*population.graph, dynamics.settings().self_weight);
  if (dynamics.settings().feed.size == 0)  // a feed knows no classes
    note_classes(population, classes, is_plain(dynamics, recorder), dynamics.changed_network() != nullptr, results);
  if (has_negative(*population.graph)) {
    results.note(
        "Negative weights repel: an agent moves towards the opposite opinion, as in Altafini (2013). Measures of the "
        "network and its picture take the size of a weight.");
    return;
  }
  results.note("Measures of the network and its picture take it as undirected, with both weights of a pair added.");
  if (!is_plain(dynamics, recorder)) return;
  std::size_t checked = 0;
  for (const society::ClosedClass& one : classes)
    if (checked < kMostClasses && one.members.size() > 1 && one.members.size() <= kMostMembers)
      check_class(population, dynamics, one, ++checked, opinions, results);
}

}  // namespace fovea::opinion::simulate
