#include <cstdlib>

#include "fovea/core/attention/modifiers.hpp"
#include "fovea/core/error.hpp"

namespace fovea {
namespace {

template <typename Real>
class Window final : public ScoreModifier<Real> {
 public:
  explicit Window(Index reach) : reach_(reach) {
    require(reach >= 0, "window: reach = ", reach, ", but must be at least 0 (0: each position sees itself alone).");
  }

  Cover cover(const TileRange& range) const override {
    if (range.query_count == 0 || range.key_count == 0) return Cover::empty;
    // How far the keys stand before and behind the queries, at most.
    const Index behind = range.query_position(range.query_count - 1) - range.key_position(0);
    const Index ahead = range.key_position(range.key_count - 1) - range.query_position(0);
    const Index least_behind = range.query_position(0) - range.key_position(range.key_count - 1);
    const Index least_ahead = range.key_position(0) - range.query_position(range.query_count - 1);
    if (least_behind > reach_ || least_ahead > reach_) return Cover::empty;
    return behind <= reach_ && ahead <= reach_ ? Cover::full : Cover::partial;
  }

  void apply(const ScoreTile<Real>& tile, std::span<const Real>) const override {
    if (cover(tile) == Cover::full) return;
    for (Index i = 0; i < tile.query_count; ++i)
      for (Index j = 0; j < tile.key_count; ++j)
        if (std::abs(tile.query_position(i) - tile.key_position(j)) > reach_) tile.row(i)[j] = kMasked<Real>;
  }

  // A forbidden pair has gradient 0 already; the others keep theirs.
  void backward(const ScoreTile<Real>&, const ScoreTile<Real>&, std::span<const Real>, std::span<Real>) const override {
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

}  // namespace fovea
