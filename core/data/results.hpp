#pragma once
/// What an experiment hands in: arrays, headline numbers, checks against known answers, figures, notes.
/// Everything is kept in one Dataset, so that the report can be drawn from the result file alone.

#include <cmath>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "fovea/core/data/dataset.hpp"

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
  std::string name;     ///< snake_case, unique in the experiment
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
};

/// A figure is data: which variables, which axes. What is not an axis, hue or "seed" becomes the page's slider.
///
///   lines      y over x; band = standard error over "seed"; one line for each value of the hue dimension
///   histogram  a density over x (bin centres); the slider chooses the rest
///   heatmap    a matrix (dimensions y, x); the slider chooses the rest
///   network    nodes at (position_x, position_y) with a value each, edges between them
///   table      columns over one dimension
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
  int digits = 5;                ///< table: significant digits of a number, 1 to 12; an error has its own
};

class Results {
 public:
  Dataset data;

  void coordinate(const std::string& name, Values values, const std::string& units, const std::string& long_name);
  void add(const std::string& name, std::vector<std::string> dimensions, Values values, const std::string& units,
           const std::string& long_name);
  void scalar(const std::string& name, double value, const std::string& units, const std::string& long_name);

  void check(Check check);
  void headline(Headline headline);
  void figure(Figure figure);
  /// A sentence for the reader, such as "not at rest after 2000 steps; expected lifetime 5.9e3 steps".
  void note(std::string sentence);
  /// The page's verdict in one sentence, shown first.
  void verdict(std::string sentence);

  /// What depends on the machine and the hour, such as times: results of their own, with checks, headlines and figures
  /// of their own. They are kept in machine.h5, apart from result.h5 and its hash, and shown on the same page.
  Results& on_this_machine();
  const Results* machine() const { return machine_.get(); }  ///< nullptr: nothing depends on it
  /// The same with what depends on the machine behind all else: what a reader sees.
  Results with_machine() const;

  const std::vector<Check>& checks() const { return checks_; }
  const std::vector<Headline>& headlines() const { return headlines_; }
  const std::vector<Figure>& figures() const { return figures_; }
  const std::vector<std::string>& notes() const { return notes_; }
  const std::string& verdict() const { return verdict_; }

  /// A trained model that the experiment leaves beside its results, in model.h5; nullptr: none.
  void keep_model(Dataset model) { model_ = std::make_shared<const Dataset>(std::move(model)); }
  const Dataset* model() const { return model_.get(); }

  /// Checks, headlines, figures, notes and verdict as one JSON document (kept in data.documents["presentation"]),
  /// and back.
  std::string presentation() const;
  void read_presentation(const std::string& json);

 private:
  std::vector<Check> checks_;
  std::vector<Headline> headlines_;
  std::vector<Figure> figures_;
  std::vector<std::string> notes_;
  std::string verdict_;
  std::shared_ptr<Results> machine_;
  std::shared_ptr<const Dataset> model_;
};

}  // namespace fovea
