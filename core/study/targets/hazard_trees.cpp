#include "fovea/core/study/targets/hazard_trees.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include "fovea/core/base/error.hpp"
#include "fovea/core/kernels/exponential.hpp"
#include "fovea/core/study/hazards/hazard_scores.hpp"
#include "fovea/core/study/targets/probabilities.hpp"
#include "fovea/core/study/trees/stacking.hpp"

namespace fovea::study {

namespace {

constexpr double kLeastHazard = 1e-4;  // that a forest answers: its leaves know no less
constexpr double kChance = 2;          // of the log likelihood: a part that adds nothing gains it in 1 of 40 cases
constexpr Index kEndsOfStratum = 10;   // of each end, so that the intercepts of a stratum can be told

/// What came in the intervals that cases entered, by interval.
struct EnteredIntervals {
  std::vector<Index> cases, intervals, classes;
};

EnteredIntervals entered(const Target& target, std::span<const double> codes) {
  const learning::HazardTargets seen = hazards_of_codes(target, codes);
  EnteredIntervals found;
  for (Index t = 0; t < intervals_of(target); ++t)
    for (std::size_t i = 0; i < codes.size(); ++i) {
      const bool came = seen.survived[i] == t && seen.ends[i] > 0;
      if (seen.survived[i] <= t && !came) continue;
      found.cases.push_back(static_cast<Index>(i));
      found.intervals.push_back(t);
      found.classes.push_back(came ? seen.ends[i] - 1 : ends_of(target));
    }
  return found;
}

/// log shares of what came in each interval, intervals x classes; each has a row more, which is as all rows.
Matrix<float> log_hazards(const EnteredIntervals& seen, std::span<const float> weights, Index intervals,
                          Index classes) {
  Matrix<double> sums = Matrix<double>::Zero(intervals, classes);
  for (std::size_t k = 0; k < seen.classes.size(); ++k)
    sums(seen.intervals[k], seen.classes[k]) += static_cast<double>(weights[k]);
  const Eigen::RowVectorXd all = (sums.colwise().sum().array() + 0.5).matrix();  // half a row of what never came
  sums.rowwise() += all / all.sum();
  return (sums.array().colwise() / sums.rowwise().sum().array()).log().cast<float>();
}

/// A tree that asks for the interval alone.
BoostedTrees interval_tree(const Matrix<float>& values, Index answer, Index columns) {
  BoostedTrees tree;
  tree.columns = columns;
  tree.roots = {0};
  const auto add = [&](Index column, float value, Index left, Index right) {
    tree.column.push_back(column), tree.value.push_back(value), tree.left.push_back(left), tree.right.push_back(right);
    tree.missing_left.push_back(0);
  };
  for (Index t = 0; t + 1 < values.rows(); ++t) {
    add(columns - 1, static_cast<float>(t) + 0.5F, 2 * t + 1, 2 * t + 2);
    add(-1, values(t, answer), 0, 0);
  }
  add(-1, values(values.rows() - 1, answer), 0, 0);
  return tree;
}

void append_trees(BoostedTrees& trees, const BoostedTrees& more) {
  const auto first = std::ssize(trees.column);
  for (const std::int64_t root : more.roots) trees.roots.push_back(first + root);
  for (std::size_t k = 0; k < more.column.size(); ++k) {
    const std::int64_t behind = more.column[k] < 0 ? 0 : first;
    trees.left.push_back(behind + more.left[k]), trees.right.push_back(behind + more.right[k]);
  }
  trees.column.insert(trees.column.end(), more.column.begin(), more.column.end());
  trees.value.insert(trees.value.end(), more.value.begin(), more.value.end());
  trees.missing_left.insert(trees.missing_left.end(), more.missing_left.begin(), more.missing_left.end());
}

std::vector<BoostedTrees> boosted_hazards(const TreeLesson& lesson, const EnteredIntervals& seen, Index intervals,
                                          Index classes) {
  const Matrix<float> begin = log_hazards(seen, lesson.weights, intervals, classes);
  std::vector<BoostedTrees> trees;
  for (Index c = 0; c < classes; ++c) trees.push_back(interval_tree(begin, c, lesson.rows.cols()));
  BoostingSettings settings = *lesson.boosting;
  if (--settings.rounds == 0) return trees;
  settings.least_weight *= 2;  // of the softmax each of two classes has p (1 - p) twice
  std::vector<float> margins;
  for (const Index t : seen.intervals)
    margins.insert(margins.end(), begin.row(t).data(), begin.row(t).data() + classes);
  const std::vector<BoostedTrees> more =
      boosted_classes(lesson.rows, lesson.outcomes, lesson.weights, classes, settings, lesson.seed, std::move(margins));
  for (std::size_t c = 0; c < trees.size(); ++c) append_trees(trees[c], more[c]);
  return trees;
}

/// Numbers of rows of neighbouring intervals that have intercepts of their own.
std::vector<Index> strata_of_intervals(const EnteredIntervals& seen, Index ends) {
  std::vector<Index> total(ends + 1, 0), here = total, strata;
  for (const Index c : seen.classes) ++total[c];
  const auto rows = std::ssize(seen.classes);
  Index first = 0;
  for (Index k = 0; k < rows; ++k) {
    ++here[seen.classes[k]];
    bool enough = k + 1 == rows || seen.intervals[k + 1] > seen.intervals[k];
    for (Index c = 0; c <= ends; ++c) enough = enough && here[c] >= std::min(kEndsOfStratum, total[c]);
    if (!enough) continue;
    strata.push_back(k + 1 - first), first = k + 1, here.assign(ends + 1, 0);
  }
  strata.back() += rows - first;  // what is left is too little
  return strata;
}

/// Minus the log likelihood of a mixture as it is used: calibrated by shifts, which scale nothing.
double mixed_loss(const Target& target, std::span<const Matrix<double>> parts, std::span<const double> weights,
                  std::span<const double> codes) {
  Matrix<double> mixed = weights[0] * parts[0];
  for (std::size_t p = 1; p < parts.size(); ++p) mixed += weights[p] * parts[p];
  const std::span<const Matrix<double>> one(&mixed, 1);
  const Matrix<double> mean = combined_hazards(target, one, hazard_shifts(target, one, codes)).mean;
  const std::vector<double> once(codes.size(), 1.0);
  return static_cast<double>(codes.size()) * hazard_likelihood_score(target, mean, codes)(once);
}

}  // namespace

std::vector<BoostedTrees> hazard_trees(const Target& target, const TreeLesson& lesson) {
  const std::vector<double> codes(lesson.outcomes.begin(), lesson.outcomes.end());
  const EnteredIntervals seen = entered(target, codes);
  const auto rows = std::ssize(seen.cases);
  if (rows == 0)
    throw DataError(concat("'", target.name, "': all cases that trees would learn from were last seen in the first ",
                           "half of the first interval; use trees.rounds = 0 and trees.forest = 0."));
  const Index intervals = intervals_of(target), columns = lesson.rows.cols();
  Matrix<float> entries(rows, columns + (intervals > 1 ? 1 : 0));
  std::vector<float> outcomes, weights;
  for (Index k = 0; k < rows; ++k) {
    const std::size_t row = k;
    entries.row(k).head(columns) = lesson.rows.row(seen.cases[row]);
    if (intervals > 1) entries(k, columns) = static_cast<float>(seen.intervals[row]);
    outcomes.push_back(static_cast<float>(seen.classes[row]));
    weights.push_back(lesson.weights.empty() ? 1 : lesson.weights[seen.cases[row]]);
  }
  BaggingSettings bagging = lesson.bagging;
  bagging.least_weight *= static_cast<double>(intervals);
  const TreeLesson of_intervals{entries, outcomes, weights, lesson.boosting, bagging, lesson.seed};
  const Index classes = ends_of(target) + 1;
  if (lesson.boosting == nullptr) return forests_of_classes(of_intervals, 0, classes);
  return boosted_hazards(of_intervals, seen, intervals, classes);
}

Matrix<double> hazard_logits(const Matrix<double>& shares) {
  return shares.unaryExpr([](double share) { return logarithm(std::max(share, kLeastHazard)); });
}

std::vector<double> stacked_hazards(const Target& target, std::span<const Matrix<double>> parts,
                                    std::span<const double> codes) {
  const EnteredIntervals seen = entered(target, codes);
  const Index classes = ends_of(target) + 1;
  std::vector<Matrix<double>> rows;
  for (const Matrix<double>& part : parts) {
    Matrix<double>& some = rows.emplace_back(std::ssize(seen.cases), classes);
    for (std::size_t k = 0; k < seen.cases.size(); ++k)
      some.row(static_cast<Index>(k)) = part.row(seen.cases[k]).segment(seen.intervals[k] * classes, classes);
  }
  if (seen.cases.empty()) return stacked_logits(rows, seen.classes);
  require(parts.size() < 16, "stacked_hazards: there are ", parts.size(), " models, but must be fewer than 16.");
  const std::vector<Index> strata = strata_of_intervals(seen, ends_of(target));
  std::vector<double> best;
  double least = INFINITY;
  for (unsigned chosen = 1; chosen < 1U << parts.size(); ++chosen) {
    std::vector<Matrix<double>> some;
    for (std::size_t p = 0; p < parts.size(); ++p)
      if (chosen >> p & 1) some.push_back(rows[p]);
    const std::vector<double> of_some = stacked_logits(some, seen.classes, strata);
    if (some.size() > 1 && std::set<double>(of_some.begin(), of_some.end()).size() == 1) continue;  // none tells more
    std::vector<double> weights(parts.size(), 0.0);
    for (std::size_t p = 0, k = 0; p < parts.size(); ++p)
      if (chosen >> p & 1) weights[p] = of_some[k++];
    const double loss = mixed_loss(target, parts, weights, codes) + kChance * static_cast<double>(some.size());
    if (loss < least) least = loss, best = weights;
  }
  return best.empty() ? stacked_logits(rows, seen.classes, strata) : best;
}

}  // namespace fovea::study
