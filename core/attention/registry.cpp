#include "fovea/core/attention/registry.hpp"

#include <array>

namespace fovea {

#define FOVEA_MODIFIER(name) \
  template <typename Real>   \
  ModifierEntry<Real> name##_entry();
#include "fovea/core/attention/modifiers/table.inl"
#undef FOVEA_MODIFIER

#define FOVEA_NORMALIZER(name) \
  template <typename Real>     \
  NormalizerEntry<Real> name##_entry();
#include "fovea/core/attention/normalizers/table.inl"
#undef FOVEA_NORMALIZER

#define FOVEA_SCORE(name)  \
  template <typename Real> \
  ScoreEntry<Real> name##_entry();
#include "fovea/core/attention/scores/table.inl"
#undef FOVEA_SCORE

template <typename Real>
std::span<const ScoreEntry<Real>> scores() {
#define FOVEA_SCORE(name) name##_entry<Real>(),
  static const std::array table{
#include "fovea/core/attention/scores/table.inl"
  };
#undef FOVEA_SCORE
  return table;
}

template <typename Real>
std::span<const ModifierEntry<Real>> modifiers() {
#define FOVEA_MODIFIER(name) name##_entry<Real>(),
  static const std::array table{
#include "fovea/core/attention/modifiers/table.inl"
  };
#undef FOVEA_MODIFIER
  return table;
}

template <typename Real>
std::span<const NormalizerEntry<Real>> normalizers() {
#define FOVEA_NORMALIZER(name) name##_entry<Real>(),
  static const std::array table{
#include "fovea/core/attention/normalizers/table.inl"
  };
#undef FOVEA_NORMALIZER
  return table;
}

template std::span<const ScoreEntry<float>> scores();
template std::span<const ScoreEntry<double>> scores();
template std::span<const ModifierEntry<float>> modifiers();
template std::span<const ModifierEntry<double>> modifiers();
template std::span<const NormalizerEntry<float>> normalizers();
template std::span<const NormalizerEntry<double>> normalizers();

}  // namespace fovea
