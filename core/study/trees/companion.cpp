#include "fovea/core/study/trees/companion.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/parallel.hpp"
#include "fovea/core/kernels/exponential.hpp"
#include "fovea/core/study/cases/target_rule.hpp"
#include "fovea/core/study/trees/packed_trees.hpp"

namespace fovea::study {

namespace {

constexpr double kAtEnd = 0.5, kFade = 0.25;
constexpr Index kForests = 2, kRowsAtOnce = 64, kWorthThreads = 128;
constexpr Index kEarlierRows = 2;       // of a case, in the second forest
constexpr float kEarlierWeight = 0.6F;  // of each

/// What a forest learns from.
struct Lesson {
  std::vector<Index> items;
  std::vector<float> outcomes, weights;
};

Lesson lesson_of(const Cases& cases, const std::vector<Index>& training) {
  Lesson lesson;
  for (const Index item : training) {
    const std::size_t place = item;
    if (std::isnan(cases.targets[place])) continue;
    lesson.items.push_back(item);
    lesson.outcomes.push_back(static_cast<float>(cases.targets[place]));
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

BoostedTrees forest_of(const TreeSettings& settings, const Cases& cases, const std::vector<Index>& training,
                       Index forest, const Random& random) {
  Lesson lesson = lesson_of(cases, training);
  Matrix<float> rows = summary_columns(cases, lesson.items, {}, settings.columns);
  if (forest > 0) add_earlier(lesson, rows, cases, settings, random.stream("earlier times"));
  return boosted_trees(rows, lesson.outcomes, lesson.weights, settings.boosting,
                       random.bits(static_cast<std::uint64_t>(forest)));
}

/// Both classes among those with a known target.
bool teaches(const Cases& cases, const std::vector<Index>& training) {
  const Lesson lesson = lesson_of(cases, training);
  return std::set<float>(lesson.outcomes.begin(), lesson.outcomes.end()).size() == 2;
}

/// The weight of the forest that learned from ends alone: kAtEnd there, falling to 0 over the last kFade of the record.
double weight_at(const Cases& cases, Index item, double at) {
  const double end = end_of(cases, item), fade = kFade * (end - start_of(cases, item));
  if (!(at < end) || !(fade > 0)) return kAtEnd;
  return kAtEnd * std::max(0.0, 1 - (end - at) / fade);
}

/// The forests of a companion, ready for many rows.
struct Walkers {
  PackedTrees ends, any_time;
  explicit Walkers(const Companion& companion) : ends(companion.forests[0]), any_time(companion.forests[1]) {}
};

/// The mixture of both forests; weights: one a row, of the first.
void put_answers(const Walkers& walkers, const Matrix<float>& rows, std::span<const double> weights, double* answers) {
  std::vector<double> ends(weights.size());
  const std::span later(answers, weights.size());
  walkers.any_time.log_odds(rows, later);
  if (std::any_of(weights.begin(), weights.end(), [](double weight) { return weight != 0; }))
    walkers.ends.log_odds(rows, ends);
  for (std::size_t i = 0; i < weights.size(); ++i)
    if (weights[i] != 0) later[i] = weights[i] * ends[i] + (1 - weights[i]) * later[i];
}

Matrix<double> outputs_of(const Walkers& walkers, const Companion& companion, const Cases& cases,
                          std::span<const Index> items, std::span<const double> at) {
  const Index each = std::max<Index>(1, static_cast<Index>(at.size()));
  const auto count = static_cast<Index>(items.size());
  Matrix<double> outputs(count * each, 1);
  const Index together = std::max<Index>(1, kRowsAtOnce / each);
  for_each_task((count + together - 1) / together, count * each >= kWorthThreads, [&](Index part) {
    const Index first = part * together;
    const auto some = items.subspan(first, std::min(together, count - first));
    std::vector<double> weights;
    for (const Index item : some) {
      if (at.empty()) weights.push_back(kAtEnd);
      for (const double time : at) weights.push_back(weight_at(cases, item, time));
    }
    put_answers(walkers, summary_columns(cases, some, at, companion.columns), weights, outputs.data() + first * each);
  });
  return outputs;
}

const char* const kSummaryColumns = "summary_columns";

std::string forest_name(const std::string& prefix, std::size_t forest, const char* what) {
  return concat(prefix, "forest_", forest + 1, '_', what);
}

}  // namespace

const Keys<TreeSettings>& tree_keys() {
  using Boosting = BoostingSettings;
  constexpr auto kBoosting = &TreeSettings::boosting;
  constexpr auto kColumns = &TreeSettings::columns;
  static const auto keys =
      Keys<TreeSettings>()
          .key("trees.rounds", inside(kBoosting, &Boosting::rounds), Range::between(0, 10'000), "",
               "boosted trees of a forest beside the attention model, for targets of two classes; 0: attention alone")
          .added_later()
          .key("trees.share", &TreeSettings::share, Range::between(0, 1), "", "weight of the trees in the log odds")
          .added_later()
          .key("trees.learning_rate", inside(kBoosting, &Boosting::learning_rate), Range::between(1e-4, 1), "",
               "learning rate of the boosting")
          .added_later()
          .key("trees.leaves", inside(kBoosting, &Boosting::leaves), Range::between(2, 1024), "",
               "most leaves of a tree")
          .added_later()
          .key("trees.half_lives", inside(kColumns, &SummarySettings::half_lives), Range::positive(), "",
               "half-lives by which the means for the trees weight values by age, in the unit of the times")
          .added_later()
          .key("trees.recent", inside(kColumns, &SummarySettings::recent), Range::positive(), "",
               "age up to which values are recent, in the unit of the times")
          .added_later()
          .key("trees.earliest", &TreeSettings::earliest, Range::between(1e-3, 1), "",
               "earliest time of a training example of the second forest, as a share of the record")
          .added_later();
  return keys;
}

void check_trees(const Config& config, const Target& target, Complaints& complaints) {
  if (tree_keys().read(config).any() && (!target.rule().binary() || target.level != TargetLevel::per_case))
    complaints.add(config.source("trees.rounds"),
                   "trees.rounds > 0 is for targets of two classes, one a case; use trees.rounds = 0.");
}

std::vector<Companion> companions(const std::string& source, const TreeSettings& settings, const Cases& cases,
                                  const std::vector<std::vector<Index>>& training, const Random& random) {
  const Index width = summary_width(static_cast<Index>(cases.classes.size()), static_cast<Index>(cases.features.size()),
                                    settings.columns);
  if (width > static_cast<Index>(kMostColumns))
    throw DataError(concat(source, ": its ", cases.classes.size(), " classes of tokens make ", width,
                           " columns for trees, but at most ", kMostColumns, " are allowed; use trees.rounds = 0."));
  for (const auto& items : training)
    if (!teaches(cases, items))
      throw DataError(concat(source,
                             ": the cases that trees would learn from have outcomes of one class alone; use "
                             "other folds or trees.rounds = 0."));
  std::vector<Companion> found(training.size(),
                               {settings.columns, settings.share, std::vector<BoostedTrees>(kForests)});
  for_each_task(static_cast<Index>(training.size()) * kForests, true, [&](Index task) {
    const std::size_t list = task / kForests;
    found[list].forests[task % kForests] = forest_of(settings, cases, training[list], task % kForests, random);
  });
  return found;
}

Matrix<double> outputs_of(const Companion& companion, const Cases& cases, std::span<const Index> items,
                          std::span<const double> at) {
  return outputs_of(Walkers(companion), companion, cases, items, at);
}

Matrix<double> outputs_when(const AskedTimes& asked, const Companion& companion, const Cases& cases) {
  const Walkers walkers(companion);
  const std::vector<Index> last = asked.last_rows();
  Matrix<double> outputs(last.empty() ? 0 : last.back() + 1, 1);
  for (Index item = 0; item < cases.count(); ++item) {
    const Index rows = asked.rows_of(item);
    std::vector<double> times;
    for (Index k = 0; k < rows; ++k) times.push_back(asked.time(item, k));
    if (rows > 0)
      outputs.middleRows(last[item] + 1 - rows, rows) = outputs_of(walkers, companion, cases, {&item, 1}, times);
  }
  return outputs;
}

void mix(std::vector<Matrix<double>>& outputs, const Matrix<double>& of_trees, double share) {
  for (Matrix<double>& of_member : outputs) {
    require(of_member.rows() == of_trees.rows(), "mix: a member has ", of_member.rows(), " rows, the trees have ",
            of_trees.rows(), "; both must have as many.");
    of_member = (1 - share) * of_member + share * of_trees;
  }
}

std::vector<Companion> kept_companions(const std::string& prefix, const std::string& source,
                                       const TreeSettings& settings, const Cases& cases,
                                       const std::vector<std::vector<Index>>& training,
                                       const std::vector<const Preparation*>& preparations, const Random& random,
                                       learning::TrainingSeries& trainings) {
  constexpr std::size_t kTogether = 2;  // four forests: two threads are busy, and little is lost by a stop
  const auto place = [](std::size_t list) { return concat("list_", list + 1, '_'); };
  std::vector<Companion> found;
  for (std::size_t first = 0; first < training.size(); first += kTogether) {
    const std::size_t end = std::min(first + kTogether, training.size());
    const std::string name = concat(prefix, "trees_", first + 1);
    const Dataset kept = trainings.once(name, [&] {
      const auto grown = companions(
          source, settings, cases,
          {training.begin() + static_cast<std::ptrdiff_t>(first), training.begin() + static_cast<std::ptrdiff_t>(end)},
          random);
      Dataset data;
      for (std::size_t k = 0; k < grown.size(); ++k) add_companion(data, grown[k], place(k));
      return data;
    });
    ModelVariables variables(name, kept);
    for (std::size_t list = first; list < end; ++list)
      found.push_back(read_companion(variables, kept, settings, *preparations[list], place(list - first)));
  }
  return found;
}

void add_companion(Dataset& data, const Companion& companion, const std::string& prefix) {
  data.add({prefix + kSummaryColumns,
            {},
            std::vector<std::int64_t>{companion.forests.front().columns},
            "1",
            "summary numbers that trees ask for",
            {}});
  for (std::size_t f = 0; f < companion.forests.size(); ++f) {
    const BoostedTrees& trees = companion.forests[f];
    const auto name = [&](const char* what) { return forest_name(prefix, f, what); };
    data.dimension(name("tree"), trees.roots.size());
    data.dimension(name("node"), trees.column.size());
    data.add({name("base"), {}, std::vector<double>{trees.base}, "1", "log odds of the training part", {}});
    data.add({name("root"), {name("tree")}, trees.roots, "1", "first node of each tree", {}});
    data.add({name("column"), {name("node")}, trees.column, "1", "column that a node asks for; -1: a leaf", {}});
    data.add({name("value"), {name("node")}, trees.value, "1", "threshold of a node, or what a leaf adds", {}});
    data.add({name("left"), {name("node")}, trees.left, "1", "node for values below the threshold", {}});
    data.add({name("right"), {name("node")}, trees.right, "1", "node for other values", {}});
    data.add({name("missing_left"), {name("node")}, trees.missing_left, "1", "1: left where there is no value", {}});
  }
}

Companion read_companion(ModelVariables& file, const Dataset& data, const TreeSettings& settings,
                         const Preparation& preparation, const std::string& prefix) {
  Companion companion{settings.columns, settings.share, {}};
  const Index columns = summary_width(static_cast<Index>(preparation.classes.size()),
                                      static_cast<Index>(preparation.features.size()), companion.columns);
  const std::string of_columns = prefix + kSummaryColumns;
  const std::int64_t made_for = data.has(of_columns) ? file.scalar<std::int64_t>(of_columns) : 0;
  if (made_for != columns)
    file.refuse("has trees that ask for ", made_for, " summary numbers, but there are ", columns,
                "; train the model again.");
  for (std::size_t f = 0; f < kForests; ++f) {
    const auto name = [&](const char* what) { return forest_name(prefix, f, what); };
    const auto held = [&](const char* what) { return data.has(name(what)) ? data.at(name(what)).size() : 0; };
    const std::size_t trees = held("root"), nodes = held("column");
    if (static_cast<Index>(trees) != settings.boosting.rounds)
      file.refuse("has ", trees, " trees in forest ", f + 1, ", but its config says ", settings.boosting.rounds,
                  "; train the model again.");
    BoostedTrees& forest = companion.forests.emplace_back();
    forest.columns = columns;
    forest.base = file.scalar<double>(name("base"));
    forest.roots = file.list<std::int64_t>(name("root"), {trees});
    forest.column = file.list<std::int64_t>(name("column"), {nodes});
    forest.value = file.list<float>(name("value"), {nodes});
    forest.left = file.list<std::int64_t>(name("left"), {nodes});
    forest.right = file.list<std::int64_t>(name("right"), {nodes});
    forest.missing_left = file.list<std::uint8_t>(name("missing_left"), {nodes});
    const std::string fault = fault_of(forest, columns);
    if (!fault.empty()) file.refuse("the trees of forest ", f + 1, " do not fit: ", fault, "; train the model again.");
  }
  return companion;
}

}  // namespace fovea::study
