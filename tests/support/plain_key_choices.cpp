// Which keys the registered examples of masks and lists leave to a query.

#include <algorithm>
#include <cmath>

#include "fovea/core/base/random.hpp"
#include "fovea/tests/support/plain_attention.hpp"

namespace fovea::test {
namespace {

template <typename Allows>
PlainModifier choice(Allows allows) {
  return {[allows](double s, const PlainPair& p) { return allows(p) ? s : kMasked<double>; }, {}};
}

Index position_of_query(const PlainPair& p) { return p.i - p.first_query; }
Index position_of_key(const PlainPair& p) { return p.j - p.first_key; }

/// The squared distance between query i and key j of the example: a ring of length 1, and a straight axis.
double example_square(Index i, Index j) {
  const double around = std::remainder(static_cast<double>(i - j) / 256, 1.0);
  const double across = 0.001 * static_cast<double>((i * i) % 7) - 0.001 * static_cast<double>((j * j) % 7);
  return around * around + across * across;
}

/// Whether fewer than k keys of the set come before this one.
bool is_near(const PlainPair& p, Index k) {
  const double square = example_square(p.i, p.j);
  for (Index other = p.first_key; other < p.first_key + p.key_count && k > 0; ++other) {
    const double its = example_square(p.i, other);
    if (its < square || (its == square && other < p.j)) --k;
  }
  return k > 0;
}

bool is_one_of(Index position, std::initializer_list<Index> globals) {
  return std::find(globals.begin(), globals.end(), position) != globals.end();
}

/// Windows of 5 x 5 keys, every other one, on grids 7 columns wide in the first set and 19 in others.
double grid_window_score(double s, const PlainPair& p) {
  const Index width = p.first_query == 0 ? 7 : 19, i = position_of_query(p), j = position_of_key(p);
  const Index down = j / width - i / width, right = j % width - i % width;
  if (std::abs(down) > 4 || std::abs(right) > 4 || down % 2 != 0 || right % 2 != 0) return kMasked<double>;
  const Index entry = (down / 2 + 2) * 5 + right / 2 + 2;
  return s + 0.2 * static_cast<double>((2 * p.head + 3 * entry) % 7) - 1;
}

/// Blocks of 2; the first is global, the neighbours are near, 2 others are drawn with seed 7.
bool big_bird_sees(const PlainPair& p) {
  const Index row = position_of_query(p) / 2, block = position_of_key(p) / 2;
  if (row == 0 || block == 0 || std::abs(row - block) <= 1) return true;
  std::vector<Index> rest;
  for (Index other = 1; other < (p.key_count + 1) / 2; ++other)
    if (std::abs(row - other) > 1) rest.push_back(other);
  const Random random = Random(7).stream("big_bird");
  std::vector<std::size_t> drawn;
  for (std::size_t last = rest.size() - std::min<std::size_t>(2, rest.size()); last < rest.size(); ++last) {
    const std::size_t pick = random.below(last + 1, static_cast<std::uint64_t>(row), drawn.size());
    drawn.push_back(std::count(drawn.begin(), drawn.end(), pick) > 0 ? last : pick);
  }
  return std::any_of(drawn.begin(), drawn.end(), [&](std::size_t place) { return rest[place] == block; });
}

}  // namespace

const PlainTable& plain_key_choices() {
  static const PlainTable table{
      {"big_bird", choice(&big_bird_sees)},
      {"causal", choice([](const PlainPair& p) { return position_of_key(p) <= position_of_query(p); })},
      {"grid_window", {&grid_window_score, {}}},
      {"longformer", choice([](const PlainPair& p) {
         const Index i = position_of_query(p), j = position_of_key(p);
         return std::abs(i - j) <= 2 || is_one_of(i, {0, 5, 517}) || is_one_of(j, {0, 5, 517});
       })},
      {"nearest_neighbours", choice([](const PlainPair& p) { return is_near(p, 8); })},
      {"neighbour_list",
       {[](double s, const PlainPair& p) {
          const bool listed = p.i % 7 != 6 && (p.i + 2 * p.j) % 3 > 0;
          return listed ? s + 0.1 * static_cast<double>((p.i + p.j) % 5) : kMasked<double>;
        },
        {}}},
      {"radius", choice([](const PlainPair& p) { return example_square(p.i, p.j) <= 0.02 * 0.02; })},
      {"strided", choice([](const PlainPair& p) {
         const Index behind = position_of_query(p) - position_of_key(p);
         return behind >= 0 && (behind <= 9 || behind % 9 == 0);
       })},
      {"valid_keys", choice([](const PlainPair& p) { return p.j % 3 != 1; })},
      {"window", choice([](const PlainPair& p) { return std::abs(position_of_query(p) - position_of_key(p)) <= 3; })},
  };
  return table;
}

}  // namespace fovea::test
