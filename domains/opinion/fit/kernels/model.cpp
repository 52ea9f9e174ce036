#include "fovea/domains/opinion/fit/model.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>

#include "fovea/core/base/error.hpp"
#include "fovea/core/kernels/exponential.hpp"
#include "fovea/core/kernels/kernels.hpp"
#include "fovea/core/statistics/distributions/normal.hpp"

namespace fovea::opinion::fit {

namespace {

constexpr double kNodeReach = 4.5;  // standard deviations; 7e-6 of a normal distribution lies outside

double logistic_share(double logit) { return 1 / (1 + exponential(-logit)); }

/// The nodes with their derivatives: entry (i, p) of `by` is dx_i / dtheta_p.
struct Carried {
  Vector<double> x, start;
  Matrix<double> by, start_by;
  Vector<double> weight, log_weight;
  Vector<double> log_weight_by_share;  ///< d log w_i / d logit of the first component's share
};

Vector<double> normal_nodes(Index nodes) { return Vector<double>::LinSpaced(nodes, -kNodeReach, kNodeReach); }

Carried at_start(const FitModel& model, std::span<const double> theta, bool derivatives) {
  const Vector<double> z = normal_nodes(model.nodes);
  Vector<double> share(model.nodes);
  for (Index i = 0; i < model.nodes; ++i) share[i] = exponential(-z[i] * z[i] / 2);
  share /= share.sum();
  const Index count = model.components * model.nodes;
  const double first = model.components == 1 ? 1 : logistic_share(theta[kStart + 4]);
  Carried crowd;
  crowd.x.resize(count);
  crowd.weight.resize(count);
  crowd.log_weight.resize(count);
  crowd.log_weight_by_share = Vector<double>::Zero(count);
  if (derivatives) crowd.by = Matrix<double>::Zero(count, model.parameters());
  for (Index c = 0; c < model.components; ++c) {
    const Index mean = kStart + 2 * c;
    const double sd = exponential(theta[mean + 1]);
    for (Index i = 0; i < model.nodes; ++i) {
      const Index at = c * model.nodes + i;
      crowd.x[at] = theta[mean] + sd * z[i];
      crowd.weight[at] = share[i] * (c == 0 ? first : 1 - first);
      crowd.log_weight[at] = logarithm(crowd.weight[at]);
      if (model.components == 2) crowd.log_weight_by_share[at] = c == 0 ? 1 - first : -first;
      if (!derivatives) continue;
      crowd.by(at, mean) = 1;
      crowd.by(at, mean + 1) = sd * z[i];
    }
  }
  crowd.start = crowd.x;
  crowd.start_by = crowd.by;
  return crowd;
}

/// A(x_i), and with derivatives dA_i / dtheta.
///
/// With S = -(x_i - x_j)^2 / 2T + log g_j, e_ij = w_ij (x_j - A_i) and V_i = sum_j e_ij x_j (the variance that i sees),
///   dA_i = sum_j w_ij dx_j + sum_j e_ij dS_ij
///        = sum_j (w_ij + e_ij (x_i - x_j) / T) dx_j + V_i / T dx_i + sum_j e_ij d log g_j
///          + sum_j e_ij (x_i - x_j)^2 / 2T d log T.
class NodeAttention {
 public:
  NodeAttention(const Carried& crowd, double temperature, bool derivatives)
      : crowd_(crowd), temperature_(temperature), derivatives_(derivatives), count_(crowd.x.size()) {
    means.resize(count_);
    if (derivatives_) {
      slopes_.resize(count_, count_);
      by_log_temperature_.resize(count_);
      by_share_.resize(count_);
      own_.resize(count_);
    }
    Vector<double> row(count_);
    for (Index i = 0; i < count_; ++i) attend(i, row);
    if (!derivatives_) return;
    by = slopes_.lazyProduct(crowd_.by);  // Eigen's large product has bits that depend on the number of threads
    by += own_.asDiagonal() * crowd_.by;
    by.col(kLogTemperature) += by_log_temperature_;
    by.col(by.cols() - 1) += by_share_;
  }

  Vector<double> means;
  Matrix<double> by;

