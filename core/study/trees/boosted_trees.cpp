#include "fovea/core/study/trees/boosted_trees.hpp"

#include <xgboost/c_api.h>

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "fovea/core/base/error.hpp"
#include "fovea/core/study/trees/bagged_trees.hpp"

namespace fovea::study {

namespace {

void succeed(int code) { require(code == 0, "boosted_trees: XGBoost refuses: ", XGBGetLastError()); }

/// The rows as XGBoost keeps them.
class TrainingRows {
 public:
  TrainingRows(const Matrix<float>& rows, std::span<const float> outcomes, std::span<const float> weights) {
    succeed(XGDMatrixCreateFromMat_omp(rows.data(), static_cast<bst_ulong>(rows.rows()),
                                       static_cast<bst_ulong>(rows.cols()), std::numeric_limits<float>::quiet_NaN(),
                                       &handle_, 1));
    succeed(XGDMatrixSetFloatInfo(handle_, "label", outcomes.data(), outcomes.size()));
    if (!weights.empty()) succeed(XGDMatrixSetFloatInfo(handle_, "weight", weights.data(), weights.size()));
  }
  /// Where boosting begins: an entry a row, or a row and class.
  void begin_at(const std::vector<float>& margins) {
    succeed(XGDMatrixSetFloatInfo(handle_, "base_margin", margins.data(), margins.size()));
  }
  TrainingRows(const TrainingRows&) = delete;
  TrainingRows& operator=(const TrainingRows&) = delete;
  ~TrainingRows() { XGDMatrixFree(handle_); }
  DMatrixHandle handle() const { return handle_; }

 private:
  DMatrixHandle handle_ = nullptr;
};

class Booster {
 public:
  explicit Booster(const TrainingRows& rows) {
    const DMatrixHandle cached = rows.handle();
    succeed(XGBoosterCreate(&cached, 1, &handle_));
  }
  Booster(const Booster&) = delete;
  Booster& operator=(const Booster&) = delete;
  ~Booster() { XGBoosterFree(handle_); }
  void set(const char* name, const std::string& value) { succeed(XGBoosterSetParam(handle_, name, value.c_str())); }
  void grow(const TrainingRows& rows, Index rounds) {
    for (Index i = 0; i < rounds; ++i) succeed(XGBoosterUpdateOneIter(handle_, static_cast<int>(i), rows.handle()));
  }
  nlohmann::json model() const {
    bst_ulong length = 0;
    const char* text = nullptr;
    succeed(XGBoosterSaveModelToBuffer(handle_, R"({"format": "json"})", &length, &text));
    return nlohmann::json::parse(text, text + length);
  }

