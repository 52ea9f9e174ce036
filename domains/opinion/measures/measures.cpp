#include "fovea/domains/opinion/measures/measures.hpp"

#include <Eigen/SVD>
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <map>
#include <numeric>
#include <span>

#include "fovea/core/attention/attention_weights.hpp"
#include "fovea/core/base/error.hpp"
#include "fovea/core/base/missing.hpp"
#include "fovea/core/base/moments.hpp"
#include "fovea/core/base/ordering.hpp"
#include "fovea/domains/opinion/measures/gap_camps.hpp"

namespace fovea::opinion::measures {

namespace {

using Row = Eigen::Matrix<double, 1, Eigen::Dynamic>;

Row mean_opinion(const Matrix<double>& opinions) {
  Row mean = Row::Zero(opinions.cols());
  for (Index i = 0; i < opinions.rows(); ++i) mean += opinions.row(i);
  return mean / static_cast<double>(opinions.rows());
}

Row leading_axis(const Matrix<double>& opinions, const Row& mean) {
  const Index d = opinions.cols();
  if (d == 1) return Row::Ones(1);
  Matrix<double> covariance = Matrix<double>::Zero(d, d);
  for (Index i = 0; i < opinions.rows(); ++i) {
    const Row away = opinions.row(i) - mean;
    covariance += away.transpose() * away;
  }
  // Of a symmetric matrix the singular vectors are the eigenvectors; this solver compiles in a quarter of the time.
  const Eigen::JacobiSVD<Eigen::MatrixXd, Eigen::NoQRPreconditioner> solver(covariance, Eigen::ComputeFullV);
  Row axis = solver.matrixV().col(0).transpose();
  Index largest = 0;
  axis.cwiseAbs().maxCoeff(&largest);
  return axis[largest] < 0 ? Row(-axis) : axis;
}

/// Who belongs together, as trees that point to their root (Tarjan 1975, halving the paths).
class Unions {
 public:
  explicit Unions(Index count) : parent_(count) { std::iota(parent_.begin(), parent_.end(), Index{0}); }
  Index root(Index i) {
    while (parent(i) != i) i = parent(i) = parent(parent(i));
    return i;
  }
  void join(Index a, Index b) { parent(root(b)) = root(a); }
  /// The trees numbered from 0.
  std::vector<Index> labels() {
    std::vector<Index> number(parent_.size(), -1), label(parent_.size());
    Index trees = 0;
    for (std::size_t i = 0; i < label.size(); ++i) {
      Index& mine = number[root(static_cast<Index>(i))];
      if (mine < 0) mine = trees++;
      label[i] = mine;
    }
    return label;
  }

