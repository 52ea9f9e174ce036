#include <algorithm>
#include <cmath>
#include <optional>

#include "fovea/core/base/words.hpp"
#include "fovea/core/report/figures/cells.hpp"
#include "fovea/core/report/figures/contours.hpp"
#include "fovea/core/report/figures/thinning.hpp"
#include "fovea/core/report/kinds/kind.hpp"

namespace fovea {
namespace {

constexpr double kFieldBottom = 400;           ///< of a heat map
constexpr double kNamesRoom = 22;              ///< below it, where slanted names stand instead of numbers
constexpr std::size_t kMostCells = 600;        ///< along one side of a heat map
constexpr std::string_view kOnCells = "#fff";  ///< white in the dark, too: not the panel's colour

std::size_t step_for(std::size_t size, std::size_t most) { return std::max<std::size_t>(1, (size + most - 1) / most); }

/// Black or white, whichever is read better on the colour: the contrast is 4.58 at least (WCAG 2.2).
std::string_view ink_on(Color ground) {
  const auto light = [](double v) {
    return v <= 0.04045 * 255 ? v / 255 / 12.92 : std::pow((v / 255 + 0.055) / 1.055, 2.4);
  };
  return 0.2126 * light(ground.red) + 0.7152 * light(ground.green) + 0.0722 * light(ground.blue) > 0.179 ? "#000000"
                                                                                                         : kOnCells;
}

/// Cells with texts leave the others empty: their colours begin at 0, whatever the least value that is there.
ColorScale signed_colors(const std::vector<double>& values) {
  double top = 0;
  for (const double value : values)
    if (std::isfinite(value)) top = std::max(top, std::abs(value));
  return {{top > 0 ? -top : -1, top > 0 ? top : 1}, false};
}

std::size_t letters_of(std::string_view text) {
  return std::count_if(text.begin(), text.end(),
                       [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80; });
}

std::string cell_label(const Averaged& labels, std::size_t position) {
  if (!labels.words.empty()) return labels.words[position];
  return std::isfinite(labels.mean[position]) ? rounded_text(labels.mean[position], 3) : "";
}

/// Numbers or words in the cells that have a value, thin lines between cells; nothing where the text has no room.
void draw_cell_labels(Svg& svg, const Figure& figure, const Averaged& labels, const Selection& selection,
                      const Box& box, const Averaged& array, const std::vector<double>& values,
                      const ColorScale& colors) {
  constexpr double kSmallest = 6.5, kLargest = 13;
  const std::size_t rows = array.size_of(figure.y), columns = array.size_of(figure.x);
  const double width = box.width / static_cast<double>(columns), height = box.height / static_cast<double>(rows);
  const double size = std::min(kLargest, 0.62 * std::min(height, width));
  if (size < kSmallest) return;
  const auto edge = [](double from, double cell, std::size_t k) { return from + cell * static_cast<double>(k); };
  for (std::size_t c = 1; c < columns; ++c)
    svg.line({edge(box.left, width, c), box.top}, {edge(box.left, width, c), box.bottom()}, {kFaint, 1, {}});
  for (std::size_t r = 1; r < rows; ++r)
    svg.line({box.left, edge(box.top, height, r)}, {box.right(), edge(box.top, height, r)}, {kFaint, 1, {}});
  Selection at = selection;
  for (std::size_t r = 0; r < rows; ++r) {
    for (std::size_t c = 0; c < columns; ++c) {
      if (std::isnan(values[r * columns + c])) continue;
      at[figure.y] = r, at[figure.x] = c;
      const std::string text = cell_label(labels, labels.position(at));
      const double room = width / (kLetterWidth / 12 * static_cast<double>(std::max<std::size_t>(letters_of(text), 1)));
      if (text.empty() || std::min(size, room) < kSmallest) continue;
      const Point middle{box.left + width * (static_cast<double>(c) + 0.5),
                         box.bottom() - height * (static_cast<double>(r) + 0.5) + 0.36 * std::min(size, room)};
      svg.text(middle, text, {std::min(size, room), "middle", ink_on(colors.color(values[r * columns + c])), true});
    }
  }
}

/// An array at the sliders as rows x columns; one that lacks an axis is the same along it.
std::vector<double> cells_of(const Averaged& array, const Figure& figure, const Selection& selection, std::size_t rows,
                             std::size_t columns) {
  std::vector<double> values;
  Selection at = selection;
  for (std::size_t r = 0; r < rows; ++r)
    for (std::size_t c = 0; c < columns; ++c) {
      at[figure.y] = r, at[figure.x] = c;
      values.push_back(array.mean.empty() ? NAN : array.mean[array.position(at)]);
    }
  return values;
}

/// On a line a place for its label that touches none of the others, as near to the line's middle as can be.
template <typename Pieces, typename At>
std::optional<Point> free_place(const Pieces& pieces, const At& at, const std::vector<Point>& taken, double half) {
  constexpr double kRowOfLabels = 17;
  const std::size_t middle = pieces.size() / 2;
  for (std::size_t off = 0; off < 2 * pieces.size(); ++off) {
    const std::size_t k = off % 2 == 0 ? middle + off / 2 : middle - (off + 1) / 2;
    if (k >= pieces.size()) continue;
    const Point place = at(pieces[k].first);
    if (std::none_of(taken.begin(), taken.end(), [&](const Point& other) {
          return std::abs(other.x - place.x) < 2 * half + 2 && std::abs(other.y - place.y) < kRowOfLabels;
        }))
      return place;
  }
  return std::nullopt;
}

/// Where theory has the values at the ticks of the colour bar; each level is written once, on its line.
void draw_theory(Svg& svg, const Box& box, const std::vector<double>& theory, std::size_t columns,
                 const ColorScale& colors) {
  const double width = box.width / static_cast<double>(columns);
  const double height = box.height * static_cast<double>(columns) / static_cast<double>(theory.size());
  const auto at = [&](Point p) { return Point{box.left + width * (p.x + 0.5), box.bottom() - height * (p.y + 0.5)}; };
  const std::vector<double> levels = ticks({colors.range, false}, 6);
  const std::vector<std::string> names = tick_labels(levels, false);
  for (const Stroke& stroke : {Stroke{kOnCells, 3.6, {}}, Stroke{"#10151c", 1.4, {}}})
    for (const double level : levels)
      for (const auto& [from, to] : contour(theory, columns, level)) svg.line(at(from), at(to), stroke);
  std::vector<Point> taken;
  for (std::size_t k = 0; k < levels.size(); ++k) {
    const auto pieces = contour(theory, columns, levels[k]);
    const double half = kLetterWidth * static_cast<double>(names[k].size()) / 2 + 2;
    const std::optional<Point> free = free_place(pieces, at, taken, half);
    if (!free) continue;
    const Point place = *free;
    taken.push_back(place);
    svg.rectangle({place.x - half, place.y - 8, 2 * half, 15}, kOnCells);
    svg.text({place.x, place.y + 4}, names[k], {11, "middle", "#10151c"});
  }
}

/// What the grey cells are, below the colour bar.
void draw_missing_name(Svg& svg, const Box& box, const ColorScale& colors) {
  const Box sample{box.right() + 22, box.bottom() + 12, 14, 12};
  svg.rectangle(sample, hex(colors.color(NAN)), "#5a6572");
  svg.text({sample.right() + 6, sample.bottom() - 1}, "no value", {12, "start", "#5a6572"});
}

/// A cross in each cell of which points failed.
void draw_failed(Svg& svg, const Box& box, const std::vector<double>& failed, std::size_t columns) {
  constexpr double kArm = 4.5;
  const double width = box.width / static_cast<double>(columns);
  const double height = box.height * static_cast<double>(columns) / static_cast<double>(failed.size());
  for (std::size_t i = 0; i < failed.size(); ++i) {
    if (!(failed[i] > 0)) continue;
    const Point p{box.left + width * (static_cast<double>(i % columns) + 0.5),
                  box.bottom() - height * (static_cast<double>(i / columns) + 0.5)};
    for (const double turn : {-1.0, 1.0})
      svg.line({p.x - kArm, p.y - turn * kArm}, {p.x + kArm, p.y + turn * kArm}, {kBad, 2, {}});
  }
}

/// What stands on the cells of a sweep.
void draw_over_cells(Svg& svg, const Figure& figure, const FigureData& arrays, const Selection& selection,
                     const Box& box, const ColorScale& colors) {
  const Averaged& array = arrays.arrays.at(figure.variables.front());
  const std::size_t rows = array.size_of(figure.y), columns = array.size_of(figure.x);
  if (rows > kMostCells || columns > kMostCells) return;
  for (const std::string& name : figure.references)
    draw_theory(svg, box, cells_of(arrays.arrays.at(name), figure, selection, rows, columns), columns, colors);
  if (!figure.failed.empty())
    draw_failed(svg, box, cells_of(arrays.arrays.at(figure.failed), figure, selection, rows, columns), columns);
}

std::string draw_heatmap(const Dataset& data, const Figure& figure, const FigureData& arrays,
                         const Selection& selection) {
  Svg svg(kFigureWidth, kFigureHeight, figure.title, figure.caption);
  const double top = draw_heading(svg, data, figure, arrays.sliders, selection) + 16;
  Averaged array = reordered(arrays.arrays.at(figure.variables.front()), {figure.y, figure.x});
  array = thinned(std::move(array), figure.y, step_for(array.size_of(figure.y), kMostCells), true);
  array = thinned(std::move(array), figure.x, step_for(array.size_of(figure.x), kMostCells), true);
  const std::size_t rows = array.size_of(figure.y), columns = array.size_of(figure.x);
  Selection at = selection;
  at[figure.x] = at[figure.y] = 0;
  const auto start = array.mean.begin() + static_cast<std::ptrdiff_t>(array.position(at));
  const std::vector<double> values(start, start + static_cast<std::ptrdiff_t>(rows * columns));
  const bool labelled = !figure.labels.empty();  // then cells without value are as empty as the paper
  const ColorScale colors = labelled ? signed_colors(array.mean) : color_scale(values, array.mean);
  std::vector<Color> pixels;
  std::vector<bool> there;
  for (std::size_t row = rows; row-- > 0;) {  // the first row of the data is the lowest of the picture
    for (std::size_t i = 0; i < columns; ++i) {
      const double value = values[row * columns + i];
      pixels.push_back(colors.color(value));
      there.push_back(!labelled || !std::isnan(value));
    }
  }
  const Axis across = cell_axis(coordinate_of(data, figure.x));
  const double bottom = across.names.empty() ? kFieldBottom : kFieldBottom - kNamesRoom;
  const double height = bottom - top, width = rows == columns ? height : 500;
  const Box box{(kFigureWidth - width - 36) / 2, top, width, height};  // a little more room right, for the colour bar
  svg.image(box, png_image(pixels, there, columns, sharp_factor(columns, rows, std::max(width, height))));
  draw_over_cells(svg, figure, arrays, selection, box, colors);
  const Averaged& whole = arrays.arrays.at(figure.variables.front());
  if (labelled && rows == whole.size_of(figure.y) && columns == whole.size_of(figure.x))
    draw_cell_labels(svg, figure, arrays.arrays.at(figure.labels), selection, box, array, values, colors);
  Frame(box, across, cell_axis(coordinate_of(data, figure.y))).draw(svg, false);
  draw_color_bar(svg, box, colors, array);
  if (!labelled && std::any_of(values.begin(), values.end(), [](double v) { return std::isnan(v); }))
    draw_missing_name(svg, box, colors);
  return svg.finish();
}

class Heatmap : public FigureKind {
 public:
  std::string_view name() const override { return "heatmap"; }
  std::string_view needs() const override { return "one variable over (y, x)"; }
  std::string fault(const Dataset& data, const Figure& figure) const override {
    if (figure.y.empty()) return "names no dimension y";
    return FigureKind::fault(data, figure);
  }
  std::string draw(const Dataset& data, const Figure& figure, const FigureData& arrays,
                   const Selection& selection) const override {
    return draw_heatmap(data, figure, arrays, selection);
  }
  PageForm form(const Figure& figure, const Averaged& array) const override {
    PageForm form{.axes = axes_of({figure.y, figure.x}), .values = PageForm::Values::colours, .means = true};
    if (array.size_of(figure.x) == array.size_of(figure.y)) form.together = form.axes;  // a matrix stays square
    if (array.name == figure.labels && array.name != figure.variables.front()) {        // labels stay as they are
      form.values = PageForm::Values::decimals;
      form.fixed = true;
    }
    const auto& theory = figure.references;
    if (array.name == figure.failed || std::find(theory.begin(), theory.end(), array.name) != theory.end())
      form.values = PageForm::Values::decimals;
    return form;
  }
};

}  // namespace

const FigureKind& heatmap_kind() {
  static const Heatmap kind;
  return kind;
}

}  // namespace fovea
