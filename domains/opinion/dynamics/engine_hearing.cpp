#include <cmath>
#include <utility>

#include "fovea/core/attention/modifiers.hpp"
#include "fovea/core/attention/scores.hpp"
#include "fovea/core/base/error.hpp"
#include "fovea/core/kernels/exponential.hpp"
#include "fovea/domains/opinion/dynamics/hearing.hpp"

namespace fovea::opinion::dynamics {

namespace {

/// Everybody is as loud: a product with factor 0.
class AlikeScore final : public ScoreFunction<double> {
 public:
  Comparison comparison() const override { return Comparison::product; }
  double factor(Index) const override { return 0; }
  double largest_difference(double, double, Index) const override { return 0; }
};

/// -log(1 + e^z), z = sharpness (d^2 - eps_i^2)
class SigmoidScore final : public ScoreFunction<double> {
 public:
  SigmoidScore(double sharpness, std::vector<double> bounds) : sharpness_(sharpness), bounds_(std::move(bounds)) {}
  Comparison comparison() const override { return Comparison::squared_distance; }
  bool finishes() const override { return true; }

  void finish(const ScoreTile<double>& tile) const override {
    for (Index i = 0; i < tile.query_count; ++i)
      for (Index j = 0; j < tile.key_count; ++j) {
        const double z = exponent(tile, i, tile.row(i)[j]);
        tile.row(i)[j] = -(std::max(z, 0.0) + logarithm(1 + exponential(-std::abs(z))));
      }
  }

  // ds / d(d^2) = -sharpness / (1 + e^-z)
  void finish_backward(const ScoreTile<double>& before, const ScoreTile<double>& gradient) const override {
    for (Index i = 0; i < gradient.query_count; ++i)
      for (Index j = 0; j < gradient.key_count; ++j)
        gradient.row(i)[j] *= -sharpness_ / (1 + exponential(-exponent(before, i, before.row(i)[j])));
  }
  double bound(double squared_distance, Index) const override {
    double widest = 0;
    for (const double eps : bounds_) widest = std::max(widest, eps);
    const double z = sharpness_ * (squared_distance - widest * widest);
    return -(std::max(z, 0.0) + logarithm(1 + exponential(-std::abs(z))));
  }

 private:
  double exponent(const TileRange& tile, Index i, double squared_distance) const {
    const double eps = bounds_.size() == 1 ? bounds_[0] : bounds_[tile.query(i)];
    return sharpness_ * (squared_distance - eps * eps);
  }
  double sharpness_;
  std::vector<double> bounds_;  ///< eps_i, or one for all
};

/// s' = s / T_i + log g_j
class Loudness final : public ScoreModifier<double> {
 public:
  explicit Loudness(const HearingRule& rule) {
    for (const double t : rule.temperatures) inverse_.push_back(1 / t);
    if (rule.temperatures.empty()) inverse_.push_back(1 / rule.temperature);
    for (const double g : rule.reach) log_reach_.push_back(g > 0 ? logarithm(g) : kMasked<double>);
  }

  void apply(const ScoreTile<double>& tile, std::span<const double>) const override {
    for (Index i = 0; i < tile.query_count; ++i)
      for (Index j = 0; j < tile.key_count; ++j) {
        double& s = tile.row(i)[j];
        if (s != kMasked<double>) s *= inverse(tile, i);
        if (!log_reach_.empty()) s += log_reach_[tile.key(j)];
      }
  }
  bool reads_scores() const override { return false; }
  void backward(const ScoreTile<double>&, const ScoreTile<double>& gradient, std::span<const double>,
                std::span<double>) const override {
    for (Index i = 0; i < gradient.query_count; ++i)
      for (Index j = 0; j < gradient.key_count; ++j) gradient.row(i)[j] *= inverse(gradient, i);
  }

 private:
  double inverse(const TileRange& tile, Index i) const {
    return inverse_.size() == 1 ? inverse_[0] : inverse_[tile.query(i)];
  }
  std::vector<double> inverse_;  ///< 1 / T_i, or one for all
  std::vector<double> log_reach_;
};

ScoreTerm<double> engine_score(const HearingRule& rule) {
  switch (rule.score) {
    case Score::gaussian:
      return {gaussian_score<double>(), {}};
    case Score::dot_product:
      return {dot_product_score<double>(false), {}};
    case Score::cosine:
      return {cosine_score<double>(), {}};
    case Score::log_distance:
      return {log_distance_score<double>(rule.distance_floor), {}};
    case Score::alike:
      return {std::make_shared<AlikeScore>(), {}};
    case Score::sigmoid: {
      std::vector<double> bounds(rule.confidences.begin(), rule.confidences.end());
      if (bounds.empty()) bounds.push_back(rule.confidence);
      return {std::make_shared<SigmoidScore>(rule.sharpness, std::move(bounds)), {}};
    }
    default:
      break;
  }
  throw ArgumentError("attention_spec: the top hat has no derivative at its edge; take smooth_bounded_confidence.");
}

ModifierTerm<double> loudness_term(const HearingRule& rule) {
  if (rule.temperatures.empty() && rule.reach.empty())
    return {fovea::temperature<double>(), {std::log(rule.temperature)}};
  return {std::make_shared<Loudness>(rule), {}};
}

class EngineHearing final : public HeardSums {
 public:
  EngineHearing(const HearingRule& rule, const society::Graph* graph)
      : spec_(attention_spec(rule, graph)), graph_(graph) {}

  void hear(const HearingRule& rule, const Matrix<double>& opinions, const Matrix<double>& values,
            Matrix<double>& heard) override {
    retune(rule);
    attend_into<double>(result_, opinions, opinions, values, spec_);
    heard = result_.outputs;
    for (Index i = 0; i < heard.rows(); ++i)
      if (result_.sum_exp(i, 0) == 0) heard.row(i) = values.row(i);
    if (rule.normaliser == Normaliser::crowd) unnormalise(rule, heard);
  }

 private:
  /// Only the controls change: the neighbour lists, the costly part, stay.
  void retune(const HearingRule& rule) {
    spec_.score = engine_score(rule);
    spec_.modifiers.front() = loudness_term(rule);
  }

  /// sum_j e_ij v_j / sum_j W_ij g_j = softmax output * exp(log_sum_exp) / sum_j W_ij g_j
  void unnormalise(const HearingRule& rule, Matrix<double>& heard) const {
    const std::vector<double> audible = audible_reach(rule, heard.rows(), graph_);
    for (Index i = 0; i < heard.rows(); ++i)
      heard.row(i) *=
          exponential(result_.log_sum_exp(i, 0)) / audible[audible.size() == 1 ? 0 : static_cast<std::size_t>(i)];
  }

  AttentionSpec<double> spec_;
  AttentionResult<double> result_;
  const society::Graph* graph_;
};

}  // namespace

AttentionSpec<double> attention_spec(const HearingRule& rule, const society::Graph* graph) {
  AttentionSpec<double> spec;
  spec.score = engine_score(rule);
  spec.modifiers.push_back(loudness_term(rule));
  // After the temperature, so that the bias of an edge, log W, is not divided by it.
  if (graph != nullptr)
    spec.modifiers.push_back({neighbour_list<double>(society::hearing_lists(*graph, rule.self_weight)), {}});
  return spec;
}

std::unique_ptr<HeardSums> engine_hearing(const HearingRule& rule, const society::Graph* graph) {
  return std::make_unique<EngineHearing>(rule, graph);
}

}  // namespace fovea::opinion::dynamics
