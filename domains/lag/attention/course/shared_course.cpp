#include "fovea/domains/lag/attention/course/shared_course.hpp"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <array>
#include <cmath>

namespace fovea::lag::attention {

namespace {

// At least three beside the pair, or the course is one series' own.
constexpr Index kFewestSeries = 5;
// Of the series take part in it.
constexpr double kSharedBy = 2.0 / 3;
// Of what full correlation would give; below it there is no course.
constexpr double kLeastShare = 0.05;
// P-value of the link given the course from which the course explains it.
constexpr double kExplainedFrom = 0.05;
// Of the strength that the link has without the course.
constexpr double kExplainedBelow = 2.0 / 3;
// Steps, of the course's running means: a slow factor is in many past values at once (theory.md, step 5).
constexpr std::array kHalfLives = {4.0, 16.0};

class CommonCourse {
 public:
  CommonCourse(const Eigen::MatrixXd& columns, Index series) : values_(columns.leftCols(series)) {
    const auto steps = static_cast<double>(columns.rows());
    const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(Eigen::MatrixXd(values_.transpose() * values_ / steps));
    weights_ = solver.eigenvectors().col(series - 1);
    const auto count = static_cast<double>(series);
    const double share = (solver.eigenvalues()[series - 1] - 1) / (count - 1);
    of_all_ = share > kLeastShare && 1 / (weights_.array().pow(4).sum() * count) > kSharedBy;
    all_ = values_ * weights_;
  }

  /// Whether nearly all series take part in it.
  bool of_all() const { return of_all_; }
  /// Of all series but two.
  Vector<double> without(Index i, Index j) const {
    return all_ - weights_[i] * values_.col(i) - weights_[j] * values_.col(j);
  }

 private:
  Matrix<double> values_;
  Vector<double> weights_, all_;
  bool of_all_ = false;
};

/// m(t) = r m(t - 1) + (1 - r) x(t), r = 2^(-1 / half_life).
Vector<double> running_mean(const Vector<double>& x, double half_life) {
  const double keep = std::exp2(-1 / half_life);
  Vector<double> mean = x;
  for (Index t = 1; t < x.size(); ++t) mean[t] = keep * mean[t - 1] + (1 - keep) * x[t];
  return mean;
}

/// The conditions of a target and the course: at the target's own step, at every lag, and its running means.
Eigen::MatrixXd conditions_and_course(const TargetRows& rows, const std::vector<Index>& conditions,
                                      const std::vector<SecondKey>& seconds, const Vector<double>& course,
                                      const std::vector<Index>& lags) {
  Eigen::MatrixXd x(rows.count(),
                    std::ssize(conditions) + std::ssize(seconds) + 1 + std::ssize(lags) + std::ssize(kHalfLives));
  Index c = 0;
  for (const Index key : conditions) x.col(c++) = rows.key(key);
  for (const SecondKey& key : seconds) x.col(c++) = rows.second(key);
  x.col(c++) = rows.of(course, 0);
  for (const Index lag : lags) x.col(c++) = rows.of(course, lag);
  for (const double half_life : kHalfLives) x.col(c++) = rows.of(running_mean(course, half_life), 0);
  return x;
}

/// A significant link, and its test given the course.
struct Again {
  methods::Link* link;
  RowsTest test;
  bool explained() const {
    return test.p_value > kExplainedFrom || std::abs(test.correlation) < kExplainedBelow * std::abs(link->strength);
  }
};

/// Each significant link given the target's other conditions and the course; a key without what says nearly the same.
std::vector<Again> tested_again(TargetLinks& part, const CommonCourse& common, const Learned& learned,
                                const datasets::series::SeriesTable& table, const std::vector<Index>& lags,
                                Index held) {
  std::vector<Again> tested;
  const TargetRows rows(*learned.products, table, lags, part.target);
  for (std::size_t l = 0; l < part.links.size(); ++l) {
    methods::Link& link = part.links[l];
    if (!link.counts || link.self()) continue;
    const Vector<double> course = common.without(link.cause, link.effect);
    std::vector<Index> keys = part.conditions;
    std::vector<SecondKey> seconds = part.seconds;
    Eigen::VectorXd past;
    if (combined(part.contents[l]).second) {
      const SecondKey& second = part.contents[l].second->key;
      std::erase_if(seconds, [&](const SecondKey& other) { return other.same(second); });
      past = rows.second(second);
    } else {
      const Content content = link.bent ? Content::bent : Content::plain;
      const Index key = learned.products->key(link.cause, l % lags.size(), content);
      keys = without_twin(keys, key, table.series());
      std::erase(keys, key);
      past = rows.key(key);
    }
    const RowConditions given(conditions_and_course(rows, keys, seconds, course, lags));
    const Index degrees = rows.count() - 2 - held - given.count();
    tested.push_back({&link, given.test(given.fit_target(rows.target()), past, degrees)});
  }
  return tested;
}

}  // namespace

SharedCourse look_for_shared_course(std::vector<TargetLinks>& parts, const Learned& learned,
                                    const datasets::series::SeriesTable& table, const std::vector<Index>& lags,
                                    Index held, double level) {
  SharedCourse found;
  const Index series = table.series();
  if (series < kFewestSeries) return found;
  const CommonCourse common(learned.columns(), series);
  if (!common.of_all()) return found;
  std::vector<std::vector<Again>> tested(parts.size());
#pragma omp parallel for schedule(dynamic)
  for (std::size_t k = 0; k < parts.size(); ++k) tested[k] = tested_again(parts[k], common, learned, table, lags, held);
  for (const std::vector<Again>& links : tested) {
    found.links += std::ssize(links);
    found.explained += std::count_if(links.begin(), links.end(), [](const Again& again) { return again.explained(); });
  }
  found.found = found.explained >= kFewestExplained && 2 * found.explained > found.links;
  if (!found.found) return found;
  // Bonferroni over all lagged links between series: theory.md, step 5.
  const double least = level / static_cast<double>(std::ssize(parts) * (series - 1) * std::ssize(lags));
  for (const std::vector<Again>& links : tested)
    for (const auto& [link, test] : links)
      if (!(test.p_value <= least)) link->q_value = 1, link->log10_q = kNan, link->counts = false, ++found.dropped;
  return found;
}

}  // namespace fovea::lag::attention
