#pragma once
/// Named values as CF flags: small whole numbers with the attributes flag_values and flag_meanings.
///
/// A swept choice (branch = cooling, heating) is kept in a result file as flags, because xarray can plot over numbers
/// but not over texts: `ds.variance.mean("seed").plot(x="temperature")` needs every coordinate to be a number.

#include <string>

#include "fovea/core/data/dataset.hpp"

namespace fovea {

/// Turns a text coordinate into flags 0, 1, ... in its order. Anything else, and a coordinate of more than 255 values
/// or with a blank in a value (flag_meanings are separated by blanks), stays as it is.
void name_to_flags(Dataset& data, const std::string& coordinate);

/// The data set with every coordinate of flags turned back into text: for people.
Dataset with_names(Dataset data);

/// The same for every variable of flags that have a name each; a value without a name stays the number that it is.
Dataset with_words(const Dataset& data);

}  // namespace fovea
