#include "fovea/domains/lag/further/variances.hpp"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/parallel.hpp"
#include "fovea/core/statistics/median.hpp"
#include "fovea/domains/lag/further/kernels/sums.hpp"

namespace fovea::lag::further {

namespace {

// Rows over which products may be correlated: theory.md, Further effects, second guard.
constexpr Index kReachOfSizes = 8;
// Of the level, for the cause's own value; the rest is for its size.
constexpr double kLevelShare = 0.85;
// Of a normal deviate.
constexpr double kMedianSquare = 0.4549364231195727;
// With fewer a median may be that of true effects.
constexpr std::size_t kFewestTests = 20, kFewestOfPair = 6;
// Which 1 pair of 50 exceeds by chance with 10 tests.
constexpr double kPairInflation = 4;
// Normal deviates above which the sizes of two series move together, and no size is tested.
constexpr double kPairTogether = 3;

}  // namespace

VarianceEffects::VarianceEffects(const Panel& panel, const Matrix<double>& left, const FurtherSettings& settings)
    : panel_(panel),
      settings_(settings),
      scores_(size_scores(left, panel)),
      sizes_(surprises(scores_, panel)),
      squares_(sizes_.cwiseAbs2()),
      left_(sizes_),
      powers_(sizes_.rowwise().squaredNorm()),
      common_(common_sizes(scores_, panel)),
      pair_sizes_(Matrix<double>::Ones(left.rows(), left.rows())) {}

void VarianceEffects::measure(Index effect) {
  squares_.row(effect) = left_.row(effect).cwiseAbs2();
  powers_[effect] = left_.row(effect).squaredNorm();
}

VarianceEffects::Cause VarianceEffects::cause_before(Index series, Index lag) const {
  Cause cause;
  cause.level = panel_.before(panel_.innovations, series, lag);
  cause.level_squares = cause.level.cwiseAbs2();
  cause.level_power = cause.level_squares.sum();
  cause.size = panel_.before(sizes_, series, lag);
  cause.size_squares = cause.size.cwiseAbs2();
  cause.size_power = cause.size_squares.sum();
  return cause;
}

VarianceEffects::Tests VarianceEffects::tests(const Cause& cause, Index effect, bool thorough) const {
  const Index n = panel_.steps();
  const auto tested = [&](const Vector<double>& x, const Vector<double>& x2, double power) -> Test {
    const double sum = product_sum(x.data(), left_.row(effect).data(), n);
    // First guard of theory.md, and the second where the cheap statistic passes.
    const double independent = power * powers_[effect] / static_cast<double>(n);
    if (!(independent > 0)) return {};
    double square = std::max(product_sum(x2.data(), squares_.row(effect).data(), n), independent);
    if (thorough) square *= variance_inflation(x.cwiseProduct(left_.row(effect).transpose()), kReachOfSizes);
    return {sum / std::sqrt(square), sum / std::sqrt(power * powers_[effect])};
  };
  return {tested(cause.level, cause.level_squares, cause.level_power),
          tested(cause.size, cause.size_squares, cause.size_power)};
}

/// By the cause's own value or by its size, each with its share of the level; no size where the pair's move together.
VarianceEffects::Answer VarianceEffects::answer_of(const Tests& tests, Index cause, Index effect) const {
  const Answer level{std::min(1.0, self_normalised_p(tests.level.statistic, all_levels_) / kLevelShare), tests.level,
                     false};
  if (common_.z(cause, effect) > kPairTogether) return level;
  const double inflation = std::max(all_sizes_, pair_sizes_(cause, effect));
  const double of_size = self_normalised_p(tests.size.statistic, inflation);
  const Answer size{std::min(1.0, of_size / (1 - kLevelShare)), tests.size, true};
  return size.p < level.p ? size : level;
}

/// What all tests have in common, and of each pair what its lags in both directions have: a season of the sizes, for
/// example, is at every lag.
void VarianceEffects::find_common_course(const std::vector<std::vector<Tests>>& all) {
  const std::size_t targets = settings_.targets.size(), lags = settings_.lags.size();
  std::vector<double> levels, sizes;
  std::map<std::pair<Index, Index>, std::vector<double>> pairs;
  for (Index i = 0; i < panel_.series(); ++i)
    for (std::size_t k = 0; k < lags * targets; ++k) {
      const Index j = settings_.targets[k % targets];
      if (i == j) continue;
      const Tests& tests = all[i][k];
      levels.push_back(tests.level.statistic * tests.level.statistic);
      sizes.push_back(tests.size.statistic * tests.size.statistic);
      pairs[std::minmax(i, j)].push_back(sizes.back());
    }
  if (levels.size() >= kFewestTests) {
    all_levels_ = std::max(1.0, upper_median(levels) / kMedianSquare);
    all_sizes_ = std::max(1.0, upper_median(sizes) / kMedianSquare);
  }
  for (const auto& [pair, squares] : pairs)
    if (const double inflation = upper_median(squares) / kMedianSquare;
        squares.size() >= kFewestOfPair && inflation > kPairInflation)
      pair_sizes_(pair.first, pair.second) = pair_sizes_(pair.second, pair.first) = inflation;
}

/// Pairs that a link or a change joins are left out: what a fit leaves of it would be found here.
Family VarianceEffects::family(const std::vector<methods::Link>& explained) {
  Family family;
  if (common_.found) return family;
  std::set<std::pair<Index, Index>> joined;
  for (const auto* links : {&settings_.known, &explained})
    for (const methods::Link& link : *links) {
      joined.emplace(link.cause, link.effect);
      if (link.with >= 0) joined.emplace(link.with, link.effect);
    }
  std::vector<std::vector<Tests>> all(panel_.series());
  for_each_task(panel_.series(), true, [&](Index i) {
    for (const Index lag : settings_.lags) {
      const Cause cause = cause_before(i, lag);
      for (const Index j : settings_.targets) all[i].push_back(i == j ? Tests{} : tests(cause, j, false));
    }
  });
  find_common_course(all);
  for (Index i = 0; i < panel_.series(); ++i)
    for (std::size_t k = 0; k < all[i].size(); ++k) {
      const Index j = settings_.targets[k % settings_.targets.size()];
      if (i == j || joined.contains({i, j})) continue;
      ++family.tested;
      if (answer_of(all[i][k], i, j).p > settings_.level) continue;
      methods::Link link{.cause = i,
                         .effect = j,
                         .lag = settings_.lags[k / settings_.targets.size()],
                         .kind = methods::EffectKind::variance};
      const Answer answer = answer_of(tests(cause_before(i, link.lag), j, true), i, j);
      link.p_value = answer.p, link.statistic = answer.test.statistic, link.strength = answer.test.strength;
      if (answer.p <= settings_.level) family.candidates.push_back(link);
    }
  return family;
}

double VarianceEffects::p_value(const methods::Link& link) const {
  return answer_of(tests(cause_before(link.cause, link.lag), link.effect, true), link.cause, link.effect).p;
}

/// The cause's innovations, values and sizes, with and without their own forecast: a cause with memory echoes.
void VarianceEffects::remove(const methods::Link& link) {
  Eigen::Matrix<double, Eigen::Dynamic, 4> x(panel_.steps(), 4);
  x.col(0) = panel_.before(panel_.innovations, link.cause, link.lag);
  x.col(1) = panel_.before(panel_.values, link.cause, link.lag);
  x.col(2) = panel_.before(sizes_, link.cause, link.lag);
  x.col(3) = panel_.before(scores_, link.cause, link.lag);
  const Vector<double> y = left_.row(link.effect).transpose();
  const Eigen::Matrix4d products = x.transpose() * x;
  const Eigen::Vector4d coefficients = products.ldlt().solve(x.transpose() * y);
  if (coefficients.allFinite()) left_.row(link.effect) -= (x * coefficients).transpose();
  measure(link.effect);
}

std::string VarianceEffects::answer(const methods::Link& link, const std::vector<std::string>& names) const {
  const Answer found = answer_of(tests(cause_before(link.cause, link.lag), link.effect, true), link.cause, link.effect);
  return concat(found.by_size ? "large moves" : "large values", " of ", names[link.cause], " are followed by ",
                found.test.strength > 0 ? "larger" : "smaller", " ones");
}

}  // namespace fovea::lag::further
