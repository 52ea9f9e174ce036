/// Figures over one axis: lines with bands, and histograms.

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include "fovea/core/report/svg.hpp"
#include "fovea/core/report/text.hpp"

namespace fovea {
namespace {

constexpr Box kPlot{86, 118, 606, 276};  ///< with a legend and marks; without them the plot begins higher
constexpr double kLetterWidth = 6.2;     ///< of text of 12 pixels, on average
constexpr std::size_t kFewPoints = 60;   ///< with markers

struct Curve {
  std::string name, color;
  bool theory = false;
  std::vector<double> x, y, error;
};

struct XAxis {
  std::vector<double> values;  ///< 0, 1, 2, ... for names
  std::vector<std::string> names;
  std::string label;
};

XAxis x_axis(const Dataset& data, const std::string& dimension) {
  const Averaged coordinate = coordinate_of(data, dimension);
  XAxis axis{coordinate.mean, coordinate.words, axis_label(coordinate.label, coordinate.units)};
  if (!axis.names.empty()) {
    axis.values.resize(axis.names.size());
    std::iota(axis.values.begin(), axis.values.end(), 0.0);
  }
  return axis;
}

std::string value_name(const Averaged& coordinate, std::size_t i) {
  return coordinate.words.empty() ? coordinate.label + " " + number_text(coordinate.mean[i], 3) : coordinate.words[i];
}

Curve curve_of(const Averaged& array, const XAxis& axis, const std::string& x, const Selection& selection) {
  Curve curve;
  if (array.mean.empty()) return curve;
  std::vector<std::size_t> order(axis.values.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return axis.values[a] < axis.values[b]; });
  const std::vector<std::size_t> at = array.along(x, selection);
  for (const std::size_t i : order) {
    const std::size_t from = at[at.size() > 1 ? i : 0];  // a constant is a level line
    curve.x.push_back(axis.values[i]);
    curve.y.push_back(array.mean[from]);
    curve.error.push_back(array.error.empty() ? 0 : array.error[from]);
  }
  return curve;
}

/// Every variable and reference, once for each value of the hue.
std::vector<Curve> curves_of(const Dataset& data, const Figure& figure, const FigureData& arrays,
                             const Selection& selection) {
  const XAxis axis = x_axis(data, figure.x);
  std::vector<Curve> curves;
  std::size_t used = 0;
  const auto add = [&](const std::string& name, std::size_t index, bool theory) {
    const Averaged& array = arrays.arrays.at(name);
    const bool split = !figure.hue.empty() && array.has(figure.hue);
    const Averaged hues = split ? coordinate_of(data, figure.hue) : Averaged{};
    for (std::size_t h = 0; h < (split ? hues.size() : 1); ++h) {
      Selection at = selection;
      if (split) at[figure.hue] = h;
      Curve curve = curve_of(array, axis, figure.x, at);
      const bool any = std::any_of(curve.y.begin(), curve.y.end(), [](double y) { return std::isfinite(y); });
      if (curve.y.empty() || (theory && !any)) continue;
      const bool paired = split ? figure.variables.size() == 1
                                : figure.references.size() == figure.variables.size() && figure.hue.empty();
      curve.theory = theory;
      curve.name =
          split ? (figure.variables.size() > 1 || theory ? array.label + ", " : "") + value_name(hues, h) : array.label;
      curve.color = !theory ? line_color(used++) : paired ? line_color(split ? h : index) : "#1c2430";
      curves.push_back(std::move(curve));
    }
  };
  for (std::size_t i = 0; i < figure.variables.size(); ++i) add(figure.variables[i], i, false);
  for (std::size_t i = 0; i < figure.references.size(); ++i) add(figure.references[i], i, true);
  return curves;
}

Range y_range(const std::vector<Curve>& curves, bool logarithmic) {
  std::vector<double> all;
  for (const Curve& curve : curves) {
    for (std::size_t i = 0; i < curve.y.size(); ++i) {
      const double error = std::isfinite(curve.error[i]) && !logarithmic ? curve.error[i] : 0;
      all.insert(all.end(), {curve.y[i] - error, curve.y[i] + error});
    }
  }
  return range_of(all, logarithmic);
}

void draw_band(Svg& svg, const Frame& frame, const Curve& curve, bool logarithmic) {
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
    if (!std::isfinite(low) || (logarithmic && low <= 0)) {
      flush();
      continue;
    }
    upper.push_back(frame.at(curve.x[i], curve.y[i] + curve.error[i]));
    lower.push_back(frame.at(curve.x[i], low));
  }
  flush();
}

