#include "fovea/domains/particle/locality/looks.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <numeric>

#include "fovea/core/learning/explanation.hpp"
#include "fovea/core/statistics/tests/rank_correlation.hpp"
#include "fovea/domains/particle/model/one_jet.hpp"
#include "fovea/domains/particle/tag/nearest_quarks.hpp"

namespace fovea::particle::locality {

namespace {

using datasets::particles::ParticleSets;
using learning::Tape;
using model::one_jet;
using model::OneJet;
using tag::TrainedTagger;
using Float = learning::Variable<float>;

std::vector<Index> all_rows(Index count) {
  std::vector<Index> rows(count);
  std::iota(rows.begin(), rows.end(), Index{0});
  return rows;
}

model::Tagger::Calls calls_of(Tape<float>& tape, const TrainedTagger& tagger, const OneJet& jet) {
  return model::calls_of(tape, tagger.member.parameters, tagger.model(), jet);
}

/// Which pairs the mask forbids, by the definition of the mask; phi has a period.
bool beyond(const model::TaggerSettings& tagger, const Matrix<double>& coordinates, Index i, Index j) {
  if (tagger.mask != model::Mask::radius) return false;
  return datasets::particles::delta_r(coordinates(i, 0), coordinates(i, 1), coordinates(j, 0), coordinates(j, 1)) >
         tagger.radius * (1 + 1e-9);
}

/// Adds one query's shares.
void add_query(const Matrix<float>& weights, Index i, const std::vector<int>& prongs, ProngAttention& sums,
               double& queries) {
  double own = 0, others = 0, seen = 0, seen_own = 0;
  const auto mine = prongs[i];
  for (Index j = 0; j < weights.cols(); ++j) {
    if (j == i) continue;
    const auto w = static_cast<double>(weights(i, j));
    const bool same = prongs[j] == mine;
    (same ? own : others) += w;
    if (w > 0) seen += 1, seen_own += same ? 1 : 0;
  }
  if (mine == 0 || !(own + others > 0)) return;
  sums.own += own / (own + others), sums.by_chance += seen_own / seen;
  ++queries;
}

/// Whether each constituent has this one among those that it sees.
std::vector<char> who_sees(const OneJet& jet, Index moved, const learning::Neighbourhood& locality) {
  learning::Tokens plane;
  plane.offsets = jet.tokens.offsets;
  plane.coordinates = jet.tokens.coordinates.leftCols(2);
  plane.periods = {0, 2 * std::numbers::pi};
  const auto lists = learning::neighbours_of(plane, locality);
  std::vector<char> sees;
  for (std::size_t i = 0; i + 1 < lists->offsets.size(); ++i)
    sees.push_back(std::find(lists->keys.begin() + lists->offsets[i], lists->keys.begin() + lists->offsets[i + 1],
                             moved) != lists->keys.begin() + lists->offsets[i + 1]
                       ? 1
                       : 0);
  return sees;
}

std::vector<Index> order_by(const std::vector<double>& importance) {
  std::vector<Index> order = all_rows(static_cast<Index>(importance.size()));
  std::stable_sort(order.begin(), order.end(), [&](Index a, Index b) { return importance[a] > importance[b]; });
  return order;
}

}  // namespace

ProngAttention prong_attention(const TrainedTagger& tagger, const ParticleSets& jets) {
  ProngAttention sums;
  if (jets.truth.rows() == 0) return sums;
  const study::Cases cases = tagger.cases("the tested jets", jets);
  const Matrix<float> inputs = study::prepared(tagger.preparation, cases);
  Tape<float> tape;
  double queries = 0;
  for (Index b = 0; b < jets.count(); ++b) {
    if (jets.truth(b, 3) <= 0 || jets.size(b) < 2) continue;
    const std::vector<int> prongs = tag::prongs_of(jets, b);
    const OneJet jet = one_jet(cases, inputs, b);
    const auto calls = calls_of(tape, tagger, jet);
    ++sums.jets;
    for (Index head = 0; head < tagger.settings.heads; ++head) {
      const Matrix<float> weights = learning::attention_weights(*calls.front(), head, all_rows(jets.size(b)));
      for (Index i = 0; i < weights.rows(); ++i) {
        add_query(weights, i, prongs, sums, queries);
        for (Index j = 0; j < weights.cols(); ++j)
          if (beyond(tagger.settings, jet.tokens.coordinates, i, j))
            sums.outside = std::max(sums.outside, static_cast<double>(weights(i, j)));
      }
    }
  }
  if (queries > 0) sums.own /= queries, sums.by_chance /= queries;
  return sums;
}

Importance importance_of(const TrainedTagger& tagger, const ParticleSets& jets) {
  const study::Cases cases = tagger.cases("the tested jets", jets);
  const Matrix<float> inputs = study::prepared(tagger.preparation, cases);
  Importance found;
  Tape<float> tape;
  for (Index b = 0; b < jets.count(); ++b) {
    const OneJet jet = one_jet(cases, inputs, b);
    const auto gradient = learning::gradient_times_input<float>(
        tape, tagger.member.parameters,
        [&](Float x) {
          return tagger.model().outputs(x.tape(), {x, &jet.tokens}, nullptr);
        },
        jet.inputs);
    auto& sizes = found.gradient.emplace_back();
    for (Index i = 0; i < gradient.size(); ++i) sizes.push_back(std::abs(static_cast<double>(gradient[i])));
    found.attention.push_back(model::attended_logs(tape, tagger.member.parameters, tagger.model(), jet));
  }
  return found;
}

double agreement(const std::vector<std::vector<double>>& a, const std::vector<std::vector<double>>& b) {
  double sum = 0, count = 0;
  for (std::size_t k = 0; k < a.size(); ++k) {
    if (a[k].size() < 3) continue;
    const double correlation = rank_correlation(a[k], b[k]);
    if (!std::isnan(correlation)) sum += correlation, ++count;
  }
  return count > 0 ? sum / count : std::numeric_limits<double>::quiet_NaN();
}

std::vector<double> deletion_curve(const TrainedTagger& tagger, const ParticleSets& jets,
                                   const std::vector<std::vector<double>>& importance,
                                   const std::vector<double>& shares) {
  const std::vector<double> before = tagger.logits("the tested jets", jets);
  std::vector<double> curve;
  for (const double share : shares) {
    std::vector<Index> rows;
    ParticleSets left;
    for (Index b = 0; b < jets.count(); ++b) {
      const auto mine = order_by(importance[b]);
      const auto gone = std::min<Index>(jets.size(b) - 1, std::lround(share * static_cast<double>(jets.size(b))));
      std::vector<Index> kept(mine.begin() + gone, mine.end());
      std::sort(kept.begin(), kept.end());
      for (const Index i : kept) rows.push_back(jets.offsets[b] + i);
      left.offsets.push_back(static_cast<Index>(rows.size()));
    }
    left.momenta.resize(static_cast<Index>(rows.size()), 4);
    for (std::size_t i = 0; i < rows.size(); ++i) left.momenta.row(static_cast<Index>(i)) = jets.momenta.row(rows[i]);
    const std::vector<double> after = tagger.logits("jets with constituents left out", left);
    double sum = 0;
    for (std::size_t b = 0; b < after.size(); ++b) sum += std::abs(after[b] - before[b]);
    curve.push_back(sum / static_cast<double>(after.size()));
  }
  return curve;
}

FarChange far_change(const TrainedTagger& tagger, const ParticleSets& jets) {
  constexpr double kFar = 3;
  FarChange found;
  const auto locality = tagger.settings.locality();
  if (!locality) return found;
  const study::Cases cases = tagger.cases("the tested jets", jets);
  const Matrix<float> inputs = study::prepared(tagger.preparation, cases);
  Tape<float> tape;
  for (Index b = 0; b < jets.count(); ++b) {
    OneJet jet = one_jet(cases, inputs, b);
    const Index moved = jets.size(b) - 1;
    const Matrix<float> said = calls_of(tape, tagger, jet).front()->result.outputs;
    const std::vector<char> saw = who_sees(jet, moved, *locality);
    jet.tokens.coordinates.row(moved).head(2).array() += kFar;
    jet.inputs.row(moved).setConstant(1);
    const Matrix<float> again = calls_of(tape, tagger, jet).front()->result.outputs;
    const std::vector<char> sees = who_sees(jet, moved, *locality);
    for (Index i = 0; i < moved; ++i) {
      if (saw[i] || sees[i]) continue;
      ++found.rows;
      found.changed += said.row(i) == again.row(i) ? 0 : 1;
    }
  }
  return found;
}

}  // namespace fovea::particle::locality
