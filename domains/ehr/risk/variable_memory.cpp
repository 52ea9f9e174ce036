#include "fovea/domains/ehr/risk/variable_memory.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "fovea/core/base/missing.hpp"
#include "fovea/core/base/moments.hpp"

namespace fovea::ehr::risk {

namespace {

constexpr double kFirstEdge = 1.0 / 96;  // of the window: half an hour of two days
constexpr std::size_t kBins = 14;        // beyond the window
constexpr Index kPairsOfValue = 50;

/// Sums over the pairs whose age lies in a bin.
struct Bin {
  double products = 0, squares = 0, ages = 0, pairs = 0;
  double correlation() const { return products / squares; }
  double age() const { return ages / pairs; }
};

struct Pairs {
  std::vector<double> gaps;
  Index stays = 0;  ///< that have a gap
  std::array<Bin, kBins> bins{};
};

void add_pair(double age, double first_edge, double a, double b, Pairs& pairs) {
  const double place = age < first_edge ? 0 : 1 + std::floor(std::log2(age / first_edge));
  if (place >= static_cast<double>(kBins)) return;
  Bin& bin = pairs.bins[static_cast<std::size_t>(place)];
  bin.products += a * b;
  bin.squares += (a * a + b * b) / 2;
  bin.ages += age;
  ++bin.pairs;
}

/// The pairs of one stay and class: tokens [first, end), in the order of time.
void add_stay(const study::Cases& cases, const Matrix<float>& inputs, Index first, Index end, double first_edge,
              Pairs& pairs) {
  const std::size_t before = pairs.gaps.size();
  for (Index i = first; i < end; ++i) {
    if (inputs(i, 1) != 0) continue;
    bool nearest = true;
    for (Index j = i + 1; j < std::min(end, i + 1 + kPairsOfValue); ++j) {
      const double age = cases.times[j] - cases.times[i];
      if (inputs(j, 1) != 0 || age <= 0) continue;
      if (nearest) pairs.gaps.push_back(age);
      nearest = false;
      add_pair(age, first_edge, static_cast<double>(inputs(i, 0)), static_cast<double>(inputs(j, 0)), pairs);
    }
  }
  pairs.stays += pairs.gaps.size() > before ? 1 : 0;
}

double half_time(const std::array<Bin, kBins>& bins) {
  std::vector<const Bin*> full;
  for (const Bin& bin : bins)
    if (bin.pairs >= static_cast<double>(kFewestPairs)) full.push_back(&bin);
  if (full.size() < 2 || !(full.front()->correlation() > 0)) return kNan;
  const double half = full.front()->correlation() / 2;
  for (std::size_t k = 1; k < full.size(); ++k) {
    const double before = full[k - 1]->correlation(), here = full[k]->correlation();
    if (here <= half)
      return full[k - 1]->age() + (full[k]->age() - full[k - 1]->age()) * (before - half) / (before - here);
  }
  return std::numeric_limits<double>::infinity();
}

}  // namespace

std::vector<VariableMemory> memories(const study::Cases& cases, const Matrix<float>& inputs, double window) {
  std::vector<Pairs> pairs(cases.classes.size());
  for (Index b = 0; b < cases.count(); ++b) {
    Index first = cases.offsets[b];
    const Index end = cases.offsets[b + 1];
    while (first < end) {
      const std::uint16_t kind = cases.kinds[first];
      Index last = first;
      while (last < end && cases.kinds[last] == kind) ++last;
      add_stay(cases, inputs, first, last, kFirstEdge * window, pairs[kind]);
      first = last;
    }
  }
  std::vector<VariableMemory> found;
  for (Pairs& of_class : pairs) {
    std::sort(of_class.gaps.begin(), of_class.gaps.end());
    const bool few = of_class.stays < cases.smallest_cell || of_class.gaps.empty();
    found.push_back(few ? VariableMemory{kNan, kNan}
                        : VariableMemory{sorted_quantile(of_class.gaps, 0.5), half_time(of_class.bins)});
  }
  return found;
}

}  // namespace fovea::ehr::risk
