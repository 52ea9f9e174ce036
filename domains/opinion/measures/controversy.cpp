#include "fovea/domains/opinion/measures/controversy.hpp"

#include <algorithm>
#include <array>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/missing.hpp"

namespace fovea::opinion::measures {

namespace {

constexpr double kWalkResidual = 1e-13;
constexpr Index kManyNodes = 20000;  // fewer are done sooner than a second thread wakes up

/// Side of the nodes in the largest connected part, -1 elsewhere and on neither side.
std::vector<Index> sides_of_largest_part(const society::Graph& graph, std::span<const Index> side) {
  const std::vector<Index> part = society::connected_parts(graph);
  std::vector<Index> size(part.empty() ? 0 : static_cast<std::size_t>(*std::max_element(part.begin(), part.end()) + 1));
  for (const Index p : part) ++size[p];
  const Index largest = std::max_element(size.begin(), size.end()) - size.begin();
  std::vector<Index> walkers(side.begin(), side.end());
  for (std::size_t i = 0; i < walkers.size(); ++i)
    if (part[i] != largest || walkers[i] < 0 || walkers[i] > 1) walkers[i] = -1;
  return walkers;
}

/// 1 for the nodes of one side with the most neighbours.
void mark_hubs(const datasets::network::Adjacency& rows, const std::vector<Index>& side, Index wanted, Index hubs,
               std::vector<std::uint8_t>& is_hub) {
  std::vector<std::size_t> members;
  for (std::size_t i = 0; i < side.size(); ++i)
    if (side[i] == wanted) members.push_back(i);
  const auto degree = [&](std::size_t i) { return rows.offsets[i + 1] - rows.offsets[i]; };
  const std::size_t count = std::min(members.size(), static_cast<std::size_t>(hubs));
  std::partial_sort(
      members.begin(), members.begin() + static_cast<std::ptrdiff_t>(count), members.end(),
      [&](std::size_t a, std::size_t b) { return degree(a) != degree(b) ? degree(a) > degree(b) : a < b; });
  for (std::size_t k = 0; k < count; ++k) is_hub[members[k]] = 1;
}

/// The equations degree_i z_i - sum_j w_ij z_j = 0 off the hubs, by conjugate gradients preconditioned with the degree.
/// All vectors are 0 at the hubs. Rows are shared among threads; dot products are summed in order.
class HarmonicSolver {
 public:
  HarmonicSolver(const datasets::network::Adjacency& rows, const std::vector<std::uint8_t>& is_hub)
      : rows_(rows), is_hub_(is_hub) {
    degree_.resize(is_hub.size());
    for (std::size_t i = 0; i < degree_.size(); ++i)
      for (std::size_t k = rows.offsets[i]; k < rows.offsets[i + 1]; ++k) degree_[i] += rows.weight(k);
  }

  /// z from its values at the hubs; 0 where no hub can be reached.
  std::vector<double> solve(const std::vector<double>& at_hubs) const {
    std::vector<double> z = at_hubs, r(z.size()), d(z.size()), image(z.size());
    apply(at_hubs, image);
    for (std::size_t i = 0; i < z.size(); ++i) r[i] = is_hub_[i] ? 0 : -image[i];
    double size = weighted_square(r);
    const double enough = kWalkResidual * kWalkResidual * size;
    for (std::size_t i = 0; i < z.size(); ++i) d[i] = degree_[i] > 0 ? r[i] / degree_[i] : 0;
    // In exact numbers it ends within z.size() iterations; rounding may ask for more, but never for many more.
    for (std::size_t iteration = 0; iteration < 10 * z.size() + 100 && size > enough; ++iteration) {
      apply(d, image);
      const double step = size / dot(d, image);
      for (std::size_t i = 0; i < z.size(); ++i) z[i] += step * d[i];
      for (std::size_t i = 0; i < z.size(); ++i) r[i] -= is_hub_[i] ? 0 : step * image[i];
      const double before = size;
      size = weighted_square(r);
      for (std::size_t i = 0; i < z.size(); ++i) d[i] = (degree_[i] > 0 ? r[i] / degree_[i] : 0) + size / before * d[i];
    }
    return z;
  }

 private:
  void apply(const std::vector<double>& x, std::vector<double>& image) const {
    const auto n = static_cast<Index>(x.size());
#pragma omp parallel for schedule(static) if (n > kManyNodes)
    for (Index row = 0; row < n; ++row) {
      const std::size_t i = row;
      double sum = degree_[i] * x[i];
      if (rows_.weights.empty()) {
        for (std::size_t k = rows_.offsets[i]; k < rows_.offsets[i + 1]; ++k) sum -= x[rows_.neighbours[k]];
      } else {
        for (std::size_t k = rows_.offsets[i]; k < rows_.offsets[i + 1]; ++k)
          sum -= rows_.weights[k] * x[rows_.neighbours[k]];
      }
      image[i] = sum;
    }
  }
  double dot(const std::vector<double>& a, const std::vector<double>& b) const {
    double sum = 0;
    for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
    return sum;
  }
  double weighted_square(const std::vector<double>& r) const {
    double sum = 0;
    for (std::size_t i = 0; i < r.size(); ++i)
      if (degree_[i] > 0) sum += r[i] * r[i] / degree_[i];
    return sum;
  }

  const datasets::network::Adjacency& rows_;
  const std::vector<std::uint8_t>& is_hub_;
  std::vector<double> degree_;
};

}  // namespace

double random_walk_controversy(const society::Graph& graph, std::span<const Index> side, Index hubs) {
  require(static_cast<Index>(side.size()) == graph.nodes, "random_walk_controversy: there are ", graph.nodes,
          " nodes but ", side.size(), " sides; each node needs one.");
  require(hubs >= 1, "random_walk_controversy: hubs = ", hubs, ", but must be >= 1.");
  if (graph.nodes == 0) return kNan;
  const datasets::network::Adjacency rows = society::adjacency(graph);
  const std::vector<Index> walkers = sides_of_largest_part(graph, side);
  std::vector<std::uint8_t> is_hub(walkers.size(), 0);
  for (const Index wanted : {0, 1}) mark_hubs(rows, walkers, wanted, hubs, is_hub);
  std::vector<double> at_hubs(walkers.size(), 0);
  for (std::size_t i = 0; i < walkers.size(); ++i) at_hubs[i] = is_hub[i] && walkers[i] == 0 ? 1 : 0;
  const std::vector<double> ends_at_0 = HarmonicSolver(rows, is_hub).solve(at_hubs);
  std::array<double, 2> sum{}, count{};
  for (std::size_t i = 0; i < walkers.size(); ++i) {
    if (walkers[i] < 0) continue;
    sum[walkers[i]] += ends_at_0[i];
    ++count[walkers[i]];
  }
  if (count[0] == 0 || count[1] == 0) return kNan;
  const double end_0_from_0 = sum[0] / count[0], end_0_from_1 = sum[1] / count[1];
  const double began_0_of_end_0 = end_0_from_0 / (end_0_from_0 + end_0_from_1);
  const double began_0_of_end_1 = (1 - end_0_from_0) / ((1 - end_0_from_0) + (1 - end_0_from_1));
  return began_0_of_end_0 * (1 - began_0_of_end_1) - (1 - began_0_of_end_0) * began_0_of_end_1;
}

}  // namespace fovea::opinion::measures
