#include "fovea/core/report/figures/curves.hpp"
#include "fovea/core/report/kinds/kind.hpp"

namespace fovea {
namespace {

constexpr std::size_t kMostPoints = 2000;  ///< of a line: more than pixels on a screen

class Lines : public FigureKind {
 public:
  std::string_view name() const override { return "lines"; }
  std::string_view needs() const override { return "variables over x"; }
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
