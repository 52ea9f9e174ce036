#include "fovea/domains/lag/attention/links.hpp"

#include <map>
#include <tuple>

#include "fovea/core/statistics/tests/false_discovery.hpp"
#include "fovea/domains/lag/attention/rate/pairs_first.hpp"
#include "fovea/domains/lag/methods/finders.hpp"
#include "fovea/domains/lag/series/lag_choice.hpp"
#include "fovea/tests/domains/lag/small_tables.hpp"
#include "fovea/tests/support/kinds/lagged_system.hpp"
#include "fovea/tests/support/test.hpp"

using namespace fovea::lag;

namespace {

/// F1 of (cause, effect, lag) over links that are not self-links, pooled.
class LagScore {
 public:
  void add(const methods::Findings& findings, const support::kinds::LaggedSystem& system) {
    std::set<std::tuple<Index, Index, Index>> truth;
    for (const support::kinds::SystemLink& link : system.links) truth.emplace(link.cause, link.effect, link.lag);
    true_ += truth.size();
    for (const methods::Link& link : methods::counting_links(findings)) {
      if (link.self()) continue;
      ++found_;
      right_ += truth.contains({link.cause, link.effect, link.lag}) ? 1U : 0U;
    }
  }
  double f1() const { return 2.0 * static_cast<double>(right_) / static_cast<double>(found_ + true_); }
  std::size_t wrong() const { return found_ - right_; }

 private:
  std::size_t true_ = 0, found_ = 0, right_ = 0;
};

double mean_f1(const support::kinds::SystemKind& kind, Index steps, Index longest, std::uint64_t first_seed, int sets,
               double missing = 0) {
  LagScore score;
  for (int s = 0; s < sets; ++s) {
    const Random random(first_seed + static_cast<std::uint64_t>(s));
    support::kinds::SimulatedSystem drawn = support::kinds::draw_and_simulate(kind, steps, random);
    for (Index cell = 0; cell < drawn.values.size(); ++cell)
      if (random.stream("gaps").uniform(static_cast<std::uint64_t>(cell)) < missing)
        drawn.values.data()[cell] = std::numeric_limits<double>::quiet_NaN();
    score.add(attention::attend_to_the_past(small::table_of(drawn.values), small::lags_up_to(longest)).findings,
              drawn.system);
  }
  return score.f1();
}

}  // namespace

TEST_CASE("Attention finds which series drives which, after how long", "[attention_links]") {
  support::kinds::SystemKind strong;
  strong.weakest = 0.3;
  strong.strongest = 0.4;
  CHECK(mean_f1(strong, 1000, 5, 500, 3) > 0.95);
  CHECK(mean_f1(support::kinds::SystemKind{}, 300, 5, 520, 4) >
        0.75);  // weak links and few steps: what chance hides stays hidden
}

TEST_CASE("Attention finds links among more keys than there are rows", "[attention_links]") {
  support::kinds::SystemKind wide;
  wide.series = 40;
  wide.links = 40;
  wide.weakest = 0.4;
  wide.strongest = 0.6;
  CHECK(mean_f1(wide, 250, 5, 540, 1) > 0.9);  // 400 keys for 245 rows
}

TEST_CASE("Attention finds links whose response is bent, and says so", "[attention_links]") {
  support::kinds::SystemKind bent;
  bent.series = 6;
  bent.links = 6;
  bent.weakest = 0.5;
  bent.strongest = 0.8;
  bent.responses = {support::kinds::Response::absolute, support::kinds::Response::bump};
  CHECK(mean_f1(bent, 1000, 4, 560, 2) > 0.85);
  const support::kinds::LaggedSystem pair{
      {0.2, 0.2}, {{0, 1, 3, 0.8, support::kinds::Response::absolute}}, {}, 0, support::kinds::Innovation::normal};
  const attention::AttentionFindings found = attention::attend_to_the_past(
      small::table_of(support::kinds::simulate(pair, 800, Random(7))), small::lags_up_to(5));
  for (std::size_t k = 0; k < found.views.size(); ++k) {
    const methods::Link& link = found.findings.links[k];
    if (link.cause != 0 || link.effect != 1 || link.lag != 3) continue;
    CHECK(link.counts);
    CHECK(found.views[k].weight > 0.95);
    CHECK(link.bent);
    CHECK(found.views[k].credible_lags == std::vector<Index>{3});
  }
}

