/// opinion.measure: weights, intervals, null models, sides; published values of real networks.

#include <nlohmann/json.hpp>

#include "fovea/core/config/config.hpp"
#include "fovea/core/statistics/tests/dip_test.hpp"
#include "fovea/datasets/network/karate_club.hpp"
#include "fovea/domains/opinion/experiments.hpp"
#include "fovea/domains/opinion/measure/estimate.hpp"
#include "fovea/domains/opinion/measure/ties.hpp"
#include "fovea/domains/opinion/measures/measure_table.hpp"
#include "fovea/tests/domains/opinion/measure/measured.hpp"
#include "fovea/tests/support/test.hpp"

using namespace fovea::opinion;

namespace {

constexpr double kRounding = 1e-10;    // sums of 400 terms in another order
constexpr double kPublished = 0.02;    // what the published controversy values must be met within
constexpr double kAsNetworkx = 1e-12;  // the same counts, divided once

/// Answers from 1 to 7, each wave of its own law.
measure::Answers likert_waves(Index waves, Index each, const Random& random, double moved) {
  measure::Answers answers;
  answers.value_name = "q";
  answers.wave_name = "wave";
  for (Index w = 0; w < waves; ++w) {
    answers.groups.push_back({std::to_string(w), "", std::to_string(w)});
    for (Index i = 0; i < each; ++i) {
      const auto entity = static_cast<std::uint64_t>(w * each + i);
      const double x = 4 + 1.4 * random.normal(entity) * (1 + moved * static_cast<double>(w));
      answers.value.push_back(std::clamp(std::round(x), 1.0, 7.0));
      answers.weight.push_back(0.5 + 1.5 * random.uniform(entity, 1));
      answers.group.push_back(w);
    }
  }
  return answers;
}

measure::Plan plan_of(Index draws, Index null_draws) {
  measure::Plan plan;
  plan.draws = draws;
  plan.null_draws = null_draws;
  plan.line = {1, 7, 7, 0.5, 0.5, 1.0001, 0.01, 1.3};
  return plan;
}

std::size_t line_place(std::string_view name) {
  const auto names = measures::line_measures();
  return (std::find(names.begin(), names.end(), name) - names.begin());
}

}  // namespace

TEST_CASE("measures with whole weights are those of the table with as many agents", "[opinion][measure][twin]") {
  const Random random(5);
  for (const bool grid : {true, false}) {
    measures::Masses masses;
    std::vector<double> values;
    for (std::uint64_t i = 0; i < 90; ++i)
      values.push_back(grid ? std::floor(7 * random.uniform(i)) : random.normal(i));
    std::sort(values.begin(), values.end());
    std::vector<double> agents;
    for (std::uint64_t i = 0; i < values.size(); ++i) {
      const std::uint64_t weight = random.below(5, i, 1);
      masses.add(values[i], 3.5 * static_cast<double>(weight));
      agents.insert(agents.end(), weight, values[i]);
    }
    measures::MeasureSettings settings;
    settings.scale_low = grid ? 0 : -2;
    settings.scale_high = grid ? 6 : 2;
    settings.camp_gap = grid ? 0.5 : 0.15;
    const Matrix<double> opinions = Eigen::Map<const Matrix<double>>(agents.data(), Index(agents.size()), 1);
    const measures::MeasuredCrowd crowd(opinions, settings);
    measures::LineSettings line{settings.scale_low, settings.scale_high, 7, 0.5, 0.3, settings.camp_gap, 0.01, 1.3};
    const std::vector<double> found = measures::measure_line(masses, line);
    for (std::size_t m = 0; m < found.size(); ++m) {
      INFO(measures::line_measures()[m]);
      const double twin = measures::line_measures()[m] == "der"
                              ? measures::der(measures::masses_of(agents), 0.5, 0.3)
                              : measures::find_measure(measures::line_measures()[m]).value(crowd);
      CHECK(std::abs(found[m] - twin) < kRounding);
    }
  }
}

TEST_CASE("every measure of the table can be asked for but those of attention and of directions",
          "[opinion][measure]") {
  for (const measures::MeasureEntry& entry : measures::measures()) {
    const auto names = measures::line_measures(), sides = measures::side_measures();
    const auto& ties = measure::tie_measures();
    const bool asked = std::find(names.begin(), names.end(), entry.name) != names.end() ||
                       std::find(sides.begin(), sides.end(), entry.name) != sides.end() ||
                       std::find(ties.begin(), ties.end(), entry.name) != ties.end();
    CHECK(asked == (entry.name != "echo_chamber" && entry.name != "order"));
  }
}

