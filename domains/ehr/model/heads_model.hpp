#pragma once
/// The model of a risk: a bank of attention heads on the events of each variable, then a mixing layer.
///
///   s_i = beta_vh x_i - ln 2 / tau_vh (T - t_i),  w = softmax of s over the events of variable v up to T
///   m_vh = sum w_i x_i  (also of x_i^2, with heads of its own),  mass_vk = log(1 + sum_i 2^(-(T - t_i) / tau_vk))
///   z = (columns - mean) / deviation, of the training part with the heads as they start; dropout
///   logit = z a + MLP(z)
///
/// (class_pooling.hpp; the sum of a linear and a deep part: Cheng et al. 2016.) tau -> 0 is the last value, tau ->
/// infinity the mean, beta -> +-infinity the extremes. Beside the means stand how much and how lately a variable was
/// measured: masses, the age of its last event, and how many there were. While it learns, a case is asked at an earlier
/// time with probability model.earlier, so that one model answers at any time.

#include <memory>

#include "fovea/core/config/keys.hpp"
#include "fovea/core/learning/layers/class_heads.hpp"
#include "fovea/core/study/model/task.hpp"

namespace fovea::ehr::model {

/// How the weight of a value falls with its age, and what of it learns.
enum class Kernel { exponential, power_law, fixed, shared, none };

/// How heads start and learn, and what mixes what they say: what the keys model.* say.
struct HeadsModelSettings {
  bool over_all = false;                          ///< whether weights sum to 1 over all events, not within a variable
  Kernel kernel = Kernel::exponential;            ///< see the key model.kernel
  std::vector<double> half_lives{0.3, 2, 8, 24};  ///< in the unit of the cases; one head a variable each
  bool whole = true;                              ///< and one that does not decay
  double sharpness = 2, sharp_half_life = 8;      ///< of four heads for large and small values (0:
                                                  ///< none), and of a head on squares
  bool presence = true;                           ///< see the key
  bool squares = true;                            ///< two heads on squares
  std::vector<double> mass_half_lives{2, 8, 24};  ///< in the unit of the cases
  double time_rate = 10;                          ///< how much faster half-lives learn
  std::vector<std::int64_t> hidden{128, 64};
  double input_dropout = 0.3, dropout = 0.5;
  double earlier = 0.5, earliest = 0.1;  ///< see the keys
};
const Keys<HeadsModelSettings>& heads_model_keys();

/// For cases with classes and a feature "value", such as those of record/cases.hpp. Parameters: heads.*, squares.*,
/// columns.*, mix_K.*, answer.*, linear.*; of one softmax over all events events.* (event_pooling.hpp)
std::unique_ptr<study::StudyModel> make_heads_model(const HeadsModelSettings& settings, const study::ModelShape& shape,
                                                    learning::Parameters<float>& parameters, const Random& random);

}  // namespace fovea::ehr::model