 private:
  Index& parent(Index i) { return parent_[i]; }
  std::vector<Index> parent_;
};

using Cell = std::array<std::int64_t, 3>;
using Members = std::map<Cell, std::vector<Index>>;

bool any_within(const Matrix<double>& opinions, const std::vector<Index>& some, const std::vector<Index>& others,
                double gap) {
  for (const Index i : some)
    for (const Index j : others)
      if ((opinions.row(i) - opinions.row(j)).norm() <= gap) return true;
  return false;
}

/// Two or three components: in cells so small that all in one belong together; only cells near each other are compared.
std::vector<Index> link_in_cells(const Matrix<double>& opinions, double gap) {
  const Index d = opinions.cols();
  const double side = gap / std::sqrt(static_cast<double>(d)) * (1 - 1e-9);  // the diagonal is below the gap
  constexpr std::int64_t kReach = 2;  // cells apart at most that agents within the gap are: floor(sqrt(3)) + 1
  Members members;
  for (Index i = 0; i < opinions.rows(); ++i) {
    Cell cell{};
    for (Index c = 0; c < d; ++c) cell[c] = static_cast<std::int64_t>(std::floor(opinions(i, c) / side));
    members[cell].push_back(i);
  }
  Unions unions(opinions.rows());
  for (const auto& [cell, agents] : members)
    for (const Index i : agents) unions.join(agents.front(), i);
  const std::int64_t depth = d == 3 ? kReach : 0;
  for (const auto& [cell, agents] : members)
    for (std::int64_t a = 0; a <= kReach; ++a)  // each pair of cells once
      for (std::int64_t b = -kReach; b <= kReach; ++b)
        for (std::int64_t c = -depth; c <= depth; ++c) {
          const auto other = members.find({cell[0] + a, cell[1] + b, cell[2] + c});
          if (other == members.end()) continue;
          const Index i = agents.front(), j = other->second.front();
          if (unions.root(i) != unions.root(j) && any_within(opinions, agents, other->second, gap)) unions.join(i, j);
        }
  return unions.labels();
}

/// Any number of components, by flooding each camp from its first agent.
std::vector<Index> link_in_space(const Matrix<double>& opinions, double gap) {
  const Index n = opinions.rows();
  std::vector<Index> label(n, -1);
  std::vector<Index> unlabelled(label.size());
  std::iota(unlabelled.begin(), unlabelled.end(), Index{0});
  std::vector<Index> front;
  for (Index current = 0; !unlabelled.empty(); ++current) {
    front.assign(1, unlabelled.front());
    label[unlabelled.front()] = current;
    while (!front.empty()) {
      const Index i = front.back();
      front.pop_back();
      std::erase_if(unlabelled, [&](Index j) {
        Index& mine = label[j];
        if (mine < 0 && (opinions.row(i) - opinions.row(j)).norm() <= gap) {
          mine = current;
          front.push_back(j);
        }
        return mine >= 0;
      });
    }
  }
  return label;
}

/// Numbers the camps by size and finds their centres.
Camps number_by_size(const Matrix<double>& opinions, const std::vector<Index>& label) {
  const std::size_t count = *std::max_element(label.begin(), label.end()) + 1;
  std::vector<Index> size(count, 0), first(count, -1), order(count), rank(count);
  for (std::size_t i = 0; i < label.size(); ++i) {
    const std::size_t a = label[i];
    if (first[a] < 0) first[a] = static_cast<Index>(i);
    ++size[a];
  }
  std::iota(order.begin(), order.end(), Index{0});
  std::sort(order.begin(), order.end(), [&](Index left, Index right) {
    const std::size_t a = left, b = right;
    return size[a] != size[b] ? size[a] > size[b] : first[a] < first[b];
  });
  Camps camps;
  camps.sizes.resize(count);
  for (std::size_t k = 0; k < count; ++k) {
    rank[order[k]] = static_cast<Index>(k);
    camps.sizes[k] = size[order[k]];
  }
  camps.camp.resize(label.size());
  camps.centres = Matrix<double>::Zero(static_cast<Index>(count), opinions.cols());
  for (std::size_t i = 0; i < label.size(); ++i) {
    camps.camp[i] = rank[label[i]];
    camps.centres.row(camps.camp[i]) += opinions.row(static_cast<Index>(i));
  }
  for (std::size_t k = 0; k < count; ++k)
    camps.centres.row(static_cast<Index>(k)) /= static_cast<double>(camps.sizes[k]);
  return camps;
}

/// So many camps on the line that they are gone through in order, and not pair by pair.
bool has_many(const Camps& camps) { return camps.centres.cols() == 1 && camps.centres.rows() > 100; }

std::span<const double> positions_of(const Camps& camps) {
  return {camps.centres.data(), static_cast<std::size_t>(camps.centres.rows())};
}

/// The distance of a camp from an agent, mean over agents: pair by pair.
double mean_distance(const Camps& camps, std::size_t a) {
  const auto agents = static_cast<double>(camps.agents());
  double distance = 0;
  for (std::size_t b = 0; b < camps.sizes.size(); ++b)
    distance += static_cast<double>(camps.sizes[b]) / agents *
                (camps.centres.row(static_cast<Index>(a)) - camps.centres.row(static_cast<Index>(b))).norm();
  return distance;
}

/// The same for all camps on the line: going upwards, each step brings the camps below further off by its length and
/// those above nearer.
std::vector<double> mean_distances_on_line(const Camps& camps) {
  const std::span<const double> position = positions_of(camps);
  const std::vector<std::uint32_t> order = ascending_order(position);
  const auto agents = static_cast<double>(camps.agents());
  const auto share = [&](std::uint32_t a) { return static_cast<double>(camps.sizes[a]) / agents; };
  double below = 0, current = 0;
  for (const std::uint32_t a : order) current += share(a) * (position[a] - position[order.front()]);
  std::vector<double> distances(order.size());
  for (std::size_t k = 0; k < order.size(); ++k) {
    if (k > 0) current += (position[order[k]] - position[order[k - 1]]) * (2 * below - 1);
    distances[order[k]] = current;
    below += share(order[k]);
  }
  return distances;
}

void require_agents(const Matrix<double>& opinions, const char* who) {
  require(opinions.rows() > 0 && opinions.cols() > 0, who, ": opinions are ", opinions.rows(), " x ", opinions.cols(),
          "; at least one agent with one component is needed.");
}

}  // namespace

double variance(const Matrix<double>& opinions) {
  require_agents(opinions, "variance");
  const Row mean = mean_opinion(opinions);
  double squares = 0;
  for (Index i = 0; i < opinions.rows(); ++i) squares += (opinions.row(i) - mean).squaredNorm();
  return squares / static_cast<double>(opinions.size());
}

std::vector<double> principal_positions(const Matrix<double>& opinions) {
  require_agents(opinions, "principal_positions");
  const Row mean = mean_opinion(opinions);
  const Row axis = leading_axis(opinions, mean);
  std::vector<double> positions(opinions.rows());
  for (Index i = 0; i < opinions.rows(); ++i) positions[i] = (opinions.row(i) - mean).dot(axis);
  return positions;
}

double bimodality(const Matrix<double>& opinions) {
  const std::vector<double> positions = principal_positions(opinions);
  const Moments m = moments(positions);
  const double size = opinions.cwiseAbs().maxCoeff();
  if (!(std::sqrt(m.variance) > kRoundingSpread * size)) return kNan;
  return (m.skewness * m.skewness + 1) / m.kurtosis;
}

double order(const Matrix<double>& opinions, bool angles) {
  require_agents(opinions, "order");
  if (!angles) return opinions.colwise().mean().norm();
  double x = 0, y = 0;
  for (Index i = 0; i < opinions.rows(); ++i) {
    x += std::cos(opinions(i, 0));
    y += std::sin(opinions(i, 0));
  }
  return std::hypot(x, y) / static_cast<double>(opinions.rows());
}

Index Camps::agents() const { return std::accumulate(sizes.begin(), sizes.end(), Index{0}); }

Index Camps::at_least(double share) const {
  const double least = share * static_cast<double>(agents());
  return std::count_if(sizes.begin(), sizes.end(), [&](Index size) { return static_cast<double>(size) >= least; });
}

Camps find_camps(const Matrix<double>& opinions, double gap) {
  require_agents(opinions, "find_camps");
  require(gap > 0, "find_camps: gap = ", gap, ", but must be > 0.");
  if (opinions.cols() == 1) {
    const GapCamps line({opinions.data(), static_cast<std::size_t>(opinions.rows())}, gap);
    Camps camps = line.camps();
    camps.camp.resize(opinions.rows());
    for (Index i = 0; i < opinions.rows(); ++i) camps.camp[i] = line.camp_of(opinions(i, 0));
    return camps;
  }
  constexpr double kMostCells = 1e15;  // beyond it the number of a cell is not exact
  const bool few = opinions.cols() <= 3 && opinions.cwiseAbs().maxCoeff() < kMostCells * gap;
  return number_by_size(opinions, few ? link_in_cells(opinions, gap) : link_in_space(opinions, gap));
}

double esteban_ray(const Camps& camps, double alpha) {
  require(alpha >= 0 && alpha <= 1.6, "esteban_ray: alpha = ", alpha, ", but must be in [0, 1.6].");
  const auto n = static_cast<double>(camps.agents());
  const bool on_line = has_many(camps);
  const std::vector<double> distances = on_line ? mean_distances_on_line(camps) : std::vector<double>();
  double sum = 0;
  for (std::size_t a = 0; a < camps.sizes.size(); ++a) {
    const double weight = std::pow(static_cast<double>(camps.sizes[a]) / n, 1 + alpha);
    sum += weight * (on_line ? distances[a] : mean_distance(camps, a));
  }
  return sum;
}

double camp_distance(const Camps& camps) {
  if (camps.sizes.size() < 2) return 0;
  return (camps.centres.row(0) - camps.centres.row(1)).norm();
}

double nearest_camps(const Camps& camps) {
  double nearest = std::numeric_limits<double>::infinity();
  if (has_many(camps)) {
    const std::vector<double> centres = ascending(positions_of(camps));
    for (std::size_t k = 1; k < centres.size(); ++k) nearest = std::min(nearest, centres[k] - centres[k - 1]);
    return nearest;
  }
  for (Index a = 0; a < camps.centres.rows(); ++a)
    for (Index b = 0; b < a; ++b) nearest = std::min(nearest, (camps.centres.row(a) - camps.centres.row(b)).norm());
  return camps.sizes.size() < 2 ? 0 : nearest;
}

double echo_chamber_index(const Matrix<double>& opinions, const AttentionSpec<double>& spec,
                          const AttentionResult<double>& forward, const Camps& camps) {
  const auto count = static_cast<Index>(camps.sizes.size());
  const Matrix<double> between =
      attention_between_groups<double>(opinions, opinions, spec, forward, 0, camps.camp, count, camps.camp, count);
  const double agents = static_cast<double>(opinions.rows());
  double inside = 0, mixed = 0;
  for (Index a = 0; a < count; ++a) {
    const double share = static_cast<double>(camps.sizes[a]) / agents;
    inside += share * between(a, a);
    mixed += share * share;
  }
  return count < 2 ? 0 : (inside - mixed) / (1 - mixed);
}

std::vector<Index> rank_groups(const Matrix<double>& opinions, Index groups) {
  require(groups >= 1 && groups <= opinions.rows(), "rank_groups: groups = ", groups, ", but must be in [1, ",
          opinions.rows(), "], the number of agents.");
  const std::vector<std::uint32_t> order = ascending_order(principal_positions(opinions));
  std::vector<Index> group(order.size());
  const Index n = opinions.rows();
  for (Index rank = 0; rank < n; ++rank) group[order[rank]] = rank * groups / n;
  return group;
}

}  // namespace fovea::opinion::measures
