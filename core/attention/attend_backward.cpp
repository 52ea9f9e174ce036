#include "fovea/core/attention/attend.hpp"
#include "fovea/core/attention/engine/key_segments.hpp"
#include "fovea/core/attention/engine/parallel.hpp"
#include "fovea/core/attention/engine/scorer.hpp"
#include "fovea/core/attention/kernels/kernels.hpp"
#include "fovea/core/attention/normalizers/softmax.hpp"

namespace fovea {
namespace {

/// Two passes, so that every sum has one owner: a block of queries collects its dL/dq and its share of dL/dtheta, then
/// a block of keys collects its dL/dk and dL/dv from all queries in ascending order.
template <typename Real>
class Backward {
 public:
  Backward(const Problem<Real>& problem, const MatrixView<Real>& values, const AttentionResult<Real>& forward,
           const MatrixView<Real>& output_gradient, AttentionGradients<Real>& gradients)
      : problem_(problem),
        values_(values),
        forward_(forward),
        output_gradient_(output_gradient),
        gradients_(gradients),
        value_columns_(values.cols() / problem.spec().heads) {
    // dL/ds_ij = w_ij (dL/do_i . v_j - mean_i)  with  mean_i = sum_j w_ij dL/do_i . v_j = dL/do_i . o_i
    means_.setZero(problem.query_count(), problem.spec().heads);
    for (Index i = 0; i < means_.rows(); ++i)
      for (Index c = 0; c < values.cols(); ++c)
        means_(i, c / value_columns_) += output_gradient(i, c) * forward.outputs(i, c);
  }

  void queries() {
    const std::vector<RowBlock> blocks = problem_.query_blocks();
    const Index count = static_cast<Index>(blocks.size());
    // A wave of blocks at a time, so the partial sums of theta need no memory that grows with N.
    constexpr Index kWave = 256;
    ThetaGradients<Real> total(problem_.spec());
    for (Index first = 0; first < count; first += kWave) {
      const Index wave = std::min(kWave, count - first);
      std::vector<ThetaGradients<Real>> partial(static_cast<std::size_t>(wave), ThetaGradients<Real>(problem_.spec()));
      for_each_task(wave, problem_.worth_threads(), [&](Index b) {
        query_block(blocks[static_cast<std::size_t>(first + b)], partial[static_cast<std::size_t>(b)]);
      });
      for (const ThetaGradients<Real>& part : partial) total.add(part);
    }
    gradients_.score_theta = std::move(total.score);
    gradients_.modifier_theta = std::move(total.modifiers);
  }

  void keys() {
    const std::vector<RowBlock> blocks = problem_.key_blocks();
    const KeySegments segments = problem_.lists() ? key_segments(problem_, blocks) : KeySegments{};
    for_each_task(static_cast<Index>(blocks.size()), problem_.worth_threads(), [&](Index b) {
      const RowBlock& block = blocks[static_cast<std::size_t>(b)];
      if (problem_.lists())
        listed_key_block(block, segments.of_block(b));
      else
        key_block(block);
    });
  }

 private:
  /// Turns the scores of a tile into weights (in place) and writes dL/ds.
  ScoreTile<Real> score_gradient(const ScoreTile<Real>& tile, const MatrixView<Real>& values) {
    const Kernels<Real>& kernel = kernels<Real>();
    TileMemory<Real>& memory = TileMemory<Real>::mine();
    grow(memory.gradient, static_cast<std::size_t>(problem_.block_queries() * kTileKeys));
    ScoreTile<Real> gradient = tile;
    gradient.scores = memory.gradient.data();
    const Panel<Real> panel(values, tile, memory.values);
    for (Index i = 0; i < tile.query_count; ++i) {
      const Index query = tile.query(i);
      softmax_weights({forward_.max_score(query, tile.head), forward_.sum_exp(query, tile.head)}, tile.row(i),
                      tile.key_count);
      kernel.products(output_gradient_of(query, tile.head), panel.data(), panel.stride(), panel.columns(),
                      tile.key_count, Real(1), gradient.row(i));
      kernel.softmax_gradient(gradient.row(i), tile.row(i), means_(query, tile.head), tile.key_count);
    }
    return gradient;
  }

  void query_block(const RowBlock& block, ThetaGradients<Real>& theta) {
    Scorer<Real> scorer(problem_, block.head, true);
    const MatrixView<Real> values = values_of(block.head);
    auto query_gradient = columns(gradients_.queries, block.head, problem_.dimension());
    Matrix<Real> unwanted(0, problem_.dimension());
    problem_.for_each_tile(block, [&](const TileRange& range) {
      if (scorer.is_empty(range)) return;
      scorer.backward(score_gradient(scorer.score(range), values), query_gradient, unwanted, theta);
    });
  }

