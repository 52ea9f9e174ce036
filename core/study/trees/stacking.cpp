#include "fovea/core/study/trees/stacking.hpp"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <numeric>

#include "fovea/core/base/error.hpp"
#include "fovea/core/kernels/exponential.hpp"

namespace fovea::study {

namespace {

constexpr int kSweeps = 200, kHalvings = 30;
constexpr double kSettled = 1e-7;  // of a weight: far below what a share of a per cent changes
constexpr double kLargest = 1e3;   // where the classes are parted the loss has no minimum; as for temperatures

void check_parts(const char* who, std::span<const Matrix<double>> parts, std::size_t rows) {
  require(!parts.empty(), who, ": there is no model; at least one is needed.");
  for (const Matrix<double>& part : parts) {
    require(part.rows() == static_cast<Index>(rows) && part.cols() == parts[0].cols(), who, ": a model has ",
            part.rows(), " x ", part.cols(), " answers, but ", rows, " x ", parts[0].cols(), " are needed.");
    require(part.allFinite(), who, ": an answer is not finite.");
  }
}

std::vector<double> equal_weights(std::size_t models) {
  return std::vector<double>(models, 1 / static_cast<double>(models));
}

/// Log loss as a function of one direction at a time.
class LogitMixture {
 public:
  explicit LogitMixture(std::span<const Index> classes) : classes_(classes) {}

  struct Slopes {
    double loss = 0, first = 0, second = 0;  ///< of the mean loss, along the direction
  };
  /// Of `logits`, along `direction`; one column: of class 1, the other's logit is 0.
  Slopes slopes(const Matrix<double>& logits, const Matrix<double>& direction) const {
    Slopes found;
    const Index columns = logits.cols(), first = columns == 1 ? 1 : 0, count = columns + first;
    for (Index i = 0; i < logits.rows(); ++i) {
      const auto logit = [&](Index c) { return c < first ? 0.0 : logits(i, c - first); };
      const auto way = [&](Index c) { return c < first ? 0.0 : direction(i, c - first); };
      double highest = logit(0);
      for (Index c = 1; c < count; ++c) highest = std::max(highest, logit(c));
      double sum = 0, mean = 0, square = 0;
      for (Index c = 0; c < count; ++c) {
        const double weight = exponential(logit(c) - highest);
        sum += weight, mean += weight * way(c), square += weight * way(c) * way(c);
      }
      mean /= sum, square /= sum;
      const Index right = classes_[static_cast<std::size_t>(i)];
      found.loss += highest + logarithm(sum) - logit(right);
      found.first += mean - way(right);
      found.second += square - mean * mean;
    }
    return found;
  }

