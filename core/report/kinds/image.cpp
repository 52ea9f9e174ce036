#include <algorithm>
#include <cmath>
#include <optional>
#include <set>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/words.hpp"
#include "fovea/core/report/figures/cells.hpp"
#include "fovea/core/report/figures/thinning.hpp"
#include "fovea/core/report/kinds/image_pixels.hpp"
#include "fovea/core/report/text.hpp"

namespace fovea {
namespace {

constexpr std::size_t kMostNamed = 40;     ///< classes in the legend
constexpr std::size_t kMostPixels = 1200;  ///< along one side of the SVG
constexpr double kLeftEdge = 20, kRightEdge = 700, kHighest = 760, kTitleRoom = 22, kAxisLeft = 62, kAxisBottom = 46,
                 kBetweenPanels = 14;

/// `across` columns of pictures, each pixel `zoom` long. zoom is a whole number, so that every pixel of the data has
/// the same size; below 1 only where not even one pixel each has room.
struct PanelGrid {
  std::size_t across = 1, down = 1;
  double zoom = 0;
};

/// As large as they fit: `count` pictures of columns x rows pixels in a room of width x height, `beside` and `above`
/// left free beside and above each of them. image.js has the same.
PanelGrid panel_grid(std::size_t count, std::size_t columns, std::size_t rows, double width, double height,
                     double beside, double above) {
  const auto fits = [](double room, std::size_t panels, double free, std::size_t pixels) {
    return (room / static_cast<double>(panels) - free) / static_cast<double>(pixels);
  };
  PanelGrid best;
  for (std::size_t across = 1; across <= count; ++across) {
    const std::size_t down = (count + across - 1) / across;
    const double zoom = std::min(fits(width, across, beside, columns), fits(height, down, above, rows));
    if (across == 1 || zoom > best.zoom) best = {across, down, zoom};
  }
  best.zoom = best.zoom >= 1 ? std::floor(best.zoom) : std::max(best.zoom, 0.01);
  return best;
}

/// A picture of the SVG with its title.
struct Panel {
  std::string title, shorter, png;
};

std::vector<Panel> panels_of(const Dataset& data, const Figure& figure, const std::vector<Averaged>& arrays,
                             const std::vector<Pictures>& pictures, const Selection& selection) {
  std::vector<Panel> panels;
  const double length = (kRightEdge - kLeftEdge) / std::sqrt(static_cast<double>(arrays.size()));  // of each, about
  for (std::size_t i = 0; i < arrays.size(); ++i) {
    const bool split = !figure.hue.empty() && arrays[i].has(figure.hue);
    const Averaged hues = split ? coordinate_of(data, figure.hue) : Averaged{};
    for (std::size_t h = 0; h < (split ? hues.size() : 1); ++h) {
      Selection at = selection;
      at[figure.x] = at[figure.y] = at[figure.channel] = 0;
      if (split) at[figure.hue] = h;
      const std::string place = !split               ? ""
                                : hues.words.empty() ? hues.label + " " + rounded_text(hues.mean[h], 3)
                                                     : hues.words[h];
      const std::string title = arrays.size() > 1 ? arrays[i].label + (split ? ", " + place : "") : place;
      panels.push_back({title, split ? place : arrays[i].label,
                        picture_of(arrays[i], arrays[i].position(at), figure, pictures[i],
                                   sharp_factor(arrays[i].size_of(figure.x), arrays[i].size_of(figure.y), length))});
    }
  }
  return panels;
}

/// The classes of all variables, equal ones once, and whether something is missing.
Pictures together(const std::vector<Pictures>& pictures) {
  Pictures all;
  std::set<std::pair<std::string, std::string>> seen;
  for (const Pictures& one : pictures) {
    all.missing = all.missing || one.missing;
    for (const Pictures::Class& single : one.classes)
      if (seen.insert({single.name, single.color}).second) all.classes.push_back(single);
  }
  return all;
}

/// A square of each colour with its name, in as many rows as it takes; returns where it ends.
double draw_class_legend(Svg& svg, const Pictures& all, double top) {
  if (all.classes.empty()) return top;
  constexpr double kRow = 19, kSide = 12;
  double x = kLeftEdge, y = top + 16;
  const auto entry = [&](const std::string& text, const std::string& fill) {
    const std::string name = clipped(text, 40);
    const double width = kSide + 24 + kLetterWidth * static_cast<double>(name.size());
    if (x + width > kRightEdge && x > kLeftEdge) x = kLeftEdge, y += kRow;
    svg.rectangle({x, y - 10, kSide, kSide}, fill, kQuiet);
    svg.text({x + kSide + 6, y}, name, {12, "start"});
    x += width;
  };
  for (std::size_t k = 0; k < std::min(all.classes.size(), kMostNamed); ++k)
    entry(all.classes[k].name, all.classes[k].color);
  if (all.missing) entry("no data", "none");
  if (all.classes.size() > kMostNamed)
    svg.text({x, y}, concat("and ", all.classes.size() - kMostNamed, " more"), {12, "start", kQuiet});
  return y + 6;
}

/// A colour bar for each pair of ends, with the names of the variables that have them; returns where they end.
double draw_bars(Svg& svg, const std::vector<Averaged>& arrays, const std::vector<Pictures>& pictures, double top) {
  constexpr double kBar = 170, kRow = 22;
  for (std::size_t i = 0; i < arrays.size(); ++i) {
    const auto before = pictures.begin() + static_cast<std::ptrdiff_t>(i);
    const auto same = [&](const Pictures& one) { return one.numbers == pictures[i].numbers; };
    if (!pictures[i].numbers || std::any_of(pictures.begin(), before, same)) continue;
    std::string names;
    for (std::size_t k = i; k < arrays.size(); ++k)
      if (same(pictures[k])) names += (names.empty() ? "" : ", ") + axis_label(arrays[k].label, arrays[k].units);
    const ColorScale scale = scale_of(*pictures[i].numbers);
    const std::string low = rounded_text(scale.range.low, 3), high = rounded_text(scale.range.high, 3);
    const double left = kLeftEdge + 8 + kLetterWidth * static_cast<double>(low.size());
    top += kRow;
    svg.text({kLeftEdge, top}, low, {12, "start", kQuiet});
    svg.image({left, top - 10, kBar, 12}, png_image({scale.map().begin(), scale.map().end()}, 256, 8));
    svg.rectangle({left, top - 10, kBar, 12}, "none", kQuiet);
    const double after = left + kBar + 8 + kLetterWidth * static_cast<double>(high.size());
    svg.text({left + kBar + 6, top}, high, {12, "start", kQuiet});
    svg.text({after + 14, top}, clipped(names, letters_in(kRightEdge - after - 14, 12)), {12, "start"});
  }
  return top;
}

/// The axis of a picture's side where it has a coordinate; `downward`: its first value is the uppermost.
std::optional<Axis> side(const Dataset& data, const std::string& dimension, bool downward) {
  if (!data.has(dimension) || !data.is_coordinate(data.at(dimension))) return std::nullopt;
  Averaged coordinate = coordinate_of(data, dimension);
  if (downward) std::reverse(coordinate.mean.begin(), coordinate.mean.end());
  if (downward) std::reverse(coordinate.words.begin(), coordinate.words.end());
  return cell_axis(coordinate);
}

/// Pictures in a grid below `top`, framed, with axes at the left and at the foot; returns the SVG's height.
double draw_panels(Svg& svg, const Dataset& data, const Figure& figure, const Averaged& first,
                   const std::vector<Panel>& panels, double top) {
  const std::size_t rows = first.size_of(figure.y), columns = first.size_of(figure.x);
  const bool titled = !panels.front().title.empty();
  const std::optional<Axis> x = side(data, figure.x, false), y = side(data, figure.y, !rises(data, figure.y));
  const double left = kLeftEdge + (y ? kAxisLeft : 0), foot = x ? kAxisBottom : 8;
  const double width = kRightEdge - left, above = titled ? kTitleRoom : 0;
  const PanelGrid grid = panel_grid(panels.size(), columns, rows, width + kBetweenPanels, kHighest, kBetweenPanels,
                                    above + kBetweenPanels);
  const double wide = grid.zoom * static_cast<double>(columns), high = grid.zoom * static_cast<double>(rows);
  const double indent = (width + kBetweenPanels - static_cast<double>(grid.across) * (wide + kBetweenPanels)) / 2;
  for (std::size_t i = 0; i < panels.size(); ++i) {
    const auto column = static_cast<double>(i % grid.across), row = static_cast<double>(i / grid.across);
    const Box box{left + indent + column * (wide + kBetweenPanels), top + above + row * (high + above + kBetweenPanels),
                  wide, high};
    const Panel& panel = panels[i];
    svg.image(box, panel.png);
    const bool lowest = i + grid.across >= panels.size(), leftmost = i % grid.across == 0;
    if ((x && lowest) || (y && leftmost)) {
      Axis none{{{0, 1}, false}, "", {""}};
      Frame(box, x && lowest ? *x : none, y && leftmost ? *y : none).draw(svg, false);
    }
    svg.rectangle(box, "none", kQuiet);
    if (!titled) continue;
    const std::size_t letters = letters_in(std::max(wide, 60.0), 12);
    const bool fits = clipped(panel.title, letters) == panel.title;
    svg.text({box.left, box.top - 7}, fits ? panel.title : clipped(panel.shorter, letters),
             {12, "start", kInk, true, 0, panel.title});
  }
  return top + static_cast<double>(grid.down) * (high + above + kBetweenPanels) - kBetweenPanels + foot;
}

std::string draw_image(const Dataset& data, const Figure& figure, const FigureData& drawn, const Selection& selection) {
  std::vector<Averaged> arrays;
  std::vector<Pictures> pictures;
  for (const std::string& name : figure.variables) {
    Averaged array = reordered(drawn.arrays.at(name), {figure.y, figure.x, figure.channel});
    const std::size_t longest = std::max(array.size_of(figure.x), array.size_of(figure.y));
    const std::size_t step = (longest + kMostPixels - 1) / kMostPixels;
    Pictures one = meaning_of_colors(data, figure, array);
    const bool means = has_channels(figure, array) || one.numbers;
    array = thinned(thinned(std::move(array), figure.y, step, means), figure.x, step, means);
    arrays.push_back(std::move(array));
    pictures.push_back(std::move(one));
  }
  const std::vector<Panel> panels = panels_of(data, figure, arrays, pictures, selection);
  const auto draw = [&](double height) {
    Svg svg(kFigureWidth, height, figure.title, figure.caption);
    double top = draw_class_legend(svg, together(pictures), draw_heading(svg, data, figure, drawn.sliders, selection));
    top = draw_bars(svg, arrays, pictures, top);
    const double foot = draw_panels(svg, data, figure, arrays.front(), panels, top + 12);
    return std::pair{foot + 8, svg.finish()};
  };
  return draw(draw(kFigureHeight).first).second;  // as high as it needs
}

class Image : public FigureKind {
 public:
  std::string_view name() const override { return "image"; }
  std::string_view needs() const override {
    return "variables over (y, x) and, for colours, a channel of 3: red, green and blue";
  }

