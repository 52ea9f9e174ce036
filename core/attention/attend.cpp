#include "fovea/core/attention/attend.hpp"

#include "fovea/core/attention/engine/parallel.hpp"
#include "fovea/core/attention/engine/scorer.hpp"
#include "fovea/core/attention/normalizers/softmax.hpp"

namespace fovea {
namespace {

template <typename Real>
void attend_block(const Problem<Real>& problem, const MatrixView<Real>& values, const RowBlock& block,
                  AttentionResult<Real>& result) {
  Scorer<Real> scorer(problem, block.head, false);
  SoftmaxRow<Real> rows[kMaxBlockQueries];
  auto outputs = result.outputs.middleCols(block.head * values.cols(), values.cols());
  problem.for_each_tile(block, [&](const TileRange& range) {
    if (scorer.is_empty(range)) return;
    const ScoreTile<Real> tile = scorer.score(range);
    const Panel<Real> panel(values, range, TileMemory<Real>::mine().values);
    for (Index i = 0; i < range.query_count; ++i)
      softmax_add(rows[range.query(i) - block.first], tile.row(i), range.key_count, panel,
                  outputs.row(range.query(i)).data());
  });
  for (Index i = 0; i < block.count; ++i) {
    const Index query = block.first + i;
    softmax_finish(rows[i], outputs.row(query).data(), outputs.cols());
    result.max_score(query, block.head) = rows[i].maximum;
    result.sum_exp(query, block.head) = rows[i].sum;
    result.log_sum_exp(query, block.head) = softmax_log_sum(rows[i]);
  }
}

}  // namespace

template <typename Real>
AttentionResult<Real> attend(const MatrixInput<Real>& queries, const MatrixInput<Real>& keys,
                             const MatrixInput<Real>& values, const AttentionSpec<Real>& spec) {
  const Problem<Real> problem("attend", queries, keys, values, spec);
  AttentionResult<Real> result;
  result.outputs.setZero(queries.rows(), values.cols());
  result.log_sum_exp.resize(queries.rows(), spec.heads);
  result.max_score.resize(queries.rows(), spec.heads);
  result.sum_exp.resize(queries.rows(), spec.heads);
  const Index value_columns = values.cols() / spec.heads;
  const std::vector<RowBlock> blocks = problem.query_blocks();
  for_each_task(static_cast<Index>(blocks.size()), problem.worth_threads(), [&](Index b) {
    const RowBlock& block = blocks[static_cast<std::size_t>(b)];
    attend_block<Real>(problem, values.middleCols(block.head * value_columns, value_columns), block, result);
  });
  return result;
}

template AttentionResult<float> attend(const MatrixInput<float>&, const MatrixInput<float>&, const MatrixInput<float>&,
                                       const AttentionSpec<float>&);
template AttentionResult<double> attend(const MatrixInput<double>&, const MatrixInput<double>&,
                                        const MatrixInput<double>&, const AttentionSpec<double>&);

}  // namespace fovea
