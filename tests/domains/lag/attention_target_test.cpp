/// One target of the attention over the past: what its tests and its heads start from, and what hides behind residuals.

#include "fovea/domains/lag/attention/target.hpp"

#include "fovea/core/linear/partial_correlation.hpp"
#include "fovea/core/statistics/distributions/tails.hpp"
#include "fovea/domains/lag/attention/residual_links.hpp"
#include "fovea/tests/support/kinds/lagged_system.hpp"
#include "fovea/tests/support/test.hpp"

using namespace fovea::lag;

namespace {

constexpr Index kThree = 3;
constexpr double kFormula = 1e-12;

struct ThreeSeries {
  datasets::series::SeriesTable table;
  Matrix<double> columns;
  std::vector<Index> lags{1, 2};
  explicit ThreeSeries(const std::vector<support::kinds::SystemLink>& links) {
    table.names = {"a", "b", "c"};
    table.values =
        support::kinds::simulate({{0.9, 0.8, 0.7}, links, {}, 0, support::kinds::Innovation::normal}, 300, Random(61));
    columns = attention::content_columns(table.values);
  }
};

}  // namespace

TEST_CASE("a head that is off has the prior: the own past weighs as much as all series, plain keys .85 to .15",
          "[attention_links]") {
  const ThreeSeries three({});
  const attention::KeyProducts products(three.columns, three.table, three.lags);
  const attention::TargetModel model = attention::learn_target(products, 1, kThree, three.lags.size());
  const Index off = model.heads.weights.rows() - 1;
  REQUIRE(!model.heads.on(off));
  const auto weight = [&](Index source, attention::Content content) {
    return model.heads.weights(off, products.key(source, 1, content));
  };
  CHECK(weight(1, attention::Content::plain) == Approx(3 * weight(0, attention::Content::plain)));
  CHECK(weight(0, attention::Content::bent) == Approx(0.15 / 0.85 * weight(0, attention::Content::plain)));
  CHECK(weight(1, attention::Content::bent) == Approx(weight(0, attention::Content::bent)));
}

TEST_CASE("a link's p-value is that of two tests with shares .85 and .15, each with t shrunk for slow series",
          "[attention_links]") {
  const ThreeSeries three({{0, 1, 1, 0.1}});
  const attention::KeyProducts products(three.columns, three.table, three.lags);
  const attention::TargetModel model = attention::learn_target(products, 1, kThree, three.lags.size());
  for (Index source = 0; source < kThree; ++source)
    for (std::size_t l = 0; l < three.lags.size(); ++l) {
      const auto p_of = [&](attention::Content content) {
        const Index key = products.key(source, l, content), degrees = model.tests.degrees(key, model.rows);
        const double r = model.tests.correlations[key];
        const double moments = products.effective_rows(source, content, 1, model.rows);
        CHECK(moments <= static_cast<double>(model.rows));
        const double t = r * std::sqrt(static_cast<double>(degrees) / (1 - r * r)) * std::sqrt(1 - 2 / moments);
        return student_two_sided(t, static_cast<double>(degrees));
      };
      const double u = std::min(p_of(attention::Content::plain) / 0.85, p_of(attention::Content::bent) / 0.15);
      const double wanted = 1 - (1 - std::min(0.85 * u, 1.0)) * (1 - std::min(0.15 * u, 1.0));
      CHECK(std::abs(attention::test_link(model.tests, products, source, l, 1, model.rows).p_value - wanted) <
            kFormula);
    }
}

TEST_CASE("slow series share few independent moments", "[attention_links]") {
  const ThreeSeries three({});
  const attention::KeyProducts products(three.columns, three.table, three.lags);
  double a = 0, b = 0;  // of 299 steps, each with the one before it
  for (Index t = 1; t < 300; ++t) {
    a += three.columns(t, 0) * three.columns(t - 1, 0) / 299;
    b += three.columns(t, 1) * three.columns(t - 1, 1) / 299;
  }
  CHECK(products.effective_rows(0, attention::Content::plain, 1, 298) == Approx(298 * (1 - a * b) / (1 + a * b)));
}

TEST_CASE("a hidden factor moves more than half of the series; a few that move together are none",
          "[attention_links]") {
  const auto together = [](Index count) {
    attention::ResidualCorrelations residuals{Matrix<double>::Identity(12, 12), Matrix<Index>::Constant(12, 12, 500)};
    for (Index i = 0; i < count; ++i)
      for (Index j = 0; j < count; ++j)
        if (i != j) residuals.correlations(i, j) = 0.95;
    return attention::look_for_hidden_factors(residuals);
  };
  CHECK(together(5).share == Approx(4 * 0.95 / 11));  // more than a quarter, but of 5 in 12
  CHECK(together(5).participation == Approx(5.0 / 12));
  CHECK(!together(5).found);
  CHECK(together(9).found);
}

TEST_CASE("a link within a step is the partial correlation of two residuals given all others'", "[attention_links]") {
  Matrix<double> residuals(400, 4);
  for (Index t = 0; t < 400; ++t)
    for (Index i = 0; i < 4; ++i)
      residuals(t, i) = Random(62).normal(static_cast<std::uint64_t>(i), static_cast<std::uint64_t>(t));
  residuals.col(1) -= 0.5 * residuals.col(0);
  residuals.col(2) += residuals.col(1);
  const std::vector<methods::Link> links =
      attention::links_within_a_step(attention::residual_correlations(residuals), residuals);
  residuals.rowwise() -= residuals.colwise().mean().eval();
  const Matrix<double> products = residuals.transpose() * residuals;
  REQUIRE(links.size() == 6);
  for (const methods::Link& link : links) {
    std::vector<Index> others;
    for (Index k = 0; k < 4; ++k)
      if (k != link.cause && k != link.effect) others.push_back(k);
    const double r = partial_correlation(products, link.cause, link.effect, others);
    CHECK(std::abs(link.strength - r) < kFormula);
    const double p = test_correlation(r, 400, 2).p_value;
    if (p > attention::kWorthConfirming) CHECK(link.p_value == Approx(p));
    CHECK(link.p_value >= p * (1 - kFormula));
  }
}
