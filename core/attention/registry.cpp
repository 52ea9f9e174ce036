#include "fovea/core/attention/registry.hpp"

#include <algorithm>
#include <array>

#include "fovea/core/attention/scores.hpp"

namespace fovea {

#define FOVEA_MODIFIER(name) \
  template <typename Real>   \
  ModifierEntry<Real> name##_entry();
#include "fovea/core/attention/modifiers/table.inl"
#undef FOVEA_MODIFIER

namespace {

using P = ExampleProblem;

template <typename Real>
using Score = std::shared_ptr<const ScoreFunction<Real>>;
template <typename Real>
std::vector<Real> no_parameters(const P&) {
  return {};
}
template <typename Real>
Score<Real> make_dot_product(const P&) {
  return dot_product_score<Real>();
}
template <typename Real>
Score<Real> make_unscaled(const P&) {
  return dot_product_score<Real>(false);
}
template <typename Real>
Score<Real> make_cosine(const P&) {
  return cosine_score<Real>();
}
template <typename Real>
Score<Real> make_gaussian(const P&) {
  return gaussian_score<Real>();
}
template <typename Real>
Score<Real> make_log_distance(const P&) {
  return log_distance_score<Real>(Real(0.01));
}

template <typename Real>
constexpr std::array kScores{
    ScoreEntry<Real>{"cosine", "q . k / (|q| |k|)", &make_cosine<Real>, &no_parameters<Real>},
    ScoreEntry<Real>{"dot_product", "q . k / sqrt(d)", &make_dot_product<Real>, &no_parameters<Real>},
    ScoreEntry<Real>{"gaussian", "-|q - k|^2 / 2", &make_gaussian<Real>, &no_parameters<Real>},
    ScoreEntry<Real>{"log_distance", "-log(max(|q - k|, floor))", &make_log_distance<Real>, &no_parameters<Real>},
    ScoreEntry<Real>{"unscaled_dot_product", "q . k", &make_unscaled<Real>, &no_parameters<Real>},
};

}  // namespace

template <typename Real>
std::span<const ScoreEntry<Real>> scores() {
  return kScores<Real>;
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

template std::span<const ScoreEntry<float>> scores();
template std::span<const ScoreEntry<double>> scores();
template std::span<const ModifierEntry<float>> modifiers();
template std::span<const ModifierEntry<double>> modifiers();

}  // namespace fovea
