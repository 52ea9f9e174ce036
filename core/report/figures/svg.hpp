#pragma once
/// An SVG document under construction, and the parts that every figure shares: title, frame, axes, legend.
/// Lengths are in CSS pixels; all text is escaped here.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "fovea/core/report/figures/averaged.hpp"
#include "fovea/core/report/figures/colors.hpp"
#include "fovea/core/report/figures/png.hpp"
#include "fovea/core/report/figures/scales.hpp"

namespace fovea {

struct Point {
  double x = 0, y = 0;
};

struct Box {
  double left = 0, top = 0, width = 0, height = 0;
  double right() const { return left + width; }
  double bottom() const { return top + height; }
};

struct TextStyle {
  double size = 13;
  std::string_view anchor = "middle";  ///< start, middle, end
  std::string_view color = kInk;
  bool bold = false;
  double turned = 0;          ///< degrees
  std::string_view tip = {};  ///< shown when one points at the text
};

struct Stroke {
  std::string_view color = kInk;
  double width = 1;
  std::string_view dashes = {};  ///< as in stroke-dasharray
};

class Svg {
 public:
  Svg(double width, double height, std::string_view title, std::string_view description);

  void line(Point from, Point to, const Stroke& stroke);
  /// A line through the points; points with NaN leave a gap.
  void path(const std::vector<Point>& points, const Stroke& stroke);
  void area(const std::vector<Point>& outline, std::string_view color, double opacity);
  void rectangle(const Box& box, std::string_view fill, std::string_view stroke = "none");
  void circle(Point centre, double radius, std::string_view fill, const Stroke& outline);
  /// A sign: 0 circle, 1 square, 2 diamond, 3 triangle, 4 triangle on its point, 5 plus, then again.
  void marker(Point centre, double radius, std::size_t shape, std::string_view fill, const Stroke& outline);
  void text(Point at, std::string_view text, const TextStyle& style);
  void image(const Box& box, const std::string& png);  ///< pixels stay sharp
  std::string finish() const;

 private:
  std::string body_;
};

/// One axis of a frame: a scale, its label, or names instead of numbers.
struct Axis {
  Scale scale;
  std::string label;
  std::vector<std::string> names;  ///< for positions 0, 1, 2, ... if the coordinate is text
  std::string meaning = {};        ///< of the label, in full
  bool dates = false;              ///< the scale is in days since 1970-01-01
};

/// The axis of an array: its label with units, and its meaning.
Axis axis_of(const Scale& scale, const Averaged& array);

inline constexpr double kLetterWidth = 6.5;  ///< of text of 12 pixels, on average, in a wide typeface

/// How many letters of a size have room in a length.
std::size_t letters_in(double length, double size);

/// The frame of a plot with ticks, grid lines and labels; maps data to pixels.
class Frame {
 public:
  Frame(const Box& box, Axis x, Axis y) : box_(box), x_(std::move(x)), y_(std::move(y)) {}
  void draw(Svg& svg, bool grid) const;
  Point at(double x, double y) const;
  const Box& box() const { return box_; }

 private:
  Box box_;
  Axis x_, y_;
};

/// Title, and below it where the sliders stand ("temperature = 0.012 · branch: cooling"). Returns where it ends.
double draw_heading(Svg& svg, const Dataset& data, const Figure& figure, const std::vector<std::string>& sliders,
                    const Selection& selection);

/// Values as colours: the diverging map with 0 in its middle where both signs occur, else the sequential one. With
/// `root` the colours are even in the square root: for values of which most lie far below the largest.
struct ColorScale {
  Interval range;
  bool root = false;
  const ColorMap& map() const;
  double fraction(double value) const;
  Color color(double value) const { return color_at(map(), fraction(value)); }
};

/// The scale of one view of the array; all its values decide whether it is even in the square root.
ColorScale color_scale(const std::vector<double>& view, const std::vector<double>& all);

/// Colour bar with ticks to the right of a box; the array gives its label.
void draw_color_bar(Svg& svg, const Box& beside, const ColorScale& scale, const Averaged& array);

inline constexpr double kFigureWidth = 720;
inline constexpr double kFigureHeight = 460;

}  // namespace fovea
