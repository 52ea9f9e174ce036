#include "fovea/domains/registry.hpp"

#include <array>

#include "fovea/domains/lag/experiments.hpp"
#include "fovea/domains/mechanism/experiments.hpp"
#include "fovea/domains/opinion/experiments.hpp"
#include "fovea/domains/opinion/temperature/temperature.hpp"

namespace fovea {

namespace {

/// Alphabetical by the experiments' names.
constexpr std::array kMakers{
    &lag::delay::make_attention,
    &lag::discover::make_discover,
    &lag::network::make_network,
    &lag::pair::make_pair,
    &mechanism::statements::make_alignment,
    &mechanism::statements::make_confounder,
    &mechanism::statements::make_cost,
    &mechanism::statements::make_explanation,
    &mechanism::statements::make_heads,
    &mechanism::statements::make_hijacking,
    &mechanism::statements::make_kernel_smoothing,
    &mechanism::statements::make_long_range,
    &mechanism::statements::make_masks,
    &mechanism::statements::make_maximum_entropy,
    &mechanism::statements::make_position,
    &mechanism::statements::make_scaling,
    &opinion::fit::make_fit,
    &opinion::moderation::make_moderation,
    &opinion::oracle::make_oracle,
    &opinion::phase::make_phase,
    &opinion::simulate::make_simulate,
    &opinion::stability::make_stability,
    &opinion::temperature::make_temperature_experiment,
};

}  // namespace

Catalogue all_experiments() {
  Catalogue catalogue;
  for (const auto make : kMakers) catalogue.add(make());
  return catalogue;
}

}  // namespace fovea
