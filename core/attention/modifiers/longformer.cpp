#include <algorithm>

#include "fovea/core/attention/modifiers.hpp"
#include "fovea/core/attention/modifiers/parts/example.hpp"
#include "fovea/core/attention/modifiers/parts/key_pattern.hpp"
#include "fovea/core/attention/modifiers/parts/settings.hpp"
#include "fovea/core/base/error.hpp"

namespace fovea {
namespace {

class LongformerPattern final : public KeyPattern {
 public:
  LongformerPattern(Index reach, std::vector<Index> global_positions)
      : reach_(reach), globals_(std::move(global_positions)) {}

  void append_spans(Index, Index query, KeySpan range, std::vector<KeySpan>& spans) const override {
    if (std::binary_search(globals_.begin(), globals_.end(), query))
      return append(range.begin, range.end, range, spans);
    const Index first = query - reach_, last = query + reach_;
    auto global = std::lower_bound(globals_.begin(), globals_.end(), range.begin);
    for (; global != globals_.end() && *global < first; ++global) append(*global, *global + 1, range, spans);
    append(first, last + 1, range, spans);
    global = std::upper_bound(global, globals_.end(), last);
    for (; global != globals_.end() && *global < range.end; ++global) append(*global, *global + 1, range, spans);
  }

  KeySpan hull(Index, KeySpan queries, KeySpan range) const override {
    const auto global = std::lower_bound(globals_.begin(), globals_.end(), queries.begin);
    if (global != globals_.end() && *global < queries.end) return range;
    KeySpan seen{std::max(queries.begin - reach_, range.begin), std::min(queries.end + reach_, range.end)};
    if (seen.empty()) seen = {range.end, range.begin};
    const auto first = std::lower_bound(globals_.begin(), globals_.end(), range.begin);
    const auto last = std::lower_bound(first, globals_.end(), range.end);
    if (first == last) return seen;
    return {std::min(seen.begin, *first), std::max(seen.end, last[-1] + 1)};
  }

  bool leaves_few_keys() const override {
    return reach_ < kFewKeys && 2 * reach_ + 1 + static_cast<Index>(globals_.size()) <= kFewKeys;
  }

 private:
  Index reach_;
  std::vector<Index> globals_;  ///< ascending
};

void check_longformer(Index reach, const std::vector<Index>& globals) {
  require(reach >= 0, "longformer: reach = ", reach,
          ", but must be at least 0 (0: each position attends only to itself).");
  for (std::size_t g = 0; g < globals.size(); ++g)
    require(globals[g] >= 0 && (g == 0 || globals[g - 1] < globals[g]), "longformer: global position ", g, " is ",
            globals[g], "; they must ascend from 0 or more, each once.");
}

}  // namespace

template <typename Real>
std::shared_ptr<const ScoreModifier<Real>> longformer(Index reach, std::vector<Index> global_positions,
                                                      PackedSets sets) {
  check_longformer(reach, global_positions);
  return pattern_mask<Real>("longformer", std::make_shared<LongformerPattern>(reach, std::move(global_positions)),
                            std::move(sets));
}
template std::shared_ptr<const ScoreModifier<float>> longformer(Index, std::vector<Index>, PackedSets);
template std::shared_ptr<const ScoreModifier<double>> longformer(Index, std::vector<Index>, PackedSets);

template <typename Real>
ModifierEntry<Real> longformer_entry() {
  return {
      "longformer",
      "s if |i - j| <= reach or i or j is global, else masked",
      "",
      "Beltagy et al. 2020",
      [](const ExampleProblem&) {
        return longformer<Real>(2, {0, 5, 517});
      },
      &no_parameters<Real>,
      {"a token attends to the tokens near it; a few tokens attend to all and receive attention from all",
       {whole_setting("reach", 8, 0, kMostPositions, "positions", "largest distance to a key, on either side"),
        {"global_positions",
         ModifierSetting::Kind::wholes,
         {0},
         0,
         kMostPositions,
         false,
         "",
         "global positions in each set, from 0 on and ascending; they attend to all and receive attention from all"}},
       [](const ModifierValues& values, ModifierRows<Real> rows) {
         return longformer<Real>(values.whole("reach"), values.wholes("global_positions"), std::move(rows.sets));
       },
       ModifierAsks::sets}};
}
FOVEA_MODIFIER_ENTRY(longformer)

}  // namespace fovea