TEST_CASE("Missing cells cost little and are not links", "[attention_links]") {
  support::kinds::SystemKind strong;
  strong.weakest = 0.3;
  strong.strongest = 0.4;
  CHECK(mean_f1(strong, 800, 4, 580, 1, 0.2) > 0.85);
}

TEST_CASE("Units do not matter, also where cells are missing", "[attention_links]") {
  constexpr double kOtherRounding = 1e-9;
  support::kinds::SystemKind kind;
  kind.series = 4;
  kind.links = 4;
  Matrix<double> values = support::kinds::draw_and_simulate(kind, 300, Random(585)).values;
  for (Index cell = 0; cell < values.size(); ++cell)
    if (Random(586).uniform(static_cast<std::uint64_t>(cell)) < 0.2)
      values.data()[cell] = std::numeric_limits<double>::quiet_NaN();
  const methods::Findings one = methods::find_by_attention(small::table_of(values), small::lags_up_to(3), Random(1));
  values.col(1) = 1000 * values.col(1).array() + 5;
  values.col(2) *= 0.01;
  const methods::Findings other = methods::find_by_attention(small::table_of(values), small::lags_up_to(3), Random(1));
  for (std::size_t k = 0; k < one.links.size(); ++k)
    CHECK(std::abs(one.links[k].p_value - other.links[k].p_value) < kOtherRounding);
}

TEST_CASE("A series of few cells is tested on the rows that have them, one without any on none", "[attention_links]") {
  const support::kinds::LaggedSystem chain{
      {0.5, 0.0, 0.5}, {{0, 1, 2, 1.5}}, {}, 0, support::kinds::Innovation::normal};
  datasets::series::SeriesTable table = small::table_of(support::kinds::simulate(chain, 600, Random(590)));
  for (Index t = 0; t < 600; ++t) {
    if (t % 4 != 0) table.values(t, 1) = std::numeric_limits<double>::quiet_NaN();
    table.values(t, 2) = std::numeric_limits<double>::quiet_NaN();
  }
  const attention::AttentionFindings found = attention::attend_to_the_past(table, small::lags_up_to(3, false));
  CHECK(found.targets[0].rows == 597);
  CHECK(found.targets[1].rows == 149);
  CHECK(found.targets[2].rows == 0);
  for (const methods::Link& link : methods::counting_links(found.findings)) {
    INFO(link.cause << " drives " << link.effect << " after " << link.lag << ", p = " << link.p_value);
    CHECK((link.self() || (link.cause == 0 && link.effect == 1 && link.lag == 2)));
  }
  CHECK(std::any_of(found.findings.links.begin(), found.findings.links.end(),
                    [](const methods::Link& link) { return link.counts && !link.self(); }));
}

TEST_CASE("Where a hidden factor moves all series, its tiny effects do not count", "[attention_links]") {
  support::kinds::SystemKind kind;
  kind.series = 15;
  kind.links = 10;
  kind.longest_lag = 3;
  kind.weakest = 0.3;
  kind.strongest = 0.6;
  kind.least_memory = 0;
  kind.most_memory = 0.1;
  kind.factors = 1;
  const support::kinds::SimulatedSystem drawn = support::kinds::draw_and_simulate(kind, 2000, Random(600));
  const attention::AttentionFindings found =
      attention::attend_to_the_past(small::table_of(drawn.values), small::lags_up_to(3));
  CHECK(found.hidden.found);
  LagScore score;
  score.add(found.findings, drawn.system);
  CHECK(score.f1() > 0.7);
  for (const methods::Link& link : found.findings.links) CHECK(!(link.lag == 0 && link.counts));
}

