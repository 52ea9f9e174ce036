#include <algorithm>
#include <utility>

#include "fovea/core/attention/modifiers.hpp"
#include "fovea/core/attention/modifiers/parts/example.hpp"
#include "fovea/core/attention/modifiers/parts/key_pattern.hpp"
#include "fovea/core/attention/modifiers/parts/settings.hpp"
#include "fovea/core/base/error.hpp"
#include "fovea/core/base/random.hpp"

namespace fovea {
namespace {

Index blocks_in(Index positions, Index size) { return (positions + size - 1) / size; }

/// The blocks of keys that a block of queries sees, ascending.
using Blocks = std::vector<Index>;

/// `wanted` of the numbers 0 to count - 1, ascending, each choice equally likely (Floyd's method; Bentley & Floyd
/// 1987). By seed and block row alone.
Blocks draw(const Random& random, Index wanted, Index count, Index block_row) {
  Blocks drawn;
  for (Index last = count - std::min(wanted, count); last < count; ++last) {
    Index pick = static_cast<Index>(
        random.below(static_cast<std::uint64_t>(last) + 1, static_cast<std::uint64_t>(block_row), drawn.size()));
    if (std::find(drawn.begin(), drawn.end(), pick) != drawn.end()) pick = last;
    drawn.push_back(pick);
  }
  std::sort(drawn.begin(), drawn.end());
  return drawn;
}

/// Window and global blocks of a row, and random ones from the rest.
Blocks blocks_of_row(const BigBird& shape, const Random& random, Index row, Index key_blocks) {
  const Index reach = shape.window_blocks / 2;
  Blocks chosen;
  for (Index block = 0; block < std::min(shape.global_blocks, key_blocks); ++block) chosen.push_back(block);
  for (Index block = std::max(row - reach, shape.global_blocks); block <= std::min(row + reach, key_blocks - 1);
       ++block)
    chosen.push_back(block);
  const Index rest = key_blocks - static_cast<Index>(chosen.size());
  const Blocks fixed = chosen;
  for (Index block : draw(random, shape.random_blocks, rest, row)) {
    for (const Index taken : fixed) block += taken <= block;  // the number among the rest, as one among all
    chosen.push_back(block);
  }
  std::sort(chosen.begin(), chosen.end());
  return chosen;
}

class BigBirdPattern final : public KeyPattern {
 public:
  BigBirdPattern(const BigBird& shape, const PackedSets& sets) : shape_(shape) {
    const Random random = Random(shape.seed).stream("big_bird");
    for (Index set = 0; set < sets.count(); ++set) {
      first_row_.push_back(rows_.size());
      for (Index row = 0; row < blocks_in(sets.queries(set), shape.block); ++row)
        rows_.push_back(blocks_of_row(shape, random, row, blocks_in(sets.keys(set), shape.block)));
    }
  }

  void append_spans(Index set, Index query, KeySpan range, std::vector<KeySpan>& spans) const override {
    const Index row = query / shape_.block;
    if (row < shape_.global_blocks) return append(range.begin, range.end, range, spans);
    const Blocks& blocks = rows_[first_row_[set] + row];
    auto block = std::lower_bound(blocks.begin(), blocks.end(), range.begin / shape_.block);
    for (; block != blocks.end() && *block * shape_.block < range.end; ++block)
      append(*block * shape_.block, (*block + 1) * shape_.block, range, spans);
  }

  KeySpan hull(Index set, KeySpan queries, KeySpan range) const override {
    KeySpan seen{range.end, range.begin};
    for (Index row = queries.begin / shape_.block; row * shape_.block < queries.end; ++row) {
      if (row < shape_.global_blocks) return range;
      const Blocks& blocks = rows_[first_row_[set] + row];
      const auto first = std::lower_bound(blocks.begin(), blocks.end(), range.begin / shape_.block);
      const auto last = std::upper_bound(first, blocks.end(), (range.end - 1) / shape_.block);
      if (first == last) continue;
      seen.begin = std::min(seen.begin, std::max(*first * shape_.block, range.begin));
      seen.end = std::max(seen.end, std::min((last[-1] + 1) * shape_.block, range.end));
    }
    return seen;
  }

  bool leaves_few_keys() const override {
    const Index blocks = shape_.window_blocks + shape_.global_blocks + shape_.random_blocks;
    return blocks <= kFewKeys && shape_.block <= kFewKeys && blocks * shape_.block <= kFewKeys;
  }

 private:
  BigBird shape_;
  std::vector<std::size_t> first_row_;  ///< of each set, into rows_
  std::vector<Blocks> rows_;
};

void check_big_bird(const BigBird& shape) {
  require(shape.block >= 1, "big_bird: block = ", shape.block, ", but must be at least 1 position.");
  require(shape.window_blocks >= 1 && shape.window_blocks % 2 == 1, "big_bird: window_blocks = ", shape.window_blocks,
          ", but must be odd and at least 1: the query's own block and the same number on either side.");
  require(shape.global_blocks >= 0, "big_bird: global_blocks = ", shape.global_blocks, ", but must be at least 0.");
  require(shape.random_blocks >= 0, "big_bird: random_blocks = ", shape.random_blocks, ", but must be at least 0.");
}

}  // namespace

template <typename Real>
std::shared_ptr<const ScoreModifier<Real>> big_bird(const BigBird& shape, PackedSets sets) {
  check_big_bird(shape);
  check_sets("big_bird", sets);
  return pattern_mask<Real>("big_bird", std::make_shared<BigBirdPattern>(shape, sets), sets);
}
template std::shared_ptr<const ScoreModifier<float>> big_bird(const BigBird&, PackedSets);
template std::shared_ptr<const ScoreModifier<double>> big_bird(const BigBird&, PackedSets);

template <typename Real>
ModifierEntry<Real> big_bird_entry() {
  return {"big_bird",
          "s if the blocks of i and j are near, or one is global, or j's is drawn for i's; else masked",
          "",
          "Zaheer et al. 2020",
          [](const ExampleProblem& problem) {
            return big_bird<Real>({2, 3, 1, 2, 7}, example_sets(problem));
          },
          &no_parameters<Real>,
          {"each block of tokens attends to the blocks near it, to the first blocks and to blocks drawn at random",
           {whole_setting("block", 64, 1, kMostPositions, "positions", "of one block"),
            whole_setting("window_blocks", 3, 1, kMostPositions, "",
                          "odd: the block itself and the same number on either side"),
            whole_setting("global_blocks", 1, 0, kMostPositions, "",
                          "first blocks, which attend to all blocks and receive attention from all"),
            whole_setting("random_blocks", 2, 0, 1024, "",
                          "drawn for each block from those that are neither near nor global"),
            whole_setting("random_seed", 1, 0, 0x1p53, "", "seed of the drawn blocks")},
           [](const ModifierValues& values, ModifierRows<Real> rows) {
             return big_bird<Real>(
                 {values.whole("block"), values.whole("window_blocks"), values.whole("global_blocks"),
                  values.whole("random_blocks"), static_cast<std::uint64_t>(values.whole("random_seed"))},
                 std::move(rows.sets));
           },
           ModifierAsks::sets}};
}
FOVEA_MODIFIER_ENTRY(big_bird)

}  // namespace fovea
