#include "fovea/domains/opinion/simulate/records.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "fovea/core/base/error.hpp"
#include "fovea/domains/opinion/dynamics/models.hpp"
#include "fovea/domains/opinion/society/block_sums.hpp"

namespace fovea::opinion::simulate {

namespace {

// Of the range of the opinions: rounding of means, of up to 1e9 steps, and of sums over a million agents.
constexpr double kLawRounding = 1e-9;
enum Seen : std::size_t {
  kOutside,
  kFirstMean,
  kDrift,
  kFirstEnergy,
  kLastEnergy,
  kRise,
  kRange,
  kLargestEnergy,
  kHull,
  kMean,
  kEnergy,
  kBegun,
  kSeen
};

bool all_zero(const std::vector<double>& values) {
  return std::all_of(values.begin(), values.end(), [](double value) { return value == 0; });
}

bool repels(const society::Graph* graph) {
  return graph != nullptr &&
         std::any_of(graph->weights.begin(), graph->weights.end(), [](double weight) { return weight < 0; });
}

/// Whether an opinion of the next step is a mean of opinions and anchors.
bool takes_means(const dynamics::ModelEntry& entry, const dynamics::ModelSettings& settings) {
  const dynamics::Rule& rule = entry.rule;
  if (entry.needs("noise") && settings.noise > 0) return false;
  if (rule.update == dynamics::Update::pairs) return true;
  if (rule.normaliser != dynamics::Normaliser::softmax || rule.value != dynamics::Value::opinion) return false;
  return rule.update.has_feed && (rule.update.discrete || settings.coupling == 1);
}

}  // namespace

double clipped_energy(const Matrix<double>& opinions, double confidence) {
  std::vector<double> x(opinions.data(), opinions.data() + opinions.rows());
  std::sort(x.begin(), x.end());
  // From the middle of the sample, so that squares do not cancel.
  const double middle = x[x.size() / 2];
  double energy = 0, sum = 0, squares = 0;  // of the window of those at most eps below x_j
  std::size_t first = 0;
  for (std::size_t j = 0; j < x.size(); ++j) {
    const double here = x[j] - middle;
    for (; first < j && x[j] - x[first] > confidence; ++first) {
      sum -= x[first] - middle;
      squares -= (x[first] - middle) * (x[first] - middle);
    }
    const double near = static_cast<double>(j - first), far = static_cast<double>(first);
    energy += near * here * here - 2 * here * sum + squares + far * confidence * confidence;
    sum += here;
    squares += here * here;
  }
  return energy;
}

Invariants::Invariants(const dynamics::Dynamics& dynamics, const society::Graph* graph, const Matrix<double>& opinions,
                       const SimulateSettings& settings)
    : shocked_(!settings.shocks.empty()), seen_(kSeen, 0.0) {
  begin(dynamics, graph, opinions);
}

void Invariants::follow(const dynamics::Dynamics& dynamics, const society::Graph* graph) {
  const dynamics::Agents& agents = dynamics.agents();
  const dynamics::ModelSettings& model = dynamics.settings();
  const dynamics::ModelEntry& entry = dynamics::find_model(model.model);
  hull_ = mean_ = energy_ = false;
  ranks_ = agents.ranks;
  if (shocked_ || repels(graph) || (agents.count() == 0 && ranks_->alone())) return;
  const bool stubborn = (entry.needs("stubbornness") && model.stubbornness > 0) || !all_zero(agents.stubbornness);
  hull_ = takes_means(entry, model);
  mean_ = entry.rule.update == dynamics::Update::pairs && !stubborn && agents.confidence.empty();
  energy_ = entry.name == "hegselmann_krause" && model.noise == 0 && !stubborn && graph == nullptr &&
            agents.start.cols() == 1 && agents.confidence.empty() && agents.reach.empty();
  confidence_ = model.confidence;
}

void Invariants::begin(const dynamics::Dynamics& dynamics, const society::Graph* graph,
                       const Matrix<double>& opinions) {
  follow(dynamics, graph);
  if (opinions.rows() == 0 && ranks_->alone()) return;
  // A crowd that gave up its anchors begins with them as its opinions.
  const Matrix<double>& anchors = dynamics.agents().released > 0 ? opinions : dynamics.agents().start;
  low_.clear();
  high_.clear();
  for (Index c = 0; c < anchors.cols(); ++c) {
    const auto [anchor_low, anchor_high] = society::range_of(*ranks_, anchors, c);
    const auto [low, high] = society::range_of(*ranks_, opinions, c);
    low_.push_back(std::min(anchor_low, low));
    high_.push_back(std::max(anchor_high, high));
    seen_[kRange] = std::max(seen_[kRange], high_.back() - low_.back());
  }
  if (mean_) seen_[kFirstMean] = opinions.col(0).mean();
  if (energy_) seen_[kFirstEnergy] = seen_[kLastEnergy] = clipped_energy(opinions, confidence_);
  seen_[kLargestEnergy] = std::max(seen_[kLargestEnergy], seen_[kFirstEnergy]);
  for (const auto& [place, held] : {std::pair{kHull, hull_}, std::pair{kMean, mean_}, std::pair{kEnergy, energy_}})
    if (held) seen_[place] = 1;
  seen_[kBegun] += 1;
}

void Invariants::record(const Matrix<double>& opinions) {
  for (Index c = 0; hull_ && c < opinions.cols(); ++c) {
    const auto [low, high] = society::range_of(*ranks_, opinions, c);
    seen_[kOutside] = std::max({seen_[kOutside], low_[c] - low, high - high_[c]});
  }
  if (mean_) seen_[kDrift] = std::max(seen_[kDrift], std::abs(opinions.col(0).mean() - seen_[kFirstMean]));
  if (!energy_) return;
  const double now = clipped_energy(opinions, confidence_);
  seen_[kRise] = std::max(seen_[kRise], now - seen_[kLastEnergy]);
  seen_[kLastEnergy] = now;
}

void Invariants::write(Results& results) const {
  const std::string where = seen_[kBegun] > 1 ? ", between events" : "",
                    range = seen_[kBegun] > 1 ? " or of the last event" : "";
  if (seen_[kHull] > 0)
    results.check(
        {"hull",
         concat("how far opinions left the range of the start", range, ": an agent that averages cannot leave it"),
         "Hegselmann & Krause 2002: weights >= 0 that sum to 1", 0, seen_[kOutside],
         absolute(kLawRounding * seen_[kRange])});
  if (seen_[kMean] > 0)
    results.check({"mean_kept",
                   concat("largest change of the mean opinion", where, ": two who meet move by the same amount"),
                   "Deffuant et al. 2000", 0, seen_[kDrift], absolute(kLawRounding * seen_[kRange])});
  if (seen_[kEnergy] > 0)
    results.check(
        {"energy_falls",
         concat("largest rise of the sum over pairs of min(d^2, eps^2) from one recorded state to the next", where),
         "Bhattacharyya, Braverman, Chazelle & Nguyen 2013: it never rises", 0, seen_[kRise],
         absolute(kLawRounding * seen_[kLargestEnergy])});
}

void Invariants::visit(Archive archive) {
  archive("seen", seen_);
  archive("low", low_);
  archive("high", high_);
}

}  // namespace fovea::opinion::simulate
