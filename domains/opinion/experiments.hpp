#pragma once
/// The experiments on crowds, one maker a line. README.md has their questions and equations.

#include <memory>

#include "fovea/core/lab/experiment.hpp"

namespace fovea::opinion::fit {
std::unique_ptr<Experiment> make_fit();
}  // namespace fovea::opinion::fit

namespace fovea::opinion::moderation {
std::unique_ptr<Experiment> make_moderation();
}  // namespace fovea::opinion::moderation

namespace fovea::opinion::oracle {
std::unique_ptr<Experiment> make_oracle();
}  // namespace fovea::opinion::oracle

namespace fovea::opinion::phase {
std::unique_ptr<Experiment> make_phase();
}  // namespace fovea::opinion::phase

namespace fovea::opinion::simulate {
std::unique_ptr<Experiment> make_simulate();
}  // namespace fovea::opinion::simulate

namespace fovea::opinion::stability {
std::unique_ptr<Experiment> make_stability();
}  // namespace fovea::opinion::stability
