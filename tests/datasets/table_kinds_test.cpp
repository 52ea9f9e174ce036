#include "fovea/tests/support/kinds/kinds.hpp"

#include "fovea/tests/support/test.hpp"

namespace fovea {

namespace {

namespace kinds = support::kinds;

constexpr std::uint64_t kKindsSeed = 7;

Matrix<double> values_of_kind(std::string_view kind, Index set = 1) {
  return kinds::draw_table(kind, set, Random(kKindsSeed)).table.values;
}

double share_of_zeros(const Matrix<double>& x) {
  return static_cast<double>((x.array() == 0).count()) / static_cast<double>(x.size());
}

double correlation_of(const Vector<double>& a, const Vector<double>& b) {
  const Vector<double> p = a.array() - a.mean(), q = b.array() - b.mean();
  return p.dot(q) / std::sqrt(p.squaredNorm() * q.squaredNorm());
}

/// Of the cause at t - lag with the effect at t.
double lagged_correlation_of(const Matrix<double>& x, Index cause, Index effect, Index lag) {
  return correlation_of(x.col(cause).head(x.rows() - lag), x.col(effect).tail(x.rows() - lag));
}

/// Share of a column's variance that a wave of this period explains, over several periods.
double explained_by_wave(const Vector<double>& column, double period) {
  Vector<double> cosine(column.size()), sine(column.size());
  for (Index t = 0; t < column.size(); ++t) {
    const double angle = 2 * 3.14159265358979 * static_cast<double>(t) / period;
    cosine[t] = std::cos(angle);
    sine[t] = std::sin(angle);
  }
  const double a = correlation_of(column, cosine), b = correlation_of(column, sine);
  return a * a + b * b;
}

/// Share of a column's variance that the means of its phases explain.
double explained_by_pattern(const Vector<double>& column, Index period) {
  Vector<double> sums = Vector<double>::Zero(period), counts = Vector<double>::Zero(period);
  for (Index t = 0; t < column.size(); ++t) {
    sums[t % period] += column[t] - column.mean();
    counts[t % period] += 1;
  }
  return (sums.array().square() / counts.array()).sum() / (column.array() - column.mean()).matrix().squaredNorm();
}

double mean_explained_by_wave(const Matrix<double>& x, double period) {
  double sum = 0;
  for (Index s = 0; s < x.cols(); ++s) sum += explained_by_wave(x.col(s), period);
  return sum / static_cast<double>(x.cols());
}

double mean_explained_by_pattern(const Matrix<double>& x, Index period) {
  double sum = 0;
  for (Index s = 0; s < x.cols(); ++s) sum += explained_by_pattern(x.col(s), period);
  return sum / static_cast<double>(x.cols());
}

/// Variance of the lower half of the rows over that of the upper half, over all series.
double growth_of_variance(const Matrix<double>& x) {
  return x.bottomRows(x.rows() / 2).squaredNorm() / x.topRows(x.rows() / 2).squaredNorm();
}

void check_form_of_kind(const kinds::Kind& kind, const kinds::KnownTable& known) {
  const auto& [table, links, calendar] = known;
  CHECK(table.series() == static_cast<Index>(table.names.size()));
  CHECK(std::set<std::string>(table.names.begin(), table.names.end()).size() == table.names.size());
  CHECK(table.steps() >= 60);
  CHECK(!table.values.array().isInf().any());
  CHECK(table.values.hasNaN() == (kind.name == "missing_blocks"));
  CHECK(links.empty() == (kind.group != kinds::Group::linked));
  for (const kinds::KnownLink& link : links) {
    CHECK(link.cause != link.effect);
    CHECK(std::max(link.cause, link.effect) < table.series());
    CHECK((link.lag >= 0 && link.lag <= 5));
  }
}

}  // namespace

TEST_CASE("Every kind draws a table in form, the same one again, and another one for another set or seed",
          "[datasets][lag]") {
  for (const kinds::Kind& kind : kinds::all_kinds()) {
    DYNAMIC_SECTION(kind.name) {
      const kinds::KnownTable known = kinds::draw_table(kind.name, 1, Random(kKindsSeed));
      check_form_of_kind(kind, known);
      const Matrix<double>& x = known.table.values;
      const auto same = [&](const Matrix<double>& other) {
        return other.rows() == x.rows() && other.cols() == x.cols() &&
               ((other.array() == x.array()) || (other.array().isNaN() && x.array().isNaN())).all();
      };
      CHECK(same(values_of_kind(kind.name, 1)));
      CHECK_FALSE(same(values_of_kind(kind.name, 17)));
      CHECK_FALSE(same(kinds::draw_table(kind.name, 1, Random(kKindsSeed + 1)).table.values));
    }
  }
}

TEST_CASE("No two kinds have the same name, and one that does not exist is refused", "[datasets][lag]") {
  std::set<std::string_view> names;
  for (const kinds::Kind& kind : kinds::all_kinds()) names.insert(kind.name);
  CHECK(names.size() == kinds::all_kinds().size());
  CHECK_THROWS_AS(kinds::kind_of("hail"), ArgumentError);
  CHECK_THROWS_AS(kinds::draw_table("poisson", -1, Random(1)), ArgumentError);
}

TEST_CASE("Sixteen sets have sixteen sizes of 8 to 20 series and 600 to 2000 steps", "[datasets][lag]") {
  std::set<std::pair<Index, Index>> sizes;
  for (Index set = 0; set < 16; ++set) {
    const Matrix<double> x = values_of_kind("rare_events", set);
    CHECK((x.cols() >= 8 && x.cols() <= 20 && x.rows() >= 600 && x.rows() <= 2000));
    sizes.emplace(x.rows(), x.cols());
  }
  CHECK(sizes.size() == 16);
}

TEST_CASE("Sparse and discrete kinds have the values they promise", "[datasets][lag]") {
  // 1000 steps x 12 series: a share p has an error of sqrt(p (1 - p) / 12000), of which five are allowed
  CHECK(std::abs(share_of_zeros(values_of_kind("sparse_rain", 5)) - 0.90) < 0.014);
  CHECK(std::abs(values_of_kind("rare_events", 5).mean() - 0.02) < 0.0064);
  CHECK(std::abs(values_of_kind("poisson", 5).mean() - 0.1) < 0.0145);
  CHECK(share_of_zeros(values_of_kind("seasonal_counts", 5)) > 0.5);
  const Matrix<double> chains = values_of_kind("binary_chains");
  CHECK((chains.array() == 0 || chains.array() == 1).all());
  const Matrix<double> held = values_of_kind("held_values");
  for (Index t = 0; t < held.rows(); ++t) CHECK(held.row(t) == held.row(t - t % 4));
  const Matrix<double> rounded = 2 * values_of_kind("rounded");
  CHECK(rounded == rounded.array().round().matrix());
  CHECK(values_of_kind("clipped_sensor").cwiseAbs().maxCoeff() == 1);
  const Matrix<double> gaps = values_of_kind("missing_blocks", 5);
  const double missing = static_cast<double>(gaps.array().isNaN().count()) / static_cast<double>(gaps.size());
  CHECK((missing > 0.01 && missing < 0.2));
}

TEST_CASE("Rain is skewed: few amounts are most of it", "[datasets][lag]") {
  const Matrix<double> rain = values_of_kind("sparse_rain", 5);
  const double mean_wet = rain.sum() / static_cast<double>((rain.array() > 0).count());
  CHECK(rain.maxCoeff() > 8 * mean_wet);
  CHECK((rain.array() >= 0).all());
}

TEST_CASE("Shared courses are seen in the series, and are gone from plain ones", "[datasets][lag]") {
  CHECK(mean_explained_by_wave(values_of_kind("yearly_course"), 365.25) > 0.25);
  CHECK(mean_explained_by_wave(values_of_kind("daily_course"), 24) > 0.25);
  CHECK(mean_explained_by_pattern(values_of_kind("weekday_pattern"), 7) > 0.35);
  CHECK(mean_explained_by_pattern(values_of_kind("month_pattern"), 12) > 0.35);
  CHECK(mean_explained_by_pattern(values_of_kind("hours_of_week"), 168) > 0.35);
  CHECK(mean_explained_by_wave(values_of_kind("two_cycles"), 10 * std::sqrt(2.0)) > 0.15);
  const Matrix<double> plain = values_of_kind("plain_memory");
  CHECK(mean_explained_by_wave(plain, 24) < 0.05);
  CHECK(mean_explained_by_pattern(plain, 7) < 0.05);
}

TEST_CASE("Trends, shifts and growing variances change a series from its first half to its second", "[datasets][lag]") {
  for (const std::string_view kind : {"linear_trends", "level_shift"}) {
    const Matrix<double> x = values_of_kind(kind, 5);
    const Index third = x.rows() / 4;
    const Vector<double> rise = (x.bottomRows(third).colwise().mean() - x.topRows(third).colwise().mean()).cwiseAbs();
    CHECK(rise.minCoeff() > 0.2);
    CHECK(rise.maxCoeff() > 1.5);
  }
  CHECK(std::abs(growth_of_variance(values_of_kind("growing_variance", 5)) / 5 - 1) < 0.2);
  CHECK(std::abs(growth_of_variance(values_of_kind("growing_deviation", 5)) / 25 - 1) < 0.2);
  CHECK(std::abs(growth_of_variance(values_of_kind("plain_memory")) - 1) < 0.2);
}

TEST_CASE("Common volatility is in the squares of all series and in none of their products", "[datasets][lag]") {
  const Matrix<double> x = values_of_kind("common_volatility", 3);
  const Vector<double> a = x.col(0), b = x.col(1);
  CHECK(correlation_of(a.cwiseAbs(), b.cwiseAbs()) > 0.2);
  CHECK(std::abs(correlation_of(a, b)) < 0.15);
}

TEST_CASE("Memories last as long as their kinds say", "[datasets][lag]") {
  CHECK(lagged_correlation_of(values_of_kind("near_unit_roots", 3), 0, 0, 1) > 0.94);
  CHECK(lagged_correlation_of(values_of_kind("random_walks", 3), 0, 0, 1) > 0.97);
  const auto after_thirty = [](const Matrix<double>& x) {
    double sum = 0;
    for (Index s = 0; s < x.cols(); ++s) sum += lagged_correlation_of(x, s, s, 30);
    return sum / static_cast<double>(x.cols());
  };
  CHECK(after_thirty(values_of_kind("long_memory", 3)) > 0.15);
  CHECK(std::abs(after_thirty(values_of_kind("plain_memory"))) < 0.1);
}

TEST_CASE("A gauge follows its rain after the lag of the truth", "[datasets][lag]") {
  const kinds::KnownTable river = kinds::draw_table("rivers", 4, Random(kKindsSeed));
  CHECK((river.table.series() >= 8 && river.table.series() <= 12));
  CHECK(std::abs(share_of_zeros(river.table.values.leftCols(2)) - 0.90) < 0.025);
  for (const kinds::KnownLink& link : river.links) {
    if (!river.table.names[link.cause].starts_with("rain")) continue;
    const auto at = [&](Index lag) { return lagged_correlation_of(river.table.values, link.cause, link.effect, lag); };
    CHECK(at(link.lag) > 0.5);
    CHECK(at(link.lag) > at(link.lag - 1) + 0.2);
  }
}

TEST_CASE("Fifty haemodynamic series are smooth, and 61 links join them", "[datasets][lag]") {
  const kinds::KnownTable brain = kinds::draw_table("haemodynamic", 0, Random(kKindsSeed));
  CHECK(brain.table.series() == 50);
  CHECK(brain.links.size() == 61);
  double own = 0, linked = 0;
  for (Index k = 0; k < 50; ++k) own += lagged_correlation_of(brain.table.values, k, k, 1) / 50;
  for (const kinds::KnownLink& link : brain.links)
    linked += lagged_correlation_of(brain.table.values, link.cause, link.effect, 0) / 61;
  CHECK(own > 0.4);
  CHECK(linked > 0.15);
}

TEST_CASE("Hidden effects are there and no steady lagged correlation shows them", "[datasets][lag]") {
  const auto x_and_y = [](std::string_view kind) {
    const Matrix<double> values = values_of_kind(kind);
    return std::pair<Vector<double>, Vector<double>>(values.col(0).head(799), values.col(5).tail(799));
  };
  const auto [x, y] = x_and_y("sign_flip");
  CHECK(correlation_of(x.head(380), y.head(380)) > 0.2);
  CHECK(correlation_of(x.tail(380), y.tail(380)) < -0.2);
  CHECK(std::abs(correlation_of(x, y)) < 0.2);
  const auto [cause, spread] = x_and_y("variance_effect");
  CHECK(correlation_of(cause, spread.cwiseAbs()) > 0.15);
  const Matrix<double> values = values_of_kind("product_effect");
  const Vector<double> product = values.col(0).segment(1, 798).cwiseProduct(values.col(1).head(798));
  CHECK(correlation_of(product, values.col(5).tail(798)) > 0.2);
  CHECK(std::abs(lagged_correlation_of(values, 0, 5, 1)) < 0.2);
}

TEST_CASE("Within a step y is half of x and noise", "[datasets][lag]") {
  for (const Index set : {0, 1}) {
    const Matrix<double> pair = values_of_kind("within_step", set);
    CHECK(pair.cols() == (set == 0 ? 2 : 4));
    const double slope = pair.col(0).dot(pair.col(1)) / pair.col(0).squaredNorm();
    CHECK(std::abs(slope - 0.5) < 5 / std::sqrt(600.0));
  }
}

TEST_CASE("Dates of rows are hours, days or months", "[datasets][lag]") {
  CHECK(kinds::date_of_row(kinds::Calendar::none, 3).empty());
  CHECK(kinds::date_of_row(kinds::Calendar::hours, 29) == "1995-03-02 05:00:00");
  CHECK(kinds::date_of_row(kinds::Calendar::days, 31) == "1995-04-01");
  CHECK(kinds::date_of_row(kinds::Calendar::months, 23) == "1902-12-01");
}

}  // namespace fovea
