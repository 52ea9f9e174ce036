#pragma once
/// Functions between the layers of a network.

namespace fovea::learning {

enum class Activation { gelu, relu, tanh };

}  // namespace fovea::learning
