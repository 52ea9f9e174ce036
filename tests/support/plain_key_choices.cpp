// Which keys the registered examples of masks and lists leave to a query.

#include <cmath>

#include "fovea/tests/support/plain_attention.hpp"

namespace fovea::test {
namespace {

template <typename Allows>
PlainModifier choice(Allows allows) {
  return {[allows](double s, const PlainPair& p) { return allows(p) ? s : kMasked<double>; }, {}};
}

Index position_of_query(const PlainPair& p) { return p.i - p.first_query; }
Index position_of_key(const PlainPair& p) { return p.j - p.first_key; }

}  // namespace

const PlainTable& plain_key_choices() {
  static const PlainTable table{
      {"causal", choice([](const PlainPair& p) { return position_of_key(p) <= position_of_query(p); })},
      {"neighbour_list",
       {[](double s, const PlainPair& p) {
          const bool listed = p.i % 7 != 6 && (p.i + 2 * p.j) % 3 > 0;
          return listed ? s + 0.1 * static_cast<double>((p.i + p.j) % 5) : kMasked<double>;
        },
        {}}},
      {"window", choice([](const PlainPair& p) { return std::abs(position_of_query(p) - position_of_key(p)) <= 3; })},
  };
  return table;
}

}  // namespace fovea::test
