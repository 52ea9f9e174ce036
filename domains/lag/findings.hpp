#pragma once
/// What every method that looks for lags is told and what it finds.

#include <string>
#include <vector>

#include "fovea/core/lab/random.hpp"
#include "fovea/datasets/series.hpp"

namespace fovea::lag {

/// What a method is told.
struct LagSettings {
  std::vector<Index> lags;       ///< looked at, in steps, ascending, each >= 1 and < steps; never empty
  bool contemporaneous = false;  ///< lag 0 is looked at too, by methods that can
  std::vector<Index> targets;    ///< the effects, ascending; empty: every series
  double level = 0.05;           ///< of the false discovery rate, in (0, 1)
};

/// One (cause, effect, lag) that was tested: does the cause at t - lag tell about the effect at t what everything else
/// that the method conditions on does not?
struct Link {
  Index cause = 0, effect = 0;  ///< columns of the table
  Index lag = 1;                ///< steps
  double strength = 0;          ///< signed, in [-1, 1]: the partial correlation, or what the method's entry says
  double statistic = 0;         ///< of the test: t, z or F as the method's entry says
  double p_value = 1;           ///< under "no partial effect"
  double q_value = 1;           ///< the least false discovery rate at which the link counts (Benjamini & Hochberg 1995,
                                ///< or the local rate as the method says)
  bool counts = false;          ///< by the method's default rule at LagSettings::level
  bool directed = true;         ///< false: at lag 0, and which of the two is the cause is not known
  bool self() const { return cause == effect; }
};

/// What it finds.
struct Findings {
  std::vector<Link> links;         ///< every tested one, by effect, cause, lag
  std::vector<std::string> notes;  ///< sentences for the reader
};

/// The links that count, by q, then p, then effect, cause, lag.
std::vector<Link> counting_links(const Findings& findings);

/// For each (effect, cause) the one link that counts with the least p-value: "the" lag of a pair. By q as above.
std::vector<Link> strongest_lags(const Findings& findings);

}  // namespace fovea::lag
