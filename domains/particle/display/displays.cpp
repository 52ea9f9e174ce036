#include "fovea/domains/particle/display/displays.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "fovea/core/base/missing.hpp"
#include "fovea/core/base/words.hpp"
#include "fovea/core/data/rows.hpp"
#include "fovea/core/study/cases/target_rule.hpp"
#include "fovea/domains/particle/display/bias_map.hpp"
#include "fovea/domains/particle/display/chosen_jets.hpp"
#include "fovea/domains/particle/display/jet_look.hpp"

namespace fovea::particle::display {

namespace {

constexpr std::size_t kMostDrawn = 150, kRows = 12, kMostEdges = 32;
constexpr Index kEdgesEach = 2;
constexpr double kLeastShare = 1e-4;  // that is told from none
constexpr std::string_view kNoQuark = "unmatched";

/// A jet as it is drawn: its hardest constituents by falling pT, as rows of its case.
struct DrawnJet {
  Index item = 0;
  std::vector<std::size_t> order;
  std::vector<double> share;        ///< of sum pT, of all constituents
  std::vector<double> number;       ///< 1 for the hardest, of all constituents
  std::vector<std::string> quarks;  ///< nearest to each constituent; empty: not known
  JetLook look;
  std::vector<Edge> edges;  ///< between places of `order`
};

DrawnJet drawn_jet(const study::StudyOutcome& outcome, Index item, std::vector<std::string> quarks) {
  DrawnJet jet{item, {}, {}, {}, std::move(quarks), {}, {}};
  const Index first = outcome.cases.offsets[item], count = outcome.cases.size(item);
  for (Index i = 0; i < count; ++i) jet.share.push_back(std::exp(outcome.cases.coordinates(first + i, 2)));
  const double sum = std::accumulate(jet.share.begin(), jet.share.end(), 0.0);
  for (double& share : jet.share) share /= sum;
  jet.order.resize(jet.share.size());
  std::iota(jet.order.begin(), jet.order.end(), std::size_t{0});
  std::stable_sort(jet.order.begin(), jet.order.end(),
                   [&](std::size_t a, std::size_t b) { return jet.share[a] > jet.share[b]; });
  jet.number.resize(jet.share.size());
  for (std::size_t k = 0; k < jet.order.size(); ++k) jet.number[jet.order[k]] = static_cast<double>(k + 1);
  jet.order.resize(std::min(jet.order.size(), kMostDrawn));
  jet.look = look_at(outcome.model.members, outcome.target, outcome.cases, outcome.inputs, item);
  if (jet.look.weights.rows() == 0) return jet;
  const auto size = static_cast<Index>(jet.order.size());
  Matrix<double> weights(size, size);
  for (Index i = 0; i < size; ++i)
    for (Index j = 0; j < size; ++j)
      weights(i, j) = jet.look.weights(static_cast<Index>(jet.order[i]), static_cast<Index>(jet.order[j]));
  jet.edges = strongest_edges(weights, kEdgesEach);
  std::stable_sort(jet.edges.begin(), jet.edges.end(),
                   [](const Edge& a, const Edge& b) { return a.weight > b.weight; });
  jet.edges.resize(std::min(jet.edges.size(), kMostEdges));
  return jet;
}

/// |value| over the sum of all; NaN where all are 0.
double share_of(const std::vector<double>& values, std::size_t i) {
  double sum = 0;
  for (const double value : values) sum += std::abs(value);
  return sum > 0 ? std::abs(values[i]) / sum : kNan;
}

/// A number of each constituent, by which it matters.
struct Measure {
  std::string name;
  std::function<const std::vector<double>&(const DrawnJet&)> of;
};

/// Those that all jets have.
std::vector<Measure> measures_of(const std::vector<DrawnJet>& jets) {
  using Numbers = const std::vector<double>&;
  std::vector<Measure> all{
      {"share of pT", [](const DrawnJet& jet) -> Numbers { return jet.share; }},
      {"attention of the class token", [](const DrawnJet& jet) -> Numbers { return jet.look.attention; }},
      {"|gradient x input|", [](const DrawnJet& jet) -> Numbers { return jet.look.gradient; }},
      {"|change when deleted|", [](const DrawnJet& jet) -> Numbers { return jet.look.deletion; }}};
  std::erase_if(all, [&](const Measure& measure) {
    return std::any_of(jets.begin(), jets.end(), [&](const DrawnJet& jet) { return measure.of(jet).empty(); });
  });
  return all;
}

std::size_t most_nodes(const std::vector<DrawnJet>& jets) {
  std::size_t most = 0;
  for (const DrawnJet& jet : jets) most = std::max(most, jet.order.size());
  return most;
}

/// Something of each drawn constituent of each jet, in its order; `none` behind the last.
template <typename Value, typename Get>
std::vector<Value> over_nodes(const std::vector<DrawnJet>& jets, const Value& none, const Get& get) {
  const std::size_t nodes = most_nodes(jets);
  std::vector<Value> values(jets.size() * nodes, none);
  for (std::size_t b = 0; b < jets.size(); ++b)
    for (std::size_t k = 0; k < jets[b].order.size(); ++k) values[b * nodes + k] = get(jets[b], jets[b].order[k]);
  return values;
}

/// The same with each jet from its last to its first: the hardest constituent is drawn above the others.
template <typename Value, typename Get>
std::vector<Value> over_drawn_nodes(const std::vector<DrawnJet>& jets, const Value& none, const Get& get) {
  std::vector<Value> values = over_nodes(jets, none, get);
  const auto nodes = static_cast<std::ptrdiff_t>(most_nodes(jets));
  for (auto jet = values.begin(); jet != values.end(); jet += nodes) std::reverse(jet, jet + nodes);
  return values;
}

/// nodes, nodes - 1, ..., 1: by falling pT the hardest is number 1.
std::vector<std::int64_t> numbers_from_last(std::size_t nodes) {
  std::vector<std::int64_t> numbers(nodes);
  std::iota(numbers.rbegin(), numbers.rend(), std::int64_t{1});
  return numbers;
}

void write_places(const study::StudyOutcome& outcome, const std::vector<DrawnJet>& jets, Results& results) {
  results.coordinate("constituent", numbers_from_last(most_nodes(jets)), "1", "constituent, by falling pT");
  const auto coordinate = [&](Index column) {
    return over_drawn_nodes(jets, kNan, [&, column](const DrawnJet& jet, std::size_t i) {
      const Index first = outcome.cases.offsets[jet.item];
      return outcome.cases.coordinates(first + static_cast<Index>(i), column);
    });
  };
  results.add("constituent_eta", {"drawn_jet", "constituent"}, coordinate(0), "1", "eta less that of the jet");
  results.add("constituent_phi", {"drawn_jet", "constituent"}, coordinate(1), "rad", "phi less that of the jet");
}

/// Decimal logarithms: shares of constituents differ by factors of a thousand.
void write_importance(const std::vector<DrawnJet>& jets, Results& results) {
  std::vector<std::string> names;
  std::vector<double> values;
  for (const Measure& measure : measures_of(jets)) {
    names.push_back(measure.name);
    const std::vector<double> shares = over_drawn_nodes(jets, kNan, [&](const DrawnJet& jet, std::size_t i) {
      return std::log10(std::max(kLeastShare, share_of(measure.of(jet), i)));
    });
    values.insert(values.end(), shares.begin(), shares.end());
  }
  results.coordinate("importance", names, "", "coloured by");
  results.add("constituent_importance", {"importance", "drawn_jet", "constituent"}, values, "1",
              "log10 of the share of the jet's sum");
}

bool has_truth(const std::vector<DrawnJet>& jets) {
  return std::any_of(jets.begin(), jets.end(), [](const DrawnJet& jet) { return !jet.quarks.empty(); });
}

std::string quark_of(const DrawnJet& jet, std::size_t i) {
  return jet.quarks.empty() ? std::string(kNoQuark) : jet.quarks[i];
}

/// The edges of all jets one after the other; those of the others have no weight. Whether there are any.
bool write_edges(const std::vector<DrawnJet>& jets, Results& results) {
  const auto last = static_cast<std::int64_t>(most_nodes(jets)) - 1;
  std::vector<Edge> edges;
  for (const DrawnJet& jet : jets) edges.insert(edges.end(), jet.edges.begin(), jet.edges.end());
  if (edges.empty()) return false;
  std::vector<double> weights(jets.size() * edges.size(), kNan);
  std::size_t place = 0;
  for (std::size_t b = 0; b < jets.size(); ++b)
    for (const Edge& edge : jets[b].edges) weights[b * edges.size() + place++] = edge.weight;
  rows(
      "look", edges, [](const Edge&, std::size_t e) { return e + 1; }, "arrow")
      .integer(
          "attending", [&](const Edge& edge) { return last - edge.query; },
          "place of the constituent that attends, from 0")
      .integer(
          "attended", [&](const Edge& edge) { return last - edge.key; },
          "place of the constituent that is attended to, from 0")
      .write(results);
  results.add("look_weight", {"drawn_jet", "look"}, weights, "1", "attention");
  return true;
}

void write_plane(const study::StudyOutcome& outcome, const std::vector<DrawnJet>& jets, Results& results) {
  write_places(outcome, jets, results);
  write_importance(jets, results);
  Figure figure{.kind = "network",
                .name = "jets",
                .title = "Where the tagger looks",
                .caption = "The constituents of a test jet about its axis, eta to the right, phi upwards.",
                .variables = {"constituent_importance"},
                .x = "constituent",
                .position_x = "constituent_eta",
                .position_y = "constituent_phi"};
  if (has_truth(jets)) {
    results.add("constituent_quark", {"drawn_jet", "constituent"},
                over_drawn_nodes(jets, std::string(kNoQuark), quark_of), "", "nearest quark");
    figure.variables.push_back("constituent_quark");
    figure.caption += " Shape: the nearest quark of the top's decay within dR < .8.";
  }
  if (write_edges(jets, results)) {
    figure.caption += concat(" Arrows: from constituents to the ", kEdgesEach,
                             " others that each attends to most in the first block, mean over heads and members; the ",
                             kMostEdges, " strongest; width: the weight.");
    figure.edge_source = "attending", figure.edge_target = "attended", figure.edge_weight = "look_weight";
    figure.directed = true;
  }
  results.figure(figure);
}

/// The constituents by falling size of what deletes them, or where that is not known of gradient x input.
std::vector<std::size_t> by_importance(const DrawnJet& jet) {
  const std::vector<double>& by = jet.look.deletion.empty() ? jet.look.gradient : jet.look.deletion;
  std::vector<std::size_t> order = jet.order;
  if (order.size() < 2) return order;
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return std::abs(by[a]) > std::abs(by[b]); });
  return order;
}

