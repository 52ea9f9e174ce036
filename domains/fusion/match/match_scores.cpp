#include "fovea/domains/fusion/match/match_scores.hpp"

#include <algorithm>
#include <array>
#include <numeric>

#include "fovea/core/base/error.hpp"
#include "fovea/core/data/rows.hpp"
#include "fovea/core/statistics/agreement/retrieval.hpp"
#include "fovea/core/statistics/bootstrap.hpp"
#include "fovea/domains/fusion/model/sensor_tokens.hpp"

namespace fovea::fusion::match {

namespace {

constexpr std::array<Index, 3> kPlaces{1, 5, 10};
constexpr Index kQueries = 8, kBest = 5, kTile = kPatch + 2;  // of the picture

Matrix<double> alike(const Matrix<float>& queries, const Matrix<float>& candidates) {
  Matrix<double> scores(queries.rows(), candidates.rows());
  for (Index q = 0; q < queries.rows(); ++q)
    for (Index c = 0; c < candidates.rows(); ++c) {
      double sum = 0;
      for (Index d = 0; d < queries.cols(); ++d)
        sum += static_cast<double>(queries(q, d)) * static_cast<double>(candidates(c, d));
      scores(q, c) = sum;
    }
  return scores;
}

/// Shares of the queries whose counterpart is among the first places, with intervals over blocks.
struct Recall {
  double place;
  ValueInterval to_s2, to_s1;  ///< of S1's patches in S2, and back
  double chance;
};

void find_recalls(const Matrix<double>& scores, const std::vector<Index>& blocks, const Random& random,
                  ValueInterval Recall::*way, std::vector<Recall>& recalls) {
  std::vector<Index> right(scores.rows());
  std::iota(right.begin(), right.end(), Index{0});
  const std::vector<Index> places = places_of_right(scores, right);
  const bool several = std::any_of(blocks.begin(), blocks.end(), [&](Index b) { return b != blocks[0]; });
  for (std::size_t k = 0; k < kPlaces.size(); ++k) {
    const double recall = recall_at(places, kPlaces[k]);
    recalls[k].*way = {recall, recall, recall};
    if (!several) continue;
    const BootstrapInterval interval = bootstrap_interval(
        std::ssize(places),
        [&](std::span<const Index> drawn) {
          std::vector<Index> some;
          for (const Index row : drawn) some.push_back(places[row]);
          return recall_at(some, kPlaces[k]);
        },
        random, {1000, 0.95, BootstrapKind::percentile}, blocks);
    recalls[k].*way = {recall, interval.low, interval.high};
  }
}

/// Channels as colours: each from its 2nd to its 98th percentile.
class Colours {
 public:
  Colours(const std::vector<PairScene>& scenes, bool radar, std::array<Index, 3> channels)
      : radar_(radar), channels_(channels) {
    for (std::size_t k = 0; k < 3; ++k) {
      std::vector<float> values;
      for (const PairScene& scene : scenes) {
        const Matrix<float>& from = radar ? scene.s1 : scene.s2;
        for (Index i = 0; i < scene.pixels(); i += 7)
          if (!std::isnan(from(channels[k], i))) values.push_back(from(channels[k], i));
      }
      std::sort(values.begin(), values.end());
      low_[k] = static_cast<double>(values[values.size() / 50]);
      high_[k] = std::max(static_cast<double>(values[values.size() - 1 - values.size() / 50]), low_[k] + 1e-9);
    }
  }
  double of(const PairScene& scene, Index pixel, std::size_t k) const {
    const auto x = static_cast<double>((radar_ ? scene.s1 : scene.s2)(channels_[k], pixel));
    return std::clamp((x - low_[k]) / (high_[k] - low_[k]), 0.0, 1.0);
  }

