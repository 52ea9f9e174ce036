#include "fovea/core/attention/grid/grid_pairs.hpp"

#include "fovea/core/kernels/kernels.hpp"

namespace fovea {

template <typename Real>
GridPairs<Real>::GridPairs(const GridPlan<Real>& plan, const GridTask& task, Index head, bool keep)
    : plan_(plan), task_(task), scorer_(plan.problem(), head, keep), unwanted_(plan.problem().spec(), nullptr) {
  range_.head = head;
  range_.query_count = 1;
  range_.set_first_query = plan.problem().first_query(task.set);
  range_.set_first_key = plan.problem().first_key(task.set);
}

/// Whether the point is a query that has keys.
template <typename Real>
bool GridPairs<Real>::gather(Index t, Index column, Index x, GridPlanes<Real> scores) {
  const GridWindow& window = plan_.window();
  const Index side = window.side(), row = plan_.row(task_, t);
  keys_.clear();
  entries_.clear();
  scores_.clear();
  if (column < 0 || column >= plan_.queries_in(task_.set, row)) return false;
  for (Index a = 0; a < side; ++a) {
    const Index key_row = row + (a - window.reach) * window.dilation, exist = plan_.keys_in(task_.set, key_row);
    for (Index b = 0; b < side; ++b) {
      const Index at = column + (b - window.reach) * window.dilation;
      if (at < 0 || at >= exist) continue;
      keys_.push_back(plan_.key_at(task_.set, key_row) + at);
      entries_.push_back(a * side + b);
      scores_.push_back(scores.data[entries_.back() * scores.plane + x]);
    }
  }
  if (keys_.empty()) return false;
  scores_.resize(whole_groups<Real>(std::ssize(keys_)), kMasked<Real>);  // for the kernels
  range_.first_query = plan_.query_at(task_.set, row) + column;
  range_.first_key = keys_.front();
  range_.key_list = keys_.data();
  range_.key_count = std::ssize(keys_);
  return true;
}

template <typename Real>
void GridPairs<Real>::scatter(const std::vector<Real>& row, Index x, GridPlanes<Real> planes) const {
  for (std::size_t j = 0; j < entries_.size(); ++j) planes.data[entries_[j] * planes.plane + x] = row[j];
}

template <typename Real>
void GridPairs<Real>::modify(Index t, Index first, Index count, GridPlanes<Real> scores) {
  for (Index x = 0; x < count; ++x) {
    if (!gather(t, first + x, x, scores)) continue;
    scorer_.finish(range_, scores_.data(), std::ssize(scores_));
    scatter(scores_, x, scores);
  }
}

template <typename Real>
void GridPairs<Real>::weigh(Index t, Index first, Index count, const KeySpan& owned, const Real* maximum,
                            const Real* inverse, GridPlanes<Real> scores, GridPlanes<Real> gradients,
                            ThetaGradients<Real>& theta) {
  const BlockKernels<Real>& kernel = kernels<Real>().blocks;
  const Index entries = plan_.window().side() * plan_.window().side();
  for (Index x = 0; x < count; ++x) {
    const bool seen = gather(t, first + x, x, scores);
    gradients_.clear();
    for (const Index entry : entries_) gradients_.push_back(gradients.data[entry * gradients.plane + x]);
    for (Index n = 0; n < entries; ++n)
      scores.data[n * scores.plane + x] = gradients.data[n * gradients.plane + x] = Real(0);
    if (!seen) continue;
    const ScoreTile<Real> tile = scorer_.finish(range_, scores_.data(), std::ssize(scores_));
    kernel.weights(1, range_.key_count, tile.scores, tile.stride, maximum + x, inverse + x);
    gradients_.resize(scores_.size(), Real(0));
    Real mean = 0;
    for (std::size_t j = 0; j < keys_.size(); ++j) mean += scores_[j] == 0 ? Real(0) : scores_[j] * gradients_[j];
    for (std::size_t j = 0; j < keys_.size(); ++j)
      gradients_[j] = scores_[j] == 0 ? Real(0) : scores_[j] * (gradients_[j] - mean);
    ScoreTile<Real> gradient = tile;
    gradient.scores = gradients_.data();
    scorer_.backward(gradient, owned.begin <= x && x < owned.end ? theta : unwanted_);
    scatter(scores_, x, scores);
    scatter(gradients_, x, gradients);
  }
}

template class GridPairs<float>;
template class GridPairs<double>;

}  // namespace fovea
