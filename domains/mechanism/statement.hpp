#pragma once
/// An experiment of this laboratory, which knows its config as the struct that its keys fill.

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/words.hpp"
#include "fovea/core/config/keys.hpp"
#include "fovea/domains/mechanism/experiments.hpp"
#include "fovea/domains/mechanism/gathered.hpp"
#include "fovea/domains/mechanism/pooled.hpp"
#include "fovea/domains/mechanism/shared_keys.hpp"

namespace fovea::mechanism {

template <typename Settings, const Keys<Settings>& (*keys)()>
using Statement = KeyedExperiment<Settings, keys>;

}  // namespace fovea::mechanism
