#include "fovea/domains/lag/further/effects.hpp"
#include "fovea/domains/lag/further/family.hpp"
#include "fovea/domains/lag/further/innovations.hpp"
#include "fovea/domains/lag/further/panel.hpp"
#include "fovea/tests/domains/lag/further_series.hpp"
#include "fovea/tests/support/test.hpp"

namespace fovea::lag::further {  // its helpers have common names

namespace {

constexpr std::uint64_t kPowerSeed = 70000, kNullSeed = 80000;
const Matrix<double> kNoConditions(0, 0);

FurtherSettings up_to(Index longest, const std::vector<methods::Link>& known = {}) {
  FurtherSettings settings;
  for (Index lag = 1; lag <= longest; ++lag) settings.lags.push_back(lag);
  settings.known = known;
  return settings;
}

FurtherFindings found_in(const KnownSeries& series, FurtherSettings settings) {
  settings.known = series.links;
  return further_effects(innovations_of(series.table, series.links, kNoConditions), series.table, settings);
}

bool same_effect(const methods::Link& a, const methods::Link& b) {
  const auto is = [&](Index cause, Index lag, Index with, Index with_lag) {
    return b.cause == cause && b.lag == lag && b.with == with && b.with_lag == with_lag;
  };
  return a.kind == b.kind && a.effect == b.effect &&
         (is(a.cause, a.lag, a.with, a.with_lag) || is(a.with, a.with_lag, a.cause, a.lag));
}

struct Score {
  double found = 0, wrong = 0;  ///< a set
};

Score score(const std::string& effect, double size, double memory, int sets) {
  Score score;
  for (int s = 0; s < sets; ++s) {
    const KnownSeries series =
        series_with(effect, kSeries, kSteps, size, memory, Random(kPowerSeed + static_cast<std::uint64_t>(s)));
    for (const methods::Link& link : found_in(series, up_to(5)).links)
      (same_effect(link, series.effects.front()) ? score.found : score.wrong) += 1.0 / sets;
  }
  return score;
}

}  // namespace

TEST_CASE("effects that a linear test cannot see are found, without their echoes", "[lag][statistics]") {
  // 25 sets each, of series without memory and with a half; the shares are those that issue 15 asks for.
  struct Asked {
    const char* effect;
    double size, least;
  };
  for (const Asked& asked : {Asked{"sign_flip", 0.5, 0.8}, Asked{"slow_sign", 0.5, 0.6}, Asked{"variance", 0.65, 0.6}})
    for (const double memory : {0.0, 0.5}) {
      INFO(asked.effect << ", memory " << memory);
      const Score reached = score(asked.effect, asked.size, memory, 25);
      CHECK(reached.found >= asked.least);
      CHECK(reached.wrong <= 0.05);
    }
}

TEST_CASE("no further effects are found where there are none, whatever the series' nature", "[lag][statistics]") {
  // 12 sets a kind. Over 100 and more sets a kind none has above 0.03 false links a set; two in one kind would then
  // come in one of 20 runs, seeds are fixed.
  double all = 0;
  for (const std::string& kind : nulls()) {
    double wrong = 0;
    for (std::uint64_t s = 0; s < 12; ++s)
      wrong += static_cast<double>(
          found_in(series_without(kind, kSeries, kSteps, Random(kNullSeed + s)), up_to(5)).links.size());
    INFO(kind);
    CHECK(wrong <= 1);
    all += wrong;
  }
  CHECK(all <= 0.05 * 12 * static_cast<double>(nulls().size()));
}

TEST_CASE("where sizes move together no effect on a variance is reported, and a note says so", "[lag]") {
  const FurtherFindings found = found_in(series_without("common_volatility", kSeries, kSteps, Random(3)), up_to(5));
  CHECK(found.links.empty());
  REQUIRE(found.notes.size() == 1);
  CHECK(
      found.notes.front().starts_with("The sizes of most series' variations rise and fall together (mean "
                                      "correlation 0."));
  CHECK(found_in(series_without("normal", kSeries, kSteps, Random(3)), up_to(5)).notes.empty());
}

TEST_CASE("an effect on a variance is kept back where all sizes move together", "[lag]") {
  KnownSeries series = series_with("variance", kSeries, kSteps, 1.2, 0, Random(12));
  REQUIRE(found_in(series, up_to(5)).links.size() == 1);
  const Matrix<double> common = series_without("common_volatility", 1, kSteps, Random(13)).table.values;
  double level = 0;
  for (Index t = 0; t < kSteps; ++t) {
    level = 0.9 * level + 0.5 * common(t, 0) / (1 + std::abs(common(t, 0)));
    series.table.values.row(t) *= std::exp(level);
  }
  const FurtherFindings found = found_in(series, up_to(5));
  CHECK(found.links.empty());
  CHECK(found.notes.size() == 1);
}

TEST_CASE("a steady effect is no change, even where the linear tests missed it", "[lag]") {
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    KnownSeries series = series_without("linear", kSeries, kSteps, Random(seed));
    series.links.clear();
    FurtherSettings settings = up_to(5);
    settings.variance = false;
    CHECK(found_in(series, settings).links.empty());
  }
}

