#include "fovea/core/lab/experiment.hpp"
#include "fovea/core/statistics/distributions/normal.hpp"
#include "fovea/domains/lag/discover/arrays.hpp"
#include "fovea/domains/lag/discover/promises.hpp"
#include "fovea/domains/lag/experiments.hpp"
#include "fovea/domains/lag/series/input.hpp"
#include "fovea/domains/lag/series/lag_set.hpp"
#include "fovea/tests/support/runs/bench.hpp"
#include "fovea/tests/support/runs/run.hpp"
#include "fovea/tests/support/test.hpp"

using namespace fovea::lag;

namespace {

Results discovered(const std::vector<std::string>& set) { return support::run_of("lag.discover", set); }

const std::vector<double>& numbers(const Results& results, const char* name) { return results.data.at(name).reals(); }

}  // namespace

TEST_CASE("a lag set is read as it is meant and written back", "[lag]") {
  CHECK(series::lag_set("1-5,10,30") == std::vector<Index>{1, 2, 3, 4, 5, 10, 30});
  CHECK(series::lag_set(" 7 , 2-3,3") == std::vector<Index>{2, 3, 7});
  for (const char* text : {"1-5,10,30", "4", "1,2", "1-3,5-7", "2,4,6"})
    CHECK(series::lag_set_text(series::lag_set(text)) == text);
  for (const char* text : {"", "0", "1,,2", "-3", "1-", "3-1", "1.5", "x", "1-2-3", "9999999"})
    CHECK_THROWS_AS(series::lag_set(text), ArgumentError);
}

TEST_CASE("the null band is where the test's own p-value is 0.05", "[lag]") {
  std::vector<methods::Link> links(5);
  const double spread = 0.07;
  for (std::size_t i = 0; i < links.size(); ++i) {
    const double z = 0.3 * static_cast<double>(i + 1);
    links[i].strength = std::tanh(spread * z) * (i % 2 == 0 ? 1 : -1);
    links[i].p_value = 2 * (1 - normal_cdf(z));
  }
  std::vector<const methods::Link*> profile;
  for (const methods::Link& link : links) profile.push_back(&link);
  CHECK(std::fabs(discover::null_half_width(profile) - std::tanh(spread * normal_quantile(0.975))) <
        1e-9);  // rounding of the cdf
  CHECK(std::isnan(discover::null_half_width({})));
}

TEST_CASE("the arrays, the matrix and the table of links say the same", "[lag]") {
  const Results results = discovered({"lags.max=6"});
  const auto &p = numbers(results, "p_value"), &strength = numbers(results, "strength"),
             &counts = numbers(results, "counts");
  const std::size_t series = results.data.size_of("cause"), lags = results.data.size_of("lag");
  CHECK(p.size() == series * series * lags);
  double counted = 0;
  for (const double one : counts) counted += one;
  CHECK(counted == numbers(results, "links_between")[0] + numbers(results, "links_self")[0]);
  const auto& lag_of = std::get<std::vector<std::int64_t>>(results.data.at("lag").values);
  CHECK(lag_of == std::vector<std::int64_t>{0, 1, 2, 3, 4, 5, 6});
  const auto &found_lag = numbers(results, "found_lag"), &found_strength = numbers(results, "found_strength");
  for (std::size_t pair = 0; pair < series * series; ++pair) {
    double least = 2;
    std::size_t best = 0;
    for (std::size_t l = 0; l < lags; ++l)
      if (counts[pair * lags + l] > 0 && p[pair * lags + l] < least) {
        least = p[pair * lags + l];
        best = l;
      }
    const bool shown = least <= 1 && pair / series != pair % series;  // own pasts are in the table only
    if (shown) {
      CHECK(found_lag[pair] == static_cast<double>(lag_of[best]));
      CHECK(found_strength[pair] == strength[pair * lags + best]);
    } else if (!std::isnan(found_lag[pair])) {
      CHECK(found_lag[pair] == 0);  // the other cell of a link without direction
    }
  }
  const auto &q = numbers(results, "link_q"), &self = numbers(results, "link_self");
  CHECK(std::is_sorted(self.begin(), self.end()));
  const auto own = std::find(self.begin(), self.end(), 1.0) - self.begin();
  CHECK(std::is_sorted(q.begin(), q.begin() + own));
  CHECK(std::is_sorted(q.begin() + own, q.end()));
}

