#pragma once
/// Looking for lags where there are none, over many generated tables.

#include <memory>

#include "fovea/tests/benchmarks/ours/request.hpp"
#include "fovea/tests/benchmarks/ours/work.hpp"

namespace fovea::bench {

/// Fields of a request, with what they are when missing:
///   sets= series= steps= autocorrelation=
///   degrees=0         of the shocks' Student distribution; 0: normal
///   method=attention  with the lags that it chooses, at level .05
///   seed=1
/// A pass looks through all sets. write() writes `null`, two doubles a set: how many links from one series to another
/// count, and the p-value of one such link, drawn without looking. rows() is the number of sets.
std::unique_ptr<Work> lag_null_work(const Request& request);

}  // namespace fovea::bench
