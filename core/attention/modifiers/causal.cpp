#include <algorithm>

#include "fovea/core/attention/modifiers.hpp"

namespace fovea {
namespace {

template <typename Real>
class Causal final : public ScoreModifier<Real> {
 public:
  Cover cover(const TileRange& range) const override {
    if (range.query_count == 0 || range.key_count == 0) return Cover::empty;
    if (range.key_position(0) > range.query_position(range.query_count - 1)) return Cover::empty;
    return range.key_position(range.key_count - 1) <= range.query_position(0) ? Cover::full : Cover::partial;
  }

  void apply(const ScoreTile<Real>& tile, std::span<const Real>) const override {
    if (cover(tile) == Cover::full) return;
    for (Index i = 0; i < tile.query_count; ++i)
      for (Index j = tile.key_count; j-- > 0 && tile.key_position(j) > tile.query_position(i);)
        tile.row(i)[j] = kMasked<Real>;  // keys ascend, so the forbidden ones stand at the end
  }

  // A forbidden pair has gradient 0 already; the others keep theirs.
  void backward(const ScoreTile<Real>&, const ScoreTile<Real>&, std::span<const Real>, std::span<Real>) const override {
  }
};

}  // namespace

template <typename Real>
std::shared_ptr<const ScoreModifier<Real>> causal() {
  return std::make_shared<Causal<Real>>();
}
template std::shared_ptr<const ScoreModifier<float>> causal();
template std::shared_ptr<const ScoreModifier<double>> causal();

}  // namespace fovea
