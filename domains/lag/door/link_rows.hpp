#pragma once
/// The links of a result of lag.discover, one by one.

#include <vector>

#include "fovea/domains/lag/discover/link_rows.hpp"

namespace fovea::lag::door {

using discover::LinkRow;
using discover::words;

/// Those that count, by q.
std::vector<LinkRow> counting_rows(const Dataset& data);
/// Every one that was tested, and the further effects that count, by q; those that count where the arrays are too large
/// to be stored.
std::vector<LinkRow> all_rows(const Dataset& data);
/// The lags at which something was tested, ascending.
std::vector<std::int64_t> tested_lags(const Dataset& data);

}  // namespace fovea::lag::door