void draw_curve(Svg& svg, const Frame& frame, const Curve& curve, bool logarithmic) {
  const bool any_error = std::any_of(curve.error.begin(), curve.error.end(), [](double e) { return e > 0; });
  if (any_error && !curve.theory) draw_band(svg, frame, curve, logarithmic);
  std::vector<Point> points;
  for (std::size_t i = 0; i < curve.y.size(); ++i) points.push_back(frame.at(curve.x[i], curve.y[i]));
  svg.path(points, {curve.color, curve.theory ? 1.5 : 2.0, curve.theory ? "6 4" : ""});
  if (curve.theory || points.size() > kFewPoints) return;
  for (const Point& point : points) {
    if (std::isfinite(point.y)) svg.circle(point, 2.6, curve.color, {"#ffffff", 0.7, {}});
  }
}

bool has_legend(const std::vector<Curve>& curves) {
  return curves.size() > 1 ||
         std::any_of(curves.begin(), curves.end(), [](const Curve& curve) { return curve.theory; });
}

void draw_legend(Svg& svg, const std::vector<Curve>& curves) {
  if (!has_legend(curves)) return;
  double x = kPlot.left, y = 70;
  for (const Curve& curve : curves) {
    const std::string name = clipped(curve.name, 70);
    const double width = 46 + kLetterWidth * static_cast<double>(name.size());
    if (x + width > kPlot.right() + 10 && x > kPlot.left) x = kPlot.left, y += 15;
    if (y > 90) return;  // two rows; more curves than that are told apart by hand
    svg.line({x, y - 4}, {x + 24, y - 4}, {curve.color, 2.2, curve.theory ? "6 4" : ""});
    svg.text({x + 30, y}, name, {12, "start"});
    x += width;
  }
}

/// Values of the marks inside the plot with their labels; equal values once, from left to right.
std::map<double, std::string> marks_of(const Frame& frame, const Figure& figure, const FigureData& arrays,
                                       const Selection& selection) {
  std::map<double, std::string> marks;
  for (const std::string& name : figure.marks) {
    const Averaged& array = arrays.arrays.at(name);
    for (const std::size_t position : array.along(figure.hue, selection)) {
      if (array.mean.empty()) continue;
      const double x = frame.at(array.mean[position], 1).x;
      if (x >= kPlot.left && x <= kPlot.right()) marks.emplace(array.mean[position], clipped(array.label, 80));
    }
  }
  return marks;
}

/// Vertical lines, their labels above the plot in two rows.
void draw_marks(Svg& svg, const Frame& frame, const std::map<double, std::string>& marks) {
  double end = 0;
  bool raised = false;
  for (const auto& [value, label] : marks) {
    const double x = frame.at(value, 1).x, half = kLetterWidth * static_cast<double>(label.size()) / 2;
    const double at = std::max(kPlot.left + half, std::min(x, kPlot.right() - half));
    raised = at - half < end && !raised;
    end = at + half + 8;
    const double y = frame.box().top - (raised ? 19 : 6);
    svg.line({x, y + 3}, {x, kPlot.bottom()}, {"#5a6572", 1.2, "2 3"});
    svg.text({at, y}, label, {12, "middle", "#5a6572"});
  }
}

std::string y_label(const Figure& figure, const FigureData& arrays) {
  const Averaged& first = arrays.arrays.at(figure.variables.front());
  return figure.variables.size() == 1 ? axis_label(first.label, first.units) : axis_label("value", first.units);
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

std::string drawn(const Dataset& data, const Figure& figure, const FigureData& arrays, const Selection& selection,
                  bool bins) {
  Svg svg(kFigureWidth, kFigureHeight, figure.title, figure.caption);
  draw_heading(svg, data, figure, arrays.sliders, selection);
  const std::vector<Curve> curves = curves_of(data, figure, arrays, selection);
  const XAxis axis = x_axis(data, figure.x);
  Scale x = padded({range_of(axis.values, figure.log_x), figure.log_x}, 0.02);
  Scale y{y_range(curves, figure.log_y), figure.log_y};
  if (bins && !figure.log_y) y.range.low = std::min(0.0, y.range.low);
  const bool from_zero = !figure.log_y && y.range.low >= 0 && y.range.low < 0.3 * y.range.high;
  y = padded(y, 0.05);
  if (from_zero) y.range.low = 0;
  const double free = (has_legend(curves) ? 0 : 32) + (figure.marks.empty() ? 18 : 0);
  const Box box{kPlot.left, kPlot.top - free, kPlot.width, kPlot.height + free};
  const Frame frame(box, {x, axis.label, axis.names}, {y, y_label(figure, arrays), {}});
  frame.draw(svg, true);
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
  draw_marks(svg, frame, marks_of(frame, figure, arrays, selection));
  draw_legend(svg, curves);
  return svg.finish();
}

}  // namespace

std::string draw_lines(const Dataset& data, const Figure& figure, const FigureData& arrays,
                       const Selection& selection) {
  return drawn(data, figure, arrays, selection, false);
}

std::string draw_histogram(const Dataset& data, const Figure& figure, const FigureData& arrays,
                           const Selection& selection) {
  return drawn(data, figure, arrays, selection, true);
}

}  // namespace fovea
