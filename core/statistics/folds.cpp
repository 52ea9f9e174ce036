#include "fovea/core/statistics/folds.hpp"

#include <algorithm>
#include <map>

#include "fovea/core/base/error.hpp"

namespace fovea {

namespace {

/// Numbers 0, 1, 2, ... for the different labels, in ascending order of the labels.
std::vector<std::size_t> compact_labels(std::span<const Index> labels, std::size_t& count) {
  std::map<Index, std::size_t> number;
  for (const Index label : labels) number.emplace(label, 0);
  count = 0;
  for (auto& [label, k] : number) k = count++;
  std::vector<std::size_t> numbers;
  for (const Index label : labels) numbers.push_back(number.at(label));
  return numbers;
}

struct FoldGroup {
  std::size_t number = 0;
  Index size = 0;
  std::uint64_t lot = 0;               ///< decides between groups of equal size
  std::vector<double> share_of_class;  ///< of all examples of the class
};

std::vector<FoldGroup> groups_by_size(const std::vector<std::size_t>& group, std::size_t groups,
                                      const std::vector<std::size_t>& classes, std::size_t class_count,
                                      const Random& random) {
  std::vector<double> of_class(class_count);
  for (const std::size_t c : classes) of_class[c] += 1;
  std::vector<FoldGroup> list(groups);
  for (std::size_t g = 0; g < groups; ++g) list[g] = {g, 0, random.bits(g), std::vector<double>(class_count)};
  for (std::size_t i = 0; i < group.size(); ++i) {
    ++list[group[i]].size;
    list[group[i]].share_of_class[classes[i]] += 1 / of_class[classes[i]];
  }
  std::sort(list.begin(), list.end(), [](const FoldGroup& a, const FoldGroup& b) {
    return a.size != b.size ? a.size > b.size : std::pair(a.lot, a.number) < std::pair(b.lot, b.number);
  });
  return list;
}

struct Fold {
  Index size = 0;
  std::vector<double> share_of_class;
};

/// How much the fold has already of what the group brings.
double overlap(const Fold& fold, const FoldGroup& group) {
  double sum = 0;
  for (std::size_t c = 0; c < group.share_of_class.size(); ++c) sum += fold.share_of_class[c] * group.share_of_class[c];
  return sum;
}

}  // namespace

std::vector<Index> group_folds(std::span<const Index> groups, Index folds, const Random& random,
                               std::span<const Index> classes) {
  require(folds >= 2, "group_folds: folds = ", folds, ", but must be >= 2.");
  require(classes.empty() || classes.size() == groups.size(), "group_folds: there are ", groups.size(),
          " examples but ", classes.size(), " classes; each needs one, or none has.");
  std::size_t group_count = 0, class_count = 1;
  const std::vector<std::size_t> group = compact_labels(groups, group_count);
  require(static_cast<Index>(group_count) >= folds, "group_folds: there are ", group_count, " groups for ", folds,
          " folds; each fold needs at least one group.");
  const std::vector<std::size_t> class_of =
      classes.empty() ? std::vector<std::size_t>(groups.size()) : compact_labels(classes, class_count);
  std::vector<Fold> filled(folds, Fold{0, std::vector<double>(class_count)});
  std::vector<Index> fold_of_group(group_count);
  for (const FoldGroup& next : groups_by_size(group, group_count, class_of, class_count, random.stream("folds"))) {
    const auto best = std::min_element(filled.begin(), filled.end(), [&](const Fold& a, const Fold& b) {
      const double left = class_count > 1 ? overlap(a, next) : 0, right = class_count > 1 ? overlap(b, next) : 0;
      return left != right ? left < right : a.size < b.size;
    });
    best->size += next.size;
    for (std::size_t c = 0; c < class_count; ++c) best->share_of_class[c] += next.share_of_class[c];
    fold_of_group[next.number] = static_cast<Index>(best - filled.begin());
  }
  std::vector<Index> fold_of_example;
  for (const std::size_t g : group) fold_of_example.push_back(fold_of_group[g]);
  return fold_of_example;
}

FoldSplit split_of_fold(std::span<const Index> fold_of_example, Index fold) {
  FoldSplit split;
  for (std::size_t i = 0; i < fold_of_example.size(); ++i)
    (fold_of_example[i] == fold ? split.validation : split.training).push_back(static_cast<Index>(i));
  return split;
}

}  // namespace fovea