TEST_CASE("Without links p-values are uniform and little counts, also for slow series and heavy tails",
          "[attention_links]") {
  constexpr int kSets = 30;
  constexpr double kMostRate = 0.07;  // of p < .05 over 2700 tests that are dependent inside a set
  const int before = omp_get_max_threads();
  omp_set_num_threads(1);  // many small tables: threads would wait for each other
  for (const support::kinds::Innovation innovation :
       {support::kinds::Innovation::normal, support::kinds::Innovation::student3}) {
    support::kinds::SystemKind kind;
    kind.series = 5;
    kind.links = 0;
    kind.least_memory = kind.most_memory = 0.95;
    kind.innovation = innovation;
    int below = 0, tests = 0, sets_with_links = 0;
    for (std::uint64_t s = 0; s < kSets; ++s) {
      const attention::AttentionFindings found = attention::attend_to_the_past(
          small::table_of(support::kinds::draw_and_simulate(kind, 400, Random(700 + s)).values), small::lags_up_to(4));
      bool any = false;
      for (const methods::Link& link : found.findings.links) {
        if (link.self()) continue;
        ++tests;
        below += link.p_value < 0.05 ? 1 : 0;
        any = any || link.counts;
      }
      sets_with_links += any ? 1 : 0;
    }
    CHECK(static_cast<double>(below) / tests < kMostRate);
    CHECK(static_cast<double>(below) / tests > 0.03);
    CHECK(sets_with_links <= 6);  // P(more) < .003 for 30 sets at .06
  }
  omp_set_num_threads(before);
}

TEST_CASE("The same bits for any number of threads", "[attention_links]") {
  const support::kinds::SimulatedSystem drawn =
      support::kinds::draw_and_simulate(support::kinds::SystemKind{}, 300, Random(800));
  datasets::series::SeriesTable table = small::table_of(drawn.values);
  for (const bool gaps : {false, true}) {
    if (gaps) table.values(100, 3) = table.values(101, 3) = std::numeric_limits<double>::quiet_NaN();
    const int before = omp_get_max_threads();
    omp_set_num_threads(1);
    const attention::AttentionFindings one = attention::attend_to_the_past(table, small::lags_up_to(5));
    for (const int threads : {2, 3, 5}) {
      omp_set_num_threads(threads);
      const attention::AttentionFindings many = attention::attend_to_the_past(table, small::lags_up_to(5));
      bool same = one.views.size() == many.views.size();
      for (std::size_t k = 0; same && k < one.views.size(); ++k) {
        const methods::Link &a = one.findings.links[k], &b = many.findings.links[k];
        same = a.p_value == b.p_value && a.q_value == b.q_value && a.strength == b.strength && a.lag == b.lag &&
               one.views[k].weight == many.views[k].weight && one.views[k].gradient == many.views[k].gradient;
      }
      CHECK(same);
    }
    omp_set_num_threads(before);
  }
}

TEST_CASE("No lag reaches from one recording into another", "[attention_links]") {
  // each recording ends with cause and begins with effect: only a lag across the border would join them
  Matrix<double> values(400, 2);
  const Random random(900);
  for (Index t = 0; t < 400; ++t)
    for (Index i = 0; i < 2; ++i)
      values(t, i) = random.normal(static_cast<std::uint64_t>(i), static_cast<std::uint64_t>(t));
  for (Index first = 10; first < 400; first += 10) values(first, 1) = 8 * values(first - 1, 0);
  datasets::series::SeriesTable table = small::table_of(values);
  const auto counts = [&] {
    const methods::Findings found = methods::find_by_attention(table, small::lags_up_to(2), Random(1));
    return std::any_of(found.links.begin(), found.links.end(),
                       [](const methods::Link& link) { return link.cause == 0 && link.effect == 1 && link.counts; });
  };
  CHECK(counts());
  table.recording_starts.clear();
  for (Index first = 0; first < 400; first += 10) table.recording_starts.push_back(first);
  CHECK(!counts());
}

TEST_CASE("A link within a step is found, and directed where both have memory", "[attention_links]") {
  Matrix<double> values =
      support::kinds::simulate({{0.5, 0.5, 0.5}, {}, {}, 0, support::kinds::Innovation::normal}, 500, Random(910));
  double driven = 0;
  for (Index t = 0; t < values.rows(); ++t) {
    driven = 0.5 * driven + 0.6 * values(t, 0);
    values(t, 2) += driven;
  }
  const attention::AttentionFindings found =
      attention::attend_to_the_past(small::table_of(values), small::lags_up_to(2));
  int within = 0;
  for (const methods::Link& link : found.findings.links) {
    if (link.lag > 0 || !link.counts) continue;
    ++within;
    CHECK(link.directed);
    CHECK((link.cause == 0 && link.effect == 2));
  }
  CHECK(within == 1);
}

