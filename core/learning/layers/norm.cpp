#include "fovea/core/learning/layers/norm.hpp"

#include "fovea/core/learning/layers/entry.hpp"
#include "fovea/core/learning/operations.hpp"

namespace fovea::learning {

template <typename Real>
Norm<Real>::Norm(Parameters<Real>& parameters, const std::string& name, Index columns, NormKind kind)
    : gain_(parameters.add(name + ".gain", Matrix<Real>::Ones(1, columns), Decay::no)), kind_(kind) {
  if (kind == NormKind::layer) shift_ = parameters.add(name + ".shift", Matrix<Real>::Zero(1, columns), Decay::no);
}

template <typename Real>
Variable<Real> Norm<Real>::operator()(Variable<Real> x) const {
  Tape<Real>& tape = x.tape();
  if (kind_ == NormKind::rms) return rms_norm(x, tape.parameter(gain_));
  return layer_norm(x, tape.parameter(gain_), tape.parameter(shift_));
}

namespace {

template <typename Real, NormKind Kind>
LayerFunction<Real> norm_example(Parameters<Real>& parameters, const Random&) {
  return [norm = Norm<Real>(parameters, "norm", 6, Kind)](Variable<Real> x, const Tokens&) { return norm(x); };
}

}  // namespace

template <typename Real>
LayerEntry<Real> layer_norm_layer_entry() {
  return {"layer_norm", "gain (x - mean) / sd + shift", "Ba, Kiros, Hinton 2016", 6,
          &norm_example<Real, NormKind::layer>};
}

template <typename Real>
LayerEntry<Real> rms_norm_layer_entry() {
  return {"rms_norm", "gain x / sqrt(mean x^2)", "Zhang & Sennrich 2019", 6, &norm_example<Real, NormKind::rms>};
}

template class Norm<float>;
template class Norm<double>;
FOVEA_LAYER_ENTRY(layer_norm_layer)
FOVEA_LAYER_ENTRY(rms_norm_layer)

}  // namespace fovea::learning
