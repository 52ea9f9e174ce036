#include "fovea/core/report/figures/curves.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/words.hpp"
#include "fovea/core/report/figures/svg.hpp"
#include "fovea/core/report/text.hpp"

namespace fovea {
namespace {

constexpr double kLeft = 86, kWidth = 606, kRight = kLeft + kWidth, kBottom = 396;  ///< of the plot
constexpr std::size_t kFewPoints = 60;                                              ///< with markers

struct Curve {
  std::string name, meaning;
  std::string_view color, dashes;
  std::size_t sign = 0;  ///< of its markers
  bool theory = false;
  std::vector<double> x, y, error;
  std::vector<std::vector<double>> seeds = {};  ///< of each replica, where they are drawn as dots
};

/// The values along x; 0, 1, 2, ... for names.
std::vector<double> x_values(const Averaged& coordinate) {
  if (coordinate.words.empty()) return coordinate.mean;
  std::vector<double> values(coordinate.words.size());
  std::iota(values.begin(), values.end(), 0.0);
  return values;
}

std::string value_name(const Averaged& coordinate, std::size_t i) {
  return coordinate.words.empty() ? coordinate.label + " " + rounded_text(coordinate.mean[i], 3) : coordinate.words[i];
}

Curve curve_of(const Averaged& array, const std::vector<double>& values, const std::string& x,
               const Selection& selection) {
  Curve curve;
  if (array.mean.empty()) return curve;
  std::vector<std::size_t> order(values.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return values[a] < values[b]; });
  const std::vector<std::size_t> at = array.along(x, selection);
  for (const std::size_t i : order) {
    const std::size_t from = at[at.size() > 1 ? i : 0];  // a constant is a level line
    curve.x.push_back(values[i]);
    curve.y.push_back(array.mean[from]);
    curve.error.push_back(array.error.empty() ? 0 : array.error[from]);
  }
  return curve;
}

/// Every variable and reference, once for each value of the hue.
std::vector<Curve> curves_of(const Dataset& data, const Figure& figure, const FigureData& arrays,
                             const Selection& selection) {
  const std::vector<double> values = x_values(coordinate_of(data, figure.x));
  std::vector<Curve> curves;
  std::size_t used = 0;
  const auto add = [&](const std::string& name, std::size_t index, bool theory) {
    const Averaged& array = arrays.arrays.at(name);
    const bool split = !figure.hue.empty() && array.has(figure.hue);
    const Averaged hues = split ? coordinate_of(data, figure.hue) : Averaged{};
    for (std::size_t h = 0; h < (split ? hues.size() : 1); ++h) {
      Selection at = selection;
      if (split) at[figure.hue] = h;
      Curve curve = curve_of(array, values, figure.x, at);
      const bool any = std::any_of(curve.y.begin(), curve.y.end(), [](double y) { return std::isfinite(y); });
      if (const auto each = arrays.arrays.find(name + kOfEachSeed); each != arrays.arrays.end())
        for (std::size_t seed = 0; seed < each->second.size_of(kReplicas); ++seed) {
          at[std::string(kReplicas)] = seed;
          curve.seeds.push_back(curve_of(each->second, values, figure.x, at).y);
        }
      if (curve.y.empty() || (theory && !any)) continue;
      const bool paired = split ? figure.variables.size() == 1
                                : figure.references.size() == figure.variables.size() && figure.hue.empty();
      curve.theory = theory;
      curve.meaning = array.meaning;
      curve.name =
          split ? value_name(hues, h) + (figure.variables.size() > 1 || theory ? ", " + array.label : "") : array.label;
      curve.sign = used;
      curve.dashes = theory ? "6 4" : line_dashes(used);
      curve.color = !theory ? line_color(used++) : paired ? line_color(split ? h : index) : kInk;
      curves.push_back(std::move(curve));
    }
  };
  for (std::size_t i = 0; i < figure.variables.size(); ++i) add(figure.variables[i], i, false);
  for (std::size_t i = 0; i < figure.references.size(); ++i) add(figure.references[i], i, true);
  return curves;
}

/// An area between two curves, behind the others.
struct Band {
  Curve low, high;
};

constexpr double kBandOpacity = 0.16;

std::vector<Band> bands_of(const Dataset& data, const Figure& figure, const FigureData& arrays,
                           const Selection& selection) {
  std::vector<Band> bands;
  if (figure.band_low.empty() || figure.band_high.empty()) return bands;
  const std::vector<double> values = x_values(coordinate_of(data, figure.x));
  const Averaged &low = arrays.arrays.at(figure.band_low), &high = arrays.arrays.at(figure.band_high);
  const bool split = !figure.hue.empty() && (low.has(figure.hue) || high.has(figure.hue));
  for (std::size_t h = 0; h < (split ? coordinate_of(data, figure.hue).size() : 1); ++h) {
    Selection at = selection;
    if (split) at[figure.hue] = h;
    Band band{curve_of(low, values, figure.x, at), curve_of(high, values, figure.x, at)};
    band.low.name = low.label, band.low.meaning = low.meaning;
    band.low.color = split ? line_color(h) : kQuiet;
    if (!band.low.y.empty() && band.low.y.size() == band.high.y.size()) bands.push_back(std::move(band));
  }
  return bands;
}

void draw_between(Svg& svg, const Frame& frame, const Band& band) {
  std::vector<Point> lower, upper;
  const auto flush = [&] {
    if (upper.size() > 1) {
      upper.insert(upper.end(), lower.rbegin(), lower.rend());
      svg.area(upper, band.low.color, kBandOpacity);
    }
    upper.clear();
    lower.clear();
  };
  for (std::size_t i = 0; i < band.low.y.size(); ++i) {
    const Point low = frame.at(band.low.x[i], band.low.y[i]), high = frame.at(band.low.x[i], band.high.y[i]);
    if (!std::isfinite(low.x) || !std::isfinite(low.y) || !std::isfinite(high.y)) {
      flush();
      continue;
    }
    lower.push_back(low);
    upper.push_back(high);
  }
  flush();
}

/// Of the curves and of the edges of the bands.
Interval y_range(const std::vector<Curve>& curves, const std::vector<Band>& bands, bool logarithmic) {
  std::vector<double> all;
  for (const Band& band : bands) {
    all.insert(all.end(), band.low.y.begin(), band.low.y.end());
    all.insert(all.end(), band.high.y.begin(), band.high.y.end());
  }
  for (const Curve& curve : curves) {
    for (std::size_t i = 0; i < curve.y.size(); ++i) {
      constexpr double kDecade = 10;  // an error of almost the whole value does not stretch a logarithmic axis to 0
      const double error = std::isfinite(curve.error[i]) ? curve.error[i] : 0, low = curve.y[i] - error;
      all.insert(all.end(), {logarithmic && low < curve.y[i] / kDecade ? curve.y[i] : low, curve.y[i] + error});
    }
    for (const std::vector<double>& seed : curve.seeds) all.insert(all.end(), seed.begin(), seed.end());
  }
  return shown_range(all, logarithmic);
}

/// On a logarithmic axis a band that reaches 0 goes down to the axis; none leaves the plot.
void draw_band(Svg& svg, const Frame& frame, const Curve& curve, bool logarithmic) {
  const Box& box = frame.box();
  const auto inside = [&](double x, double y) {
    const double height = logarithmic && y <= 0 ? box.bottom() : std::clamp(frame.at(x, y).y, box.top, box.bottom());
    return Point{frame.at(x, 1).x, height};
  };
  std::vector<Point> upper, lower;
  const auto flush = [&] {
    if (upper.size() > 1) {
      upper.insert(upper.end(), lower.rbegin(), lower.rend());
      svg.area(upper, curve.color, 0.2);
    }
    upper.clear();
    lower.clear();
  };
  for (std::size_t i = 0; i < curve.y.size(); ++i) {
    const double low = curve.y[i] - curve.error[i];
    if (!std::isfinite(low)) {
      flush();
      continue;
    }
    upper.push_back(inside(curve.x[i], curve.y[i] + curve.error[i]));
    lower.push_back(inside(curve.x[i], low));
  }
  flush();
}

void draw_curve(Svg& svg, const Frame& frame, const Curve& curve, bool logarithmic) {
  const bool any_error = std::any_of(curve.error.begin(), curve.error.end(), [](double e) { return e > 0; });
  if (any_error && !curve.theory) draw_band(svg, frame, curve, logarithmic);
  for (const std::vector<double>& seed : curve.seeds)
    for (std::size_t i = 0; i < seed.size(); ++i)
      if (const Point dot = frame.at(curve.x[i], seed[i]); std::isfinite(dot.y))
        svg.marker(dot, 1.7, 0, curve.color, {curve.color, 0, {}});
  std::vector<Point> points;
  for (std::size_t i = 0; i < curve.y.size(); ++i) points.push_back(frame.at(curve.x[i], curve.y[i]));
  svg.path(points, {curve.color, curve.theory ? 1.5 : 2.0, curve.dashes});
  if (curve.theory || points.size() > kFewPoints) return;
  for (const Point& point : points) {
    if (std::isfinite(point.y)) svg.marker(point, 2.8, curve.sign, curve.color, {kPanel, 0.7, {}});
  }
}

bool has_legend(const std::vector<Curve>& curves, const std::vector<Band>& bands) {
  return !bands.empty() || curves.size() > 1 ||
         std::any_of(curves.begin(), curves.end(), [](const Curve& curve) { return curve.theory; });
}

/// One name for all bands, behind those of the lines; in the next row where this one is full.
void draw_band_name(Svg& svg, const Band& band, double x, double& y) {
  constexpr double kRow = 18;
  const std::string name = clipped(band.low.name, letters_in(kWidth - 40, 12));
  const double width = 50 + kLetterWidth * static_cast<double>(name.size());
  if (x + width > kRight + 20 && x > kLeft) x = kLeft, y += kRow;
  svg.area({{x, y - 9}, {x + 24, y - 9}, {x + 24, y + 1}, {x, y + 1}}, band.low.color, 1.5 * kBandOpacity);
  svg.text({x + 30, y}, name, {12, "start", kInk, false, 0, band.low.meaning});
}

/// Names beside short samples of the lines (with `signs`: and of their markers), in five rows at most, below `top`;
/// returns where they end.
double draw_legend(Svg& svg, const std::vector<Curve>& curves, const std::vector<Band>& bands, bool signs, double top) {
  constexpr double kRow = 18, kMoreRoom = 90;
  if (!has_legend(curves, bands)) return top;
  double x = kLeft, y = top + 16;
  const double last = y + 4 * kRow;
  for (std::size_t i = 0; i < curves.size(); ++i) {
    const Curve& curve = curves[i];
    const std::string name = clipped(curve.name, letters_in(kWidth - 40, 12));
    const double width = 50 + kLetterWidth * static_cast<double>(name.size());
    if (y >= last && x + width > kRight + 20 - kMoreRoom) {
      svg.text({x, y}, concat("and ", curves.size() - i, " more"), {12, "start", kQuiet});
      return y + 4;
    }
    if (x + width > kRight + 20 && x > kLeft) x = kLeft, y += kRow;
    svg.line({x, y - 4}, {x + 24, y - 4}, {curve.color, 2.2, curve.dashes});
    if (signs && !curve.theory && curve.x.size() <= kFewPoints)
      svg.marker({x + 12, y - 4}, 3.2, curve.sign, curve.color, {kPanel, 0.7, {}});
    svg.text({x + 30, y}, name, {12, "start", kInk, false, 0, curve.meaning});
    x += width;
  }
  if (!bands.empty()) draw_band_name(svg, bands.front(), x, y);
  return y + 4;
}

/// A vertical line with its label above the plot, in row 0, 1, ... from below.
struct Mark {
  double x = 0, label_at = 0;
  std::string label, meaning;
  int row = 0;
};

/// The marks inside the plot, equal values once, from left to right, in rows so that no two labels touch.
std::vector<Mark> marks_of(const Scale& x, const Dataset& data, const Figure& figure, const FigureData& arrays,
                           const Selection& selection) {
  std::map<double, const Averaged*> values;
  for (const std::string& name : marks_on_x(data, figure)) {
    const Averaged& array = arrays.arrays.at(name);
    for (const std::size_t position : array.along(figure.hue, selection)) {
      if (!array.mean.empty() && std::isfinite(array.mean[position])) values.emplace(array.mean[position], &array);
    }
  }
  std::vector<Mark> marks;
  std::vector<double> ends;  // of each row
  for (const auto& [value, array] : values) {
    const double fraction = x.fraction(value);
    if (!(fraction >= 0 && fraction <= 1)) continue;
    const std::string label = clipped(array->label + " " + rounded_text(value, 3), letters_in(kWidth, 12));
    const double half = kLetterWidth * static_cast<double>(label.size()) / 2, at = kLeft + kWidth * fraction;
    Mark mark{at, std::max(kLeft + half, std::min(at, kRight - half)), label, array->meaning, 0};
    const auto row = std::find_if(ends.begin(), ends.end(), [&](double end) { return end < mark.label_at - half - 8; });
    mark.row = static_cast<int>(row - ends.begin());
    if (row == ends.end()) ends.push_back(0);
    ends[mark.row] = mark.label_at + half;
    marks.push_back(mark);
  }
  return marks;
}

int rows_of(const std::vector<Mark>& marks) {
  int rows = 0;
  for (const Mark& mark : marks) rows = std::max(rows, mark.row + 1);
  return rows;
}

constexpr double kMarkRow = 16;

void draw_marks(Svg& svg, const Frame& frame, const std::vector<Mark>& marks) {
  const auto up = [&](const Mark& mark) { return frame.box().top - 6 - kMarkRow * mark.row; };
  for (const Mark& mark : marks) svg.line({mark.x, up(mark) + 3}, {mark.x, kBottom}, {kQuiet, 1.2, "2 3"});
  for (const Mark& mark : marks) {
    const double y = up(mark), half = kLetterWidth * static_cast<double>(mark.label.size()) / 2;
    // A label hides the line of another mark that ends above it.
    svg.rectangle({mark.label_at - half, y - 11, 2 * half, 14}, kPanel);
    svg.text({mark.label_at, y}, mark.label, {12, "middle", kQuiet, false, 0, mark.meaning});
  }
}

/// A cross on the floor where points of a sweep failed, whichever line they would belong to.
void draw_failed(Svg& svg, const Frame& frame, const Figure& figure, const FigureData& arrays,
                 const std::vector<double>& values, const Selection& selection) {
  if (figure.failed.empty()) return;
  constexpr double kArm = 4.5;
  const Averaged& failed = arrays.arrays.at(figure.failed);
  Selection at = selection;
  for (std::size_t h = 0; h < failed.size_of(figure.hue); ++h) {
    if (!figure.hue.empty()) at[figure.hue] = h;
    const std::vector<std::size_t> places = failed.along(figure.x, at);
    for (std::size_t i = 0; i < places.size(); ++i) {
      if (!(failed.mean[places[i]] > 0)) continue;
      const double x = frame.at(values[i], 1).x, y = frame.box().bottom() - 8;
      if (!std::isfinite(x)) continue;
      for (const double turn : {-1.0, 1.0})
        svg.line({x - kArm, y - turn * kArm}, {x + kArm, y + turn * kArm}, {kBad, 2, {}});
    }
  }
}

Axis y_axis(const Dataset& data, const Scale& scale, const Figure& figure, const FigureData& arrays) {
  const Averaged& first = arrays.arrays.at(figure.variables.front());
  Axis axis = axis_of(scale, first);
  axis.names.clear();
  if (figure.variables.size() > 1) {
    axis.label = axis_label(label_of_values(data, figure), first.units);
    axis.meaning.clear();
  }
  return axis;
}

/// The range of the curves with some room; from 0 where 0 is near.
Scale y_scale(const std::vector<Curve>& curves, const std::vector<Band>& bands, bool logarithmic, bool bins) {
  Scale y{y_range(curves, bands, logarithmic), logarithmic};
  if (bins && !logarithmic) y.range.low = std::min(0.0, y.range.low);
  const bool from_zero = !logarithmic && y.range.low >= 0 && y.range.low < 0.3 * y.range.high;
  y = padded(y, 0.05);
  if (from_zero) y.range.low = 0;
  return y;
}

/// Steps from edge to edge of the bins; the edges lie in the middle between the centres.
std::vector<Point> bin_outline(const Frame& frame, const Curve& curve, double floor) {
  std::vector<Point> outline;
  const std::size_t n = curve.x.size();
  for (std::size_t i = 0; i < n; ++i) {
    const double half = n < 2 ? 0.5 : (i + 1 < n ? curve.x[i + 1] - curve.x[i] : curve.x[i] - curve.x[i - 1]) / 2;
    const double before = i == 0 ? half : (curve.x[i] - curve.x[i - 1]) / 2;
    const double y = std::isfinite(curve.y[i]) ? curve.y[i] : floor;
    outline.push_back(frame.at(curve.x[i] - before, y));
    outline.push_back(frame.at(curve.x[i] + half, y));
  }
  return outline;
}

}  // namespace

