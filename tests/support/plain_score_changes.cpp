// What the registered examples of modifiers that shift or scale scores do to one pair.

#include <cmath>

#include "fovea/tests/support/plain_attention.hpp"

namespace fovea::test {

const PlainTable& plain_score_changes() {
  static const PlainTable table{
      {"temperature", {[](double s, const PlainPair&) { return s / std::exp(-0.4); }, {}}},
      {"time_decay",
       {[](double s, const PlainPair& p) {
          const double t_query = 0.37 * static_cast<double>((5 * p.i) % 11);
          const double t_key = 0.29 * static_cast<double>((3 * p.j) % 13);
          return s - std::exp(-0.7) * std::abs(t_query - t_key);
        },
        {}}},
  };
  return table;
}

}  // namespace fovea::test
