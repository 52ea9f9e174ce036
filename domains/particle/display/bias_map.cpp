#include "fovea/domains/particle/display/bias_map.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "fovea/core/base/words.hpp"
#include "fovea/datasets/particles/momentum.hpp"

namespace fovea::particle::display {

namespace {

constexpr Index kCells = 48;
constexpr std::size_t kJetsOfRange = 100;
constexpr double kInnermost = 0.02;  // share of the pairs beyond each end of an axis

double quantile_of(std::vector<double>& values, double share) {
  const auto place = values.begin() + static_cast<std::ptrdiff_t>(share * static_cast<double>(values.size() - 1) + 0.5);
  std::nth_element(values.begin(), place, values.end());
  return *place;
}

/// Middles of equal cells.
std::vector<double> middles(double low, double high) {
  std::vector<double> points;
  for (Index k = 0; k < kCells; ++k)
    points.push_back(low + (high - low) * (static_cast<double>(k) + 0.5) / static_cast<double>(kCells));
  return points;
}

/// Each head less its mean: attention does not mind a number that all keys share.
void centre_rows(Matrix<double>& biases) {
  for (Index head = 0; head < biases.rows(); ++head) biases.row(head).array() -= biases.row(head).mean();
}

std::vector<std::string> head_names(Index heads) {
  std::vector<std::string> names;
  for (Index head = 0; head < heads; ++head) names.push_back(concat("head ", head + 1));
  return names;
}

void write_map(const study::Member& member, const PairRange& range, Results& results) {
  const std::vector<double> across = middles(range.least_distance, range.most_distance),
                            up = middles(range.least_kt, range.most_kt);
  std::vector<double> distances, kts;
  for (const double kt : up)
    for (const double distance : across) distances.push_back(distance), kts.push_back(kt);
  Matrix<double> biases = biases_at(member, distances, kts, range.fraction);
  centre_rows(biases);
  results.coordinate("bias_head", head_names(biases.rows()), "", "head");
  results.coordinate("ln_kt", up, "1", "ln(kT / GeV)");
  results.coordinate("ln_dr", across, "1", "ln dR");
  results.add("pair_bias", {"bias_head", "ln_kt", "ln_dr"},
              std::vector<double>(biases.data(), biases.data() + biases.size()), "1", "bias of the score");
  results.figure({.kind = "heatmap",
                  .name = "pair_bias",
                  .title = "What the bias of pairs has learned",
                  .caption = concat("What is added to the score of a pair of constituents at a distance dR with kT = "
                                    "min(pT) dR, for z = ",
                                    plain_text(std::exp(range.fraction), 2),
                                    ", the median of the pairs of test jets; first member, each head less its mean. "
                                    "Where it is high, constituents attend to each other. Masses are equal along ",
                                    "lines of equal kT."),
                  .variables = {"pair_bias"},
                  .x = "ln_dr",
                  .y = "ln_kt"});
}

void write_curves(const study::Member& member, const PairRange& range, Results& results) {
  const std::vector<double> across = middles(range.least_distance, range.most_distance);
  Matrix<double> biases = biases_at(member, across, std::vector<double>(across.size()), range.fraction);
  centre_rows(biases);
  results.coordinate("bias_head", head_names(biases.rows()), "", "head");
  results.coordinate("ln_dr", across, "1", "ln dR");
  results.add("pair_bias", {"bias_head", "ln_dr"}, std::vector<double>(biases.data(), biases.data() + biases.size()),
              "1", "bias of the score");
  results.figure({.kind = "lines",
                  .name = "pair_bias",
                  .title = "What the bias of pairs has learned",
                  .caption = "What is added to the score of a pair of constituents at a distance dR; first member, "
                             "each head less its mean. Where it is high, constituents attend to each other.",
                  .variables = {"pair_bias"},
                  .x = "ln_dr",
                  .hue = "bias_head"});
}

}  // namespace

PairRange range_of_pairs(const study::Cases& cases, const std::vector<Index>& items) {
  std::vector<double> distances, kts, fractions;
  for (const Index item : items) {
    const Index first = cases.offsets[item], end = first + cases.size(item);
    for (Index i = first; i < end; ++i) {
      for (Index j = i + 1; j < end; ++j) {
        const auto a = cases.coordinates.row(i), b = cases.coordinates.row(j);
        const double r = datasets::particles::delta_r(a[0], a[1], b[0], b[1]), softer = std::min(a[2], b[2]);
        if (r <= 0) continue;
        distances.push_back(std::log(r)), kts.push_back(softer + std::log(r));
        fractions.push_back(softer - std::max(a[2], b[2]) - std::log1p(std::exp(softer - std::max(a[2], b[2]))));
      }
    }
  }
  PairRange range;
  if (distances.empty()) return range;
  range.least_distance = std::floor(quantile_of(distances, kInnermost));
  range.most_distance = std::ceil(quantile_of(distances, 1 - kInnermost));
  range.least_kt = std::floor(quantile_of(kts, kInnermost)),
  range.most_kt = std::ceil(quantile_of(kts, 1 - kInnermost));
  range.fraction = quantile_of(fractions, 0.5);
  range.known = range.most_distance > range.least_distance && range.most_kt > range.least_kt;
  return range;
}

Matrix<double> biases_at(const study::Member& member, const std::vector<double>& distances,
                         const std::vector<double>& kts, double fraction) {
  const auto* const tagger = dynamic_cast<const model::Tagger*>(member.model.get());
  if (tagger == nullptr) return {};
  const double less = fraction - std::log(-std::expm1(fraction));  // ln of the smaller pT over the larger one
  learning::Tokens sets;
  sets.offsets = {0};
  sets.coordinates = Matrix<double>::Zero(2 * static_cast<Index>(distances.size()), 3);
  for (std::size_t k = 0; k < distances.size(); ++k) {
    const auto row = static_cast<Index>(2 * k);
    const double side = std::exp(distances[k]) * std::numbers::sqrt2 / 2, softer = kts[k] - distances[k];
    sets.coordinates.row(row) << 0, 0, softer - less;
    sets.coordinates.row(row + 1) << side, side, softer;
    sets.offsets.push_back(row + 2);
  }
  learning::Tape<float> tape;
  tape.begin(&member.parameters, {});
  return tagger->pair_biases(tape, sets).cast<double>();
}

void write_bias_map(const study::StudyOutcome& outcome, Results& results) {
  const model::TaggerSettings tagger = model::tagger_keys().read(outcome.config);
  if (tagger.pairs == model::PairSet::none || tagger.blocks == 0) return;
  std::vector<Index> items = outcome.split.test;
  items.resize(std::min(items.size(), kJetsOfRange));
  const PairRange range = range_of_pairs(outcome.cases, items);
  const study::Member& member = outcome.model.members.front();
  if (!range.known || biases_at(member, {range.most_distance}, {range.most_kt}, range.fraction).rows() == 0) return;
  if (tagger.pairs == model::PairSet::standard || tagger.pairs == model::PairSet::published)
    write_map(member, range, results);
  else
    write_curves(member, range, results);
}

}  // namespace fovea::particle::display
