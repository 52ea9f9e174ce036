#include <cstdlib>

#include "fovea/core/attention/modifiers.hpp"
#include "fovea/core/attention/modifiers/parts/example.hpp"
#include "fovea/core/attention/modifiers/parts/mask.hpp"
#include "fovea/core/attention/modifiers/parts/settings.hpp"
#include "fovea/core/base/error.hpp"

namespace fovea {
namespace {

template <typename Real>
class Window final : public Mask<Real> {
 public:
  explicit Window(Index reach) : reach_(reach) {
    require(reach >= 0, "window: reach = ", reach,
            ", but must be at least 0 (0: each position attends only to itself).");
  }

  KeySpan visible(const TileRange& range) const override {
    const Index first = range.query_position(0) - reach_ - range.key_position(0);
    const Index last = range.query_position(range.query_count - 1) + reach_ - range.key_position(0);
    return {std::clamp(first, Index(0), range.key_count), std::clamp(last + 1, Index(0), range.key_count)};
  }

  void apply(const ScoreTile<Real>& tile, std::span<const Real>) const override {
    for (Index i = 0; i < tile.query_count; ++i) {
      // keys ascend, so the forbidden ones stand at both ends
      Index first = 0, last = tile.key_count;
      while (first < last && tile.key_position(first) < tile.query_position(i) - reach_) ++first;
      while (first < last && tile.key_position(last - 1) > tile.query_position(i) + reach_) --last;
      std::fill(tile.row(i), tile.row(i) + first, kMasked<Real>);
      std::fill(tile.row(i) + last, tile.row(i) + tile.key_count, kMasked<Real>);
    }
  }

 private:
  Index reach_;
};

}  // namespace

template <typename Real>
std::shared_ptr<const ScoreModifier<Real>> window(Index reach) {
  return std::make_shared<Window<Real>>(reach);
}
template std::shared_ptr<const ScoreModifier<float>> window(Index);
template std::shared_ptr<const ScoreModifier<double>> window(Index);

template <typename Real>
ModifierEntry<Real> window_entry() {
  return {"window",
          "s if |i - j| <= reach, else masked",
          "",
          "Beltagy et al. 2020",
          [](const ExampleProblem&) { return window<Real>(3); },
          &no_parameters<Real>,
          {"a token attends to the tokens near it in its set",
           {whole_setting("reach", 8, 0, kMostPositions, "positions", "largest distance to a key, on either side")},
           [](const ModifierValues& values, ModifierRows<Real>) { return window<Real>(values.whole("reach")); }}};
}
FOVEA_MODIFIER_ENTRY(window)

}  // namespace fovea
