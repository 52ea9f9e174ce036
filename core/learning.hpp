#pragma once
/// Learning for users of the library: the tape, its operations and layers, training, model files, explanations.

#include "fovea/core/learning/attention_operation.hpp"
#include "fovea/core/learning/explanation.hpp"
#include "fovea/core/learning/layers/class_token.hpp"
#include "fovea/core/learning/layers/gru.hpp"
#include "fovea/core/learning/layers/patch_embedding.hpp"
#include "fovea/core/learning/layers/positions.hpp"
#include "fovea/core/learning/layers/token_modifiers.hpp"
#include "fovea/core/learning/layers/transformer_block.hpp"
#include "fovea/core/learning/losses.hpp"
#include "fovea/core/learning/model/model_file.hpp"
#include "fovea/core/learning/model/safetensors.hpp"
#include "fovea/core/learning/operations.hpp"
#include "fovea/core/learning/training/ensemble.hpp"
#include "fovea/core/learning/training/training.hpp"
#include "fovea/core/learning/training/training_curves.hpp"
#include "fovea/core/learning/training/training_series.hpp"