 private:
  std::span<const Index> classes_;
};

/// A part less its mean over the rows of each stratum, of each class: what it tells the cases apart by. A part that
/// answers all alike but for rounding tells nothing.
Matrix<double> without_means(const Matrix<double>& part, std::span<const Index> strata) {
  constexpr double kRounding = 1e-12;  // of the answers
  Matrix<double> rest = part;
  Index first = 0;
  for (const Index rows : strata) {
    rest.middleRows(first, rows).rowwise() -= part.middleRows(first, rows).colwise().mean().eval();
    first += rows;
  }
  if (rest.cwiseAbs().maxCoeff() <= kRounding * part.cwiseAbs().maxCoeff()) rest.setZero();
  return rest;
}

/// A step along one weight to where the loss is lower; returns how far it went.
double step(const LogitMixture& mixture, Matrix<double>& logits, const Matrix<double>& direction, double& weight,
            bool may_be_negative) {
  const LogitMixture::Slopes here = mixture.slopes(logits, direction);
  if (!(here.second > 0)) return 0;
  const double lowest = may_be_negative ? -kLargest : 0;
  const double wanted = std::clamp(weight - here.first / here.second, lowest, kLargest);
  double change = wanted - weight;
  for (int halving = 0; halving < kHalvings && change != 0; ++halving, change /= 2) {
    const Matrix<double> there = logits + change * direction;
    if (!(mixture.slopes(there, direction).loss < here.loss)) continue;
    logits = there;
    weight = change == wanted - weight ? wanted : weight + change;
    return std::abs(change);
  }
  return 0;
}

}  // namespace

std::vector<double> stacked_logits(std::span<const Matrix<double>> parts, std::span<const Index> classes,
                                   std::vector<Index> strata) {
  check_parts("stacked_logits", parts, classes.size());
  if (classes.empty() || parts.size() == 1) return equal_weights(parts.size());
  if (strata.empty()) strata = {std::ssize(classes)};
  require(std::accumulate(strata.begin(), strata.end(), Index{0}) == std::ssize(classes) &&
              *std::min_element(strata.begin(), strata.end()) > 0,
          "stacked_logits: the strata must be of one row or more, ", classes.size(), " in all.");
  std::vector<Matrix<double>> centred;
  for (const Matrix<double>& part : parts) centred.push_back(without_means(part, strata));
  std::vector<double> weights(parts.size(), 0.0);  // so that what says the same as one before it gets none
  const Index columns = parts[0].cols();
  Matrix<double> logits = Matrix<double>::Zero(parts[0].rows(), columns);
  const LogitMixture mixture(classes);
  std::vector<double> intercepts(columns * strata.size(), 0.0);
  const auto fit_intercepts = [&] {
    double moved = 0;
    Index first = 0;
    for (std::size_t s = 0; s < strata.size(); first += strata[s++]) {
      const LogitMixture here(classes.subspan(first, strata[s]));
      Matrix<double> some = logits.middleRows(first, strata[s]), one = Matrix<double>::Zero(strata[s], columns);
      for (Index c = 0; c < columns; ++c) {
        one.setZero();
        one.col(c).setOnes();
        moved = std::max(moved, step(here, some, one, intercepts[static_cast<Index>(s) * columns + c], true));
      }
      logits.middleRows(first, strata[s]) = some;
    }
    return moved;
  };
  fit_intercepts();
  for (int sweep = 0; sweep < kSweeps; ++sweep) {
    double moved = 0;
    for (std::size_t k = 0; k < parts.size(); ++k)
      moved = std::max(moved, step(mixture, logits, centred[k], weights[k], false));
    moved = std::max(moved, fit_intercepts());
    if (moved < kSettled) break;
  }
  double sum = 0;
  for (const double weight : weights) sum += weight;
  if (!(sum > 0)) return equal_weights(parts.size());
  for (double& weight : weights) weight /= sum;
  return weights;
}

std::vector<double> stacked_numbers(std::span<const Matrix<double>> parts, std::span<const double> targets) {
  check_parts("stacked_numbers", parts, targets.size());
  const auto models = static_cast<Index>(parts.size());
  std::vector<double> best = equal_weights(parts.size());
  if (targets.empty() || models == 1) return best;
  require(models < 16, "stacked_numbers: there are ", models, " models, but must be fewer than 16.");
  Matrix<double> errors(static_cast<Index>(targets.size()), models);
  for (Index k = 0; k < models; ++k)
    for (Index i = 0; i < errors.rows(); ++i)
      errors(i, k) = parts[static_cast<std::size_t>(k)](i, 0) - targets[static_cast<std::size_t>(i)];
  const Matrix<double> products = errors.transpose() * errors;
  double least = INFINITY;
  // With weights that add up to 1 the squared error is w' P w: of each choice of models the minimum is P^-1 1, divided
  // by its sum, and the least of those without a weight below 0 is that of all.
  for (int chosen = 1; chosen < 1 << models; ++chosen) {
    std::vector<Index> members;
    for (Index k = 0; k < models; ++k)
      if (chosen >> k & 1) members.push_back(k);
    const Matrix<double> some = products(members, members);
    Vector<double> weights = some.colPivHouseholderQr().solve(Vector<double>::Ones(some.rows()));
    weights /= weights.sum();
    if (!weights.allFinite() || (weights.array() < 0).any()) continue;
    const double loss = weights.dot(some * weights);
    if (!(loss < least)) continue;
    least = loss;
    best.assign(parts.size(), 0.0);
    for (std::size_t k = 0; k < members.size(); ++k)
      best[static_cast<std::size_t>(members[k])] = weights[static_cast<Index>(k)];
  }
  return best;
}

}  // namespace fovea::study
