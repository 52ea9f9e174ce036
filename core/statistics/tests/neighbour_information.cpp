#include "fovea/core/statistics/tests/neighbour_information.hpp"

#include <algorithm>
#include <cstring>
#include <limits>

#include "fovea/core/base/error.hpp"

namespace fovea {

namespace {

constexpr Index kRanksAtOnce = 8;  // of a register that every processor has
using Lanes [[gnu::vector_size(2 * kRanksAtOnce)]] = std::int16_t;

Index padded_to_lanes(Index n) { return (n + kRanksAtOnce - 1) / kRanksAtOnce * kRanksAtOnce; }

bool are_ranks(const RankColumn& ranks) {
  std::vector<char> seen(ranks.size(), 0);
  for (const std::int16_t rank : ranks) {
    if (rank < 0 || rank >= std::ssize(seen) || seen[rank] != 0) return false;
    seen[rank] = 1;
  }
  return true;
}

struct Nearer {
  std::size_t in_z = 0, in_xz = 0;
};

/// How many of the points, itself among them, are nearer than e in z, and in both x and z. A sum of a lane is at most
/// the number of points over the lanes.
Nearer count_nearer(const std::int16_t* distance_z, const std::int16_t* x, std::int16_t own_x, std::int16_t e,
                    Index padded) {
  const auto low = static_cast<std::int16_t>(own_x - e), high = static_cast<std::int16_t>(own_x + e);
  Lanes in_z{}, in_xz{}, z, at;
  for (Index b = 0; b < padded; b += kRanksAtOnce) {
    std::memcpy(&z, distance_z + b, sizeof z);
    std::memcpy(&at, x + b, sizeof at);
    const Lanes near = z < e;  // -1 where it holds
    in_z -= near;
    in_xz -= near & (at > low) & (at < high);
  }
  Nearer sums;
  for (Index lane = 0; lane < kRanksAtOnce; ++lane) {
    sums.in_z += in_z[lane];
    sums.in_xz += in_xz[lane];
  }
  return sums;
}

void raise_to_distances(const RankColumn& ranks, Index a, std::int16_t* distances) {
  const std::int16_t own = ranks[a];
  for (std::size_t b = 0; b < ranks.size(); ++b)
    distances[b] = std::max(distances[b], static_cast<std::int16_t>(std::abs(ranks[b] - own)));
}

}  // namespace

NeighbourInformation::NeighbourInformation(const RankColumn& y, const std::vector<RankColumn>& z, Index k)
    : n_(static_cast<Index>(y.size())), k_(k), padded_(padded_to_lanes(n_)), digamma_(n_ + 1, -0.57721566490153286061) {
  require(k >= 1 && k < n_ && n_ <= kMostPoints && !z.empty(), "NeighbourInformation: ", n_, " points, k = ", k,
          " and ", z.size(), " conditions; there must be at most ", kMostPoints, " points, k in [1, n), a condition.");
  require(are_ranks(y), "NeighbourInformation: y must have each of the ranks 0 to ", n_ - 1, " once.");
  for (const RankColumn& one : z)
    require(one.size() == y.size() && are_ranks(one), "NeighbourInformation: each z must have each of the ranks 0 to ",
            n_ - 1, " once.");
  for (std::size_t m = 2; m < digamma_.size(); ++m) digamma_[m] = digamma_[m - 1] + 1 / static_cast<double>(m - 1);

  distances_z_.assign(n_ * padded_, std::numeric_limits<std::int16_t>::max());
  others_.resize(n_ * (n_ - 1));
  std::vector<std::int16_t> both(n_);
  std::vector<std::size_t> place(n_);
  for (Index a = 0; a < n_; ++a) {
    std::int16_t* in_z = distances_z_.data() + a * padded_;
    std::fill_n(in_z, n_, std::int16_t{0});
    for (const RankColumn& one : z) raise_to_distances(one, a, in_z);
    std::copy_n(in_z, n_, both.begin());
    raise_to_distances(y, a, both.data());
    std::fill(place.begin(), place.end(), 0);  // of the first with a distance: sorted by counting
    for (const std::int16_t distance : both)
      if (distance + 1 < n_) ++place[distance + 1];
    place[1] = 0;  // itself, the only one at distance 0, is no other
    for (std::size_t d = 2; d < place.size(); ++d) place[d] += place[d - 1];
    Other* others = others_.data() + a * (n_ - 1);
    for (Index b = 0; b < n_; ++b) {
      const std::int16_t distance = both[b];
      if (b != a) others[place[distance]++] = {distance, static_cast<std::int16_t>(b)};
    }
  }
}

NeighbourInformation::Reach NeighbourInformation::reach_of(Index a, const std::int16_t* x,
                                                           std::vector<std::int16_t>& nearest) const {
  std::fill(nearest.begin(), nearest.end(), std::numeric_limits<std::int16_t>::max());
  const Other* const first = others_.data() + a * (n_ - 1);
  const Other* other = first;
  for (; other != first + n_ - 1; ++other) {
    if (other->distance >= nearest.back()) break;  // nor is anyone after it nearer in all three
    const auto in_x = static_cast<std::int16_t>(std::abs(x[other->point] - x[a]));
    const std::int16_t joint = std::max(other->distance, in_x);
    for (std::size_t k = nearest.size(); --k > 0;)  // joins the k nearest, without a branch to foretell
      nearest[k] = std::min(nearest[k], std::max(nearest[k - 1], joint));
    nearest.front() = std::min(nearest.front(), joint);
  }
  while (other != first && (other - 1)->distance >= nearest.back()) --other;
  return {nearest.back(), other - first};
}

std::vector<double> NeighbourInformation::operator()(const std::vector<RankColumn>& xs) const {
  std::vector<std::int16_t> padded(xs.size() * padded_);
  for (std::size_t m = 0; m < xs.size(); ++m) {
    require(static_cast<Index>(xs[m].size()) == n_ && are_ranks(xs[m]),
            "NeighbourInformation: x must have each of the ranks 0 to ", n_ - 1, " once.");
    std::copy(xs[m].begin(), xs[m].end(), padded.data() + m * padded_);
  }
  std::vector<std::int16_t> nearest(k_);
  std::vector<double> sums(xs.size(), 0.0);
  for (Index a = 0; a < n_; ++a)  // what belongs to a point stays near the processor for all x
    for (std::size_t m = 0; m < xs.size(); ++m) {
      const std::int16_t* x = padded.data() + m * padded_;
      const Reach reach = reach_of(a, x, nearest);
      const Nearer nearer = count_nearer(distances_z_.data() + a * padded_, x, x[a], reach.distance, padded_);
      sums[m] += digamma_[nearer.in_z] - digamma_[nearer.in_xz] - digamma_[reach.nearer_yz + 1];
    }
  for (double& sum : sums) sum = digamma_[k_] + sum / static_cast<double>(n_);
  return sums;
}

}  // namespace fovea