/// The columns of the table of constituents: those that all jets have.
class ConstituentColumns {
 public:
  ConstituentColumns(const std::vector<DrawnJet>& jets, Results& results) : jets_(jets), results_(results) {}
  template <typename Value, typename Get>
  void add(const std::string& name, const Value& none, const Get& get, const std::string& label) {
    results_.add(name, {"drawn_jet", "constituent_rank"}, over_nodes(jets_, none, get),
                 std::is_same_v<Value, std::string> ? "" : "1", label);
    names.push_back(name);
  }
  void add_numbers(const std::string& name, const std::function<const std::vector<double>&(const DrawnJet&)>& of,
                   const std::string& label) {
    if (std::any_of(jets_.begin(), jets_.end(), [&](const DrawnJet& jet) { return of(jet).empty(); })) return;
    add(
        name, kNan, [&](const DrawnJet& jet, std::size_t i) { return of(jet)[i]; }, label);
  }
  std::vector<std::string> names;

 private:
  const std::vector<DrawnJet>& jets_;
  Results& results_;
};

/// The first constituents of each jet by importance; what a jet does not have is missing.
void write_constituents(std::vector<DrawnJet> jets, Results& results) {
  using Numbers = const std::vector<double>&;
  for (DrawnJet& jet : jets) jet.order = by_importance(jet), jet.order.resize(std::min(jet.order.size(), kRows));
  std::vector<std::int64_t> ranks(most_nodes(jets));
  std::iota(ranks.begin(), ranks.end(), std::int64_t{1});
  results.coordinate("constituent_rank", ranks, "1", "rank");
  ConstituentColumns columns(jets, results);
  columns.add_numbers(
      "ranked_number", [](const DrawnJet& jet) -> Numbers { return jet.number; }, "number, by pT");
  if (has_truth(jets)) columns.add("ranked_quark", std::string(), quark_of, "nearest quark");
  columns.add_numbers(
      "ranked_share", [](const DrawnJet& jet) -> Numbers { return jet.share; }, "share of pT");
  columns.add_numbers(
      "ranked_attention", [](const DrawnJet& jet) -> Numbers { return jet.look.attention; },
      "attention of the class token");
  columns.add_numbers(
      "ranked_gradient", [](const DrawnJet& jet) -> Numbers { return jet.look.gradient; }, "gradient x input");
  columns.add_numbers(
      "ranked_deletion", [](const DrawnJet& jet) -> Numbers { return jet.look.deletion; },
      "logit less that without it");
  results.figure({.kind = "table",
                  .name = "constituents",
                  .title = "The constituents that matter most",
                  .caption = "By |change of the logit| when the constituent alone is left out. Gradient x input is its "
                             "first order for a row of zeros. Means over members.",
                  .variables = columns.names,
                  .x = "constituent_rank",
                  .digits = 2});
}