TEST_CASE("Where an effect stands after the step too and the direction within is not known, the lag is the pair's",
          "[attention_links]") {
  Matrix<double> values = support::kinds::simulate(
      {{0.3, 0.3, 0.3}, {{0, 1, 1, 0.6}}, {}, 0, support::kinds::Innovation::normal}, 500, Random(912));
  values.col(1) += 0.6 * values.col(0);
  const attention::AttentionFindings found =
      attention::attend_to_the_past(small::table_of(values), small::lags_up_to(2));
  bool within = false, lagged = false;
  for (const methods::Link& link : methods::counting_links(found.findings)) {
    if (link.cause != 0 || link.effect != 1) continue;
    within = within || link.lag == 0;
    lagged = lagged || link.lag == 1;
  }
  CHECK(!within);
  CHECK(lagged);
}

TEST_CASE("Credible lags are all those that hold 95 % of a head's weight", "[attention_links]") {
  const Random random(913);
  Matrix<double> values(400, 2);
  for (Index t = 0; t < 400; ++t) {
    values(t, 0) = random.normal(0, static_cast<std::uint64_t>(t % 7));  // 1 and 8 steps ago are the same
    values(t, 1) = random.normal(1, static_cast<std::uint64_t>(t)) + (t > 0 ? 2 * values(t - 1, 0) : 0.0);
  }
  const attention::AttentionFindings found =
      attention::attend_to_the_past(small::table_of(values), small::lags_up_to(8, false));
  for (std::size_t k = 0; k < found.views.size(); ++k) {
    const methods::Link& link = found.findings.links[k];
    if (link.cause != 0 || link.effect != 1 || link.lag != 8) continue;
    CHECK(found.views[k].weight == Approx(0.5).margin(0.01));
    CHECK(found.views[k].credible_lags == std::vector<Index>{1, 8});
    const auto deviation = [](const Vector<double>& x) { return (x.array() - x.mean()).matrix().norm(); };
    CHECK(found.views[k].gradient ==
          Approx(0.5 * 2 * deviation(values.col(0)) / deviation(values.col(1))).epsilon(0.1));
  }
}

TEST_CASE("links are significant pairs first, own pasts apart, and those within a step at half the rate",
          "[attention_links]") {
  const support::kinds::SimulatedSystem drawn =
      support::kinds::draw_and_simulate(support::kinds::SystemKind{}, 200, Random(915));
  const attention::AttentionFindings all =
      attention::attend_to_the_past(small::table_of(drawn.values), small::lags_up_to(3));
  REQUIRE(all.surrogates.raised == 1);
  for (const bool own : {false, true}) {
    std::map<std::tuple<Index, Index, bool>, std::size_t> numbers;
    std::vector<double> p;
    std::vector<std::size_t> group;
    for (const methods::Link& link : all.findings.links) {
      if (link.self() != own) continue;
      p.push_back(std::log10(std::min(link.lag == 0 ? 2 * link.p_value : link.p_value, 1.0)));
      group.push_back(
          numbers.emplace(std::tuple(link.cause, link.effect, link.lag == 0), numbers.size()).first->second);
    }
    const std::vector<double> q = log10_grouped_discovery(p, group);
    std::size_t k = 0;
    for (const methods::Link& link : all.findings.links) {
      if (link.self() != own) continue;
      CHECK(methods::log10_q(link) == Approx(q[k++]).margin(1e-12));
      if (link.lag > 0) CHECK(link.counts == (link.q_value <= 0.05));
    }
  }
}

TEST_CASE("a pair with many significant lags lends its rate to no other pair", "[attention_links]") {
  std::vector<methods::Link> links;
  for (Index lag = 1; lag <= 20; ++lag) links.push_back({0, 1, lag, 0.5, 9, 1e-12});
  for (Index lag = 1; lag <= 20; ++lag) links.push_back({1, 0, lag, 0.1, 2, lag == 3 ? 0.002 : 0.5});
  links.push_back({0, 1, 0, 0.1, 2, 0.5});
  std::vector<attention::WeighedLink> family;
  for (methods::Link& link : links) family.push_back({&link, 1});
  attention::discover_pairs_first(family, 0.05);
  CHECK(std::count_if(links.begin(), links.end(), [](const auto& link) { return link.counts; }) == 20);
  CHECK(links[19].counts);
  CHECK_FALSE(
      links[22].counts);  // .002 * 20 lags, the second of three pairs; over single links it would be .002 * 41 / 21
  CHECK(links[22].q_value == Approx(.04 * 3 / 2).epsilon(.01));
}