TEST_CASE("a link without direction stands in both cells of the matrix, and further lags are marked", "[lag]") {
  datasets::series::SeriesTable table;
  discover::Discovery discovery(table);
  table.names = {"a", "b", "c"};
  table.values = Matrix<double>::Random(50, 3);
  discovery.settings.lags = {1, 2};
  discovery.settings.contemporaneous = true;
  const auto link = [](Index cause, Index effect, Index lag, double strength, double p) {
    methods::Link made;
    made.cause = cause, made.effect = effect, made.lag = lag;
    made.strength = strength, made.p_value = p, made.q_value = p;
    made.counts = true;
    made.directed = lag > 0;
    return made;
  };
  discovery.ours = {
      "attention",
      "made",
      {{link(0, 1, 0, 0.4, 1e-6), link(0, 2, 1, -0.5, 1e-8), link(0, 2, 2, 0.2, 1e-3), link(1, 1, 1, 0.9, 1e-9)}, {}}};
  discover::settle_promises(discovery);
  Results results;
  discover::write_discovery(discovery, results);
  const auto &lag = numbers(results, "found_lag"), &strength = numbers(results, "found_strength");
  const auto& text = std::get<std::vector<std::string>>(results.data.at("found_text").values);
  const std::size_t b_from_a = 3, a_from_b = 1, c_from_a = 6;
  for (const std::size_t cell : {b_from_a, a_from_b}) {
    CHECK(lag[cell] == 0);
    CHECK(strength[cell] == 0.4);
    CHECK(text[cell] == "0\u2194***");
  }
  CHECK(text[c_from_a] == "1+***");
  CHECK(strength[c_from_a] == -0.5);
  for (const std::size_t cell : {0U, 2U, 4U, 5U, 7U, 8U}) CHECK(std::isnan(lag[cell]));
  CHECK(results.verdict().find("a drives c after 1 and 2 steps; a and b move together within a step") !=
        std::string::npos);
  discovery.ours.findings.links[0].directed = true;
  Results directed;
  discover::write_discovery(discovery, directed);
  CHECK(directed.verdict().find("a drives b within a step.") != std::string::npos);
  discovery.ours.findings.links[1].lag = 0;
  discovery.ours.findings.links[1].directed = true;
  Results both;
  discover::write_discovery(discovery, both);
  CHECK(both.verdict().find("a drives c within a step and after 2 steps") != std::string::npos);
}

TEST_CASE("on the page every lag is in the table's unit, and the level of a link is in its stars", "[lag]") {
  datasets::series::SeriesTable table;
  discover::Discovery discovery(table);
  table.names = {"a", "b"};
  table.values = Matrix<double>::Random(50, 2);
  table.step = 0.5;
  table.time_unit = "seconds";
  discovery.settings.lags = {1, 2, 3};
  const auto link = [](Index cause, Index effect, Index lag, double q) {
    methods::Link made{cause, effect, lag};
    made.strength = 0.3, made.p_value = made.q_value = q, made.counts = true;
    return made;
  };
  discovery.ours = {"attention", "made", {{link(0, 1, 3, 1e-320), link(0, 1, 2, 0.004), link(1, 0, 1, 0.03)}, {}}};
  discover::settle_promises(discovery);
  Results results;
  discover::write_discovery(discovery, results);
  const auto words = [&](const char* name) { return std::get<std::vector<std::string>>(results.data.at(name).values); };
  CHECK(words("found_text") == std::vector<std::string>{"", "0.5*", "1.5+***", ""});
  CHECK(results.data.at("profile_lag").reals() == std::vector<double>{0.5, 1, 1.5});
  CHECK(results.data.at("profile_lag").units == "seconds");
  CHECK(words("link_q_words").front() == "< 10\u207b\u00b3\u2070\u2070");
  CHECK(words("edge_lags") == std::vector<std::string>{"1, 1.5", "0.5"});
  CHECK(std::get<std::vector<std::int64_t>>(results.data.at("edge_cause").values) == std::vector<std::int64_t>{0, 1});
  CHECK(numbers(results, "lag_largest")[0] == 1.5);
  CHECK(results.verdict().find("lags 0.5 to 1.5 seconds") != std::string::npos);
}

