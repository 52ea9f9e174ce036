#include "fovea/domains/lag/attention/target.hpp"

#include <algorithm>
#include <cmath>

#include "fovea/core/kernels/exponential.hpp"
#include "fovea/core/linear/partial_correlation.hpp"
#include "fovea/core/statistics/distributions/tails.hpp"
#include "fovea/domains/lag/methods/findings.hpp"

namespace fovea::lag::attention {

namespace {

constexpr double kBentPrior = 0.15;      // of a key's weight before the data, and of its share in a link's test
constexpr double kEnoughEvidence = 2.0;  // log Bayes factor: a head's key is conditioned on

/// log prior: plain keys share 1 - kBentPrior, bent ones the rest; the own past is as likely as all others together.
Vector<double> log_prior_of(const KeyProducts& products, Index target, Index series, std::size_t lags) {
  Vector<double> prior(products.keys());
  for (std::size_t l = 0; l < lags; ++l)
    for (Index i = 0; i < series; ++i) {
      prior[products.key(i, l, Content::plain)] = (1 - kBentPrior) * static_cast<double>(i == target ? series : 1);
      prior[products.key(i, l, Content::bent)] = kBentPrior;
    }
  prior /= prior.sum();
  return prior.unaryExpr([](double p) { return logarithm(p); });
}

std::vector<Index> plain_keys(const KeyProducts& products, Index series, std::size_t lags) {
  std::vector<Index> keys;
  for (std::size_t l = 0; l < lags; ++l)
    for (Index i = 0; i < series; ++i) keys.push_back(products.key(i, l, Content::plain));
  return keys;
}

double log10_of(const CorrelationTest& test) {
  return test.degrees < 1 ? 0 : log10_student_two_sided(test.t, static_cast<double>(test.degrees));
}

}  // namespace

TargetModel learn_target(const KeyProducts& products, Index target, Index series, std::size_t lags) {
  const KeyProducts::Of of = products.of(target);
  TargetModel model;
  model.rows = of.rows;
  const Vector<double> prior = log_prior_of(products, target, series, lags);
  model.heads = single_effects(*of.keys, of.with_target, prior, std::max<Index>(of.rows, 3));
  std::vector<Index> first = {products.key(target, 0, Content::plain)};
  for (Index head = 0; head < model.heads.weights.rows(); ++head) {
    if (model.heads.evidence[static_cast<std::size_t>(head)] <= kEnoughEvidence) continue;
    Index key = 0;
    model.heads.weights.row(head).maxCoeff(&key);
    if (std::find(first.begin(), first.end(), key) == first.end()) first.push_back(key);
  }
  model.tests = sparse_tests(*of.keys, of.with_target, of.target_square, of.rows, first);
  return model;
}

DenseTests::DenseTests(const KeyProducts& products, Index series, std::size_t lags)
    : products_(products), plain_(plain_keys(products, series, lags)), shared_(products.shared(), plain_) {}

SparseTests DenseTests::of(Index target) const {
  const KeyProducts::Of of = products_.of(target);
  if (of.shared) return shared_.test(of.with_target, of.target_square);
  return CommonConditions(*of.keys, plain_).test(of.with_target, of.target_square);
}

LinkTest test_link(const SparseTests& tests, const KeyProducts& products, Index source, std::size_t lag_place,
                   Index target, Index rows) {
  const auto test = [&](Content content) {
    const Index key = products.key(source, lag_place, content);
    const Index degrees = tests.degrees(key, rows);
    CorrelationTest result = test_correlation(tests.correlations[key], rows, rows - 2 - degrees);
    if (degrees < 1) return result;
    result.t *= std::sqrt(1 - 2 / std::max(products.effective_rows(source, content, target, rows), 4.0));
    result.p_value = student_two_sided(result.t, static_cast<double>(degrees));
    return result;
  };
  const CorrelationTest plain = test(Content::plain), bent = test(Content::bent);
  const double plain_u = plain.p_value / (1 - kBentPrior), bent_u = bent.p_value / kBentPrior;
  const double u = std::min(plain_u, bent_u);
  const double a = std::min((1 - kBentPrior) * u, 1.0), b = std::min(kBentPrior * u, 1.0);
  const CorrelationTest& decides = plain_u <= bent_u ? plain : bent;
  LinkTest link{decides.correlation, decides.t, std::min(a + b - a * b, 1.0), plain.t};
  // there a + b - a b is u
  if (methods::too_small(link.p_value))
    link.log10_p = std::min(log10_of(plain) - std::log10(1 - kBentPrior), log10_of(bent) - std::log10(kBentPrior));
  return link;
}

Matrix<double> residuals_of(const std::vector<TargetModel>& models, const Matrix<double>& columns,
                            const datasets::series::SeriesTable& table, const std::vector<Index>& lags) {
  const std::vector<Index> steps = steps_with_past(table, lags.back());
  const Index series = table.series(), width = columns.cols();
  Matrix<double> residuals(static_cast<Index>(steps.size()), series);
#pragma omp parallel for schedule(static)
  for (Index j = 0; j < series; ++j) {
    const SparseTests& tests = models[static_cast<std::size_t>(j)].tests;
    for (std::size_t r = 0; r < steps.size(); ++r) {
      double rest = std::isnan(table.values(steps[r], j)) ? table.values(steps[r], j) : columns(steps[r], j);
      for (std::size_t c = 0; c < tests.chosen.size(); ++c) {
        const Index key = tests.chosen[c], lag = lags[static_cast<std::size_t>(key / width)];
        rest -= tests.coefficients[static_cast<Index>(c)] * columns(steps[r] - lag, key % width);
      }
      residuals(static_cast<Index>(r), j) = rest;
    }
    Vector<double> column = residuals.col(j);
    pull_in_outliers(column);
    residuals.col(j) = column;
  }
  return residuals;
}

}  // namespace fovea::lag::attention
