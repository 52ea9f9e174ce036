#include "fovea/domains/particle/event/event_model.hpp"

#include <array>
#include <cmath>
#include <numbers>
#include <vector>

#include "fovea/core/learning/layers/linear.hpp"
#include "fovea/core/learning/neighbourhood.hpp"
#include "fovea/core/learning/operations.hpp"
#include "fovea/core/learning/pairs/token_pairs.hpp"
#include "fovea/datasets/particles/momentum.hpp"
#include "fovea/domains/particle/model/tagger_model.hpp"

namespace fovea::particle::event {

namespace {

using Float = learning::Variable<float>;

constexpr Index kPairNumbers = 3, kHidden = 16;
constexpr double kSmooth = 0.02;  // of ln dR: two photons of a pion are that far apart

/// What a pass knows of its pairs, kept by the tape until its backward pass.
struct PairsOfPass {
  learning::Tokens tokens;
  std::vector<Index> queries, keys;
};

class TotalWeights {
 public:
  TotalWeights(Index inputs, Index heads, double radius, learning::Parameters<float>& parameters, const Random& random)
      : radius_(radius),
        key_hidden_(parameters, "totals.key.1", inputs, kHidden, random.stream("key 1")),
        key_(parameters, "totals.key.2", kHidden, heads, random.stream("key 2")),
        pair_hidden_(parameters, "totals.pair.1", kPairNumbers, kHidden, random.stream("pair 1")),
        pair_(parameters, "totals.pair.2", kHidden, heads, random.stream("pair 2")) {}

  Float operator()(Float x, const learning::Tokens& tokens) const {
    PairsOfPass& pass = x.tape().kept<PairsOfPass>();
    list_pairs(tokens, pass);
    const Float key = key_(gelu(key_hidden_(x)));
    const Float pair = pair_(gelu(pair_hidden_(numbers_of_pairs(x.tape(), pass))));
    const Float weights = exp(add(gather_rows(key, pass.keys), pair));
    const Float totals = log(scale(scatter_rows(weights, pass.queries, tokens.count()), 1.0F, 1.0F));
    const learning::Offsets offsets(pass.tokens.offsets);
    return subtract(totals, spread_over_sets(mean_of_sets(totals, offsets), offsets));
  }

 private:
  void list_pairs(const learning::Tokens& tokens, PairsOfPass& pass) const {
    pass.tokens.offsets = tokens.offsets;
    pass.tokens.coordinates = tokens.coordinates.leftCols(2);
    pass.tokens.periods = {0, 2 * std::numbers::pi};
    const auto listed = learning::TokenPairs::listed(neighbours_of(pass.tokens, {radius_, 0, true}));
    std::vector<learning::TokenPair> pairs(listed.rows());
    listed.read(0, pairs);
    pass.queries.clear(), pass.keys.clear();
    for (const learning::TokenPair& pair : pairs) pass.queries.push_back(pair.first), pass.keys.push_back(pair.second);
  }

  Float numbers_of_pairs(learning::Tape<float>& tape, const PairsOfPass& pass) const {
    const Float numbers = tape.constant(static_cast<Index>(pass.keys.size()), kPairNumbers);
    const Matrix<double>& at = pass.tokens.coordinates;
    for (std::size_t k = 0; k < pass.keys.size(); ++k) {
      const Index i = pass.queries[k], j = pass.keys[k];
      const double r = datasets::particles::delta_r(at(i, 0), at(i, 1), at(j, 0), at(j, 1));
      float* const row = numbers.data() + static_cast<Index>(k) * kPairNumbers;
      row[0] = static_cast<float>(r / radius_);
      row[1] = static_cast<float>(std::log(r + kSmooth) + 1);
      row[2] = i == j ? 1.0F : 0.0F;
    }
    return numbers;
  }

  double radius_;
  learning::Linear<float> key_hidden_, key_, pair_hidden_, pair_;
};

class EventModel final : public study::StudyModel {
 public:
  EventModel(const TotalSettings& totals, const model::TaggerSettings& tagger, study::ModelShape shape,
             learning::Parameters<float>& parameters, const Random& random)
      : totals_(shape.inputs, totals.heads, totals.radius, parameters, random.stream("totals")) {
    shape.inputs += totals.heads;
    tagger_ = model::make_tagger(tagger, shape, parameters, random);
  }

  void look(learning::Parameters<float>& parameters, const study::TrainingPart& training,
            const study::BatchMaker& batch) const override {
    tagger_->look(parameters, training, batch);
  }

  Float outputs(learning::Tape<float>& tape, const study::Batch& batch, Float* scores) const override {
    const std::array<Float, 2> columns{batch.x, totals_(batch.x, *batch.tokens)};
    study::Batch wider = batch;
    wider.x = join_columns<float>(columns);
    return tagger_->outputs(tape, wider, scores);
  }

 private:
  TotalWeights totals_;
  std::unique_ptr<model::Tagger> tagger_;
};

}  // namespace

const Keys<TotalSettings>& total_keys() {
  static const auto keys =
      Keys<TotalSettings>()
          .key("totals.heads", &TotalSettings::heads, Range::between(0, 64), "",
               "heads whose total weight of near particles is an input of each particle; 0: none, attention alone")
          .key("totals.radius", &TotalSettings::radius, Range::positive(), "",
               "dR within which particles count for these totals");
  return keys;
}

std::unique_ptr<study::StudyModel> make_event_model(const TotalSettings& totals, const model::TaggerSettings& tagger,
                                                    const study::ModelShape& shape,
                                                    learning::Parameters<float>& parameters, const Random& random) {
  if (totals.heads == 0) return model::make_tagger(tagger, shape, parameters, random);
  return std::make_unique<EventModel>(totals, tagger, shape, parameters, random);
}

}  // namespace fovea::particle::event