  std::string fault(const Dataset& data, const Figure& figure) const override {
    if (figure.y.empty()) return "names no dimension y";
    if (const std::string basic = FigureKind::fault(data, figure); !basic.empty()) return basic;
    if (!figure.channel.empty() && data.size_of(figure.channel) != 3)
      return concat("has ", data.size_of(figure.channel), " values along '", figure.channel, "'");
    for (const std::string& name : figure.variables)
      if (const std::string fault = fault_of(raster(data, name), figure, data); !fault.empty()) return fault;
    return {};
  }

  /// The first replica: a mean of pictures is no picture. Bytes become numbers from 0 to 1.
  FigureData arrays(const Dataset& data, const Figure& figure) const override {
    FigureData out;
    for (const std::string& name : figure.variables) {
      Averaged array = raster(data, name);
      if (has_channels(figure, array) && std::holds_alternative<std::vector<std::uint8_t>>(data.at(name).values))
        for (double& value : array.mean) value /= 255;
      const std::vector<std::string> percentiles = words_of(data.at(name), "stretch");
      if (has_channels(figure, array) && percentiles.size() == 2)
        stretch(array, figure.channel, std::strtod(percentiles[0].c_str(), nullptr),
                std::strtod(percentiles[1].c_str(), nullptr));
      out.arrays[name] = std::move(array);
    }
    out.sliders = sliders_of(out, {figure.x, figure.y, figure.hue, figure.channel});
    return out;
  }