TEST_CASE("measure gives the assortativity and the modularity of networkx on the karate club", "[opinion][measure]") {
  const Results club = support::measured({"bootstrap.draws=0", "null.draws=0", "walk.hubs=1"});
  CHECK(std::abs(support::value_of(club, "modularity") - 0.3582347140039448) < kAsNetworkx);
  CHECK(std::abs(support::value_of(club, "assortativity") - 0.717530864197531) < kAsNetworkx);
  CHECK(std::abs(support::value_of(club, "ei_index") + 56.0 / 78) < kAsNetworkx);
  CHECK(std::abs(support::value_of(club, "random_walk_controversy") - 0.6357) < 5e-5);  // four published digits
  CHECK(std::isnan(support::value_of(club, "modularity", "low")));
  CHECK(std::isnan(support::value_of(club, "value_assortativity")));
}

TEST_CASE("measure gives the published controversy of ten retweet networks", "[opinion][measure][golden]") {
  const auto folder = support::shared_data("opinion");
  if (!folder) return;
  const auto facts = nlohmann::json::parse(std::ifstream(*folder / "facts.json"));
  int networks = 0;
  for (const auto& [name, of] : facts.items()) {
    if (name.rfind("retweet_", 0) != 0) continue;
    INFO(name);
    ++networks;
    for (const int hubs : {10, 100}) {
      const Results found =
          support::measured({"data.file=" + (*folder / (name + ".nodes.csv.gz")).string(),
                             "network.edges=" + (*folder / (name + ".edges.csv.gz")).string(), "bootstrap.draws=0",
                             "null.draws=0", "walk.hubs=" + std::to_string(hubs)});
      const double published = of["rwc_absorbing_unweighted"]["hubs_per_side_" + std::to_string(hubs)].get<double>();
      CHECK(std::abs(support::value_of(found, "random_walk_controversy") - published) < kPublished);
      CHECK(std::abs(support::value_of(found, "modularity") - of["modularity_of_labels"].get<double>()) < 1e-6);
      CHECK(std::abs(support::value_of(found, "assortativity") - of["assortativity_of_labels"].get<double>()) < 1e-6);
    }
  }
  CHECK(networks == 10);
}

TEST_CASE("sides are found where the karate club is best cut in two", "[opinion][measure]") {
  const datasets::network::Network club = datasets::network::karate_club();
  society::Graph graph;
  graph.nodes = Index(club.nodes) + 1;  // one without an edge
  for (const auto& edge : club.edges) graph.edges.push_back({Index(edge.source), Index(edge.target)});
  const std::vector<Index> side = measure::find_sides(graph);
  CHECK(side.back() == -1);
  CHECK(side[0] == 0);
  CHECK(side[33] == 1);
  std::vector<Index> known(side.begin(), side.end() - 1);
  graph.nodes -= 1;
  // The best of all cuts in two has 0.371795 (29/78), one member off the real split.
  CHECK(society::modularity(graph, known) > 0.3717);
}

TEST_CASE("a rewired network has the same degrees, no loops and no edge twice", "[opinion][measure][property]") {
  const society::Graph graph{400, society::barabasi_albert(400, 3, Random(2)), {}};
  const society::Graph twin = measure::rewired(graph, Random(3));
  CHECK(society::degrees(twin) == society::degrees(graph));
  std::vector<society::Edge> edges = twin.edges, before = graph.edges;
  for (auto* list : {&edges, &before}) std::sort(list->begin(), list->end());
  CHECK(std::adjacent_find(edges.begin(), edges.end()) == edges.end());
  CHECK(std::none_of(edges.begin(), edges.end(), [](const society::Edge& edge) { return edge[0] == edge[1]; }));
  std::vector<society::Edge> kept;
  std::set_intersection(edges.begin(), edges.end(), before.begin(), before.end(), std::back_inserter(kept));
  CHECK(kept.size() < graph.edges.size() / 4);
}

