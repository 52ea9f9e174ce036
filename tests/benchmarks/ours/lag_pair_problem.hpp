#pragma once
/// The lag between two irregularly sampled curves, as work to be repeated.

#include <memory>

#include "fovea/tests/benchmarks/ours/request.hpp"
#include "fovea/tests/benchmarks/ours/work.hpp"

namespace fovea::bench {

/// Fields of a request, with what they are when missing:
///   file= driver= response=   the curves' names in a long table
///   group=                    of the table's groups; the only one
///   from= to=                 only moments in this range; all
/// write() writes `lags`, six doubles: lag, the ends of its 68 % and 95 % intervals, the false-alarm probability.
/// rows() is the number of points of both curves.
std::unique_ptr<Work> lag_pair_work(const Request& request);

}  // namespace fovea::bench
