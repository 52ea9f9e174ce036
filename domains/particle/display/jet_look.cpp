#include "fovea/domains/particle/display/jet_look.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "fovea/core/base/missing.hpp"
#include "fovea/core/learning/explanation.hpp"
#include "fovea/domains/particle/model/one_jet.hpp"

namespace fovea::particle::display {

namespace {

using learning::Tape;
using model::one_jet;
using model::OneJet;
using Float = learning::Variable<float>;

constexpr Index kMostDeleted = 400, kTokensOfLook = 8192;

/// The jet as it is, then once without each of its constituents.
study::Cases deletions_of(const OneJet& jet, Matrix<float>& inputs) {
  const Index count = jet.inputs.rows();
  study::Cases cases;
  std::vector<Index> rows(count);
  std::iota(rows.begin(), rows.end(), Index{0});
  cases.offsets.push_back(count);
  for (Index gone = 0; gone < count && count > 1; ++gone) {
    for (Index i = 0; i < count; ++i)
      if (i != gone) rows.push_back(i);
    cases.offsets.push_back(static_cast<Index>(rows.size()));
  }
  cases.coordinates.resize(static_cast<Index>(rows.size()), jet.tokens.coordinates.cols());
  inputs.resize(static_cast<Index>(rows.size()), jet.inputs.cols());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    cases.coordinates.row(static_cast<Index>(i)) = jet.tokens.coordinates.row(rows[i]);
    inputs.row(static_cast<Index>(i)) = jet.inputs.row(rows[i]);
  }
  return cases;
}

void add_gradient(Tape<float>& tape, const study::Member& member, const OneJet& jet, double share, JetLook& look) {
  const auto gradient = learning::gradient_times_input<float>(
      tape, member.parameters,
      [&](Float x) {
        return member.model->outputs(x.tape(), {x, &jet.tokens}, nullptr);
      },
      jet.inputs);
  for (Index i = 0; i < gradient.size(); ++i) look.gradient[i] += share * static_cast<double>(gradient[i]);
}

/// Shares of the constituents: what the class token keeps for itself is left out.
void add_attention(Tape<float>& tape, const study::Member& member, const OneJet& jet, double share, JetLook& look) {
  std::vector<double> weights = model::attended_logs(tape, member.parameters, *member.model, jet);
  for (double& weight : weights) weight = std::exp(weight);
  const double sum = std::accumulate(weights.begin(), weights.end(), 0.0);
  look.attention.resize(weights.size());
  for (std::size_t i = 0; i < weights.size(); ++i) look.attention[i] += share * weights[i] / sum;
}

void add_weights(Tape<float>& tape, const study::Member& member, const OneJet& jet, double share, JetLook& look) {
  const auto* const tagger = dynamic_cast<const model::Tagger*>(member.model.get());
  if (tagger == nullptr) return;
  const auto calls = model::calls_of(tape, member.parameters, *tagger, jet);
  if (calls.empty()) return;
  const Index count = jet.tokens.count(), heads = calls.front()->spec.heads;
  std::vector<Index> rows(count);
  std::iota(rows.begin(), rows.end(), Index{0});
  if (look.weights.rows() == 0) look.weights = Matrix<double>::Zero(count, count);
  for (Index head = 0; head < heads; ++head)
    look.weights += (share / static_cast<double>(heads)) *
                    learning::attention_weights(*calls.front(), head, rows).leftCols(count).cast<double>();
}

void add_deletion(const study::Member& member, const study::Target& target, const study::Cases& deletions,
                  const Matrix<float>& inputs, double share, JetLook& look) {
  std::vector<Index> items(deletions.count());
  std::iota(items.begin(), items.end(), Index{0});
  const Matrix<double> logits = study::outputs_of(member, target, deletions, inputs, items, kTokensOfLook);
  for (Index i = 0; i + 1 < logits.rows(); ++i) look.deletion[i] += share * (logits(0, 0) - logits(i + 1, 0));
}

}  // namespace

JetLook look_at(const std::vector<study::Member>& members, const study::Target& target, const study::Cases& cases,
                const Matrix<float>& inputs, Index jet) {
  const OneJet seen = one_jet(cases, inputs, jet);
  const std::size_t count = seen.inputs.rows();
  JetLook look;
  look.gradient.assign(count, 0);
  const bool deletes = seen.inputs.rows() <= kMostDeleted;
  if (deletes) look.deletion.assign(count, count > 1 ? 0 : kNan);
  Matrix<float> left;
  const study::Cases deletions = deletes ? deletions_of(seen, left) : study::Cases{};
  Tape<float> tape;
  const double share = 1 / static_cast<double>(members.size());
  for (const study::Member& member : members) {
    add_gradient(tape, member, seen, share, look);
    add_attention(tape, member, seen, share, look);
    add_weights(tape, member, seen, share, look);
    if (deletes && count > 1) add_deletion(member, target, deletions, left, share, look);
  }
  return look;
}

std::vector<Edge> strongest_edges(const Matrix<double>& weights, Index each) {
  std::vector<Edge> edges;
  for (Index query = 0; query < weights.rows(); ++query) {
    std::vector<Edge> mine;
    for (Index key = 0; key < weights.cols(); ++key)
      if (key != query && weights(query, key) > 0) mine.push_back({query, key, weights(query, key)});
    std::stable_sort(mine.begin(), mine.end(), [](const Edge& a, const Edge& b) { return a.weight > b.weight; });
    mine.resize(std::min(mine.size(), static_cast<std::size_t>(each)));
    edges.insert(edges.end(), mine.begin(), mine.end());
  }
  return edges;
}

}  // namespace fovea::particle::display
