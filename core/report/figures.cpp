#include <algorithm>
#include <set>

#include "fovea/core/report/figures/svg.hpp"
#include "fovea/core/report/kinds/kind.hpp"
#include "fovea/core/report/report.hpp"
#include "fovea/core/report/text.hpp"

namespace fovea {
namespace {

/// A figure whose variables have no values, whatever its kind.
std::string draw_nothing(const Figure& figure) {
  Svg svg(kFigureWidth, 90, figure.title, figure.caption);
  svg.text({20, 30}, clipped(figure.title, letters_in(kFigureWidth - 40, 17)), {17, "start", kInk, true});
  svg.text({20, 62}, "There is no data.", {13, "start", kQuiet});
  return svg.finish();
}

std::string draw_figure(const Dataset& data, const std::vector<Figure>& all, const Figure& figure) {
  const FigureKind& kind = kind_of(data, figure);
  const FigureData arrays = kind.arrays(data, figure);
  const auto& names = figure.variables;
  if (std::all_of(names.begin(), names.end(), [&](const auto& name) { return arrays.arrays.at(name).size() == 0; }))
    return draw_nothing(figure);
  return kind.draw(data, figure, arrays, start_selection(data, all, arrays.sliders));
}

}  // namespace

std::vector<SvgFigure> draw_figures(const Results& results) {
  std::vector<SvgFigure> figures;
  std::set<std::string> taken;
  for (const Figure& figure : results.figures()) {
    const std::string plain = file_name_text(figure.name);
    std::string name = plain;
    for (int number = 2; !taken.insert(name).second; ++number) name = plain + "_" + std::to_string(number);
    figures.push_back({name, draw_figure(results.data, results.figures(), figure)});
  }
  return figures;
}

}  // namespace fovea
