#include "fovea/domains/particle/model/tagger_model.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>
#include <vector>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/words.hpp"
#include "fovea/core/kernels/exponential.hpp"
#include "fovea/core/lab/directory/machine.hpp"
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

enum class Pooling { class_token, mean, sum };

Pooling pooling_of(const Config& config) {
  const std::string& name = config.text("model.pooling");
  return name == "class" ? Pooling::class_token : name == "mean" ? Pooling::mean : Pooling::sum;
}

PairSet pairs_of(const Config& config) {
  const std::string& name = config.text("model.pair_bias");
  return name == "none"        ? PairSet::none
         : name == "standard"  ? PairSet::standard
         : name == "published" ? PairSet::published
         : name == "smooth"    ? PairSet::smooth
                               : PairSet::bare;
}

learning::BlockSettings<float> block_settings(const Config& config) {
  learning::BlockSettings<float> settings;
  settings.attention.width = config.integer("model.width");
  settings.attention.heads = config.integer("model.heads");
  settings.hidden = config.integer("model.hidden");
  settings.dropout = config.real("model.dropout");
  settings.norm_of_attention = settings.norm_of_hidden = settings.gain_of_residual = has_shape_of_part(config);
  settings.norm_of_query = !has_shape_of_part(config);
  return settings;
}

/// What comes behind masks and biases of a block: scores are capped before keys are weighted, so that the cap bounds
/// how much harder than at others a query can look at a key, whatever its pT.
void add_cap_and_weights(const Config& config, std::vector<learning::ModifierOfLayer<float>>& modifiers) {
  if (const double cap = config.real("model.score_cap"); cap > 0) {
    modifiers.push_back(
        learning::same_for_all<float>("score_cap", soft_cap<float>(), {static_cast<float>(std::log(cap))}));
    modifiers.back().learned = false;
  }
  if (config.flag("model.weighted_keys")) modifiers.push_back(learning::weights_of_tokens<float>());
}

/// Of the blocks in which the class token attends.
learning::BlockSettings<float> class_settings(const Config& config) {
  learning::BlockSettings<float> settings = block_settings(config);
  add_cap_and_weights(config, settings.attention.modifiers);
  return settings;
}

/// Of the blocks over the constituents: with their masks and biases.
learning::BlockSettings<float> constituent_settings(const Config& config) {
  learning::BlockSettings<float> settings = block_settings(config);
  const auto locality = locality_of(config);
  const bool biased = pairs_of(config) != PairSet::none;
  auto& modifiers = settings.attention.modifiers;
  if (locality)
    modifiers.push_back(biased ? learning::listed_bias_of_pass<float>(*locality)
                               : learning::neighbours_alone<float>(*locality));
  else if (biased)
    modifiers.push_back(learning::pair_bias_of_pass<float>());
  add_cap_and_weights(config, modifiers);
  return settings;
}

std::optional<learning::PairNetwork<float>> pair_network_of(const Config& config,
                                                            learning::Parameters<float>& parameters,
                                                            const Random& random) {
  if (pairs_of(config) == PairSet::none) return std::nullopt;
  learning::PairNetworkSettings<float> settings;
  settings.features = feature_count(pairs_of(config));
  settings.heads = config.integer("model.heads");
  settings.hidden.clear();
  for (const std::int64_t width : config.integers("model.pair_hidden")) settings.hidden.push_back(width);
  settings.affine = learning::PairAffine::inputs;
  return learning::PairNetwork<float>(parameters, "pairs", settings, random.stream("pairs"));
}

/// The layer before the last; the Particle Transformer has none.
std::optional<learning::Linear<float>> hidden_of_answer(const Config& config, learning::Parameters<float>& parameters,
                                                        const Random& random) {
  if (has_shape_of_part(config)) return std::nullopt;
  const Index width = config.integer("model.width");
  return learning::Linear<float>(parameters, "answer.1", width, width, random.stream("answer 1"));
}

