#pragma once
/// What the boxes of a line keep of their keys. Internal to core/attention/fast.

#include <span>

#include "fovea/core/attention/fast/arguments.hpp"
#include "fovea/core/base/memory.hpp"
#include "fovea/core/kernels/line_kernels.hpp"

namespace fovea::fast {

/// Keys y with values v and strengths g (empty: all 1).
struct LineKeys {
  std::span<const double> positions, values, strengths;
  Range range;  ///< of the positions
};

/// The largest number of three bits up to `most`: a width whose multiples are exact.
double short_number(double most);

/// The moments of a row of boxes. Keeps its memory from call to call.
class BoxMoments {
 public:
  /// By chunks of keys, each with a table of its own; neither chunks nor the order of the tables depend on the threads.
  void collect(const BoxRow& boxes, const LineKeys& keys);
  /// kBoxSize moments a box, kLineTerms of g and kLineTerms of g v.
  const double* row(Index box) const { return tables_.data() + box * kBoxSize; }

 private:
  AlignedVector<double> tables_, references_;
};

}  // namespace fovea::fast
