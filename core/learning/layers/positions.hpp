#pragma once
/// Encodings of where or when a token stands, added to it. (Rotary encodings act on queries and keys: see
/// AttentionSettings::rotary_base.)

#include "fovea/core/learning/layers/layer.hpp"

namespace fovea::learning {

/// x + p, p_(2c) = sin(t / base^(2c/C)), p_(2c+1) = cos(t / base^(2c/C)) (Vaswani et al. 2017, section 3.5), t: the
/// token's time where there are times, else its place in its set.
template <typename Real>
class SinusoidalPositions {
 public:
  explicit SinusoidalPositions(double base = 10000) : base_(base) {}
  Variable<Real> operator()(Variable<Real> x, const Tokens& tokens) const;

 private:
  double base_;
};

/// x + row (place in the set) of a learned table, `longest` rows (Gehring et al. 2017). Longer sets: ArgumentError.
/// Parameter: NAME.table.
template <typename Real>
class LearnedPositions {
 public:
  LearnedPositions(Parameters<Real>& parameters, const std::string& name, Index longest, Index columns,
                   const Random& random);
  Variable<Real> operator()(Variable<Real> x, const Tokens& tokens) const;

 private:
  ParameterPlace table_;
};

/// x + phi(t) P, phi_0 = f_0 t + p_0, phi_c = cos(2 pi (f_c t + p_c)) of real times t with learned frequencies (turns
/// per unit of time) and phases (Time2Vec: Kazemi et al. 2019; Shukla & Marlin 2021). period: about the longest span of
/// time that matters; the frequencies start between 1 / period and count / period. Parameters: NAME.frequency,
/// NAME.phase, NAME.weight.
template <typename Real>
class ContinuousTime {
 public:
  ContinuousTime(Parameters<Real>& parameters, const std::string& name, Index count, Index columns, double period,
                 const Random& random);
  Variable<Real> operator()(Variable<Real> x, const Tokens& tokens) const;

 private:
  ParameterPlace frequency_, phase_, weight_;
};

}  // namespace fovea::learning
