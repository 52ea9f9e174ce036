#include <algorithm>
#include <cmath>
#include <limits>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/missing.hpp"
#include "fovea/core/base/words.hpp"
#include "fovea/core/report/figures/svg.hpp"
#include "fovea/core/report/figures/thinning.hpp"
#include "fovea/core/report/kinds/kind.hpp"
#include "fovea/core/report/text.hpp"

namespace fovea {
namespace {

constexpr std::size_t kMostIntervals = 100;         ///< rows of the SVG and of the page
constexpr double kRowHeight = 21, kGroupGap = 8;    ///< between rows; before a row of another group
constexpr double kMostName = 250, kMostText = 130;  ///< pixels of the names and of the texts
constexpr double kLetters = 12;                     ///< size of their letters
constexpr double kOpenEnd = std::numeric_limits<double>::infinity();

struct IntervalRow {
  std::string name, text;
  std::size_t group = 0;
  double point = kNan, low = kNan, high = kNan, y = 0;
  std::vector<double> marks;  ///< further variables, then references
};

struct IntervalRows {
  std::vector<IntervalRow> rows;
  std::vector<std::string> groups;           ///< their names, in the order of their first rows
  std::vector<const Averaged*> marks;        ///< what the marks of a row are
  std::size_t measured = 0;                  ///< how many of them are variables
  bool open_low = false, open_high = false;  ///< some row is
};

double number_at(const Averaged& array, const std::string& x, std::size_t row, const Selection& selection) {
  if (array.mean.empty()) return kNan;
  const std::vector<std::size_t> at = array.along(x, selection);
  return array.mean[at[at.size() > 1 ? row : 0]];
}

std::string word_at(const Averaged& array, const std::string& x, std::size_t row, const Selection& selection) {
  const std::vector<std::size_t> at = array.along(x, selection);
  const std::size_t place = at[at.size() > 1 ? row : 0];
  if (!array.words.empty()) return array.words[place];
  return array.mean.empty() || std::isnan(array.mean[place]) ? "" : rounded_text(array.mean[place]);
}

/// What stands beside a row that has no text of its own: "> 96 h", "not measured".
std::string said_of(const IntervalRow& row, const std::string& units) {
  const std::string unit = units.empty() || units == "1" ? "" : " " + units;
  const bool below = row.low == -kOpenEnd, above = row.high == kOpenEnd;
  if (above && below) return "any value";
  if (above && std::isfinite(row.low)) return "> " + rounded_text(row.low, 3) + unit;
  if (below && std::isfinite(row.high)) return "< " + rounded_text(row.high, 3) + unit;
  return std::isnan(row.point) && std::isnan(row.low) && std::isnan(row.high) ? "not measured" : "";
}

std::size_t group_number(std::vector<std::string>& groups, const std::string& name) {
  const auto found = std::find(groups.begin(), groups.end(), name);
  if (found != groups.end()) return (found - groups.begin());
  groups.push_back(name);
  return groups.size() - 1;
}

IntervalRows interval_rows(const Dataset& data, const Figure& figure, const FigureData& arrays,
                           const Selection& selection) {
  IntervalRows all;
  const auto array = [&](const std::string& name) { return name.empty() ? nullptr : &arrays.arrays.at(name); };
  const Averaged names = coordinate_of(data, figure.x);
  const Averaged &point = *array(figure.variables.front()), *low = array(figure.band_low),
                 *high = array(figure.band_high), *groups = array(figure.groups), *texts = array(figure.labels);
  for (std::size_t k = 1; k < figure.variables.size(); ++k) all.marks.push_back(array(figure.variables[k]));
  all.measured = all.marks.size();
  for (const std::string& name : figure.references) all.marks.push_back(array(name));
  for (std::size_t r = 0; r < std::min(names.size(), kMostIntervals); ++r) {
    const auto at = [&](const Averaged* from) {
      return from == nullptr ? kNan : number_at(*from, figure.x, r, selection);
    };
    IntervalRow row{.name = word_at(names, figure.x, r, {{figure.x, r}}),
                    .text = texts == nullptr ? "" : word_at(*texts, figure.x, r, selection),
                    .point = at(&point),
                    .low = at(low),
                    .high = at(high),
                    .marks = {}};
    if (groups != nullptr) row.group = group_number(all.groups, word_at(*groups, figure.x, r, selection));
    if (figure.log_y && row.low <= 0) row.low = -kOpenEnd;  // where a logarithmic axis ends
    for (const Averaged* mark : all.marks) row.marks.push_back(at(mark));
    if (row.text.empty()) row.text = said_of(row, point.units);
    all.open_low = all.open_low || row.low == -kOpenEnd;
    all.open_high = all.open_high || row.high == kOpenEnd;
    all.rows.push_back(std::move(row));
  }
  return all;
}

Scale value_scale(const IntervalRows& all, bool logarithmic) {
  std::vector<double> values;
  for (const IntervalRow& row : all.rows) {
    values.insert(values.end(), {row.point, row.low, row.high});
    values.insert(values.end(), row.marks.begin(), row.marks.end());
  }
  return padded({shown_range(values, logarithmic), logarithmic}, all.open_low || all.open_high ? 0.07 : 0.04);
}

double widest_text(const IntervalRows& all, std::string IntervalRow::*member, double most) {
  std::size_t letters = 0;
  for (const IntervalRow& row : all.rows) letters = std::max(letters, (row.*member).size());
  return std::min(most, kLetterWidth * static_cast<double>(letters));
}

/// Signs and colours with their names, row after row; returns where they end.
class IntervalLegend {
 public:
  IntervalLegend(Svg& svg, double top) : svg_(svg), y_(top + 16) {}

