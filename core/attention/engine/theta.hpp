#pragma once
/// Gradients of all parameters of a spec. Internal to core/attention.

#include <span>
#include <vector>

#include "fovea/core/attention/attend.hpp"

namespace fovea {

template <typename Real>
class ThetaGradients {
 public:
  explicit ThetaGradients(const AttentionSpec<Real>& spec);
  /// A part of it, to be added later. Parameters that belong to pairs are shared with the whole instead of being
  /// collected apart: no two parts add to the same one, and there may be as many as pairs. whole: nullptr where nobody
  /// asks for these.
  ThetaGradients(const AttentionSpec<Real>& spec, ThetaGradients* whole);
  ThetaGradients(const ThetaGradients&) = delete;
  ThetaGradients(ThetaGradients&&) = default;

  std::span<Real> score() { return score_; }
  std::span<Real> modifier(std::size_t m) { return modifiers_[m]; }
  void add(const ThetaGradients& part);
  void move_to(AttentionGradients<Real>& gradients);

 private:
  std::vector<Real> score_;
  std::vector<std::vector<Real>> own_;
  std::vector<std::span<Real>> modifiers_;
};

}  // namespace fovea
