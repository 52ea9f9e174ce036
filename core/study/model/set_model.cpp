#include "fovea/core/study/model/set_model.hpp"

#include <algorithm>
#include <optional>
#include <vector>

#include "fovea/core/base/error.hpp"
#include "fovea/core/config/keys.hpp"
#include "fovea/core/kernels/exponential.hpp"
#include "fovea/core/learning/layers/class_token.hpp"
#include "fovea/core/learning/layers/configured_modifiers.hpp"
#include "fovea/core/learning/layers/initial.hpp"
#include "fovea/core/learning/layers/linear.hpp"
#include "fovea/core/learning/layers/norm.hpp"
#include "fovea/core/learning/layers/transformer_block.hpp"
#include "fovea/core/learning/operations.hpp"
#include "fovea/core/study/model/shared_keys.hpp"

namespace fovea::study {

namespace {

using learning::Tape;
using Float = learning::Variable<float>;

constexpr float kLeastWeight = 1e-30F;  // of a token that no head looks at

/// How much the class token of each case attends to the case's own tokens in a call, mean over heads: a log weight a
/// token. Rows of the call stand one class token a case further down.
Float log_weights(Tape<float>& tape, const learning::AttentionCall<float>& call, Index heads,
                  const learning::Tokens& tokens) {
  const Float scores = tape.constant(tokens.count(), 1);
  for (Index b = 0; b < tokens.sets(); ++b) {
    const Index first = tokens.offsets[b], count = tokens.offsets[b + 1] - first;
    Vector<float> mean = Vector<float>::Zero(count);
    for (Index head = 0; head < heads; ++head)
      mean += learning::attention_weights(call, head, {first + b}).row(0).segment(first + b + 1, count).transpose();
    for (Index i = 0; i < count; ++i) scores.data()[first + i] = logarithm(std::max(mean[i], kLeastWeight));
  }
  return scores;
}

/// What the keys of the standard model say; modifiers are a list of tables.
struct SetModelSettings {
  Index width = 32, heads = 4, blocks = 1;
  double dropout = 0.1;
};

const Keys<SetModelSettings>& set_model_keys() {
  static const auto keys = Keys<SetModelSettings>()
                               .key(kModelWidth, &SetModelSettings::width)
                               .key(kModelHeads, &SetModelSettings::heads)
                               .key(kModelBlocks, &SetModelSettings::blocks)
                               .key(kModelDropout, &SetModelSettings::dropout)
                               .also([](Schema& schema) { learning::declare_modifiers(schema, "model.modifiers"); });
  return keys;
}

class SetModel : public StudyModel {
 public:
  SetModel(const SetModelSettings& model, std::vector<learning::ModifierOfLayer<float>> modifiers,
           const ModelShape& shape, learning::Parameters<float>& parameters, const Random& random)
      : level_(shape.level),
        heads_(model.heads),
        embed_(parameters, "embed", shape.inputs, model.width, random.stream("embed")),
        class_token_(parameters, "class", model.width, random.stream("class token")),
        norm_(parameters, "norm", model.width),
        answer_(parameters, "answer", model.width, shape.outputs, random.stream("answer")) {
    const Index width = model.width, kinds = static_cast<Index>(shape.classes.size());
    if (kinds > 0)
      kinds_ = parameters.add("kinds.rows", learning::normal_start<float>(kinds, width, 0.1, random, "kinds.rows"),
                              learning::Decay::no);
    learning::BlockSettings<float> settings;
    settings.attention.width = width;
    settings.attention.heads = heads_;
    settings.attention.modifiers = std::move(modifiers);
    settings.dropout = model.dropout;
    for (Index k = 0; k < model.blocks; ++k)
      blocks_.emplace_back(parameters, concat("block_", k + 1), settings, random.stream(concat("block ", k + 1)));
  }

  bool has_weights() const override { return level_ == TargetLevel::per_case; }

  Float outputs(Tape<float>& tape, const Batch& batch, Float* scores) const override {
    require(batch.at.empty(), "set model: cases are asked at ", batch.at.size(),
            " times, but this model can be asked at one alone; give the task a model of its own.");
    Float h = embed_(batch.x);
    if (kinds_) h = learning::add(h, rows_of_kinds(tape, batch));
    if (level_ == TargetLevel::per_token) {
      for (const auto& block : blocks_) h = block(h, *batch.tokens);
      return answer_(norm_(h));
    }
    const auto joined = class_token_(h, *batch.tokens, batch.ends);
    h = joined.x;
    const learning::AttentionCall<float>* call = nullptr;
    for (const auto& block : blocks_) h = block(h, *joined.tokens, &call);
    if (scores) *scores = log_weights(tape, *call, heads_, *batch.tokens);
    return answer_(norm_(class_token_.read(h, *joined.tokens)));
  }

 private:
  Float rows_of_kinds(Tape<float>& tape, const Batch& batch) const {
    Index* const rows = tape.index_room(static_cast<Index>(batch.kinds.size()));
    std::copy(batch.kinds.begin(), batch.kinds.end(), rows);
    return learning::gather_rows(tape.parameter(*kinds_), {rows, batch.kinds.size()});
  }

  TargetLevel level_;
  Index heads_;
  learning::Linear<float> embed_;
  learning::ClassToken<float> class_token_;
  learning::Norm<float> norm_;
  learning::Linear<float> answer_;
  std::optional<learning::ParameterPlace> kinds_;  ///< a row for each class of tokens
  std::vector<learning::TransformerBlock<float>> blocks_;
};

}  // namespace

void declare_set_model(Schema& schema) { set_model_keys().declare(schema); }

void check_set_model(const Config& config, Complaints& complaints) {
  const SetModelSettings model = set_model_keys().read(config);
  if (model.width % model.heads != 0)
    complaints.add(config.source("model.heads"),
                   concat("model.heads must divide model.width, which is ", model.width, "."));
}

std::unique_ptr<StudyModel> make_set_model(const Config& config, const ModelShape& shape,
                                           learning::Parameters<float>& parameters, const Random& random) {
  const SetModelSettings model = set_model_keys().read(config);
  return std::make_unique<SetModel>(
      model, learning::modifiers_of<float>(config, "model.modifiers", {model.heads, shape.times, shape.coordinates}),
      shape, parameters, random);
}

}  // namespace fovea::study
