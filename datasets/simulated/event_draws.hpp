#pragma once
/// Random numbers of one event, one after the other.

#include "fovea/core/base/matrix.hpp"
#include "fovea/core/base/random.hpp"

namespace fovea::datasets::simulated {

/// Bounds of a number that is drawn anew for each event.
struct Span {
  double low = 0, high = 0;
};

class EventDraws {
 public:
  EventDraws(const Random& random, Index event) : random_(random), event_(static_cast<std::uint64_t>(event)) {}
  double uniform() { return random_.uniform(event_, next_++); }
  double between(const Span& span) { return span.low + (span.high - span.low) * uniform(); }
  double log_between(const Span& span);  ///< uniform in the logarithm; both above 0
  double normal() { return random_.normal(event_, next_++); }
  double exponential();                           ///< of mean 1
  double azimuth();                               ///< in [-pi, pi)
  Index poisson(double mean);                     ///< by inversion, in parts of at most 100
  Index negative_binomial(double mean, Index k);  ///< variance mean + mean^2 / k: Poisson of a gamma law

 private:
  const Random& random_;
  std::uint64_t event_, next_ = 0;
};

}  // namespace fovea::datasets::simulated