TEST_CASE("the usual methods stand beside, with how many of the links each finds too", "[lag]") {
  const Results results = discovered({"lags.max=6"});
  CHECK(results.data.size_of("method") == 5);
  const auto& beside = std::get<std::vector<std::string>>(results.data.at("link_beside").values);
  CHECK(std::all_of(beside.begin(), beside.end(), [](const std::string& text) { return text.ends_with(" of 4"); }));
  const auto &found = numbers(results, "method_links"), &shared = numbers(results, "method_shared");
  for (std::size_t m = 0; m < found.size(); ++m) CHECK(shared[m] <= std::min(found[m], found[0]));
  CHECK_FALSE(discovered({"lags.max=6", "method.beside=[]"}).data.has("method_links"));
}

TEST_CASE("the progress begins at 0, never falls, moves within a method and ends at 1", "[lag]") {
  for (const std::string beside : {"usual", "cross_correlation"}) {
    support::StoppingBench bench;
    support::run_of(support::config_of("lag.discover", {"lags.max=4", "method.beside=[\"" + beside + "\"]"}), bench);
    const std::vector<double>& told = bench.fractions;
    CHECK(told.front() == 0);
    CHECK(told.back() == 1);
    CHECK(std::is_sorted(told.begin(), told.end()));
    CHECK(std::count_if(told.begin(), told.end(), [](double f) { return f > 0 && f < 0.3; }) > 1);
  }
}

TEST_CASE("random walks and trends are named, what returns to its mean is not, and differences are inside recordings",
          "[lag][statistics]") {
  const Random random = Random(5).stream("walks");
  const Index steps = 400;
  datasets::series::SeriesTable table;
  table.values = Matrix<double>::Zero(steps, 3);
  table.names = {"walk", "trend", "memory"};
  for (Index t = 1; t < steps; ++t) {
    const auto noise = [&](std::uint64_t s) { return random.normal(s, static_cast<std::uint64_t>(t)); };
    table.values(t, 0) = table.values(t - 1, 0) + noise(0);
    table.values(t, 1) = 1000 + 0.5 * static_cast<double>(t) + noise(1);
    table.values(t, 2) = 0.8 * table.values(t - 1, 2) + noise(2);
  }
  table.values(0, 1) = 1000;
  CHECK(series::possible_random_walks(table) == std::vector<std::string>{"walk", "trend"});
  CHECK(series::possible_random_walks(series::differences(table)).empty());
  const std::vector<std::string> of_line = series::possible_random_walks(table, true);
  CHECK(std::find(of_line.begin(), of_line.end(), "walk") != of_line.end());
  table.recording_starts = {0, 100, 101};
  table.values(200, 0) = std::nan("");
  const datasets::series::SeriesTable changes = series::differences(table);
  CHECK(changes.recording_starts == std::vector<Index>{0, 99});
  CHECK(changes.steps() == steps - 3);
  CHECK(changes.values(98, 2) == table.values(99, 2) - table.values(98, 2));
  CHECK(changes.values(99, 2) == table.values(102, 2) - table.values(101, 2));
  CHECK(changes.values.col(0).array().isNaN().count() == 2);
  // Of series without memory of level nearly all are passed over, of walks 5 % by the test's own level.
  Index walks = 0, settled = 0;
  for (std::uint64_t k = 0; k < 200; ++k) {
    datasets::series::SeriesTable one;
    one.names = {"walk", "memory"};
    one.values = Matrix<double>::Zero(300, 2);
    const Random draw = random.stream("many").stream(std::to_string(k));
    for (Index t = 1; t < 300; ++t) {
      one.values(t, 0) = one.values(t - 1, 0) + draw.normal(0, static_cast<std::uint64_t>(t));
      one.values(t, 1) = 0.8 * one.values(t - 1, 1) + draw.normal(1, static_cast<std::uint64_t>(t));
    }
    for (const std::string& name : series::possible_random_walks(one)) ++(name == "walk" ? walks : settled);
  }
  CHECK(walks >= 180);  // 95 % expected, standard deviation 3.1
  CHECK(settled == 0);  // n (1 - 0.8) = 60
}

