#include "fovea/domains/opinion/dynamics/activity.hpp"

#include "fovea/tests/support/chi_square.hpp"
#include "fovea/tests/support/test.hpp"

using namespace fovea::opinion;

namespace {

// A statistic exceeds its limit by chance with probability 1e-6 (one-sided normal 4.75); there are under 40 of them, so
// all together do so with less than 4e-5. Their seeds are fixed and were not chosen.
constexpr double kOneInAMillion = 4.75;

std::vector<double> opinions_on_a_line(std::size_t agents, double spread, std::uint64_t seed) {
  std::vector<double> x(agents);
  for (std::size_t k = 0; k < agents; ++k) x[k] = spread * (2 * Random(seed).uniform(k) - 1);
  return x;
}

std::vector<double> weights_by_definition(const std::vector<double>& x, std::size_t agent,
                                          const dynamics::Homophily& homophily) {
  std::vector<double> w(x.size());
  for (std::size_t j = 0; j < x.size(); ++j)
    w[j] =
        j == agent ? 0 : std::pow(std::max(std::abs(x[j] - x[agent]), homophily.distance_floor), -homophily.exponent);
  const double total = std::accumulate(w.begin(), w.end(), 0.0);
  for (double& each : w) each /= total;
  return w;
}

/// The probability of each set (as bits) of `count` agents that are drawn one after the other without replacement.
void add_sets(const std::vector<double>& weights, int count, unsigned set, double p, std::map<unsigned, double>& law) {
  if (count == 0) {
    law[set] += p;
    return;
  }
  double left = 0;
  for (unsigned j = 0; j < weights.size(); ++j) left += (set >> j & 1u) != 0 ? 0 : weights[j];
  for (unsigned j = 0; j < weights.size(); ++j)
    if ((set >> j & 1u) == 0 && weights[j] > 0) add_sets(weights, count - 1, set | 1u << j, p * weights[j] / left, law);
}

/// Agent 0 goes at a bot that always talks to it: x' = -x + K tanh(alpha b).
double opinion_beside_a_bot(double start, double bot, double until, double time_step) {
  dynamics::ActivityRule rule;
  rule.contacts = 1;
  rule.reciprocity = 0;
  rule.time_step = time_step;
  dynamics::ActivityDriven crowd(rule, {0, 1}, {0, 1}, Random(1));
  std::vector<double> x{start, bot};
  for (int step = 0; step < static_cast<int>(until / time_step + 0.5); ++step) crowd.step(x, step);
  CHECK(x[1] == bot);
  return x[0];
}

/// The growth of the mean opinion in a step, close to consensus at 0, over the last 30 of 40 steps.
double growth_near_consensus(const dynamics::ActivityRule& rule, const std::vector<double>& activities,
                             std::uint64_t seed) {
  dynamics::ActivityDriven crowd(rule, activities, {}, Random(seed));
  std::vector<double> x(activities.size(), 1e-6);
  const auto mean = [&x] { return std::accumulate(x.begin(), x.end(), 0.0) / static_cast<double>(x.size()); };
  double begin = 0;
  for (int step = 0; step < 40; ++step) {
    if (step == 10) begin = mean();
    crowd.step(x, step);
  }
  return std::log(mean() / begin) / 30;
}

}  // namespace

TEST_CASE("contacts are drawn by the power of the distance", "[opinion][activity][twin][statistics]") {
  for (const double exponent : {0.0, 0.5, 1.0, 3.0}) {
    for (const double floor : {0.1, 1e-4, 1e-10}) {
      for (const bool in_places : {false, true}) {
        std::vector<double> x = opinions_on_a_line(50, 1, 2);
        if (in_places)
          for (double& each : x) each = std::round(4 * each) / 4;
        const dynamics::Homophily homophily{exponent, floor};
        dynamics::Contacts contacts;
        contacts.arrange(x, homophily);
        std::vector<double> counts(x.size());
        std::vector<Index> drawn;
        for (std::uint64_t step = 0; step < 5000; ++step) {
          drawn.clear();
          contacts.draw(7, 1, Random(3), step, drawn);
          REQUIRE(drawn.size() == 1);
          ++counts[drawn[0]];
        }
        const support::ChiSquare test = support::chi_square(counts, weights_by_definition(x, 7, homophily));
        INFO("exponent " << exponent << ", floor " << floor << ", in places " << in_places);
        CHECK(counts[7] == 0);
        if (test.degrees > 0) CHECK(test.statistic < test.limit(kOneInAMillion));
      }
    }
  }
}