  void key_block(const RowBlock& block) {
    const Index end = problem_.first_query(block.set + 1);
    visit_keys(block, [&](const auto& visit) {
      for (Index query = problem_.first_query(block.set); query < end; query += problem_.block_queries())
        visit(problem_.range({block.set, block.head, query, std::min(problem_.block_queries(), end - query)},
                             block.first, block.count));
    });
  }

  void listed_key_block(const RowBlock& block, std::span<const KeySegment> segments) {
    visit_keys(block, [&](const auto& visit) {
      for (const KeySegment& segment : segments)
        visit(problem_.listed_range({block.set, block.head, segment.query, 1}, segment.begin, segment.count));
    });
  }

  template <typename Tiles>
  void visit_keys(const RowBlock& block, const Tiles& for_each_tile) {
    Scorer<Real> scorer(problem_, block.head, true);
    const MatrixView<Real> values = values_of(block.head);
    auto key_gradient = columns(gradients_.keys, block.head, problem_.dimension());
    auto value_gradient = columns(gradients_.values, block.head, value_columns_);
    Matrix<Real> unwanted(0, problem_.dimension());
    ThetaGradients<Real> unwanted_theta(problem_.spec());
    for_each_tile([&](const TileRange& range) {
      if (scorer.is_empty(range)) return;
      const ScoreTile<Real> weights = scorer.score(range);
      const ScoreTile<Real> gradient = score_gradient(weights, values);
      add_value_gradient(weights, value_gradient);
      scorer.backward(gradient, unwanted, key_gradient, unwanted_theta);
    });
  }

  /// dL/dv_j += sum_i w_ij dL/do_i
  void add_value_gradient(const ScoreTile<Real>& weights, Eigen::Ref<Matrix<Real>> value_gradient) {
    std::vector<Real>& sums = TileMemory<Real>::mine().value_gradient;
    sums.assign(static_cast<std::size_t>(weights.key_count * value_columns_), Real(0));
    for (Index i = 0; i < weights.query_count; ++i)
      for (Index c = 0; c < value_columns_; ++c)
        kernels<Real>().add_scaled(sums.data() + c * weights.key_count, weights.row(i),
                                   output_gradient_of(weights.query(i), weights.head)[c], weights.key_count);
    add_panel<Real>(sums, weights, value_gradient);
  }

  static Eigen::Ref<Matrix<Real>> columns(Matrix<Real>& matrix, Index head, Index count) {
    return matrix.middleCols(head * count, count);
  }
  MatrixView<Real> values_of(Index head) const { return values_.middleCols(head * value_columns_, value_columns_); }
  const Real* output_gradient_of(Index query, Index head) const {
    return row_of<Real>(output_gradient_, query) + head * value_columns_;
  }

  const Problem<Real>& problem_;
  const MatrixView<Real>& values_;
  const AttentionResult<Real>& forward_;
  const MatrixView<Real>& output_gradient_;
  AttentionGradients<Real>& gradients_;
  Index value_columns_;
  Matrix<Real> means_;  ///< N x H
};

}  // namespace

template <typename Real>
AttentionGradients<Real> attend_backward(const MatrixInput<Real>& queries, const MatrixInput<Real>& keys,
                                         const MatrixInput<Real>& values, const AttentionSpec<Real>& spec,
                                         const AttentionResult<Real>& forward,
                                         const MatrixInput<Real>& output_gradient) {
  const Problem<Real> problem("attend_backward", queries, keys, values, spec);
  problem.check_forward("attend_backward", forward);
  problem.check_output_gradient(forward, output_gradient);
  AttentionGradients<Real> gradients;
  gradients.queries.setZero(queries.rows(), queries.cols());
  gradients.keys.setZero(keys.rows(), keys.cols());
  gradients.values.setZero(values.rows(), values.cols());
  Backward<Real> backward(problem, values, forward, output_gradient, gradients);
  backward.queries();
  backward.keys();
  return gradients;
}

#define FOVEA_BACKWARD(Real)                                                                              \
  template AttentionGradients<Real> attend_backward(const MatrixInput<Real>&, const MatrixInput<Real>&,   \
                                                    const MatrixInput<Real>&, const AttentionSpec<Real>&, \
                                                    const AttentionResult<Real>&, const MatrixInput<Real>&);
FOVEA_BACKWARD(float)
FOVEA_BACKWARD(double)

}  // namespace fovea
