/// What makes links doubtful: where each doubt must be found, and where none may.

#include "fovea/domains/lag/attention/doubts/doubts.hpp"

#include "fovea/domains/lag/attention/doubts/doubting.hpp"
#include "fovea/domains/lag/attention/links.hpp"
#include "fovea/tests/support/test.hpp"

using namespace fovea::lag;
using attention::Doubt, attention::DoubtKind, attention::Doubts;

namespace {

using Equations = std::function<double(const Matrix<double>& x, Index t, Index series)>;

/// x_i(t) = equations + shock; the first 100 steps are left out. tails: Student's t of 3 degrees; uneven: the size of
/// the shocks changes every 60 steps.
datasets::series::SeriesTable simulated(std::uint64_t seed, Index series, Index steps, const Equations& equations,
                                        bool tails = false, bool uneven = false) {
  const Random random(seed);
  const auto normal = [&](Index entity, Index t) {
    return random.normal(static_cast<std::uint64_t>(entity), static_cast<std::uint64_t>(t));
  };
  constexpr Index kWarm = 100;
  Matrix<double> x = Matrix<double>::Zero(steps + kWarm, series);
  for (Index t = 3; t < x.rows(); ++t)
    for (Index i = 0; i < series; ++i) {
      double shock = normal(i, t);
      if (tails) {
        double square = 0;
        for (Index k = 1; k <= 3; ++k) square += normal(series * k + i, t) * normal(series * k + i, t);
        shock /= std::sqrt(square);
      }
      x(t, i) = equations(x, t, i) + (uneven && t / 60 % 2 == 0 ? 3 : 1) * shock;
    }
  datasets::series::SeriesTable table;
  for (Index i = 0; i < series; ++i) table.names.push_back("x" + std::to_string(i));
  table.values = x.bottomRows(steps);
  return table;
}

/// A chain: each series has a memory, and answers the one before it.
double chain(const Matrix<double>& x, Index t, Index i) {
  return 0.5 * x(t - 1, i) + (i > 0 ? 0.4 * x(t - 1 - i % 2, i - 1) : 0);
}

Doubts doubts_of(const datasets::series::SeriesTable& table, Index longest = 4) {
  methods::LagSettings settings;
  for (Index lag = 1; lag <= longest; ++lag) settings.lags.push_back(lag);
  settings.contemporaneous = true;
  settings.surrogates = 0;
  return attention::attend_to_the_past(table, settings).doubts;
}

bool has(const std::vector<Doubt>& list, DoubtKind kind, Index series = -2) {
  return std::any_of(list.begin(), list.end(),
                     [&](const Doubt& one) { return one.kind == kind && (series == -2 || one.series == series); });
}

std::size_t doubted(const Doubts& doubts) {
  return static_cast<std::size_t>(
      std::count_if(doubts.begin(), doubts.end(), [](const std::vector<Doubt>& list) { return !list.empty(); }));
}

}  // namespace

TEST_CASE("linear tables are hardly ever doubted, whatever tails and variances", "[lag][doubts]") {
  std::size_t tables = 0;
  for (std::uint64_t seed = 0; seed < 40; ++seed)
    tables += doubted(doubts_of(simulated(seed, 5, 300, chain, seed % 3 == 1, seed % 3 == 2))) > 0 ? 1 : 0;
  CHECK(tables <= 2);
}

TEST_CASE("a product is named, at its own target alone", "[lag][doubts]") {
  const auto table = simulated(3, 6, 600, [](const Matrix<double>& x, Index t, Index i) {
    return chain(x, t, i) + (i == 2 ? 0.4 * x(t - 1, 0) * x(t - 1, 1) : 0);
  });
  const Doubts doubts = doubts_of(table);
  REQUIRE(has(doubts[2], DoubtKind::product));
  CHECK(attention::reason_of(doubts[2].front(), table.names) == "x2 answers more than lines show, such as x1 times x0");
  CHECK((doubts[1].empty() && doubts[5].empty()));
}

