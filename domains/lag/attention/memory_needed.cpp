#include "fovea/domains/lag/attention/memory_needed.hpp"

#include <algorithm>
#include <stdexcept>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/machine/memory_left.hpp"
#include "fovea/core/base/words.hpp"
#include "fovea/domains/lag/attention/columns.hpp"
#include "fovea/domains/lag/attention/links.hpp"
#include "fovea/domains/lag/attention/target.hpp"

namespace fovea::lag::attention {

namespace {

constexpr double kNumber = sizeof(double);
// Bytes, of the program itself with its libraries.
constexpr double kProgram = 6e7;
// Numbers a cell: a regression on the own past has its design, its rests and their transforms; contents are three, and
// three more in panels, beside residuals and what the table is bridged to.
constexpr double kOfCourses = 12, kOfContents = 9;
// Numbers a row, of each thread: a transform of twice to four times the rows, conditions and ranks of one target.
constexpr double kOfThread = 16;
// Of a link: once as it is found, and once as it is tested, by this method and then by its peers, with its place in
// families and pairs; measured on 2000 series of 200 steps.
constexpr double kOfLink = 2.2;
// Numbers of each (effect, cause, lag), as it is found, written and read; no arrays are written where there are more
// (discover/arrays.hpp).
constexpr double kOfCell = 35, kMostWritten = 4e6;
// Heads of a target that are on, each with two numbers a key.
constexpr double kHeads = 4;

}  // namespace

double memory_needed(const TableSize& size, Index threads) {
  const auto of = [](Index count) { return static_cast<double>(count); };
  const double cells = of(size.steps) * of(size.series), keys = of(kContents * size.series * size.lags);
  const double with_present = of(kContents * size.series * (size.lags + 1)),
               tested = of(size.targets) * keys / kContents;
  const double rows = kNumber * kOfThread * of(size.steps) * of(std::min(threads, size.series));
  const bool on_demand = products_on_demand(keys, of(size.steps - size.lags));
  const double products = on_demand ? of(size.steps) * keys : with_present * with_present + keys * keys;
  const double kept = (on_demand ? of(size.steps) : keys) * keys + keys * of(size.series);
  const double heads = 2 * kHeads * kNumber * keys * of(size.series);    // each target's go when its links are there
  const double links = tested + of(size.targets) * of(size.series) / 2;  // and those within a step
  const double link = sizeof(methods::Link) + sizeof(AttentionView) + kNumber;
  const double written = of(size.targets) * of(size.series) * of(size.lags + 1);
  const double results = links * link + (written <= kMostWritten ? kNumber * kOfCell * written : 0);
  const double learning = kNumber * (kOfContents * cells + products);
  const double testing = kNumber * (kOfContents * cells + kept + keys * of(size.series)) +
                         std::max({heads, kOfLink * links * link, results});
  return kProgram + rows + std::max({kNumber * kOfCourses * cells, learning, testing});
}

void check_memory(const TableSize& size, Index threads, double left) {
  const double needed = memory_needed(size, threads);
  if (needed <= left) return;
  throw std::runtime_error(concat(
      "the search for links among ", counted(size.series, "series", "series"), " of ", counted(size.steps, "step"),
      " at ", counted(size.lags, "lag"), " needs about ", memory_text(needed), " of memory, but only ",
      memory_text(left),
      " are left to this process; take fewer series (--columns), effects (--targets) or lags (--max-lag), or raise the "
      "limit."));
}

}  // namespace fovea::lag::attention