  std::string limit(FigureData& arrays, const Figure& figure) const override {
    std::string note;
    for (const std::string& name : figure.variables) {
      const Averaged& array = arrays.arrays.at(name);
      if (const std::size_t at = array.meaning.find(kStretched); at != std::string::npos)
        note += concat(array.label, ":", array.meaning.substr(at), " ");
    }
    return note;
  }

  std::string draw(const Dataset& data, const Figure& figure, const FigureData& arrays,
                   const Selection& selection) const override {
    return draw_image(data, figure, arrays, selection);
  }
  Room room(const Figure& figure) const override {
    return figure.variables.size() > 1 || !figure.hue.empty() ? Room::whole : Room::half;
  }
  PageForm form(const Figure& figure, const Averaged& array) const override {
    return {.axes = axes_of({figure.hue, figure.y, figure.x, figure.channel}),
            .values = PageForm::Values::pictures,
            .means = has_channels(figure, array) || !are_whole(array.mean),
            .together = {figure.y, figure.x}};
  }
  Pictures pictures(const Dataset& data, const Figure& figure, const Averaged& array) const override {
    Pictures out = meaning_of_colors(data, figure, array);
    const std::size_t size = array.size_of(figure.y) * array.size_of(figure.x) * (has_channels(figure, array) ? 3 : 1);
    for (std::size_t start = 0; size > 0 && start < array.mean.size(); start += size)
      out.png.push_back(picture_of(array, start, figure, out));
    return out;
  }

