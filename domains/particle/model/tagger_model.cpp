#include "fovea/domains/particle/model/tagger_model.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>
#include <vector>

#include "fovea/core/base/error.hpp"
#include "fovea/core/kernels/exponential.hpp"
#include "fovea/core/learning/layers/token_modifiers.hpp"
#include "fovea/core/learning/layers/transformer_block.hpp"
#include "fovea/core/learning/operations.hpp"
#include "fovea/core/learning/recompute.hpp"
#include "fovea/domains/particle/model/embedding.hpp"
#include "fovea/domains/particle/model/mass_penalty.hpp"
#include "fovea/domains/particle/model/pair_features.hpp"
#include "fovea/domains/particle/model/part_weights.hpp"

namespace fovea::particle::model {

namespace {

using learning::Tape;
using learning::Tokens;
using Float = learning::Variable<float>;

constexpr float kSumShare = 1.0F / 32;
constexpr Index kRowsAtOnce = 192;
constexpr float kLeastWeight = 1e-30F;  // of a constituent that no head looks at

learning::BlockSettings<float> block_settings(const TaggerSettings& tagger) {
  learning::BlockSettings<float> settings;
  settings.attention.width = tagger.width;
  settings.attention.heads = tagger.heads;
  settings.hidden = tagger.hidden;
  settings.dropout = tagger.dropout;
  settings.norm_of_attention = settings.norm_of_hidden = settings.gain_of_residual = tagger.part;
  settings.norm_of_query = !tagger.part;
  return settings;
}

/// What comes behind masks and biases of a block: scores are capped before keys are weighted, so that the cap bounds
/// how much harder than at others a query can look at a key, whatever its pT.
void add_cap_and_weights(const TaggerSettings& tagger, std::vector<learning::ModifierOfLayer<float>>& modifiers) {
  if (const double cap = tagger.score_cap; cap > 0) {
    modifiers.push_back(
        learning::same_for_all<float>("score_cap", soft_cap<float>(), {static_cast<float>(std::log(cap))}));
    modifiers.back().learned = false;
  }
  if (tagger.weighted_keys) modifiers.push_back(learning::weights_of_tokens<float>());
}

/// Of the blocks in which the class token attends.
learning::BlockSettings<float> class_settings(const TaggerSettings& tagger) {
  learning::BlockSettings<float> settings = block_settings(tagger);
  add_cap_and_weights(tagger, settings.attention.modifiers);
  return settings;
}

/// Of the blocks over the constituents: with their masks and biases.
learning::BlockSettings<float> constituent_settings(const TaggerSettings& tagger) {
  learning::BlockSettings<float> settings = block_settings(tagger);
  const auto locality = tagger.locality();
  const bool biased = tagger.pairs != PairSet::none;
  auto& modifiers = settings.attention.modifiers;
  if (locality)
    modifiers.push_back(biased ? learning::listed_bias_of_pass<float>(*locality)
                               : learning::neighbours_alone<float>(*locality));
  else if (biased)
    modifiers.push_back(learning::pair_bias_of_pass<float>());
  add_cap_and_weights(tagger, modifiers);
  return settings;
}

std::optional<learning::PairNetwork<float>> pair_network_of(const TaggerSettings& tagger,
                                                            learning::Parameters<float>& parameters,
                                                            const Random& random) {
  if (tagger.pairs == PairSet::none) return std::nullopt;
  learning::PairNetworkSettings<float> settings;
  settings.features = feature_count(tagger.pairs);
  settings.heads = tagger.heads;
  settings.hidden = tagger.pair_hidden;
  settings.affine = learning::PairAffine::inputs;
  return learning::PairNetwork<float>(parameters, "pairs", settings, random.stream("pairs"));
}

/// The layer before the last; the Particle Transformer has none.
std::optional<learning::Linear<float>> hidden_of_answer(const TaggerSettings& tagger,
                                                        learning::Parameters<float>& parameters, const Random& random) {
  if (tagger.part) return std::nullopt;
  return learning::Linear<float>(parameters, "answer.1", tagger.width, tagger.width, random.stream("answer 1"));
}

/// What a pass knows of where the constituents lie, kept by the tape.
struct PlacesOfPass {
  Tokens tokens;
  PairPlaces places;
};

class AnyTagger final : public Tagger {
 public:
  AnyTagger(const TaggerSettings& settings, const study::ModelShape& shape, learning::Parameters<float>& parameters,
            const Random& random)
      : per_token_(shape.level == study::TargetLevel::per_token),
        settings_(settings),
        locality_(settings.locality()),
        part_(part_sizes(settings)),
        embed_(settings, shape.inputs, parameters, random),
        pair_network_(pair_network_of(settings, parameters, random)),
        norm_(parameters, "norm", settings.width),
        hidden_(hidden_of_answer(settings, parameters, random)),
        answer_(parameters, "answer.2", settings.width, shape.outputs, random.stream("answer 2")) {
    for (Index k = 0; k < settings.blocks; ++k)
      blocks_.emplace_back(parameters, concat("block_", k + 1), constituent_settings(settings),
                           random.stream(concat("block ", k + 1)));
    if (per_token_) part_.class_blocks = 0;
    if (!has_weights()) return;
    class_token_.emplace(parameters, "class", settings.width, random.stream("class token"));
    for (Index k = 0; k < settings.class_blocks; ++k)
      class_blocks_.emplace_back(parameters, k == 0 ? "class" : concat("class_", k + 1), class_settings(settings),
                                 random.stream(k == 0 ? "class block" : concat("class block ", k + 1)));
  }