/// What a pass knows of where the constituents lie, kept by the tape.
struct PlacesOfPass {
  Tokens tokens;
  PairPlaces places;
};

class TaggerOfConfig final : public Tagger {
 public:
  TaggerOfConfig(const Config& config, const study::ModelShape& shape, learning::Parameters<float>& parameters,
                 const Random& random)
      : per_token_(shape.level == study::TargetLevel::per_token),
        pooling_(pooling_of(config)),
        pairs_(pairs_of(config)),
        locality_(locality_of(config)),
        weighted_(config.flag("model.weighted_keys")),
        heads_(config.integer("model.heads")),
        mirrors_(config.flag("training.mirrors")),
        turns_(config.flag("training.turns")),
        decorrelation_(static_cast<float>(config.real("training.decorrelation"))),
        weights_(config.text("model.weights")),
        part_(part_sizes(config)),
        embed_(config, shape.inputs, parameters, random),
        pair_network_(pair_network_of(config, parameters, random)),
        norm_(parameters, "norm", config.integer("model.width")),
        hidden_(hidden_of_answer(config, parameters, random)),
        answer_(parameters, "answer.2", config.integer("model.width"), shape.outputs, random.stream("answer 2")) {
    for (Index k = 0; k < config.integer("model.blocks"); ++k)
      blocks_.emplace_back(parameters, concat("block_", k + 1), constituent_settings(config),
                           random.stream(concat("block ", k + 1)));
    if (per_token_) part_.class_blocks = 0;
    if (per_token_ || pooling_ != Pooling::class_token) return;
    class_token_.emplace(parameters, "class", config.integer("model.width"), random.stream("class token"));
    for (Index k = 0; k < config.integer("model.class_blocks"); ++k)
      class_blocks_.emplace_back(parameters, k == 0 ? "class" : concat("class_", k + 1), class_settings(config),
                                 random.stream(k == 0 ? "class block" : concat("class block ", k + 1)));
  }

  /// Weights from a file, before it learns.
  void look(learning::Parameters<float>& parameters, std::span<const Index>, const study::BatchMaker&) const override {
    if (weights_.empty()) return;
    const learning::TensorFile file = learning::read_safetensors(weights_);
    part_.width > 0 ? load_part_weights(file, weights_, part_, parameters)
                    : learning::load_tensors(file, weights_, parameters);
  }

  bool has_penalty() const override { return decorrelation_ > 0; }
  Float penalty(const study::Batch& batch, Float outputs, std::span<const Index> classes,
                std::span<const float> weights) const override {
    return mass_penalty(outputs, *batch.tokens, classes, weights, decorrelation_);
  }

