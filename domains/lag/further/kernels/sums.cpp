#include "fovea/domains/lag/further/kernels/sums.hpp"

namespace fovea::lag::further {

namespace {

using Numbers = Eigen::Map<const Vector<double>>;

}  // namespace

double product_sum(const double* a, const double* b, Index n) { return Numbers(a, n).dot(Numbers(b, n)); }

void add_products(const double* a, const double* b, Index n, double& products, double& squares) {
  using Lanes = Eigen::Array<double, 8, 1>;
  Lanes sums = Lanes::Zero(), of_squares = Lanes::Zero();
  Index t = 0;
  for (; t + Lanes::SizeAtCompileTime <= n; t += Lanes::SizeAtCompileTime) {
    const Lanes both = Eigen::Map<const Lanes>(a + t) * Eigen::Map<const Lanes>(b + t);
    sums += both;
    of_squares += both * both;
  }
  for (Index k = 0; t < n; ++t, ++k) sums[k] += a[t] * b[t], of_squares[k] += a[t] * b[t] * (a[t] * b[t]);
  products += sums.sum();
  squares += of_squares.sum();
}

}  // namespace fovea::lag::further