 private:
  static std::string fault_of(const Averaged& array, const Figure& figure, const Dataset& data) {
    for (const std::string& dimension : {figure.y, figure.x})
      if (!array.has(dimension))
        return concat("has a variable '", array.name, "' without the dimension '", dimension, "'");
    if (!array.words.empty()) return concat("has a variable '", array.name, "' of text");
    if (has_channels(figure, array)) {
      const std::vector<std::string> cut = words_of(data.at(array.name), "stretch");
      const double low = cut.size() == 2 ? std::strtod(cut[0].c_str(), nullptr) : 0,
                   high = cut.size() == 2 ? std::strtod(cut[1].c_str(), nullptr) : 100;
      if (cut.empty() || (cut.size() == 2 && low >= 0 && low < high && high <= 100)) return {};
      return concat("has a variable '", array.name, "' whose stretch is no two rising percentiles");
    }
    if (const std::optional<Pictures::Ends> ends = ends_of(data, array.name)) {
      if (ends->low < ends->high && std::isfinite(ends->high - ends->low)) return {};
      return concat("has a variable '", array.name, "' whose valid_min ", ends->low, " is not below its valid_max ",
                    ends->high);
    }
    const std::set<double> classes = numbers_in(array.mean, kMostClasses);
    const auto broken = std::find_if(classes.begin(), classes.end(), [](double v) { return v != std::floor(v); });
    if (broken != classes.end())
      return concat("has a variable '", array.name, "' with the value ", *broken, ", which is the number of no class");
    if (classes.size() > kMostClasses)
      return concat("has a variable '", array.name, "' with more than ", kMostClasses, " classes");
    return {};
  }
};

}  // namespace

const FigureKind& image_kind() {
  static const Image kind;
  return kind;
}

}  // namespace fovea