TEST_CASE("a verdict promises no false discovery rate where a hidden factor was found", "[lag]") {
  datasets::series::SeriesTable table;
  discover::Discovery discovery(table);
  table.names = {"a", "b"};
  table.values = Matrix<double>::Random(50, 2);
  table.step = 15;
  table.time_unit = "minutes";
  discovery.settings.lags = {1, 4};
  methods::Link link;
  link.effect = 1;
  link.counts = true;
  discovery.ours = {"attention", "made", {{link}, {}}};
  const auto verdict = [&] {
    discover::settle_promises(discovery);
    Results results;
    discover::write_discovery(discovery, results);
    return results.verdict();
  };
  CHECK(verdict() ==
        "1 significant link among 2 series (FDR 5 %, lags 1,4 steps of 15 minutes): a drives b after 15 minutes.");
  discovery.hidden.found = true;
  discovery.hidden.share = discovery.hidden.participation = 0.9;
  CHECK(verdict().starts_with("No false discovery rate can be promised: a hidden factor moves most series; "));
  CHECK(verdict().find("FDR unknown, lags 1,4 steps of 15 minutes") != std::string::npos);
  discovery.hidden = {};
  discovery.ours.name = "pcmci_plus";
  CHECK(verdict().find("(by the method's own rule, lags") != std::string::npos);
  discovery.settings.lags = {1};
  CHECK(verdict().find(", lag 15 minutes)") != std::string::npos);
  table.step = 1;
  CHECK(verdict().find(", lag 1 minute)") != std::string::npos);
  discovery.settings.contemporaneous = true;
  CHECK(verdict().find(", lags 0 to 1 minute)") != std::string::npos);
}

TEST_CASE("targets keep only their effects, and a network without links is an answer", "[lag]") {
  const Results river = discovered({"data.targets=[\"town\"]", "lags.set=\"1-3,7\""});
  CHECK(river.data.size_of("effect") == 1);
  CHECK(river.data.size_of("lag") == 5);  // with 0
  const Results later = discovered({"lags.set=\"1-3,7\"", "lags.contemporaneous=false"});
  CHECK(later.data.size_of("lag") == 4);
  const Results none = discovered({"data.targets=[\"rain\"]", "lags.set=\"5\"", "test.level=1e-12"});
  CHECK_FALSE(none.data.has("link_lag"));
  CHECK(none.verdict().rfind("No significant link among ", 0) == 0);
}

TEST_CASE("every method of the table fills the arrays with probabilities", "[lag]") {
  const Schema schema = discover::make_discover()->schema();
  const std::vector<std::string>& choices = schema.find("method.name")->choices;
  CHECK(choices.size() >= 2);
  for (const std::string& method : choices) {
    INFO(method);
    const Results results = discovered({"method.name=" + method, "lags.max=4", "data.made_steps=200"});
    for (const double p : numbers(results, "p_value")) CHECK((std::isnan(p) || (p >= 0 && p <= 1)));
    for (const double q : numbers(results, "q_value")) CHECK((std::isnan(q) || (q >= 0 && q <= 1)));
  }
}

TEST_CASE("a remark says where attention, gradient and test disagree, and where they agree", "[lag]") {
  datasets::series::SeriesTable table;
  table.names = {"a", "b"};
  table.values = Matrix<double>::Random(50, 2);
  discover::Discovery discovery(table);
  discovery.settings.lags = {1};
  methods::Link link;
  link.effect = 1;
  link.strength = 0.5;
  link.counts = true;
  discovery.ours = {"attention", "made", {{link}, {}}};
  const auto remark = [&](double weight, double gradient) {
    discovery.views = {{weight, gradient, {1}}};
    discover::settle_promises(discovery);
    Results results;
    discover::write_discovery(discovery, results);
    return std::get<std::vector<std::string>>(results.data.at("link_remark").values).at(0);
  };
  CHECK(remark(0.99, 0.4) == "all three agree");
  CHECK(remark(0.99, -0.4) == "care: gradient has other sign");
  CHECK(remark(0.001, 0.4) == "care: attention is elsewhere");
}
