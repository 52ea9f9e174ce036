#include "fovea/domains/fusion/gapfill/gaps.hpp"

#include <algorithm>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/parallel.hpp"
#include "fovea/datasets/text/csv.hpp"

namespace fovea::fusion::gapfill {

namespace {

std::size_t at(Index i) { return i; }

/// The dates that may be seen on one side, nearest first.
std::vector<Index> candidates(const ImageStack& stack, Index date, double away_days, double least_clear, bool later) {
  std::vector<Index> dates;
  for (Index d = 0; d < stack.dates(); ++d) {
    const double days = stack.days[at(d)] - stack.days[at(date)];
    const bool apart = later ? days > away_days : -days > away_days;
    if (d != date && apart && stack.clear_share(d) >= least_clear) dates.push_back(d);
  }
  if (!later) std::reverse(dates.begin(), dates.end());
  return dates;
}

Index first_usable(const std::vector<Index>& dates, const std::vector<Flags>& usable, Index pixel) {
  for (const Index d : dates)
    if (usable[at(d)][at(pixel)] != 0) return d;
  return -1;
}

Frame empty_frame(const ImageStack& stack) {
  const Matrix<float> none = Matrix<float>::Zero(stack.pixels(), std::ssize(stack.bands));
  return {none, none, std::vector<float>(at(stack.pixels()), 0), Flags(at(stack.pixels()), 0)};
}

void put_pixel(const ImageStack& stack, Index date, Index before, Index after, Index pixel, Frame& frame) {
  if (before < 0) before = after;
  if (after < 0) after = before;
  if (before < 0) return;
  const double span = stack.days[at(after)] - stack.days[at(before)];
  frame.before.row(pixel) = stack.images[at(before)].row(pixel);
  frame.after.row(pixel) = stack.images[at(after)].row(pixel);
  frame.share[at(pixel)] = span > 0 ? static_cast<float>((stack.days[at(date)] - stack.days[at(before)]) / span) : 0.0F;
  frame.known[at(pixel)] = 1;
}

/// A date's number in a table.
Index date_in(const datasets::text::CsvReader& csv, const char* column, const ImageStack& stack) {
  const std::size_t place = csv.column(column);
  const std::int64_t date = csv.whole(place);
  if (date < 0 || date >= stack.dates())
    csv.refuse(place, concat("is date ", date, ", but ", stack.source, " has the dates 0 to ", stack.dates() - 1, "."));
  return static_cast<Index>(date);
}

bool hides_something(const ImageStack& stack, const GapTask& task) {
  bool scored = false, seen = false;
  for (Index i = 0; i < stack.pixels(); ++i) {
    const bool clear = stack.clear[at(task.target)][at(i)] != 0 && stack.clear[at(task.before)][at(i)] != 0 &&
                       stack.clear[at(task.after)][at(i)] != 0;
    (stack.clear[at(task.mask)][at(i)] != 0 ? seen : scored) |= clear;
  }
  return scored && seen;
}

bool masks_well(const ImageStack& stack, Index date, const GapRules& rules) {
  const double hidden = 1 - stack.clear_share(date);
  return hidden >= rules.least_hidden && hidden <= rules.most_hidden;
}

}  // namespace

Matrix<float> Frame::interpolated() const {
  Matrix<float> values = before;
  for (Index i = 0; i < values.rows(); ++i) {
    const float part = share[at(i)];
    values.row(i) = (1 - part) * before.row(i) + part * after.row(i);
  }
  return values;
}

Matrix<float> Frame::nearest() const {
  Matrix<float> values = before;
  for (Index i = 0; i < values.rows(); ++i)
    if (share[at(i)] > 0.5F) values.row(i) = after.row(i);
  return values;
}

Frame frame_between(const ImageStack& stack, Index date, Index before, Index after, const std::vector<Flags>& usable) {
  Frame frame = empty_frame(stack);
  for (Index i = 0; i < stack.pixels(); ++i)
    if (usable[at(before)][at(i)] != 0 && usable[at(after)][at(i)] != 0)
      put_pixel(stack, date, before, after, i, frame);
  return frame;
}

Frame nearest_frame(const ImageStack& stack, Index date, const std::vector<Flags>& usable, double away_days,
                    double least_clear) {
  const std::vector<Index> earlier = candidates(stack, date, away_days, least_clear, false),
                           later = candidates(stack, date, away_days, least_clear, true);
  Frame frame = empty_frame(stack);
  for_each_task(
      stack.pixels(), true,
      [&](Index i) {
        put_pixel(stack, date, first_usable(earlier, usable, i), first_usable(later, usable, i), i, frame);
      },
      256);
  return frame;
}

std::vector<GapTask> read_tasks(const std::string& path, const ImageStack& stack) {
  datasets::text::CsvReader csv(path);
  std::vector<GapTask> tasks;
  while (csv.next()) {
    const GapTask task{date_in(csv, "target", stack), date_in(csv, "mask_source", stack), date_in(csv, "prev", stack),
                       date_in(csv, "next", stack)};
    if (task.before >= task.target)
      csv.refuse(csv.column("prev"),
                 concat("is date ", task.before, ", but must lie before the target, ", task.target, "."));
    if (task.after <= task.target)
      csv.refuse(csv.column("next"),
                 concat("is date ", task.after, ", but must lie after the target, ", task.target, "."));
    if (!hides_something(stack, task))
      csv.refuse(
          csv.column("mask_source"),
          concat("is date ", task.mask, ", which hides all or nothing of what is clear in target, prev and next; ",
                 "name one with some clouds."));
    tasks.push_back(task);
  }
  if (tasks.empty()) throw DataError(concat(path, ": has no task; give at least one row."));
  return tasks;
}

std::vector<Hole> cut_holes(const ImageStack& stack, const std::vector<Flags>& usable, Index each,
                            const GapRules& rules, const Random& random) {
  std::vector<Index> masks;
  for (Index d = 0; d < stack.dates(); ++d)
    if (masks_well(stack, d, rules)) masks.push_back(d);
  std::vector<Hole> holes;
  for (Index target = 0; target < stack.dates() && !masks.empty(); ++target) {
    if (stack.clear_share(target) < rules.least_clear) continue;
    Index cut = 0;
    for (std::uint64_t draw = 0; draw < 4 * masks.size() && cut < each; ++draw) {
      Hole hole{target, masks[random.below(masks.size(), static_cast<std::uint64_t>(target), draw)], {}, {}};
      for (Index i = 0; i < stack.pixels(); ++i)
        if (usable[at(target)][at(i)] != 0)
          (stack.clear[at(hole.mask)][at(i)] != 0 ? hole.visible : hole.hidden).push_back(i);
      if (std::min(std::ssize(hole.hidden), std::ssize(hole.visible)) < rules.least_pixels || hole.mask == target)
        continue;
      holes.push_back(std::move(hole));
      ++cut;
    }
  }
  return holes;
}

std::vector<GapTask> made_tasks(const ImageStack& stack, const GapRules& rules, const Random& random) {
  std::vector<GapTask> tasks;
  Index number = 0;
  for (const Hole& hole : cut_holes(stack, stack.clear, 1, rules, random))
    if (number++ % 3 == 1) tasks.push_back({hole.target, hole.mask, -1, -1});
  return tasks;
}

std::vector<Flags> visible_without(const ImageStack& stack, const std::vector<GapTask>& tasks) {
  std::vector<Flags> visible = stack.clear;
  for (const GapTask& task : tasks)
    for (Index i = 0; i < stack.pixels(); ++i)
      if (stack.clear[at(task.mask)][at(i)] == 0) visible[at(task.target)][at(i)] = 0;
  return visible;
}

}  // namespace fovea::fusion::gapfill
