#include <algorithm>

#include "fovea/core/attention/modifiers.hpp"
#include "fovea/core/attention/modifiers/parts/example.hpp"
#include "fovea/core/attention/modifiers/parts/key_pattern.hpp"
#include "fovea/core/attention/modifiers/parts/settings.hpp"
#include "fovea/core/base/error.hpp"

namespace fovea {
namespace {

// Half a dozen pairs of a tile cost as much as one of a list, and a query sees one key in `stride` far away.
constexpr Index kLongStride = 8;

class StridedPattern final : public KeyPattern {
 public:
  explicit StridedPattern(Index stride) : stride_(stride) {}

  void append_spans(Index, Index query, KeySpan range, std::vector<KeySpan>& spans) const override {
    const Index near = std::max(query - stride_, Index(0));
    Index far = query % stride_;  // the first position a multiple of the stride before the query
    far += std::max(range.begin - far, Index(0)) / stride_ * stride_;
    for (; far < std::min(near, range.end); far += stride_) append(far, far + 1, range, spans);
    append(near, query + 1, range, spans);
  }

  bool leaves_few_keys() const override { return stride_ >= kLongStride; }

 private:
  Index stride_;
};

}  // namespace

template <typename Real>
std::shared_ptr<const ScoreModifier<Real>> strided(Index stride, PackedSets sets) {
  require(stride >= 1, "strided: stride = ", stride, ", but must be at least 1.");
  return pattern_mask<Real>("strided", std::make_shared<StridedPattern>(stride), std::move(sets));
}
template std::shared_ptr<const ScoreModifier<float>> strided(Index, PackedSets);
template std::shared_ptr<const ScoreModifier<double>> strided(Index, PackedSets);

template <typename Real>
ModifierEntry<Real> strided_entry() {
  return {"strided",
          "s if 0 <= i - j <= stride or i - j is a multiple of it, else masked",
          "",
          "Child et al. 2019",
          [](const ExampleProblem& problem) { return strided<Real>(9, example_sets(problem)); },
          &no_parameters<Real>,
          {"a token attends to the tokens just before it, and to earlier ones at multiples of the stride",
           {whole_setting("stride", 8, 1, kMostPositions, "positions",
                          "number of tokens just before it, and the distance between the earlier ones")},
           [](const ModifierValues& values, ModifierRows<Real> rows) {
             return strided<Real>(values.whole("stride"), std::move(rows.sets));
           },
           ModifierAsks::sets}};
}
FOVEA_MODIFIER_ENTRY(strided)

}  // namespace fovea
