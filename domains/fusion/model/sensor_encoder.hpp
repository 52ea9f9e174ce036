#pragma once
/// What one sensor says of a case: its tokens at any dates, seen at the same few dates in every case.
///
///   u_a,h = sum_i w_a,i,h v_i,h,   w_a,i,h = softmax_i( -((t_a - t_i) r_h)^2 / 2 - d_i,h^2 / 2 )
///
/// Attention in time (Nadaraya 1964, Watson 1964; Shukla & Marlin 2021, multi-time attention): v = a network of the
/// token's numbers, r_h a learned sharpness, and d >= 0 a learned doubt, by which a token that looks like a cloud that
/// nobody announced loses weight. Dates that are missing are no keys; nothing is filled in.

#include "fovea/core/learning/layers/linear.hpp"
#include "fovea/core/study/model/task.hpp"
#include "fovea/domains/fusion/model/sensor_tokens.hpp"

namespace fovea::fusion::model {

/// The dates at which all cases are seen: first + a * step, a = 0 ... count - 1, in the cases' unit of time. One date:
/// times are not looked at.
struct Dates {
  Index count = 1;
  double first = 0, step = 1;
};

struct EncoderSettings {
  Index inputs = 0, width = 16, heads = 4, dates = 1;
};

class SensorEncoder {
 public:
  SensorEncoder(learning::Parameters<float>& parameters, const std::string& name, const EncoderSettings& settings,
                const Random& random);
  /// (B * dates) x width: the dates of a case side by side; 0 where the sensor is missing.
  learning::Variable<float> operator()(learning::Variable<float> x, const SensorTokens& sensor,
                                       const Dates& dates) const;

 private:
  learning::Variable<float> place(learning::Variable<float> times, learning::Variable<float> doubts) const;

  EncoderSettings settings_;
  learning::Linear<float> stem_, value_, doubt_;
  learning::ParameterPlace sharpness_;  ///< 1 x heads, in 1 / step
};

}  // namespace fovea::fusion::model
