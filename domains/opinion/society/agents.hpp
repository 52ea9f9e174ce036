#pragma once
/// The agents of a crowd, whatever the model.

#include <cstdint>
#include <vector>

#include "fovea/core/base/matrix.hpp"

namespace fovea::opinion::society {

/// Who takes part. A bot or a medium is an agent with stubbornness 1, a reach of its own, and counted = 0.
struct Agents {
  Matrix<double> start;  ///< N x D opinions x(0): the anchors, and the state at step 0. Circle: N x 1 angles, which are
                         ///< never wrapped. Sphere: scaled to unit length by dynamics::make_dynamics()
  std::vector<double> stubbornness;   ///< s_i in [0, 1]; empty: all as dynamics::ModelSettings::stubbornness
  std::vector<double> temperature;    ///< T_i > 0; empty: all as dynamics::ModelSettings::temperature
  std::vector<double> confidence;     ///< eps_i > 0; empty: all as dynamics::ModelSettings::confidence
  std::vector<double> reach;          ///< weight of an agent as it is heard, >= 0; empty: all 1
  std::vector<double> activity = {};  ///< Baumann: in [0, 1]; empty: drawn as dynamics::ModelSettings say
  std::vector<std::uint8_t> counted;  ///< 0: left out of the measures (bots, media); empty: all count
  Index count() const { return start.rows(); }
};

}  // namespace fovea::opinion::society
