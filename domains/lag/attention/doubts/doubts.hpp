#pragma once
/// Reasons not to promise a rate of false links, found in the data: of one target, or of one series for every target.

#include <string>
#include <vector>

#include "fovea/core/base/matrix.hpp"

namespace fovea::lag::attention {

enum class DoubtKind {
  square,      ///< squares of past values answer for what lines leave of the target
  product,     ///< products of two past values do
  memory,      ///< values further back than its regression reaches do
  within,      ///< the target moves with another within the step, and lines do not describe the table
  noise,       ///< a share of the series is noise of its measurement
  few_values,  ///< the series has few distinct values
  parts,       ///< the series and others are parts of a constant whole
  totals,      ///< the series never falls, or never rises, as a running total
  gaps         ///< many cells are missing
};

constexpr Index kFewValues = 5;   ///< fewer: cutting a normal variable so loses more than .117 of it (Max 1960)
constexpr double kManyGaps = .3;  ///< above it fewer than half of all pairs of cells are both known

/// One doubt about the links into one target.
struct Doubt {
  DoubtKind kind = DoubtKind::square;
  Index series = -1, other = -1;  ///< that the doubt is about: causes, or the noisy series; -1: none, or many series
  Index lag = 0, other_lag = 0;   ///< of these, where a value at one lag is meant; 0: none
  double size = 0;     ///< share of noise, of missing cells; number of different values; of series, where many
  double p_value = 1;  ///< of the test, where it is one
  Index effect = -1;   ///< whose residuals show it, and not always the target: what one target shows may concern all
};

/// One list a series, the strongest reason first: links into it are promised only where its list is empty.
using Doubts = std::vector<std::vector<Doubt>>;

/// The memory that reaches furthest back, but not beyond `most` steps, among targets without gaps, which have a memory
/// of their own where they are bridged; none: its lag is 0.
Doubt furthest_memory(const Doubts& doubts, Index most);

/// "x4 answers more than lines show, such as x3 times x5": a clause without a full stop. names: of the series.
std::string reason_of(const Doubt& doubt, const std::vector<std::string>& names);

/// What to do about it: "Measure more finely, ...", whole sentences.
std::string remedy_of(DoubtKind kind);

}  // namespace fovea::lag::attention
