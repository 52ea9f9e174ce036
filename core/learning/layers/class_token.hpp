#pragma once
/// A learned token that stands before each set and gathers what the set says.

#include <span>

#include "fovea/core/learning/layers/layer.hpp"

namespace fovea::learning {

template <typename Real>
struct JoinedClasses {
  Variable<Real> x;      ///< (N + B) x C
  const Tokens* tokens;  ///< of x; kept by the tape until its next begin()
};

/// Row b of classes (B x C) before the tokens of set b. Its time is that of the set's last token, or ends[b]; its place
/// the mean of theirs; its weight 1.
template <typename Real>
JoinedClasses<Real> join_classes(Variable<Real> classes, Variable<Real> x, const Tokens& tokens,
                                 std::span<const double> ends = {});

/// Each set [x_1 ... x_n] becomes [c, x_1 ... x_n] (Devlin et al. 2019). The class token has the time of the set's last
/// token, or the one that is given for it, its mean coordinates and weight 1. Parameter: NAME.token.
template <typename Real>
class ClassToken {
 public:
  ClassToken(Parameters<Real>& parameters, const std::string& name, Index columns, const Random& random);
  using Joined = JoinedClasses<Real>;
  /// ends: the times of the class tokens, one a set; empty: those of the sets' last tokens.
  Joined operator()(Variable<Real> x, const Tokens& tokens, std::span<const double> ends = {}) const;
  /// The token for each of so many sets, by themselves: sets x C.
  Variable<Real> rows(Tape<Real>& tape, Index sets) const;
  /// The class tokens' rows: B x C.
  Variable<Real> read(Variable<Real> x, const Tokens& joined) const;

 private:
  ParameterPlace token_;
};

}  // namespace fovea::learning
