#include "fovea/core/report/figures/svg.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "fovea/core/base/words.hpp"
#include "fovea/core/report/figures/dates.hpp"
#include "fovea/core/report/figures/thinning.hpp"
#include "fovea/core/report/text.hpp"

namespace fovea {
namespace {

void attribute(std::string& out, std::string_view name, std::string_view value) {
  out.append(" ").append(name).append("=\"").append(value).append("\"");
}

void attribute(std::string& out, std::string_view name, double value) { attribute(out, name, compact(value)); }

void stroke_attributes(std::string& out, const Stroke& stroke) {
  attribute(out, "stroke", stroke.color);
  attribute(out, "stroke-width", stroke.width);
  if (!stroke.dashes.empty()) attribute(out, "stroke-dasharray", stroke.dashes);
}

struct Tick {
  double value;
  std::string label;
};

std::vector<Tick> axis_ticks(const Axis& axis, int wanted) {
  std::vector<Tick> out;
  if (!axis.names.empty()) {
    const std::size_t step = std::max<std::size_t>(1, (axis.names.size() + 2 * wanted - 1) / (2 * wanted));
    for (std::size_t i = 0; i < axis.names.size(); i += step)
      out.push_back({static_cast<double>(i), clipped(axis.names[i], 18)});
    return out;
  }
  if (axis.dates) {
    for (const DateTick& tick : date_ticks(axis.scale.range.low, axis.scale.range.high, wanted))
      out.push_back({tick.days, tick.label});
    return out;
  }
  const std::vector<double> values = ticks(axis.scale, wanted);
  const std::vector<std::string> labels = tick_labels(values, axis.scale.logarithmic);
  for (std::size_t i = 0; i < values.size(); ++i) out.push_back({values[i], labels[i]});
  return out;
}

}  // namespace

Svg::Svg(double width, double height, std::string_view title, std::string_view description) {
  body_ = "<svg xmlns=\"http://www.w3.org/2000/svg\"";
  attribute(body_, "width", width);
  attribute(body_, "height", height);
  attribute(body_, "viewBox", "0 0 " + compact(width) + " " + compact(height));
  attribute(body_, "role", "img");
  attribute(body_, "font-family", "Inter, 'Segoe UI', 'Helvetica Neue', Arial, 'DejaVu Sans', sans-serif");
  body_ += ">\n<title>" + escape_markup(title) + "</title>\n<desc>" + escape_markup(description) + "</desc>\n";
  rectangle({0, 0, width, height}, kPanel);
}

void Svg::line(Point from, Point to, const Stroke& stroke) {
  body_ += "<line";
  attribute(body_, "x1", from.x);
  attribute(body_, "y1", from.y);
  attribute(body_, "x2", to.x);
  attribute(body_, "y2", to.y);
  stroke_attributes(body_, stroke);
  body_ += "/>\n";
}

void Svg::path(const std::vector<Point>& points, const Stroke& stroke) {
  std::string commands;
  bool drawing = false;
  for (std::size_t i = 0; i < points.size(); ++i) {
    const bool there = std::isfinite(points[i].x) && std::isfinite(points[i].y);
    if (there) commands += (drawing ? "L" : "M") + compact(points[i].x) + " " + compact(points[i].y);
    drawing = there;
  }
  if (commands.empty()) return;
  body_ += "<path fill=\"none\" stroke-linejoin=\"round\"";
  attribute(body_, "d", commands);
  stroke_attributes(body_, stroke);
  body_ += "/>\n";
}

void Svg::area(const std::vector<Point>& outline, std::string_view color, double opacity) {
  std::string list;
  for (const Point& point : outline) list += (list.empty() ? "" : " ") + compact(point.x) + "," + compact(point.y);
  body_ += "<polygon";
  attribute(body_, "points", list);
  attribute(body_, "fill", color);
  attribute(body_, "fill-opacity", opacity);
  body_ += "/>\n";
}

void Svg::rectangle(const Box& box, std::string_view fill, std::string_view stroke) {
  body_ += "<rect";
  attribute(body_, "x", box.left);
  attribute(body_, "y", box.top);
  attribute(body_, "width", box.width);
  attribute(body_, "height", box.height);
  attribute(body_, "fill", fill);
  if (stroke != "none") attribute(body_, "stroke", stroke);
  body_ += "/>\n";
}

void Svg::circle(Point centre, double radius, std::string_view fill, const Stroke& outline) {
  body_ += "<circle";
  attribute(body_, "cx", centre.x);
  attribute(body_, "cy", centre.y);
  attribute(body_, "r", radius);
  attribute(body_, "fill", fill);
  stroke_attributes(body_, outline);
  body_ += "/>\n";
}

void Svg::marker(Point centre, double radius, std::size_t shape, std::string_view fill, const Stroke& outline) {
  constexpr std::size_t kSigns = 6;
  if (shape % kSigns == 0) return circle(centre, radius, fill, outline);
  constexpr double kArm = 1.25, kHalf = 0.45;  // of the plus
  static const std::array<std::vector<Point>, kSigns - 1> corners{{{{-0.9, -0.9}, {0.9, -0.9}, {0.9, 0.9}, {-0.9, 0.9}},
                                                                   {{0, -1.25}, {1.25, 0}, {0, 1.25}, {-1.25, 0}},
                                                                   {{0, -1.2}, {1.2, 0.96}, {-1.2, 0.96}},
                                                                   {{0, 1.2}, {1.2, -0.96}, {-1.2, -0.96}},
                                                                   {{-kHalf, -kArm},
                                                                    {kHalf, -kArm},
                                                                    {kHalf, -kHalf},
                                                                    {kArm, -kHalf},
                                                                    {kArm, kHalf},
                                                                    {kHalf, kHalf},
                                                                    {kHalf, kArm},
                                                                    {-kHalf, kArm},
                                                                    {-kHalf, kHalf},
                                                                    {-kArm, kHalf},
                                                                    {-kArm, -kHalf},
                                                                    {-kHalf, -kHalf}}}};
  std::string list;
  for (const Point& corner : corners[shape % kSigns - 1]) {
    list +=
        (list.empty() ? "" : " ") + compact(centre.x + radius * corner.x) + "," + compact(centre.y + radius * corner.y);
  }
  body_ += "<polygon";
  attribute(body_, "points", list);
  attribute(body_, "fill", fill);
  stroke_attributes(body_, outline);
  body_ += "/>\n";
}

void Svg::text(Point at, std::string_view text, const TextStyle& style) {
  body_ += "<text";
  attribute(body_, "x", at.x);
  attribute(body_, "y", at.y);
  attribute(body_, "font-size", style.size);
  attribute(body_, "text-anchor", style.anchor);
  attribute(body_, "fill", style.color);
  if (style.bold) attribute(body_, "font-weight", "600");
  if (style.turned != 0)
    attribute(body_, "transform", "rotate(" + compact(style.turned) + " " + compact(at.x) + " " + compact(at.y) + ")");
  const std::string tip = style.tip.empty() ? "" : "<title>" + escape_markup(style.tip) + "</title>";
  body_ += ">" + tip + escape_markup(text) + "</text>\n";
}

void Svg::image(const Box& box, const std::string& png) {
  body_ += "<image preserveAspectRatio=\"none\" style=\"image-rendering:pixelated\"";
  attribute(body_, "x", box.left);
  attribute(body_, "y", box.top);
  attribute(body_, "width", box.width);
  attribute(body_, "height", box.height);
  attribute(body_, "href", "data:image/png;base64," + base64({png.begin(), png.end()}));
  body_ += "/>\n";
}

std::string Svg::finish() const { return body_ + "</svg>\n"; }

Point Frame::at(double x, double y) const {
  return {box_.left + box_.width * x_.scale.fraction(x), box_.bottom() - box_.height * y_.scale.fraction(y)};
}

Axis axis_of(const Scale& scale, const Averaged& array) {
  const bool dates = is_date_unit(array.units);
  return {scale, dates ? array.label : axis_label(array.label, array.units), array.words, array.meaning, dates};
}

std::size_t letters_in(double length, double size) {
  return static_cast<std::size_t>(std::max(length / (kLetterWidth * size / 12), 1.0));
}

namespace {

constexpr std::size_t kSlantedLetters = 11;  // as many as find room between the frame and the axis' label

/// Pixels that the longest label takes.
double widest(const std::vector<Tick>& ticks) {
  std::size_t letters = 0;
  for (const Tick& tick : ticks) letters = std::max(letters, tick.label.size());
  return kLetterWidth * static_cast<double>(letters);
}

}  // namespace

void Frame::draw(Svg& svg, bool grid) const {
  const Stroke line{kFaint, 1, {}}, edge{kQuiet, 1, {}};
  const auto wanted = [](double length, int most) {  // beside others a frame may be small
    return length < 220 ? std::max(2, static_cast<int>(length / 55)) : most;
  };
  const std::vector<Tick> x_ticks = axis_ticks(x_, wanted(box_.width, 7)),
                          y_ticks = axis_ticks(y_, wanted(box_.height, 6));
  const bool slanted = !x_.names.empty() && widest(x_ticks) > box_.width / static_cast<double>(x_ticks.size());
  for (const Tick& tick : x_ticks) {
    const double x = box_.left + box_.width * x_.scale.fraction(tick.value);
    if (grid) svg.line({x, box_.top}, {x, box_.bottom()}, line);
    svg.line({x, box_.bottom()}, {x, box_.bottom() + 5}, edge);
    if (slanted)
      svg.text({x + 4, box_.bottom() + 15}, clipped(tick.label, kSlantedLetters),
               {12, "end", kQuiet, false, -35, tick.label});
    else
      svg.text({x, box_.bottom() + 19}, tick.label, {12, "middle", kQuiet});
  }
  for (const Tick& tick : y_ticks) {
    const double y = box_.bottom() - box_.height * y_.scale.fraction(tick.value);
    if (grid) svg.line({box_.left, y}, {box_.right(), y}, line);
    svg.line({box_.left - 5, y}, {box_.left, y}, edge);
    svg.text({box_.left - 9, y + 4}, tick.label, {12, "end", kQuiet});
  }
  for (const double value : minor_ticks(x_.scale)) {
    const double x = box_.left + box_.width * x_.scale.fraction(value);
    svg.line({x, box_.bottom()}, {x, box_.bottom() + 3}, edge);
  }
  for (const double value : minor_ticks(y_.scale)) {
    const double y = box_.bottom() - box_.height * y_.scale.fraction(value);
    svg.line({box_.left - 3, y}, {box_.left, y}, edge);
  }
  svg.line({box_.left, box_.bottom()}, {box_.right(), box_.bottom()}, edge);
  svg.line({box_.left, box_.top}, {box_.left, box_.bottom()}, edge);
  svg.text({box_.left + box_.width / 2, box_.bottom() + (slanted ? 72 : 42)},
           clipped(x_.label, letters_in(box_.width + 60, 13)), {13, "middle", kInk, false, 0, x_.meaning});
  const double beside = std::clamp(widest(y_ticks) + 23, 66.0, std::max(66.0, box_.left - 8));
  svg.text({box_.left - beside, box_.top + box_.height / 2}, clipped(y_.label, letters_in(box_.height + 20, 13)),
           {13, "middle", kInk, false, -90, y_.meaning});
}

double draw_heading(Svg& svg, const Dataset& data, const Figure& figure, const std::vector<std::string>& sliders,
                    const Selection& selection) {
  svg.text({20, 30}, clipped(figure.title, letters_in(kFigureWidth - 40, 17)), {17, "start", kInk, true});
  std::string where;
  for (const std::string& slider : sliders) {
    const auto chosen = selection.find(slider);
    if (chosen == selection.end() || data.size_of(slider) < 2) continue;
    const Averaged coordinate = coordinate_of(data, slider);
    const bool words = !coordinate.words.empty();
    where += (where.empty() ? "" : " \xC2\xB7 ") + coordinate.label;
    where += words ? ": " + coordinate.words[chosen->second] : " = " + rounded_text(coordinate.mean[chosen->second]);
    const bool said = coordinate.units.empty() || coordinate.units == "1" || coordinate.units == coordinate.label;
    if (!words && !said) where += " " + coordinate.units;
  }
  if (where.empty()) return 38;
  svg.text({20, 51}, clipped(where, letters_in(kFigureWidth - 40, 13)), {13, "start", kQuiet, false, 0, where});
  return 58;
}

const ColorMap& ColorScale::map() const { return range.low < 0 && range.high > 0 ? diverging_map() : sequential_map(); }

double ColorScale::fraction(double value) const {
  const double even = (value - range.low) / (range.high - range.low);
  return root && even > 0 ? std::sqrt(even) : even;
}

ColorScale color_scale(const std::vector<double>& view, const std::vector<double>& all) {
  constexpr double kSkewed = 0.2;  // of the range: below it evenly spread colours would not tell most values apart
  Interval range = shown_range(view);
  if (range.low < 0 && range.high > 0) range.high = std::max(-range.low, range.high), range.low = -range.high;
  const Interval whole = shown_range(all);
  double sum = 0, count = 0;
  for (const double value : all) {
    if (std::isfinite(value) && value > whole.low) sum += value - whole.low, count += 1;
  }
  return {range, whole.low >= 0 && count > 0 && sum / count < kSkewed * (whole.high - whole.low)};
}

void draw_color_bar(Svg& svg, const Box& beside, const ColorScale& scale, const Averaged& array) {
  const ColorMap& map = scale.map();
  constexpr std::size_t kAcross = 16;  // pixels of the same colour, so that the sides are not blurred
  std::vector<Color> pixels;
  for (auto color = map.rbegin(); color != map.rend(); ++color) pixels.insert(pixels.end(), kAcross, *color);
  const Box bar{beside.right() + 22, beside.top, 14, beside.height};
  svg.image(bar, png_image(pixels, kAcross));
  svg.rectangle(bar, "none", kQuiet);
  const Axis axis{{scale.range, false}, "", {}};
  const std::vector<Tick> marks = axis_ticks(axis, 6);
  for (const Tick& tick : marks) {
    const double y = bar.bottom() - bar.height * scale.fraction(tick.value);
    svg.line({bar.right(), y}, {bar.right() + 4, y}, {kQuiet, 1, {}});
    svg.text({bar.right() + 8, y + 4}, tick.label, {12, "start", kQuiet});
  }
  const double title = bar.right() + std::max(58.0, 8 + widest(marks) + 14);  // clear of the ticks
  svg.text({title, bar.top + bar.height / 2},
           clipped(axis_label(array.label, array.units) + (scale.root ? ", \xE2\x88\x9A scale" : ""),
                   letters_in(bar.height + 20, 13)),
           {13, "middle", kInk, false, 90, array.meaning});
}

}  // namespace fovea
