#pragma once
/// The attention engine for users of the library: attend(), its scores, modifiers, normalisers and tables.

#include "fovea/core/attention/attend.hpp"
#include "fovea/core/attention/attention_weights.hpp"
#include "fovea/core/attention/hijacking.hpp"
#include "fovea/core/attention/modifiers.hpp"
#include "fovea/core/attention/normalizers.hpp"
#include "fovea/core/attention/registry.hpp"
#include "fovea/core/attention/scores.hpp"