TEST_CASE("a further effect is said in words, with the row where its sign changes", "[lag]") {
  const auto said = [](const char* effect) {
    const FurtherFindings found = found_in(series_with(effect, 4, 800, 0.7, 0, Random(5)), up_to(3));
    REQUIRE(found.sentences.size() == 1);
    return found.sentences.front();
  };
  const std::string flip = said("sign_flip"), start = "the effect of V0 on V2 after 1 step changes its sign about row ";
  REQUIRE(flip.starts_with(start));
  CHECK(std::abs(std::stod(flip.substr(start.size())) - 401) <= 25);  // the change itself comes after row 400
  CHECK(flip.ends_with(", from positive to negative"));
  CHECK(said("slow_sign") == "the effect of V0 on V2 after 1 step changes its sign more than once");
  CHECK(said("variance") ==
        "V0 moves the size of V2's variations after 1 step, not its level: large values of V0 are followed by larger "
        "ones");
}

TEST_CASE("only the kinds and the targets that are asked for are looked for", "[lag]") {
  const KnownSeries series = series_with("variance", kSeries, kSteps, 0.8, 0, Random(8));
  FurtherSettings settings = up_to(4);
  REQUIRE(found_in(series, settings).links.size() == 1);
  settings.targets = {0, 2};
  CHECK(found_in(series, settings).links.size() == 1);
  settings.targets = {0, 1};
  CHECK(found_in(series, settings).links.empty());
  settings = up_to(4);
  settings.variance = false;
  CHECK(found_in(series, settings).links.empty());
}

TEST_CASE("further effects are the same bits for any number of threads", "[lag][threads]") {
  std::vector<double> one;
  const int before = omp_get_max_threads();
  for (const int threads : {1, 2, 3, 5}) {
    omp_set_num_threads(threads);
    std::vector<double> numbers;
    for (const char* effect : {"sign_flip", "slow_sign", "variance"})
      for (const methods::Link& link : found_in(series_with(effect, 5, 400, 0.8, 0.3, Random(4)), up_to(4)).links)
        for (const double number : {link.p_value, link.q_value, link.strength, link.statistic})
          numbers.push_back(number);
    if (threads == 1) one = numbers;
    CHECK(numbers == one);
  }
  omp_set_num_threads(before);
  CHECK(one.size() >= 12);
}

TEST_CASE("innovations are what own past, known links and conditions leave", "[lag][twin]") {
  KnownSeries series = series_without("linear", 3, 300, Random(6));
  series.table.recording_starts = {0, 150};
  series.table.values(40, 0) = kNan;
  Matrix<double> season(300, 1);
  for (Index t = 0; t < 300; ++t) season(t, 0) = std::sin(0.3 * static_cast<double>(t));
  const Matrix<double> left = innovations_of(series.table, series.links, season);
  const Index lag = 2;  // of series 0 on series 1
  double sum = 0, with_cause = 0, with_season = 0, with_own = 0, squares = 0;
  for (Index t = 0; t < 300; ++t) {
    const bool early = t % 150 < 3, gap = t == 40 + lag;
    CHECK(std::isnan(left(t, 1)) == (early || gap));
    if (early || gap) continue;
    sum += left(t, 1), squares += left(t, 1) * left(t, 1);
    with_cause += left(t, 1) * series.table.values(t - lag, 0);
    with_own += left(t, 1) * series.table.values(t - 3, 1);
    with_season += left(t, 1) * season(t, 0);
  }
  constexpr double kOrthogonal = 1e-8;  // of sums of 300 products near 1, solved to about 1e-13
  for (const double product : {sum, with_cause, with_own, with_season}) CHECK(std::abs(product) < kOrthogonal);
  CHECK(squares > 200);
}

TEST_CASE("no lag reaches from one recording into another, and windows have no mean", "[lag]") {
  KnownSeries series = series_without("normal", 2, 200, Random(2));
  series.table.recording_starts = {0, 90};
  Matrix<double> innovations = series.table.values;
  innovations(7, 0) = kNan;
  const Panel panel(innovations, series.table);
  REQUIRE(panel.windows() == 4);
  CHECK(panel.innovations(0, 7) == 0);
  for (Index w = 0; w < 4; ++w) CHECK(std::abs(panel.innovations.row(0).segment(50 * w, 50).sum()) < 1e-12);
  const Vector<double> before = panel.before(panel.innovations, 1, 4);
  for (Index t = 0; t < 200; ++t) CHECK(before[t] == (t < 4 || (t >= 90 && t < 94) ? 0 : panel.innovations(1, t - 4)));
}

TEST_CASE("a self-normalised sum of even signs exceeds no bound that its p-value promises", "[lag][statistics]") {
  // Products of Cauchy's tails: 4000 sums; the bound would be passed by twice its share in far less than 1 of 1000.
  const Random random(11);
  int beyond = 0;
  for (std::uint64_t s = 0; s < 4000; ++s) {
    double sum = 0, squares = 0;
    for (std::uint64_t t = 0; t < 60; ++t) {
      const double w = random.normal(t, 2 * s) / std::abs(random.normal(t, 2 * s + 1));
      sum += w, squares += w * w;
    }
    beyond += self_normalised_p(sum, squares) <= 0.05 ? 1 : 0;
  }
  CHECK(beyond <= 200);
  CHECK(self_normalised_p(0, 0) == 1);
}

TEST_CASE("conditions of other rows are refused, and too few rows are said", "[lag]") {
  const KnownSeries series = series_without("normal", 3, 100, Random(1));
  CHECK(support::refusal_of<ArgumentError>([&] { innovations_of(series.table, {}, Matrix<double>::Zero(5, 1)); }) ==
        "innovations: the conditions have 5 rows, but the table has 100 steps; each step needs one row.");
  const KnownSeries brief = series_without("normal", 3, 79, Random(1));
  REQUIRE(found_in(brief, up_to(2)).notes.size() == 1);
  CHECK(found_in(brief, up_to(2)).notes.front().ends_with("that takes 80 rows, but there are 79."));
}

}  // namespace fovea::lag::further
