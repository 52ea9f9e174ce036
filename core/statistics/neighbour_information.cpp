#include "fovea/core/statistics/neighbour_information.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "fovea/core/error.hpp"

namespace fovea {

double NeighbourInformation::distance_z(Index a, Index b) const {
  double most = 0;
  for (Index c = 0; c < z_.cols(); ++c) most = std::max(most, std::abs(z_(a, c) - z_(b, c)));
  return most;
}

double NeighbourInformation::distance_yz(Index a, Index b) const {
  return std::max(distance_z(a, b), std::abs(y_[a] - y_[b]));
}

NeighbourInformation::NeighbourInformation(const Vector<double>& y, const Matrix<double>& z, Index k)
    : y_(y), z_(z), n_(y.size()), k_(k), digamma_(static_cast<std::size_t>(n_) + 1, -0.57721566490153286061) {
  require(k >= 1 && k < n_ && z.rows() == n_ && z.cols() >= 1 && n_ < 46000, "NeighbourInformation: ", n_,
          " points of y, ", z.rows(), " of z and k = ", k, "; they must be as many, below 46000, and k in [1, n).");
  for (std::size_t m = 2; m < digamma_.size(); ++m) digamma_[m] = digamma_[m - 1] + 1 / static_cast<double>(m - 1);
  by_z_.resize(static_cast<std::size_t>(n_ * (n_ - 1)));
  by_yz_.resize(by_z_.size());
  std::vector<std::pair<double, std::int32_t>> others(static_cast<std::size_t>(n_ - 1));
  const auto write = [&](Index a, std::vector<std::int32_t>& orders, auto distance) {
    for (Index b = 0, at = 0; b < n_; ++b)
      if (b != a) others[static_cast<std::size_t>(at++)] = {distance(a, b), static_cast<std::int32_t>(b)};
    std::sort(others.begin(), others.end());
    for (std::size_t m = 0; m < others.size(); ++m)
      orders[static_cast<std::size_t>(a * (n_ - 1)) + m] = others[m].second;
  };
  for (Index a = 0; a < n_; ++a) {
    write(a, by_z_, [&](Index p, Index q) { return distance_z(p, q); });
    write(a, by_yz_, [&](Index p, Index q) { return distance_yz(p, q); });
  }
}

double NeighbourInformation::operator()(const Vector<double>& x) const {
  require(x.size() == n_, "NeighbourInformation: x has ", x.size(), " points, but y has ", n_, ".");
  double sum = 0;
  std::vector<double> nearest(static_cast<std::size_t>(k_));
  for (Index a = 0; a < n_; ++a) {
    std::fill(nearest.begin(), nearest.end(), std::numeric_limits<double>::infinity());
    const std::int32_t* others = order(by_yz_, a);
    for (Index m = 0; m < n_ - 1; ++m) {
      const double far = distance_yz(a, others[m]);
      if (far >= nearest.back()) break;  // nor is anyone after it nearer in all three
      const double joint = std::max(far, std::abs(x[a] - x[others[m]]));
      if (joint >= nearest.back()) continue;
      auto at = nearest.end() - 1;
      for (; at != nearest.begin() && *(at - 1) > joint; --at) *at = *(at - 1);
      *at = joint;
    }
    const double e = nearest.back();
    const Index n_yz =
        std::partition_point(others, others + n_ - 1, [&](std::int32_t b) { return distance_yz(a, b) < e; }) - others;
    const std::int32_t* by_z = order(by_z_, a);
    Index n_z = 0, n_xz = 0;
    for (; n_z < n_ - 1 && distance_z(a, by_z[n_z]) < e; ++n_z) n_xz += std::abs(x[a] - x[by_z[n_z]]) < e ? 1 : 0;
    sum += digamma_[static_cast<std::size_t>(n_z + 1)] - digamma_[static_cast<std::size_t>(n_xz + 1)] -
           digamma_[static_cast<std::size_t>(n_yz + 1)];
  }
  return digamma_[static_cast<std::size_t>(k_)] + sum / static_cast<double>(n_);
}

}  // namespace fovea
