#include "fovea/core/learning/pairs/pair_network.hpp"

#include <algorithm>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/parallel.hpp"
#include "fovea/core/kernels/kernels.hpp"
#include "fovea/core/learning/operations/entry.hpp"
#include "fovea/core/learning/pairs/pair_blocks.hpp"

namespace fovea::learning {

namespace {

constexpr Index kPairsOfTask = 32 * kPairBlock;  ///< pairs of a task: their sums of gradients stand apart
constexpr Index kTasksOfWave = 32;
constexpr Index kPairsWorthWaking = 4096;

/// A pass of the network: what both directions read. Kept by the tape.
template <typename Real>
struct PairPass {
  TokenPairs pairs;
  PairFill<Real> fill;
  std::vector<Variable<Real>> variable;  ///< of the features, if they are one
  std::vector<PairLayer<Real>> layers;
  PairNet<Real> net;
  std::vector<PairNetGradients<Real>> parts;  ///< of the tasks of a wave

  Index tasks() const { return (pairs.rows() + kPairsOfTask - 1) / kPairsOfTask; }
  bool worth_threads() const { return pairs.rows() >= kPairsWorthWaking; }
};

/// Calls visit(first, pairs) for the blocks of a task.
template <typename Visit>
void each_block(const TokenPairs& pairs, Index task, const Visit& visit) {
  TokenPair block[kPairBlock];
  const Index end = std::min(pairs.rows(), (task + 1) * kPairsOfTask);
  for (Index first = task * kPairsOfTask; first < end; first += kPairBlock) {
    const std::span<TokenPair> some(block, std::min(kPairBlock, end - first));
    pairs.read(first, some);
    visit(first, std::span<const TokenPair>(some));
  }
}

/// The features of a block; zeros where it has no pair.
template <typename Real>
void read_features(const PairPass<Real>& pass, Index first, std::span<const TokenPair> pairs, Real* features) {
  const Index columns = pass.net.widths[0], count = static_cast<Index>(pairs.size());
  if (count < kPairBlock) std::fill_n(features, columns * kPairBlock, Real(0));
  if (pass.fill) return pass.fill(pairs, features, kPairBlock);
  const Real* rows = pass.variable.front().data() + first * columns;
  for (Index p = 0; p < count; ++p)
    for (Index c = 0; c < columns; ++c) features[c * kPairBlock + p] = rows[p * columns + c];
}

/// The outputs of a block to their places: theta is head after head.
template <typename Real>
void write_outputs(const PairPass<Real>& pass, std::span<const TokenPair> pairs, const Real* outputs, Real* theta) {
  for (Index h = 0; h < pass.net.outputs(); ++h) {
    Real* of_head = theta + h * pass.pairs.entries();
    const Real* from = outputs + h * kPairBlock;
    for (const TokenPair& pair : pairs) of_head[pair.entry] = of_head[pair.mirror] = *from++;
  }
}

/// dL/d(outputs) of a block; zeros where it has no pair.
template <typename Real>
void read_gradients(const PairPass<Real>& pass, std::span<const TokenPair> pairs, const Real* theta, Real* gradient) {
  for (Index h = 0; h < pass.net.outputs(); ++h) {
    const Real* of_head = theta + h * pass.pairs.entries();
    Real* to = gradient + h * kPairBlock;
    for (const TokenPair& pair : pairs)
      *to++ = pair.mirror == pair.entry ? of_head[pair.entry] : of_head[pair.entry] + of_head[pair.mirror];
    std::fill(to, gradient + (h + 1) * kPairBlock, Real(0));
  }
}

/// dL/d(features) of a block to the rows of the variable.
template <typename Real>
void give_features(Index first, Index count, Index columns, const Real* gradient, Real* rows) {
  for (Index p = 0; p < count; ++p)
    for (Index c = 0; c < columns; ++c) rows[(first + p) * columns + c] += gradient[c * kPairBlock + p];
}

template <typename Real>
void run_forward(const PairPass<Real>& pass, Real* theta) {
  for_each_task(pass.tasks(), pass.worth_threads(), [&](Index task) {
    PairBlockMemory<Real>& memory = PairBlockMemory<Real>::mine();
    each_block(pass.pairs, task, [&](Index first, std::span<const TokenPair> pairs) {
      read_features(pass, first, pairs, memory.features(pass.net));
      write_outputs(pass, pairs, memory.forward(pass.net), theta);
    });
  });
}

/// feature_gradient: nullptr where nobody wants it.
template <typename Real>
void run_backward_task(const PairPass<Real>& pass, Index task, const Real* theta_gradient, Real* feature_gradient,
                       PairNetGradients<Real>& sums) {
  static thread_local AlignedVector<Real> outputs;
  Real* output_gradient = room(outputs, pass.net.outputs() * kPairBlock);
  PairBlockMemory<Real>& memory = PairBlockMemory<Real>::mine();
  each_block(pass.pairs, task, [&](Index first, std::span<const TokenPair> pairs) {
    read_features(pass, first, pairs, memory.features(pass.net));
    memory.forward_kept(pass.net);
    read_gradients(pass, pairs, theta_gradient, output_gradient);
    const Real* features = memory.backward(pass.net, output_gradient, feature_gradient != nullptr, sums);
    if (features)
      give_features(first, static_cast<Index>(pairs.size()), pass.net.widths[0], features, feature_gradient);
  });
}

/// Adds a task's sums to the gradients of the weights and biases.
template <typename Real>
void add_sums(const PairPass<Real>& pass, const PairNetGradients<Real>& sums) {
  for (Index l = 0; l < pass.net.layers; ++l) {
    const PairLayer<Real>& layer = pass.layers[l];
    const Index in = pass.net.widths[l], out = pass.net.widths[l + 1];
    if (layer.weight.learns())
      for (Index k = 0; k < in; ++k)
        kernels<Real>().add_scaled(layer.weight.gradient() + k * out,
                                   sums.weights[l].data() + k * whole_lanes<Real>(out), Real(1), out);
    if (layer.bias.learns()) kernels<Real>().add_scaled(layer.bias.gradient(), sums.biases[l].data(), Real(1), out);
  }
}

template <typename Real>
void run_backward(PairPass<Real>& pass, const Real* theta_gradient) {
  const bool of_features = !pass.variable.empty() && pass.variable.front().learns();
  Real* feature_gradient = of_features ? pass.variable.front().gradient() : nullptr;
  for (Index first = 0; first < pass.tasks(); first += kTasksOfWave) {
    const Index count = std::min(kTasksOfWave, pass.tasks() - first);
    pass.parts.clear();
    for (Index task = 0; task < count; ++task) pass.parts.emplace_back(pass.net);
    for_each_task(count, pass.worth_threads(), [&](Index task) {
      run_backward_task(pass, first + task, theta_gradient, feature_gradient, pass.parts[task]);
    });
    for (const PairNetGradients<Real>& part : pass.parts) add_sums(pass, part);
  }
}

template <typename Real>
PairNet<Real> net_of(Index features, std::span<const PairLayer<Real>> layers, Activation activation) {
  const Index count = static_cast<Index>(layers.size());
  require(1 <= count && count <= kMostPairLayers, "pair_network: there are ", count, " layers, but must be 1 to ",
          kMostPairLayers, ".");
  PairNet<Real> net;
  net.layers = count;
  net.activation = activation;
  net.widths[0] = features;
  for (Index l = 0; l < count; ++l) {
    const auto& [weight, bias] = layers[l];
    require(weight.rows() == net.widths[l] && weight.columns() >= 1, "pair_network: the weight of layer ", l, " is ",
            weight.rows(), " x ", weight.columns(), ", but ", net.widths[l], " values enter it.");
    require(bias.rows() == 1 && bias.columns() == weight.columns(), "pair_network: the bias of layer ", l, " is ",
            bias.rows(), " x ", bias.columns(), ", but must be 1 x ", weight.columns(), ".");
    net.widths[l + 1] = weight.columns();
    net.weights[l] = weight.data();
    net.biases[l] = bias.data();
  }
  return net;
}

template <typename Real>
void check_inputs(const TokenPairs& pairs, const PairInputs<Real>& inputs) {
  require(inputs.columns >= 1 && (inputs.variable || inputs.fill),
          "pair_network: there are no features; give a variable with a row for each pair, or a function.");
  require(!inputs.variable || inputs.variable->rows() == pairs.rows(), "pair_network: there are ", pairs.rows(),
          " pairs, but ", inputs.variable ? inputs.variable->rows() : 0, " rows of features; each pair needs one.");
}

}  // namespace

template <typename Real>
Variable<Real> pair_network(const TokenPairs& pairs, const PairInputs<Real>& inputs,
                            std::span<const PairLayer<Real>> layers, Activation activation) {
  check_inputs(pairs, inputs);
  const PairNet<Real> net = net_of(inputs.columns, layers, activation);
  Tape<Real>& tape = layers.front().weight.tape();
  PairPass<Real>& pass = tape.template kept<PairPass<Real>>();
  pass.pairs = pairs;
  pass.fill = inputs.fill;
  pass.net = net;
  pass.layers.assign(layers.begin(), layers.end());
  pass.variable.clear();
  std::vector<Variable<Real>> from;
  if (inputs.variable) pass.variable.push_back(*inputs.variable);
  if (inputs.variable) from.push_back(*inputs.variable);
  for (const PairLayer<Real>& layer : layers) from.insert(from.end(), {layer.weight, layer.bias});
  const Variable<Real> y = tape.result(1, net.outputs() * pairs.entries(), std::span<const Variable<Real>>(from));
  run_forward(pass, y.data());
  auto* const kept = &pass;
  tape.on_backward(y, [=] { run_backward(*kept, y.gradient()); });
  return y;
}

namespace {

/// Numbers for the pairs i <= j of the example's sets, through two layers.
template <typename Real>
std::vector<Matrix<Real>> pair_network_inputs(const OperationExample& example) {
  const Index rows = TokenPairs::symmetric(example.offsets).rows();
  return {example_matrix<Real>(rows, 3, 1), example_matrix<Real>(3, 5, 2), example_matrix<Real>(1, 5, 3),
          example_matrix<Real>(5, 2, 4), example_matrix<Real>(1, 2, 5)};
}

template <typename Real>
Variable<Real> pair_network_example(std::span<const Variable<Real>> in, const OperationExample& example) {
  const PairLayer<Real> layers[] = {{in[1], in[2]}, {in[3], in[4]}};
  return pair_network<Real>(TokenPairs::symmetric(example.offsets), in[0], layers);
}

}  // namespace

template <typename Real>
OperationEntry<Real> pair_network_entry() {
  return {"pair_network",
          "gelu(x W_1 + b_1) W_2 + b_2 for each pair",
          "Qu, Li, Qian 2022",
          &pair_network_inputs<Real>,
          &pair_network_example<Real>,
          false};
}
FOVEA_OPERATION_ENTRY(pair_network)

#define FOVEA_PAIR_NETWORK(Real)                                                                                     \
  template Variable<Real> pair_network(const TokenPairs&, const PairInputs<Real>&, std::span<const PairLayer<Real>>, \
                                       Activation);
FOVEA_PAIR_NETWORK(float)
FOVEA_PAIR_NETWORK(double)

}  // namespace fovea::learning
