#include "fovea/tests/benchmarks/ours/near_problem.hpp"

#include <cmath>
#include <numbers>

#include "fovea/core/base/error.hpp"
#include "fovea/core/learning/layers/token_modifiers.hpp"
#include "fovea/core/learning/losses.hpp"

namespace fovea::bench {

namespace {

constexpr Index kPlaceFeatures = 4, kHiddenOfPairs = 16;
constexpr double kTurn = 2 * std::numbers::pi, kLength = 5;

}  // namespace

NearProblem::NearProblem(const Request& request)
    : nearest_(request.count("nearest", 16)),
      heads_(request.count("heads", 4)),
      training_(request.text("pass", "forward") == "training") {
  const Index count = request.count("tokens"), width = request.count("width", 64);
  const Random random(1);
  tokens_.offsets = {0, count};
  tokens_.coordinates.resize(count, 2);
  tokens_.periods = {0, kTurn};
  for (Index i = 0; i < count; ++i)
    for (Index c = 0; c < 2; ++c)
      tokens_.coordinates(i, c) =
          (c == 0 ? kLength : kTurn) *
          (random.stream("places").uniform(static_cast<std::uint64_t>(i), static_cast<std::uint64_t>(c)) - 0.5);
  x_.resize(count, width);
  for (Index k = 0; k < x_.size(); ++k)
    x_.data()[k] = static_cast<float>(random.stream("tokens").normal(static_cast<std::uint64_t>(k)));
  learning::BlockSettings<float> settings;
  settings.attention.width = width;
  settings.attention.heads = heads_;
  settings.hidden = request.count("hidden", 256);
  const std::string recompute = request.text("recompute", "nothing");
  settings.recompute = recompute == "rows"    ? learning::Recompute::rows
                       : recompute == "block" ? learning::Recompute::block
                                              : learning::Recompute::nothing;
  if (nearest_ > 0) {
    settings.attention.modifiers = {learning::listed_bias_of_pass<float>({0, nearest_, true})};
    learning::PairNetworkSettings<float> pairs;
    pairs.features = kPlaceFeatures, pairs.hidden = {kHiddenOfPairs}, pairs.heads = heads_;
    network_.emplace(parameters_, "pairs", pairs, random);
  }
  block_.emplace(parameters_, "block", settings, random);
  head_.emplace(parameters_, "head", width, 1, random);
  targets_ = Matrix<float>::Zero(count, 1);
  if (training_) gradients_.resize(parameters_.size());
}

learning::PairFill<float> NearProblem::places_of_pairs() const {
  return [this](std::span<const learning::TokenPair> pairs, float* features, Index stride) {
    for (std::size_t p = 0; p < pairs.size(); ++p) {
      const auto& at = tokens_.coordinates;
      const double along = at(pairs[p].first, 0) - at(pairs[p].second, 0),
                   turn = std::remainder(at(pairs[p].first, 1) - at(pairs[p].second, 1), kTurn);
      const double numbers[] = {along, turn, along * along + turn * turn, along * turn};
      for (std::size_t f = 0; f < kPlaceFeatures; ++f) features[f * stride + p] = static_cast<float>(numbers[f]);
    }
  };
}

void NearProblem::run() {
  tokens_.coordinates(0, 0) += 1e-3;  // so that the lists of the last pass are not found again
  tape_.begin(&parameters_, gradients_);
  std::vector<learning::Variable<float>> bias;
  if (network_)
    bias.push_back(
        (*network_)(tape_, learning::TokenPairs::listed(neighbours_of(tokens_, learning::Neighbourhood{0, nearest_})),
                    {kPlaceFeatures, places_of_pairs()}));
  const learning::Variable<float> y = (*head_)((*block_)(tape_.input(x_), tokens_, bias));
  if (training_) tape_.backward(learning::squared_loss<float>(y, targets_, {}, static_cast<float>(tokens_.count())));
}

double NearProblem::pairs() const {
  const auto count = static_cast<double>(tokens_.count());
  return static_cast<double>(heads_) * count * (nearest_ > 0 ? static_cast<double>(nearest_) : count);
}

double NearProblem::largest_error() const {
  throw ArgumentError("request: a block over neighbours is not compared with double precision.");
}

}  // namespace fovea::bench
