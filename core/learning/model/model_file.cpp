#include "fovea/core/learning/model/model_file.hpp"

#include <algorithm>
#include <cmath>

#include "fovea/core/base/error.hpp"

namespace fovea::learning {

template <typename Real>
void add_model(Dataset& data, const std::string& prefix, const Parameters<Real>& parameters) {
  for (const auto& entry : parameters.entries()) {
    require(entry.name.find('/') == std::string::npos, "model: the parameter '", entry.name,
            "' cannot be kept in a result; its name must not hold a '/'.");
    const std::string name = prefix + "." + entry.name;
    data.dimension(name + "_row", entry.place.rows);
    data.dimension(name + "_column", entry.place.columns);
    const auto values = parameters.values().begin() + entry.place.begin;
    data.add({name,
              {name + "_row", name + "_column"},
              std::vector<Real>(values, values + entry.place.size()),
              "1",
              "learned parameter " + entry.name,
              {}});
  }
}

template <typename Real>
void load_model(const Dataset& data, const std::string& prefix, Parameters<Real>& parameters) {
  std::vector<Real> all(parameters.values().begin(), parameters.values().end());
  for (const auto& entry : parameters.entries()) {
    const std::string name = prefix + "." + entry.name;
    if (!data.has(name)) throw DataError(concat("model: there is no /", name, "; the model needs it."));
    const fovea::Variable& variable = data.at(name);
    const auto* const values = std::get_if<std::vector<Real>>(&variable.values);
    const std::vector<std::size_t> shape{static_cast<std::size_t>(entry.place.rows),
                                         static_cast<std::size_t>(entry.place.columns)};
    if (!values || data.shape(variable) != shape)
      throw DataError(concat("model: /", name, " must be ", entry.place.rows, " x ", entry.place.columns,
                             sizeof(Real) == 4 ? " numbers of type float." : " numbers of type double."));
    if (!std::all_of(values->begin(), values->end(), [](Real x) { return std::isfinite(x); }))
      throw DataError(concat("model: /", name, " has a value that is not finite."));
    std::copy(values->begin(), values->end(), all.begin() + entry.place.begin);
  }
  std::copy(all.begin(), all.end(), parameters.values().begin());
}

#define FOVEA_MODEL_FILE(Real)                                                    \
  template void add_model(Dataset&, const std::string&, const Parameters<Real>&); \
  template void load_model(const Dataset&, const std::string&, Parameters<Real>&);
FOVEA_MODEL_FILE(float)
FOVEA_MODEL_FILE(double)

}  // namespace fovea::learning