TEST_CASE("all targets of a continuous system that is sampled coarsely are doubted", "[lag][doubts]") {
  // Lorenz (1996), F = 10, each 0.1; small noise
  constexpr Index kSeries = 8;
  const Random random(5);
  datasets::series::SeriesTable table = simulated(1, kSeries, 500, chain);
  std::array<double, kSeries> x{1, 2, -1, 3, 0, 5, -2, 4};
  for (Index t = -100; t < 500; ++t) {
    for (int part = 0; part < 20; ++part) {
      const auto before = x;
      const auto at = [&](Index i) { return before[static_cast<std::size_t>((i + kSeries) % kSeries)]; };
      for (Index i = 0; i < kSeries; ++i)
        x[static_cast<std::size_t>(i)] += 0.005 * ((at(i + 1) - at(i - 2)) * at(i - 1) - at(i) + 10);
    }
    for (Index i = 0; t >= 0 && i < kSeries; ++i)
      table.values(t, i) = x[static_cast<std::size_t>(i)] +
                           0.3 * random.normal(static_cast<std::uint64_t>(i), static_cast<std::uint64_t>(t));
  }
  const Doubts doubts = doubts_of(table);
  CHECK(doubted(doubts) == kSeries);
  CHECK(std::any_of(doubts.begin(), doubts.end(), [](const auto& list) { return has(list, DoubtKind::product); }));
}

TEST_CASE("noise of measurement on all series is seen, and roughly how much", "[lag][doubts]") {
  int seen = 0;
  for (const std::uint64_t seed : {20U, 21U, 22U, 23U}) {
    auto table = simulated(seed, 6, 1500, [](const Matrix<double>& x, Index t, Index i) {
      return 0.8 * x(t - 1, i) + (i > 0 ? 0.4 * x(t - 1, i - 1) : 0);
    });
    const Doubts none = doubts_of(table);
    CHECK_FALSE(std::any_of(none.begin(), none.end(), [](const auto& list) { return has(list, DoubtKind::noise); }));
    const Random random(seed + 100);
    for (Index i = 0; i < 6; ++i) {
      const double spread = std::sqrt((table.values.col(i).array() - table.values.col(i).mean()).square().mean());
      for (Index t = 0; t < table.steps(); ++t)
        table.values(t, i) +=  // .39 of the variance
            0.8 * spread * random.normal(static_cast<std::uint64_t>(i), static_cast<std::uint64_t>(t));
    }
    const Doubts all = doubts_of(table);
    if (doubted(all) < 6 || !has(all[0], DoubtKind::noise)) continue;
    ++seen;
    CHECK(all[0].front().size > 0.15);
    CHECK(all[0].front().size < 0.7);
    CHECK(attention::reason_of(all[0].front(), table.names).starts_with("roughly "));
  }
  CHECK(seen >= 3);
}

TEST_CASE("memory beyond the lags that were searched is seen", "[lag][doubts]") {
  const auto table = simulated(7, 4, 500, [](const Matrix<double>& x, Index t, Index i) {
    return 0.3 * x(t - 1, i) + (i == 1 ? 0.5 * x(t - 3, 1) : 0);
  });
  const Doubts doubts = doubts_of(table, 2);
  CHECK(has(doubts[1], DoubtKind::memory, 1));
  CHECK(doubted(doubts) == 1);
  CHECK(doubted(doubts_of(table, 4)) == 0);
}

