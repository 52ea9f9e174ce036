#pragma once
/// The settings of modifiers that ask where tokens lie. Internal to core/attention.

#include "fovea/core/attention/modifiers/parts/settings.hpp"
#include "fovea/core/attention/neighbours/coordinates.hpp"

namespace fovea {

inline ModifierSetting periods_setting() {
  return {"periods",
          ModifierSetting::Kind::reals,
          {},
          0,
          kAnySize,
          false,
          "that of the coordinates",
          "period of each axis; 0: not periodic; none: no axis is periodic"};
}

template <typename Real>
Coordinates coordinates_of(const ModifierValues& values, ModifierRows<Real> rows) {
  return {std::move(rows.query_coordinates), std::move(rows.key_coordinates), values.reals("periods"),
          std::move(rows.sets)};
}

}  // namespace fovea
