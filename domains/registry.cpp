#include "fovea/domains/registry.hpp"

#include <array>

#include "fovea/domains/lag/experiments.hpp"
#include "fovea/domains/mechanism/experiments.hpp"
#include "fovea/domains/opinion/experiments.hpp"
#include "fovea/domains/opinion/temperature.hpp"

namespace fovea {

namespace {

/// Alphabetical by the experiments' names.
constexpr std::array kMakers{
    &lag::make_attention,
    &lag::make_discover,
    &lag::make_network,
    &lag::make_pair,
    &mechanism::make_alignment,
    &mechanism::make_confounder,
    &mechanism::make_cost,
    &mechanism::make_explanation,
    &mechanism::make_heads,
    &mechanism::make_hijacking,
    &mechanism::make_kernel_smoothing,
    &mechanism::make_long_range,
    &mechanism::make_masks,
    &mechanism::make_maximum_entropy,
    &mechanism::make_position,
    &mechanism::make_scaling,
    &opinion::make_fit,
    &opinion::make_moderation,
    &opinion::make_oracle,
    &opinion::make_phase,
    &opinion::make_simulate,
    &opinion::make_stability,
    &opinion::make_temperature_experiment,
};

}  // namespace

Catalogue all_experiments() {
  Catalogue catalogue;
  for (const auto make : kMakers) catalogue.add(make());
  return catalogue;
}

}  // namespace fovea
