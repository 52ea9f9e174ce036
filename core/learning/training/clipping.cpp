#include "fovea/core/learning/training/clipping.hpp"

#include <cmath>

#include "fovea/core/base/error.hpp"
#include "fovea/core/learning/kernels/learning_kernels.hpp"

namespace fovea::learning {

template <typename Real>
double clip_gradients(const Parameters<Real>& parameters, std::span<Real> gradients, double largest_norm) {
  require(static_cast<Index>(gradients.size()) == parameters.size(), "clip_gradients: there are ", parameters.size(),
          " parameters, but ", gradients.size(), " gradients.");
  require(largest_norm > 0, "clip_gradients: the largest norm is ", largest_norm, ", but must be > 0.");
  double squares = 0;
  for (const auto& entry : parameters.entries()) {
    if (!entry.learns) continue;
    const double own = learning_kernels<Real>().squared_norm(gradients.data() + entry.place.begin, entry.place.size());
    if (!std::isfinite(own))
      throw DivergenceError(concat("the gradient of '", entry.name,
                                   "' is not finite; lower the learning rate, or look for a division by 0, a "
                                   "logarithm or a root of 0 in the model."));
    squares += own;
  }
  const double norm = std::sqrt(squares);
  if (norm <= largest_norm) return norm;
  const auto factor = static_cast<Real>(largest_norm / norm);
  for (Real& g : gradients) g *= factor;
  return norm;
}

#define FOVEA_CLIPPING(Real) template double clip_gradients(const Parameters<Real>&, std::span<Real>, double);
FOVEA_CLIPPING(float)
FOVEA_CLIPPING(double)

}  // namespace fovea::learning
