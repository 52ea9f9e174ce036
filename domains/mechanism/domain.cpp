#include "fovea/core/lab/domain.hpp"

#include "fovea/domains/mechanism/experiments.hpp"

namespace fovea::mechanism {

namespace {

#define FOVEA_EXPERIMENT(folder, name) &folder::make_##name,
const std::vector<MakeExperiment> kExperiments{
#include "fovea/domains/mechanism/experiments.inl"
};
#undef FOVEA_EXPERIMENT

}  // namespace

Domain domain() { return {"mechanism", "tests of common claims about attention", kExperiments, {}, {}}; }

}  // namespace fovea::mechanism
