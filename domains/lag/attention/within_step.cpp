#include "fovea/domains/lag/attention/within_step.hpp"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>
#include <map>

#include "fovea/core/kernels/exponential.hpp"

namespace fovea::lag::attention {

namespace {

// Log Bayes factor of a direction: theory.md, step 7.
constexpr double kOriented = 2;
// P-value above which a lagged link is nothing beyond the step.
constexpr double kExplained = 0.05;

/// n log(residual square / n) + columns log n of y on the first `keep` columns of x and of the others those with
/// t^2 > log n.
double criterion_after_pruning(Eigen::MatrixXd x, const Eigen::VectorXd& y, Index keep) {
  const auto n = static_cast<double>(y.size());
  const double least = logarithm(n);
  while (true) {
    const Index count = x.cols();
    const Eigen::LLT<Eigen::MatrixXd> factor(x.transpose() * x);
    const Eigen::VectorXd b = factor.solve(x.transpose() * y);
    const double square = std::max((y - x * b).squaredNorm(), 1e-300);
    const Eigen::VectorXd inverse = factor.solve(Eigen::MatrixXd::Identity(count, count)).diagonal() *
                                    (square / std::max(n - static_cast<double>(count) - 1.0, 1.0));
    Index weakest = -1;
    double smallest = least;
    for (Index c = keep; c < count; ++c) {
      const double t2 = b[c] * b[c] / inverse[c];
      if (t2 < smallest) smallest = t2, weakest = c;
    }
    if (weakest < 0) return n * logarithm(square / n) + static_cast<double>(count) * least;
    x.middleCols(weakest, count - 1 - weakest) = x.rightCols(count - 1 - weakest).eval();
    x.conservativeResize(Eigen::NoChange, count - 1);
  }
}

class Criteria {
 public:
  Criteria(const Learned& learned, const datasets::series::SeriesTable& table, const std::vector<Index>& lags)
      : learned_(learned), table_(table), lags_(lags) {}

  /// Of target, given `cause` at its own step; -1: given lagged values alone.
  double of(Index target, Index cause) {
    const TargetRows rows(*learned_.products, table_, lags_, target);
    const std::vector<Index>& keys = learned_.models[target].tests.chosen;
    const Index keep = cause < 0 ? 0 : 1;
    Eigen::MatrixXd x(rows.count(), keep + std::ssize(keys));
    if (cause >= 0) x.col(0) = rows.within(cause);
    for (std::size_t k = 0; k < keys.size(); ++k) x.col(keep + static_cast<Index>(k)) = rows.key(keys[k]);
    return criterion_after_pruning(std::move(x), rows.target(), keep);
  }

 private:
  const Learned& learned_;
  const datasets::series::SeriesTable& table_;
  const std::vector<Index>& lags_;
};

/// Causes within the step of each effect, and for pairs without direction both ways.
struct Neighbours {
  std::map<Index, std::vector<Index>> causes;     ///< by effect
  std::map<Index, std::vector<Index>> undecided;  ///< by series
};

}  // namespace

double evidence_of_direction(Index i, Index j, const Learned& learned, const datasets::series::SeriesTable& table,
                             const std::vector<Index>& lags) {
  Criteria criteria(learned, table, lags);
  return 0.5 * (criteria.of(i, j) + criteria.of(j, -1) - criteria.of(i, -1) - criteria.of(j, i));
}

Index compete_within_step(std::vector<methods::Link*> within, std::vector<TargetLinks>& parts, const Learned& learned,
                          const datasets::series::SeriesTable& table, const std::vector<Index>& lags, Index held) {
  std::vector<double> evidence(within.size());
#pragma omp parallel for schedule(dynamic)
  for (std::size_t k = 0; k < within.size(); ++k)
    evidence[k] = evidence_of_direction(within[k]->cause, within[k]->effect, learned, table, lags);
  Neighbours near;
  for (std::size_t k = 0; k < within.size(); ++k) {
    methods::Link& link = *within[k];
    if (evidence[k] < -kOriented) std::swap(link.cause, link.effect);
    link.directed = std::abs(evidence[k]) > kOriented;
    if (link.directed) {
      near.causes[link.effect].push_back(link.cause);
    } else {
      near.undecided[link.effect].push_back(link.cause);
      near.undecided[link.cause].push_back(link.effect);
    }
  }
  std::vector<Index> explained(parts.size(), 0);
#pragma omp parallel for schedule(dynamic)
  for (std::size_t k = 0; k < parts.size(); ++k) {
    TargetLinks& part = parts[k];
    const auto again = [&](const std::vector<Index>& given, auto wanted) {
      std::vector<std::size_t> places;
      for (std::size_t l = 0; l < part.links.size(); ++l)
        if (part.links[l].counts && !part.links[l].self() && wanted(part.links[l])) places.push_back(l);
      if (places.empty()) return;
      const TargetRows rows(*learned.products, table, lags, part.target);
      const RowsGiven conditions = rows_given(rows, part.conditions, held, given, part.seconds);
      confirm(part, places, rows, conditions, *learned.products, lags.size());
      for (const std::size_t l : places) explained[k] += part.links[l].p_value > kExplained ? 1 : 0;
    };
    if (const auto causes = near.causes.find(part.target); causes != near.causes.end())
      again(causes->second, [&](const methods::Link& link) {
        return std::find(causes->second.begin(), causes->second.end(), link.cause) != causes->second.end();
      });
    if (const auto others = near.undecided.find(part.target); others != near.undecided.end())
      for (const Index other : others->second)
        again({other}, [&](const methods::Link& link) { return link.cause == other; });
  }
  Index all = 0;
  for (const Index count : explained) all += count;
  return all;
}

}  // namespace fovea::lag::attention
