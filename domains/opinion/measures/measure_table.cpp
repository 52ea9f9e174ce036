#include "fovea/domains/opinion/measures/measure_table.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <string>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/missing.hpp"
#include "fovea/core/base/ordering.hpp"
#include "fovea/core/statistics/tests/dip_test.hpp"
#include "fovea/domains/opinion/measures/controversy.hpp"
#include "fovea/domains/opinion/measures/weighted.hpp"
#include "fovea/domains/opinion/society/block_sums.hpp"

namespace fovea::opinion::measures {

namespace {

constexpr double kNoBound = std::numeric_limits<double>::infinity();

LineSettings scale_of(const MeasuredCrowd& crowd) {
  LineSettings line;
  line.scale_low = crowd.settings().scale_low, line.scale_high = crowd.settings().scale_high;
  line.parts = crowd.settings().categories;
  return line;
}

double agreement_on_scale(const MeasuredCrowd& crowd) {
  return agreement(scale_of(crowd).held_in(crowd.settings().categories, masses_of(fovea::ascending(crowd.first()))));
}

/// Of camps, where they are told apart.
template <typename Value>
double of_camps(const MeasuredCrowd& crowd, const Value& value) {
  const Camps& camps = crowd.camps();
  return camps.sizes.empty() ? kNan : static_cast<double>(value(camps));
}

double share_of_largest_camp(const MeasuredCrowd& crowd) {
  return of_camps(crowd, [&](const Camps& camps) {
    return static_cast<double>(camps.sizes.front()) / static_cast<double>(crowd.agents());
  });
}

/// On the circle the shorter way round.
double distance_of_camps(const MeasuredCrowd& crowd, double (*distance)(const Camps&)) {
  return of_camps(crowd, [&](const Camps& camps) {
    const double length = distance(camps);
    return crowd.settings().space == Space::circle ? std::abs(std::remainder(length, 2 * std::numbers::pi)) : length;
  });
}

double esteban_ray_of_camps(const MeasuredCrowd& crowd) {
  return of_camps(crowd, [&](const Camps& camps) {
    const bool few = static_cast<Index>(camps.sizes.size()) <= crowd.settings().most_by_pairs;
    return few ? esteban_ray(camps, crowd.settings().esteban_ray_alpha) : kNan;
  });
}

double variance_of(const MeasuredCrowd& crowd) {
  return crowd.line() != nullptr ? crowd.line()->variance : variance(crowd.opinions());
}

double order_of_directions(const MeasuredCrowd& crowd) {
  if (crowd.settings().space == Space::flat) return kNan;
  return order(crowd.opinions(), crowd.settings().space == Space::circle);
}

double attention_at_home(const MeasuredCrowd& crowd) {
  const MeasureContext& context = crowd.context();
  if (context.spec == nullptr || context.forward == nullptr) return kNan;
  return of_camps(crowd, [&](const Camps& camps) {
    return echo_chamber_index(crowd.opinions(), *context.spec, *context.forward, camps);
  });
}

double controversy_of_sides(const MeasuredCrowd& crowd) {
  if (crowd.settings().hubs == 0) return kNan;
  return random_walk_controversy(*crowd.context().graph, crowd.sides(), crowd.settings().hubs);
}

/// Whoever is on neither side plays no part.
double between_sides(const MeasuredCrowd& crowd, std::string_view name) {
  std::vector<double> opinions[2];
  for (std::size_t i = 0; i < crowd.first().size(); ++i)
    if (const Index side = crowd.sides()[i]; side < 2) opinions[side].push_back(crowd.first()[i]);
  const Masses sides[] = {masses_of(fovea::ascending(opinions[0])), masses_of(fovea::ascending(opinions[1]))};
  const auto names = side_measures();
  return measure_sides(sides, scale_of(crowd))[std::find(names.begin(), names.end(), name) - names.begin()];
}

constexpr MeasureEntry kTable[] = {
#define FOVEA_MEASURE(name, unit, power, shift, low, high, needs_network, undefined, definition, source, value) \
  MeasureEntry{#name,                                                                                           \
               unit,                                                                                            \
               power,                                                                                           \
               shift,                                                                                           \
               low,                                                                                             \
               high,                                                                                            \
               needs_network,                                                                                   \
               undefined,                                                                                       \
               definition,                                                                                      \
               source,                                                                                          \
               [](const MeasuredCrowd& crowd) -> double { return value; }},
#include "fovea/domains/opinion/measures/measures.inl"
#undef FOVEA_MEASURE
};

}  // namespace

MeasuredCrowd::MeasuredCrowd(const Matrix<double>& opinions, const MeasureSettings& settings,
                             const MeasureContext& context)
    : opinions_(opinions), settings_(settings), context_(context), agents_(context.ranks->total(opinions.rows())) {
  require(agents_ > 0 && opinions.cols() > 0, "measures: opinions are ", opinions.rows(), " x ", opinions.cols(),
          "; at least one agent with one component is needed.");
  const auto [agent, opinion] = society::first_not_finite(*context.ranks, opinions, context.first);
  require(agent < 0, "measures: the opinion of agent ", agent, " is ", opinion, "; each must be finite.");
  require(context.graph == nullptr || context.graph->nodes == opinions.rows(), "measures: there are ", opinions.rows(),
          " agents but the network has ", context.graph == nullptr ? 0 : context.graph->nodes,
          " nodes; each agent needs one.");
  if (opinions.cols() == 1) return;
  first_.resize(opinions.rows());
  for (Index i = 0; i < opinions.rows(); ++i) first_[i] = opinions(i, 0);
}

const CrowdMoments* MeasuredCrowd::line() const {
  if (opinions_.cols() > 1) return nullptr;
  if (!line_) line_ = crowd_moments(opinions_, *context_.ranks);
  return &*line_;
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
  if (context_.camps != nullptr) return *context_.camps;
  const bool told = opinions_.cols() == 1 || opinions_.rows() <= settings_.most_by_pairs;
  if (!camps_) camps_ = told ? find_camps(opinions_, settings_.camp_gap) : Camps{};
  return *camps_;
}

const std::vector<Index>& MeasuredCrowd::sides() const {
  if (!sides_.empty()) return sides_;
  sides_.reserve(first().size());
  for (const double x : first()) sides_.push_back(x < settings_.neutral ? 0 : x > settings_.neutral ? 1 : 2);
  return sides_;
}

double MeasureEntry::value(const MeasuredCrowd& crowd) const {
  return needs_network && crowd.context().graph == nullptr ? kNan : compute(crowd);
}

std::span<const MeasureEntry> measures() { return kTable; }

const MeasureEntry& find_measure(std::string_view name) {
  std::string names;
  for (const MeasureEntry& entry : kTable) {
    if (entry.name == name) return entry;
    names += (names.empty() ? "" : ", ") + std::string(entry.name);
  }
  throw ArgumentError(concat("measures: there is no measure '", name, "'; it must be one of ", names, "."));
}

std::vector<double> observe_all(const Matrix<double>& opinions, const society::Graph* graph,
                                const MeasureSettings& settings, std::span<const std::uint8_t> counted) {
  if (std::any_of(counted.begin(), counted.end(), [](std::uint8_t counts) { return counts == 0; })) {
    require(static_cast<Index>(counted.size()) == opinions.rows(), "measures: there are ", opinions.rows(),
            " agents but ", counted.size(), " entries of counted; each agent needs one.");
    const Matrix<double> some = society::kept_rows(opinions, counted);
    const society::Graph part = graph == nullptr ? society::Graph{} : society::kept_part(*graph, counted);
    return observe_all(some, graph == nullptr ? nullptr : &part, settings);
  }
  const MeasuredCrowd crowd(opinions, settings, {.graph = graph});
  std::vector<double> values;
  for (const MeasureEntry& entry : measures()) values.push_back(entry.value(crowd));
  return values;
}

}  // namespace fovea::opinion::measures
