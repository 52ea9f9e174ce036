#pragma once
/// The agents of a crowd, whatever the model.

#include <cstdint>
#include <utility>
#include <vector>

#include "fovea/core/base/matrix.hpp"
#include "fovea/core/ranks/ranks.hpp"

namespace fovea::opinion::society {

/// Who takes part. A bot or a medium is an agent with stubbornness 1, a reach of its own, and counted = 0.
struct Agents {
  Matrix<double> start;  ///< N x D opinions x(0): the anchors, and the state at step 0. Circle: N x 1 angles, which are
                         ///< never wrapped. Sphere: scaled to unit length by dynamics::make_dynamics()
  std::vector<double> stubbornness;           ///< s_i in [0, 1]; empty: all as dynamics::ModelSettings::stubbornness
  std::vector<double> temperature;            ///< T_i > 0; empty: all as dynamics::ModelSettings::temperature
  std::vector<double> confidence;             ///< eps_i > 0; empty: all as dynamics::ModelSettings::confidence
  std::vector<double> reach;                  ///< weight of an agent as it is heard, >= 0; empty: all 1
  std::vector<double> activity = {};          ///< Baumann: in [0, 1]; empty: drawn as dynamics::ModelSettings say
  std::vector<std::vector<double>> own = {};  ///< numbers of formulas, each one number for each agent
  std::vector<std::uint8_t> counted;          ///< 0: left out of the measures (bots, media); empty: all count
  Index released = 0;                         ///< how many have given up their start, see release_start()
  const Ranks* ranks = &alone();  ///< who hold the crowd together, each some of its agents: then these are only ours,
  Index first = 0;                ///< from this number on
  Index count() const { return start.rows() + released; }

  /// The start of a crowd that never looks back at it, which is N x D numbers of memory: it has 0 rows from then on.
  Matrix<double> release_start() {
    Matrix<double> opinions = std::move(start);
    released += opinions.rows();
    start.resize(0, opinions.cols());
    return opinions;
  }
};

/// The values of those agents; of none where there is none.
template <typename Value>
std::vector<Value> some_of(const std::vector<Value>& all, const std::vector<Index>& agents) {
  std::vector<Value> some;
  if (all.empty()) return some;
  for (const Index i : agents) some.push_back(all[i]);
  return some;
}

inline Matrix<double> some_of(const Matrix<double>& all, const std::vector<Index>& agents) {
  Matrix<double> some(static_cast<Index>(agents.size()), all.cols());
  for (std::size_t k = 0; k < agents.size(); ++k) some.row(static_cast<Index>(k)) = all.row(agents[k]);
  return some;
}

inline Agents some_of(const Agents& all, const std::vector<Index>& agents) {
  Agents some{some_of(all.start, agents),
              some_of(all.stubbornness, agents),
              some_of(all.temperature, agents),
              some_of(all.confidence, agents),
              some_of(all.reach, agents),
              some_of(all.activity, agents),
              {},
              some_of(all.counted, agents)};
  for (const std::vector<double>& own : all.own) some.own.push_back(some_of(own, agents));
  return some;
}

}  // namespace fovea::opinion::society