TEST_CASE("several contacts are drawn one after the other from those that are left",
          "[opinion][activity][statistics]") {
  const std::vector<double> x{0, 0.01, 0.3, -0.2, -0.25, 0.9, 0.900001};
  for (const double exponent : {0.0, 1.0, 2.0}) {
    const dynamics::Homophily homophily{exponent, 1e-3};
    std::map<unsigned, double> law;
    add_sets(weights_by_definition(x, 2, homophily), 3, 0, 1, law);
    dynamics::Contacts contacts;
    contacts.arrange(x, homophily);
    std::map<unsigned, double> counted;
    std::vector<Index> drawn;
    for (std::uint64_t step = 0; step < 8000; ++step) {
      drawn.clear();
      contacts.draw(2, 3, Random(4), step, drawn);
      unsigned set = 0;
      for (const Index j : drawn) set |= 1u << j;
      ++counted[set];
    }
    std::vector<double> counts, probabilities;
    for (const auto& [set, p] : law) {
      counts.push_back(counted[set]);
      probabilities.push_back(p);
    }
    CHECK(std::accumulate(counts.begin(), counts.end(), 0.0) == 8000);  // no set that has no probability
    const support::ChiSquare test = support::chi_square(counts, probabilities);
    INFO("exponent " << exponent << ", " << law.size() << " sets");
    CHECK(test.statistic < test.limit(kOneInAMillion));
  }
}

TEST_CASE("contacts of a large crowd: shell by shell the plain law, and never one twice", "[opinion][activity][twin]") {
  const std::vector<double> x = opinions_on_a_line(20000, 3, 5);
  const dynamics::Homophily homophily{1.5, 1e-6};
  dynamics::Contacts contacts;
  contacts.arrange(x, homophily);
  const std::vector<double> law = weights_by_definition(x, 11, homophily);
  std::vector<std::size_t> by_distance(x.size());
  std::iota(by_distance.begin(), by_distance.end(), 0u);
  std::sort(by_distance.begin(), by_distance.end(),
            [&](std::size_t a, std::size_t b) { return std::abs(x[a] - x[11]) < std::abs(x[b] - x[11]); });
  std::vector<double> counts(x.size()), sorted_counts, sorted_law;
  std::vector<Index> drawn;
  for (std::uint64_t step = 0; step < 10000; ++step) {
    drawn.clear();
    contacts.draw(11, step % 100 == 0 ? 30 : 1, Random(6), step, drawn);
    ++counts[drawn[0]];
    CHECK(std::set<Index>(drawn.begin(), drawn.end()).size() == drawn.size());
  }
  for (const std::size_t j : by_distance) {
    sorted_counts.push_back(counts[j]);
    sorted_law.push_back(law[j]);
  }
  const support::ChiSquare test = support::chi_square(sorted_counts, sorted_law);
  REQUIRE(test.degrees > 50);
  CHECK(test.statistic < test.limit(kOneInAMillion));
}

TEST_CASE("contacts are found however steeply the weight falls, and all others where m is as large",
          "[opinion][activity][limit]") {
  const std::vector<double> x{0, 1e-7, 1e-3, 1, 50};
  for (const double exponent : {0.0, 3.0, 80.0}) {
    dynamics::Contacts contacts;
    contacts.arrange(x, {exponent, 1e-9});
    std::vector<Index> drawn;
    contacts.draw(0, 9, Random(7), 0, drawn);
    if (exponent == 80.0) CHECK(drawn == std::vector<Index>{1, 2, 3, 4});  // each 10^-200 below the one before
    std::sort(drawn.begin(), drawn.end());
    CHECK(drawn == std::vector<Index>{1, 2, 3, 4});
  }
}

TEST_CASE("an agent beside a bot follows the closed form, to first order in the time step",
          "[opinion][activity][order]") {
  constexpr double kStart = -0.4, kBot = 0.3, kUntil = 1;
  const double pull = 3 * std::tanh(3 * kBot), exact = (kStart - pull) * std::exp(-kUntil) + pull;
  const double coarse = std::abs(opinion_beside_a_bot(kStart, kBot, kUntil, 0.02) - exact);
  const double fine = std::abs(opinion_beside_a_bot(kStart, kBot, kUntil, 0.01) - exact);
  CHECK(coarse < 0.02);  // dt t e^-t |x0 - pull| / 2 = 0.009
  CHECK(std::log2(coarse / fine) > 0.9);
  CHECK(std::log2(coarse / fine) < 1.1);
}

TEST_CASE("without homophily consensus is lost where K m alpha times the activities' eigenvalue is 1",
          "[opinion][activity][statistics]") {
  // Mean of x: M, mean of a x: S. One hears m S for being contacted and r a m M back: with c = K alpha m,
  // M' = -M + c (S + r <a> M), S' = -S + c (<a> S + r <a^2> M), so growth c e - 1 with
  // e = ((1 + r) <a> + sqrt((1 - r)^2 <a>^2 + 4 r <a^2>)) / 2; all alike: (1 + r) a.
  constexpr std::size_t kAgents = 2000;
  constexpr double kScatter = 0.05;  // of c e: 30 steps, in each 2000 agents that hear 1 or 2; activities scatter more
  dynamics::ActivityRule rule;
  rule.homophily = {0, 1e-6};
  rule.steepness = 1;
  rule.time_step = 0.5;
  for (const bool alike : {true, false}) {
    const std::vector<double> activities =
        alike ? std::vector<double>(kAgents, 0.1) : dynamics::power_law_activities(kAgents, 2.1, 0.05, Random(8));
    double mean = 0, square = 0;
    for (const double a : activities) mean += a / kAgents, square += a * a / kAgents;
    const double r = rule.reciprocity;
    const double eigenvalue = ((1 + r) * mean + std::sqrt((1 - r) * (1 - r) * mean * mean + 4 * r * square)) / 2;
    for (const double from_critical : {0.85, 1.0, 1.15}) {
      rule.coupling = from_critical / (eigenvalue * static_cast<double>(rule.contacts));
      const double growth = growth_near_consensus(rule, activities, 9);
      const double found = (std::exp(growth) - 1) / rule.time_step + 1;
      INFO("alike " << alike << ", " << from_critical << " of the critical coupling: " << found);
      CHECK(std::abs(found - from_critical) < kScatter);
    }
  }
}

