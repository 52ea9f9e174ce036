#pragma once
/// What a page says about results: checks against known answers, headline numbers, figures. Each is data; core/report
/// draws it.

#include <cmath>
#include <string>
#include <vector>

namespace fovea {

/// The first member of what is made of named parts: {.label = "Gap"} compiles, {"gap", "Gap"} does not.
class ByName {
 public:
  static constexpr ByName only() { return {}; }

 private:
  constexpr ByName() = default;
};

/// How far from its prediction a number may lie: see absolute() and relative().
struct Tolerance {
  double size = 0;
  bool relative = true;
  double around(double predicted) const { return size * (relative ? std::abs(predicted) : 1.0); }  ///< what is allowed
};
inline Tolerance absolute(double size) { return {size, false}; }  ///< |measured - predicted| <= size
inline Tolerance relative(double size) { return {size, true}; }   ///< |measured - predicted| <= size * |predicted|

/// A known answer compared with what came out. NaN never holds.
struct Check {
  std::string name;     ///< snake_case, unique in the experiment; self_test_...: the model on a case of its own
  std::string meaning;  ///< one line: what is compared
  std::string source;   ///< author, year, equation; or "derived in domains/.../README.md"
  double predicted = 0;
  double measured = 0;
  Tolerance tolerance;
  bool holds() const;
};

/// A number for the top of the page.
struct Headline {
  ByName by_name = ByName::only();
  std::string variable = {};   ///< a scalar of a point; replicas over "seed" give its standard error
  std::string label = {};      ///< what stands over the number
  std::string predicted = {};  ///< name of a scalar variable that predicts it, or empty
  std::string half_width =
      {};                    ///< name of a scalar variable with the bracket's half width: how well one point knows it
  std::string meaning = {};  ///< one sentence under the number
  std::string check = {};    ///< name of the check of this number, whose tolerance it shows; empty: none
};

/// An item of what a report of the results must say.
struct SheetLine {
  std::string item;  ///< its number in the guideline: "5b"
  std::string asks;  ///< what it asks for
  std::string fact;  ///< what the run says of it; empty: the reader has to write it
};

/// A figure is data: which variables, which axes. What is not an axis, hue or "seed" becomes the page's slider.
///
///   lines      y over x; band = standard error over "seed"; one line for each value of the hue dimension
///   histogram  a density over x (bin centres); the slider chooses the rest
///   heatmap    a matrix (dimensions y, x); the slider chooses the rest; theory: its contours at the ticks of the bar
///   network    nodes at (position_x, position_y) with a value each, edges between them
///   image      pictures over (y, x), side by side: colours, or classes with names
///   table      columns over one dimension
///   intervals  a named row for each value of x: a point, its interval, further marks beside it, on one axis of values
struct Figure {
  ByName by_name = ByName::only();
  std::string kind = "lines";  ///< one of the above
  std::string name = {};       ///< file name of the SVG, without suffix
  std::string title = {};
  std::string caption = {};                  ///< what to see, one or two sentences
  std::vector<std::string> variables = {};   ///< lines, histogram: drawn together; heatmap: one; table: the columns;
                                             ///< network: node value, then optionally the true group,
                                             ///< then optionally which nodes get a ring (above 0)
  std::vector<std::string> references = {};  ///< theory: drawn dashed; same dimensions as the variables or fewer
  std::string x = {};                        ///< dimension on the x axis (table: rows; network: nodes)
  std::string y = {};                        ///< heatmap: dimension on the y axis
  std::string hue = {};                      ///< dimension with one line each, or empty
  bool log_x = false;
  bool log_y = false;
  std::vector<std::string> marks = {};  ///< scalar variables drawn as vertical lines (predicted tipping points)
  std::string position_x = {}, position_y = {};    ///< network: node coordinates
  std::string edge_source = {}, edge_target = {};  ///< network: node numbers of each edge

  // Numbers or words on what is drawn; of several seeds those of the first. Left out where there is no room.
  std::string labels =
      {};  ///< heatmap: a variable over (y, x) written in the cells; cells whose value is NaN stay empty,
           ///< and so does a NaN or an empty word, and the colours are even about 0.
           ///< network: a variable over the edges, written beside them
  // A network of directions: arrows from source to target, bent, so that both directions and several edges between two
  // nodes are told apart; an edge from a node to itself is a loop. Few nodes are called by the text coordinate of x.
  bool directed = false;
  std::string edge_weight = {};  ///< network: a signed variable over the edges; |weight| is the width, below 0 is
                                 ///< another colour, NaN is not drawn: with a slider dimension the edges come and go
  // lines: an area between two variables over x behind the lines, such as where 95 % of values without effect lie.
  // One for each value of the hue if they have it. The long name of band_low up to its first comma is its name.
  std::string band_low = {}, band_high = {};
  std::string value_label = {};  ///< lines of several variables: what they are together, on the y axis; empty: "value"
  // image: a picture for each variable and each value of the hue. A variable over `channel` is red, green and blue, 0
  // to 1 or bytes; any other has classes: whole numbers that flag_values, flag_meanings and flag_colors ("#1f77b4")
  // name. A variable with the attributes valid_min and valid_max is a map of numbers between these ends of a colour
  // bar, even about 0 where they have both signs; equal ends share a bar. Colours in physical units have the attribute
  // stretch = "2 98": percentiles of each band that become 0 and 1, stated on the page. NaN and the attribute
  // missing_value are transparent. The first row is on top, as in a file, unless y has a coordinate of rising numbers,
  // as on a map.
  std::string channel = {};
  // intervals: the first variable is the point of a row, band_low and band_high its interval; an infinite end is an
  // arrow, a NaN "not measured". Further variables and references are signs in the same row. Rows are named by the text
  // coordinate of x; log_y: the axis of values; labels: a text beside each row, else "> low" where an end is open.
  // Several seeds: medians.
  std::string groups = {};  ///< intervals: a text variable over x; its values are told apart by colour and in a legend
  std::string fold = {};    ///< not empty: on the page it stands closed under this heading, below those without
  /// lines, heatmap: a variable over the axes, above 0 where points of a sweep failed; a cross marks them.
  std::string failed = {};
  int digits = 5;  ///< table: significant digits of a number, 1 to 12; an error has its own
};

}  // namespace fovea
