#pragma once
/// What a tape can do, besides attention (attention_operation.hpp, class_pooling.hpp), normalize_rows() and
/// softmax_columns() (normalized_rows.hpp), and losses (losses.hpp). Each operation has its own file in operations/ and
/// a line in operations/table.inl, by which the tests find it: gradients against central differences, rows with the
/// same bits in any batch, float against double.
///
/// N rows are tokens; `offsets` are those of packed sets (set b has rows [offsets[b], offsets[b + 1])), B of them.
/// Spans and vectors that are passed in are read again by backward(): they must live until then.

#include <span>
#include <vector>

#include "fovea/core/learning/tape.hpp"

namespace fovea::learning {

using Offsets = std::span<const Index>;

// Sums and products. Shapes must be equal unless said otherwise; ArgumentError names both.

/// y = x W, x (N x in), W (in x out)
template <typename Real>
Variable<Real> linear(Variable<Real> x, Variable<Real> weight);
/// y = x W + b, b (1 x out)
template <typename Real>
Variable<Real> linear(Variable<Real> x, Variable<Real> weight, Variable<Real> bias);
template <typename Real>
Variable<Real> add(Variable<Real> a, Variable<Real> b);
/// y_i = x_i + row, row (1 x C)
template <typename Real>
Variable<Real> add_row(Variable<Real> x, Variable<Real> row);
template <typename Real>
Variable<Real> subtract(Variable<Real> a, Variable<Real> b);
/// y = a * b, entry by entry
template <typename Real>
Variable<Real> multiply(Variable<Real> a, Variable<Real> b);
/// y_ij = x_ij row_j, row (1 x C)
template <typename Real>
Variable<Real> multiply_row(Variable<Real> x, Variable<Real> row);
/// y_ij = x_ij column_i, column (N x 1)
template <typename Real>
Variable<Real> multiply_column(Variable<Real> x, Variable<Real> column);
/// y = factor x + shift
template <typename Real>
Variable<Real> scale(Variable<Real> x, Real factor, Real shift = 0);

// Functions of each entry.

/// x Phi(x), Phi the normal distribution (Hendrycks & Gimpel 2016), not its tanh approximation
template <typename Real>
Variable<Real> gelu(Variable<Real> x);
template <typename Real>
Variable<Real> relu(Variable<Real> x);
template <typename Real>
Variable<Real> tanh(Variable<Real> x);
/// 1 / (1 + e^-x)
template <typename Real>
Variable<Real> sigmoid(Variable<Real> x);
/// log(1 + e^x)
template <typename Real>
Variable<Real> softplus(Variable<Real> x);
/// e^x, finite for every finite x: see kernels/exponential.hpp
template <typename Real>
Variable<Real> exp(Variable<Real> x);
/// log x of positive x
template <typename Real>
Variable<Real> log(Variable<Real> x);

// Functions of each row.

/// y_i = gain (x_i - mean_i) / sqrt(variance_i + epsilon) + shift (Ba, Kiros, Hinton 2016); gain, shift (1 x C)
template <typename Real>
Variable<Real> layer_norm(Variable<Real> x, Variable<Real> gain, Variable<Real> shift, Real epsilon = Real(1e-5));
/// y_i = gain x_i / sqrt(mean of x_i^2 + epsilon) (Zhang & Sennrich 2019)
template <typename Real>
Variable<Real> rms_norm(Variable<Real> x, Variable<Real> gain, Real epsilon = Real(1e-6));
/// Each entry 0 with probability `rate`, else divided by 1 - rate (Srivastava et al. 2014); x itself unless the pass
/// trains. The mask is a function of (pass, number of the operation, entry), so nothing else changes it. rate in [0,
/// 1), in steps of 2^-16.
template <typename Real>
Variable<Real> dropout(Variable<Real> x, double rate);
/// Rotates the pairs of columns (c, c + d/2) of each head by positions_i * base^(-2c/d), d even: q . k then depends on
/// differences of positions (Su et al. 2021, RoFormer). positions: N real numbers (indices or times).
template <typename Real>
Variable<Real> rotate(Variable<Real> x, std::span<const double> positions, Index heads, double base = 10000);

// Choosing and joining rows and columns.

/// y_i = x_(rows_i); rows may repeat, -1 gives zeros. Embedding is this, with x the table.
template <typename Real>
Variable<Real> gather_rows(Variable<Real> x, std::span<const Index> rows);
/// y_r = sum of x_i with rows_i = r, `count` rows; -1 is left out
template <typename Real>
Variable<Real> scatter_rows(Variable<Real> x, std::span<const Index> rows, Index count);
/// Row b of x for each token of set b: B x C -> N x C
template <typename Real>
Variable<Real> spread_over_sets(Variable<Real> x, Offsets offsets);
/// [a | b | ...], same rows
template <typename Real>
Variable<Real> join_columns(std::span<const Variable<Real>> parts);
/// The same numbers in the same order as rows of another length: rows x columns = N C
template <typename Real>
Variable<Real> reshape(Variable<Real> x, Index rows, Index columns);
/// Columns [first, first + count)
template <typename Real>
Variable<Real> take_columns(Variable<Real> x, Index first, Index count);
/// Each set of a followed by the same set of b, with new offsets in `joined` (as long as offsets): class tokens,
/// prefixes.
template <typename Real>
Variable<Real> join_sets(Variable<Real> a, Offsets a_offsets, Variable<Real> b, Offsets b_offsets,
                         std::span<Index> joined);

/// Pixels row by row, the channels of a pixel side by side.
struct ImageShape {
  Index height = 0, width = 0, channels = 1;
  Index numbers() const { return height * width * channels; }
};
/// Images (one a row) cut into squares of side x side pixels, one a row: those of an image from left to right, then
/// downwards (Dosovitskiy et al. 2021). side divides height and width.
template <typename Real>
Variable<Real> patches(Variable<Real> images, const ImageShape& shape, Index side);

// Pooling: N x C -> B x C; an empty set gives zeros.

template <typename Real>
Variable<Real> mean_of_sets(Variable<Real> x, Offsets offsets);
template <typename Real>
Variable<Real> sum_of_sets(Variable<Real> x, Offsets offsets);
/// The largest entry of each column; its gradient goes to the first that is as large.
template <typename Real>
Variable<Real> maximum_of_sets(Variable<Real> x, Offsets offsets);
/// sum_i w_i x_i, w = softmax of scores (N x 1) within the set (Ilse, Tomczak, Welling 2018)
template <typename Real>
Variable<Real> attention_pooling(Variable<Real> x, Variable<Real> scores, Offsets offsets);

// Times and sequences.

/// phi_0 = f_0 t + p_0, phi_c = cos(2 pi (f_c t + p_c)) (Kazemi et al. 2019); f, p (1 x C): turns per time, turns.
template <typename Real>
Variable<Real> time_features(Variable<Real> frequency, Variable<Real> phase, std::span<const double> times);

/// Gated recurrent unit (Cho et al. 2014, as in cuDNN and PyTorch: the reset gate acts after the product) over each
/// set in order, from state 0:
///   r = sigmoid(x_r + h U_r + c_r), z = sigmoid(x_z + h U_z + c_z), n = tanh(x_n + r (h U_n + c_n)),
///   h' = (1 - z) n + z h
/// x (N x 3 h): the projected inputs r, z, n; U (h x 3 h), c (1 x 3 h). Returns every state (N x h).
template <typename Real>
Variable<Real> gru_states(Variable<Real> x, Variable<Real> state_weight, Variable<Real> state_bias, Offsets offsets);

}  // namespace fovea::learning
