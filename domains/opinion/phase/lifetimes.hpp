#pragma once
/// How long two camps live where nothing keeps them apart (E2).

#include <vector>

#include "fovea/core/lab/experiment.hpp"
#include "fovea/domains/opinion/phase/question.hpp"

namespace fovea::opinion::phase {

struct Lifetime {
  double temperature = 0;
  double measured = 0;    ///< steps of the crowd until its camps are nearer than kMergedGap
  double mapped = 0;      ///< the same of the gap alone, d <- d tanh(d^2 / 4T)
  double asymptotic = 0;  ///< (T / 2 d^2) exp(d^2 / 2T), d the first gap
};
inline constexpr double kMergedGap = 1e-3;

/// Two equal camps at +-spread of the smallest size, at temperatures of the range where they live between 10 and
/// `longest` steps, ascending. Empty where there is none, or the start is of a file.
std::vector<Lifetime> measure_lifetimes(const PhaseQuestion& question, const CrowdMaker& make, std::int64_t longest);

}  // namespace fovea::opinion::phase