 private:
  void attend(Index i, Vector<double>& row) {
    const double x = crowd_.x[i], half = 0.5 / temperature_;
    row.array() = crowd_.log_weight.array() - (crowd_.x.array() - x).square() * half;
    const Kernels<double>& kernel = kernels<double>();
    row /= kernel.exponentials(row.data(), count_, kernel.maximum(row.data(), count_), row.data());
    const double mean = row.dot(crowd_.x);
    means[i] = mean;
    if (!derivatives_) return;
    double by_temperature = 0, by_share = 0, variance = 0;
    for (Index j = 0; j < count_; ++j) {
      const double e = row[j] * (crowd_.x[j] - mean), apart = x - crowd_.x[j];
      slopes_(i, j) = row[j] + 2 * half * e * apart;
      variance += e * crowd_.x[j];
      by_temperature += e * apart * apart;
      by_share += e * crowd_.log_weight_by_share[j];
    }
    own_[i] = 2 * half * variance;
    by_log_temperature_[i] = half * by_temperature;
    by_share_[i] = by_share;
  }

  const Carried& crowd_;
  double temperature_;
  bool derivatives_;
  Index count_;
  Matrix<double> slopes_;
  Vector<double> own_, by_log_temperature_, by_share_;
};

/// x <- m + e^g (y - m) + v for y = (1 - s) A + s x(0).
void step(Carried& crowd, std::span<const double> theta, bool derivatives) {
  const double s = logistic_share(theta[kLogitStubbornness]), stretch = exponential(theta[kGrowth]);
  const NodeAttention attention(crowd, exponential(theta[kLogTemperature]), derivatives);
  const double mean = crowd.weight.dot(crowd.x);
  const Vector<double> moved = (1 - s) * attention.means + s * crowd.start;
  if (derivatives) {
    Eigen::RowVectorXd mean_by = crowd.weight.transpose() * crowd.by;
    mean_by[mean_by.size() - 1] += crowd.weight.dot(crowd.log_weight_by_share.cwiseProduct(crowd.x));
    Matrix<double> moved_by = (1 - s) * attention.by + s * crowd.start_by;
    moved_by.col(kLogitStubbornness) += s * (1 - s) * (crowd.start - attention.means);
    crowd.by = stretch * moved_by;
    crowd.by.rowwise() += (1 - stretch) * mean_by;
    crowd.by.col(kGrowth).array() += stretch * (moved.array() - mean);
    crowd.by.col(kDrift).array() += 1;
  }
  crowd.x = (mean + theta[kDrift]) + stretch * (moved.array() - mean);
}

void check_theta(const FitModel& model, std::span<const double> theta) {
  require(model.components == 1 || model.components == 2, "fit: the start has ", model.components,
          " components; it must have 1 or 2.");
  require(static_cast<Index>(theta.size()) == model.parameters(), "fit: there are ", theta.size(),
          " parameters, but the model has ", model.parameters(), ".");
}

/// log of the measured density, less the constant -log(sigma sqrt(2 pi)); r: each node's share of it.
double log_sum(const Vector<double>& x, const Vector<double>& log_weight, double value, double noise,
               Vector<double>& r) {
  r.array() = log_weight.array() - (x.array() - value).square() * (0.5 / (noise * noise));
  const Kernels<double>& kernel = kernels<double>();
  const double top = kernel.maximum(r.data(), r.size());
  const double sum = kernel.exponentials(r.data(), r.size(), top, r.data());
  r /= sum;
  return top + logarithm(sum);
}

const double kLogRootTwoPi = 0.5 * logarithm(2 * std::numbers::pi);

/// log p of each value, and with derivatives its score: one product for all values.
struct PeriodScores {
  Vector<double> log_density;
  Matrix<double> scores;  ///< values x parameters
};

/// What each node gives to a value, and how that pulls at the node: row by row, then one product.
struct Pulls {
  Matrix<double> nodes;
  Vector<double> by_noise, by_share;
  Pulls(Index values, Index count) : nodes(values, count), by_noise(values), by_share(values) {}
};

void add_density(const Carried& crowd, double noise, double value, Index k, Vector<double>& r, Pulls& pulls,
                 PeriodScores& of, bool derivatives) {
  of.log_density[k] = log_sum(crowd.x, crowd.log_weight, value, noise, r) - logarithm(noise) - kLogRootTwoPi;
  if (!derivatives) return;
  pulls.nodes.row(k) = (r.array() * (value - crowd.x.array())).transpose() / (noise * noise);
  pulls.by_noise[k] = (r.array() * (value - crowd.x.array()).square()).sum() / (noise * noise) - 1;
  pulls.by_share[k] = r.dot(crowd.log_weight_by_share);
}

/// Phi and phi at an edge, seen from a node; both tails, so that a difference of two keeps its digits.
struct EdgeOfCell {
  double below = 0, above = 1, density = 0, moment = 0;  ///< moment: place times density

