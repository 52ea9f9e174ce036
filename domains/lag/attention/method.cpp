/// Attention over the past as a line of the table of methods.

#include "fovea/domains/lag/attention/links.hpp"
#include "fovea/domains/lag/methods/finders.hpp"

namespace fovea::lag::methods {

Findings find_by_attention(const datasets::series::SeriesTable& table, const LagSettings& settings, const Random&) {
  return attention::attend_to_the_past(table, settings).findings;
}

}  // namespace fovea::lag::methods
