#pragma once
/// The experiments on time lags, one maker a line. README.md has their questions and equations.

#include <memory>

#include "fovea/core/lab/experiment.hpp"

namespace fovea::lag::delay {
std::unique_ptr<Experiment> make_attention();
}  // namespace fovea::lag::delay

namespace fovea::lag::discover {
std::unique_ptr<Experiment> make_discover();
}  // namespace fovea::lag::discover

namespace fovea::lag::network {
std::unique_ptr<Experiment> make_network();
}  // namespace fovea::lag::network

namespace fovea::lag::pair {
std::unique_ptr<Experiment> make_pair();
}  // namespace fovea::lag::pair
