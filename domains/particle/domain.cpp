#include "fovea/core/lab/domain.hpp"

#include "fovea/domains/particle/experiments.hpp"

namespace fovea::particle {

namespace {

#define FOVEA_EXPERIMENT(folder, name) &folder::make_##name,
const std::vector<MakeExperiment> kExperiments{
#include "fovea/domains/particle/experiments.inl"
};
#undef FOVEA_EXPERIMENT

}  // namespace

Domain domain() { return {"particle", "events and jets of particle colliders", kExperiments, {}, {}, {}}; }

}  // namespace fovea::particle
