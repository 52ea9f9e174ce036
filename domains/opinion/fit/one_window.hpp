#pragma once
/// What opinion.fit says of a single window of one run: whether anything moves, which of the rivals accounts for it,
/// and the estimates where they mean something.

#include <vector>

#include "fovea/core/base/missing.hpp"
#include "fovea/core/lab/experiment.hpp"
#include "fovea/domains/opinion/fit/motion.hpp"
#include "fovea/domains/opinion/fit/series_findings.hpp"

namespace fovea::opinion::fit {

/// What accounts for the motion. Attention and a drift have 2 parameters each, both together 4; each is asked whether
/// it improves on the other alone by more than chance (likelihood ratio, chi-square with 2 degrees of freedom, 5 %).
enum class Account {
  none,        ///< neither improves on the frozen model
  either,      ///< each does as well as both: the data do not tell them apart
  attention,   ///< attention does as well as both, the drift does not
  drift,       ///< the drift does as well as both, attention does not
  both,        ///< each is needed beside the other
  unresolved,  ///< the quadrature is too coarse for what decides
  refuted,     ///< influence would be claimed, but the samples are not those of the model that claims it
};

/// What is known of a window that decides.
struct Evidence {
  double unchanging = 1;      ///< p, see unchanging_p()
  std::vector<double> gains;  ///< log likelihood above the frozen model's, by kExplanations; empty: rivals not fitted
  double quadrature = 0, described = 1;  ///< see quadrature_error(), described_p()
  bool moves() const { return unchanging <= kMovesLevel; }
  bool resolved() const { return quadrature <= kResolved; }
  double gain(Explanation explanation) const {
    return gains.empty() ? kNan : gains[static_cast<std::size_t>(explanation)];
  }
};
/// Of every window in the results.
std::vector<Evidence> evidence_of(const Results& merged);

/// In how many of the windows that move the quadrature is too coarse.
QuadratureUnresolved unresolved_in(const Results& merged);

/// By the likelihoods alone.
Account account_of(double drift, double attention, double both);
/// Where no rivals were fitted: attention, if nothing speaks against it.
Account account_of(const Evidence& evidence);

/// Whether the estimates of T and s say something of influence: something moves, and the account needs attention.
bool tells_influence(const Evidence& evidence);

/// Whose fit is drawn: what describes the window best; frozen where nothing moves.
Explanation drawn_explanation(const Evidence& evidence, Explanation reported);

/// Verdict, headlines and the table of the rivals. has_truth: the crowd was simulated, and moves.
void conclude_one(Results& merged, bool has_truth);

}  // namespace fovea::opinion::fit
