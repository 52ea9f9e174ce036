#pragma once
/// A forecast by attention over past values of several units: for the experiment "mechanism.confounder".
///
///   y(t) = sum_h g_h sum_j w_hj x_j + b,   w_h = softmax_j(q_h . (k_hj + x_j u_h) / sqrt(d))
///
/// Token j is one past value x_j, of one unit at one lag; it has a learned key k_j of its own and may also be judged by
/// its value. As sum_h g_h w_hj can be any number, the best linear forecast is among what the model can say.

#include "fovea/core/learning/attention_operation.hpp"
#include "fovea/core/learning/training/training.hpp"
#include "fovea/datasets/simulated/driven_units.hpp"

namespace fovea::mechanism::tasks {

/// Which values a forecast is made from, and where they stand in a series (steps x units).
struct PastWindow {
  Index target = 0;                                  ///< the unit whose next value is forecast
  std::vector<datasets::simulated::PastValue> past;  ///< tokens of an example
  Index first = 1;                                   ///< the earliest step that can be forecast: the longest lag
};
PastWindow past_window(Index target, const std::vector<Index>& units, Index lags);

struct ForecasterSettings {
  Index heads = 8;
  Index key_columns = 4;  ///< d
};

class Forecaster {
 public:
  Forecaster(learning::Parameters<float>& parameters, Index tokens, const ForecasterSettings& settings,
             const Random& random);
  /// One forecast (row) for each example, and what it was made from. values: (examples * tokens) x 1.
  struct Parts {
    learning::Variable<float> forecasts, queries, keys;
    const learning::AttentionCall<float>* call = nullptr;
  };
  Parts parts(learning::Variable<float> values) const;
  Index tokens() const { return tokens_; }
  Index heads() const { return settings_.heads; }
  learning::ParameterPlace gain() const { return gain_; }  ///< heads x 1

 private:
  ForecasterSettings settings_;
  Index tokens_;
  learning::ParameterPlace queries_, keys_, judged_, gain_, shift_;
};

/// The past values of these steps on the tape, one example after the other.
learning::Variable<float> past_values(learning::Tape<float>& tape, const Matrix<double>& series,
                                      const PastWindow& window, std::span<const Index> steps);

/// What a trained forecaster looks at, and what its forecasts depend on: means over the steps.
struct Reliance {
  std::vector<double> gradient;   ///< dy/dx_j of each token
  std::vector<double> attention;  ///< sum_h |g_h| w_hj / sum_h |g_h|: sums to 1
  double squared_error = 0;
};
Reliance reliance(const learning::Parameters<float>& parameters, const Forecaster& forecaster,
                  const Matrix<double>& series, const PastWindow& window);

}  // namespace fovea::mechanism::tasks
