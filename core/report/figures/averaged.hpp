#pragma once
/// An array as the report draws it: replicas over "seed" averaged, and a view of it at a position of the sliders.

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "fovea/core/data/least_value.hpp"
#include "fovea/core/data/results.hpp"

namespace fovea {

inline constexpr std::string_view kReplicas = "seed";  ///< the dimension that is averaged over
inline constexpr const char* kOfEachSeed =
    " of each seed";  ///< behind the name of an array whose replicas are drawn too

/// Dimension -> index. Dimensions that an array does not have are ignored; those not named count as 0.
using Selection = std::map<std::string, std::size_t, std::less<>>;

struct Averaged {
  std::string name;
  std::string label;                    ///< short, see label_text(); for people
  std::string units;                    ///< with raised powers
  std::vector<std::string> dimensions;  ///< without "seed"
  std::vector<std::size_t> shape;
  std::vector<double> mean;   ///< over the finite replicas; NaN where there is none. Empty for text.
  std::vector<double> error;  ///< standard error of the mean, NaN below two replicas; empty if there are no replicas
  std::vector<std::string> words;  ///< the values of a text (or flag) variable; else empty
  std::size_t replicas = 1;
  std::string meaning = {};  ///< the whole long_name
  LeastValues least = {};    ///< a mean that is one says "at most"

  std::size_t size() const { return words.empty() ? mean.size() : words.size(); }
  bool has(std::string_view dimension) const;
  std::size_t size_of(std::string_view dimension) const;  ///< 1 for a dimension it does not have
  /// Flat positions of the values along a dimension, the others as selected (one position if it lacks the dimension).
  std::vector<std::size_t> along(std::string_view dimension, const Selection& selection) const;
  std::size_t position(const Selection& selection) const;
  bool is_least(std::size_t flat) const {  ///< the mean at this position
    return words.empty() && is_least_p(mean[flat], least.at(dimensions, shape, flat));
  }
};

/// The mean over replicas; without replicas the attribute ancillary_variables names the array of standard errors. Texts
/// are taken from the first replica; whole numbers with the attribute flag_meanings become these words.
Averaged averaged(const Dataset& data, const std::string& name);
/// The median over replicas, in which infinite values count and NaN do not: for intervals whose ends may be open.
/// Without errors; texts as averaged().
Averaged median_of_replicas(const Dataset& data, const std::string& name);
/// All replicas, with the dimension "seed" where the variable has it.
Averaged all_replicas(const Dataset& data, const std::string& name);
/// The first replica alone, for what cannot be averaged (the ends of an edge).
Averaged first_replica(const Dataset& data, const std::string& name);
/// The same with the values of flags as the numbers that they are.
Averaged first_numbers(const Dataset& data, const std::string& name);
/// Without the dimensions along which nothing changes; those in `keep` stay.
Averaged squeezed(Averaged array, const std::vector<std::string>& keep);
/// Whether the values differ from replica to replica.
bool differs_between_replicas(const Dataset& data, const std::string& name);

/// The values of a dimension's coordinate. Without a coordinate: 0, 1, 2, ...
Averaged coordinate_of(const Dataset& data, const std::string& dimension);
/// Whether the x axis is logarithmic: as the figure wants it, unless the coordinate begins at 0 or below, as the places
/// of a grid that differs between the points of a sweep do.
bool has_log_x(const Dataset& data, const Figure& figure);
/// The figure's marks; none where x is the place in a grid that differs between points, since marks are values of it.
std::vector<std::string> marks_on_x(const Dataset& data, const Figure& figure);

/// What the values of several variables are together: the figure's value_label, else the words with which all labels
/// end, without what a preposition begins ("training loss of the epoch", "validation loss": loss), or else begin, or
/// else all labels.
std::string label_of_values(const Dataset& data, const Figure& figure);

/// The arrays of a figure, its sliders resolved: every variable it names, ready to draw.
struct FigureData {
  std::map<std::string, Averaged, std::less<>> arrays;
  std::vector<std::string> sliders;          ///< dimensions of its arrays that are no axis, hue or node dimension
  std::map<std::string, std::string> roles;  ///< arrays that the figure does not name: what they are for -> which
};

/// The dimensions of the arrays that are none of the axes.
std::vector<std::string> sliders_of(const FigureData& figure, const std::vector<std::string>& axes);

/// Whether the dimension is time: its coordinate has the attribute axis = "T" (CF conventions 1.11, section 4).
bool is_time(const Dataset& data, const std::string& dimension);

/// Where the sliders stand at first, at what there is most to see: the last place in time; else the largest value not
/// above the first mark that a figure has on this dimension (just below a predicted transition), without marks a
/// quarter of the way up; the first value of a text dimension.
Selection start_selection(const Dataset& data, const std::vector<Figure>& figures,
                          const std::vector<std::string>& sliders);

}  // namespace fovea
