#include <cmath>

#include "fovea/core/attention/scores.hpp"
#include "fovea/core/attention/scores/entry.hpp"

namespace fovea {
namespace {

template <typename Real>
class DotProduct final : public ScoreFunction<Real> {
 public:
  explicit DotProduct(bool scaled) : scaled_(scaled) {}
  Comparison comparison() const override { return Comparison::product; }
  Real factor(Index dimension) const override {
    return scaled_ ? Real(1) / std::sqrt(static_cast<Real>(dimension)) : Real(1);
  }
  // |q . k| <= |q| |k|
  Real largest_difference(Real query_norm, Real key_norm, Index dimension) const override {
    return 2 * factor(dimension) * query_norm * key_norm;
  }

 private:
  bool scaled_;
};

}  // namespace

template <typename Real>
std::shared_ptr<const ScoreFunction<Real>> dot_product_score(bool scaled) {
  return std::make_shared<DotProduct<Real>>(scaled);
}
template std::shared_ptr<const ScoreFunction<float>> dot_product_score(bool);
template std::shared_ptr<const ScoreFunction<double>> dot_product_score(bool);

template <typename Real>
ScoreEntry<Real> dot_product_entry() {
  return {"dot_product",
          "q . k / sqrt(d)",
          "",
          "Vaswani et al. 2017",
          [](const ExampleProblem&) { return dot_product_score<Real>(); },
          &no_parameters<Real>};
}
FOVEA_SCORE_ENTRY(dot_product)

template <typename Real>
ScoreEntry<Real> unscaled_dot_product_entry() {
  return {"unscaled_dot_product",
          "q . k",
          "",
          "Luong et al. 2015",
          [](const ExampleProblem&) { return dot_product_score<Real>(false); },
          &no_parameters<Real>};
}
FOVEA_SCORE_ENTRY(unscaled_dot_product)

}  // namespace fovea
