#include "fovea/core/learning/parameters.hpp"

#include <algorithm>

#include "fovea/core/base/error.hpp"
#include "fovea/core/config/schema.hpp"

namespace fovea::learning {

template <typename Real>
ParameterPlace Parameters<Real>::add(const std::string& name, const Matrix<Real>& start, Decay decay, bool learns) {
  require(!name.empty(), "parameters: a parameter needs a name.");
  const bool taken = std::any_of(entries_.begin(), entries_.end(), [&](const Entry& e) { return e.name == name; });
  require(!taken, "parameters: there are two of the name '", name, "'; each needs its own.");
  require_room(start.size());
  require(start.allFinite(), "parameters: the start of '", name, "' has a value that is not finite.");
  const ParameterPlace place{size(), start.rows(), start.cols()};
  values_.insert(values_.end(), start.data(), start.data() + start.size());
  entries_.push_back({name, place, decay, learns});
  return place;
}

template <typename Real>
void Parameters<Real>::limit(Index most) {
  require(most >= size(), "parameters: a limit of ", most, " is below the ", size(), " values there are; raise it.");
  most_ = most;
}

template <typename Real>
void Parameters<Real>::require_room(Index values) const {
  require(values <= most_ - size(), "parameters: ", values, " values more than the ", size(),
          " there are would be above the limit of ", most_, "; make the model smaller.");
}

template <typename Real>
Eigen::Map<Matrix<Real>> Parameters<Real>::matrix(const ParameterPlace& place) {
  return {values_.data() + place.begin, place.rows, place.columns};
}

template <typename Real>
Eigen::Map<const Matrix<Real>> Parameters<Real>::matrix(const ParameterPlace& place) const {
  return {values_.data() + place.begin, place.rows, place.columns};
}

template <typename Real>
const typename Parameters<Real>::Entry& Parameters<Real>::at(std::string_view name) const {
  const auto found = std::find_if(entries_.begin(), entries_.end(), [&](const Entry& e) { return e.name == name; });
  if (found != entries_.end()) return *found;
  std::vector<std::string> names;
  for (const Entry& entry : entries_) names.push_back(entry.name);
  const std::string near = nearest(name, names);
  throw ArgumentError(concat("parameters: there is no '", name, "'",
                             near.empty() ? std::string(".") : concat(". Did you mean '", near, "'?")));
}

template <typename Real>
void Parameters<Real>::set_learning(std::string_view prefix, bool learns) {
  for (Entry& entry : entries_)
    if (std::string_view(entry.name).starts_with(prefix)) entry.learns = learns;
}

template class Parameters<float>;
template class Parameters<double>;

}  // namespace fovea::learning
