#include "fovea/domains/imaging/inpaint/mixture.hpp"

#include <Eigen/Cholesky>
#include <algorithm>
#include <limits>

#include "fovea/core/base/error.hpp"

namespace fovea::imaging::inpaint {

namespace {

/// Minimises w^T P w / 2 - q^T w with sum w = 1 over the guesses of the support; empty where a weight is negative.
Eigen::VectorXd on_support(const Eigen::MatrixXd& products, const Eigen::VectorXd& aims, unsigned support) {
  std::vector<Index> chosen;
  for (Index k = 0; k < aims.size(); ++k)
    if ((support >> k & 1U) != 0) chosen.push_back(k);
  const Index count = std::ssize(chosen);
  Eigen::MatrixXd some(count, count);
  Eigen::MatrixXd sides(count, 2);
  for (Index a = 0; a < count; ++a) {
    for (Index b = 0; b < count; ++b) some(a, b) = products(chosen[a], chosen[b]);
    sides(a, 0) = aims[chosen[a]], sides(a, 1) = 1;
  }
  some.diagonal().array() += 1e-9 * products.trace() + 1e-30;
  const Eigen::MatrixXd solved = Eigen::LDLT<Eigen::MatrixXd>(some).solve(sides);
  const Eigen::VectorXd part = solved.col(0) + (1 - solved.col(0).sum()) / solved.col(1).sum() * solved.col(1);
  Eigen::VectorXd weights = Eigen::VectorXd::Zero(aims.size());
  for (Index a = 0; a < count; ++a) {
    if (!(part[a] >= 0)) return {};
    weights[chosen[a]] = part[a];
  }
  return weights;
}

Eigen::VectorXd best_weights(const Eigen::MatrixXd& products, const Eigen::VectorXd& aims) {
  Eigen::VectorXd best;
  double least = std::numeric_limits<double>::infinity();
  for (unsigned support = 1; support < 1U << aims.size(); ++support) {
    Eigen::VectorXd weights = on_support(products, aims, support);
    if (weights.size() == 0) continue;
    const double value = weights.dot(products * weights) / 2 - aims.dot(weights);
    if (value < least) least = value, best = std::move(weights);
  }
  return best;
}

}  // namespace

double mean_square(const Example& example, const Eigen::VectorXd& weights) {
  return (example.guesses * weights - example.truth).squaredNorm() / static_cast<double>(example.truth.size());
}

Eigen::VectorXd mixing_weights(std::span<const Example* const> examples) {
  require(!examples.empty() && examples[0]->guesses.cols() <= 16, "mixing_weights: give examples of 1 to 16 guesses.");
  const Index count = examples[0]->guesses.cols();
  std::vector<Eigen::MatrixXd> products;
  std::vector<Eigen::VectorXd> aims;
  for (const Example* example : examples) {
    const auto rows = static_cast<double>(example->truth.size());
    // Against the first guess, so that a shift of all numbers changes nothing.
    const Eigen::MatrixXd off = example->guesses.colwise() - example->guesses.col(0);
    products.emplace_back(off.transpose() * off / rows);
    aims.emplace_back(off.transpose() * (example->truth - example->guesses.col(0)) / rows);
  }
  Eigen::VectorXd weights = Eigen::VectorXd::Constant(count, 1.0 / static_cast<double>(count));
  for (Index round = 0; round < 4; ++round) {
    std::vector<double> squares;
    for (const Example* example : examples) squares.push_back(mean_square(*example, weights));
    std::vector<double> sorted = squares;
    std::nth_element(sorted.begin(), sorted.begin() + std::ssize(sorted) / 2, sorted.end());
    const double floor = 0.01 * sorted[sorted.size() / 2] + 1e-14;
    Eigen::MatrixXd all = Eigen::MatrixXd::Zero(count, count);
    Eigen::VectorXd aim = Eigen::VectorXd::Zero(count);
    for (std::size_t k = 0; k < examples.size(); ++k) {
      const double weight = examples[k]->weight / (round == 0 ? 1 : squares[k] + floor);
      all += weight * products[k], aim += weight * aims[k];
    }
    weights = best_weights(all, aim);
  }
  return weights;
}

}  // namespace fovea::imaging::inpaint
