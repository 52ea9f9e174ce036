#pragma once
/// What a model file of unknown origin holds, asked for piece by piece. Internal; use model_file.hpp.

#include <set>
#include <string>
#include <variant>
#include <vector>

#include "fovea/core/base/error.hpp"
#include "fovea/core/config/config_document.hpp"
#include "fovea/core/data/dataset.hpp"

namespace fovea::study {

inline constexpr std::size_t kMostColumns = 100'000;  ///< features and categories in all
inline constexpr std::size_t kLongestText = 1000;     ///< bytes

/// The variables of a model file, each asked for with the shape it must have.
class ModelVariables {
 public:
  ModelVariables(const std::string& source, const Dataset& data) : source_(source), data_(data) {}

  template <typename... Parts>
  [[noreturn]] void refuse(const Parts&... parts) const {
    throw DataError(concat(source_, ": ", parts...));
  }

  const std::string& source() const { return source_; }
  bool has(const std::string& name) const { return data_.has(name); }

  /// As many values as given, along one dimension; or a scalar.
  template <typename Value>
  const std::vector<Value>& list(const std::string& name, const std::vector<std::size_t>& shape) {
    const fovea::Variable& variable = find(name);
    const auto* const values = std::get_if<std::vector<Value>>(&variable.values);
    if (values == nullptr) refuse("/", name, " has another type than in a model file; it was not written by a run.");
    if (data_.shape(variable) != shape)
      refuse("/", name, " has ", variable.size(), " values in ", variable.dimensions.size(),
             " dimensions, but must have ", shown_size(shape), " in ", shape.size(), "; it was not written by a run.");
    return *values;
  }

  template <typename Value>
  Value scalar(const std::string& name) {
    return list<Value>(name, {})[0];
  }

  /// Along the one dimension that says how many there are, at most `most`.
  const std::vector<std::string>& names(const std::string& name, std::size_t most) {
    const fovea::Variable& variable = find(name);
    if (variable.size() > most)
      refuse("/", name, " has ", variable.size(), " values, but a model has at most ", most,
             " features and categories.");
    const auto& texts = list<std::string>(name, {variable.size()});
    for (const std::string& text : texts)
      if (text.size() > kLongestText)
        refuse("/", name, " has a text of ", text.size(), " bytes, but at most ", kLongestText, " are allowed.");
    return texts;
  }

  void use(const std::string& name) { used_.insert(name); }

  void refuse_others() const {
    for (const fovea::Variable& variable : data_.variables())
      if (used_.count(variable.name) == 0)
        refuse("has the variable '", shown(variable.name), "', which no model of this config has.");
  }

 private:
  const fovea::Variable& find(const std::string& name) {
    if (!data_.has(name)) refuse("there is no /", name, "; a model file needs it.");
    used_.insert(name);
    return data_.at(name);
  }

  static std::size_t shown_size(const std::vector<std::size_t>& shape) {
    std::size_t size = 1;
    for (const std::size_t extent : shape) size *= extent;
    return size;
  }

  const std::string& source_;
  const Dataset& data_;
  std::set<std::string> used_;
};

}  // namespace fovea::study