void write_drawn_jets(const study::StudyOutcome& outcome, const QuarksOf& quarks_of, Results& results) {
  std::vector<std::string> names;
  const std::vector<TestedJet> chosen = jets_to_draw(outcome, names);
  if (chosen.empty()) return;
  std::vector<Index> items;
  for (const TestedJet& jet : chosen) items.push_back(jet.item);
  const auto quarks = quarks_of(items);
  std::vector<DrawnJet> jets;
  for (std::size_t b = 0; b < items.size(); ++b) jets.push_back(drawn_jet(outcome, items[b], quarks[b]));
  results.coordinate("drawn_jet", names, "", "jet");
  write_plane(outcome, jets, results);
  jet_columns(outcome, chosen, "drawn", "drawn_jet")
      .write(results)
      .table(results, {.name = "drawn_jets",
                       .title = "The jets that are drawn",
                       .caption = "Of each class the jet with the median score and the one with the worst.",
                       .digits = 3});
  write_constituents(jets, results);
}

}  // namespace

void write_displays(const study::StudyOutcome& outcome, const QuarksOf& quarks_of, Results& results) {
  if (!outcome.target.rule().binary()) return;
  write_drawn_jets(outcome, quarks_of, results);
  write_mistakes(outcome, results);
  write_bias_map(outcome, results);
}

}  // namespace fovea::particle::display
