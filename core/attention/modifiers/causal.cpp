#include <algorithm>

#include "fovea/core/attention/modifiers.hpp"
#include "fovea/core/attention/modifiers/parts/example.hpp"
#include "fovea/core/attention/modifiers/parts/mask.hpp"

namespace fovea {
namespace {

template <typename Real>
class Causal final : public Mask<Real> {
 public:
  KeySpan visible(const TileRange& range) const override {
    const Index last = range.query_position(range.query_count - 1);
    return {0, std::clamp(last + 1 - range.key_position(0), Index(0), range.key_count)};
  }

  void apply(const ScoreTile<Real>& tile, std::span<const Real>) const override {
    for (Index i = 0; i < tile.query_count; ++i)
      for (Index j = tile.key_count; j-- > 0 && tile.key_position(j) > tile.query_position(i);)
        tile.row(i)[j] = kMasked<Real>;  // keys ascend, so the forbidden ones stand at the end
  }
};

}  // namespace

template <typename Real>
std::shared_ptr<const ScoreModifier<Real>> causal() {
  return std::make_shared<Causal<Real>>();
}
template std::shared_ptr<const ScoreModifier<float>> causal();
template std::shared_ptr<const ScoreModifier<double>> causal();

template <typename Real>
ModifierEntry<Real> causal_entry() {
  return {"causal",
          "s if j <= i, else masked",
          "",
          "Vaswani et al. 2017",
          [](const ExampleProblem&) { return causal<Real>(); },
          &no_parameters<Real>,
          {"a token attends to itself and to the tokens before it in its set",
           {},
           [](const ModifierValues&, ModifierRows<Real>) { return causal<Real>(); }}};
}
FOVEA_MODIFIER_ENTRY(causal)

}  // namespace fovea
