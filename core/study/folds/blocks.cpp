#include "fovea/core/study/folds/blocks.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/words.hpp"
#include "fovea/core/study/cases/target_rule.hpp"
#include "fovea/core/study/ensemble/fitting.hpp"

namespace fovea::study {

namespace {

constexpr double kForever = std::numeric_limits<double>::infinity();

/// The latest `share` of these cases are for validation; those of one time are on one side.
Split parted_in_time(const std::string& source, const std::vector<Index>& items, const std::vector<double>& asked,
                     double share) {
  if (share == 0 || items.empty()) return {items, {}, {}};
  std::vector<double> times;
  for (const Index item : items) times.push_back(asked[item]);
  std::sort(times.begin(), times.end());
  const auto kept = std::max<Index>(1, static_cast<Index>(std::lround(share * static_cast<double>(times.size()))));
  const double first = times[times.size() - static_cast<std::size_t>(kept)];
  Split split;
  for (const Index item : items) (asked[item] < first ? split.training : split.validation).push_back(item);
  if (split.training.empty())
    throw DataError(concat(source, ": none of the ", items.size(), " cases before a block is asked earlier than ",
                           plain_text(first), ", so none can be kept for validation; set split.validation = 0."));
  return split;
}

std::string different_text(const Target& target, std::size_t count) {
  const auto number = static_cast<Index>(count);
  return target.rule().real() ? counted(number, "value") : counted(number, "class", "classes");
}

/// First and last time of a block.
struct BlockSpan {
  double begin = kForever, last = -kForever;
  Index last_item = 0;
};

std::vector<BlockSpan> spans_of(const std::vector<double>& asked, const std::vector<Index>& block_of_case) {
  std::vector<BlockSpan> spans(1 + *std::max_element(block_of_case.begin(), block_of_case.end()));
  for (std::size_t b = 0; b < asked.size(); ++b) {
    if (block_of_case[b] == kNeverTested) continue;
    BlockSpan& span = spans[block_of_case[b]];
    span.begin = std::min(span.begin, asked[b]);
    if (asked[b] > span.last) span.last = asked[b], span.last_item = static_cast<Index>(b);
  }
  return spans;
}

}  // namespace

std::vector<double> asked_times(const std::string& source, const Cases& cases, const std::string& what) {
  std::vector<double> asked;
  for (Index item = 0; item < cases.count(); ++item) {
    asked.push_back(end_of(cases, item));
    if (std::isnan(asked.back()))
      throw DataError(
          concat(source, ": case '", cases.ids[item], "' has no time at which it is asked, which ", what, " needs."));
  }
  return asked;
}

std::vector<Index> drawn_blocks(const std::string& source, const Cases& cases, Index count) {
  const std::vector<double> asked = asked_times(source, cases, "split.method = \"time\"");
  std::vector<double> times = asked;
  std::sort(times.begin(), times.end());
  std::vector<Index> blocks;
  for (const double time : asked) {
    const Index before = std::lower_bound(times.begin(), times.end(), time) - times.begin();
    blocks.push_back(before * (count + 1) / cases.count() - 1);
  }
  const Index different = std::ssize(std::set<Index>(blocks.begin(), blocks.end()));
  if (different < count + 1) {
    const Index moments = std::ssize(std::set<double>(asked.begin(), asked.end()));
    throw DataError(concat(source, ": its cases are asked at ", counted(moments, "time"), ", so that ", different - 1,
                           " of split.folds = ", count, " blocks have cases behind the first that only teach; ",
                           moments > 2 ? "take fewer blocks." : "use split.method = \"group\"."));
  }
  return blocks;
}

std::size_t different_targets(const Cases& cases, const Target& target, const std::vector<Index>& items) {
  std::set<double> known;
  for (const Index row : target_rows(cases, target, items))
    if (const double y = cases.targets[row]; !std::isnan(y)) known.insert(y);
  return known.size();
}

std::size_t least_targets(const Target& target) { return target.rule().real() ? 1 : 2; }

void check_blocks(const std::string& source, const Cases& cases, const Target& target,
                  const std::vector<Index>& block_of_case) {
  const std::vector<double> asked = asked_times(source, cases, "split.method = \"time\"");
  const std::vector<BlockSpan> spans = spans_of(asked, block_of_case);
  for (std::size_t b = 1; b < spans.size(); ++b)
    if (!(spans[b].begin > spans[b - 1].last))
      throw DataError(concat(source, ": block ", b + 1, " begins at ", time_text(spans[b].begin, cases.time_unit),
                             ", but block ", b, " has case '", cases.ids[spans[b - 1].last_item], "', asked at ",
                             time_text(spans[b - 1].last, cases.time_unit),
                             "; blocks must follow each other in time."));
  std::vector<Index> tested;
  for (std::size_t b = 0; b < asked.size(); ++b)
    if (block_of_case[b] != kNeverTested) tested.push_back(static_cast<Index>(b));
  if (const std::size_t found = different_targets(cases, target, tested); found < least_targets(target))
    throw DataError(concat(source, ": its ", tested.size(), " cases in blocks have known targets of ",
                           different_text(target, found), ", but need ", least_targets(target), '.'));
}

Split split_of_block(const std::string& source, const Cases& cases, const Target& target, const SplitSettings& wanted,
                     const std::vector<Index>& block_of_case, Index block) {
  const std::vector<double> asked = asked_times(source, cases, "split.method = \"time\"");
  const std::vector<double>& known = cases.known.empty() ? asked : cases.known;
  const std::vector<BlockSpan> spans = spans_of(asked, block_of_case);
  const bool last = block == std::ssize(spans);
  const double begin = last ? kForever : spans[block].begin;
  std::vector<Index> before, calibration, test;
  for (Index item = 0; item < cases.count(); ++item) {
    const bool by_then = last || known[item] <= begin;
    if (by_then && asked[item] < begin - wanted.embargo && has_target(cases, target, {item})) before.push_back(item);
    if (by_then && block_of_case[item] != kNeverTested && block_of_case[item] < block) calibration.push_back(item);
    if (block_of_case[item] == block) test.push_back(item);
  }
  Split split = parted_in_time(source, before, asked, wanted.validation);
  split.test = std::move(test);
  split.calibration = std::move(calibration);
  if (const std::size_t found = different_targets(cases, target, split.training); found < least_targets(target))
    throw DataError(concat(source, ": block ", block + 1, " learns from ", counted(std::ssize(split.training), "case"),
                           ", whose targets, known when it begins at ", time_text(begin, cases.time_unit), ", are of ",
                           different_text(target, found), ", but must be of ", least_targets(target),
                           cases.folds.empty() ? "; take fewer blocks" : "; let it begin later",
                           wanted.embargo > 0 ? ", or a shorter split.embargo." : "."));
  return split;
}

}  // namespace fovea::study
