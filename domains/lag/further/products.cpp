#include "fovea/domains/lag/further/products.hpp"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>
#include <set>

#include "fovea/core/base/parallel.hpp"
#include "fovea/domains/lag/further/kernels/sums.hpp"
#include "fovea/domains/lag/further/sizes.hpp"

namespace fovea::lag::further {

namespace {

// Rows over which products may be correlated: theory.md, Further effects, second guard; of innovations few.
constexpr Index kReachOfProducts = 4;

}  // namespace

ProductEffects::ProductEffects(const Panel& panel, Matrix<double>& left, const FurtherSettings& settings)
    : panel_(panel), left_(left), settings_(settings) {
  const double each = 2 * static_cast<double>(panel.steps()) * static_cast<double>(settings.targets.size());
  const Index all = panel.series() * std::ssize(settings.lags);
  keys_ = std::min(all, static_cast<Index>(std::sqrt(settings.budget / each)));
  if (keys_ < all) sizes_ = size_scores(left, panel);
}

/// Where the budget restricts them, those whose size tells most of the size of what is left: sizes say nothing of
/// signs, so the tests of products stay honest.
std::vector<ProductEffects::Key> ProductEffects::keys_of(Index target) const {
  std::vector<Key> keys;
  for (Index i = 0; i < panel_.series(); ++i)
    for (const Index lag : settings_.lags) keys.push_back({i, lag});
  if (std::ssize(keys) == keys_) return keys;
  std::vector<std::pair<double, std::size_t>> told;
  for (std::size_t k = 0; k < keys.size(); ++k) {
    const Vector<double> size = panel_.before(sizes_, keys[k].series, keys[k].lag);
    told.emplace_back(-product_sum(size.data(), sizes_.row(target).data(), panel_.steps()), k);
  }
  std::sort(told.begin(), told.end());
  told.resize(keys_);
  std::sort(told.begin(), told.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
  std::vector<Key> chosen;
  for (const auto& [size, k] : told) chosen.push_back(keys[k]);
  return chosen;
}

methods::Link ProductEffects::link_of(Key one, Key other, Index target) const {
  if (one.series == target) std::swap(one, other);
  return {.cause = one.series,
          .effect = target,
          .lag = one.lag,
          .kind = methods::EffectKind::product,
          .with = other.series,
          .with_lag = other.lag};
}

Family ProductEffects::family_of(Index target) const {
  std::set<Index> causes{target};
  for (const methods::Link& link : settings_.known)
    if (link.effect == target) causes.insert(link.cause);
  const std::vector<Key> keys = keys_of(target);
  const Index n = panel_.steps();
  Matrix<double> x(std::ssize(keys), n);
  for (Index k = 0; k < x.rows(); ++k)
    x.row(k) = panel_.before(panel_.innovations, keys[k].series, keys[k].lag).transpose();
  const Vector<double> effect = left_.row(target).transpose(), effect_squares = effect.cwiseAbs2();
  const Matrix<double> sums = weighted_products(x, effect);
  x = x.cwiseAbs2();
  const Matrix<double> squares = weighted_products(x, effect_squares);
  const Vector<double> powers = x.rowwise().mean() * std::sqrt(effect_squares.sum());
  Family family;
  for (Index a = 0; a < x.rows(); ++a)
    for (Index b = a + 1; b < x.rows(); ++b) {
      const Key one = keys[a], other = keys[b];
      // Two lags of a known cause: what a linear fit leaves of a response that is not quite linear.
      if (one.series == other.series && causes.contains(one.series)) continue;
      ++family.tested;
      // First guard of theory.md: one pair of rare events is no evidence.
      const double square = std::max(squares(a, b), powers[a] * powers[b]);
      if (self_normalised_p(sums(a, b), square) > settings_.level) continue;
      methods::Link link = link_of(one, other, target);
      link.p_value = p_value(link);
      link.statistic = sums(a, b) / std::sqrt(square);
      const Vector<double> product = panel_.before(panel_.innovations, one.series, one.lag)
                                         .cwiseProduct(panel_.before(panel_.innovations, other.series, other.lag));
      link.strength = sums(a, b) / std::sqrt(product.squaredNorm() * effect_squares.sum());
      if (link.p_value <= settings_.level) family.candidates.push_back(link);
    }
  return family;
}

Family ProductEffects::family() const {
  std::vector<Family> parts(settings_.targets.size());
  for_each_task(std::ssize(parts), true, [&](Index k) { parts[k] = family_of(settings_.targets[k]); });
  Family family;
  for (const Family& part : parts) {
    family.tested += part.tested;
    family.candidates.insert(family.candidates.end(), part.candidates.begin(), part.candidates.end());
  }
  return family;
}

double ProductEffects::p_value(const methods::Link& link) const {
  const Vector<double> one = panel_.before(panel_.innovations, link.cause, link.lag);
  const Vector<double> other = panel_.before(panel_.innovations, link.with, link.with_lag);
  const Vector<double> effect = left_.row(link.effect).transpose();
  const Vector<double> products = one.cwiseProduct(other).cwiseProduct(effect);
  const auto n = static_cast<double>(panel_.steps());
  const double least = one.squaredNorm() * other.squaredNorm() * effect.squaredNorm() / (n * n);
  const double square = std::max(products.squaredNorm(), least) * variance_inflation(products, kReachOfProducts);
  return self_normalised_p(products.sum(), square);
}

/// The product of the innovations, and that of the values: causes with memory echo at other lags.
void ProductEffects::remove(const methods::Link& link) {
  const auto product = [&](const Matrix<double>& rows) -> Vector<double> {
    return panel_.before(rows, link.cause, link.lag).cwiseProduct(panel_.before(rows, link.with, link.with_lag));
  };
  Eigen::Matrix<double, Eigen::Dynamic, 2> x(panel_.steps(), 2);
  x.col(0) = product(panel_.innovations);
  x.col(1) = product(panel_.values);
  const Vector<double> y = left_.row(link.effect).transpose();
  const Eigen::Matrix2d products = x.transpose() * x;
  const Eigen::Vector2d coefficients = products.ldlt().solve(x.transpose() * y);
  if (coefficients.allFinite()) left_.row(link.effect) -= (x * coefficients).transpose();
}

}  // namespace fovea::lag::further
