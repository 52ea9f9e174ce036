#pragma once
/// A variable by the names of its dimensions, so that nobody counts strides.
///
///   const View error = view(merged.data, "error");              a variable over (seed, heads, relation)
///   error.at({{"heads", 1}, {"relation", 0}}).mean()            over the seeds, with its standard error
///   error.at({{"heads", kLast}}).largest()                      of all seeds and relations
///   error.means({"heads", "relation"})                          one mean for each, over all else
///   for (const auto& curve : error.at({{"relation", 0}}).series("heads"))   for each seed its values over the heads
///
/// A dimension that is not named is pooled: the seeds, and every key that was swept. A domain names its own dimensions
/// alone, and so it need not know what a sweep put in front.

#include <cstddef>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "fovea/core/base/moments.hpp"
#include "fovea/core/data/dataset.hpp"

namespace fovea {

inline constexpr std::size_t kLast = static_cast<std::size_t>(-1);  ///< the last index along a dimension

/// Numbers with named dimensions: a variable, or a part of it. It holds a copy of its numbers.
class View {
 public:
  struct Place {
    std::string_view dimension;
    std::size_t index = 0;  ///< or kLast
  };

  /// The numbers of a variable, whole numbers as doubles. Throws ArgumentError for text, or if there is no such
  /// variable.
  View(const Dataset& data, const std::string& name);

  /// The part at these indices; its other dimensions keep their order. Throws ArgumentError for a dimension that the
  /// variable has not, and for an index beyond its end.
  View at(std::initializer_list<Place> places) const;
  /// The parts at index 0, 1, ... of a dimension.
  std::vector<View> along(std::string_view dimension) const;
  /// The values over a dimension, one series for each combination of the other dimensions, in the variable's order.
  std::vector<std::vector<double>> series(std::string_view dimension) const;
  /// The mean over all else for each combination of the dimensions, the last of them fastest.
  std::vector<double> means(const std::vector<std::string>& dimensions) const;

  const std::vector<double>& values() const { return values_; }  ///< slowest dimension first
  std::size_t size() const { return values_.size(); }
  const std::vector<std::string>& dimensions() const { return dimensions_; }  ///< slowest first
  bool has(std::string_view dimension) const;

  /// The first value: the value of what is the same everywhere. Throws ArgumentError if there is none.
  double first() const;
  MeanWithError mean() const { return mean_with_error(values_); }  ///< NaN values are left out
  double largest() const;                                          ///< NaN if one of them is, or if there is none
  /// The least and the largest, NaN left out; {inf, -inf} if nothing is left.
  std::pair<double, double> range() const;

 private:
  View(const View& whole, std::size_t axis, std::size_t index);
  std::size_t axis_of(std::string_view dimension) const;
  std::size_t inner(std::size_t axis) const;  ///< the distance of neighbours along an axis

  std::string name_;
  std::vector<std::string> dimensions_;
  std::vector<std::size_t> shape_;
  std::vector<double> values_;
};

inline View view(const Dataset& data, const std::string& name) { return {data, name}; }

}  // namespace fovea
