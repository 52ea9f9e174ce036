#include <set>

#include "fovea/core/base/error.hpp"
#include "fovea/core/data/dataset_flags.hpp"
#include "fovea/core/report/figures/svg.hpp"
#include "fovea/core/report/report.hpp"
#include "fovea/core/report/text.hpp"

namespace fovea {
namespace {

std::string draw_figure(const Dataset& data, const std::vector<Figure>& all, const Figure& figure) {
  const FigureData arrays = figure_data(data, figure);
  const Selection selection = start_selection(data, all, arrays.sliders);
  if (figure.kind == "lines") return draw_lines(data, figure, arrays, selection);
  if (figure.kind == "histogram") return draw_histogram(data, figure, arrays, selection);
  if (figure.kind == "heatmap") return draw_heatmap(data, figure, arrays, selection);
  if (figure.kind == "network") return draw_network(data, figure, arrays, selection);
  if (figure.kind == "table") return draw_table(data, figure, arrays, selection);
  throw DataError(concat("figure '", figure.name, "': '", figure.kind, "' is not a kind of figure."));
}

}  // namespace

std::vector<SvgFigure> draw_figures(const Results& results) {
  const Dataset data = with_names(results.data);
  std::vector<SvgFigure> figures;
  std::set<std::string> taken;
  for (const Figure& figure : results.figures()) {
    const std::string plain = file_name_text(figure.name);
    std::string name = plain;
    for (int number = 2; !taken.insert(name).second; ++number) name = plain + "_" + std::to_string(number);
    figures.push_back({name, draw_figure(data, results.figures(), figure)});
  }
  return figures;
}

}  // namespace fovea
