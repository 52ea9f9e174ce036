#include "fovea/domains/mechanism/tasks/translator.hpp"

#include <algorithm>
#include <numeric>

#include "fovea/core/attention/modifiers.hpp"
#include "fovea/core/attention/normalizers.hpp"
#include "fovea/core/attention/scores.hpp"
#include "fovea/core/learning/layers/initial.hpp"
#include "fovea/core/learning/operations.hpp"

namespace fovea::mechanism::tasks {

namespace {

learning::BlockSettings<float> block_settings(const TranslatorSettings& settings, bool masked) {
  learning::BlockSettings<float> block;
  block.attention.width = settings.width;
  block.attention.heads = settings.heads;
  if (masked) block.attention.modifiers = {learning::same_for_all<float>("causal", causal<float>())};
  block.hidden = settings.hidden;
  return block;
}

/// Every projection as in Glorot & Bengio 2010.
Matrix<float> score_start(const TranslatorSettings& settings, const Random& random) {
  const Index d = settings.width;
  if (settings.score == CrossScore::general)
    return learning::glorot_start<float>(d, d, random, "general").reshaped<Eigen::RowMajor>(1, d * d);
  Matrix<float> theta(1, 2 * d * d + d);
  theta << learning::glorot_start<float>(d, d, random, "query").reshaped<Eigen::RowMajor>(1, d * d),
      learning::glorot_start<float>(d, d, random, "key").reshaped<Eigen::RowMajor>(1, d * d),
      learning::glorot_start<float>(1, d, random, "sum");
  return theta;
}

std::shared_ptr<const ScoreFunction<float>> score_function(const TranslatorSettings& settings) {
  if (settings.score == CrossScore::additive) return additive_score<float>(settings.width);
  if (settings.score == CrossScore::general) return general_score<float>();
  return dot_product_score<float>();
}

}  // namespace

Translator::Translator(learning::Parameters<float>& parameters, const TranslatorSettings& settings,
                       const Random& random)
    : settings_(settings),
      source_words_(parameters.add(
          "source_words", learning::normal_start<float>(settings.words, settings.width, 1, random, "source_words"))),
      target_words_(parameters.add("target_words", learning::normal_start<float>(settings.words + 1, settings.width, 1,
                                                                                 random, "target_words"))),
      encoder_(parameters, "encoder", block_settings(settings, false), random),
      decoder_(parameters, "decoder", block_settings(settings, true), random),
      encoder_norm_(parameters, "encoder_norm", settings.width),
      decoder_norm_(parameters, "decoder_norm", settings.width),
      output_norm_(parameters, "output_norm", settings.width),
      value_(parameters, "cross.value", settings.width, settings.width, random),
      logits_(parameters, "logits", settings.width, settings.words, random) {
  if (settings.score == CrossScore::scaled_dot) {
    query_.emplace(parameters, "cross.query", settings.width, settings.width, random);
    key_.emplace(parameters, "cross.key", settings.width, settings.width, random);
  } else {
    score_theta_ = parameters.add("cross.score", score_start(settings, random.stream("cross.score")));
  }
}

learning::Variable<float> Translator::cross(learning::Variable<float> queries, const learning::Tokens& query_tokens,
                                            learning::Variable<float> keys, learning::Variable<float> values,
                                            const learning::Tokens& key_tokens,
                                            const learning::AttentionCall<float>** call) const {
  learning::Tape<float>& tape = queries.tape();
  auto& spec = tape.kept<AttentionSpec<float>>();
  spec.score.function = score_function(settings_);
  spec.heads = 1;
  spec.normalizer = settings_.weights == CrossWeights::hard ? hard_attention<float>() : nullptr;
  spec.query_offsets = query_tokens.offsets;
  spec.key_offsets = key_tokens.offsets;
  if (score_theta_.size() == 0) return learning::attention<float>({queries, keys, values}, spec, call);
  const learning::Variable<float> theta = tape.parameter(score_theta_);
  return learning::attention<float>({queries, keys, values, &theta}, spec, call);
}

Translator::Parts Translator::parts(learning::Tape<float>& tape, const std::vector<SentencePair>& corpus,
                                    std::span<const Index> sentences) const {
  auto& tokens = tape.kept<learning::Tokens>();  // the translation has as many words as the sentence
  auto& source = tape.kept<std::vector<Index>>();
  auto& before = tape.kept<std::vector<Index>>();
  tokens.offsets.assign(1, 0);
  source.clear();
  before.clear();
  for (const Index s : sentences) {
    const SentencePair& pair = corpus[s];
    source.insert(source.end(), pair.source.begin(), pair.source.end());
    before.push_back(settings_.words);  // the start of a sentence
    before.insert(before.end(), pair.target.begin(), pair.target.end() - 1);
    tokens.offsets.push_back(static_cast<Index>(source.size()));
  }
  const learning::SinusoidalPositions<float> positions(settings_.position_base);
  const auto words = gather_rows(tape.parameter(source_words_), source);
  const auto encoded = encoder_norm_(encoder_(positions(words, tokens), tokens));
  const auto so_far = gather_rows(tape.parameter(target_words_), before);
  const auto decoded = decoder_(positions(so_far, tokens), tokens);
  const auto state = decoder_norm_(decoded);
  const auto queries = query_ ? (*query_)(state) : state;
  const auto keys = key_ ? (*key_)(encoded) : encoded;
  const auto values = value_(settings_.values == CrossValues::words ? words : encoded);
  const learning::AttentionCall<float>* call = nullptr;
  const auto context = cross(queries, tokens, keys, values, tokens, &call);
  return {logits_(output_norm_(add(state, context))), queries, keys, call};
}

namespace {

Index largest_place(const float* row, Index count) {
  return static_cast<Index>(std::max_element(row, row + count) - row);
}

}  // namespace

Translation translate(const learning::Parameters<float>& parameters, const Translator& translator,
                      const std::vector<SentencePair>& corpus) {
  constexpr std::size_t kTogether = 64;
  std::vector<Index> all(corpus.size());
  std::iota(all.begin(), all.end(), Index(0));
  Translation result;
  learning::Tape<float> tape;
  double words = 0, right = 0;
  for (std::size_t from = 0; from < all.size(); from += kTogether) {
    const std::span<const Index> some =
        std::span<const Index>(all).subspan(from, std::min(kTogether, all.size() - from));
    tape.begin(&parameters, {});
    const Translator::Parts parts = translator.parts(tape, corpus, some);
    const auto top =
        attention_top<float>(parts.queries.value(), parts.keys.value(), parts.call->spec, parts.call->result, 0, 1);
    Index row = 0;
    for (const Index s : some) {
      const Index first = row;  // keys are numbered through the batch; the sets of both sides are alike
      std::vector<Index> links;
      for (const Index word : corpus[s].target) {
        links.push_back(top.keys(row, 0) - first);
        right += largest_place(parts.logits.value().row(row).data(), parts.logits.columns()) == word ? 1 : 0;
        ++words;
        ++row;
      }
      result.links.push_back(links);
    }
  }
  result.token_accuracy = right / words;
  return result;
}

Matrix<float> cross_weights(const learning::Parameters<float>& parameters, const Translator& translator,
                            const SentencePair& sentence) {
  learning::Tape<float> tape;
  tape.begin(&parameters, {});
  const std::vector<Index> only{0};
  const Translator::Parts parts = translator.parts(tape, {sentence}, only);
  std::vector<Index> rows(sentence.target.size());
  std::iota(rows.begin(), rows.end(), Index(0));
  return attention_weights<float>(parts.queries.value(), parts.keys.value(), parts.call->spec, parts.call->result, 0,
                                  rows);
}

}  // namespace fovea::mechanism::tasks
