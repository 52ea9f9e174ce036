#pragma once
/// What the table entries of layers are made with. Internal to core/learning.

#include "fovea/core/learning/layers/registry.hpp"

/// Defines name_entry() for float and double, which the table in registry.cpp refers to.
#define FOVEA_LAYER_ENTRY(name)              \
  template LayerEntry<float> name##_entry(); \
  template LayerEntry<double> name##_entry();
