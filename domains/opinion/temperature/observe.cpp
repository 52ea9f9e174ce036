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

/// The first ones are measures of the table.
constexpr std::array kNumbers{
    RecordedNumber{"variance", "opinion^2", "variance of opinions, for each component"},
    RecordedNumber{"sd", "opinion", "standard deviation of opinions, for each component"},
    RecordedNumber{"bimodality", "1", "bimodality coefficient: 1/3 normal, 5/9 uniform, 1 two equal points"},
    RecordedNumber{"esteban_ray", "opinion", "Esteban-Ray polarization of the camps"},
    RecordedNumber{"camps", "1", "number of camps"},
    RecordedNumber{"largest_camp_share", "1", "share of the largest camp, of all agents"},
    RecordedNumber{"camp_distance", "opinion", "distance between the two largest camps"},
    RecordedNumber{"nearest_camps", "opinion", "distance between the two nearest camps"},
    RecordedNumber{"echo_chamber", "1", "attention to one's own camp beyond random mixing"},
    RecordedNumber{"modularity", "1", "modularity of the two sides, on the network"},
    RecordedNumber{"assortativity", "1", "assortativity of the two sides, on the network"},
    RecordedNumber{"share_on_real_side", "1", "share on their observed side, of the agents with unknown side"},
    RecordedNumber{"share_undecided", "1", "share that stays undecided, of the agents with unknown side"},
    RecordedNumber{"camp_lifetime", "step", "expected lifetime of the two camps that merge first"},
    RecordedNumber{"at_rest", "1", "1 where the crowd came to rest"},
    RecordedNumber{"steps", "step", "steps at this temperature"},
};
constexpr std::size_t kOfTable = 11;

void add_density(const Matrix<double>& opinions, const ObserverSettings& settings, std::vector<double>& out) {
  const double width = 2 * settings.opinion_limit / static_cast<double>(settings.bins);
  const double weight = 1 / (width * static_cast<double>(opinions.rows()));
  const std::size_t start = out.size();
  out.resize(start + settings.bins, 0.0);
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
  std::vector<double> sorted(opinions.rows());
  for (Index i = 0; i < opinions.rows(); ++i) sorted[i] = opinions(i, 0);
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
      shortest = std::min(
          shortest, theory::camp_lifetime((camps.centres.row(a) - camps.centres.row(b)).norm(), temperature,
                                          static_cast<double>(camps.sizes[a]), static_cast<double>(camps.sizes[b])));
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

double& entry(std::vector<double>& record, std::string_view name) { return record[place_of(name)]; }

}  // namespace

std::span<const RecordedNumber> recorded_numbers() { return kNumbers; }

std::size_t place_of(std::string_view name) {
  const auto found = std::find_if(kNumbers.begin(), kNumbers.end(), [&](const auto& one) { return one.name == name; });
  require(found != kNumbers.end(), "record: there is no number '", name, "'.");
  return (found - kNumbers.begin());
}

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
    Index& camp = camp_of_part[part_[i]];
    if (camp >= 0 && camp != groups.camp[i]) return false;
    camp = groups.camp[i];
  }
  return true;
}

Index Observer::camps(const Matrix<double>& opinions) const {
  return measures::find_camps(opinions, settings_.camp_gap).at_least(settings_.least_share);
}

measures::MeasureSettings Observer::measure_settings() const {
  measures::MeasureSettings settings;
  settings.camp_gap = settings_.camp_gap;
  settings.least_share = settings_.least_share;
  settings.esteban_ray_alpha = settings_.alpha;
  return settings;
}

void Observer::judge_sides(const Matrix<double>& opinions, std::vector<double>& record) const {
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
  entry(record, "share_on_real_side") = right / judged;
  entry(record, "share_undecided") = undecided / judged;
}

std::vector<double> Observer::snapshot(const Matrix<double>& opinions) const {
  std::vector<double> out(kNumbers.size(), kNan);
  const measures::MeasuredCrowd crowd(opinions, measure_settings(), {graph(), nullptr, nullptr, nullptr});
  for (std::size_t k = 0; k < kOfTable; ++k) out[k] = measures::find_measure(kNumbers[k].name).value(crowd);
  judge_sides(opinions, out);
  add_density(opinions, settings_, out);
  return out;
}

std::vector<double> Observer::record(const dynamics::Dynamics& crowd, const Matrix<double>& opinions,
                                     std::span<const double> mean_snapshot) const {
  std::vector<double> out =
      mean_snapshot.empty() ? snapshot(opinions) : std::vector<double>(mean_snapshot.begin(), mean_snapshot.end());
  const AttentionSpec<double> spec = dynamics::attention_spec(dynamics::hearing_rule_of(crowd), graph());
  const AttentionResult<double> forward = attend<double>(opinions, opinions, opinions, spec);
  const measures::MeasuredCrowd measured(opinions, measure_settings(), {graph(), &spec, &forward, nullptr});
  entry(out, "echo_chamber") = measures::find_measure("echo_chamber").value(measured);
  if (averages_plainly(crowd, graph()))
    entry(out, "camp_lifetime") = shortest_lifetime(measured.camps(), crowd.settings().temperature);
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

std::size_t Observer::snapshot_size() const { return kNumbers.size() + static_cast<std::size_t>(settings_.bins); }

std::size_t Observer::record_size() const {
  const Index opinions = keeps_agents() ? population_.anchors.size() : kQuantiles;
  return snapshot_size() + static_cast<std::size_t>(settings_.attention_groups * settings_.attention_groups + opinions);
}

RecordView Observer::view(std::span<const double> record) const {
  require(record.size() == record_size(), "Observer: a record has ", record.size(), " numbers, but must have ",
          record_size(), ".");
  const std::size_t groups = settings_.attention_groups;
  const std::size_t bins = settings_.bins;
  return {record.first(kNumbers.size()), record.subspan(kNumbers.size(), bins),
          record.subspan(kNumbers.size() + bins, groups * groups),
          record.subspan(kNumbers.size() + bins + groups * groups)};
}

}  // namespace fovea::opinion::temperature