TEST_CASE("few values and gaps are doubts of the series and of what depends on them", "[lag][doubts]") {
  auto table = simulated(8, 7, 400, chain);
  auto gaps = table;
  for (Index t = 0; t < 400; ++t) table.values(t, 3) = table.values(t, 3) > 0 ? 1 : 0;
  const Doubts few = doubts_of(table);
  CHECK(has(few[3], DoubtKind::few_values, 3));
  CHECK(has(few[4], DoubtKind::few_values, 3));
  CHECK_FALSE(has(few[1], DoubtKind::few_values));
  CHECK(attention::reason_of(few[3].front(), table.names) == "x3 has only 2 different values");
  for (Index t = 0; t < 400; ++t)
    for (Index i = 0; i < 3; ++i)
      if ((t * (i + 3)) % 7 < 3) gaps.values(t, i) = kNan;
  const Doubts many = doubts_of(gaps);
  CHECK(doubted(many) == 7);
  CHECK(attention::reason_of(many[6].front(), table.names) == "more than 30 % of the cells of 3 series are missing");
  for (Index t = 0; t < 400; t += 10) table.values(t, 0) = kNan;
  CHECK_FALSE(has(doubts_of(table)[0], DoubtKind::gaps));
}

TEST_CASE("doubts are those of the table in other units, and with any number of threads", "[lag][doubts]") {
  auto table = simulated(9, 5, 300, [](const Matrix<double>& x, Index t, Index i) {
    return chain(x, t, i) + (i == 2 ? 0.4 * x(t - 1, 0) * x(t - 1, 1) : 0);
  });
  const Doubts before = doubts_of(table);
  const int threads = omp_get_max_threads();
  omp_set_num_threads(1);
  const Doubts alone = doubts_of(table);
  omp_set_num_threads(threads);
  for (Index i = 0; i < 5; ++i) table.values.col(i) = 3 + 1e4 * table.values.col(i).array();
  const Doubts scaled = doubts_of(table);
  REQUIRE(doubted(before) > 0);
  for (std::size_t j = 0; j < before.size(); ++j) {
    REQUIRE(before[j].size() == scaled[j].size());
    REQUIRE(before[j].size() == alone[j].size());
    for (std::size_t k = 0; k < before[j].size(); ++k) {
      CHECK(before[j][k].p_value == alone[j][k].p_value);
      CHECK(before[j][k].p_value == Approx(scaled[j][k].p_value).epsilon(1e-6));
    }
  }
}

TEST_CASE("each doubt has a clause and a remedy", "[lag][doubts]") {
  const std::vector<std::string> names{"a", "b", "c"};
  for (const DoubtKind kind :
       {DoubtKind::square, DoubtKind::product, DoubtKind::memory, DoubtKind::within, DoubtKind::noise,
        DoubtKind::few_values, DoubtKind::parts, DoubtKind::totals, DoubtKind::gaps}) {
    const Doubt doubt{.kind = kind, .series = 1, .other = 2, .lag = 4, .size = 0.38, .effect = 0};
    const std::string reason = attention::reason_of(doubt, names), remedy = attention::remedy_of(kind);
    CHECK((!reason.empty() && reason.back() != '.'));
    CHECK((!remedy.empty() && remedy.back() == '.'));
  }
  CHECK(attention::reason_of({.kind = DoubtKind::noise, .size = 0.38}, names) ==
        "roughly 40 % of the variance of the series seems to be noise of measurement");
}

TEST_CASE("levels of running totals are doubted, what they add is not", "[lag][doubts]") {
  datasets::series::SeriesTable table;
  table.names = {"a", "b"};
  table.values.resize(300, 2);
  const Random random(91);
  for (Index t = 0; t < 300; ++t)
    for (Index i = 0; i < 2; ++i)
      table.values(t, i) = (t > 0 ? table.values(t - 1, i) : 0) +
                           std::abs(random.normal(static_cast<std::uint64_t>(i), static_cast<std::uint64_t>(t)));
  const Doubts levels = attention::doubts_of_series(table);
  CHECK((has(levels[0], DoubtKind::totals, 0) && has(levels[1], DoubtKind::totals, 1)));
  CHECK(attention::reason_of(levels[0].front(), table.names) ==
        "a never falls, or never rises, as a running total does");
  for (Index t = 299; t > 0; --t) table.values.row(t) -= table.values.row(t - 1).eval();
  CHECK(doubted(attention::doubts_of_series(table)) == 0);
  table.parts = {1};
  CHECK(has(attention::doubts_of_series(table)[1], DoubtKind::parts, 1));
}