  template <typename Draw>
  void entry(const std::string& whole, const std::string& meaning, const Draw& sign) {
    const std::string name = clipped(whole, letters_in(kFigureWidth - 100, kLetters));
    const double width = 42 + kLetterWidth * static_cast<double>(name.size());
    if (x_ + width > kFigureWidth - 10 && x_ > kLeft) x_ = kLeft, y_ += 18;
    sign(Point{x_ + 9, y_ - 4});
    svg_.text({x_ + 24, y_}, name, {kLetters, "start", kInk, false, 0, meaning});
    x_ += width;
  }
  double end() const { return y_ + 10; }

 private:
  static constexpr double kLeft = 20;
  Svg& svg_;
  double x_ = kLeft, y_;
};

void draw_mark(Svg& svg, Point at, std::size_t mark, bool measured) {
  svg.marker(at, 3.6, mark + 1, measured ? kQuiet : kPanel, {measured ? kPanel : kInk, measured ? 0.8 : 1.3, {}});
}

void draw_capped(Svg& svg, Point from, Point to, std::string_view color) {
  svg.line(from, to, {color, 2.4, {}});
  for (const Point& end : {from, to}) svg.line({end.x, end.y - 4}, {end.x, end.y + 4}, {color, 2, {}});
}

/// "95 % interval from", the head of a column of lower ends, is of both ends here.
std::string interval_name(const std::string& label) {
  constexpr std::string_view kFrom = " from";
  return label.ends_with(kFrom) ? label.substr(0, label.size() - kFrom.size()) : label;
}

double draw_interval_legend(Svg& svg, const Figure& figure, const FigureData& arrays, const IntervalRows& all,
                            double top) {
  IntervalLegend legend(svg, top);
  const std::string_view own = all.groups.empty() ? line_color(0) : kQuiet;
  const Averaged& point = arrays.arrays.at(figure.variables.front());
  legend.entry(point.label, point.meaning, [&](Point at) { svg.circle(at, 4.4, own, {kPanel, 0.8, {}}); });
  if (!figure.band_low.empty()) {
    const Averaged& low = arrays.arrays.at(figure.band_low);
    legend.entry(interval_name(low.label), low.meaning, [&](Point at) {
      draw_capped(svg, {at.x - 9, at.y}, {at.x + 9, at.y}, own);
    });
  }
  for (std::size_t k = 0; k < all.marks.size(); ++k)
    legend.entry(all.marks[k]->label, all.marks[k]->meaning,
                 [&](Point at) { draw_mark(svg, at, k, k < all.measured); });
  for (std::size_t g = 0; g < all.groups.size(); ++g)
    legend.entry(all.groups[g], "", [&](Point at) { svg.rectangle({at.x - 8, at.y - 5, 16, 10}, line_color(g)); });
  return legend.end();
}

/// An interval from edge to edge: a stroke with a bar at an end that is known, an arrow at one that is open.
void draw_interval(Svg& svg, const Box& box, double from, double to, const IntervalRow& row, std::string_view color) {
  const double left = std::isfinite(from) ? from : box.left + 2, right = std::isfinite(to) ? to : box.right() - 2;
  svg.line({left, row.y}, {right, row.y}, {color, 2.4, {}});
  const auto end = [&](double x, bool known, double inwards) {
    if (known) return svg.line({x, row.y - 4}, {x, row.y + 4}, {color, 2, {}});
    svg.area({{x, row.y}, {x + inwards * 8, row.y - 5}, {x + inwards * 8, row.y + 5}}, color, 1);
  };
  end(left, std::isfinite(from), 1);
  end(right, std::isfinite(to), -1);
}

void draw_value_axis(Svg& svg, const Box& box, const Scale& scale, const std::string& label,
                     const std::string& meaning) {
  const std::vector<double> values = ticks(scale, box.width < 360 ? 4 : 6);
  const std::vector<std::string> names = tick_labels(values, scale.logarithmic);
  const auto at = [&](double value) { return box.left + box.width * scale.fraction(value); };
  for (std::size_t k = 0; k < values.size(); ++k) {
    svg.line({at(values[k]), box.top}, {at(values[k]), box.bottom()}, {kFaint, 1, {}});
    svg.line({at(values[k]), box.bottom()}, {at(values[k]), box.bottom() + 5}, {kQuiet, 1, {}});
    svg.text({at(values[k]), box.bottom() + 19}, names[k], {kLetters, "middle", kQuiet});
  }
  for (const double value : minor_ticks(scale))
    svg.line({at(value), box.bottom()}, {at(value), box.bottom() + 3}, {kQuiet, 1, {}});
  svg.line({box.left, box.bottom()}, {box.right(), box.bottom()}, {kQuiet, 1, {}});
  svg.text({box.left + box.width / 2, box.bottom() + 42}, clipped(label, letters_in(box.width + 60, 13)),
           {13, "middle", kInk, false, 0, meaning});
}

/// Gives each row its height; returns the height of all.
double place_rows(IntervalRows& all, double top) {
  double y = top + kRowHeight / 2;
  for (std::size_t r = 0; r < all.rows.size(); ++r) {
    if (r > 0 && all.rows[r].group != all.rows[r - 1].group) y += kGroupGap;
    all.rows[r].y = y;
    y += kRowHeight;
  }
  return y - kRowHeight / 2 - top;
}

void draw_interval_row(Svg& svg, const Box& box, const Scale& scale, const IntervalRow& row, std::size_t measured) {
  const std::string_view color = line_color(row.group);
  const auto at = [&](double value) { return box.left + box.width * scale.fraction(value); };
  svg.line({box.left, row.y}, {box.right(), row.y}, {kFaint, 1, {}});
  svg.text({box.left - 10, row.y + 4}, clipped(row.name, letters_in(kMostName, kLetters)),
           {kLetters, "end", kInk, false, 0, row.name});
  svg.text({box.right() + 10, row.y + 4}, clipped(row.text, letters_in(kMostText, kLetters)),
           {kLetters, "start", kQuiet, false, 0, row.text});
  if (!std::isnan(row.low) && !std::isnan(row.high)) draw_interval(svg, box, at(row.low), at(row.high), row, color);
  for (std::size_t k = 0; k < row.marks.size(); ++k)
    if (std::isfinite(at(row.marks[k]))) draw_mark(svg, {at(row.marks[k]), row.y}, k, k < measured);
  if (std::isfinite(at(row.point))) svg.circle({at(row.point), row.y}, 4.4, color, {kPanel, 0.8, {}});
}

std::string draw_intervals(const Dataset& data, const Figure& figure, const FigureData& arrays,
                           const Selection& selection) {
  IntervalRows all = interval_rows(data, figure, arrays, selection);
  // The height is known once the rows are placed, and the legend's once it is drawn: both are drawn nowhere first.
  const auto legend_end = [&](Svg& svg) {
    return draw_interval_legend(svg, figure, arrays, all, draw_heading(svg, data, figure, arrays.sliders, selection));
  };
  Svg trial(kFigureWidth, kFigureHeight, "", "");
  const double top = legend_end(trial) + 4, height = place_rows(all, top);
  Svg svg(kFigureWidth, top + height + 58, figure.title, figure.caption);
  legend_end(svg);
  const double left = 30 + std::max(30.0, widest_text(all, &IntervalRow::name, kMostName));
  const double text = widest_text(all, &IntervalRow::text, kMostText);
  const Box box{left, top, kFigureWidth - left - (text > 0 ? text + 26 : 24), height};
  const Scale scale = value_scale(all, figure.log_y);
  const Averaged& point = arrays.arrays.at(figure.variables.front());
  const std::string label = figure.value_label.empty() ? point.label : figure.value_label;
  draw_value_axis(svg, box, scale, axis_label(label, point.units), point.meaning);
  for (const IntervalRow& row : all.rows) draw_interval_row(svg, box, scale, row, all.measured);
  return svg.finish();
}

class Intervals : public FigureKind {
 public:
  std::string_view name() const override { return "intervals"; }
  std::string_view needs() const override {
    return "variables over x, the rows: first the points, whose intervals reach from band_low to band_high";
  }
  std::string fault(const Dataset& data, const Figure& figure) const override {
    if (figure.band_low.empty() != figure.band_high.empty()) return "names one end of its intervals alone";
    return FigureKind::fault(data, figure);
  }
  FigureData arrays(const Dataset& data, const Figure& figure) const override {
    const std::vector<std::string> axes{figure.x, figure.y, figure.hue};
    FigureData out;
    for (const auto* names : {&figure.variables, &figure.references})
      for (const std::string& name : *names) out.arrays[name] = median_of_replicas(data, name);
    for (const std::string& name : figure.references) out.arrays[name] = squeezed(out.arrays[name], axes);
    for (const std::string& name : {figure.band_low, figure.band_high})
      if (!name.empty()) out.arrays[name] = median_of_replicas(data, name);
    for (const std::string& name : {figure.groups, figure.labels})
      if (!name.empty()) out.arrays[name] = squeezed(first_replica(data, name), axes);
    if (!figure.groups.empty()) out.roles["groups"] = figure.groups;
    out.sliders = sliders_of(out, axes);
    return out;
  }
  std::string draw(const Dataset& data, const Figure& figure, const FigureData& arrays,
                   const Selection& selection) const override {
    return draw_intervals(data, figure, arrays, selection);
  }
  Room room(const Figure&) const override { return Room::whole; }
  std::string limit(FigureData& arrays, const Figure& figure) const override {
    bool cut = false;
    for (auto& [name, array] : arrays.arrays) {
      cut = cut || array.size_of(figure.x) > kMostIntervals;
      array = shortened(array, figure.x, kMostIntervals);
    }
    return cut ? concat("The first ", kMostIntervals, " rows; the result file has all values. ") : "";
  }
  PageForm form(const Figure& figure, const Averaged&) const override {
    return {.axes = axes_of({figure.x}), .open = true, .thins_axes = false};
  }
};

}  // namespace

const FigureKind& intervals_kind() {
  static const Intervals kind;
  return kind;
}

}  // namespace fovea
