#include "fovea/domains/fusion/flood/simple_answers.hpp"

#include <algorithm>
#include <cmath>

#include "fovea/core/base/missing.hpp"
#include "fovea/core/base/parallel.hpp"
#include "fovea/core/study/trees/boosted_trees.hpp"

namespace fovea::fusion::flood {

namespace {

const study::BoostingSettings kSimpleTrees{.rounds = 150, .learning_rate = 0.1, .leaves = 15, .column_share = 0.5};

/// A row a case: the columns of its tokens, of different sensors, side by side.
Matrix<float> side_by_side(const study::Cases& cases, const std::vector<Index>& items) {
  Matrix<float> rows =
      Matrix<float>::Constant(std::ssize(items), cases.values.cols(), std::numeric_limits<float>::quiet_NaN());
  for (std::size_t k = 0; k < items.size(); ++k)
    for (Index i = cases.offsets[items[k]]; i < cases.offsets[items[k] + 1]; ++i)
      for (Index c = 0; c < rows.cols(); ++c)
        if (!std::isnan(cases.values(i, c))) rows(static_cast<Index>(k), c) = cases.values(i, c);
  return rows;
}

bool shows_nothing(const Matrix<float>& rows, Index row) {
  for (Index c = 0; c < rows.cols(); ++c)
    if (!std::isnan(rows(row, c))) return false;
  return true;
}

std::vector<study::PackedTrees> grown_trees(const Matrix<float>& all, const std::vector<double>& targets, Index classes,
                                            std::uint64_t seed) {
  std::vector<float> outcomes;
  Matrix<float> rows(all.rows(), all.cols());
  for (Index i = 0; i < all.rows(); ++i) {
    if (shows_nothing(all, i)) continue;
    rows.row(std::ssize(outcomes)) = all.row(i);
    outcomes.push_back(static_cast<float>(targets[i]));
  }
  rows.conservativeResize(std::ssize(outcomes), Eigen::NoChange);
  std::vector<study::PackedTrees> packed;
  for (const study::BoostedTrees& one : study::boosted_classes(rows, outcomes, {}, classes, kSimpleTrees, seed))
    packed.emplace_back(one);
  return packed;
}

std::vector<Index> said_by(const std::vector<study::PackedTrees>& trees, const Matrix<float>& rows, Index otherwise) {
  std::vector<std::vector<double>> logits(trees.size(), std::vector<double>(rows.rows()));
  for (std::size_t c = 0; c < trees.size(); ++c) trees[c].log_odds(rows, logits[c]);
  std::vector<Index> said;
  for (Index i = 0; i < rows.rows(); ++i) {
    Index best = 0;
    for (std::size_t c = 1; c < trees.size(); ++c)
      if (logits[c][i] > logits[best][i]) best = static_cast<Index>(c);
    said.push_back(shows_nothing(rows, i) ? otherwise : best);
  }
  return said;
}

double mean_iou_of(const std::vector<Confusion>& groups, std::span<const Index> drawn) {
  Confusion all(groups.front().classes());
  for (const Index group : drawn) all += groups[group];
  return all.mean_intersection();
}

}  // namespace

SimpleAnswers::SimpleAnswers(const Skies& skies) {
  const study::Cases taught = skies.taught();
  std::vector<Index> items(taught.count());
  for (Index i = 0; i < taught.count(); ++i) items[i] = i;
  const Matrix<float> rows = side_by_side(taught, items);
  s1_columns_ = skies.s1_columns();
  const std::array<Matrix<float>, 3> seen{rows.leftCols(s1_columns_), rows.rightCols(rows.cols() - s1_columns_), rows};
  const std::array<Trees*, 3> trees{&s1_, &s2_, &both_};
  for_each_task(3, true, [&](Index k) {
    *trees[k] = grown_trees(seen[k], taught.targets, skies.classes(),
                            skies.random().stream("trees").bits(static_cast<std::uint64_t>(k)));
  });
}

SimpleAnswers::Said SimpleAnswers::said(const Skies& skies, const Rendition& rendition) const {
  const Matrix<float> rows = side_by_side(skies.shown(rendition), skies.items());
  const Matrix<float> s1 = rows.leftCols(s1_columns_), s2 = rows.rightCols(rows.cols() - s1_columns_);
  Said said{said_by(s1_, s1, skies.most_frequent()),
            said_by(s2_, s2, skies.most_frequent()),
            {},
            said_by(both_, rows, skies.most_frequent())};
  for (std::size_t k = 0; k < said.s1.size(); ++k)
    said.either.push_back(shows_nothing(s2, static_cast<Index>(k)) ? said.s1[k] : said.s2[k]);
  return said;
}

std::vector<Answerer> compared(const Skies& skies, const SimpleAnswers& simple, const Rendition& rendition) {
  const auto attention = [&](Index without) { return skies.classes_of(skies.answers(rendition, without)); };
  const SimpleAnswers::Said trees = simple.said(skies, rendition);
  const std::vector<std::tuple<std::string, bool, std::vector<Index>>> all{
      {"attention, both sensors", false, attention(-1)},
      {"attention, S1 alone", true, attention(1)},
      {"attention, S2 alone", true, attention(0)},
      {"boosted trees, S1 alone", true, trees.s1},
      {"boosted trees, S2 alone", true, trees.s2},
      {"boosted trees, S2, or S1 where S2 is missing", true, trees.either},
      {"boosted trees, both stacked", false, trees.both}};
  std::vector<Answerer> found;
  std::vector<Confusion> ours;
  for (const auto& [name, one_sensor, said] : all) {
    const auto groups = confusions_of_groups(skies.truth(), said, skies.classes(), skies.groups());
    if (ours.empty()) ours = groups;
    const auto iou_of = [](const std::vector<Confusion>& of) {
      return [&of](std::span<const Index> drawn) { return mean_iou_of(of, drawn); };
    };
    const Random random = skies.random().stream("bootstrap");
    const BootstrapInterval value = bootstrap_interval(std::ssize(groups), iou_of(groups), random);
    Answerer one{name, one_sensor, {value.estimate, value.low, value.high}, {}};
    if (!found.empty()) {
      const BootstrapInterval gain = bootstrap_difference(std::ssize(groups), iou_of(ours), iou_of(groups), random);
      one.gain = {gain.estimate, gain.low, gain.high};
    }
    for (std::size_t g = 0; g < groups.size(); ++g)
      one.behind += ours[g].mean_intersection() > groups[g].mean_intersection() ? 1 : 0;
    found.push_back(one);
  }
  return found;
}

}  // namespace fovea::fusion::flood
