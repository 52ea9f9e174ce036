#pragma once
/// The functions behind the table of methods.hpp: find_by_NAME for each line of methods.inl, one file each.

#include "fovea/domains/lag/methods/methods.hpp"

namespace fovea::lag::methods {

#define FOVEA_LAG_METHOD(name, title, conditional, at_rate, source, meaning)                       \
  Findings find_by_##name(const datasets::series::SeriesTable& table, const LagSettings& settings, \
                          const Random& random);
#include "fovea/domains/lag/methods/methods.inl"
#undef FOVEA_LAG_METHOD

}  // namespace fovea::lag::methods
