#pragma once
/// Where a variable of intensive care comes from: whom a risk trusts.

#include <string>
#include <vector>

namespace fovea::ehr::risk {

/// "bedside", "laboratory", "gases and ventilation", "fluids", "demographics"; by the usual names of the PhysioNet
/// challenge 2012 (Silva et al. 2012), "other" for those that it does not have. "NAME = CODE" has the source of NAME.
std::string source_of(const std::string& variable);

/// The sources in the order of tables and pictures.
const std::vector<std::string>& sources();

}  // namespace fovea::ehr::risk
