#include <algorithm>
#include <cmath>

#include "fovea/core/base/error.hpp"
#include "fovea/core/learning/model/safetensors.hpp"
#include "fovea/core/learning/model/safetensors_header.hpp"

namespace fovea::learning {

namespace {

using Entry64 = std::vector<std::int64_t>;

bool fits(const Entry64& shape, const ParameterPlace& place) {
  if (shape == Entry64{place.rows, place.columns}) return true;
  if (place.rows == 1 && shape == Entry64{place.columns}) return true;
  return place.size() == 1 && shape.empty();
}

std::string text_of_shape(const Entry64& shape) {
  std::string text;
  for (const std::int64_t size : shape) text += (text.empty() ? "" : " x ") + std::to_string(size);
  return text.empty() ? "one number" : text;
}

/// Copies floating-point values; false where they are whole numbers, not finite or not as many.
template <typename Real>
bool copy_values(const Tensor::Values& values, Index count, Real* to) {
  return std::visit(
      [&](const auto& list) {
        using Item = typename std::decay_t<decltype(list)>::value_type;
        if constexpr (!std::is_floating_point_v<Item>) {
          return false;
        } else {
          if (static_cast<Index>(list.size()) != count) return false;
          for (const Item value : list) {
            *to = static_cast<Real>(value);
            if (!std::isfinite(*to++)) return false;
          }
          return true;
        }
      },
      values);
}

}  // namespace

template <typename Real>
TensorFile tensors_of(const Parameters<Real>& parameters) {
  TensorFile file;
  for (const auto& entry : parameters.entries()) {
    const auto values = parameters.values().begin() + entry.place.begin;
    file.tensors.push_back(
        {entry.name, {entry.place.rows, entry.place.columns}, std::vector<Real>(values, values + entry.place.size())});
  }
  return file;
}

template <typename Real>
void load_tensors(const TensorFile& file, const std::string& path, Parameters<Real>& parameters) {
  std::vector<Real> values(parameters.values().begin(), parameters.values().end());
  for (const auto& entry : parameters.entries()) {
    const auto found = std::find_if(file.tensors.begin(), file.tensors.end(),
                                    [&](const Tensor& tensor) { return tensor.name == entry.name; });
    if (found == file.tensors.end()) throw DataError(concat(path, ": has no '", entry.name, "'; the model needs it."));
    if (!fits(found->shape, entry.place))
      throw DataError(concat(path, ": '", entry.name, "' is ", text_of_shape(found->shape), ", but must be ",
                             text_of_shape({entry.place.rows, entry.place.columns}), "."));
    if (!copy_values(found->values, entry.place.size(), values.data() + entry.place.begin))
      throw DataError(
          concat(path, ": '", entry.name, "' must hold finite floating-point numbers, as many as its shape has."));
  }
  for (const Tensor& tensor : file.tensors) {
    const auto& entries = parameters.entries();
    if (std::none_of(entries.begin(), entries.end(), [&](const auto& entry) { return entry.name == tensor.name; }))
      throw DataError(concat(path, ": has '", shown_name(tensor.name), "', which is no parameter of the model."));
  }
  std::copy(values.begin(), values.end(), parameters.values().begin());
}

#define FOVEA_TENSORS(Real)                                \
  template TensorFile tensors_of(const Parameters<Real>&); \
  template void load_tensors(const TensorFile&, const std::string&, Parameters<Real>&);
FOVEA_TENSORS(float)
FOVEA_TENSORS(double)

}  // namespace fovea::learning
