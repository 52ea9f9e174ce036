#pragma once
/// The kinds of figures. A kind is NAME.cpp and NAME.js in this folder and a line of table.inl: what a figure of it
/// needs, how it is drawn as SVG, how its arrays stand on the page, and the script that draws them there.
///
/// NAME.cpp defines `const FigureKind& NAME_kind()`; NAME.js sets KINDS.NAME = {draw, rows, picture}.

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "fovea/core/report/figures/averaged.hpp"

namespace fovea {

/// How an array stands on the page, and what may be left out where the page would be too large.
struct PageForm {
  enum class Values {
    decimals,  ///< 6 digits
    colours,   ///< 8 bits: told apart by colour, without standard errors
    levels,    ///< 16 bits
    pictures   ///< PNG files, one a view: FigureKind::pictures()
  };
  std::vector<std::string> axes;  ///< dimensions of one view, in order; the others are sliders
  Values values = Values::decimals;
  bool open = false;                       ///< decimals: infinite values stay infinite, else they are missing
  bool fixed = false;                      ///< never thinned: places, edges, labels
  bool thins_axes = true;                  ///< else only along the sliders
  bool square = false;                     ///< axes of the same size are thinned together
  bool means = false;                      ///< thinned along an axis to means of blocks, else to every k-th value
  std::vector<std::string> together = {};  ///< axes that are thinned by the same step, so that pixels stay square
  std::string most_along = {};             ///< a dimension that is thinned to `most` values from the start, or empty
  std::size_t most = 0;
};

/// Pictures of an array on the page, and what their colours mean.
struct Pictures {
  struct Class {
    double value = 0;
    std::string name, color;  ///< color as "#1f77b4"
  };
  std::vector<std::string> png;  ///< files, one for each combination of the dimensions that are not in the picture
  std::vector<Class> classes;    ///< empty: the colours are the values
  /// Of a map of numbers: the ends of its 255 colours; below and above them the colours of the ends.
  struct Ends {
    double low = 0, high = 1;
    bool operator==(const Ends&) const = default;
  };
  std::optional<Ends> numbers = {};
  bool missing = false;  ///< somewhere there is no value: transparent
  bool upward = false;   ///< the first row of the data is the lowest of the picture
};

class FigureKind {
 public:
  /// How much of the page's width a figure takes: half, all of it, or all of it rather than others where one of several
  /// must, so that no half is left empty.
  enum class Room { half, whole_rather, whole };

  virtual ~FigureKind() = default;
  virtual std::string_view name() const = 0;   ///< as in Figure::kind
  virtual std::string_view needs() const = 0;  ///< the parts of a figure without which it cannot be drawn, for people

  /// What the figure lacks, as the end of a sentence that begins with the figure ("has no variable"); empty: nothing.
  virtual std::string fault(const Dataset& data, const Figure& figure) const;
  /// The arrays that it draws and its sliders.
  virtual FigureData arrays(const Dataset& data, const Figure& figure) const;
  /// The SVG document; `selection` says where the sliders stand.
  virtual std::string draw(const Dataset& data, const Figure& figure, const FigureData& arrays,
                           const Selection& selection) const = 0;

  virtual Room room(const Figure&) const { return Room::half; }
  virtual bool is_picture() const { return true; }  ///< a table is none: it is not among the drawings of a collection

  /// Leaves out what no page can show; returns the sentence that says so, empty if all is shown.
  virtual std::string limit(FigureData& arrays, const Figure& figure) const;
  virtual PageForm form(const Figure& figure, const Averaged& array) const = 0;
  virtual Pictures pictures(const Dataset& data, const Figure& figure, const Averaged& array) const;

 protected:
  static std::vector<std::string> axes_of(const std::vector<std::string>& dimensions);  ///< those that are named
};

/// The table, alphabetical.
std::span<const FigureKind* const> figure_kinds();

/// The kind of a figure that can be drawn. Throws DataError for a kind that is none, ArgumentError for what it lacks.
const FigureKind& kind_of(const Dataset& data, const Figure& figure);
const FigureKind& kind_named(const Figure& figure);                 ///< the same without looking at the data
FigureData figure_data(const Dataset& data, const Figure& figure);  ///< kind_of(data, figure).arrays(data, figure)

}  // namespace fovea
