#include "fovea/core/report/figures/curves.hpp"
#include "fovea/core/report/kinds/kind.hpp"

namespace fovea {
namespace {

class Histogram : public FigureKind {
 public:
  std::string_view name() const override { return "histogram"; }
  std::string_view needs() const override { return "densities over x, the centres of the bins"; }
  std::string draw(const Dataset& data, const Figure& figure, const FigureData& arrays,
                   const Selection& selection) const override {
    return draw_curves(data, figure, arrays, selection, true);
  }
  PageForm form(const Figure& figure, const Averaged&) const override {
    return {.axes = axes_of({figure.y, figure.x}), .values = PageForm::Values::levels, .means = true};
  }
};

}  // namespace

const FigureKind& histogram_kind() {
  static const Histogram kind;
  return kind;
}

}  // namespace fovea
