#include "fovea/core/study/cases/split.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/words.hpp"
#include "fovea/core/statistics/folds.hpp"
#include "fovea/core/study/cases/target_rule.hpp"

namespace fovea::study {

namespace {

const std::array<std::string, 3> kPartNames{"training", "validation", "test"};

Index part_number(const std::string& source, const Cases& cases, std::size_t b) {
  const auto found = std::find(kPartNames.begin(), kPartNames.end(), cases.parts[b]);
  if (found == kPartNames.end())
    throw DataError(concat(source, ": case '", cases.ids[b], "' is in the part '", cases.parts[b],
                           "', but parts are training, validation and test."));
  return found - kPartNames.begin();
}

Split split_of(const std::vector<Index>& part_of_case) {
  Split split;
  const std::array<std::vector<Index>*, 3> parts{&split.training, &split.validation, &split.test};
  for (std::size_t b = 0; b < part_of_case.size(); ++b) parts[part_of_case[b]]->push_back(static_cast<Index>(b));
  return split;
}

/// As the file says; a group on two sides would let the model know its test.
Split given_split(const std::string& source, const Cases& cases) {
  std::vector<Index> part(cases.count());
  const std::vector<Index> groups = group_numbers(cases);
  std::map<Index, std::size_t> first;
  for (std::size_t b = 0; b < part.size(); ++b) {
    part[b] = part_number(source, cases, b);
    const std::size_t before = first.emplace(groups[b], b).first->second;
    if (part[before] != part[b])
      throw DataError(concat(source, ": group '", cases.groups[b], "' is in two parts: case '", cases.ids[before],
                             "' in ", cases.parts[before], ", case '", cases.ids[b], "' in ", cases.parts[b],
                             "; keep it in one."));
  }
  return split_of(part);
}

/// Groups dealt out to as many folds as make the smallest share at least one fold.
Split drawn_split(const Cases& cases, const Target& target, double validation, double test, const Random& random) {
  std::vector<Index> groups = group_numbers(cases);
  const Index different = 1 + *std::max_element(groups.begin(), groups.end());
  const Index folds = std::clamp<Index>(different, 2, kMostFolds);
  const std::vector<Index> fold = group_folds(groups, folds, random, strata_of(cases, target));
  const auto share = [&](double wanted) {
    return std::max<Index>(1, static_cast<Index>(std::lround(wanted * static_cast<double>(folds))));
  };
  const Index last_test = share(test), last_validation = last_test + share(validation);
  std::vector<Index> part;
  for (const Index f : fold) part.push_back(f < last_test ? 2 : f < last_validation ? 1 : 0);
  return split_of(part);
}

}  // namespace

std::vector<Index> strata_of(const Cases& cases, const Target& target) {
  if (target.rule().real() || target.level == TargetLevel::per_token || cases.targets.empty()) return {};
  std::vector<Index> classes;
  for (const double y : cases.targets)
    classes.push_back(std::isnan(y) ? -1 : target.rule().stratum(target, static_cast<Index>(y)));
  return classes;
}

bool has_target(const Cases& cases, const Target& target, const std::vector<Index>& items) {
  for (const Index item : items) {
    const Index first = target.level == TargetLevel::per_case ? item : cases.offsets[item];
    const Index count = target.level == TargetLevel::per_case ? 1 : cases.size(item);
    for (Index i = first; i < first + count; ++i)
      if (!std::isnan(cases.targets[i])) return true;
  }
  return false;
}

void check_target_count(const std::string& source, const Cases& cases, const Target& target) {
  const Index wanted = target.level == TargetLevel::per_case ? cases.count() : cases.tokens();
  if (static_cast<Index>(cases.targets.size()) == wanted) return;
  if (cases.targets.empty())
    throw DataError(
        concat(source, ": its cases have no targets (", target.name,
               "), but training needs them; name the file or the column that has them, see the keys data.*."));
  throw DataError(concat(source, ": has ", cases.targets.size(), " targets, but training needs one for each ",
                         target.level == TargetLevel::per_case ? "case" : "token", ", ", wanted, " in all."));
}

const Keys<SplitSettings>& split_keys() {
  static const auto keys =
      Keys<SplitSettings>()
          .key("split.validation", &SplitSettings::validation, Range::between(0, 0.8), "",
               "validation share of the cases, by group: choice of the epoch, and calibration")
          .key("split.test", &SplitSettings::test, Range::between(0.01, 0.8), "",
               "test share of the cases, by group: evaluation")
          .key("split.folds", &SplitSettings::folds, Range::between(0, static_cast<double>(kMostBlocks)), "",
               "folds of cross-validation, by split.method; 0: one test part, or the folds that the cases name")
          .added_later()
          .choice("split.method", &SplitSettings::method, {{"group", FoldMethod::group}, {"time", FoldMethod::time}},
                  "folds by group, each taught by all others; or blocks in time, each taught by what was known before")
          .added_later()
          .key("split.embargo", &SplitSettings::embargo, Range::at_least(0), "",
               "time before a block, or around a fold that the cases name, whose cases do not teach it; unit of the "
               "times")
          .added_later();
  return keys;
}

void declare_split(Schema& schema) { split_keys().declare(schema); }

void check_split(const Config& config, Complaints& complaints) {
  const auto [validation, test, folds, method, embargo] = split_keys().read(config);
  const bool in_time = method == FoldMethod::time;
  const bool folded = folds >= 2 || in_time || embargo > 0;  // an embargo asks for folds that the cases name
  if (folds == 1)
    complaints.add(config.source("split.folds"),
                   in_time ? "split.folds = 1, but must be 0 or >= 2: one block has none before it to calibrate it."
                           : "split.folds = 1, but must be 0 or >= 2: one fold leaves nothing to learn from.");
  if (folds > kMostFolds && !in_time)
    complaints.add(config.source("split.folds"),
                   concat("split.folds = ", folds, ", but must be at most ", kMostFolds,
                          "; blocks in time (split.method = \"time\") may be ", kMostBlocks, '.'));
  if (validation < 0.01 && !(validation == 0 && folded))
    complaints.add(config.source("split.validation"),
                   concat("split.validation = ", validation, ", but must be >= 0.01",
                          folded ? ", or 0 for a fixed number of epochs." : "; 0 needs split.folds >= 2."));
  if (folded) return;
  if (validation + test > 0.9)
    complaints.add(
        config.source("split.test"),
        "split.validation and split.test together must be at most 0.9, so that a tenth is left for training.");
}

Split split_cases(const std::string& source, const Cases& cases, const Target& target, const SplitSettings& shares,
                  const Random& random) {
  check_target_count(source, cases, target);
  if (shares.embargo > 0)
    throw DataError(
        concat(source, ": split.embargo = ", plain_text(shares.embargo), ", but there are no folds; leave it out."));
  if (cases.count() < 3)
    throw DataError(concat(source, ": has ", cases.count(), " cases, but three parts need at least 3."));
  const Split split = cases.parts.empty() ? drawn_split(cases, target, shares.validation, shares.test, random)
                                          : given_split(source, cases);
  const std::array<const std::vector<Index>*, 3> parts{&split.training, &split.validation, &split.test};
  for (std::size_t p = 0; p < parts.size(); ++p)
    if (!has_target(cases, target, *parts[p]))
      throw DataError(concat(source, std::ssize(cases.reading.files) > 1 ? " and the files beside it" : "", ": the ",
                             kPartNames[p], " part has ", parts[p]->size(),
                             " cases and no known target; there must be at least one",
                             cases.parts.empty() ? ". More groups may be needed." : "."));
  return split;
}

}  // namespace fovea::study
