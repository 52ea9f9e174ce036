#pragma once
/// An encoder-decoder with cross-attention: for the experiment "mechanism.alignment".
///
/// encoder: embedding, positions, a Transformer block; decoder: the same over the words so far, behind a causal mask
/// (Vaswani et al. 2017); then one head of cross-attention with any score and normaliser, whose result is added to the
/// decoder's state, and the next word's logits.

#include <memory>
#include <optional>
#include <span>

#include "fovea/core/learning/layers/positions.hpp"
#include "fovea/core/learning/layers/transformer_block.hpp"
#include "fovea/domains/mechanism/tasks/alignment_task.hpp"
#include "fovea/domains/mechanism/tasks/word_block.hpp"

namespace fovea::mechanism::tasks {

/// How a target word's query and a source word's key are compared.
enum class CrossScore {
  additive,    ///< w . tanh(q Q + k K) (Bahdanau, Cho, Bengio 2015)
  general,     ///< q W k (Luong, Pham, Manning 2015)
  scaled_dot,  ///< (q Q) . (k K) / sqrt(d) (Vaswani et al. 2017)
};
enum class CrossWeights { soft, hard };  ///< softmax, or 1 for the largest (learning straight through)
enum class CrossValues {
  words,   ///< the source words' embeddings: what is looked at is what is translated
  states,  ///< the encoder's states, which know their neighbours
};

struct TranslatorSettings : WordBlock {
  CrossScore score = CrossScore::scaled_dot;
  CrossWeights weights = CrossWeights::soft;
  CrossValues values = CrossValues::words;
};

class Translator {
 public:
  Translator(learning::Parameters<float>& parameters, const TranslatorSettings& settings, const Random& random);

  /// Of some sentences, their target words known up to the one that is next: one row for each target word.
  struct Parts {
    learning::Variable<float> logits, queries, keys;
    const learning::AttentionCall<float>* call = nullptr;  ///< of the cross-attention
  };
  Parts parts(learning::Tape<float>& tape, const std::vector<SentencePair>& corpus,
              std::span<const Index> sentences) const;

 private:
  learning::Variable<float> cross(learning::Variable<float> queries, const learning::Tokens& query_tokens,
                                  learning::Variable<float> keys, learning::Variable<float> values,
                                  const learning::Tokens& key_tokens,
                                  const learning::AttentionCall<float>** call) const;

  TranslatorSettings settings_;
  learning::ParameterPlace source_words_, target_words_, score_theta_;
  learning::TransformerBlock<float> encoder_, decoder_;
  learning::Norm<float> encoder_norm_, decoder_norm_, output_norm_;
  std::optional<learning::Linear<float>> query_, key_;  ///< of the scaled dot product; the others have their own
  learning::Linear<float> value_, logits_;
};

/// What a translator does with a corpus.
struct Translation {
  double token_accuracy = 0;              ///< share of target words that got the largest logit
  std::vector<std::vector<Index>> links;  ///< of each target word: the source place with the largest weight
};
Translation translate(const learning::Parameters<float>& parameters, const Translator& translator,
                      const std::vector<SentencePair>& corpus);

/// The weights of one sentence's cross-attention: target words x source words.
Matrix<float> cross_weights(const learning::Parameters<float>& parameters, const Translator& translator,
                            const SentencePair& sentence);

}  // namespace fovea::mechanism::tasks
