#include "fovea/core/study/model/set_model.hpp"

#include <algorithm>
#include <optional>
#include <vector>

#include "fovea/core/base/error.hpp"
#include "fovea/core/kernels/exponential.hpp"
#include "fovea/core/learning/layers/class_token.hpp"
#include "fovea/core/learning/layers/configured_modifiers.hpp"
#include "fovea/core/learning/layers/initial.hpp"
#include "fovea/core/learning/layers/linear.hpp"
#include "fovea/core/learning/layers/norm.hpp"
#include "fovea/core/learning/layers/transformer_block.hpp"
#include "fovea/core/learning/operations.hpp"

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

class SetModel : public StudyModel {
 public:
  SetModel(const Config& config, const ModelShape& shape, learning::Parameters<float>& parameters, const Random& random)
      : level_(shape.level),
        heads_(config.integer("model.heads")),
        embed_(parameters, "embed", shape.inputs, config.integer("model.width"), random.stream("embed")),
        class_token_(parameters, "class", config.integer("model.width"), random.stream("class token")),
        norm_(parameters, "norm", config.integer("model.width")),
        answer_(parameters, "answer", config.integer("model.width"), shape.outputs, random.stream("answer")) {
    const Index width = config.integer("model.width"), kinds = static_cast<Index>(shape.classes.size());
    if (kinds > 0)
      kinds_ = parameters.add("kinds.rows", learning::normal_start<float>(kinds, width, 0.1, random, "kinds.rows"),
                              learning::Decay::no);
    learning::BlockSettings<float> settings;
    settings.attention.width = config.integer("model.width");
    settings.attention.heads = heads_;
    settings.attention.modifiers =
        learning::modifiers_of<float>(config, "model.modifiers", {heads_, shape.times, shape.coordinates});
    settings.dropout = config.real("model.dropout");
    for (Index k = 0; k < config.integer("model.blocks"); ++k)
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

void declare_set_model(Schema& schema) {
  schema.integer("model.width", 32, Range::between(1, 1024), "", "columns of a token's representation in the model");
  schema.integer("model.heads", 4, Range::between(1, 64), "", "attention heads; must divide the width");
  schema.integer("model.blocks", 1, Range::between(1, 16), "", "Transformer blocks");
  schema.real("model.dropout", 0.1, Range::between(0, 0.9), "", "dropout rate during training");
  learning::declare_modifiers(schema, "model.modifiers");
}

void check_set_model(const Config& config, Complaints& complaints) {
  if (config.integer("model.width") % config.integer("model.heads") != 0)
    complaints.add(config.source("model.heads"),
                   concat("model.heads must divide model.width, which is ", config.integer("model.width"), "."));
}

std::unique_ptr<StudyModel> make_set_model(const Config& config, const ModelShape& shape,
                                           learning::Parameters<float>& parameters, const Random& random) {
  return std::make_unique<SetModel>(config, shape, parameters, random);
}

}  // namespace fovea::study
