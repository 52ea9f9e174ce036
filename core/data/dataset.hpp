#pragma once
/// A data set: named arrays with named dimensions, coordinates, units. The common tongue of results, checkpoints,
/// sweeps and reports; it is what xarray calls a Dataset, and result.h5 is one on disk.

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace fovea {

/// The values of a variable, flat, last dimension fastest. uint8 holds flags (CF: flag_values, flag_meanings).
using Values = std::variant<std::vector<double>, std::vector<float>, std::vector<std::int64_t>,
                            std::vector<std::uint8_t>, std::vector<std::string>>;

struct Dimension {
  std::string name;
  std::size_t size = 0;
};

/// One array. A variable with the name of a dimension and that one dimension is the dimension's coordinate.
struct Variable {
  std::string name;
  std::vector<std::string> dimensions;            ///< slowest first; empty for a scalar
  Values values;                                  ///< as many as the product of the dimensions' sizes
  std::string units;                              ///< "1" for a pure number; empty for text
  std::string long_name;                          ///< one line of meaning
  std::map<std::string, std::string> attributes;  ///< further text attributes

  const std::vector<double>& reals() const;  ///< the values as doubles; throws ArgumentError for another type
  std::size_t size() const;                  ///< number of values
};

/// A dimension whose coordinate differs between the points of a sweep has this behind its name (dataset_merge.hpp);
/// views and figures find it by its own name, too.
inline constexpr std::string_view kPlaceInGrid = "_index";

class Dataset {
 public:
  /// Declares a dimension. Declaring it again with the same size is allowed, with another throws ArgumentError.
  void dimension(const std::string& name, std::size_t size);
  /// Adds (or replaces) a variable; all its dimensions must be declared and their sizes must multiply to its size.
  /// A coordinate declares its dimension by itself.
  void add(Variable variable);

  bool has(std::string_view name) const;
  const Variable& at(std::string_view name) const;  ///< throws ArgumentError that lists the names there are
  Variable& at(std::string_view name);
  std::size_t size_of(std::string_view dimension) const;
  bool has_dimension(std::string_view name) const;
  bool is_coordinate(const Variable& variable) const;
  /// Sizes of the variable's dimensions, slowest first.
  std::vector<std::size_t> shape(const Variable& variable) const;

  const std::vector<Dimension>& dimensions() const { return dimensions_; }
  const std::vector<Variable>& variables() const { return variables_; }

  std::map<std::string, std::string> attributes;  ///< of the whole: title, Conventions, ...
  /// Text documents that travel with the data but are no arrays (resolved config, presentation); name -> text.
  std::map<std::string, std::string> documents;

 private:
  std::vector<Dimension> dimensions_;
  std::vector<Variable> variables_;
};

/// The lower-case hexadecimal SHA-256 of everything in the data set in a canonical byte order: dimensions, variables
/// (name, dimensions, type, values, units), attributes, documents. Independent of file layout and library version.
std::string content_hash(const Dataset& data);

/// Two parts of it, likewise SHA-256, that do not depend on the order in which dimensions and variables were added: the
/// numbers (dimensions; name, dimensions, type, values and units of the variables, texts among the values too), and the
/// words (long names and attributes of the variables, attributes, documents). Every change of content other than of
/// that order changes one or both.
std::string numbers_hash(const Dataset& data);
std::string words_hash(const Dataset& data);

}  // namespace fovea