TEST_CASE("estimates of answers and networks: the same bits from 1, 2, 3 and 5 threads",
          "[opinion][measure][threads]") {
  const int threads_before = omp_get_max_threads();
  const measure::Answers answers = likert_waves(3, 100, Random(4), 0.1);
  std::string first;
  for (const int threads : {1, 2, 3, 5}) {
    omp_set_num_threads(threads);
    Results club = support::measured({"bootstrap.draws=40", "null.draws=40"});
    const measure::Estimates of = measure::estimate_answers(answers, plan_of(50, 50), 1, Random(9));
    std::vector<double> numbers;
    for (const auto& group : of.group)
      for (const measure::Estimate& e : group)
        for (const double x : {e.value, e.low, e.high, e.null_mean, e.null_low, e.null_high, e.p}) numbers.push_back(x);
    for (const measure::Change& change : of.changes)
      for (const measure::Estimate& e : change.of) numbers.insert(numbers.end(), {e.value, e.low, e.high});
    club.data.dimension("numbers", numbers.size());
    club.add("estimates", {"numbers"}, numbers, "1", "estimates");
    const std::string hash = content_hash(club.data);
    if (threads == 1) first = hash;
    CHECK(hash == first);
  }
  omp_set_num_threads(threads_before);
}

TEST_CASE("intervals hold the truth, and no change is found where there is none",
          "[opinion][measure][statistics][long]") {
  // 200 surveys of two waves of 300 weighted answers; seed 20; the truth from 400,000 answers of the same law. Coverage
  // of a 95 % interval over 200 surveys lies in [0.905, 0.985] but for once in a thousand (binomial).
  constexpr Index kSurveys = 200;
  const measure::Plan plan = plan_of(300, 0);
  const measure::Answers law = likert_waves(1, 400000, Random(77), 0);
  std::vector<double> truth = measures::measure_line(measure::masses_of(law, 0), plan.line);
  std::vector<Index> held(truth.size(), 0), unchanged(truth.size(), 0);
  for (Index s = 0; s < kSurveys; ++s) {
    const measure::Answers answers = likert_waves(2, 300, Random(20).stream(std::to_string(s)), 0);
    const measure::Estimates of = measure::estimate_answers(answers, plan, 1, Random(21));
    for (std::size_t m = 0; m < truth.size(); ++m) {
      const measure::Estimate &level = of.group[0][m], &change = of.changes[0].of[m];
      held[m] += level.low <= truth[m] && truth[m] <= level.high ? 1 : 0;
      unchanged[m] += change.low <= 0 && 0 <= change.high ? 1 : 0;
    }
  }
  for (const char* name : {"mean", "sd", "agreement", "bimodality", "wolfson"}) {
    const std::size_t m = line_place(name);
    INFO(name << ": " << held[m] << " and " << unchanged[m] << " of " << kSurveys);
    CHECK(held[m] >= 181);
    CHECK(held[m] <= 198);
    CHECK(unchanged[m] >= 181);
    CHECK(unchanged[m] <= 199);
  }
}

TEST_CASE("waves that differ are told from waves that do not", "[opinion][measure][statistics]") {
  const measure::Answers answers = likert_waves(3, 800, Random(31), 0.25);
  const measure::Estimates of = measure::estimate_answers(answers, plan_of(400, 200), 1, Random(1));
  const std::size_t sd = line_place("sd");
  REQUIRE(of.changes.size() == 2);
  for (const measure::Change& change : of.changes) CHECK(change.of[sd].low > 0);
  CHECK(of.group[0][sd].p < 0.02);
  CHECK(of.group[0][sd].value < of.group[0][sd].null_low);
  CHECK(of.group[2][sd].value > of.group[2][sd].null_high);
}

TEST_CASE("persons of a panel are drawn whole, so that a change of everybody by one is certain", "[opinion][measure]") {
  measure::Answers answers = likert_waves(2, 200, Random(8), 0);
  for (std::size_t i = 0; i < 200; ++i) {
    answers.value[i] = std::min(6.0, answers.value[i]);
    answers.value[200 + i] = answers.value[i] + 1;
    answers.weight[200 + i] = answers.weight[i];
  }
  for (Index i = 0; i < 400; ++i) answers.unit.push_back(i % 200);
  answers.units = 200;
  const std::size_t mean = line_place("mean");
  const measure::Estimate change =
      measure::estimate_answers(answers, plan_of(100, 0), 1, Random(1)).changes[0].of[mean];
  CHECK(std::abs(change.low - 1) < kRounding);
  CHECK(std::abs(change.high - 1) < kRounding);
}

