#include <algorithm>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/words.hpp"
#include "fovea/core/data/least_value.hpp"
#include "fovea/core/report/figures/svg.hpp"
#include "fovea/core/report/figures/thinning.hpp"
#include "fovea/core/report/kinds/kind.hpp"
#include "fovea/core/report/text.hpp"

namespace fovea {
namespace {

constexpr const char* kAtMost = "\xE2\x89\xA4 ";
constexpr std::size_t kMostDrawn = 40, kMostRows = 300;  ///< rows of the SVG and of the page

std::string cell_text(const Averaged& column, std::size_t position, int digits) {
  if (!column.words.empty()) return column.words[position];
  return (column.is_least(position) ? kAtMost : "") +
         (column.error.empty() ? rounded_text(column.mean[position], digits)
                               : text_with_error(column.mean[position], column.error[position]));
}

std::string draw_rows(const Dataset& data, const Figure& figure, const FigureData& arrays, const Selection& selection) {
  const Averaged rows = coordinate_of(data, figure.x);
  const std::size_t count = std::min(rows.size(), kMostDrawn);
  const double row_height = 24, top = 92;
  const double column_width = (kFigureWidth - 40) / static_cast<double>(figure.variables.size() + 1);
  const double height = top + row_height * static_cast<double>(count) + (count < rows.size() ? 44 : 20);
  Svg svg(kFigureWidth, height, figure.title, figure.caption);
  draw_heading(svg, data, figure, arrays.sliders, selection);
  const auto place = [&](std::size_t column) { return 20 + column_width * static_cast<double>(column); };
  const auto letters = static_cast<std::size_t>(std::max(4.0, column_width / 8));
  svg.text({place(0), top - 12}, clipped(axis_label(rows.label, rows.units), letters), {12, "start", kInk, true});
  for (std::size_t c = 0; c < figure.variables.size(); ++c) {
    const Averaged& column = arrays.arrays.at(figure.variables[c]);
    svg.text({place(c + 1), top - 12}, clipped(axis_label(column.label, column.units), letters),
             {12, "start", kInk, true});
  }
  svg.line({20, top - 4}, {kFigureWidth - 20, top - 4}, {kQuiet, 1, {}});
  for (std::size_t r = 0; r < count; ++r) {
    const double y = top + 14 + row_height * static_cast<double>(r);
    Selection at = selection;
    at[figure.x] = r;
    svg.text({place(0), y}, clipped(cell_text(rows, r, figure.digits), letters), {12, "start"});
    for (std::size_t c = 0; c < figure.variables.size(); ++c) {
      const Averaged& column = arrays.arrays.at(figure.variables[c]);
      svg.text({place(c + 1), y}, clipped(cell_text(column, column.position(at), figure.digits), letters + 4),
               {12, "start"});
    }
  }
  if (count < rows.size())
    svg.text({20, height - 14}, "The first " + std::to_string(count) + " of " + std::to_string(rows.size()) + " rows.",
             {12, "start", kQuiet});
  return svg.finish();
}

class Table : public FigureKind {
 public:
  std::string_view name() const override { return "table"; }
  std::string_view needs() const override { return "variables over x, the columns"; }
  std::string draw(const Dataset& data, const Figure& figure, const FigureData& arrays,
                   const Selection& selection) const override {
    return draw_rows(data, figure, arrays, selection);
  }
  Room room(const Figure&) const override { return Room::whole; }
  bool is_picture() const override { return false; }
  std::string limit(FigureData& arrays, const Figure& figure) const override {
    bool cut = false, least = false;
    for (auto& [name, array] : arrays.arrays) {
      for (std::size_t flat = 0; flat < array.mean.size(); ++flat) least = least || array.is_least(flat);
      cut = cut || array.size_of(figure.x) > kMostRows;
      array = shortened(array, figure.x, kMostRows);
    }
    return (cut ? concat("Thinned for this page: the first ", kMostRows, " rows; the result file has all values. ")
                : std::string()) +
           (least ? concat(kAtMost, "marks ", kLeastP, ". ") : "");
  }
  PageForm form(const Figure& figure, const Averaged&) const override {
    return {.axes = axes_of({figure.y, figure.x}), .thins_axes = false};
  }
};

}  // namespace

const FigureKind& table_kind() {
  static const Table kind;
  return kind;
}

}  // namespace fovea
