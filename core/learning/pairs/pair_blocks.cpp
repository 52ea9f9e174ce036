#include "fovea/core/learning/pairs/pair_blocks.hpp"

#include <algorithm>

#include "fovea/core/kernels/packed.hpp"
#include "fovea/core/learning/kernels/learning_kernels.hpp"

namespace fovea::learning {

namespace {

template <typename Real>
void apply_activation(Activation activation, const Real* z, Index count, Real* y, Real* slopes) {
  const LearningKernels<Real>& kernel = learning_kernels<Real>();
  switch (activation) {
    case Activation::relu:
      return kernel.relu(z, count, y, slopes);
    case Activation::tanh:
      return kernel.tanh(z, count, y, slopes);
    case Activation::gelu:
      return kernel.gelu(z, count, y, slopes);
  }
}

}  // namespace

template <typename Real>
Index PairNet<Real>::widest() const {
  return *std::max_element(widths, widths + layers + 1);
}

template <typename Real>
PairNetGradients<Real>::PairNetGradients(const PairNet<Real>& net) {
  for (Index l = 0; l < net.layers; ++l) {
    zeros(weights[l], net.widths[l] * whole_lanes<Real>(net.widths[l + 1]));
    zeros(biases[l], net.widths[l + 1]);
  }
}

template <typename Real>
PairBlockMemory<Real>& PairBlockMemory<Real>::mine() {
  static thread_local PairBlockMemory memory;
  return memory;
}

template <typename Real>
Real* PairBlockMemory<Real>::features(const PairNet<Real>& net) {
  return room(values_[0], net.widths[0] * kPairBlock);
}

/// z = W^T x + b
template <typename Real>
const Real* PairBlockMemory<Real>::layer(const PairNet<Real>& net, Index l, const Real* x, Real* z) const {
  const Index in = net.widths[l], out = net.widths[l + 1];
  kernels<Real>().blocks.product_from_column(out, kPairBlock, in, {net.weights[l], 1, out},
                                             {x, kPairBlock, kGroup<Real>}, net.biases[l], z, kPairBlock);
  return z;
}

template <typename Real>
const Real* PairBlockMemory<Real>::forward(const PairNet<Real>& net) {
  const Index room_of_one = net.widest() * kPairBlock;
  Real* to = room(sums_[0], room_of_one);
  Real* other = room(sums_[1], room_of_one);
  const Real* x = values_[0].data();
  for (Index l = 0; l < net.layers; ++l) {
    layer(net, l, x, to);
    if (l + 1 < net.layers) apply_activation<Real>(net.activation, to, net.widths[l + 1] * kPairBlock, to, nullptr);
    x = to;
    std::swap(to, other);
  }
  return x;
}

template <typename Real>
void PairBlockMemory<Real>::forward_kept(const PairNet<Real>& net) {
  for (Index l = 0; l + 1 < net.layers; ++l) {
    const Index count = net.widths[l + 1] * kPairBlock;
    Real* y = room(values_[l + 1], count);
    layer(net, l, values_[l].data(), y);
    apply_activation<Real>(net.activation, y, count, y, room(slopes_[l], count));
  }
}

template <typename Real>
const Real* PairBlockMemory<Real>::backward(const PairNet<Real>& net, const Real* output_gradient, bool wants_features,
                                            PairNetGradients<Real>& sums) {
  const BlockKernels<Real>& kernel = kernels<Real>().blocks;
  const LearningKernels<Real>& pointwise = learning_kernels<Real>();
  const Index room_of_one = net.widest() * kPairBlock;
  Real* turned = room(turned_, whole_groups<Real>(net.widest()) * kPairBlock);
  Real* next[] = {room(gradient_[0], room_of_one), room(gradient_[1], room_of_one)};
  const Real* g = output_gradient;
  alignas(64) Real ones[kPairBlock];
  std::fill_n(ones, kPairBlock, Real(1));
  for (Index l = net.layers - 1; l >= 0; --l) {
    const Index in = net.widths[l], out = net.widths[l + 1];
    kernel.add_dots(out, 1, kPairBlock, {g, kPairBlock, 1}, {ones, 0, kGroup<Real>}, nullptr, sums.biases[l].data(), 1);
    pack_columns<Real>({g, kPairBlock, kPairBlock}, out, turned);
    kernel.add_product(in, out, kPairBlock, {values_[l].data(), kPairBlock, 1}, columns_operand(turned, kPairBlock),
                       nullptr, sums.weights[l].data(), whole_lanes<Real>(out));
    if (l == 0 && !wants_features) return nullptr;
    Real* to = next[l % 2];
    std::fill_n(to, in * kPairBlock, Real(0));
    kernel.add_product(in, kPairBlock, out, {net.weights[l], out, 1}, {g, kPairBlock, kGroup<Real>}, nullptr, to,
                       kPairBlock);
    if (l > 0) pointwise.multiply(to, slopes_[l - 1].data(), in * kPairBlock, false, to);
    g = to;
  }
  return g;
}

template struct PairNet<float>;
template struct PairNet<double>;
template struct PairNetGradients<float>;
template struct PairNetGradients<double>;
template class PairBlockMemory<float>;
template class PairBlockMemory<double>;

}  // namespace fovea::learning
