#include "fovea/domains/opinion/temperature/observe.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "fovea/core/attention/attention_weights.hpp"
#include "fovea/core/base/error.hpp"
#include "fovea/core/base/missing.hpp"
#include "fovea/core/base/moments.hpp"
#include "fovea/domains/opinion/dynamics/hearing.hpp"
#include "fovea/domains/opinion/measures/measures.hpp"
#include "fovea/domains/opinion/theory/theory.hpp"

namespace fovea::opinion::temperature {

namespace {

constexpr auto kMeasureCount = static_cast<std::size_t>(Measure::count);

constexpr std::array<MeasureText, kMeasureCount> kTexts{{
    {"variance", "opinion^2", "variance of opinions, for each component"},
    {"sd", "opinion", "standard deviation of opinions, for each component"},
    {"bimodality", "1", "bimodality coefficient: 1/3 normal, 5/9 uniform, 1 two points"},
    {"esteban_ray", "opinion", "Esteban-Ray polarization of the camps"},
    {"camps", "1", "number of camps"},
    {"largest_camp_share", "1", "share of the largest camp, of all agents"},
    {"camp_distance", "opinion", "distance between the two largest camps"},
    {"nearest_camps", "opinion", "distance of the nearest two camps"},
    {"echo_chamber", "1", "attention inside one's own camp, as a share"},
    {"modularity", "1", "modularity of the two sides, on the network"},
    {"assortativity", "1", "assortativity of the two sides, on the network"},
    {"share_on_real_side", "1", "share on the side they really took, of the agents whose side was not given"},
    {"share_undecided", "1", "share that stays undecided, of the agents whose side was not given"},
    {"camp_lifetime", "step", "expected lifetime of the two camps that merge first"},
    {"at_rest", "1", "1 where the crowd came to rest"},
    {"steps", "step", "steps at this temperature"},
}};

std::vector<Index> sides(const Matrix<double>& opinions) {
  std::vector<Index> side(static_cast<std::size_t>(opinions.rows()));
  for (Index i = 0; i < opinions.rows(); ++i) {
    const double x = opinions(i, 0);
    side[static_cast<std::size_t>(i)] = x < 0 ? 0 : x > 0 ? 1 : 2;
  }
  return side;
}

void add_density(const Matrix<double>& opinions, const ObserverSettings& settings, std::vector<double>& out) {
  const double width = 2 * settings.opinion_limit / static_cast<double>(settings.bins);
  const double weight = 1 / (width * static_cast<double>(opinions.rows()));
  const std::size_t start = out.size();
  out.resize(start + static_cast<std::size_t>(settings.bins), 0.0);
  for (Index i = 0; i < opinions.rows(); ++i) {
    const double place = std::floor((opinions(i, 0) + settings.opinion_limit) / width);
    const double bin = std::clamp(place, 0.0, static_cast<double>(settings.bins - 1));
    out[start + static_cast<std::size_t>(bin)] += weight;
  }
}

void append(std::vector<double>& out, std::span<const double> values) {
  out.insert(out.end(), values.begin(), values.end());
}

std::vector<double> quantiles(const Matrix<double>& opinions) {
  std::vector<double> sorted(static_cast<std::size_t>(opinions.rows()));
  for (Index i = 0; i < opinions.rows(); ++i) sorted[static_cast<std::size_t>(i)] = opinions(i, 0);
  std::sort(sorted.begin(), sorted.end());
  std::vector<double> result;
  for (Index q = 0; q < Observer::kQuantiles; ++q)
    result.push_back(sorted_quantile(sorted, static_cast<double>(q) / (Observer::kQuantiles - 1)));
  return result;
}

/// The lifetime of the two camps that would merge first if they were alone.
double shortest_lifetime(const measures::Camps& camps, double temperature) {
  double shortest = std::numeric_limits<double>::infinity();
  for (Index a = 0; a < camps.centres.rows(); ++a)
    for (Index b = 0; b < a; ++b)
      shortest =
          std::min(shortest, theory::camp_lifetime((camps.centres.row(a) - camps.centres.row(b)).norm(), temperature,
                                                   static_cast<double>(camps.sizes[static_cast<std::size_t>(a)]),
                                                   static_cast<double>(camps.sizes[static_cast<std::size_t>(b)])));
  return camps.sizes.size() < 2 ? kNan : shortest;
}

/// The formula holds all-to-all with the Gaussian score, nobody stubborn and no noise.
bool averages_plainly(const dynamics::Dynamics& crowd, const society::Graph* graph) {
  const dynamics::ModelSettings& settings = crowd.settings();
  const std::vector<double>& own = crowd.agents().stubbornness;
  const bool follows =
      own.empty() ? settings.stubbornness == 0 : std::all_of(own.begin(), own.end(), [](double s) { return s == 0; });
  return settings.score == "gaussian" && settings.noise == 0 && graph == nullptr && follows;
}

double& entry(std::vector<double>& record, Measure measure) { return record[static_cast<std::size_t>(measure)]; }

}  // namespace

const MeasureText& describe(Measure measure) { return kTexts[static_cast<std::size_t>(measure)]; }

Observer::Observer(const society::Population& population, ObserverSettings settings)
    : population_(population), settings_(settings) {
  require(settings_.opinion_limit > 0 && settings_.bins > 0, "Observer: limit = ", settings_.opinion_limit,
          " and bins = ", settings_.bins, ", but both must be > 0.");
  settings_.attention_groups = std::min(settings_.attention_groups, population.agents());
  if (population.graph) part_ = society::connected_parts(*population.graph);
  if (population.graph && !population.known.empty() && !population.side.empty()) {
    judged_ = society::reachable(*population.graph, population.known);
    for (std::size_t i = 0; i < judged_.size(); ++i)
      if (population.known[i] || population.side[i] < 0) judged_[i] = 0;
  }
}

bool Observer::consensus(const Matrix<double>& opinions) const {
  const measures::Camps groups = measures::find_camps(opinions, settings_.camp_gap);
  if (part_.empty()) return groups.sizes.size() == 1;
  std::vector<Index> camp_of_part(part_.size(), -1);
  for (std::size_t i = 0; i < part_.size(); ++i) {
    Index& camp = camp_of_part[static_cast<std::size_t>(part_[i])];
    if (camp >= 0 && camp != groups.camp[i]) return false;
    camp = groups.camp[i];
  }
  return true;
}

Index Observer::camps(const Matrix<double>& opinions) const {
  return measures::find_camps(opinions, settings_.camp_gap).at_least(settings_.least_share);
}

void Observer::observe_network(const Matrix<double>& opinions, std::vector<double>& measures) const {
  if (population_.graph) {
    const std::vector<Index> side = sides(opinions);
    entry(measures, Measure::modularity) = society::modularity(*population_.graph, side);
    entry(measures, Measure::assortativity) = society::assortativity(*population_.graph, side);
  }
  double judged = 0, right = 0, undecided = 0;
  for (std::size_t i = 0; i < judged_.size(); ++i) {
    if (!judged_[i]) continue;
    ++judged;
    const double x = opinions(static_cast<Index>(i), 0);
    if (std::abs(x) <= settings_.tolerance) {
      ++undecided;
    } else if ((x > 0 ? 1 : 0) == population_.side[i]) {
      ++right;
    }
  }
  if (judged == 0) return;
  entry(measures, Measure::share_on_real_side) = right / judged;
  entry(measures, Measure::share_undecided) = undecided / judged;
}

std::vector<double> Observer::snapshot(const Matrix<double>& opinions) const {
  std::vector<double> out(kMeasureCount, kNan);
  const measures::Camps groups = measures::find_camps(opinions, settings_.camp_gap);
  entry(out, Measure::variance) = measures::variance(opinions);
  entry(out, Measure::sd) = std::sqrt(entry(out, Measure::variance));
  entry(out, Measure::bimodality) = measures::bimodality(opinions);
  entry(out, Measure::esteban_ray) = measures::esteban_ray(groups, settings_.alpha);
  entry(out, Measure::camps) = static_cast<double>(groups.at_least(settings_.least_share));
  entry(out, Measure::largest_camp_share) =
      static_cast<double>(groups.sizes.front()) / static_cast<double>(opinions.rows());
  entry(out, Measure::camp_distance) = measures::camp_distance(groups);
  entry(out, Measure::nearest_camps) = measures::nearest_camps(groups);
  observe_network(opinions, out);
  add_density(opinions, settings_, out);
  return out;
}

std::vector<double> Observer::record(const dynamics::Dynamics& crowd, const Matrix<double>& opinions,
                                     std::span<const double> mean_snapshot) const {
  std::vector<double> out =
      mean_snapshot.empty() ? snapshot(opinions) : std::vector<double>(mean_snapshot.begin(), mean_snapshot.end());
  const AttentionSpec<double> spec = dynamics::attention_spec(crowd, graph());
  const AttentionResult<double> forward = attend<double>(opinions, opinions, opinions, spec);
  const measures::Camps camps_now = measures::find_camps(opinions, settings_.camp_gap);
  entry(out, Measure::echo_chamber) = measures::echo_chamber_index(opinions, spec, forward, camps_now);
  if (averages_plainly(crowd, graph()))
    entry(out, Measure::camp_lifetime) = shortest_lifetime(camps_now, crowd.settings().temperature);
  const Index groups = settings_.attention_groups;
  const std::vector<Index> group = measures::rank_groups(opinions, groups);
  const Matrix<double> between =
      attention_between_groups<double>(opinions, opinions, spec, forward, 0, group, groups, group, groups);
  append(out, {between.data(), static_cast<std::size_t>(between.size())});
  if (keeps_agents()) {
    append(out, {opinions.data(), static_cast<std::size_t>(opinions.size())});
  } else {
    append(out, quantiles(opinions));
  }
  return out;
}

std::size_t Observer::snapshot_size() const { return kMeasureCount + static_cast<std::size_t>(settings_.bins); }

std::size_t Observer::record_size() const {
  const Index opinions = keeps_agents() ? population_.anchors.size() : kQuantiles;
  return snapshot_size() + static_cast<std::size_t>(settings_.attention_groups * settings_.attention_groups + opinions);
}

RecordView Observer::view(std::span<const double> record) const {
  require(record.size() == record_size(), "Observer: a record has ", record.size(), " numbers, but must have ",
          record_size(), ".");
  const auto groups = static_cast<std::size_t>(settings_.attention_groups);
  const auto bins = static_cast<std::size_t>(settings_.bins);
  return {record.first(kMeasureCount), record.subspan(kMeasureCount, bins),
          record.subspan(kMeasureCount + bins, groups * groups),
          record.subspan(kMeasureCount + bins + groups * groups)};
}

}  // namespace fovea::opinion::temperature
