#pragma once
/// Tables of the kinds by which a search for lags is examined, as files that `fovea lags` reads.

#include <memory>

#include "fovea/tests/benchmarks/ours/request.hpp"
#include "fovea/tests/benchmarks/ours/work.hpp"

namespace fovea::bench {

/// Fields of a request, with what they are when missing:
///   kind=         a name of tests/support/kinds/kinds.hpp
///   sets= seed=1
/// A pass draws all tables. write() writes KIND_SET.csv, its first column `date` where the kind has a calendar, and
/// beside it KIND_SET.truth.csv (cause,effect,lag). rows() is the number of sets.
std::unique_ptr<Work> lag_kind_work(const Request& request);

}  // namespace fovea::bench