std::string draw_curves(const Dataset& data, const Figure& figure, const FigureData& arrays, const Selection& selection,
                        bool bins) {
  Svg svg(kFigureWidth, kFigureHeight, figure.title, figure.caption);
  const std::vector<Curve> curves = curves_of(data, figure, arrays, selection);
  const Averaged coordinate = coordinate_of(data, figure.x);
  const bool log_x = has_log_x(data, figure);
  const Scale x = padded({range_of(x_values(coordinate), log_x), log_x}, 0.02);
  const std::vector<Band> bands = bands_of(data, figure, arrays, selection);
  const Scale y = y_scale(curves, bands, figure.log_y, bins);
  const std::vector<Mark> marks = marks_of(x, data, figure, arrays, selection);
  const double end = draw_legend(svg, curves, bands, !bins, draw_heading(svg, data, figure, arrays.sliders, selection));
  const double top = end + 14 + kMarkRow * rows_of(marks);
  const Frame frame({kLeft, top, kWidth, kBottom - top}, axis_of(x, coordinate), y_axis(data, y, figure, arrays));
  frame.draw(svg, true);
  for (const Band& band : bands) draw_between(svg, frame, band);
  for (const Curve& curve : curves) {
    if (!bins || curve.theory || figure.log_y) {
      draw_curve(svg, frame, curve, figure.log_y);
      continue;
    }
    std::vector<Point> outline = bin_outline(frame, curve, y.range.low);
    svg.path(outline, {curve.color, 1.6, {}});
    const double floor = frame.at(0, std::max(0.0, y.range.low)).y;
    outline.push_back({outline.back().x, floor});
    outline.push_back({outline.front().x, floor});
    svg.area(outline, curve.color, 0.3);
  }
  draw_marks(svg, frame, marks);
  draw_failed(svg, frame, figure, arrays, x_values(coordinate), selection);
  return svg.finish();
}

}  // namespace fovea