 private:
  BoosterHandle handle_ = nullptr;
};

/// What boosting and bagging have in common.
void configure(Booster& booster, const char* objective, double base, Index leaves, std::uint64_t seed) {
  constexpr std::uint64_t kSeeds = 1ULL << 31;
  booster.set("objective", objective);
  booster.set("tree_method", "hist");
  booster.set("max_bin", "64");
  booster.set("grow_policy", "lossguide");
  booster.set("max_depth", "0");
  booster.set("max_leaves", concat(leaves));
  booster.set("base_score", concat(base));
  booster.set("seed", concat(seed % kSeeds));
  booster.set("seed_per_iteration", "1");  // so that nothing depends on what the thread did before
  booster.set("nthread", "1");
  booster.set("verbosity", "0");
}

void configure(Booster& booster, const char* objective, double base, const BoostingSettings& settings,
               std::uint64_t seed) {
  configure(booster, objective, base, settings.leaves, seed);
  booster.set("eta", concat(settings.learning_rate));
  booster.set("lambda", concat(settings.penalty));
  booster.set("min_child_weight", concat(settings.least_weight));
  booster.set("subsample", concat(settings.row_share));
  booster.set("colsample_bytree", concat(settings.column_share));
}

void configure(Booster& booster, const BaggingSettings& settings, std::uint64_t seed) {
  configure(booster, "reg:squarederror", 0, settings.leaves, seed);
  booster.set("num_parallel_tree", concat(settings.trees));
  booster.set("eta", "1");
  booster.set("lambda", concat(settings.penalty));
  booster.set("min_child_weight", concat(settings.least_weight));
  booster.set("subsample", concat(settings.row_share));
  booster.set("colsample_bynode", concat(settings.column_share));
}

/// Appends a tree as XGBoost writes it: children of a leaf are -1, and its value stands among the thresholds.
void append(BoostedTrees& trees, const nlohmann::json& tree) {
  const auto first = static_cast<std::int64_t>(trees.column.size());
  trees.roots.push_back(first);
  const auto left = tree.at("left_children").get<std::vector<std::int64_t>>();
  const auto right = tree.at("right_children").get<std::vector<std::int64_t>>();
  const auto column = tree.at("split_indices").get<std::vector<std::int64_t>>();
  const auto value = tree.at("split_conditions").get<std::vector<float>>();
  const auto missing_left = tree.at("default_left").get<std::vector<int>>();
  for (std::size_t k = 0; k < left.size(); ++k) {
    const bool leaf = left[k] < 0;
    trees.column.push_back(leaf ? -1 : column[k]);
    trees.value.push_back(value[k]);
    trees.left.push_back(leaf ? 0 : first + left[k]);
    trees.right.push_back(leaf ? 0 : first + right[k]);
    trees.missing_left.push_back(leaf || missing_left[k] == 0 ? 0 : 1);
  }
}

BoostedTrees trees_of(const Booster& booster, double base, Index columns) {
  BoostedTrees trees;
  trees.base = base;
  trees.columns = columns;
  const nlohmann::json model = booster.model();
  for (const nlohmann::json& tree : model.at("learner").at("gradient_booster").at("model").at("trees"))
    append(trees, tree);
  return trees;
}

/// The trees of each class, in whose order they were grown round by round.
std::vector<BoostedTrees> trees_of_classes(const Booster& booster, std::span<const double> bases, Index columns) {
  std::vector<BoostedTrees> of_classes(bases.size());
  for (std::size_t c = 0; c < bases.size(); ++c) of_classes[c].base = bases[c], of_classes[c].columns = columns;
  const nlohmann::json model = booster.model();
  const nlohmann::json& grown = model.at("learner").at("gradient_booster").at("model");
  const auto owner = grown.at("tree_info").get<std::vector<std::size_t>>();
  for (std::size_t k = 0; k < owner.size(); ++k) append(of_classes[owner[k]], grown.at("trees")[k]);
  return of_classes;
}

double weight_of(std::span<const float> weights, std::size_t row) {
  return weights.empty() ? 1 : static_cast<double>(weights[row]);
}

void check_lengths(const char* who, const Matrix<float>& rows, std::span<const float> outcomes,
                   std::span<const float> weights) {
  require(rows.rows() == static_cast<Index>(outcomes.size()) && (weights.empty() || weights.size() == outcomes.size()),
          who, ": there are ", rows.rows(), " rows, ", outcomes.size(), " outcomes and ", weights.size(),
          " weights; there must be as many of each.");
}

/// The weighted mean of finite targets.
double mean_of(const char* who, std::span<const float> targets, std::span<const float> weights) {
  double sum = 0, all = 0;
  for (std::size_t i = 0; i < targets.size(); ++i) {
    require(std::isfinite(targets[i]), who, ": a target is ", targets[i], ", but must be finite.");
    sum += weight_of(weights, i) * static_cast<double>(targets[i]), all += weight_of(weights, i);
  }
  require(all > 0, who, ": the weights of the rows add up to ", all, ", but must add up to more than 0.");
  return sum / all;
}

/// log of the share of each class, of one that does not occur as if half a row had it.
std::vector<double> log_shares(std::span<const float> outcomes, std::span<const float> weights, Index classes) {
  std::vector<double> shares(classes, 0.0);
  double all = 0;
  for (std::size_t i = 0; i < outcomes.size(); ++i) {
    const auto code = static_cast<Index>(outcomes[i]);
    require(code >= 0 && code < classes && static_cast<float>(code) == outcomes[i], "boosted_classes: an outcome is ",
            outcomes[i], ", but must be a class from 0 to ", classes - 1, ".");
    shares[code] += weight_of(weights, i), all += weight_of(weights, i);
  }
  require(all > 0, "boosted_classes: the weights of the rows add up to ", all, ", but must add up to more than 0.");
  for (double& share : shares) share = std::log((share > 0 ? share : 0.5) / all);
  return shares;
}

/// Trees of what the targets lack to their mean.
template <typename Configure>
BoostedTrees grown_on_numbers(const char* who, const Matrix<float>& rows, std::span<const float> targets,
                              std::span<const float> weights, Index rounds, const Configure& configure_booster) {
  check_lengths(who, rows, targets, weights);
  const double base = mean_of(who, targets, weights);
  std::vector<float> left;
  for (const float target : targets) left.push_back(static_cast<float>(static_cast<double>(target) - base));
  const TrainingRows training(rows, left, weights);
  Booster booster(training);
  configure_booster(booster);
  booster.grow(training, rounds);
  return trees_of(booster, base, rows.cols());
}

double share_of_ones(std::span<const float> outcomes, std::span<const float> weights) {
  double ones = 0, all = 0;
  for (std::size_t i = 0; i < outcomes.size(); ++i) {
    const double weight = weight_of(weights, i);
    require(outcomes[i] == 0 || outcomes[i] == 1, "boosted_trees: an outcome is ", outcomes[i],
            ", but must be 0 or 1.");
    ones += weight * static_cast<double>(outcomes[i]);
    all += weight;
  }
  require(ones > 0 && ones < all, "boosted_trees: outcomes of 0 and of 1 must occur, but one of them does not.");
  return ones / all;
}

}  // namespace

double BoostedTrees::log_odds(const float* row) const {
  double sum = base;
  for (const std::int64_t root : roots) {
    std::size_t node = root;
    while (column[node] >= 0) {
      const float x = row[column[node]];
      const bool goes_left = std::isnan(x) ? missing_left[node] == 1 : x < value[node];
      node = goes_left ? left[node] : right[node];
    }
    sum += static_cast<double>(value[node]);
  }
  return sum;
}

BoostedTrees boosted_trees(const Matrix<float>& rows, std::span<const float> outcomes, std::span<const float> weights,
                           const BoostingSettings& settings, std::uint64_t seed) {
  check_lengths("boosted_trees", rows, outcomes, weights);
  const double share = share_of_ones(outcomes, weights);
  const TrainingRows training(rows, outcomes, weights);
  Booster booster(training);
  configure(booster, "binary:logistic", share, settings, seed);
  booster.grow(training, settings.rounds);
  return trees_of(booster, std::log(share / (1 - share)), rows.cols());
}

std::vector<BoostedTrees> boosted_classes(const Matrix<float>& rows, std::span<const float> outcomes,
                                          std::span<const float> weights, Index classes,
                                          const BoostingSettings& settings, std::uint64_t seed,
                                          std::vector<float> margins) {
  check_lengths("boosted_classes", rows, outcomes, weights);
  std::vector<double> bases = log_shares(outcomes, weights, classes);
  if (margins.empty()) {
    for (Index i = 0; i < rows.rows(); ++i)
      for (const double base : bases) margins.push_back(static_cast<float>(base));
  } else {
    require(std::ssize(margins) == rows.rows() * classes, "boosted_classes: there are ", margins.size(),
            " margins for ", rows.rows(), " rows and ", classes, " classes; one of each row and class is needed.");
    bases.assign(bases.size(), 0.0);
  }
  TrainingRows training(rows, outcomes, weights);
  training.begin_at(margins);
  Booster booster(training);
  configure(booster, "multi:softprob", 0.5, settings, seed);
  booster.set("num_class", concat(classes));
  booster.grow(training, settings.rounds);
  return trees_of_classes(booster, bases, rows.cols());
}

BoostedTrees boosted_number(const Matrix<float>& rows, std::span<const float> outcomes, std::span<const float> weights,
                            const BoostingSettings& settings, std::uint64_t seed) {
  return grown_on_numbers("boosted_number", rows, outcomes, weights, settings.rounds,
                          [&](Booster& booster) { configure(booster, "reg:squarederror", 0, settings, seed); });
}

BoostedTrees bagged_trees(const Matrix<float>& rows, std::span<const float> targets, std::span<const float> weights,
                          const BaggingSettings& settings, std::uint64_t seed) {
  return grown_on_numbers("bagged_trees", rows, targets, weights, 1,
                          [&](Booster& booster) { configure(booster, settings, seed); });
}

std::string fault_of(const BoostedTrees& trees, Index columns) {
  const std::size_t nodes = trees.column.size();
  if (trees.value.size() != nodes || trees.left.size() != nodes || trees.right.size() != nodes ||
      trees.missing_left.size() != nodes)
    return "their arrays differ in length";
  if (trees.columns != columns || !std::isfinite(trees.base)) return "they are for other columns";
  for (std::size_t k = 0; k < trees.roots.size(); ++k)
    if (trees.roots[k] < 0 || trees.roots[k] >= std::ssize(trees.column)) return "a root is no node";
  for (std::size_t k = 0; k < nodes; ++k) {
    if (!std::isfinite(trees.value[k])) return "a threshold or a leaf is not finite";
    if (trees.column[k] < -1 || trees.column[k] >= columns) return "a column is not one of a row";
    if (trees.column[k] == -1) continue;
    for (const std::int64_t child : {trees.left[k], trees.right[k]})
      if (child <= static_cast<std::int64_t>(k) || child >= std::ssize(trees.column))
        return "a child does not stand behind its node";
  }
  return "";
}

}  // namespace fovea::study
