#include "fovea/domains/lag/further/variances.hpp"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <set>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/parallel.hpp"
#include "fovea/core/statistics/median.hpp"

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
      left_(sizes_),
      powers_(sizes_.rowwise().squaredNorm()),
      common_(common_sizes(scores_, panel)),
      pair_sizes_(Matrix<double>::Ones(left.rows(), left.rows())) {}

void VarianceEffects::measure(Index effect) { powers_[effect] = left_.row(effect).squaredNorm(); }

/// First guard of theory.md; inflation: the second, where the cheap statistic passes.
VarianceEffects::Test VarianceEffects::test_of(const LaggedSums& sums, Index effect, double inflation) const {
  const auto total = [](const ByWindow& x) { return std::accumulate(x.begin(), x.end(), 0.0); };
  const double sum = total(sums.products), power = total(sums.powers) * powers_[effect];
  const double independent = power / static_cast<double>(panel_.steps());
  if (!(independent > 0)) return {};
  return {sum / std::sqrt(inflation * std::max(total(sums.squares), independent)), sum / std::sqrt(power)};
}

VarianceEffects::Tests VarianceEffects::thorough_tests(const methods::Link& link) const {
  const auto tested = [&](const Matrix<double>& causes) {
    const LaggedSums sums = panel_.lagged_sums(causes, link.cause, {link.lag}, left_, {link.effect}).front();
    const Vector<double> cause = panel_.before(causes, link.cause, link.lag);
    return test_of(sums, link.effect,
                   variance_inflation(cause.cwiseProduct(left_.row(link.effect).transpose()), kReachOfSizes));
  };
  return {tested(panel_.innovations), tested(sizes_)};
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
    const auto sums_of = [&](const Matrix<double>& causes) {
      return panel_.lagged_sums(causes, i, settings_.lags, left_, settings_.targets);
    };
    const std::vector<LaggedSums> levels = sums_of(panel_.innovations), sizes = sums_of(sizes_);
    for (std::size_t k = 0; k < levels.size(); ++k) {
      const Index j = settings_.targets[k % settings_.targets.size()];
      all[i].push_back(i == j ? Tests{} : Tests{test_of(levels[k], j), test_of(sizes[k], j)});
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
      const Answer answer = answer_of(thorough_tests(link), i, j);
      link.p_value = answer.p, link.statistic = answer.test.statistic, link.strength = answer.test.strength;
      if (answer.p <= settings_.level) family.candidates.push_back(link);
    }
  return family;
}

double VarianceEffects::p_value(const methods::Link& link) const {
  return answer_of(thorough_tests(link), link.cause, link.effect).p;
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
  const Answer found = answer_of(thorough_tests(link), link.cause, link.effect);
  return concat(found.by_size ? "large moves" : "large values", " of ", names[link.cause], " are followed by ",
                found.test.strength > 0 ? "larger" : "smaller", " ones");
}

}  // namespace fovea::lag::further
