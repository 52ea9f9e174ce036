#include <algorithm>

#include "fovea/core/report/figures/curves.hpp"
#include "fovea/core/report/kinds/kind.hpp"

namespace fovea {
namespace {

constexpr std::size_t kMostPoints = 2000;  ///< of a line: more than pixels on a screen

/// Whether the values over x are points of a sweep: its keys stand before the seed.
bool is_swept(const Variable& variable, const std::string& x) {
  const auto& own = variable.dimensions;
  const auto seed = std::find(own.begin(), own.end(), kReplicas);
  return seed != own.end() && std::find(own.begin(), seed, x) != seed;
}

class Lines : public FigureKind {
 public:
  std::string_view name() const override { return "lines"; }
  std::string_view needs() const override { return "variables over x"; }
  FigureData arrays(const Dataset& data, const Figure& figure) const override {
    constexpr std::size_t kMostDots = 1000, kMostSeeds = 20;
    FigureData found = FigureKind::arrays(data, figure);
    const std::string& name = figure.variables.front();
    if (figure.variables.size() > 1 || !is_swept(data.at(name), figure.x)) return found;
    const std::size_t seeds = data.size_of(std::string(kReplicas));
    if (seeds < 2 || seeds > kMostSeeds || data.at(name).size() > kMostDots || !differs_between_replicas(data, name))
      return found;
    found.arrays[name + kOfEachSeed] = all_replicas(data, name);
    found.roles["seeds"] = name + kOfEachSeed;
    return found;
  }
  std::string draw(const Dataset& data, const Figure& figure, const FigureData& arrays,
                   const Selection& selection) const override {
    return draw_curves(data, figure, arrays, selection, false);
  }
  PageForm form(const Figure& figure, const Averaged&) const override {
    return {.axes = axes_of({figure.hue, figure.y, figure.x}), .most_along = figure.x, .most = kMostPoints};
  }
};

}  // namespace

const FigureKind& lines_kind() {
  static const Lines kind;
  return kind;
}

}  // namespace fovea
