#include "fovea/core/attention/engine/theta.hpp"

namespace fovea {

template <typename Real>
ThetaGradients<Real>::ThetaGradients(const AttentionSpec<Real>& spec)
    : score_(spec.score.theta.size(), Real(0)), own_(spec.modifiers.size()) {
  for (std::size_t m = 0; m < own_.size(); ++m) {
    const ModifierTerm<Real>& term = spec.modifiers[m];
    if (term.given_gradient.empty()) own_[m].assign(term.parameters().size(), Real(0));
    modifiers_.push_back(term.given_gradient.empty() ? std::span<Real>(own_[m]) : term.given_gradient);
  }
}

template <typename Real>
ThetaGradients<Real>::ThetaGradients(const AttentionSpec<Real>& spec, ThetaGradients* whole)
    : score_(spec.score.theta.size(), Real(0)), own_(spec.modifiers.size()) {
  for (std::size_t m = 0; m < own_.size(); ++m) {
    const bool shared = spec.modifiers[m].modifier->parameters_belong_to_pairs();
    if (!shared) own_[m].assign(spec.modifiers[m].parameters().size(), Real(0));
    modifiers_.push_back(!shared ? std::span<Real>(own_[m]) : whole ? whole->modifiers_[m] : std::span<Real>());
  }
}

template <typename Real>
void ThetaGradients<Real>::add(const ThetaGradients& part) {
  for (std::size_t k = 0; k < score_.size(); ++k) score_[k] += part.score_[k];
  for (std::size_t m = 0; m < own_.size(); ++m)
    for (std::size_t k = 0; k < part.own_[m].size(); ++k) modifiers_[m][k] += part.own_[m][k];
}

template <typename Real>
void ThetaGradients<Real>::move_to(AttentionGradients<Real>& gradients) {
  gradients.score_theta = std::move(score_);
  gradients.modifier_theta = std::move(own_);
}

template class ThetaGradients<float>;
template class ThetaGradients<double>;

}  // namespace fovea