TEST_CASE("Constant series, few steps and wrong lags end in an answer or a sentence", "[attention_links]") {
  Matrix<double> values =
      support::kinds::simulate({{0.5, 0.5}, {}, {}, 0, support::kinds::Innovation::normal}, 12, Random(920));
  values.col(1).setConstant(3);
  const methods::Findings found = methods::find_by_attention(small::table_of(values), small::lags_up_to(3), Random(1));
  for (const methods::Link& link : found.links) {
    CHECK(std::isfinite(link.p_value));
    CHECK(!(link.counts && !link.self()));
  }
  CHECK_THROWS_AS(attention::attend_to_the_past(small::table_of(values), small::lags_up_to(12)), ArgumentError);
  methods::LagSettings none;
  CHECK_THROWS_AS(attention::attend_to_the_past(small::table_of(values), none), ArgumentError);
}

TEST_CASE("The longest lag is chosen where whitened series stop being correlated", "[lag_choice]") {
  for (const Index truth : {3, 12, 40}) {
    const support::kinds::LaggedSystem pair{
        {0.6, 0.8, 0.5}, {{0, 1, truth, 0.5}}, {}, 0, support::kinds::Innovation::normal};
    const series::LagChoice choice =
        series::choose_lags(small::table_of(support::kinds::simulate(pair, 600, Random(930))));
    CHECK(choice.lags.back() >= truth);
    CHECK(choice.lags.back() <= std::max<Index>(truth + 3, 5));
    CHECK(!choice.reason.empty());
  }
  for (const Index truth : {6, 12, 25}) {  // without a memory nothing spreads beyond the lag
    const support::kinds::LaggedSystem white{
        {0.0, 0.0}, {{0, 1, truth, 0.9}}, {}, 0, support::kinds::Innovation::normal};
    CHECK(series::choose_lags(small::table_of(support::kinds::simulate(white, 600, Random(931)))).lags.back() == truth);
  }
  Matrix<double> season(600, 2);  // its own echo, far beyond the memory that is looked for, joins no two series
  for (Index t = 0; t < 600; ++t)
    for (Index i = 0; i < 2; ++i)
      season(t, i) = Random(932).normal(static_cast<std::uint64_t>(i), static_cast<std::uint64_t>(t)) +
                     (i == 0 && t >= 50 ? 0.9 * season(t - 50, 0) : 0.0);
  CHECK(series::choose_lags(small::table_of(season)).lags.back() == 5);
  const support::kinds::LaggedSystem nothing{{0.9, 0.9}, {}, {}, 0, support::kinds::Innovation::student3};
  CHECK(series::choose_lags(small::table_of(support::kinds::simulate(nothing, 300, Random(940)))).lags.back() == 5);
}

TEST_CASE("No more lags are chosen than what acts needs, squares included", "[lag][lag_choice]") {
  for (const Index truth : {1, 2, 4}) {
    int right = 0, of_squares = 0, named = 0;
    for (std::uint64_t k = 0; k < 20; ++k) {
      Matrix<double> values(500, 8), bent(500, 8);
      for (Index t = 0; t < 500; ++t)
        for (Index i = 0; i < 8; ++i) {
          const double noise = Random(950 + k).normal(static_cast<std::uint64_t>(i), static_cast<std::uint64_t>(t));
          const bool later = i == 1 && t >= truth;
          values(t, i) = noise + (later ? 0.6 * values(t - truth, 0) : 0);
          bent(t, i) = noise + (later ? 0.6 * bent(t - truth, 0) * bent(t - truth, 0) : 0);
        }
      const series::LagChoice choice = series::choose_lags(small::table_of(values));
      right += choice.lags.back() == truth ? 1 : 0;
      named += choice.reason.find("given the values up to there") != std::string::npos ? 1 : 0;
      of_squares += series::choose_lags(small::table_of(bent)).lags.back() >= truth ? 1 : 0;
    }
    CHECK(right >= 16);  // 5 % each see a correlation or a square further back by chance
    CHECK(named >= 16);
    CHECK(of_squares >= 19);
  }
}
