#pragma once
/// The mechanism as the textbook tells it: queries and keys made of value and position, trained to forecast. For the
/// experiment "lag.attention".
///
///   y_r(t) = g_r sum_j w_rj(t) v(x(t - j)) + b_r,    j = 1 ... lags
///   w_r(t) = softmax_j(q_r(t) . k_j(t) / sqrt(d)),   q_r(t) = Q_r + y_r(t - 1) u,   k_j(t) = K_j + x(t - j) c
///
/// (Bahdanau, Cho and Bengio 2015; Vaswani et al. 2017). Key j is the driver's value j steps ago, with position K_j and
/// content c; query r is response r, with position Q_r and what is known of it, one step ago. Responses are learned
/// side by side: they share the keys and what a value contributes, v, and have queries and gains of their own.

#include "fovea/core/learning/attention_operation.hpp"
#include "fovea/core/learning/training/training.hpp"

namespace fovea::lag::delay {

/// A driver and the responses it causes, all of one length.
struct DrivenSeries {
  Vector<double> driver;
  Matrix<double> responses;  ///< steps x responses
  Index steps() const { return driver.size(); }
};

/// What a value contributes, v: itself, or a learned function of it, a sum of eight ramps.
enum class ForecastContent { plain, curved };

struct AttentionForecasterSettings {
  Index lags = 50;
  Index key_columns = 8;  ///< d
  ForecastContent content = ForecastContent::plain;
};

class AttentionForecaster {
 public:
  /// Queries start at 0, so that attention starts even; gains at 1.
  AttentionForecaster(learning::Parameters<float>& parameters, Index responses,
                      const AttentionForecasterSettings& settings, const Random& random);

  struct Parts {
    learning::Variable<float> forecasts;  ///< (examples * responses) x 1
    learning::Variable<float> queries, keys;
    const learning::AttentionCall<float>* call = nullptr;
  };
  /// Of the steps, each >= lags and < series.steps().
  Parts parts(learning::Tape<float>& tape, const DrivenSeries& series, std::span<const Index> steps) const;

  Index lags() const { return settings_.lags; }
  Index responses() const { return responses_; }

 private:
  learning::Variable<float> contents(learning::Variable<float> values) const;

  AttentionForecasterSettings settings_;
  Index responses_;
  learning::ParameterPlace queries_, told_, keys_, judged_, gain_, shift_;
  learning::ParameterPlace ramps_, corners_, sums_;  ///< of curved content
};

/// Squared error of the forecasts of every step from `lags` on.
learning::TrainingProblem forecast_problem(const AttentionForecaster& forecaster, const DrivenSeries& series);

/// Mean attention of each response on each lag over all steps that can be forecast: responses x lags, rows sum to 1.
Matrix<double> attention_over_lags(const learning::Parameters<float>& parameters, const AttentionForecaster& forecaster,
                                   const DrivenSeries& series);

}  // namespace fovea::lag::delay
