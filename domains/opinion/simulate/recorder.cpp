#include "fovea/domains/opinion/simulate/recorder.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <utility>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/missing.hpp"
#include "fovea/domains/opinion/dynamics/models.hpp"

namespace fovea::opinion::simulate {

namespace {

constexpr std::size_t kMostByPairs = 3000;  // agents with several components, or camps, that are taken pair by pair
constexpr std::size_t kRecorded = static_cast<std::size_t>(StateMeasure::count);

constexpr std::array<StateMeasureText, kRecorded> kRecordedTexts{{
    {"mean", "opinion", "mean opinion, first component"},
    {"sd", "opinion", "standard deviation of the opinions"},
    {"variance", "opinion^2", "mean square distance from the mean, for each component"},
    {"bimodality", "1", "bimodality coefficient: 1/3 normal, 5/9 uniform, 1 two points"},
    {"camps", "1", "camps that hold at least camps.least_share of the agents"},
    {"largest_camp_share", "1", "share of the agents in the largest camp"},
    {"camp_distance", "opinion", "distance of the two largest camps"},
    {"esteban_ray", "opinion", "Esteban-Ray polarization of the camps"},
    {"order", "1", "length of the mean direction, circle and sphere: 0 all directions alike, 1 one direction"},
}};

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

double length_of_mean(const Matrix<double>& opinions, bool circle) {
  const auto n = static_cast<double>(opinions.rows());
  if (!circle) return opinions.colwise().mean().norm();
  double x = 0, y = 0;
  for (Index i = 0; i < opinions.rows(); ++i) {
    x += std::cos(opinions(i, 0));
    y += std::sin(opinions(i, 0));
  }
  return std::hypot(x, y) / n;
}

/// Sizes and centres of the camps on a line, largest first, lower ones first where sizes are equal; not who is in them.
/// Sorting numbers alone is several times as fast as find_camps().
measures::Camps camp_sizes(const Matrix<double>& opinions, double gap) {
  std::vector<double> sorted(opinions.data(), opinions.data() + opinions.size());
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
  camps.camp.assign(sorted.size(), 0);
  camps.centres.resize(static_cast<Index>(found.size()), 1);
  for (std::size_t c = 0; c < found.size(); ++c) {
    camps.sizes.push_back(-found[c].first);
    camps.centres(static_cast<Index>(c), 0) = found[c].second;
  }
  return camps;
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

const StateMeasureText& describe(StateMeasure measure) { return kRecordedTexts.at(static_cast<std::size_t>(measure)); }

Recorder::Recorder(const dynamics::Dynamics& dynamics, SimulateSettings settings) : settings_(std::move(settings)) {
  const dynamics::Update update = dynamics::find_model(dynamics.settings().model).rule.update;
  circle_ = update == dynamics::Update::turn;
  sphere_ = update == dynamics::Update::project;
  const dynamics::Agents& agents = dynamics.agents();
  for (std::size_t i = 0; i < agents.counted.size(); ++i)
    if (agents.counted[i] != 0) counting_.push_back(static_cast<Index>(i));
  require(agents.counted.empty() || !counting_.empty(), "Recorder: all agents are bots or media; somebody must count.");
  const Index n = agents.count(), kept = std::min(n, settings_.agents_max);
  for (Index k = 0; k < kept; ++k) kept_.push_back(k * n / kept);
  trajectories_.reserve(static_cast<std::size_t>(settings_.states() * kept * agents.start.cols()));
}

Matrix<double> Recorder::counted(const Matrix<double>& opinions) const {
  Matrix<double> some = opinions;
  if (!counting_.empty()) {
    some.resize(static_cast<Index>(counting_.size()), opinions.cols());
    for (std::size_t k = 0; k < counting_.size(); ++k) some.row(static_cast<Index>(k)) = opinions.row(counting_[k]);
  }
  if (circle_) cut_circle(some);
  return some;
}

measures::Camps Recorder::camps(const Matrix<double>& counted) const {
  if (counted.cols() > 1 && counted.size() > static_cast<Index>(kMostByPairs) * counted.cols()) return {};
  return measures::find_camps(counted, settings_.camp_gap);
}

void Recorder::record(const Matrix<double>& opinions) {
  const Matrix<double> some = counted(opinions);
  const measures::Camps found = some.cols() == 1 ? camp_sizes(some, settings_.camp_gap) : camps(some);
  const bool known = !found.sizes.empty();
  std::array<double, kRecorded> row{};
  const auto put = [&](StateMeasure measure, double value) { row.at(static_cast<std::size_t>(measure)) = value; };
  put(StateMeasure::mean, some.col(0).mean());
  put(StateMeasure::variance, opinion::measures::variance(some));
  put(StateMeasure::sd, std::sqrt(opinion::measures::variance(some)));
  put(StateMeasure::bimodality, opinion::measures::bimodality(some));
  put(StateMeasure::camps, known ? static_cast<double>(found.at_least(settings_.least_share)) : kNan);
  put(StateMeasure::largest_camp_share,
      known ? static_cast<double>(found.sizes.front()) / static_cast<double>(some.rows()) : kNan);
  put(StateMeasure::camp_distance, !known    ? kNan
                                   : circle_ ? std::abs(wrapped(opinion::measures::camp_distance(found)))
                                             : opinion::measures::camp_distance(found));
  put(StateMeasure::esteban_ray,
      known && found.sizes.size() <= kMostByPairs ? opinion::measures::esteban_ray(found, settings_.alpha) : kNan);
  put(StateMeasure::order, circle_ || sphere_ ? length_of_mean(some, circle_) : kNan);
  measures_.insert(measures_.end(), row.begin(), row.end());
  record_density(some);
  record_trajectories(opinions);
  ++states_;
}

void Recorder::record_density(const Matrix<double>& counted) {
  const double width = 2 * settings_.limit / static_cast<double>(settings_.bins);
  std::vector<double> count(static_cast<std::size_t>(settings_.bins), 0.0);
  for (Index i = 0; i < counted.rows(); ++i) {
    const double x = circle_ ? wrapped(counted(i, 0)) : counted(i, 0);
    const double bin =
        std::clamp(std::floor((x + settings_.limit) / width), 0.0, static_cast<double>(settings_.bins - 1));
    count[static_cast<std::size_t>(bin)] += 1;
  }
  for (const double c : count)
    density_.push_back(static_cast<float>(c / (static_cast<double>(counted.rows()) * width)));
}

// Multiples of the resolution have mantissas that end in zeros, which deflate makes nearly nothing of.
void Recorder::record_trajectories(const Matrix<double>& opinions) {
  const double quantum = settings_.resolution, inverse = 1 / quantum;
  for (const Index i : kept_)
    for (Index c = 0; c < opinions.cols(); ++c) {
      const double x = circle_ ? wrapped(opinions(i, c)) : opinions(i, c);
      trajectories_.push_back(static_cast<float>(std::nearbyint(x * inverse) * quantum));
    }
}

void Recorder::fill() {
  const auto wanted = static_cast<std::size_t>(settings_.states());
  if (states_ == 0 || states_ >= wanted) return;
  repeat_last(measures_, states_, wanted);
  repeat_last(density_, states_, wanted);
  repeat_last(trajectories_, states_, wanted);
  states_ = wanted;
}

double Recorder::last(StateMeasure measure) const {
  return measures_[(states_ - 1) * kRecorded + static_cast<std::size_t>(measure)];
}

std::vector<double> Recorder::over_time(StateMeasure measure) const {
  std::vector<double> values;
  for (std::size_t k = 0; k < states_; ++k)
    values.push_back(measures_[k * kRecorded + static_cast<std::size_t>(measure)]);
  return values;
}

std::vector<double> Recorder::bin_centres() const {
  std::vector<double> centres;
  const double width = 2 * settings_.limit / static_cast<double>(settings_.bins);
  for (Index bin = 0; bin < settings_.bins; ++bin)
    centres.push_back((static_cast<double>(bin) + 0.5) * width - settings_.limit);
  return centres;
}

void Recorder::visit(Archive archive) {
  archive("measures", measures_);
  archive("density", density_);
  archive("trajectories", trajectories_);
  states_ = measures_.size() / kRecorded;
}

}  // namespace fovea::opinion::simulate
