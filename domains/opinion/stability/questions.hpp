#pragma once
/// What the stability experiment asks of a state at rest: the same questions for a crowd on the line and on the circle.

#include <memory>
#include <vector>

#include "fovea/domains/opinion/stability/states.hpp"

namespace fovea::opinion::stability {

/// What one state tells of itself: the same questions for the line and the circle.
class StableState {
 public:
  virtual ~StableState() = default;
  /// Carries the state there; false where it is lost.
  virtual bool follow(double temperature) = 0;
  /// By the engine's backward, one for each of modes(); NaN for one that is not among the leading ones.
  virtual std::vector<double> eigenvalues() = 0;
  /// The same by pushing and stepping; also finds the shapes.
  virtual std::vector<double> forward_eigenvalues() = 0;
  virtual double theory(int place, double temperature) const = 0;
  virtual double predicted_loss() const = 0;
  virtual bool stable_when_hot() const = 0;              ///< else it is stable in the cold
  virtual const std::vector<double>& modes() const = 0;  ///< their numbers
  virtual std::vector<double> places() const = 0;        ///< where shapes are shown
  virtual std::vector<double> shapes() const = 0;        ///< modes x places, of forward_eigenvalues()
  virtual std::vector<double> shape_theory(double temperature) const = 0;
};

struct StateSettings {
  CrowdKind kind = CrowdKind::weighted;  ///< of consensus
  Index agents = 500;
  double stubbornness = 0.05;  ///< of consensus
  double noise = 0.3;          ///< D of disorder
  int modes = 5;
};

/// Consensus of a crowd with Gaussian anchors (theory.md, E5).
std::unique_ptr<StableState> make_consensus(const StateSettings& settings);

/// Evenly spread tokens on the circle with noise (theory.md, E8 and E9).
std::unique_ptr<StableState> make_disorder(const StateSettings& settings);

}  // namespace fovea::opinion::stability