TEST_CASE("a table of answers: what is recognised, and what is refused with its row", "[opinion][measure][fault]") {
  const TemporaryFolder folder;
  const std::string path = folder.file("s.csv");
  const std::vector<std::string> quick{"bootstrap.draws=0", "null.draws=0", "data.file=" + path};
  const auto with = [&](std::vector<std::string> more) {
    more.insert(more.end(), quick.begin(), quick.end());
    return support::measured(more);
  };
  support::put_file(path, "id;wave;w;q\n1;2020;1,5;1\n2;2020;0,5;7\n3;2010;1;NA\n4;2010;1;4\n5;2010;3;4\n");
  const Results found = with({"data.value=q", "data.by=[\"wave\"]", "data.weight=w", "data.scale=\"1..7\""});
  CHECK(std::get<std::vector<std::string>>(found.data.at("group").values) ==
        std::vector<std::string>{"wave 2010", "wave 2020"});
  CHECK(support::value_of(found, "mean", "value", 1) == 2.5);
  CHECK(support::value_of(found, "agreement", "value", 0) == 1);
  CHECK(std::get<std::vector<std::string>>(found.data.at("step").values) == std::vector<std::string>{"2010 to 2020"});
  CHECK(found.notes().front() == "1 of 5 rows has no answer and is left out.");
  const auto refused = [&](const std::string& text, const std::vector<std::string>& settings) {
    support::put_file(path, text);
    const std::string what = support::refusal_of<std::exception>([&] { with(settings); });
    return what.substr(what.rfind('/') + 1);
  };
  CHECK(refused("a,b\n1,2\n", {}) ==
        "s.csv: it is not clear which column holds the opinions (a, b); name it with data.value (fovea measure "
        "--value).");
  CHECK(refused("opinion\n1\n9\n", {"data.scale=\"1..7\""}) ==
        "s.csv:row 3, column 'opinion': off the scale 1..7 is 9 (1 time); if it marks a missing answer, name it with "
        "data.missing (--missing 9).");
  CHECK(refused("opinion,w\n1,-1\n2,1\n", {"data.weight=w"}) ==
        "s.csv:row 2, column 'w': the weight is -1; it must be >= 0 and finite.");
  CHECK(refused("opinion\nNA\n", {}) == "s.csv: no row has an answer; at least one must.");
  CHECK(refused("opinion\n1\n2\n", {"data.scale=\"7..1\""}).find("the lower one first") != std::string::npos);
  CHECK(refused("opinion\n1\n2\n", {"measures=[\"gini\"]"}).find("there is no measure 'gini'") != std::string::npos);
}

namespace {

/// Zachary's club as files: its edges, and in wave 1 the clubs that its members joined, in wave 2 others.
void put_panel(const TemporaryFolder& folder) {
  const auto club = datasets::network::karate_club();
  const std::vector<std::string>& joined = club.labels.at("club");
  std::string edges = "source,target\n", both = "node,wave,side\n", first = "node,side\n";
  for (const auto& edge : club.edges) edges += club.names[edge.source] + "," + club.names[edge.target] + "\n";
  for (std::size_t i = 0; i < joined.size(); ++i) {
    first += club.names[i] + "," + joined[i] + "\n";
    both += club.names[i] + ",1," + joined[i] + "\n";
    if (i > 0) both += club.names[i] + ",2," + (i % 2 == 0 ? "red" : "blue") + "\n";
  }
  support::put_file(folder.file("edges.csv"), edges);
  support::put_file(folder.file("panel.csv"), both);
  support::put_file(folder.file("first.csv"), first);
}

}  // namespace

