#include "fovea/core/attention/normalizers/row.hpp"

namespace fovea {

template <typename Real>
NormalizerEntry<Real> softmax_entry() {
  return {"softmax", "exp(s_j) / sum_k exp(s_k)", "", "Bridle 1990",
          []() -> std::shared_ptr<const Normalizer<Real>> { return nullptr; }};
}
FOVEA_NORMALIZER_ENTRY(softmax)

}  // namespace fovea
