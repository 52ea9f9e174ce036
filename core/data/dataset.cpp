#include "fovea/core/data/dataset.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <type_traits>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/storage.hpp"
#include "fovea/core/data/dataset_bytes.hpp"

namespace fovea {
namespace {

std::size_t count(const Values& values) {
  return std::visit([](const auto& list) { return list.size(); }, values);
}

std::string type_name(const Values& values) {
  constexpr const char* kNames[] = {"double", "float", "int64", "uint8", "text"};
  return kNames[values.index()];
}

/// Compilers differ in the sign bit of a computed NaN; one bit pattern for all keeps files and hashes equal.
template <typename Real>
void unify_nans(std::vector<Real>& values) {
  for (Real& value : values)
    if (std::isnan(value)) value = std::numeric_limits<Real>::quiet_NaN();
}

template <typename List>
std::string names_of(const List& list) {
  std::string text;
  for (const auto& item : list) text += (text.empty() ? "" : ", ") + item.name;
  return text.empty() ? "none" : text;
}

template <typename List>
auto find(List& list, std::string_view name) {
  return std::find_if(list.begin(), list.end(), [&](const auto& item) { return item.name == name; });
}

bool is_own_coordinate(const Variable& variable) {
  return variable.dimensions.size() == 1 && variable.dimensions[0] == variable.name;
}

std::string hash_of(const Dataset& data, decltype(&write_canonical) write) {
  Sha256 hash;
  write(data, [&](std::string_view bytes) { hash.add(bytes); });
  return hash.hex();
}

}  // namespace

const std::vector<double>& Variable::reals() const {
  const auto* list = std::get_if<std::vector<double>>(&values);
  require(list != nullptr, "Variable: '", name, "' holds ", type_name(values), "; reals() needs double.");
  return *list;
}

std::size_t Variable::size() const { return count(values); }

void Dataset::dimension(const std::string& name, std::size_t size) {
  require(!name.empty(), "Dataset: a dimension has no name; give it one.");
  const auto known = find(dimensions_, name);
  if (known != dimensions_.end()) {
    require(known->size == size, "Dataset: dimension '", name, "' has size ", known->size, ", not ", size, ".");
    return;
  }
  require(!has(name), "Dataset: '", name, "' is a variable already; a dimension needs another name.");
  dimensions_.push_back({name, size});
}

void Dataset::add(Variable variable) {
  require(!variable.name.empty(), "Dataset: a variable has no name; give it one.");
  if (is_own_coordinate(variable)) dimension(variable.name, variable.size());
  require(is_own_coordinate(variable) || find(dimensions_, variable.name) == dimensions_.end(), "Dataset: variable '",
          variable.name, "' has the name of a dimension, so it must have just that dimension; rename it.");
  std::size_t expected = 1;
  std::string text;
  for (const std::string& name : variable.dimensions) {
    require(std::count(variable.dimensions.begin(), variable.dimensions.end(), name) == 1, "Dataset: variable '",
            variable.name, "' has dimension '", name, "' twice; give one of them another name.");
    const std::size_t size = size_of(name);
    require(size == 0 || expected <= std::numeric_limits<std::size_t>::max() / size, "Dataset: the dimensions of '",
            variable.name, "' multiply to more than 2^64; make them smaller.");
    expected *= size;
    text += (text.empty() ? "" : " x ") + name + " " + std::to_string(size);
  }
  require(variable.size() == expected, "Dataset: variable '", variable.name, "' has ", variable.size(),
          " values, but its dimensions (", text.empty() ? "none" : text, ") need ", expected, ".");
  std::visit(
      [](auto& list) {
        if constexpr (std::is_floating_point_v<typename std::decay_t<decltype(list)>::value_type>) unify_nans(list);
      },
      variable.values);
  const auto known = find(variables_, variable.name);
  if (known == variables_.end())
    variables_.push_back(std::move(variable));
  else
    *known = std::move(variable);
}

bool Dataset::has(std::string_view name) const { return find(variables_, name) != variables_.end(); }

const Variable& Dataset::at(std::string_view name) const {
  const auto known = find(variables_, name);
  require(known != variables_.end(), "Dataset: there is no variable '", name, "'; there are: ", names_of(variables_),
          ".");
  return *known;
}

Variable& Dataset::at(std::string_view name) { return const_cast<Variable&>(std::as_const(*this).at(name)); }

std::size_t Dataset::size_of(std::string_view dimension) const {
  const auto known = find(dimensions_, dimension);
  require(known != dimensions_.end(), "Dataset: there is no dimension '", dimension,
          "'; there are: ", names_of(dimensions_), ".");
  return known->size;
}

bool Dataset::has_dimension(std::string_view name) const { return find(dimensions_, name) != dimensions_.end(); }

bool Dataset::is_coordinate(const Variable& variable) const {
  return is_own_coordinate(variable) && find(dimensions_, variable.name) != dimensions_.end();
}

std::vector<std::size_t> Dataset::shape(const Variable& variable) const {
  std::vector<std::size_t> sizes;
  for (const std::string& name : variable.dimensions) sizes.push_back(size_of(name));
  return sizes;
}

std::string content_hash(const Dataset& data) { return hash_of(data, &write_canonical); }

std::string numbers_hash(const Dataset& data) { return hash_of(data, &write_numbers); }

std::string words_hash(const Dataset& data) { return hash_of(data, &write_words); }

}  // namespace fovea
