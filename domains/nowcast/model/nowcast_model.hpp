#pragma once
/// The model of a nowcast: a ridge part on classical columns, and attention of the end of a month to the events before.
///
///   logit = ridge + attention
///   ridge = b_0 + sum_k b_k clip((x_k - median_k) / deviation_k, 3)
///   s_ih  = u_ch - ln 2 (age_i - d_ch)^+ / tau_ch - ln 2 (d_ch - age_i)^+ / 1 month            c: the kind of event i
///   w_ih  = e^(s_ih) / (S + sum_j e^(s_jh)),    attention = a + S / 2 sum_h sum_i w_ih v_ch size_i
///
/// The weight of an event rises until its delay d_ch is over, and then halves with each tau_ch (temporal decay of
/// scores as in Che et al. 2018). S = 40 is the score of a token that says nothing: few events add up, as in a Hawkes
/// process (Hawkes 1971), many compete. A column that is not known has its median.
///
/// The ridge part is fitted before the gradients, by Newton's method, on the training part: medians and deviations
/// there, penalty / 2 sum b_k^2. u, v, log(tau / start) and d - start learn by gradients of
///   mean log loss + penalty / (2 N) sum of their squares,                                        N: cases that taught
/// so that a kind of event of which there are few keeps near 0: few recessions teach it. a learns without a penalty:
/// b_0 holds the mean effect of all events, which attention takes over.

#include <memory>

#include "fovea/core/config/keys.hpp"
#include "fovea/core/study/model/task.hpp"

namespace fovea::nowcast {

struct NowcastModelSettings {
  double ridge_penalty = 10, clip = 3;
  double penalty = 40;            ///< of the attention part
  double half_life = 3;           ///< months, at the start
  std::vector<double> delays{0};  ///< months, at the start: a head for each
};
const Keys<NowcastModelSettings>& nowcast_model_keys();

/// For cases such as month_cases() gives. Parameters: ridge.* (not learned by gradients), events.preference, .effect,
/// .log_half_life, .delay (classes x heads), .intercept (a), cases (N).
std::unique_ptr<study::StudyModel> make_nowcast_model(const NowcastModelSettings& settings,
                                                      const study::ModelShape& shape,
                                                      learning::Parameters<float>& parameters, const Random& random);

/// What an event of a class and of size 1 adds to the logit at this age, in months, where no others compete: half the
/// sum over heads of e^(s_h) v_h.
double effect_at(const learning::Parameters<float>& parameters, const NowcastModelSettings& settings, Index kind,
                 double age);

/// The same in three numbers.
struct Memory {
  double effect = 0;     ///< of an event of size 1 where it is largest
  double delay = 0;      ///< months until then
  double half_life = 0;  ///< months from there until it is half as large; infinite: not within the window
};
Memory memory_of(const learning::Parameters<float>& parameters, const NowcastModelSettings& settings, Index kind,
                 Index window);

}  // namespace fovea::nowcast
