#pragma once
/// Every link of one target with its tests.

#include <map>

#include "fovea/domains/lag/attention/confirmation.hpp"
#include "fovea/domains/lag/attention/learned.hpp"
#include "fovea/domains/lag/attention/links.hpp"

namespace fovea::lag::attention {

/// By cause and lag.
struct TargetLinks {
  Index target = 0;
  std::vector<methods::Link> links;
  std::vector<AttentionView> views;
  std::map<std::size_t, ContentTests> contents;  ///< by place of the link: of those that may count
  std::vector<double> plain_t;                   ///< |t| of the plain content, as the products say
  std::vector<Index> conditions;                 ///< keys given which the links are tested
  std::vector<SecondKey> seconds;                ///< and keys of the second stage
};

/// dense: the tests are given all plain keys; null: given those that were chosen.
TargetLinks links_of_target(const Learned& learned, Index target, Index series, const std::vector<Index>& lags,
                            const DenseTests* dense, double level);

/// The contents' tests of all links, as links_of_target() made them of the chosen keys.
void complete_contents(TargetLinks& part, const Learned& learned, Index series, std::size_t lags);

/// What the contents' tests and the second stage say together, into all links; then contents of links whose p-value,
/// which can only rise, is beyond `level` and kWorthConfirming go: a wide table has no room for them.
void enter_tests(TargetLinks& part, double level);

/// The tests of the links at `places` (of part.links) once more on the rows.
void confirm(TargetLinks& part, const std::vector<std::size_t>& places, const TargetRows& rows, const RowsGiven& given,
             const KeyProducts& products, std::size_t lags);

/// The same given the causes of the target as a whole: of each source with a chosen key the values at all lags up to
/// the longest chosen one, but for the further lags of the source that is tested. A cause that acts after several
/// steps, of which the heads chose one, leaves the others to be found in what it drives too. Not made where that would
/// be more than an eighth of the rows, or the values depend on each other.
void confirm_given_whole_causes(TargetLinks& part, const std::vector<std::size_t>& places, const TargetRows& rows,
                                Index held, const KeyProducts& products, std::size_t lags);

/// |t| above which a link may be significant where factors are hidden: the cut between two classes (Otsu 1979) of the
/// largest |t| of each pair. Of pairs, not of single lags: further lags without an effect must not move it.
double cut_of_pairs(const std::vector<TargetLinks>& parts);

}  // namespace fovea::lag::attention
