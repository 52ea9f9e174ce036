#include "fovea/core/study/folds/folds.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/words.hpp"
#include "fovea/core/statistics/folds.hpp"
#include "fovea/core/study/cases/target_rule.hpp"
#include "fovea/core/study/ensemble/fitting.hpp"
#include "fovea/core/study/folds/blocks.hpp"

namespace fovea::study {

namespace {

void check_groups_of_folds(const std::string& source, const Cases& cases) {
  const std::vector<Index> groups = group_numbers(cases);
  std::map<Index, std::size_t> first;
  for (std::size_t b = 0; b < groups.size(); ++b) {
    const std::size_t before = first.emplace(groups[b], b).first->second;
    if (cases.folds[before] != cases.folds[b])
      throw DataError(concat(source, ": group '", cases.groups[b], "' is in two folds: case '", cases.ids[before],
                             "' in ", cases.folds[before], ", case '", cases.ids[b], "' in ", cases.folds[b],
                             "; keep it in one."));
  }
}

std::vector<Index> given_folds(const std::string& source, const Cases& cases, const SplitSettings& wanted) {
  std::set<Index> different(cases.folds.begin(), cases.folds.end());
  different.erase(kNeverTested);
  const auto count = static_cast<Index>(different.size());
  const Index most = wanted.method == FoldMethod::time ? kMostBlocks : kMostFolds;
  if (count < 2 || count > most)
    throw DataError(concat(source, ": its cases are in ", count, " folds, but there must be 2 to ", most, "."));
  if (wanted.folds != 0 && wanted.folds != count)
    throw DataError(concat(source, ": its cases are in ", count, " folds, but split.folds is ", wanted.folds,
                           "; set it to ", count, " or leave it out."));
  std::vector<Index> folds;
  for (const Index fold : cases.folds)
    folds.push_back(fold == kNeverTested ? kNeverTested
                                         : static_cast<Index>(std::distance(different.begin(), different.find(fold))));
  return folds;
}

std::vector<Index> drawn_folds(const std::string& source, const Cases& cases, const Target& target,
                               const SplitSettings& wanted, const Random& random) {
  const Index count = wanted.folds;
  if (wanted.embargo > 0)
    throw DataError(concat(source, ": split.embargo = ", plain_text(wanted.embargo),
                           " needs folds that the cases name, or split.method = \"time\"; leave it out."));
  const std::vector<Index> groups = group_numbers(cases);
  const Index different = groups.empty() ? 0 : 1 + *std::max_element(groups.begin(), groups.end());
  if (different < count)
    throw DataError(concat(source, ": has ", different, " groups, but split.folds = ", count,
                           " needs at least as many; take fewer folds."));
  return group_folds(groups, count, random, strata_of(cases, target));
}

void check_fold(const std::string& source, const Cases& cases, const Target& target,
                const std::vector<Index>& fold_of_case, Index fold) {
  const std::vector<Index> items = fovea::split_of_fold(fold_of_case, fold).validation;
  const std::size_t found = different_targets(cases, target, items), least = least_targets(target);
  if (found >= least) return;
  throw DataError(concat(source, ": fold ", fold + 1, " has ", items.size(), " cases with known targets of ", found,
                         target.rule().real() ? " values" : " classes", ", but needs ", least,
                         cases.folds.empty() ? "; take fewer folds." : "."));
}

/// Without those that are asked within the embargo of the fold's first and last time, or between them.
std::vector<Index> outside_embargo(const std::string& source, const Cases& cases, const std::vector<Index>& others,
                                   const std::vector<Index>& fold, double embargo) {
  if (embargo == 0 || fold.empty()) return others;
  const std::vector<double> asked = asked_times(source, cases, "split.embargo");
  double first = asked[fold[0]], last = first;
  for (const Index item : fold) first = std::min(first, asked[item]), last = std::max(last, asked[item]);
  std::vector<Index> kept;
  for (const Index item : others)
    if (asked[item] < first - embargo || asked[item] > last + embargo) kept.push_back(item);
  return kept;
}

/// Some of these cases for validation, by group, classes spread evenly.
Split parted(const std::string& source, const Cases& cases, const Target& target, const std::vector<Index>& items,
             double share, const Random& random) {
  if (share == 0) return {items, {}, {}};
  const std::vector<Index> all_groups = group_numbers(cases), all_strata = strata_of(cases, target);
  std::vector<Index> groups, strata;
  for (const Index item : items) {
    groups.push_back(all_groups[item]);
    if (!all_strata.empty()) strata.push_back(all_strata[item]);
  }
  const auto different = static_cast<Index>(std::set<Index>(groups.begin(), groups.end()).size());
  if (different < 2)
    throw DataError(concat(source, ": the cases outside a fold are of ", different,
                           " group, so none can be kept for validation; set split.validation = 0."));
  const Index parts = std::min(different, kMostFolds);
  const auto kept = std::max<Index>(1, static_cast<Index>(std::lround(share * static_cast<double>(parts))));
  const std::vector<Index> part = group_folds(groups, parts, random, strata);
  Split split;
  for (std::size_t k = 0; k < items.size(); ++k)
    (part[k] < kept ? split.validation : split.training).push_back(items[k]);
  return split;
}

}  // namespace

bool has_folds(const SplitSettings& wanted, const Cases& cases) {
  return !cases.folds.empty() || wanted.folds >= 2 || wanted.method == FoldMethod::time;
}

std::vector<Index> folds_of(const std::string& source, const Cases& cases, const Target& target,
                            const SplitSettings& wanted, const Random& random) {
  check_target_count(source, cases, target);
  const bool in_time = wanted.method == FoldMethod::time;
  if (in_time && cases.folds.empty() && wanted.folds < 2)
    throw DataError(concat(source, ": split.folds = ", wanted.folds,
                           ", but split.method = \"time\" needs 2 blocks or more, or cases that name them."));
  if (!cases.folds.empty() && !in_time) check_groups_of_folds(source, cases);
  std::vector<Index> folds = !cases.folds.empty() ? given_folds(source, cases, wanted)
                             : in_time            ? drawn_blocks(source, cases, wanted.folds)
                                                  : drawn_folds(source, cases, target, wanted, random);
  if (in_time) {
    check_blocks(source, cases, target, folds);
    return folds;
  }
  const Index count = 1 + *std::max_element(folds.begin(), folds.end());
  for (Index fold = 0; fold < count; ++fold) check_fold(source, cases, target, folds, fold);
  return folds;
}

Split split_of_fold(const std::string& source, const Cases& cases, const Target& target, const SplitSettings& wanted,
                    const std::vector<Index>& fold_of_case, Index fold, const Random& random) {
  if (wanted.method == FoldMethod::time) return split_of_block(source, cases, target, wanted, fold_of_case, fold);
  const FoldSplit sides = fovea::split_of_fold(fold_of_case, fold);
  const std::vector<Index> others = outside_embargo(source, cases, sides.training, sides.validation, wanted.embargo);
  Split split =
      parted(source, cases, target, others, wanted.validation, random.stream(concat("validation of fold ", fold + 1)));
  split.test = sides.validation;
  std::copy_if(others.begin(), others.end(), std::back_inserter(split.calibration),
               [&](Index item) { return fold_of_case[item] != kNeverTested; });
  if (!has_target(cases, target, split.training))
    throw DataError(concat(source, ": what fold ", fold + 1, " learns from has no known target."));
  return split;
}

}  // namespace fovea::study
