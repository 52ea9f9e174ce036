#pragma once
#include <limits>

namespace fovea {

/// A value that is not there: a measure without a meaning for this crowd, a gap in a line, a missing observation.
/// It is NaN in memory and in files, and is left out of every mean.
inline constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

}  // namespace fovea