TEST_CASE("waves of sides are measured on the same network, each as it would be alone, and their changes",
          "[opinion][measure][threads]") {
  const TemporaryFolder folder;
  put_panel(folder);
  const auto of = [&](const std::string& file, const std::vector<std::string>& more) {
    std::vector<std::string> settings{"data.file=" + folder.file(file), "network.edges=" + folder.file("edges.csv"),
                                      "bootstrap.draws=200", "null.draws=50"};
    settings.insert(settings.end(), more.begin(), more.end());
    return support::measured(settings);
  };
  const Results panel = of("panel.csv", {"data.by=[\"wave\"]"}), alone = of("first.csv", {});
  REQUIRE(panel.data.size_of("group") == 2);
  for (const std::string& name : measure::tie_measures()) {
    if (name == "value_assortativity") continue;
    for (const char* part : {"value", "low", "high", "null_mean", "null_p"})
      CHECK(support::value_of(panel, name, part, 0) == support::value_of(alone, name, part, 0));
    const auto& names = std::get<std::vector<std::string>>(panel.data.at("measure").values);
    const std::size_t place = std::find(names.begin(), names.end(), name) - names.begin();
    const double change = panel.data.at("change").reals()[place];
    CHECK(change == support::value_of(panel, name, "value", 1) - support::value_of(panel, name, "value", 0));
    // Sides by odd and even numbers are mixed: all fall but the share of edges between them.
    const bool mixed = name == "ei_index";
    CHECK((change > 0) == mixed);
    CHECK(panel.data.at(mixed ? "change_low" : "change_high").reals()[place] * change > 0);
  }
  CHECK(panel.verdict().find("changes of random walk controversy and modularity") != std::string::npos);
  CHECK(panel.data.at("over_waves").dimensions == std::vector<std::string>{"measure", "wave"});
  CHECK(panel.data.at("over_waves").reals()[1] == panel.data.at("value").reals()[1]);
  CHECK_FALSE(alone.data.has("over_waves"));
  support::put_file(folder.file("gap.csv"),
                    "year,country,q\n1990,A,1\n1990,A,3\n2000,A,2\n2000,A,5\n1990,B,1\n1990,B,4\n");
  const Results gap = support::measured({"data.file=" + folder.file("gap.csv"), "data.value=q",
                                         "data.by=[\"year\", \"country\"]", "bootstrap.draws=20", "null.draws=20"});
  CHECK(gap.data.at("over_waves").dimensions == std::vector<std::string>{"measure", "place", "wave"});
  for (const char* name : {"over_waves", "over_waves_low", "over_waves_null"})
    CHECK(std::isnan(gap.data.at(name).reals()[3]));  // nobody was asked in B in 2000
  const auto& side = panel.data.at("node_side");
  CHECK(side.dimensions == std::vector<std::string>{"group", "node"});
  CHECK(std::get<std::vector<std::int64_t>>(side.values)[34] == -1);  // the first member is not asked in wave 2
  omp_set_num_threads(1);
  const std::string one = content_hash(of("panel.csv", {"data.by=[\"wave\"]"}).data);
  for (const int threads : {2, 3, 5}) {
    omp_set_num_threads(threads);
    CHECK(content_hash(of("panel.csv", {"data.by=[\"wave\"]"}).data) == one);
  }
  omp_set_num_threads(2);
}

TEST_CASE("a panel on a network names what is wrong with it", "[opinion][measure][fault]") {
  const TemporaryFolder folder;
  put_panel(folder);
  const auto refused = [&](const std::string& text, const std::vector<std::string>& more) {
    support::put_file(folder.file("nodes.csv"), text);
    std::vector<std::string> settings{"data.file=" + folder.file("nodes.csv"),
                                      "network.edges=" + folder.file("edges.csv")};
    settings.insert(settings.end(), more.begin(), more.end());
    const std::string what = support::refusal_of<std::exception>([&] { support::measured(settings); });
    return what.substr(std::min(what.find("nodes.csv"), what.size()));
  };
  const std::vector<std::string> waves{"data.by=[\"wave\"]"};
  CHECK(refused("node,wave,side\n1,1,a\n2,1,b\n1,1,b\n", waves) ==
        "nodes.csv:row 4, column 'node': this node is in the file twice in wave 1; keep one row.");
  CHECK(refused("node,wave,side\n1,1,a\n2,1,b\n1,2,b\n", {}) ==
        "nodes.csv:row 4, column 'node': this node is in the file twice; keep one row, or name the column that tells "
        "the rows apart with data.by (--by).");
  CHECK(refused("node,wave,side\n1,1,a\n2,1,b\n1,2,b\n2,2,b\n", waves) ==
        "nodes.csv: names 1 side in wave 2, but there must be at least 2.");
  CHECK(refused("node,wave\n1,1\n2,1\n1,2\n2,2\n", waves).find("has neither sides nor opinions") != std::string::npos);
  CHECK(refused("node,wave,opinion\n1,1,2\n2,1,3\n1,2,NA\n2,2,\n", waves).find("has no opinion in wave 2") !=
        std::string::npos);
  CHECK(refused("node,wave,side\n1,1,a\n2,1,b\nx,2,a\ny,2,b\n", waves)
            .find("none of its nodes in wave 2, such as 'x', is in") != std::string::npos);
}
