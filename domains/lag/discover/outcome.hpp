#pragma once
/// What `lag.discover` found, as arrays, figures and sentences.
///
/// Over (effect, cause, lag): strength, p_value, q_value, counts, promised, and attention and gradient where the method
/// has them; left out where they would be more than 4 million numbers each. Over (effect, cause), the strongest link of
/// a pair that counts: found_lag and found_strength, NaN for none and on the diagonal, and found_text, the lag as the
/// picture shows it; a link without direction stands in both cells. Over "link", every link that counts, those between
/// series first, by q: link_cause, link_effect (names), link_kind, link_lag (steps), link_time, link_strength, link_p,
/// link_q, link_self, link_promised (link_promise as "yes" and "no"), and of attention link_attention, link_gradient,
/// link_lags (the lags that hold 95 % of the head's weight on the cause). link_test: methods::DecidingTest, ", bent"
/// behind it where a bent response was tested; empty: the method has one test. Behind the links between series stand
/// the further effects (further/effects.hpp), which are in these arrays only: link_answer is their kind ("steady" for
/// all others), link_with and link_with_lag the other cause of a product. Where a p-value is too small for a double:
/// also log10_p and log10_q, and link_log10_p and link_log10_q. Over
/// ("shown", "profile_lag"): profile with profile_low and profile_high (between them lie 95 % of the strengths without
/// an effect, by the test's own p-values). Over ("shown", "moment"): shown_effect and shown_cause, standardised, the
/// cause moved by its lag. Effects in the series' own units, where the method is conditional: over "link"
/// link_effect_size, link_effect_low, link_effect_high, link_unit; link_total_size, _low, _high, the sum over the lags
/// of the cause; link_lag_low, link_lag_high, of the most significant link of a pair; link_bent_p; over "effect"
/// forecast_skill; over
/// ("shown", "horizon") response, response_low, response_high. Over "edge", a pair of series with significant links:
/// edge_cause, edge_effect (numbers of series), edge_lags (words), edge_strength; left out for more than 40 series or
/// 120 pairs.
/// Over "doubt", why links into a series are not promised: doubt_series, doubt_kind, doubt_reason, doubt_remedy.
/// Over "series", what each is (nature::SeriesNature): series_memory, series_order,
/// series_unit_root_p, series_trend_p, series_level_breaks and series_variance_breaks (rows from 1, as text),
/// series_season (steps; NaN: none with p < .01), series_season_p, series_zeros, series_distinct, series_tails,
/// series_outliers.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "fovea/core/data/results.hpp"
#include "fovea/domains/lag/attention/links.hpp"
#include "fovea/domains/lag/effects/effects.hpp"
#include "fovea/domains/lag/findings.hpp"
#include "fovea/domains/lag/further/effects.hpp"
#include "fovea/domains/lag/nature/adjustments.hpp"
#include "fovea/domains/lag/nature/nature.hpp"

namespace fovea::lag::discover {

/// What one method found.
struct MethodOutcome {
  std::string name, meaning;
  methods::Findings findings;
};

inline constexpr double kNoAttention = 0.05;  ///< weight below which attention is said to look elsewhere

struct Discovery {
  /// The table must outlive this.
  explicit Discovery(const datasets::series::SeriesTable& of) : table(of) {}

  const datasets::series::SeriesTable& table;
  std::string file = {};  ///< name of the file that they were read from; empty: simulated
  methods::LagSettings settings;
  MethodOutcome ours;
  std::vector<MethodOutcome> beside;
  std::vector<attention::AttentionView>
      views;                                  ///< one a link of ours, in its order; empty: the method has no attention
  attention::HiddenFactors hidden;            ///< as attention saw them
  attention::SharedCourse shared;             ///< of attention
  Vector<double> noise;                       ///< of attention: by which rows were weighed; empty: they were not
  attention::SurrogateCheck surrogates;       ///< of attention; no draws: none were made
  attention::Doubts doubts;                   ///< of attention, one list a series; empty: the method asks for none
  further::FurtherFindings further;           ///< what ours leaves shows in a second look; empty: none was taken
  std::vector<std::string> notes;             ///< of reading and of choosing lags
  std::optional<MayWander> walks;             ///< of what courses leave of the table; none: it was made
  std::vector<methods::Link> truth;           ///< of made series; empty: unknown
  bool lags_chosen = false;                   ///< from the data
  std::string lag_reason;                     ///< why these; empty where they were given
  Index wandering = 0;                        ///< possible_random_walks() among the series
  Index shown = 12;                           ///< pairs whose profiles are drawn, at most
  std::optional<effects::Effects> effects;    ///< of our significant links; none: the method tests two series at a time
  Random effects_random = Random(0);          ///< of the bands of responses
  std::vector<nature::SeriesNature> natures;  ///< one a series, or empty
  std::vector<nature::Adjustment> adjustments;  ///< what is held fixed in LagSettings::conditions
  std::vector<std::string> given;               ///< series that are only conditioned on
};

/// What the headline of the links says of the share of false ones where that is not controlled.
inline constexpr std::string_view kRateUnknown = "FDR unknown";
inline constexpr std::string_view kOwnRule = "by the method's own rule";

void write_discovery(const Discovery& discovery, Results& results);

}  // namespace fovea::lag::discover
