#include "fovea/core/study/trees/companion_file.hpp"

#include <algorithm>

#include "fovea/core/base/error.hpp"
#include "fovea/core/study/trees/tree_rows.hpp"

namespace fovea::study {

namespace {

const char *const kSummaryColumns = "summary_columns", *const kTreeWeights = "tree_weights";

std::string forest_name(const std::string& prefix, std::size_t forest, const char* what) {
  return concat(prefix, "forest_", forest + 1, '_', what);
}

void add_forest(Dataset& data, const BoostedTrees& trees, const std::string& prefix, std::size_t forest) {
  const auto name = [&](const char* what) { return forest_name(prefix, forest, what); };
  data.dimension(name("tree"), trees.roots.size());
  data.dimension(name("node"), trees.column.size());
  data.add({name("base"), {}, std::vector<double>{trees.base}, "1", "answer before any tree", {}});
  data.add({name("root"), {name("tree")}, trees.roots, "1", "first node of each tree", {}});
  data.add({name("column"), {name("node")}, trees.column, "1", "column that a node asks for; -1: a leaf", {}});
  data.add({name("value"), {name("node")}, trees.value, "1", "threshold of a node, or what a leaf adds", {}});
  data.add({name("left"), {name("node")}, trees.left, "1", "node for values below the threshold", {}});
  data.add({name("right"), {name("node")}, trees.right, "1", "node for other values", {}});
  data.add({name("missing_left"), {name("node")}, trees.missing_left, "1", "1: left where there is no value", {}});
}

BoostedTrees read_forest(ModelVariables& file, const Dataset& data, const std::string& prefix, std::size_t f,
                         Index columns, Index wanted) {
  const auto name = [&](const char* what) { return forest_name(prefix, f, what); };
  const auto held = [&](const char* what) { return data.has(name(what)) ? data.at(name(what)).size() : 0; };
  const std::size_t trees = held("root"), nodes = held("column");
  if (static_cast<Index>(trees) != wanted)
    file.refuse("has ", trees, " trees in forest ", f + 1, ", but its config says ", wanted,
                "; train the model again.");
  BoostedTrees forest;
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
  return forest;
}

}  // namespace

std::vector<Companion> kept_companions(const std::string& prefix, const std::string& source,
                                       const TreeSettings& settings, const Target& target, const Cases& cases,
                                       const std::vector<const std::vector<Index>*>& training,
                                       const std::vector<const Preparation*>& preparations, const Random& random,
                                       learning::TrainingSeries& trainings) {
  constexpr std::size_t kTogether = 2;  // four forests: two threads are busy, and little is lost by a stop
  const auto place = [](std::size_t list) { return concat("list_", list + 1, '_'); };
  std::vector<Companion> found;
  for (std::size_t first = 0; first < training.size(); first += kTogether) {
    const std::size_t end = std::min(first + kTogether, training.size());
    const std::string name = concat(prefix, "trees_", first + 1);
    const Dataset kept = trainings.once(name, [&] {
      std::vector<TreeTraining> some;
      for (std::size_t k = first; k < end; ++k)
        some.push_back({training[k], {preparations[k]->target_mean, preparations[k]->target_deviation}});
      const auto made = companions(source, settings, target, cases, some, random);
      Dataset data;
      for (std::size_t k = 0; k < made.size(); ++k) add_companion(data, made[k], place(k));
      return data;
    });
    ModelVariables variables(name, kept);
    for (std::size_t list = first; list < end; ++list)
      found.push_back(read_companion(variables, kept, settings, target, *preparations[list], place(list - first)));
  }
  return found;
}

void add_companion(Dataset& data, const Companion& companion, const std::string& prefix) {
  std::vector<double> weights;
  for (const CompanionPart& part : companion.parts) weights.push_back(part.weight);
  data.add({prefix + kSummaryColumns,
            {},
            std::vector<std::int64_t>{companion.parts.front().trees.front().columns},
            "1",
            "summary numbers that trees ask for",
            {}});
  data.dimension(prefix + "trees", weights.size());
  data.add(
      {prefix + kTreeWeights, {prefix + "trees"}, weights, "1", "weight of each kind of trees in the mixture", {}});
  std::size_t f = 0;
  for (const CompanionPart& part : companion.parts)
    for (const BoostedTrees& trees : part.trees) add_forest(data, trees, prefix, f++);
}

Companion read_companion(ModelVariables& file, const Dataset& data, const TreeSettings& settings, const Target& target,
                         const Preparation& preparation, const std::string& prefix) {
  Companion companion{settings.columns, parts_of(settings)};
  const Index columns =
      tree_columns(target, std::ssize(preparation.classes), std::ssize(preparation.features), companion.columns) +
      (target.rule().tree_questions(target) > 1 ? 1 : 0);
  const std::string of_columns = prefix + kSummaryColumns;
  const std::int64_t made_for = data.has(of_columns) ? file.scalar<std::int64_t>(of_columns) : 0;
  if (made_for != columns)
    file.refuse("has trees that ask for ", made_for, " summary numbers, but there are ", columns,
                "; train the model again.");
  const std::vector<double>& weights = file.list<double>(prefix + kTreeWeights, {companion.parts.size()});
  double sum = 0;
  for (std::size_t p = 0; p < weights.size(); ++p) sum += companion.parts[p].weight = weights[p];
  if (std::any_of(weights.begin(), weights.end(), [](double weight) { return !(weight >= 0); }) || !(sum <= 1 + 1e-9))
    file.refuse("has trees whose weights are not shares of a mixture; train the model again.");
  const auto answers = static_cast<std::size_t>(target.rule().tree_answers(target));
  std::size_t forests = 0;
  while (data.has(forest_name(prefix, forests, "root"))) ++forests;
  const std::size_t once = companion.parts.size() * answers;
  if (forests != once && forests != 2 * once)
    file.refuse("has trees for ", forests, " answers, but ", once, " or ", 2 * once,
                " are needed; train the model again.");
  std::size_t f = 0;
  for (CompanionPart& part : companion.parts) {
    part.at_times = forests == 2 * once;
    const Index most = part.boosted ? settings.boosting.rounds : settings.bagging.trees;
    for (std::size_t k = 0; k < forests / companion.parts.size(); ++k)
      part.trees.push_back(read_forest(file, data, prefix, f++, columns, most));
  }
  return companion;
}

}  // namespace fovea::study
