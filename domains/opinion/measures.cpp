#include "fovea/domains/opinion/measures.hpp"

#include <Eigen/SVD>
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "fovea/core/attention/attention_weights.hpp"
#include "fovea/core/error.hpp"
#include "fovea/core/statistics/missing.hpp"
#include "fovea/core/statistics/moments.hpp"

namespace fovea::opinion {

namespace {

// Below this spread, relative to the size of the opinions, the higher moments are made of rounding errors.
constexpr double kRoundingSpread = 1e-12;

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

std::vector<Index> in_order(const std::vector<double>& positions) {
  std::vector<Index> order(positions.size());
  std::iota(order.begin(), order.end(), Index{0});
  std::stable_sort(order.begin(), order.end(), [&](Index a, Index b) {
    return positions[static_cast<std::size_t>(a)] < positions[static_cast<std::size_t>(b)];
  });
  return order;
}

/// A raw label for each agent, equal inside a camp: one dimension.
std::vector<Index> link_on_line(const Matrix<double>& opinions, double gap) {
  const std::vector<double> positions(opinions.data(), opinions.data() + opinions.rows());
  const std::vector<Index> order = in_order(positions);
  std::vector<Index> label(positions.size(), 0);
  Index current = 0;
  for (std::size_t k = 1; k < order.size(); ++k) {
    if (opinions(order[k], 0) - opinions(order[k - 1], 0) > gap) ++current;
    label[static_cast<std::size_t>(order[k])] = current;
  }
  return label;
}

/// The same in space, by flooding each camp from its first agent.
std::vector<Index> link_in_space(const Matrix<double>& opinions, double gap) {
  const Index n = opinions.rows();
  std::vector<Index> label(static_cast<std::size_t>(n), -1);
  std::vector<Index> unlabelled(label.size());
  std::iota(unlabelled.begin(), unlabelled.end(), Index{0});
  std::vector<Index> front;
  for (Index current = 0; !unlabelled.empty(); ++current) {
    front.assign(1, unlabelled.front());
    label[static_cast<std::size_t>(unlabelled.front())] = current;
    while (!front.empty()) {
      const Index i = front.back();
      front.pop_back();
      std::erase_if(unlabelled, [&](Index j) {
        Index& mine = label[static_cast<std::size_t>(j)];
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
  const auto count = static_cast<std::size_t>(*std::max_element(label.begin(), label.end()) + 1);
  std::vector<Index> size(count, 0), first(count, -1), order(count), rank(count);
  for (std::size_t i = 0; i < label.size(); ++i) {
    const auto a = static_cast<std::size_t>(label[i]);
    if (first[a] < 0) first[a] = static_cast<Index>(i);
    ++size[a];
  }
  std::iota(order.begin(), order.end(), Index{0});
  std::sort(order.begin(), order.end(), [&](Index left, Index right) {
    const auto a = static_cast<std::size_t>(left), b = static_cast<std::size_t>(right);
    return size[a] != size[b] ? size[a] > size[b] : first[a] < first[b];
  });
  Camps camps;
  camps.sizes.resize(count);
  for (std::size_t k = 0; k < count; ++k) {
    rank[static_cast<std::size_t>(order[k])] = static_cast<Index>(k);
    camps.sizes[k] = size[static_cast<std::size_t>(order[k])];
  }
  camps.camp.resize(label.size());
  camps.centres = Matrix<double>::Zero(static_cast<Index>(count), opinions.cols());
  for (std::size_t i = 0; i < label.size(); ++i) {
    camps.camp[i] = rank[static_cast<std::size_t>(label[i])];
    camps.centres.row(camps.camp[i]) += opinions.row(static_cast<Index>(i));
  }
  for (std::size_t k = 0; k < count; ++k)
    camps.centres.row(static_cast<Index>(k)) /= static_cast<double>(camps.sizes[k]);
  return camps;
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
  std::vector<double> positions(static_cast<std::size_t>(opinions.rows()));
  for (Index i = 0; i < opinions.rows(); ++i)
    positions[static_cast<std::size_t>(i)] = (opinions.row(i) - mean).dot(axis);
  return positions;
}

double bimodality(const Matrix<double>& opinions) {
  const std::vector<double> positions = principal_positions(opinions);
  const Moments m = moments(positions);
  const double size = opinions.cwiseAbs().maxCoeff();
  if (!(std::sqrt(m.variance) > kRoundingSpread * size)) return kNan;
  return (m.skewness * m.skewness + 1) / m.kurtosis;
}

Index Camps::at_least(double share) const {
  const double least = share * static_cast<double>(camp.size());
  return std::count_if(sizes.begin(), sizes.end(), [&](Index size) { return static_cast<double>(size) >= least; });
}

Camps find_camps(const Matrix<double>& opinions, double gap) {
  require_agents(opinions, "find_camps");
  require(gap > 0, "find_camps: gap = ", gap, ", but must be > 0.");
  return number_by_size(opinions, opinions.cols() == 1 ? link_on_line(opinions, gap) : link_in_space(opinions, gap));
}

double esteban_ray(const Camps& camps, double alpha) {
  require(alpha >= 0 && alpha <= 1.6, "esteban_ray: alpha = ", alpha, ", but must be in [0, 1.6].");
  const auto n = static_cast<double>(camps.camp.size());
  double sum = 0;
  for (std::size_t a = 0; a < camps.sizes.size(); ++a) {
    const double weight = std::pow(static_cast<double>(camps.sizes[a]) / n, 1 + alpha);
    double distance = 0;
    for (std::size_t b = 0; b < camps.sizes.size(); ++b)
      distance += static_cast<double>(camps.sizes[b]) / n *
                  (camps.centres.row(static_cast<Index>(a)) - camps.centres.row(static_cast<Index>(b))).norm();
    sum += weight * distance;
  }
  return sum;
}

double camp_distance(const Camps& camps) {
  if (camps.sizes.size() < 2) return 0;
  return (camps.centres.row(0) - camps.centres.row(1)).norm();
}

double nearest_camps(const Camps& camps) {
  double nearest = std::numeric_limits<double>::infinity();
  for (Index a = 0; a < camps.centres.rows(); ++a)
    for (Index b = 0; b < a; ++b) nearest = std::min(nearest, (camps.centres.row(a) - camps.centres.row(b)).norm());
  return camps.sizes.size() < 2 ? 0 : nearest;
}

double echo_chamber_index(const Matrix<double>& opinions, const AttentionSpec<double>& spec,
                          const AttentionResult<double>& forward, const Camps& camps) {
  const auto count = static_cast<Index>(camps.sizes.size());
  const Matrix<double> between =
      attention_between_groups<double>(opinions, opinions, spec, forward, 0, camps.camp, count, camps.camp, count);
  double inside = 0;
  for (Index a = 0; a < count; ++a)
    inside += static_cast<double>(camps.sizes[static_cast<std::size_t>(a)]) * between(a, a);
  return inside / static_cast<double>(opinions.rows());
}

std::vector<Index> rank_groups(const Matrix<double>& opinions, Index groups) {
  require(groups >= 1 && groups <= opinions.rows(), "rank_groups: groups = ", groups, ", but must be in [1, ",
          opinions.rows(), "], the number of agents.");
  const std::vector<Index> order = in_order(principal_positions(opinions));
  std::vector<Index> group(order.size());
  const Index n = opinions.rows();
  for (Index rank = 0; rank < n; ++rank)
    group[static_cast<std::size_t>(order[static_cast<std::size_t>(rank)])] = rank * groups / n;
  return group;
}

}  // namespace fovea::opinion
