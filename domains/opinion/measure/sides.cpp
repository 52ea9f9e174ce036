#include "fovea/domains/opinion/measure/ties.hpp"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>

namespace fovea::opinion::measure {

namespace {

using datasets::network::Adjacency;
using Column = Eigen::VectorXd;

constexpr int kMostSteps = 80;
constexpr int kMostSweeps = 100;

/// The largest part of a network, its nodes numbered anew.
struct Part {
  society::Graph graph;
  std::vector<std::size_t> node;  ///< of each of its nodes the number in the whole
};

Part largest_part(const society::Graph& graph) {
  const std::vector<Index> part = society::connected_parts(graph);
  std::vector<Index> size(*std::max_element(part.begin(), part.end()) + 1);
  for (const Index p : part) ++size[p];
  const Index largest = std::max_element(size.begin(), size.end()) - size.begin();
  Part found;
  std::vector<std::uint8_t> kept(part.size());
  for (std::size_t i = 0; i < part.size(); ++i) {
    kept[i] = part[i] == largest ? 1 : 0;
    if (kept[i] != 0) found.node.push_back(i);
  }
  found.graph = society::kept_part(graph, kept);
  return found;
}

/// x -> B x.
class ModularityMatrix {
 public:
  explicit ModularityMatrix(const society::Graph& graph)
      : rows_(society::adjacency(graph)), degree_(Column::Zero(graph.nodes)) {
    for (Index i = 0; i < graph.nodes; ++i)
      for (std::size_t k = begin(i); k < begin(i + 1); ++k) degree_[i] += rows_.weight(k);
    twice_edges_ = degree_.sum();
  }

  Index nodes() const { return degree_.size(); }
  const Column& degree() const { return degree_; }
  double twice_edges() const { return twice_edges_; }

  Column operator*(const Column& x) const {
    Column image(x.size());
    const double common = degree_.dot(x) / twice_edges_;
    for (Index i = 0; i < x.size(); ++i) image[i] = row_sum(i, x) - degree_[i] * common;
    return image;
  }
  double row_sum(Index i, const Column& x) const {
    double sum = 0;
    for (std::size_t k = begin(i); k < begin(i + 1); ++k) sum += rows_.weight(k) * x[Index(rows_.neighbours[k])];
    return sum;
  }

 private:
  std::size_t begin(Index i) const { return rows_.offsets[i]; }
  Adjacency rows_;
  Column degree_;
  double twice_edges_ = 0;
};

/// By Lanczos steps, each new direction made orthogonal to all before.
Column leading_eigenvector(const ModularityMatrix& matrix) {
  const Index n = matrix.nodes(), most = std::min<Index>(n, kMostSteps);
  Eigen::MatrixXd basis(n, most);
  Column diagonal = Column::Zero(most), beside = Column::Zero(most);
  Column next(n);
  for (Index i = 0; i < n; ++i) next[i] = std::cos(static_cast<double>(i) + 1);  // near no eigenvector of its own
  Index steps = 0;
  for (double length = next.norm(); steps < most && length > 1e-10; length = next.norm()) {
    if (steps > 0) beside[steps - 1] = length;
    basis.col(steps) = next / length;
    next = matrix * basis.col(steps);
    diagonal[steps] = basis.col(steps).dot(next);
    ++steps;
    for (int again = 0; again < 2; ++again)
      for (Index s = 0; s < steps; ++s) next -= basis.col(s).dot(next) * basis.col(s);
  }
  Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> small;
  small.computeFromTridiagonal(diagonal.head(steps), beside.head(std::max<Index>(0, steps - 1)));
  return basis.leftCols(steps) * small.eigenvectors().col(steps - 1);
}

/// Moves single nodes while the modularity grows: with s of +-1, moving i adds -s_i sum_{j != i} B_ij s_j / m.
void improve(const ModularityMatrix& matrix, Column& side) {
  double common = matrix.degree().dot(side);
  for (int sweep = 0; sweep < kMostSweeps; ++sweep) {
    bool moved = false;
    for (Index i = 0; i < side.size(); ++i) {
      const double k = matrix.degree()[i];
      const double pull = matrix.row_sum(i, side) - k * (common - k * side[i]) / matrix.twice_edges();
      if (pull * side[i] >= -1e-9 * k) continue;
      common -= 2 * k * side[i];
      side[i] = -side[i];
      moved = true;
    }
    if (!moved) return;
  }
}

}  // namespace

std::vector<Index> find_sides(const society::Graph& graph) {
  std::vector<Index> sides(graph.nodes, -1);
  if (graph.edges.empty()) return sides;
  const Part part = largest_part(graph);
  const ModularityMatrix matrix(part.graph);
  Column side = leading_eigenvector(matrix);
  for (double& one : side) one = one < 0 ? -1 : 1;
  improve(matrix, side);
  for (std::size_t i = 0; i < part.node.size(); ++i) sides[part.node[i]] = side[Index(i)] == side[0] ? 0 : 1;
  return sides;
}

}  // namespace fovea::opinion::measure
