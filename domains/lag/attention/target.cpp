#include "fovea/domains/lag/attention/target.hpp"

#include <algorithm>
#include <cmath>

#include "fovea/core/kernels/exponential.hpp"
#include "fovea/core/linear/partial_correlation.hpp"
#include "fovea/core/statistics/distributions/tails.hpp"
#include "fovea/domains/lag/methods/findings.hpp"

namespace fovea::lag::attention {

namespace {

// Of a key's weight before the data, and share in its test: theory.md, The attention model.
constexpr double kBentPrior = 0.15, kPulledPrior = 0.1;
// Of the residuals: more of them are the series' nature, as with rain.
constexpr double kFewOutliers = 0.05;
// A p-value over a share that cannot decide.
constexpr double kNothing = 2;
// Below it u itself is nearer to 1 - (1 - a u)(1 - b u)(1 - c u), shares that sum to 1, than rounding lets that
// difference be.
constexpr double kLinear = 1e-10;
// Log Bayes factor: a head's key is conditioned on from here on (theory.md, step 1).
constexpr double kEnoughEvidence = 2.0;
// Of a link's test, for the second stage: theory.md, step 3.
constexpr double kSecondShare = 0.25;

/// log prior of each key: plain, bent and pulled by their shares; the plain and pulled own past is as likely as all
/// other series together.
Vector<double> log_prior_of(const KeyProducts& products, Index target, Index series, std::size_t lags) {
  Vector<double> prior(products.keys());
  for (std::size_t l = 0; l < lags; ++l)
    for (Index i = 0; i < series; ++i)
      for (const Content content : kAllContents) {
        const bool own = i == target && content != Content::bent;
        prior[products.key(i, l, content)] =
            std::max(share_of(products, i, content), 1e-12) * static_cast<double>(own ? series : 1);
      }
  prior /= prior.sum();
  return prior.unaryExpr([](double p) { return logarithm(p); });
}

/// All past values as they are, for tests that are given every one of them.
std::vector<Index> plain_keys(const KeyProducts& products, Index series, std::size_t lags) {
  std::vector<Index> keys;
  for (std::size_t l = 0; l < lags; ++l)
    for (Index i = 0; i < series; ++i) keys.push_back(products.key(i, l, Content::plain));
  return keys;
}

/// log10 of the least p-value over its share.
double log10_least_of(const ContentTests& contents) {
  double least = 0;
  for (const Content content : kAllContents) {
    const CorrelationTest& test = contents.of(content);
    if (test.degrees < 1 || contents.share(content) <= 0) continue;
    const double log10_p = log10_student_two_sided(test.t, static_cast<double>(test.degrees));
    least = std::min(least, log10_p - std::log10(contents.share(content)));
  }
  return least;
}

}  // namespace

double share_of(const KeyProducts& products, Index source, Content content) {
  const double pulled = products.holds(source, Content::pulled) ? kPulledPrior : 0;
  if (content == Content::pulled) return pulled;
  return content == Content::bent ? kBentPrior : 1 - kBentPrior - pulled;
}

TargetModel learn_target(const KeyProducts& products, Index target, Index series, std::size_t lags,
                         const std::vector<Index>& required) {
  const KeyProducts::Of of = products.of(target);
  TargetModel model;
  model.rows = of.rows;
  const Vector<double> prior = log_prior_of(products, target, series, lags);
  model.heads = single_effects(*of.keys, of.with_target, prior, std::max<Index>(of.rows, 3));
  std::vector<Index> first = {products.key(target, 0, Content::plain)};
  first.insert(first.end(), required.begin(), required.end());
  for (Index head = 0; head < model.heads.weights.rows(); ++head) {
    if (model.heads.evidence[head] <= kEnoughEvidence) continue;
    Index key = 0;
    model.heads.weights.row(head).maxCoeff(&key);
    if (std::find(first.begin(), first.end(), key) == first.end()) first.push_back(key);
  }
  model.tests = sparse_tests(*of.keys, of.with_target, of.target_square, products.free_rows(of.rows), first);
  return model;
}

std::vector<Index> without_twin(const std::vector<Index>& conditions, Index key, Index series) {
  const Index content = key / series % kContents;
  if (content == static_cast<Index>(Content::bent)) return conditions;
  const Index other =
      static_cast<Index>(content == static_cast<Index>(Content::plain) ? Content::pulled : Content::plain);
  const Index twin = key + (other - content) * series;
  std::vector<Index> kept;
  for (const Index condition : conditions)
    if (condition != twin) kept.push_back(condition);
  return kept;
}

SparseTests tests_given(const KeyProducts& products, Index target, const std::vector<Index>& conditions) {
  const KeyProducts::Of of = products.of(target);
  return CommonConditions(*of.keys, conditions).test(of.with_target, of.target_square);
}

DenseTests::DenseTests(const KeyProducts& products, Index series, std::size_t lags)
    : products_(products), plain_(plain_keys(products, series, lags)), shared_(*products.shared(), plain_) {}

SparseTests DenseTests::of(Index target) const {
  const KeyProducts::Of of = products_.of(target);
  if (of.shared) return shared_.test(of.with_target, of.target_square);
  return CommonConditions(*of.keys, plain_).test(of.with_target, of.target_square);
}

ContentTests test_contents(const SparseTests& tests, const KeyProducts& products, Index source, std::size_t lag_place,
                           Index target, Index rows) {
  const auto test = [&](Content content) {
    const Index key = products.key(source, lag_place, content), free = products.free_rows(rows);
    const Index degrees = tests.degrees(key, free);
    CorrelationTest result{tests.correlations[key], 0, 1, degrees};
    if (degrees < 1) return result;
    result.t = student_t(result.correlation, static_cast<double>(degrees));
    result.t *= std::sqrt(1 - 2 / std::max(products.effective_rows(source, content, target, rows), 4.0));
    result.p_value = student_two_sided(result.t, static_cast<double>(degrees));
    return result;
  };
  ContentTests tests_of;
  for (const Content content : kAllContents) {
    tests_of.of(content) = test(content);
    tests_of.share(content) = share_of(products, source, content);
  }
  return tests_of;
}

namespace {

LinkTest combined_contents(const ContentTests& contents) {
  double least = kNothing;
  Content decides = Content::plain;
  for (const Content content : kAllContents) {
    const double share = contents.share(content);
    const double u = share > 0 ? contents.of(content).p_value / share : kNothing;
    if (u < least) least = u, decides = content;
  }
  double none = 1;
  for (const Content content : kAllContents) none *= 1 - std::min(contents.share(content) * least, 1.0);
  const CorrelationTest& test = contents.of(decides);
  LinkTest link{test.correlation, test.t, least < kLinear ? least : std::min(1 - none, 1.0),
                contents.of(Content::plain).t};
  link.decided = contents.decider(decides);
  link.bent = decides == Content::bent;
  if (methods::too_small(link.p_value)) link.log10_p = log10_least_of(contents);
  return link;
}

/// Both stages: 1 - (1 - (1 - s) u)(1 - s u), u the least p over its share, s that of the second.
LinkTest with_second(LinkTest link, const SecondTest& second) {
  const double of_first = link.p_value / (1 - kSecondShare), of_second = second.p_value / kSecondShare;
  const double log_first = methods::too_small(link.p_value) ? link.log10_p : std::log10(link.p_value);
  link.second = of_second < of_first || (of_second == 0 && second.log10_p < log_first);
  const double u = std::min({of_first, of_second, kNothing});
  link.p_value =
      u < kLinear
          ? u
          : std::min(1 - (1 - std::min((1 - kSecondShare) * u, 1.0)) * (1 - std::min(kSecondShare * u, 1.0)), 1.0);
  if (!methods::too_small(link.p_value)) {
    link.log10_p = kNan;
  } else {
    link.log10_p = link.second ? second.log10_p - std::log10(kSecondShare) : log_first - std::log10(1 - kSecondShare);
  }
  if (!link.second) return link;
  link.correlation = second.correlation;
  link.t = second.t;
  link.decided = methods::DecidingTest::robust;
  link.bent = second.key.form != SecondForm::product;
  return link;
}

}  // namespace

LinkTest combined(const ContentTests& contents) {
  const LinkTest first = combined_contents(contents);
  return contents.second ? with_second(first, *contents.second) : first;
}

LinkTest test_link(const SparseTests& tests, const KeyProducts& products, Index source, std::size_t lag_place,
                   Index target, Index rows) {
  return combined(test_contents(tests, products, source, lag_place, target, rows));
}

Matrix<double> residuals_of(const std::vector<TargetModel>& models, const Eigen::MatrixXd& columns,
                            const datasets::series::SeriesTable& table, const std::vector<Index>& lags) {
  const std::vector<Index> steps = steps_with_past(table, lags.back());
  const Index series = table.series(), width = columns.cols();
  Matrix<double> residuals(static_cast<Index>(steps.size()), series);
#pragma omp parallel for schedule(static)
  for (Index j = 0; j < series; ++j) {
    const SparseTests& tests = models[j].tests;
    for (std::size_t r = 0; r < steps.size(); ++r) {
      double rest = std::isnan(table.values(steps[r], j)) ? table.values(steps[r], j) : columns(steps[r], j);
      for (std::size_t c = 0; c < tests.chosen.size(); ++c) {
        const Index key = tests.chosen[c], lag = lags[key / width];
        rest -= tests.coefficients[static_cast<Index>(c)] * columns(steps[r] - lag, key % width);
      }
      residuals(static_cast<Index>(r), j) = rest;
    }
    Vector<double> column = residuals.col(j), pulled = column;
    pull_in_outliers(pulled);
    const auto known = [](double v) { return !std::isnan(v); };
    const auto moved = (pulled.array() != column.array() && pulled.array() == pulled.array()).count();
    const auto all = std::count_if(column.begin(), column.end(), known);
    if (static_cast<double>(moved) <= kFewOutliers * static_cast<double>(all)) residuals.col(j) = pulled;
  }
  return residuals;
}

}  // namespace fovea::lag::attention
