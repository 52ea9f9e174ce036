#include "fovea/domains/opinion/measures/measure_table.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/missing.hpp"
#include "fovea/core/base/ordering.hpp"
#include "fovea/core/statistics/tests/dip_test.hpp"
#include "fovea/domains/opinion/measures/controversy.hpp"
#include "fovea/domains/opinion/measures/polarization.hpp"

namespace fovea::opinion::measures {

namespace {

constexpr double kNoBound = std::numeric_limits<double>::infinity();

double agreement_on_scale(const MeasuredCrowd& crowd) {
  const MeasureSettings& settings = crowd.settings();
  return agreement(category_counts(crowd.first(), settings.scale_low, settings.scale_high, settings.categories));
}

double share_of_agents(const MeasuredCrowd& crowd, Index count) {
  return static_cast<double>(count) / static_cast<double>(crowd.opinions().rows());
}

double controversy_of_sides(const MeasuredCrowd& crowd) {
  if (crowd.settings().hubs == 0) return kNan;
  return random_walk_controversy(*crowd.graph(), crowd.sides(), crowd.settings().hubs);
}

constexpr MeasureEntry kTable[] = {
#define FOVEA_MEASURE(name, unit, power, low, high, needs_network, definition, source, value) \
  MeasureEntry{#name,      unit,   power,                                                     \
               low,        high,   needs_network,                                             \
               definition, source, [](const MeasuredCrowd& crowd) -> double { return value; }},
#include "fovea/domains/opinion/measures/measures.inl"
#undef FOVEA_MEASURE
};

/// What is left when only some agents count.
struct CountedPart {
  Matrix<double> opinions;
  society::Graph graph;
};

CountedPart counted_part(const Matrix<double>& opinions, const society::Graph* graph,
                         std::span<const std::uint8_t> counted) {
  std::vector<Index> number(counted.size(), -1);
  CountedPart part;
  for (std::size_t i = 0; i < counted.size(); ++i)
    if (counted[i]) number[i] = part.graph.nodes++;
  part.opinions.resize(part.graph.nodes, opinions.cols());
  for (std::size_t i = 0; i < counted.size(); ++i)
    if (counted[i]) part.opinions.row(number[i]) = opinions.row(static_cast<Index>(i));
  if (graph == nullptr) return part;
  for (std::size_t e = 0; e < graph->edges.size(); ++e) {
    const Index a = number[static_cast<std::size_t>(graph->edges[e][0])];
    const Index b = number[static_cast<std::size_t>(graph->edges[e][1])];
    if (a < 0 || b < 0) continue;
    part.graph.edges.push_back({a, b});
    if (!graph->weights.empty()) part.graph.weights.push_back(graph->weights[e]);
  }
  return part;
}

}  // namespace

MeasuredCrowd::MeasuredCrowd(const Matrix<double>& opinions, const society::Graph* graph,
                             const MeasureSettings& settings)
    : opinions_(opinions), graph_(graph), settings_(settings) {
  require(opinions.rows() > 0 && opinions.cols() > 0, "measures: opinions are ", opinions.rows(), " x ",
          opinions.cols(), "; at least one agent with one component is needed.");
  require(opinions.allFinite(), "measures: an opinion is not finite; the crowd has left every scale.");
  require(graph == nullptr || graph->nodes == opinions.rows(), "measures: there are ", opinions.rows(),
          " agents but the network has ", graph == nullptr ? 0 : graph->nodes, " nodes; each agent needs one.");
  if (opinions.cols() == 1) return;
  first_.resize(static_cast<std::size_t>(opinions.rows()));
  for (Index i = 0; i < opinions.rows(); ++i) first_[static_cast<std::size_t>(i)] = opinions(i, 0);
}

std::span<const double> MeasuredCrowd::first() const {
  if (opinions_.cols() == 1) return {opinions_.data(), static_cast<std::size_t>(opinions_.rows())};
  return first_;
}

std::span<const double> MeasuredCrowd::ascending() const {
  if (ascending_.empty())
    ascending_ = opinions_.cols() == 1 ? fovea::ascending(first()) : fovea::ascending(principal_positions(opinions_));
  return ascending_;
}

const Camps& MeasuredCrowd::camps() const {
  if (!camps_) camps_ = find_camps(opinions_, settings_.camp_gap);
  return *camps_;
}

const std::vector<Index>& MeasuredCrowd::sides() const {
  if (!sides_.empty()) return sides_;
  sides_.reserve(first().size());
  for (const double x : first()) sides_.push_back(x < settings_.neutral ? 0 : x > settings_.neutral ? 1 : 2);
  return sides_;
}

std::span<const MeasureEntry> measures() { return kTable; }

std::vector<double> observe_all(const Matrix<double>& opinions, const society::Graph* graph,
                                const MeasureSettings& settings, std::span<const std::uint8_t> counted) {
  if (std::any_of(counted.begin(), counted.end(), [](std::uint8_t counts) { return counts == 0; })) {
    require(static_cast<Index>(counted.size()) == opinions.rows(), "measures: there are ", opinions.rows(),
            " agents but ", counted.size(), " marks of who counts; each agent needs one.");
    const CountedPart part = counted_part(opinions, graph, counted);
    return observe_all(part.opinions, graph == nullptr ? nullptr : &part.graph, settings);
  }
  const MeasuredCrowd crowd(opinions, graph, settings);
  std::vector<double> values;
  for (const MeasureEntry& entry : measures())
    values.push_back(entry.needs_network && graph == nullptr ? kNan : entry.compute(crowd));
  return values;
}

}  // namespace fovea::opinion::measures