  EdgeOfCell(double edge, double x, double noise) {
    if (std::isinf(edge)) {
      if (edge > 0) std::swap(below, above);
      return;
    }
    const double z = (edge - x) / noise, tail = normal_cdf(-std::abs(z));
    below = z < 0 ? tail : 1 - tail;
    above = z < 0 ? 1 - tail : tail;
    density = exponential(-z * z / 2 - kLogRootTwoPi);
    moment = z * density;
  }
};

double share_between(const EdgeOfCell& low, const EdgeOfCell& high) {
  return low.above < low.below ? low.above - high.above : high.below - low.below;
}

constexpr double kLeastShare = 1e-290;  // of a cell: its logarithm stays finite

/// The edges of one cell after another, as all nodes see them: where cells meet, an edge is computed once.
class CellEdges {
 public:
  CellEdges(const Vector<double>& x, double noise) : x_(x), noise_(noise) {}
  void go_to(double low, double high) {
    if (!lows.empty() && low == at_)
      std::swap(lows, highs);
    else
      see(low, lows);
    see(high, highs);
    at_ = high;
  }
  std::vector<EdgeOfCell> lows, highs;

 private:
  void see(double edge, std::vector<EdgeOfCell>& seen) const {
    seen.clear();
    for (Index i = 0; i < x_.size(); ++i) seen.emplace_back(edge, x_[i], noise_);
  }
  const Vector<double>& x_;
  double noise_, at_ = 0;
};

/// P = sum_i g_i (Phi((b - x_i) / sigma) - Phi((a - x_i) / sigma)) for the cell from a to b.
void add_cell(const Carried& crowd, double noise, const CellEdges& edges, Index k, Pulls& pulls, PeriodScores& of,
              bool derivatives) {
  double sum = 0, by_noise = 0, by_share = 0;
  for (Index i = 0; i < crowd.x.size(); ++i) {
    const EdgeOfCell &a = edges.lows[i], &b = edges.highs[i];
    const double share = crowd.weight[i] * share_between(a, b);
    sum += share;
    if (!derivatives) continue;
    pulls.nodes(k, i) = crowd.weight[i] * (a.density - b.density) / noise;
    by_noise += crowd.weight[i] * (a.moment - b.moment);
    by_share += share * crowd.log_weight_by_share[i];
  }
  sum = std::max(sum, kLeastShare);
  of.log_density[k] = logarithm(sum);
  if (!derivatives) return;
  pulls.nodes.row(k) /= sum;
  pulls.by_noise[k] = by_noise / sum;
  pulls.by_share[k] = by_share / sum;
}

PeriodScores scores_of(const Carried& crowd, double noise, const MeasuredPeriod& sample, bool derivatives) {
  const auto values = static_cast<Index>(sample.values.size());
  PeriodScores of;
  of.log_density.resize(values);
  Pulls pulls(derivatives ? values : 0, crowd.x.size());
  Vector<double> r(crowd.x.size());
  CellEdges edges(crowd.x, noise);
  for (Index k = 0; k < values; ++k) {
    const std::size_t at = k;
    if (sample.low.empty()) {
      add_density(crowd, noise, sample.values[at], k, r, pulls, of, derivatives);
      continue;
    }
    edges.go_to(sample.low[at], sample.high[at]);
    add_cell(crowd, noise, edges, k, pulls, of, derivatives);
  }
  if (!derivatives) return of;
  of.scores = pulls.nodes.lazyProduct(crowd.by);
  of.scores.col(kLogNoise) += pulls.by_noise;
  of.scores.col(of.scores.cols() - 1) += pulls.by_share;
  return of;
}

void add_period(FitLikelihood& sum, const Carried& crowd, double noise, const MeasuredPeriod& sample,
                bool derivatives) {
  const PeriodScores of = scores_of(crowd, noise, sample, derivatives);
  const Eigen::Map<const Vector<double>> counts(sample.counts.data(), static_cast<Index>(sample.counts.size()));
  sum.value += of.log_density.dot(counts);
  if (!derivatives) return;
  sum.gradient += of.scores.transpose().lazyProduct(counts);
  const Matrix<double> counted = counts.asDiagonal() * of.scores;
  sum.information += counted.transpose().lazyProduct(of.scores);
}

CrowdMeasure measure_of(const Carried& crowd) {
  return {{crowd.x.data(), crowd.x.data() + crowd.x.size()},
          {crowd.weight.data(), crowd.weight.data() + crowd.weight.size()}};
}

}  // namespace

std::vector<CrowdMeasure> push_forward(const FitModel& model, std::span<const double> theta, Index periods) {
  check_theta(model, theta);
  Carried crowd = at_start(model, theta, false);
  std::vector<CrowdMeasure> path;
  for (Index period = 0; period < periods; ++period) {
    for (Index k = model.steps_before(period); k > 0; --k) step(crowd, theta, false);
    path.push_back(measure_of(crowd));
  }
  return path;
}

std::vector<double> measured_density(const CrowdMeasure& crowd, double noise, std::span<const double> places) {
  const double height = 1 / (noise * std::sqrt(2 * std::numbers::pi));
  std::vector<double> density;
  for (const double place : places) {
    double sum = 0;
    for (std::size_t i = 0; i < crowd.opinions.size(); ++i) {
      const double apart = (place - crowd.opinions[i]) / noise;
      sum += crowd.weights[i] * exponential(-apart * apart / 2);
    }
    density.push_back(height * sum);
  }
  return density;
}

FitLikelihood fit_likelihood(const FitModel& model, std::span<const double> theta,
                             std::span<const MeasuredPeriod> periods, bool derivatives) {
  check_theta(model, theta);
  Carried crowd = at_start(model, theta, derivatives);
  const double noise = exponential(theta[kLogNoise]);
  FitLikelihood sum;
  sum.gradient = Vector<double>::Zero(model.parameters());
  sum.information = Matrix<double>::Zero(model.parameters(), model.parameters());
  for (std::size_t period = 0; period < periods.size(); ++period) {
    for (Index k = model.steps_before(period); k > 0; --k) step(crowd, theta, derivatives);
    add_period(sum, crowd, noise, periods[period], derivatives);
  }
  return sum;
}

Matrix<double> clustered_information(const FitModel& model, std::span<const double> theta,
                                     std::span<const MeasuredPeriod> periods,
                                     std::span<const std::vector<std::int64_t>> persons) {
  check_theta(model, theta);
  require(periods.size() == persons.size(), "clustered_information: there are ", periods.size(), " samples, but ",
          persons.size(), " lists of persons.");
  Carried crowd = at_start(model, theta, true);
  std::map<std::int64_t, Vector<double>> of_person;
  for (std::size_t period = 0; period < periods.size(); ++period) {
    for (Index k = model.steps_before(period); k > 0; --k) step(crowd, theta, true);
    const Matrix<double> scores = scores_of(crowd, exponential(theta[kLogNoise]), periods[period], true).scores;
    for (Index k = 0; k < scores.rows(); ++k) {
      Vector<double>& sum = of_person[persons[period].at(k)];
      if (sum.size() == 0) sum = Vector<double>::Zero(model.parameters());
      sum += periods[period].counts.at(k) * scores.row(k).transpose();
    }
  }
  Matrix<double> information = Matrix<double>::Zero(model.parameters(), model.parameters());
  for (const auto& [person, sum] : of_person) information += sum * sum.transpose();
  return information;
}

std::vector<double> measured_shares(const CrowdMeasure& crowd, double noise, const AnswerGrid& grid) {
  std::vector<double> shares(grid.points.size(), 0.0);
  for (std::size_t k = 0; k < shares.size(); ++k)
    for (std::size_t i = 0; i < crowd.opinions.size(); ++i) {
      const EdgeOfCell low(grid.lower_edge(k), crowd.opinions[i], noise);
      const EdgeOfCell high(grid.lower_edge(k + 1), crowd.opinions[i], noise);
      shares[k] += crowd.weights[i] * share_between(low, high);
    }
  return shares;
}

double log_density_of(const CrowdMeasure& crowd, double noise, const MeasuredPeriod& sample) {
  Carried held;
  held.x = Eigen::Map<const Vector<double>>(crowd.opinions.data(), static_cast<Index>(crowd.opinions.size()));
  held.weight = Eigen::Map<const Vector<double>>(crowd.weights.data(), held.x.size());
  held.log_weight.resize(held.x.size());
  for (Index i = 0; i < held.x.size(); ++i) held.log_weight[i] = logarithm(held.weight[i]);
  const Eigen::Map<const Vector<double>> counts(sample.counts.data(), static_cast<Index>(sample.counts.size()));
  return scores_of(held, noise, sample, false).log_density.dot(counts);
}

}  // namespace fovea::opinion::fit
