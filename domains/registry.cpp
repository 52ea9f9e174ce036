#include "fovea/domains/registry.hpp"

#include <array>

#include "fovea/domains/opinion/temperature.hpp"

namespace fovea {

namespace {

/// Alphabetical by the experiments' names.
constexpr std::array kMakers{
    &opinion::make_temperature_experiment,
};

}  // namespace

Catalogue all_experiments() {
  Catalogue catalogue;
  for (const auto make : kMakers) catalogue.add(make());
  return catalogue;
}

}  // namespace fovea