  /// Weights from a file, before it learns.
  void look(learning::Parameters<float>& parameters, const study::TrainingPart&,
            const study::BatchMaker&) const override {
    if (settings_.weights.empty()) return;
    const learning::TensorFile file = learning::read_safetensors(settings_.weights);
    settings_.part ? load_part_weights(file, settings_.weights, part_, parameters)
                   : learning::load_tensors(file, settings_.weights, parameters);
  }

  bool has_penalty() const override { return settings_.decorrelation > 0; }
  Float penalty(const study::Batch& batch, Float outputs, std::span<const Index> classes,
                std::span<const float> weights) const override {
    return mass_penalty(outputs, *batch.tokens, classes, weights, static_cast<float>(settings_.decorrelation));
  }

  bool has_weights() const override { return !per_token_ && settings_.pooling == Pooling::class_token; }

  Float outputs(Tape<float>& tape, const study::Batch& batch, Float* scores) const override {
    return answered(tape, batch, scores, nullptr);
  }

  Float outputs_with_calls(Tape<float>& tape, const study::Batch& batch, Calls& calls) const override {
    return answered(tape, batch, nullptr, &calls);
  }

  Matrix<float> pair_biases(Tape<float>& tape, const Tokens& sets_of_two) const override {
    if (!pair_network_) return {};
    const PlacesOfPass& at = placed(tape, sets_of_two);
    const auto pairs = learning::TokenPairs::all(at.tokens.offsets);
    require(pairs.entries() == 4 * at.tokens.sets(), "biases of pairs: each set must have two particles.");
    const Float bias =
        (*pair_network_)(tape, pairs, {feature_count(settings_.pairs), pair_fill(settings_.pairs, at.places)});
    Matrix<float> biases(settings_.heads, at.tokens.sets());
    for (Index head = 0; head < settings_.heads; ++head)
      for (Index b = 0; b < biases.cols(); ++b) biases(head, b) = bias.data()[head * pairs.entries() + 4 * b + 1];
    return biases;
  }

 private:
  Float answered(Tape<float>& tape, const study::Batch& batch, Float* scores, Calls* calls) const {
    const PlacesOfPass& at = placed(tape, *batch.tokens);
    std::vector<Float> bias;
    if (pair_network_)
      bias.push_back((*pair_network_)(tape, pairs_of_pass(at.tokens),
                                      {feature_count(settings_.pairs), pair_fill(settings_.pairs, at.places)}));
    const Tape<float>::Mark mark = tape.mark();
    Float h = tape.forget(mark, embedded(moved(tape, batch)));
    for (const auto& block : blocks_) h = block(h, at.tokens, bias, calls ? &calls->emplace_back() : nullptr);
    const Float answered = norm_(per_token_ ? h : pooled(h, at.tokens, scores));
    return answer_(hidden_ ? gelu((*hidden_)(answered)) : answered);
  }

  /// Where wide ones learn nothing, some rows at a time, so that their hidden values stay in the second cache.
  Float embedded(Float x) const {
    if (!settings_.part || x.tape().learns() || x.learns()) return embed_(x);
    return learning::recomputed<float>(
        {x}, [this](std::span<const Float> in) { return std::vector{embed_(in[0])}; }, kRowsAtOnce)[0];
  }

  /// Directions as the attention sees them, and shares of pT as weights.
  const PlacesOfPass& placed(Tape<float>& tape, const Tokens& tokens) const {
    PlacesOfPass& at = tape.kept<PlacesOfPass>();
    at.tokens.offsets = tokens.offsets;
    at.tokens.coordinates = tokens.coordinates.leftCols(2);
    at.tokens.periods = {0, 2 * std::numbers::pi};
    at.tokens.weights.clear();
    if (pair_network_) place_particles(tokens.coordinates, at.places);
    if (!settings_.weighted_keys) return at;
    at.tokens.weights.resize(tokens.count());
    for (std::size_t b = 0; b + 1 < tokens.offsets.size(); ++b) {
      double sum = 0;
      for (Index i = tokens.offsets[b]; i < tokens.offsets[b + 1]; ++i) sum += std::exp(tokens.coordinates(i, 2));
      for (Index i = tokens.offsets[b]; i < tokens.offsets[b + 1]; ++i)
        at.tokens.weights[i] = std::exp(tokens.coordinates(i, 2)) / sum;
    }
    return at;
  }

