#pragma once
/// Looking for lags in a table of series, as work to be repeated.

#include <memory>

#include "fovea/tests/benchmarks/ours/request.hpp"
#include "fovea/tests/benchmarks/ours/work.hpp"

namespace fovea::bench {

/// Fields of a request, with what they are when missing:
///   file=             the table; reading it is not part of a pass
///   method=attention  a method of domains/lag/methods/methods.inl
///   max_lag=0         0: chosen from the data, as part of the pass
///   level=0.05 within_a_step=1   lag 0 is looked at too, by methods that can
/// write() writes `links`: for each link seven doubles: effect, cause, lag, strength, p-value, counts, directed.
/// rows() is the number of steps, pairs() the longest lag.
std::unique_ptr<Work> lag_work(const Request& request);

}  // namespace fovea::bench
