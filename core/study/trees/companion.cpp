#include "fovea/core/study/trees/companion.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/parallel.hpp"
#include "fovea/core/kernels/exponential.hpp"
#include "fovea/core/study/cases/target_rule.hpp"
#include "fovea/core/study/ensemble/rows.hpp"
#include "fovea/core/study/model/model_variables.hpp"
#include "fovea/core/study/scores/scores.hpp"
#include "fovea/core/study/trees/packed_trees.hpp"
#include "fovea/core/study/trees/tree_rows.hpp"

namespace fovea::study {

namespace {

constexpr double kAtEnd = 0.5, kFade = 0.25;
constexpr Index kRowsAtOnce = 64, kWorthThreads = 128;
constexpr Index kEarlierRows = 2;       // of a case, for the trees of any time
constexpr float kEarlierWeight = 0.6F;  // of each

/// What trees learn from.
struct Lesson {
  std::vector<Index> items;  ///< target_rows(): cases, or tokens
  std::vector<float> outcomes, weights;
};

Lesson lesson_of(const Target& target, const Cases& cases, const TreeTraining& training) {
  const TargetScale scale = target.rule().real() ? training.scale : TargetScale{};
  Lesson lesson;
  for (const Index item : target_rows(cases, target, *training.items)) {
    const std::size_t place = item;
    if (std::isnan(cases.targets[place])) continue;
    lesson.items.push_back(item);
    const double outcome = cases.targets[place];  // a code may say more behind the point than a float holds
    lesson.outcomes.push_back(
        static_cast<float>(target.rule().real() ? (outcome - scale.mean) / scale.deviation : std::floor(outcome)));
    lesson.weights.push_back(cases.weights.empty() ? 1.0F : static_cast<float>(cases.weights[place]));
  }
  return lesson;
}

/// More rows for each case, asked at earlier times. Their share of the record is drawn uniformly on a log scale: early,
/// an hour more tells much.
void add_earlier(Lesson& lesson, Matrix<float>& rows, const Cases& cases, const TreeSettings& settings,
                 const Random& random) {
  const double log_earliest = logarithm(settings.earliest);
  const Index count = rows.rows();
  rows.conservativeResize((1 + kEarlierRows) * count, Eigen::NoChange);
  for (Index k = 0; k < kEarlierRows * count; ++k) {
    const std::size_t place = k % count;
    const Index item = lesson.items[place];
    const double end = end_of(cases, item), start = std::min(end, start_of(cases, item));
    const double drawn = random.uniform(static_cast<std::uint64_t>(item), static_cast<std::uint64_t>(k / count));
    const double at = start + (end - start) * exponential(log_earliest * (1 - drawn));
    rows.row(count + k) = summary_columns(cases, {&item, 1}, {&at, 1}, settings.columns);
    lesson.outcomes.push_back(lesson.outcomes[place]);
    lesson.weights.push_back(kEarlierWeight * lesson.weights[place]);
  }
}

/// A case can be asked at any time, a token has its own.
bool asked_earlier(const Target& target, const Cases& cases) {
  return !cases.times.empty() && target.level == TargetLevel::per_case;
}

/// The trees of one part: of ends (lot 0), or of any time.
std::vector<BoostedTrees> grown(const TreeSettings& settings, const Target& target, const Cases& cases,
                                const TreeTraining& training, bool boosted, Index lot, const Random& random) {
  Lesson lesson = lesson_of(target, cases, training);
  Matrix<float> rows = tree_rows(target, cases, lesson.items, {}, settings.columns);
  if (lot > 0) add_earlier(lesson, rows, cases, settings, random.stream("earlier times"));
  const Random& of_part = boosted ? random : random.stream("forest");
  return target.rule().grown(target, {rows, lesson.outcomes, lesson.weights, boosted ? &settings.boosting : nullptr,
                                      settings.bagging, of_part.bits(static_cast<std::uint64_t>(lot))});
}

/// A target of two classes has both among the known ones.
bool teaches(const Target& target, const Cases& cases, const TreeTraining& training) {
  const Lesson lesson = lesson_of(target, cases, training);
  const std::size_t needed = target.rule().binary() ? 2 : 1;
  return std::set<float>(lesson.outcomes.begin(), lesson.outcomes.end()).size() >= needed;
}

/// The weight of the forest that learned from ends alone: kAtEnd there, falling to 0 over the last kFade of the record.
double weight_at(const Cases& cases, Index item, double at) {
  const double end = end_of(cases, item), fade = kFade * (end - start_of(cases, item));
  if (!(at < end) || !(fade > 0)) return kAtEnd;
  return kAtEnd * std::max(0.0, 1 - (end - at) / fade);
}

/// The trees of a part, ready for many rows.
struct Walkers {
  std::vector<PackedTrees> ends, any_time;  // of each answer; without times any_time alone
  Walkers(const CompanionPart& part, Index answers) {
    for (std::size_t k = 0; k < part.trees.size(); ++k)
      (part.at_times && static_cast<Index>(k) < answers ? ends : any_time).emplace_back(part.trees[k]);
  }
};

/// The mixture of both lots; weights: one a row, of the first. answers: rows x count, of which one column is filled.
void put_answers(const Walkers& walkers, std::size_t answer, const Matrix<float>& rows, std::span<const double> weights,
                 Eigen::Ref<Matrix<double>, 0, Eigen::Stride<Eigen::Dynamic, Eigen::Dynamic>> answers) {
  std::vector<double> ends(weights.size()), later(weights.size());
  walkers.any_time[answer].log_odds(rows, later);
  if (!walkers.ends.empty() && std::any_of(weights.begin(), weights.end(), [](double weight) { return weight != 0; })) {
    walkers.ends[answer].log_odds(rows, ends);
    for (std::size_t i = 0; i < weights.size(); ++i)
      if (weights[i] != 0) later[i] = weights[i] * ends[i] + (1 - weights[i]) * later[i];
  }
  for (std::size_t i = 0; i < later.size(); ++i) answers(static_cast<Index>(i), static_cast<Index>(answer)) = later[i];
}

/// Each row once for each question, with its number behind.
Matrix<float> asked_rows(const Matrix<float>& rows, Index questions) {
  if (questions == 1) return rows;
  Matrix<float> asked(rows.rows() * questions, rows.cols() + 1);
  for (Index i = 0; i < asked.rows(); ++i) asked.row(i) << rows.row(i / questions), static_cast<float>(i % questions);
  return asked;
}

/// Of each part, of these target_rows().
std::vector<Matrix<double>> outputs_of(const std::vector<Walkers>& walkers, const Companion& companion,
                                       const Target& target, const Cases& cases, std::span<const Index> items,
                                       std::span<const double> at) {
  const Index answers = target.rule().tree_answers(target), questions = target.rule().tree_questions(target);
  const Index times = std::max<Index>(1, static_cast<Index>(at.size())), each = times * questions;
  const auto count = static_cast<Index>(items.size());
  std::vector<Matrix<double>> outputs(walkers.size(), Matrix<double>(count * each, answers));
  const Index together = std::max<Index>(1, kRowsAtOnce / each);
  for_each_task((count + together - 1) / together, count * each >= kWorthThreads, [&](Index task) {
    const Index first = task * together;
    const auto some = items.subspan(first, std::min(together, count - first));
    std::vector<double> weights;
    for (const Index item : some) {
      if (at.empty()) weights.insert(weights.end(), questions, kAtEnd);
      for (const double time : at) weights.insert(weights.end(), questions, weight_at(cases, item, time));
    }
    const Matrix<float> rows = asked_rows(tree_rows(target, cases, some, at, companion.columns), questions);
    for (std::size_t p = 0; p < walkers.size(); ++p)
      for (Index k = 0; k < answers; ++k)
        put_answers(walkers[p], static_cast<std::size_t>(k), rows, weights,
                    outputs[p].middleRows(first * each, static_cast<Index>(weights.size())));
  });
  for (std::size_t p = 0; p < outputs.size(); ++p) {
    target.rule().trees_to_outputs(!companion.parts[p].boosted, outputs[p]);
    outputs[p].resize(count * times, outputs[p].cols() * questions);  // row by row: the questions side by side
  }
  return outputs;
}

std::vector<Walkers> walkers_of(const Companion& companion, const Target& target) {
  std::vector<Walkers> walkers;
  for (const CompanionPart& part : companion.parts) walkers.emplace_back(part, target.rule().tree_answers(target));
  return walkers;
}

}  // namespace

std::vector<CompanionPart> parts_of(const TreeSettings& settings) {
  std::vector<CompanionPart> parts;
  if (settings.boosting.rounds > 0) parts.push_back({.boosted = true});
  if (settings.bagging.trees > 0) parts.push_back({.boosted = false});
  for (CompanionPart& part : parts) part.weight = settings.share / static_cast<double>(parts.size());
  return parts;
}

double Companion::own() const {
  double own = 1;
  for (const CompanionPart& part : parts) own -= part.weight;
  return std::max(0.0, own);
}

std::optional<Companion> weighted_parts(const Companion& companion) {
  Companion some{companion.columns, {}};
  for (const CompanionPart& part : companion.parts)
    if (part.weight > 0) some.parts.push_back(part);
  return some.parts.empty() ? std::nullopt : std::optional(std::move(some));
}

std::vector<std::string> part_names(const Companion& companion) {
  if (companion.parts.size() == 1) return {"trees alone"};
  std::vector<std::string> names;
  for (const CompanionPart& part : companion.parts)
    names.emplace_back(part.boosted ? "boosted trees alone" : "random forest alone");
  return names;
}

std::vector<Companion> companions(const std::string& source, const TreeSettings& settings, const Target& target,
                                  const Cases& cases, const std::vector<TreeTraining>& training, const Random& random) {
  const Index width = tree_columns(target, std::ssize(cases.classes), std::ssize(cases.features), settings.columns);
  if (width > static_cast<Index>(kMostColumns))
    throw DataError(concat(source, ": its ", cases.classes.size(), " classes of tokens make ", width,
                           " columns for trees, but at most ", kMostColumns,
                           " are allowed; use trees.rounds = 0 and trees.forest = 0."));
  for (const TreeTraining& one : training)
    if (!teaches(target, cases, one))
      throw DataError(concat(source,
                             ": the cases that trees would learn from have outcomes of one class alone; use "
                             "other folds, or trees.rounds = 0 and trees.forest = 0."));
  Companion empty{settings.columns, parts_of(settings)};
  const Index lots = asked_earlier(target, cases) ? 2 : 1, parts = std::ssize(empty.parts);
  for (CompanionPart& part : empty.parts) part.at_times = lots == 2;
  std::vector<Companion> found(training.size(), empty);
  std::vector<std::vector<BoostedTrees>> of_tasks(training.size() * parts * lots);
  for_each_task(std::ssize(of_tasks), true, [&](Index task) {
    const Index lot = task % lots, part = task / lots % parts;
    of_tasks[task] =
        grown(settings, target, cases, training[task / (lots * parts)], empty.parts[part].boosted, lot, random);
  });
  for (std::size_t task = 0; task < of_tasks.size(); ++task) {
    std::vector<BoostedTrees>& trees = found[task / (lots * parts)].parts[task / lots % parts].trees;
    for (BoostedTrees& one : of_tasks[task]) trees.push_back(std::move(one));
  }
  return found;
}

std::vector<Matrix<double>> outputs_of(const Companion& companion, const Target& target, const Cases& cases,
                                       std::span<const Index> items, std::span<const double> at) {
  const std::vector<Index> places = target_rows(cases, target, {items.begin(), items.end()});
  return outputs_of(walkers_of(companion, target), companion, target, cases, places, at);
}

std::vector<Matrix<double>> outputs_when(const AskedTimes& asked, const Companion& companion, const Target& target,
                                         const Cases& cases) {
  const std::vector<Walkers> walkers = walkers_of(companion, target);
  const std::vector<Index> last = asked.last_rows();
  std::vector<Matrix<double>> outputs(walkers.size(),
                                      Matrix<double>(last.empty() ? 0 : last.back() + 1, target.outputs()));
  for (Index item = 0; item < cases.count(); ++item) {
    const Index rows = asked.rows_of(item);
    std::vector<double> times;
    for (Index k = 0; k < rows; ++k) times.push_back(asked.time(item, k));
    if (rows == 0) continue;
    const auto some = outputs_of(walkers, companion, target, cases, {&item, 1}, times);
    for (std::size_t p = 0; p < some.size(); ++p) outputs[p].middleRows(last[item] + 1 - rows, rows) = some[p];
  }
  return outputs;
}

namespace {

/// How far the main score of predictions is from a perfect one; NaN where it is not defined.
double lack_of(const Target& target, const Predictions& predictions, std::span<const double> targets) {
  return std::abs(scores_of(target).front().best - scored_once(target, predictions, targets).front().value);
}

/// Of several classes: by how many cases more it decides right, in standard errors (McNemar 1947).
double wins_in_errors(const Predictions& one, const Predictions& other, std::span<const double> targets) {
  double wins = 0, losses = 0;
  for (std::size_t i = 0; i < targets.size(); ++i) {
    Index first = 0, second = 0;
    one.mean.row(static_cast<Index>(i)).maxCoeff(&first), other.mean.row(static_cast<Index>(i)).maxCoeff(&second);
    const auto right = static_cast<Index>(targets[i]);
    wins += first == right && second != right ? 1 : 0, losses += second == right && first != right ? 1 : 0;
  }
  return wins == losses ? 0 : (wins - losses) / std::sqrt(wins + losses);
}

/// Log loss rewards a mixture for doubting more, which decides no case better. So a mixture of codes answers only where
/// its main score is better than that of its best part (the discrete super learner, van der Laan, Polley & Hubbard
/// 2007), and of several classes by more than a standard error, since whole cases are counted; else that part alone.
std::vector<double> mixed_or_alone(const Target& target, const std::vector<Matrix<double>>& parts,
                                   std::span<const double> targets, const std::vector<double>& weights) {
  const bool none_is_better = std::all_of(weights.begin(), weights.end(), [&](double w) { return w == weights[0]; });
  if (target.rule().real() || none_is_better) return weights;  // of a number the weights are those of least error
  Matrix<double> sum = Matrix<double>::Zero(parts[0].rows(), parts[0].cols());
  for (std::size_t p = 0; p < parts.size(); ++p) sum += weights[p] * parts[p];
  const auto predictions = [&](const Matrix<double>& output) { return combined(target, {&output, 1}, {}, 0, 1); };
  const Predictions mixture = predictions(sum);
  std::size_t best = 0;
  for (std::size_t p = 1; p < parts.size(); ++p)
    if (lack_of(target, predictions(parts[p]), targets) < lack_of(target, predictions(parts[best]), targets)) best = p;
  const Predictions alone = predictions(parts[best]);
  if (target.rule().named() ? wins_in_errors(mixture, alone, targets) > 1
                            : !(lack_of(target, alone, targets) <= lack_of(target, mixture, targets)))
    return weights;
  std::vector<double> only(parts.size(), 0.0);
  only[best] = 1;
  return only;
}

}  // namespace

void weigh(Companion& companion, const TreeSettings& settings, const Target& target,
           const std::vector<Matrix<double>>& of_members, const std::vector<Matrix<double>>& of_trees,
           std::span<const double> targets) {
  const std::vector<Index> known = known_rows_of(targets);
  if (settings.mixing == TreeMixing::fixed || known.empty()) return;
  Matrix<double> mean = of_members[0];
  for (std::size_t m = 1; m < of_members.size(); ++m) mean += of_members[m];
  std::vector<Matrix<double>> parts{rows_of(Matrix<double>(mean / static_cast<double>(of_members.size())), known)};
  for (const Matrix<double>& part : of_trees) parts.push_back(rows_of(part, known));
  const std::vector<double> answers = entries_of(std::vector<double>(targets.begin(), targets.end()), known);
  const std::vector<double> weights =
      mixed_or_alone(target, parts, answers, target.rule().stacked(target, parts, answers));
  for (std::size_t p = 0; p < companion.parts.size(); ++p) companion.parts[p].weight = weights[p + 1];
}

void mix(std::vector<Matrix<double>>& outputs, const std::vector<Matrix<double>>& of_trees, const Companion& companion,
         const std::vector<Index>* rows) {
  const double own = companion.own();
  for (Matrix<double>& of_member : outputs) {
    for (const Matrix<double>& part : of_trees)
      require(of_member.rows() == part.rows(), "mix: a member has ", of_member.rows(), " rows, the trees have ",
              part.rows(), "; both must have as many.");
    const Index count = rows == nullptr ? of_member.rows() : std::ssize(*rows);
    for (Index k = 0; k < count; ++k) {
      const Index row = rows == nullptr ? k : (*rows)[k];
      of_member.row(row) *= own;
      for (std::size_t p = 0; p < of_trees.size(); ++p)
        of_member.row(row) += companion.parts[p].weight * of_trees[p].row(row);
    }
  }
}

}  // namespace fovea::study
