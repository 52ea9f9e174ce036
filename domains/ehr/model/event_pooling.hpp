#pragma once
/// One softmax over all events of a record, whatever their variables: what most published attention models of records
/// do (such as STraTS, Tipirneni & Reddy 2022), to compare attention within each variable with.
///
///   e_i = E_v + x_i G_v                                                         v: the variable of event i
///   s_ih = u_vh + beta_vh x_i - ln 2 / tau_vh (T - t_i),   w_h = softmax of s_h over the events with t_i <= T
///   pooled_h = sum_i w_ih e_i                                                   h = 1 .. H, side by side
///
/// Cost O(N Q H width) for N events of a record asked at Q times.

#include <vector>

#include "fovea/core/base/random.hpp"
#include "fovea/core/learning/class_events.hpp"
#include "fovea/core/learning/parameters.hpp"
#include "fovea/core/learning/tape.hpp"

namespace fovea::ehr::model {

struct EventPoolingSettings {
  Index classes = 1, width = 16;  ///< variables; of an event's embedding
  std::vector<double>
      half_lives;        ///< H at the start, in the unit of the times; infinity: no decay, and none is learned
  double time_rate = 1;  ///< as in ClassHeadsSettings
};

/// Parameters: events.embedding, events.slope (C x width), events.preference, events.sharpness, events.log_half_life
/// (C x H).
class EventPooling {
 public:
  EventPooling(learning::Parameters<float>& parameters, const EventPoolingSettings& settings, const Random& random);

  /// Q x columns(); 0 where there is no event yet. values: N x 1; kinds: N; offsets: of the records.
  learning::Variable<float> operator()(learning::Variable<float> values, std::span<const std::uint16_t> kinds,
                                       std::span<const double> times, std::span<const Index> offsets,
                                       const learning::TimedQueries& queries) const;
  Index columns() const { return settings_.width * static_cast<Index>(settings_.half_lives.size()); }

 private:
  EventPoolingSettings settings_;
  Matrix<float> decays_;  ///< 1 x H: ln 2, or 0 for a head without decay
  learning::ParameterPlace embedding_, slope_, preference_, sharpness_, log_half_life_;
};

}  // namespace fovea::ehr::model
