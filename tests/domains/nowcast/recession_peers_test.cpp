#include "fovea/domains/nowcast/peers/peers.hpp"

#include <algorithm>
#include <functional>

#include "fovea/core/statistics/metrics.hpp"
#include "fovea/core/statistics/processes/two_states.hpp"
#include "fovea/tests/support/test.hpp"

namespace fovea::nowcast::peers {

namespace {

/// Months in one of two states that last; columns that lie lower in the worse one, which is labelled 1.
PeerQuestion made_months(Index months, Index columns, std::uint64_t seed) {
  const Random random = Random(seed).stream("months");
  PeerQuestion question{Matrix<double>(months, columns), std::vector<double>(months), months / 3};
  bool worse = false;
  for (Index t = 0; t < months; ++t) {
    if (random.uniform(t, 0) < (worse ? 0.12 : 0.03)) worse = !worse;
    question.labels[t] = worse ? 1 : 0;
    for (Index c = 0; c < columns; ++c) question.columns(t, c) = (worse ? -1 : 0.5) + random.normal(t, 1 + c);
  }
  return question;
}

/// Each peer by its name.
struct NamedPeer {
  const char* name;
  std::function<std::vector<double>(const PeerQuestion&)> answers;
};

std::vector<NamedPeer> all_peers() {
  const ScaledRegressionSettings clipped{.middle = Middle::median, .clip = 2};
  study::BoostingSettings few;
  few.rounds = 20;
  return {{"ridge", [](const PeerQuestion& q) { return regression(q, {}); }},
          {"clipped with a line", [clipped](const PeerQuestion& q) { return regression(q, clipped, true); }},
          {"probit", &probit},
          {"Markov switching", [](const PeerQuestion& q) { return markov_switching(q); }},
          {"trees", [few](const PeerQuestion& q) { return boosted_trees(q, few, 1); }},
          {"Sahm", [](const PeerQuestion& q) {
             const Vector<double> column = q.columns.col(0);
             return sahm_gap({column.data(), q.labels.size()});
           }}};
}

bool same_bits(const std::vector<double>& a, const std::vector<double>& b, Index end) {
  return std::equal(a.begin(), a.begin() + end, b.begin(),
                    [](double x, double y) { return x == y || (std::isnan(x) && std::isnan(y)); });
}

double auroc_from(const PeerQuestion& question, const std::vector<double>& answers) {
  std::vector<double> scores;
  std::vector<Index> outcomes;
  for (Index t = question.first; t < std::ssize(answers); ++t) {
    scores.push_back(answers[t]);
    outcomes.push_back(static_cast<Index>(question.labels[t]));
  }
  return auroc(scores, outcomes);
}

}  // namespace

TEST_CASE("noise in later rows and labels leaves every bit of earlier nowcasts", "[nowcast][peers]") {
  const PeerQuestion question = made_months(240, 3, 1);
  const Random random = Random(2).stream("noise");
  for (const NamedPeer& peer : all_peers()) {
    INFO(peer.name);
    const std::vector<double> before = peer.answers(question);
    for (const Index last : {120, 163, 164, 200}) {
      PeerQuestion noisy = question;
      for (Index t = 0; t < 240; ++t) {
        if (t > last) noisy.columns.row(t).setConstant(20 * random.normal(t));
        if (t > last - question.delay) noisy.labels[t] = random.uniform(t, 7) < 0.5 ? 1 : 0;
      }
      const std::vector<double> after = peer.answers(noisy);
      CHECK(same_bits(before, after, last + 1));
      CHECK_FALSE(same_bits(before, after, 240));
    }
  }
}

TEST_CASE("a block learns from the labels that are known when it begins, and from them all", "[nowcast][peers]") {
  PeerQuestion question = made_months(40, 2, 3);
  question.columns(4, 1) = kNan;
  question.labels[5] = kNan;
  CHECK(teaching_rows(question, 20) == std::vector<Index>{0, 1, 2, 3, 6, 7, 8});
  CHECK(teaching_rows(question, 11).empty());
  const PeerQuestion months = made_months(240, 3, 1);  // the block from row 164 on: the last label it knows is of 152
  PeerQuestion other = months;
  other.labels[152] = 1 - other.labels[152];
  for (const NamedPeer& peer : all_peers()) {
    if (peer.name == std::string("Markov switching") || peer.name == std::string("Sahm")) continue;  // without labels
    INFO(peer.name);
    const std::vector<double> before = peer.answers(months), after = peer.answers(other);
    CHECK(same_bits(before, after, 164));
    CHECK_FALSE(same_bits(before, after, 165));
  }
}

TEST_CASE("peers are silent before the first row, in gaps, and where a class has not been seen", "[nowcast][peers]") {
  PeerQuestion question = made_months(240, 3, 1);
  question.columns(100, 1) = kNan;
  for (const NamedPeer& peer : all_peers()) {
    const std::string name = peer.name;
    if (name == "Sahm") continue;
    INFO(name);
    const std::vector<double> answers = peer.answers(question);
    CHECK(std::isnan(answers[question.first - 1]));
    CHECK(std::isnan(answers[100]) == (name != "trees"));
    CHECK(std::isnan(answers[101]) == (name == "probit"));  // the few so far are parted: no minimum
    CHECK(std::all_of(answers.begin() + 150, answers.end(), [](double p) { return p >= 0 && p <= 1; }));
    PeerQuestion calm = question;
    std::fill(calm.labels.begin(), calm.labels.end(), 0.0);
    CHECK(std::isnan(peer.answers(calm)[200]) == (name != "Markov switching"));
  }
}

TEST_CASE("a constant column changes no regression, and constant columns have no states", "[nowcast][peers]") {
  PeerQuestion question = made_months(240, 3, 1);
  const std::vector<double> before = probit(question);
  question.columns.conservativeResize(240, 4);
  question.columns.col(3).setConstant(7);
  const std::vector<double> after = probit(question);
  CHECK(!std::isnan(after[200]));
  for (Index t = 0; t < 240; ++t) CHECK((std::isnan(before[t]) || std::abs(after[t] - before[t]) < 1e-12));
  question.columns.setConstant(7);
  CHECK(std::isnan(markov_switching(question)[200]));
}

TEST_CASE("the line is that of the own earlier nowcasts whose labels are known", "[nowcast][peers]") {
  const PeerQuestion question = made_months(240, 3, 1);
  const std::vector<double> plain = regression(question, {}), lined = regression(question, {}, true);
  CHECK(same_bits(plain, lined, question.first + question.refit));  // no label of a nowcast is known yet
  std::vector<double> log_odds;
  std::vector<Index> outcomes;
  for (Index s = question.first; s <= 212 - question.delay; ++s) {  // 212 = 80 + 11 * 12 begins a block
    log_odds.push_back(log_odds_of(plain[s]));
    outcomes.push_back(static_cast<Index>(question.labels[s]));
  }
  const CalibrationLine line = fit_calibration_line(log_odds, outcomes);
  CHECK(line.slope > 0);
  for (Index t = 212; t < 224; ++t) CHECK(std::abs(lined[t] - line.probability(log_odds_of(plain[t]))) < 1e-9);
}

TEST_CASE("Markov switching finds the two states of a series nearly as well as with the true parameters",
          "[nowcast][peers]") {
  PeerQuestion question = made_months(1200, 4, 11);
  question.refit = 200;
  const TwoStates truth{{-2, 1}, {0.88, 0.97}, {0.2, 0.8}, 1};  // of the sum of four columns over its root
  std::vector<double> sum(1200);
  for (Index t = 0; t < 1200; ++t) sum[t] = question.columns.row(t).sum() / 2;
  const double best = auroc_from(question, filtered_low_state(truth, sum));
  CHECK(auroc_from(question, markov_switching(question)) > best - 0.01);
  const TwoStates found = fit_two_states(sum);
  for (int k = 0; k < 2; ++k) {
    CHECK(std::abs(found.mean[k] - truth.mean[k]) < 0.25);
    CHECK(std::abs(found.stay[k] - truth.stay[k]) < 0.05);
  }
  CHECK(std::abs(found.variance - 1) < 0.15);
  std::vector<double> turned = sum;
  for (double& x : turned) x = 7 - 100 * x;  // units and sign: the low state is then the frequent one
  const TwoStates mirrored = fit_two_states(turned);
  CHECK(mirrored.mean[0] < mirrored.mean[1]);
  CHECK_THROWS_AS(fit_two_states(std::vector<double>{1, 2, 1, 2}), ArgumentError);
}

TEST_CASE("trees find a rule that is no line", "[nowcast][peers]") {
  PeerQuestion question = made_months(600, 2, 13);
  for (Index t = 0; t < 600; ++t)
    question.labels[t] = question.columns(t, 0) * question.columns(t, 1) > 0 ? 1 : 0;  // agreeing signs
  question.refit = 200;
  study::BoostingSettings settings;
  settings.rounds = 100, settings.column_share = 1;
  CHECK(auroc_from(question, boosted_trees(question, settings, 1)) > 0.95);
}

TEST_CASE("Sahm's gap is the mean of three months over its low of the year before", "[nowcast][peers]") {
  std::vector<double> unemployment(20, 4.0);
  unemployment[3] = 3.7;                                                   // the low: (4 + 4 + 3.7) / 3 at 3, 4, 5
  unemployment[16] = 4.3, unemployment[17] = 4.6, unemployment[18] = 4.9;  // means 4.1, 4.3, 4.6
  const std::vector<double> gap = sahm_gap(unemployment);
  CHECK((std::isnan(gap[13]) && !std::isnan(gap[14])));
  CHECK(std::abs(gap[14] - 0.1) < 1e-12);
  CHECK(std::abs(gap[17] - 0.4) < 1e-12);  // the low of row 5 is twelve months back
  CHECK(std::abs(gap[18] - 0.6) < 1e-12);
  CHECK((gap[17] < kSahmCall && gap[18] >= kSahmCall));
  unemployment[8] = kNan;
  const std::vector<double> with_gap = sahm_gap(unemployment);
  CHECK(std::isnan(with_gap[19]));
  CHECK(sahm_gap(std::vector<double>(3, 4.0)).size() == 3);
}

TEST_CASE("a peer refuses a question that it cannot understand", "[nowcast][peers][errors]") {
  PeerQuestion question = made_months(30, 1, 1);
  question.labels[3] = 0.5;
  CHECK_THROWS_WITH(probit(question), "a peer's question: a label is 0.5, but must be 0, 1 or NaN.");
  question.labels.pop_back();
  CHECK_THROWS_WITH(markov_switching(question),
                    "a peer's question: there are 30 rows and 29 labels; each row needs one.");
  question = made_months(30, 1, 1);
  question.refit = 0;
  CHECK_THROWS_WITH(regression(question, {}),
                    "a peer's question: first is 10, delay is 12, refit is 0; they must be in "
                    "[0, 30], at least 0 and at least 1.");
  question = made_months(30, 1, 1);
  CHECK_THROWS_AS(regression(question, {.penalty = -1}), ArgumentError);
  question.columns(2, 0) = INFINITY;
  CHECK_THROWS_WITH(probit(question),
                    "a peer's question: a value is inf; it can be at most 1e+30 in size, and NaN where "
                    "none is known.");
  CHECK(probit({Matrix<double>(0, 1), {}}).empty());
}

}  // namespace fovea::nowcast::peers