TEST_CASE("who is contacted hears, and is heard back by reciprocity", "[opinion][activity]") {
  const std::vector<double> x = opinions_on_a_line(300, 1, 10);
  const std::vector<double> activities = dynamics::power_law_activities(300, 2.1, 0.1, Random(11));
  for (const double reciprocity : {0.0, 1.0}) {
    dynamics::ActivityRule rule;
    rule.reciprocity = reciprocity;
    dynamics::ActivityDriven crowd(rule, activities, {}, Random(12));
    const dynamics::Hearing& hearing = crowd.meet(x, 0);
    std::set<std::pair<Index, Index>> pairs;
    for (Index i = 0; i < 300; ++i)
      for (Index k = hearing.offsets[i]; k < hearing.offsets[i + 1]; ++k)
        pairs.insert({i, static_cast<Index>(hearing.speakers[k])});
    CHECK(pairs.size() == hearing.speakers.size());  // nobody is heard twice
    std::map<Index, int> listeners;
    bool mutual = true, oneself = false;
    for (const auto& [i, j] : pairs) {
      ++listeners[j];
      mutual = mutual && pairs.count({j, i}) == 1;
      oneself = oneself || i == j;
    }
    CHECK(!oneself);
    CHECK(mutual == (reciprocity == 1));
    if (reciprocity == 0)
      CHECK(std::all_of(listeners.begin(), listeners.end(), [](const auto& each) { return each.second == 10; }));
  }
}

TEST_CASE("activities follow their power law", "[opinion][activity][statistics]") {
  for (const double exponent : {2.1, 1.0, 0.0}) {
    constexpr double kLeast = 0.01;
    const std::vector<double> activities = dynamics::power_law_activities(20000, exponent, kLeast, Random(13));
    const auto below = [&](double a) {
      if (exponent == 1.0) return 1 - std::log(a) / std::log(kLeast);
      return (std::pow(a, 1 - exponent) - std::pow(kLeast, 1 - exponent)) / (1 - std::pow(kLeast, 1 - exponent));
    };
    std::vector<double> counts(20), probabilities;
    for (const double a : activities) ++counts[static_cast<std::size_t>(std::min(below(a) * 20, 19.0))];
    const support::ChiSquare test = support::chi_square(counts, std::vector<double>(20, 0.05));
    CHECK(test.statistic < test.limit(kOneInAMillion));
    CHECK(*std::min_element(activities.begin(), activities.end()) >= kLeast);
    CHECK(*std::max_element(activities.begin(), activities.end()) <= 1);
  }
}

TEST_CASE("an activity-driven crowd: the same bits from 1, 2, 3 and 5 threads", "[opinion][activity][threads]") {
  const int threads_before = omp_get_max_threads();
  const std::vector<double> activities = dynamics::power_law_activities(9000, 2.1, 0.01, Random(14));
  std::vector<double> first;
  for (const int threads : {1, 2, 3, 5}) {
    omp_set_num_threads(threads);
    dynamics::ActivityDriven crowd({}, activities, {}, Random(15));
    std::vector<double> x = opinions_on_a_line(9000, 1, 16);
    for (int step = 0; step < 5; ++step) crowd.step(x, step);
    if (threads == 1) first = x;
    CHECK(x == first);
  }
  omp_set_num_threads(threads_before);
}

TEST_CASE("an activity-driven crowd refuses what is out of range, and says it", "[opinion][activity][error]") {
  dynamics::ActivityRule rule;
  rule.reciprocity = 1.5;
  CHECK_THROWS_WITH(dynamics::ActivityDriven(rule, {0.5, 0.5}, {}, Random(1)),
                    "activity: the reciprocity is 1.5, but must be in [0, 1].");
  CHECK_THROWS_WITH(dynamics::ActivityDriven({}, {0.5, 2}, {}, Random(1)),
                    "activity: an agent's activity is 2, but must be in [0, 1].");
  CHECK_THROWS_WITH(dynamics::ActivityDriven({}, {0.5, 1}, {0.5}, Random(1)),
                    "activity: there are 2 activities but 1 values of stubbornness; give one for each agent, or none.");
  dynamics::ActivityDriven crowd({}, {0.5, 1}, {}, Random(1));
  std::vector<double> three{1, 2, 3}, broken{1, std::nan("")};
  CHECK_THROWS_AS(crowd.step(three, 0), ArgumentError);
  CHECK_THROWS_AS(crowd.step(broken, 0), ArgumentError);
  CHECK_THROWS_AS(dynamics::power_law_activities(3, 2.1, 0, Random(1)), ArgumentError);
}