  learning::TokenPairs pairs_of_pass(const Tokens& tokens) const {
    return locality_ ? learning::TokenPairs::listed(neighbours_of(tokens, *locality_))
                     : learning::TokenPairs::symmetric(tokens.offsets);
  }

  Float pooled(Float h, const Tokens& tokens, Float* scores) const {
    const learning::Offsets offsets(tokens.offsets);
    if (settings_.pooling == Pooling::sum) return scale(sum_of_sets(h, offsets), kSumShare);
    if (settings_.pooling == Pooling::mean && !settings_.weighted_keys) return mean_of_sets(h, offsets);
    if (settings_.pooling == Pooling::mean) {
      const Float shares = h.tape().constant(tokens.count(), 1);
      std::transform(tokens.weights.begin(), tokens.weights.end(), shares.data(),
                     [](double z) { return static_cast<float>(z); });
      return sum_of_sets(multiply_column(h, shares), offsets);
    }
    const learning::AttentionCall<float>* call = nullptr;
    Float answer = class_token_->rows(h.tape(), tokens.sets());
    for (const auto& block : class_blocks_) answer = block.class_attention(answer, h, tokens, scores ? &call : nullptr);
    if (scores) *scores = log_weights(h.tape(), *call, tokens);
    return answer;
  }

  /// The log of how much each constituent is attended to, mean over heads.
  Float log_weights(Tape<float>& tape, const learning::AttentionCall<float>& call, const Tokens& tokens) const {
    const Float scores = tape.constant(tokens.count(), 1);
    for (Index b = 0; b < tokens.sets(); ++b) {
      const Index first = tokens.offsets[b], count = tokens.offsets[b + 1] - first;
      Vector<float> sum = Vector<float>::Zero(count);
      for (Index head = 0; head < settings_.heads; ++head)
        sum += learning::attention_weights(call, head, {b}).row(0).segment(first + b + 1, count).transpose();
      for (Index i = 0; i < count; ++i)
        scores.data()[first + i] = logarithm(std::max(sum[i] / static_cast<float>(settings_.heads), kLeastWeight));
    }
    return scores;
  }

  /// While it learns, each jet is mirrored in both directions and turned about its axis at random: the first two inputs
  /// are its constituents' directions. Each jet and pass has its own numbers.
  Float moved(Tape<float>& tape, const study::Batch& batch) const {
    if (!tape.pass().training || !(settings_.mirrors || settings_.turns)) return batch.x;
    const Random random = tape.pass().random.stream("mirrors and turns");
    const Float x = tape.constant(batch.x.rows(), batch.x.columns());
    std::copy_n(batch.x.data(), batch.x.size(), x.data());
    for (std::size_t b = 0; b < batch.items.size(); ++b) {
      const auto jet = static_cast<std::uint64_t>(batch.items[b]);
      const std::uint64_t bits = settings_.mirrors ? random.bits(jet, 2 * tape.pass().step) : 0;
      const double angle = settings_.turns ? 2 * std::numbers::pi * random.uniform(jet, 2 * tape.pass().step + 1) : 0;
      const auto cosine = static_cast<float>(std::cos(angle)), sine = static_cast<float>(std::sin(angle));
      for (Index i = batch.tokens->offsets[b]; i < batch.tokens->offsets[b + 1]; ++i) {
        float* const row = x.data() + i * x.columns();
        const float u = (bits & 1U) != 0 ? -row[0] : row[0], v = (bits & 2U) != 0 ? -row[1] : row[1];
        row[0] = cosine * u - sine * v, row[1] = sine * u + cosine * v;
      }
    }
    return x;
  }

  bool per_token_;
  TaggerSettings settings_;
  std::optional<learning::Neighbourhood> locality_;
  PartSizes part_;
  ConstituentEmbedding embed_;
  std::vector<learning::TransformerBlock<float>> blocks_;
  std::optional<learning::PairNetwork<float>> pair_network_;
  std::optional<learning::ClassToken<float>> class_token_;
  std::vector<learning::TransformerBlock<float>> class_blocks_;
  learning::Norm<float> norm_;
  std::optional<learning::Linear<float>> hidden_;
  learning::Linear<float> answer_;
};

}  // namespace

std::unique_ptr<Tagger> make_tagger(const TaggerSettings& settings, const study::ModelShape& shape,
                                    learning::Parameters<float>& parameters, const Random& random) {
  return std::make_unique<AnyTagger>(settings, shape, parameters, random);
}

}  // namespace fovea::particle::model
