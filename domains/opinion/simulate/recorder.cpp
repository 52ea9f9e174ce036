#include "fovea/domains/opinion/simulate/recorder.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <utility>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/parallel.hpp"
#include "fovea/domains/opinion/dynamics/models.hpp"
#include "fovea/domains/opinion/measures/gap_camps.hpp"
#include "fovea/domains/opinion/society/block_sums.hpp"

namespace fovea::opinion::simulate {

namespace {

constexpr Index kHistogramParts = 16;  // a fixed number, whatever the threads: counts are whole
constexpr Index kMostByPairs = 3000;   // agents with several components, or camps, that are taken pair by pair
struct StandardText {
  const char* name;
  const char* meaning;
};
constexpr std::array kStandard{
    StandardText{"mean", "mean opinion, first component"},
    StandardText{"sd", "standard deviation of the opinions"},
    StandardText{"variance", "mean squared distance from the mean, per component"},
    StandardText{"bimodality", "bimodality coefficient: 1/3 normal, 5/9 uniform, 1 two equal points"},
    StandardText{"camps", "camps that hold at least camps.least_share of the agents"},
    StandardText{"largest_camp_share", "share of the agents in the largest camp"},
    StandardText{"camp_distance", "distance between the two largest camps"},
    StandardText{"esteban_ray", "Esteban-Ray polarization of the camps"},
    StandardText{"order", "length of the mean direction on circle or sphere: 0 isotropic, 1 fully aligned"},
};

double wrapped(double angle) { return std::remainder(angle, 2 * std::numbers::pi); }

/// Angles from the end of the widest empty arc on, so that no camp is cut; around 0.
void cut_circle(Matrix<double>& angles) {
  for (Index i = 0; i < angles.rows(); ++i) angles(i, 0) = wrapped(angles(i, 0));
  std::vector<double> sorted(angles.data(), angles.data() + angles.size());
  std::sort(sorted.begin(), sorted.end());
  double widest = sorted.front() + 2 * std::numbers::pi - sorted.back(), first = sorted.front();
  for (std::size_t k = 1; k < sorted.size(); ++k)
    if (sorted[k] - sorted[k - 1] > widest) {
      widest = sorted[k] - sorted[k - 1];
      first = sorted[k];
    }
  for (Index i = 0; i < angles.rows(); ++i)
    if (angles(i, 0) < first) angles(i, 0) += 2 * std::numbers::pi;
}

/// Sizes and centres of the camps on a line, largest first, lower ones first where sizes are equal; not who is in them.
/// Of more than a block of agents by cells, without a copy of the opinions: equal ones by their first agent.
measures::Camps camp_sizes(const Matrix<double>& opinions, double gap, const Crowd& crowd) {
  const std::span<const double> own(opinions.data(), opinions.size());
  if (crowd.size() > kRankBlock) return measures::GapCamps(own, gap, crowd.ranks(), crowd.part().first).camps();
  std::vector<double> sorted = crowd.ranks().collect(own);
  std::sort(sorted.begin(), sorted.end());
  std::vector<std::pair<Index, double>> found;  // minus the size, centre
  for (std::size_t first = 0, k = 1; k <= sorted.size(); ++k) {
    if (k < sorted.size() && sorted[k] - sorted[k - 1] <= gap) continue;
    double sum = 0;
    for (std::size_t i = first; i < k; ++i) sum += sorted[i];
    found.emplace_back(-static_cast<Index>(k - first), sum / static_cast<double>(k - first));
    first = k;
  }
  std::sort(found.begin(), found.end());
  measures::Camps camps;
  camps.centres.resize(static_cast<Index>(found.size()), 1);
  for (std::size_t c = 0; c < found.size(); ++c) {
    camps.sizes.push_back(-found[c].first);
    camps.centres(static_cast<Index>(c), 0) = found[c].second;
  }
  return camps;
}

measures::MeasureSettings measure_settings(const SimulateSettings& settings, const dynamics::Dynamics& dynamics) {
  const dynamics::Space space = dynamics::find_model(dynamics.settings().model).rule.update.space;
  measures::MeasureSettings numbers;
  numbers.space = space == dynamics::Space::circle   ? measures::Space::circle
                  : space == dynamics::Space::sphere ? measures::Space::sphere
                                                     : measures::Space::flat;
  numbers.camp_gap = settings.camp_gap;
  numbers.least_share = settings.least_share;
  numbers.esteban_ray_alpha = settings.alpha;
  numbers.scale_low = -settings.limit;
  numbers.scale_high = settings.limit;
  numbers.most_by_pairs = kMostByPairs;
  return numbers;
}

template <typename Real>
void repeat_last(std::vector<Real>& rows, std::size_t states, std::size_t wanted) {
  if (states == 0) return;
  const std::size_t width = rows.size() / states;
  rows.reserve(width * wanted);
  for (std::size_t k = states; k < wanted; ++k)
    for (std::size_t c = 0; c < width; ++c) rows.push_back(rows[rows.size() - width]);
}

}  // namespace

std::span<const RecordedMeasure> standard_measures() {
  static const std::vector<RecordedMeasure> standard = [] {
    std::vector<RecordedMeasure> list;
    for (const StandardText& text : kStandard) list.push_back({&measures::find_measure(text.name), text.meaning});
    return list;
  }();
  return standard;
}

Recorder::Recorder(const Crowd& crowd, SimulateSettings settings)
    : crowd_(&crowd),
      settings_(std::move(settings)),
      measure_settings_(measure_settings(settings_, crowd.dynamics())),
      recorded_(standard_measures().begin(), standard_measures().end()),
      invariants_(crowd.dynamics(), crowd.graph(), crowd.opinions(), settings_),
      held_(crowd),
      network_(settings_.states(), settings_.networks),
      limit_(settings_.limit) {
  for (const std::string& name : settings_.measures) {
    const measures::MeasureEntry& entry = measures::find_measure(name);
    recorded_.push_back({&entry, entry.definition});
  }
  follow(crowd);
  const dynamics::Agents& agents = crowd.agents();
  require(agents.counted.empty() || !counting_.empty(),
          "Recorder: all agents are bots or media; at least one must be an agent.");
  const Index n = crowd.size(), kept = std::min(n, settings_.agents_max);
  for (Index k = 0; k < kept; ++k) kept_.push_back(k * n / kept);
  trajectories_.reserve(settings_.states() * kept * agents.start.cols());
}

void Recorder::follow(const Crowd& crowd) {
  counting_ = crowd.counting();
  invariants_.follow(crowd.dynamics(), crowd.graph());
  if (crowd.graph() == nullptr) return;
  graph_ = society::undirected(*crowd.graph());
  const std::vector<std::uint8_t>& counted = crowd.dynamics().agents().counted;
  if (!counted.empty()) graph_ = society::kept_part(*graph_, counted);
}

void Recorder::begin(const Crowd& crowd) {
  follow(crowd);
  invariants_.begin(crowd.dynamics(), crowd.graph(), crowd.opinions());
}

const Matrix<double>& Recorder::counted(const Matrix<double>& opinions) const {
  if (counting_.empty() && !on_circle()) return opinions;
  counted_ = counting_.empty() ? opinions : society::some_of(opinions, counting_);
  if (on_circle()) cut_circle(counted_);
  return counted_;
}

measures::Camps Recorder::camps(const Matrix<double>& counted) const {
  if (counted.cols() > 1 && counted.rows() > kMostByPairs) return {};
  return measures::find_camps(counted, settings_.camp_gap);
}

void Recorder::record(const Crowd& crowd) {
  const Matrix<double>&all = crowd.everybody(), &some = counted(all);
  if (crowd.dynamics().changed_network() != nullptr) record_network(some);
  record_measures(some);
  record_density(some);
  held_.record(some, graph_ ? &*graph_ : nullptr);
  record_trajectories(all);
  invariants_.record(crowd.opinions());
  sizes_.push_back(static_cast<double>(count(some)));
  ++states_;
}

void Recorder::record_network(const Matrix<double>& counted) {
  graph_ = society::undirected(crowd_->dynamics().changed_network()->graph());
  const std::vector<std::uint8_t>& marks = crowd_->dynamics().agents().counted;
  if (!marks.empty()) graph_ = society::kept_part(*graph_, marks);
  network_.record(*graph_, camps(counted).camp, *crowd_);
}

void Recorder::record_measures(const Matrix<double>& counted) {
  measures::MeasureContext context;
  context.graph = graph_ ? &*graph_ : nullptr;
  measures::Camps on_line;
  if (counted.cols() == 1) {
    on_line = camp_sizes(counted, settings_.camp_gap, *crowd_);
    context.camps = &on_line;
    context.ranks = &crowd_->ranks();
    context.first = crowd_->part().first;
  }
  const measures::MeasuredCrowd crowd(counted, measure_settings_, context);
  for (const RecordedMeasure& one : recorded_) values_.push_back(one.entry->value(crowd));
}

/// Twice the range, two bins in one: the bins are a multiple of 4, so that the edges of the old ones are edges still.
void Recorder::widen() {
  const std::size_t bins = settings_.bins;
  for (std::size_t row = 0; row + bins <= density_.size(); row += bins) {
    std::vector<float> wide(bins, 0.0F);
    for (std::size_t k = 0; k < bins / 2; ++k)
      wide[bins / 4 + k] = 0.5F * (density_[row + 2 * k] + density_[row + 2 * k + 1]);
    std::copy(wide.begin(), wide.end(), density_.begin() + static_cast<std::ptrdiff_t>(row));
  }
  limit_ *= 2;
}

void Recorder::record_density(const Matrix<double>& counted) {
  const auto [low, high] = society::range_of(crowd_->ranks(), counted, 0);
  while (measure_settings_.space == measures::Space::flat && std::max(std::abs(low), std::abs(high)) > limit_) widen();
  const double width = 2 * limit_ / static_cast<double>(settings_.bins);
  const auto agents = static_cast<double>(count(counted));
  for (const std::int64_t c : histogram(counted, width))
    density_.push_back(static_cast<float>(static_cast<double>(c) / (agents * width)));
}

std::vector<std::int64_t> Recorder::histogram(const Matrix<double>& counted, double width) const {
  const Index parts = std::clamp<Index>(counted.rows() / kRankBlock, 1, kHistogramParts), bins = settings_.bins;
  std::vector<std::int64_t> table(parts * bins, 0);
  for_each_task(parts, parts > 1, [&](Index part) {
    for (Index i = part * counted.rows() / parts; i < (part + 1) * counted.rows() / parts; ++i) {
      const double x = on_circle() ? wrapped(counted(i, 0)) : counted(i, 0);
      const double bin = std::clamp(std::floor((x + limit_) / width), 0.0, static_cast<double>(bins - 1));
      ++table[part * bins + static_cast<Index>(bin)];
    }
  });
  for (Index k = bins; k < parts * bins; ++k) table[k % bins] += table[k];
  table.resize(bins);
  crowd_->ranks().sum(table);
  return table;
}

// Multiples of the resolution have mantissas that end in zeros, which deflate makes nearly nothing of.
void Recorder::record_trajectories(const Matrix<double>& opinions) {
  const double quantum = settings_.resolution, inverse = 1 / quantum;
  std::vector<double> own;
  for (const Index agent : kept_) {
    const Index i = agent - crowd_->part().first;
    if (i < 0 || i >= opinions.rows()) continue;  // another rank's
    for (Index c = 0; c < opinions.cols(); ++c) {
      const double x = on_circle() ? wrapped(opinions(i, c)) : opinions(i, c);
      own.push_back(std::nearbyint(x * inverse) * quantum);
    }
  }
  for (const double x : crowd_->ranks().collect(own)) trajectories_.push_back(static_cast<float>(x));
}

void Recorder::fill() {
  const std::size_t wanted = settings_.states();
  if (states_ == 0 || states_ >= wanted) return;
  if (crowd_->dynamics().changed_network() != nullptr) network_.fill(*crowd_);
  repeat_last(values_, states_, wanted);
  repeat_last(density_, states_, wanted);
  repeat_last(trajectories_, states_, wanted);
  repeat_last(sizes_, states_, wanted);
  held_.fill(wanted);
  states_ = wanted;
}

std::size_t Recorder::place_of(std::string_view measure) const {
  const auto found = std::find_if(recorded_.begin(), recorded_.end(),
                                  [&](const RecordedMeasure& one) { return one.entry->name == measure; });
  require(found != recorded_.end(), "Recorder: '", measure, "' is not recorded; record.measures adds measures.");
  return (found - recorded_.begin());
}

double Recorder::last(std::string_view measure) const {
  return values_[(states_ - 1) * recorded_.size() + place_of(measure)];
}

std::vector<double> Recorder::over_time(std::string_view measure) const {
  std::vector<double> values;
  for (std::size_t k = 0; k < states_; ++k) values.push_back(values_[k * recorded_.size() + place_of(measure)]);
  return values;
}

std::vector<double> Recorder::bin_centres() const {
  std::vector<double> centres;
  const double width = 2 * limit_ / static_cast<double>(settings_.bins);
  for (Index bin = 0; bin < settings_.bins; ++bin) centres.push_back((static_cast<double>(bin) + 0.5) * width - limit_);
  return centres;
}

void Recorder::visit(Archive archive) {
  archive("measures", values_);
  archive("density", density_);
  archive("trajectories", trajectories_);
  archive("limit", limit_);
  archive("invariants", invariants_);
  archive("held", held_);
  archive("sizes", sizes_);
  if (crowd_->dynamics().changed_network() != nullptr) archive("network", network_);
  states_ = values_.size() / recorded_.size();
}

}  // namespace fovea::opinion::simulate