 private:
  bool radar_;
  std::array<Index, 3> channels_;
  std::array<double, 3> low_{}, high_{};
};

void add_picture(const ExaminedPatches& patches, const std::vector<PairScene>& scenes, const MatchPlan& plan,
                 const Matrix<double>& scores, Results& results) {
  const Index queries = std::min<Index>(kQueries, scores.rows()), best = std::min<Index>(kBest, scores.rows());
  const Index rows = queries * kTile, columns = (2 + best) * kTile;
  std::vector<double> picture(rows * columns * 3, 1);
  const Colours radar(scenes, true, {0, 1, 2}), optical(scenes, false, model::color_bands(plan.s2_bands));
  const auto paint = [&](Index row, Index column, Index patch, const Colours& colours, bool framed) {
    const std::size_t at = patch;
    const PairScene& scene = scenes[patches.scenes[at]];
    for (Index r = 0; r < kTile; ++r)
      for (Index c = 0; c < kTile; ++c) {
        const bool inside = r > 0 && c > 0 && r <= kPatch && c <= kPatch;
        for (std::size_t k = 0; k < 3; ++k) {
          double& colour = picture[(((row * kTile + r) * columns + column * kTile + c) * 3) + k];
          if (inside)
            colour = colours.of(scene, patches.pixels[at] + (r - 1) * scene.columns + c - 1, k);
          else if (framed)
            colour = k == 1 ? 0.8 : 0;
        }
      }
  };
  for (Index q = 0; q < queries; ++q) {
    const Index query = q * scores.rows() / queries;
    std::vector<Index> order(scores.rows());
    std::iota(order.begin(), order.end(), Index{0});
    std::stable_sort(order.begin(), order.end(), [&](Index a, Index b) { return scores(query, a) > scores(query, b); });
    paint(q, 0, query, radar, false);
    for (Index k = 0; k < best; ++k) paint(q, 2 + k, order[k], optical, order[k] == query);
  }
  std::vector<double> down(rows), across(columns);
  std::iota(down.begin(), down.end(), 0.0);
  std::iota(across.begin(), across.end(), 0.0);
  results.coordinate("picture_row", down, "1", "row of the picture");
  results.coordinate("picture_column", across, "1", "column of the picture");
  results.data.dimension("rgb", 3);
  results.add("found_patches", {"picture_row", "picture_column", "rgb"}, picture, "1", "S1 patches and the best of S2");
  results.figure({.kind = "image",
                  .name = "found",
                  .title = "S1 patches, and the S2 patches most like them",
                  .caption =
                      "Left: the query (VV, VH, VH - VV). Then five patches of S2, the most alike first; the right one "
                      "has a green frame. Each channel from its 2nd to its 98th percentile.",
                  .variables = {"found_patches"},
                  .x = "picture_column",
                  .y = "picture_row",
                  .channel = "rgb"});
}

}  // namespace

ExaminedPatches examine_patches(const MatchModel& model, const std::vector<PairScene>& scenes, Index block) {
  ExaminedPatches all;
  const Index width = std::ssize(model.members) * model.plan.embedding();
  all.s1.resize(0, width), all.s2.resize(0, width);
  for (std::size_t s = 0; s < scenes.size(); ++s) {
    const PairScene& scene = scenes[s];
    const std::vector<Index> patches = patches_of(scene, Part::examined, kPatch);
    const Index before = all.s1.rows(), count = std::ssize(patches);
    all.s1.conservativeResize(before + count, width), all.s2.conservativeResize(before + count, width);
    all.s1.bottomRows(count) = embed(model, Sensor::s1, scene.s1, scene.columns, patches);
    all.s2.bottomRows(count) = embed(model, Sensor::s2, scene.s2, scene.columns, patches);
    for (const Index pixel : patches) {
      all.scenes.push_back(s), all.pixels.push_back(pixel);
      const Index across = (scene.columns + block - 1) / block;
      all.blocks.push_back(static_cast<Index>(s) * (Index{1} << 32) + pixel / scene.columns / block * across +
                           pixel % scene.columns / block);
    }
  }
  return all;
}

void report_retrieval(const ExaminedPatches& patches, const std::vector<PairScene>& scenes, const MatchPlan& plan,
                      const Random& random, Results& results) {
  const Matrix<double> scores = alike(patches.s1, patches.s2);
  std::vector<Recall> recalls;
  for (const Index k : kPlaces) {
    const auto place = static_cast<double>(k);
    recalls.push_back({place, {}, {}, std::min(1.0, place / static_cast<double>(scores.rows()))});
  }
  find_recalls(scores, patches.blocks, random, &Recall::to_s2, recalls);
  find_recalls(scores.transpose(), patches.blocks, random, &Recall::to_s1, recalls);
  results.scalar("patches", static_cast<double>(scores.rows()), "1", "patches that are examined");
  const char *const low = "its lower end, 95 %, bootstrap over blocks", *const high = "its upper end";
  rows("places", recalls, &Recall::place, "first places that count")
      .interval("recall_s1_to_s2", &Recall::to_s2, "found S1 -> S2")
      .ends(low, high)
      .with_ends()
      .interval("recall_s2_to_s1", &Recall::to_s1, "found S2 -> S1")
      .ends(low, high)
      .with_ends()
      .number("recall_by_chance", &Recall::chance, "by chance")
      .write(results)
      .table(results, {.name = "recall",
                       .title = "Patches found in the other sensor's image",
                       .caption = concat("Share of the ", scores.rows(),
                                         " examined patches of 16 x 16 pixels whose counterpart is among "
                                         "the first 1, 5, 10, with 95 % intervals (bootstrap over blocks)."),
                       .digits = 3});
  add_picture(patches, scenes, plan, scores, results);
}

}  // namespace fovea::fusion::match