  bool has_weights() const override { return !per_token_ && pooling_ == Pooling::class_token; }

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
    const Float bias = (*pair_network_)(tape, pairs, {feature_count(pairs_), pair_fill(pairs_, at.places)});
    Matrix<float> biases(heads_, at.tokens.sets());
    for (Index head = 0; head < heads_; ++head)
      for (Index b = 0; b < biases.cols(); ++b) biases(head, b) = bias.data()[head * pairs.entries() + 4 * b + 1];
    return biases;
  }

 private:
  Float answered(Tape<float>& tape, const study::Batch& batch, Float* scores, Calls* calls) const {
    const PlacesOfPass& at = placed(tape, *batch.tokens);
    std::vector<Float> bias;
    if (pair_network_)
      bias.push_back(
          (*pair_network_)(tape, pairs_of_pass(at.tokens), {feature_count(pairs_), pair_fill(pairs_, at.places)}));
    const Tape<float>::Mark mark = tape.mark();
    Float h = tape.forget(mark, embedded(moved(tape, batch)));
    for (const auto& block : blocks_) h = block(h, at.tokens, bias, calls ? &calls->emplace_back() : nullptr);
    const Float answered = norm_(per_token_ ? h : pooled(h, at.tokens, scores));
    return answer_(hidden_ ? gelu((*hidden_)(answered)) : answered);
  }

  /// Where wide ones learn nothing, some rows at a time, so that their hidden values stay in the second cache.
  Float embedded(Float x) const {
    if (part_.width == 0 || x.tape().learns() || x.learns()) return embed_(x);
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
    if (!weighted_) return at;
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
    if (pooling_ == Pooling::sum) return scale(sum_of_sets(h, offsets), kSumShare);
    if (pooling_ == Pooling::mean && !weighted_) return mean_of_sets(h, offsets);
    if (pooling_ == Pooling::mean) {
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
      for (Index head = 0; head < heads_; ++head)
        sum += learning::attention_weights(call, head, {b}).row(0).segment(first + b + 1, count).transpose();
      for (Index i = 0; i < count; ++i)
        scores.data()[first + i] = logarithm(std::max(sum[i] / static_cast<float>(heads_), kLeastWeight));
    }
    return scores;
  }

  /// While it learns, each jet is mirrored in both directions and turned about its axis at random: the first two inputs
  /// are its constituents' directions. Each jet and pass has its own numbers.
  Float moved(Tape<float>& tape, const study::Batch& batch) const {
    if (!tape.pass().training || !(mirrors_ || turns_)) return batch.x;
    const Random random = tape.pass().random.stream("mirrors and turns");
    const Float x = tape.constant(batch.x.rows(), batch.x.columns());
    std::copy_n(batch.x.data(), batch.x.size(), x.data());
    for (std::size_t b = 0; b < batch.items.size(); ++b) {
      const auto jet = static_cast<std::uint64_t>(batch.items[b]);
      const std::uint64_t bits = mirrors_ ? random.bits(jet, 2 * tape.pass().step) : 0;
      const double angle = turns_ ? 2 * std::numbers::pi * random.uniform(jet, 2 * tape.pass().step + 1) : 0;
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
  Pooling pooling_;
  PairSet pairs_;
  std::optional<learning::Neighbourhood> locality_;
  bool weighted_;
  Index heads_;
  bool mirrors_, turns_;
  float decorrelation_;
  std::string weights_;
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

std::optional<learning::Neighbourhood> locality_of(const Config& config) {
  const std::string& name = config.text("locality.mask");
  if (name == "radius") return learning::Neighbourhood{config.real("locality.radius"), 0, true};
  if (name == "nearest") return learning::Neighbourhood{0, config.integer("locality.neighbours"), true};
  return std::nullopt;
}

void check_pairs_fit(const Config& config, const std::string& whose, Index particles) {
  constexpr Index kAlwaysFit = 4096;
  if (particles <= kAlwaysFit || pairs_of(config) == PairSet::none || locality_of(config)) return;
  const double memory = static_cast<double>(machine().memory_bytes), count = static_cast<double>(particles);
  const double of_pair = static_cast<double>(config.integer("model.heads")) * sizeof(float);
  if (memory <= 0 || count * count * of_pair < memory / 2) return;
  throw DataError(concat(whose, " has ", particles, " particles, and the biases of all its pairs would take ",
                         plain_text(count * count * of_pair * 1e-9), " GB; at most ",
                         static_cast<Index>(std::sqrt(memory / 2 / of_pair)),
                         " fit into half of this machine's memory. ",
                         "Leave it out, or train a model with locality.mask = \"nearest\" or \"radius\"."));
}

void declare_tagger(Schema& schema) {
  schema.choice("model.shape", "tagger", {"tagger", "part"},
                "the equations of domains/particle/README.md, or those of the Particle Transformer, with norms within "
                "every part");
  schema.integers("model.embedding_hidden", {128, 512}, Range::between(1, 4096), "",
                  "of the shape \"part\": hidden widths of the embedding of a constituent");
  schema.integer("model.class_blocks", 1, Range::between(1, 16), "", "blocks in which the class token attends");
  schema.file("model.weights",
              "weights to start from (SafeTensors): of the shape \"part\" under the names of the published Particle "
              "Transformer, else under ours");
  schema.integer("model.width", 32, Range::between(1, 1024), "", "columns of a constituent's representation");
  schema.integer("model.heads", 4, Range::between(1, 64), "", "attention heads; must divide the width");
  schema.integer("model.blocks", 2, Range::between(0, 16), "", "Transformer blocks over the constituents");
  schema.integer("model.hidden", 64, Range::between(1, 4096), "", "columns of the feed-forward part of a block");
  schema.real("model.dropout", 0, Range::between(0, 0.9), "", "dropout rate during training");
  schema.choice("model.pooling", "class", {"class", "mean", "sum"},
                "pooling of constituents to a jet: a class token that attends to them, their mean, or their sum");
  schema.choice(
      "model.pair_bias", "none", {"none", "standard", "published", "smooth", "bare"},
      "bias of the scores of each pair: none, of ln dR, ln kT, ln z and ln m^2 with dR at least 1e-5, of the same with "
      "any dR as published weights learned it, of r and ln r with r^2 = dR^2 + 0.01^2, or of ln dR alone");
  schema.integers("model.pair_hidden", {16}, Range::between(1, 512), "", "hidden widths of the network of pairs");
  schema.flag("model.weighted_keys", false, "whether attention weighs a constituent by its share of the jet's pT");
  schema.real("model.score_cap", 0, Range::at_least(0), "",
              "c: a score with its bias s becomes c tanh(s / c), so that no key has more than exp(2 c) times the "
              "weight of another; 0: no cap");
  schema.choice(
      "locality.mask", "none", {"none", "radius", "nearest"},
      "constituents that a constituent attends to, besides itself: all, those within a radius, or the nearest");
  schema.real("locality.radius", 0.4, Range::positive(), "", "dR within which constituents attend to each other");
  schema.integer("locality.neighbours", 16, Range::between(1, 1e6), "",
                 "number of nearest constituents that each attends to, itself included");
  schema.flag("training.mirrors", true, "whether training jets are mirrored at random in both directions");
  schema.flag("training.turns", false, "whether training jets are rotated at random about their axis");
  schema
      .real("training.decorrelation", 0, Range::at_least(0), "",
            "penalty on the dependence of the score of background jets on their mass: this many times their squared "
            "distance correlation within a batch is added to the loss; 0: none")
      .added_later();
}

void check_model(const Config& config, Complaints& complaints) {
  if (config.integer("model.width") % config.integer("model.heads") != 0)
    complaints.add(config.source("model.heads"),
                   concat("model.heads must divide model.width, which is ", config.integer("model.width"), "."));
  if (config.flag("model.weighted_keys") && config.text("model.pooling") == "sum")
    complaints.add(config.source("model.pooling"),
                   "model.pooling = \"sum\" counts constituents, which model.weighted_keys does by their pT; use "
                   "\"class\" or \"mean\".");
  if (!config.text("model.weights").empty() && has_shape_of_part(config) && !has_names_of_part(config))
    complaints.add(config.source("model.weights"),
                   "model.weights of the shape \"part\" are those of the Particle Transformer, which has model.pooling "
                   "= \"class\" and model.pair_bias = \"published\", \"standard\" or \"none\".");
}

void check_tagger(const Config& config, Complaints& complaints) {
  check_model(config, complaints);
  if (config.text("inputs.set") == "directions" && !config.flag("model.weighted_keys"))
    complaints.add(config.source("inputs.set"),
                   "inputs.set = \"directions\" leaves out every pT; set model.weighted_keys = true as well.");
}

std::unique_ptr<Tagger> make_tagger(const Config& config, const study::ModelShape& shape,
                                    learning::Parameters<float>& parameters, const Random& random) {
  return std::make_unique<TaggerOfConfig>(config, shape, parameters, random);
}

}  // namespace fovea::particle::model
