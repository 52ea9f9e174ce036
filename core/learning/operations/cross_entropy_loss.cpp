#include "fovea/core/kernels/exponential.hpp"
#include "fovea/core/learning/losses.hpp"
#include "fovea/core/learning/operations.hpp"
#include "fovea/core/learning/operations/entry.hpp"
#include "fovea/core/learning/operations/weighted_loss.hpp"

namespace fovea::learning {

template <typename Real>
Variable<Real> cross_entropy_loss(Variable<Real> x, std::span<const Index> classes, std::span<const Real> weights,
                                  Real total) {
  check_loss("cross_entropy_loss", x, weights, total);
  require(static_cast<Index>(classes.size()) == x.rows(), "cross_entropy_loss: there are ", classes.size(),
          " classes for ", x.rows(), " rows; each row needs one.");
  const Index columns = x.columns();
  Real* const room = x.tape().room(columns);
  return weighted_loss(x, weights, total, [&](Index i, Real* slopes) {
    const Index mine = classes[i];
    require(mine >= 0 && mine < columns, "cross_entropy_loss: row ", i, " has class ", mine, ", but there are ",
            columns, " logits; a class must be in [0, ", columns, ").");
    const Real* const logits = x.data() + i * columns;
    Real* const probabilities = slopes ? slopes : room;  // of which the slopes come
    const Real top = kernels<Real>().maximum(logits, columns);
    const Real sum = kernels<Real>().exponentials(logits, columns, top, probabilities);
    if (slopes) {
      learning_kernels<Real>().scale(slopes, Real(1) / sum, 0, columns, slopes);
      slopes[mine] -= Real(1);
    }
    return static_cast<double>(logarithm(sum)) + (static_cast<double>(top) - static_cast<double>(logits[mine]));
  });
}

template <typename Real>
OperationEntry<Real> cross_entropy_loss_entry() {
  return {"cross_entropy_loss",
          "log sum_c e^(x_c) - x_class",
          "",
          [](const OperationExample& example) {
            return std::vector<Matrix<Real>>{example_matrix<Real>(example.tokens(), kExampleColumns, 1, -3, 3)};
          },
          [](std::span<const Variable<Real>> in, const OperationExample& example) {
            const Index rows = example.tokens();
            const std::size_t count = rows;
            const std::span<Index> classes(in[0].tape().index_room(rows), count);
            const std::span<Real> weights(in[0].tape().room(rows), count);
            for (std::size_t i = 0; i < count; ++i) {
              weights[i] = static_cast<Real>(i % 4) / 2;
              classes[i] = i % 4 == 0 ? -5 : static_cast<Index>(i * 7) % kExampleColumns;  // of a masked row: anything
            }
            return cross_entropy_loss(in[0], std::span<const Index>(classes), std::span<const Real>(weights), Real(7));
          },
          false};
}

namespace {

/// One group of n pairs: its loss, and dl/ds of all n x n scores in their place, each row by itself and then each
/// column. scores: n x n, s_ij on entry.
template <typename Real>
double contrast_of_group(Index n, Real* scores, Real* columns) {
  double loss = 0;
  Real* const turned = columns;  // n x n
  for (Index i = 0; i < n; ++i)
    for (Index j = 0; j < n; ++j) turned[j * n + i] = scores[i * n + j];
  for (Real* side : {scores, turned})
    for (Index i = 0; i < n; ++i) {
      Real* const row = side + i * n;
      const Real top = kernels<Real>().maximum(row, n), own = row[i];
      const Real sum = kernels<Real>().exponentials(row, n, top, row);
      loss += static_cast<double>(logarithm(sum)) + (static_cast<double>(top) - static_cast<double>(own));
      learning_kernels<Real>().scale(row, Real(1) / sum, 0, n, row);
      row[i] -= Real(1);
    }
  const Real share = Real(1) / static_cast<Real>(2 * n);
  for (Index i = 0; i < n; ++i)
    for (Index j = 0; j < n; ++j) scores[i * n + j] = share * (scores[i * n + j] + turned[j * n + i]);
  return loss / static_cast<double>(2 * n);
}

/// to_i += sum_j slope(i, j) from_j, n rows of that many columns.
template <typename Real>
void add_slopes(const Real* slopes, Index i_step, Index j_step, Index n, const Real* from, Index columns, Real factor,
                Real* to) {
  for (Index i = 0; i < n; ++i)
    for (Index j = 0; j < n; ++j)
      learning_kernels<Real>().add_scaled(from + j * columns, factor * slopes[i * i_step + j * j_step], columns, true,
                                          to + i * columns);
}

/// What the backward pass of a contrastive loss needs.
template <typename Real>
struct Contrast {
  Offsets offsets;
  Real factor;       ///< e^t
  bool learns;       ///< whether the scale is below its limit
  Real* slopes;      ///< group after group, weighted: dL/ds
  Real scale_slope;  ///< dL/dt
};

template <typename Real>
void contrast_backward(const Contrast<Real>& kept, Variable<Real> a, Variable<Real> b, Variable<Real> log_scale,
                       Real gradient) {
  const Real* slopes = kept.slopes;
  const Index columns = a.columns();
  for (std::size_t g = 0; g + 1 < kept.offsets.size(); ++g) {
    const Index first = kept.offsets[g] * columns, n = kept.offsets[g + 1] - kept.offsets[g];
    const Real factor = kept.factor * gradient;
    if (a.learns()) add_slopes(slopes, n, Index(1), n, b.data() + first, columns, factor, a.gradient() + first);
    if (b.learns()) add_slopes(slopes, Index(1), n, n, a.data() + first, columns, factor, b.gradient() + first);
    slopes += n * n;
  }
  if (log_scale.learns() && kept.learns) log_scale.gradient()[0] += gradient * kept.scale_slope;
}

template <typename Real>
void check_contrast(Variable<Real> a, Variable<Real> b, Variable<Real> log_scale, Offsets offsets,
                    std::span<const Real> weights, Real total) {
  check_same_shape("contrastive_loss", a, b);
  require(log_scale.size() == 1, "contrastive_loss: log_scale is ", log_scale.rows(), " x ", log_scale.columns(),
          ", but must be one number.");
  const Index groups = check_offsets("contrastive_loss", a.rows(), offsets);
  require(weights.empty() || std::ssize(weights) == groups, "contrastive_loss: there are ", weights.size(),
          " weights for ", groups, " groups; each group needs one, or none has one.");
  for (const Real weight : weights)
    require(weight >= 0 && std::isfinite(weight), "contrastive_loss: a weight is ", weight, ", but must be >= 0.");
  require(total > 0 && std::isfinite(total), "contrastive_loss: the total of the weights is ", total,
          ", but must be > 0.");
}

/// Scores of a group, its slopes in their place, weighted; returns its loss.
template <typename Real>
double weigh_group(const Real* a, const Real* b, Index n, Index columns, Real weight, Contrast<Real>& kept,
                   Real* slopes, Real* room) {
  for (Index i = 0; i < n; ++i)
    for (Index j = 0; j < n; ++j)
      slopes[i * n + j] = kept.factor * kernels<Real>().dot(a + i * columns, b + j * columns, columns);
  std::copy_n(slopes, n * n, room);
  const double loss = contrast_of_group(n, slopes, room + n * n);
  learning_kernels<Real>().scale(slopes, weight, 0, n * n, slopes);
  kept.scale_slope += kernels<Real>().dot(slopes, room, n * n);
  return loss;
}

}  // namespace

template <typename Real>
Variable<Real> contrastive_loss(Variable<Real> a, Variable<Real> b, Variable<Real> log_scale, Offsets offsets,
                                std::span<const Real> weights, Real total) {
  check_contrast(a, b, log_scale, offsets, weights, total);
  Tape<Real>& tape = a.tape();
  Index all = 0, most = 0;
  for (std::size_t g = 0; g + 1 < offsets.size(); ++g) {
    const Index n = offsets[g + 1] - offsets[g];
    all += n * n;
    most = std::max(most, n * n);
  }
  const Real limit = static_cast<Real>(logarithm(kLargestContrast)), t = std::min(log_scale.data()[0], limit);
  Contrast<Real> kept{offsets, exponential(t), log_scale.data()[0] <= limit, tape.room(all), Real(0)};
  Real *slopes = kept.slopes, *const room = tape.room(2 * most);
  double sum = 0;
  for (std::size_t g = 0; g + 1 < offsets.size(); ++g) {
    const Index n = offsets[g + 1] - offsets[g], first = offsets[g] * a.columns();
    const Real weight = weights.empty() ? Real(1) : weights[g];
    if (n > 0)
      sum += static_cast<double>(weight) *
             weigh_group(a.data() + first, b.data() + first, n, a.columns(), weight / total, kept, slopes, room);
    slopes += n * n;
  }
  Variable<Real> loss = tape.result(1, 1, {a, b, log_scale});
  loss.data()[0] = static_cast<Real>(sum / static_cast<double>(total));
  tape.on_backward(loss, [=] { contrast_backward(kept, a, b, log_scale, loss.gradient()[0]); });
  return loss;
}

template <typename Real>
OperationEntry<Real> contrastive_loss_entry() {
  return {"contrastive_loss",
          "mean of both cross-entropies of e^t a_i . b_j within a group",
          "Radford et al. 2021",
          [](const OperationExample& example) {
            return std::vector<Matrix<Real>>{example_matrix<Real>(example.tokens(), kExampleColumns, 1, -0.5, 0.5),
                                             example_matrix<Real>(example.tokens(), kExampleColumns, 2, -0.5, 0.5),
                                             example_matrix<Real>(1, 1, 3, 0.2, 0.4)};
          },
          [](std::span<const Variable<Real>> in, const OperationExample& example) {
            const std::size_t groups = example.offsets.size() - 1;
            const std::span<Real> weights(in[0].tape().room(std::ssize(example.offsets)), groups);
            for (std::size_t g = 0; g < groups; ++g) weights[g] = static_cast<Real>(1 + g % 3) / 2;
            return contrastive_loss(in[0], in[1], in[2], Offsets(example.offsets), std::span<const Real>(weights),
                                    Real(7));
          },
          false};
}

#define FOVEA_CROSS_ENTROPY(Real)                                                                                  \
  template Variable<Real> cross_entropy_loss(Variable<Real>, std::span<const Index>, std::span<const Real>, Real); \
  template Variable<Real> contrastive_loss(Variable<Real>, Variable<Real>, Variable<Real>, Offsets,                \
                                           std::span<const Real>, Real);
FOVEA_CROSS_ENTROPY(float)
FOVEA_CROSS_ENTROPY(double)
FOVEA_OPERATION_ENTRY(cross_entropy_loss)
FOVEA_OPERATION_ENTRY(contrastive_loss)

}  // namespace fovea::learning
