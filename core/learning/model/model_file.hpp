#pragma once
/// A model inside a result: its parameters as variables of the data set.

#include <string>

#include "fovea/core/data/dataset.hpp"
#include "fovea/core/learning/parameters.hpp"

namespace fovea::learning {

/// Adds each parameter as the variable "PREFIX.NAME" (rows x columns; dimensions "PREFIX.NAME_row" and "..._column"),
/// float or double as Real is. Throws ArgumentError for a name with '/', which HDF5 does not have.
template <typename Real>
void add_model(Dataset& data, const std::string& prefix, const Parameters<Real>& parameters);

/// The values again, for a model that is there already, bit for bit. Throws DataError that names the variable where one
/// is missing, or has another type or shape, or is not finite; the parameters are then as before.
template <typename Real>
void load_model(const Dataset& data, const std::string& prefix, Parameters<Real>& parameters);

}  // namespace fovea::learning
