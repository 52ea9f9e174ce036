#include "fovea/core/base/storage.hpp"
#include "fovea/core/base/words.hpp"
#include "fovea/core/lab/run_point.hpp"
#include "fovea/core/lab/runner.hpp"
#include "fovea/core/statistics/distributions/normal.hpp"
#include "fovea/domains/opinion/dynamics/dynamics.hpp"
#include "fovea/domains/opinion/experiments.hpp"
#include "fovea/domains/opinion/measures/measures.hpp"
#include "fovea/domains/opinion/society/population.hpp"
#include "fovea/domains/opinion/temperature/outcome.hpp"
#include "fovea/domains/opinion/temperature/settings.hpp"
#include "fovea/domains/opinion/theory/theory.hpp"
#include "fovea/tests/support/runs/bench.hpp"
#include "fovea/tests/support/runs/run.hpp"
#include "fovea/tests/support/test.hpp"

using namespace fovea::opinion;

namespace {

society::Population population_of(const Config& config, std::uint64_t seed) {
  return society::make_population(society::population_settings(config), society::open_population(config).get(),
                                  Random(seed));
}

Results run(const std::string& toml) { return support::run_of("opinion.temperature", toml); }

std::string complaint_about(const std::string& toml) { return support::complaints_of("opinion.temperature", toml); }

std::unique_ptr<dynamics::Dynamics> quantile_crowd(Index n, double stubbornness, double temperature) {
  dynamics::ModelSettings settings;
  settings.temperature = temperature;
  settings.stubbornness = stubbornness;
  dynamics::Agents agents;
  agents.start = Matrix<double>(n, 1);
  for (Index i = 0; i < n; ++i)
    agents.start(i, 0) = normal_quantile((static_cast<double>(i) + 0.5) / static_cast<double>(n));
  return dynamics::make_dynamics(settings, std::move(agents), nullptr, Random(1));
}

constexpr char kSmallCooling[] =
    "agents.count = 60\nrest.tolerance = 1e-5\ntemperature.low = 0.004\ntemperature.high = 0.1\n"
    "temperature.count = 4\ntransition.resolution = 0.05\nrecord.attention_groups = 6\nrecord.bins = 10\n";
constexpr char kKarate[] =
    "network.kind = \"karate\"\nstart.kind = \"labelled\"\nstart.known_nodes = [0, 33]\nmodel.stubbornness = 0.0\n"
    "temperature.low = 0.05\ntemperature.high = 5.0\ntemperature.count = 5\nrest.tolerance = 1e-9\n"
    "rest.steps_max = 20000\ntransition.find = false\n";

}  // namespace

TEST_CASE("with s = 0.05 and 4000 quantile anchors consensus holds half a percent above tau_- and breaks half below",
          "[temperature][limit]") {
  const double fold = theory::lower_fold(0.05).tau;
  CHECK(std::abs(fold - 0.00896836) < 1e-8);
  const auto crowd = quantile_crowd(4000, 0.05, 1.005 * fold);
  const double u = theory::gaussian_state_u(1.005 * fold, 0.05);
  Matrix<double> x = u * crowd->agents().start;
  for (int step = 0; step < 25; ++step) crowd->step(x, step);
  CHECK(std::abs(std::sqrt(measures::variance(x)) / u - 1) < 2e-3);  // 4000 quantiles have a spread 4e-4 low
  const Matrix<double> before = x;
  crowd->step(x, 25);
  CHECK(dynamics::largest_change(before, x) < 1e-4);  // and it goes on standing still
  crowd->set(dynamics::Control::temperature, 0.995 * fold);
  int steps = 0;
  while (std::sqrt(measures::variance(x)) < 0.5 && steps < 500) crowd->step(x, ++steps);
  CHECK(std::sqrt(measures::variance(x)) >= 0.5);
  CHECK(measures::find_camps(x, 0.1).at_least(0.01) >= 2);
}

TEST_CASE("heated from the anchors a stubborn crowd stays polarized to more than 6 tau_-", "[temperature][limit]") {
  const Results results =
      run("branch = \"heating\"\nagents.count = 1000\nrest.tolerance = 1e-5\ntransition.find = false\n"
          "temperature.values = [0.006, 0.015, 0.03, 0.056]\n");
  const double fold = theory::lower_fold(0.05).tau;
  CHECK(results.data.at("temperature").reals().back() > 6.2 * fold);
  for (const double camps : results.data.at("camps").reals()) CHECK(camps >= 2);
  for (const double sd : results.data.at("sd").reals()) CHECK(sd > 0.8);
  CHECK(std::get<std::vector<std::uint8_t>>(results.data.at("at_rest").values) ==
        std::vector<std::uint8_t>{1, 1, 1, 1});
}

TEST_CASE("cooling finds the transition by bisection and says so beside the prediction", "[temperature]") {
  Results results =
      run("agents.count = 400\nrest.tolerance = 1e-5\ntemperature.low = 0.007\ntemperature.high = 0.014\n"
          "temperature.count = 3\ntransition.resolution = 0.01\n");
  const double at = results.data.at("transition_temperature").reals().at(0);
  const double half = results.data.at("transition_half_width").reals().at(0);
  CHECK(half <= 0.005 * at);
  // 400 quantiles end at 3 sd; the missing tails move the jump by well under 5 %.
  CHECK(std::abs(at / theory::lower_fold(0.05).tau - 1) < 0.05);
  CHECK(results.data.at("predicted_transition").reals().at(0) == theory::consensus_ends(0.05).tau);
  CHECK(std::isnan(results.data.at("predicted_sd").reals().front()));
  CHECK(results.verdict().starts_with("On cooling, consensus is lost at T = 0.00"));
  CHECK(results.verdict().find("(predicted 0.00897)") != std::string::npos);
  for (const Check& check : results.checks()) {
    CAPTURE(check.name, check.predicted, check.measured);
    CHECK(check.holds());
  }
  for (const Figure& figure : results.figures())
    for (const std::string& name : figure.variables) CHECK(results.data.has(name));
}

TEST_CASE("cooled and heated, the crowd makes a loop, and the verdict says how far each way goes", "[temperature]") {
  const support::TemporaryFolder folder;
  const Config config = support::config_of(
      "opinion.temperature",
      "agents.count = 300\nrest.tolerance = 1e-5\ntemperature.low = 0.006\ntemperature.high = 0.3\n"
      "temperature.count = 8\ntransition.resolution = 0.05\nsweep.branch = [\"cooling\", \"heating\"]\n");
  RunOptions options;
  options.output = folder.path();
  const RunSummary summary = run_experiment(*temperature::make_temperature(), config, "", options, silent_narrator());
  const Results merged = read_results(summary.directory);
  CHECK(merged.verdict().find(": a first-order transition with hysteresis.") != std::string::npos);
  CHECK(merged.data.at("hysteresis_area").reals().at(0) > 1);  // 0 without memory; a spread of 0.9 over ln 20 is 2.7
  const auto& notes = merged.notes();
  const std::string bound =
      "For comparison: two camps of one half of the agents each, taken as points, have an equilibrium up to T = "
      "0.177. ";
  CHECK(std::any_of(notes.begin(), notes.end(), [&](const std::string& note) { return note.starts_with(bound); }));
  CHECK(merged.data.at("heating_transition").reals().at(0) > 6 * theory::consensus_ends(0.05).tau);
}

TEST_CASE("a sweep over stubbornness is told by ranges, not by a mean of different crowds", "[temperature]") {
  const support::TemporaryFolder folder;
  const Config config = support::config_of(
      "opinion.temperature",
      "agents.count = 100\nrest.tolerance = 1e-4\ntemperature.low = 0.004\ntemperature.high = 0.05\n"
      "temperature.count = 4\ntransition.resolution = 0.05\nsweep.model.stubbornness = [0.04, 0.08]\n");
  RunOptions options;
  options.output = folder.path();
  const RunSummary summary = run_experiment(*temperature::make_temperature(), config, "", options, silent_narrator());
  const Results merged = read_results(summary.directory);
  CHECK(merged.verdict().starts_with("Over the swept values, on cooling, consensus is lost at T = 0.00"));
  CHECK(merged.verdict().find(" to 0.02") != std::string::npos);
  const std::string low = plain_text(theory::consensus_ends(0.04).tau),
                    high = plain_text(theory::consensus_ends(0.08).tau);
  CHECK(merged.verdict().find(concat("(predicted there ", low, " to ", high, ").")) != std::string::npos);
}

TEST_CASE("a crowd of single agents far apart is told as one without camps", "[temperature]") {
  const support::TemporaryFolder folder;
  RunOptions options;
  options.output = folder.path();
  const RunSummary summary = run_experiment(
      *temperature::make_temperature(),
      support::config_of("opinion.temperature", "agents.count = 200\nstart.spread = 1e6\ntemperature.count = 2\n"), "",
      options, silent_narrator());
  CHECK(read_results(summary.directory).verdict() ==
        "The crowd has no camps at any temperature: no group without a gap wider than camps.gap holds "
        "camps.least_share of the agents.");
}

TEST_CASE("a run resumed from any checkpoint ends with the same content", "[temperature][property]") {
  const std::string noisy = "model.noise = 0.02\naverage.burn_in = 15\naverage.steps = 40\n";
  for (const std::string& more : {std::string(), std::string("branch = \"heating\"\n"), noisy}) {
    const Config config = support::config_of("opinion.temperature", more + kSmallCooling);
    support::StoppingBench first = support::keeping_bench(17);
    const std::string expected = content_hash(support::run_of(config, first).data);
    CHECK(first.kept.size() > 8);
    CHECK(first.fractions.back() == 1.0);
    for (const Dataset& state : first.kept) {
      support::StoppingBench again(state);
      CHECK(content_hash(support::run_of(config, again).data) == expected);
    }
  }
}

TEST_CASE("the content is the same for 1, 2, 3 and 5 threads", "[temperature][threads]") {
  const int before = omp_get_max_threads();
  std::vector<std::string> hashes;
  for (const int threads : {1, 2, 3, 5}) {
    omp_set_num_threads(threads);
    hashes.push_back(content_hash(run(kSmallCooling).data) + content_hash(run(kKarate).data));
  }
  omp_set_num_threads(before);
  for (const std::string& hash : hashes) CHECK(hash == hashes.front());
}

TEST_CASE("the karate club: nine tenths and more end on their real side, as label propagation has it",
          "[temperature]") {
  Results results = run(kKarate);
  const auto& share = results.data.at("share_on_real_side").reals();
  CHECK(share.back() > 0.93);
  CHECK(results.data.at("label_propagation_share").reals().at(0) == 31.0 / 32);
  CHECK(results.data.at("judged_agents").reals().at(0) == 32);
  const Config config = support::config_of("opinion.temperature", kKarate);
  const society::Population club = population_of(config, 1);
  CHECK(club.labels == std::vector<std::string>{"Mr. Hi", "Officer"});
  constexpr double kPublished = 5e-7;  // six digits
  CHECK(std::abs(society::modularity(*club.graph, club.side) - 0.358235) < kPublished);
  CHECK(club.anchors(0, 0) == -1.0);
  CHECK(club.anchors(33, 0) == 1.0);
  CHECK(results.verdict().find("Label propagation places 96.9 % there") != std::string::npos);
}

TEST_CASE("political blogs: published assortativity, and most end on their real side", "[temperature]") {
  const auto folder = support::shared_data("opinion");
  if (!folder) return;
  const std::string toml = "network.kind = \"edges\"\nnetwork.edges = \"" +
                           (*folder / "polblogs.edges.csv.gz").string() + "\"\nnetwork.labels = \"" +
                           (*folder / "polblogs.nodes.csv.gz").string() +
                           "\"\nstart.kind = \"labelled\"\nstart.known_per_side = 10\nmodel.stubbornness = 0.0\n"
                           "temperature.values = [5.0]\ntransition.find = false\nrecord.network = false\n";
  const society::Population blogs = population_of(support::config_of("opinion.temperature", toml), 1);
  CHECK(blogs.graph->nodes == 1490);
  CHECK(blogs.graph->edges.size() == 16715);
  CHECK(blogs.notes.front() ==
        "Edges of the list in use: 16715; left out: 2372 given before, in the same or the other direction; 3 from a "
        "node to itself.");
  constexpr double kPublished = 5e-7;  // six digits
  CHECK(std::abs(society::assortativity(*blogs.graph, blogs.side) - 0.811351) < kPublished);
  const Results results = run(toml);
  CHECK(results.data.at("share_on_real_side").reals().at(0) > 0.8);  // chance is 0.5; found 0.9 and more
}

TEST_CASE("plain averaging is not called at rest while camps remain, and the lifetime is given", "[temperature]") {
  Results results =
      run("branch = \"fresh\"\nagents.count = 100\nmodel.stubbornness = 0.0\nstart.kind = \"uniform\"\n"
          "temperature.values = [0.01, 0.3]\nrest.steps_max = 60\ntransition.find = false\n");
  CHECK(std::get<std::vector<std::uint8_t>>(results.data.at("at_rest").values) == std::vector<std::uint8_t>{0, 1});
  CHECK(results.data.at("steps").reals().front() == 60);
  CHECK(results.notes().back().find("T = 0.01: not at rest after 60 steps, expected lifetime ") != std::string::npos);
  CHECK(results.verdict().find("not a phase transition") != std::string::npos);
}

TEST_CASE("contradictory keys are refused at their place with the rule", "[temperature][errors]") {
  CHECK(complaint_about("temperature.low = 0.5\n") ==
        "test.toml:3:19: temperature.low = 0.5, but must be < temperature.high = 0.3.\n");
  CHECK(complaint_about("temperature.values = [0.2, 0.1]\n").find("must ascend") != std::string::npos);
  CHECK(complaint_about("network.kind = \"edges\"\n").find("needs network.edges") != std::string::npos);
  CHECK(complaint_about("start.kind = \"file\"\n").find("needs start.file") != std::string::npos);
  CHECK(complaint_about("start.kind = \"labelled\"\nstart.known_per_side = 2\n").find("needs a network with labels") !=
        std::string::npos);
  CHECK(complaint_about("start.kind = \"labelled\"\nnetwork.kind = \"karate\"\n").find("needs either") !=
        std::string::npos);
  CHECK(complaint_about("start.known_per_side = 2\n").find("set start.kind") != std::string::npos);
  CHECK(complaint_about(std::string(kKarate) + "agents.count = 50\n").find("remove this key") != std::string::npos);
  CHECK(complaint_about("model.components = 2\n").find("has 1") != std::string::npos);
  CHECK(complaint_about("network.kind = \"watts_strogatz\"\nnetwork.mean_degree = 5.0\n").find("must be even") !=
        std::string::npos);
  CHECK(complaint_about("network.kind = \"block_model\"\nnetwork.blocks = 2001\n").find("network.blocks") !=
        std::string::npos);
  CHECK(complaint_about(kSmallCooling).empty());
  CHECK(complaint_about(kKarate).empty());
}

TEST_CASE("what of an edge list is left out is said", "[temperature]") {
  const support::TemporaryFolder folder;
  write_file(folder.file("edges.csv"), "source,target,weight\na,b,1\nb,a,1\na,b,1\nb,b,1\nb,c,0\n");
  const std::string toml = "network.kind = \"edges\"\nnetwork.edges = \"" + folder.file("edges.csv") + "\"\n";
  const std::string twice_and_loop = "2 given before, in the same or the other direction; 1 from a node to itself";
  const auto plain = population_of(support::config_of("opinion.temperature", toml), 1);
  CHECK(plain.notes.front() == "Edges of the list in use: 2; left out: " + twice_and_loop + ".");
  REQUIRE(plain.findings.size() == 1);
  CHECK(plain.findings[0].sentence ==
        "Weights are there and not used: 1 edge has another one than 1 (1 of them 0 or below), but each counts once; "
        "to use them: network.use_weights = true.");
  const auto weighted =
      population_of(support::config_of("opinion.temperature", toml + "network.use_weights = true\n"), 1);
  CHECK(weighted.findings.empty());
  REQUIRE(weighted.notes.size() == 2);
  CHECK(weighted.notes[0] == "Edges of the list in use: 1; left out: 1 from a node to itself; 1 of weight 0.");
  CHECK(weighted.notes[1].find("2 edges were given before, in the same or the other direction: the weights were "
                               "added.") != std::string::npos);
}

TEST_CASE("a page states how the files of a network were read", "[temperature]") {
  const support::TemporaryFolder folder;
  write_file(folder.file("latin.csv"), "source,target\nZo\xEB,b\nb,c\n");
  write_file(folder.file("utf.csv"), "source,target\nZoe,b\nb,c\n");
  const auto notes_of = [&](const char* name) {
    const Results found =
        run("network.kind = \"edges\"\nnetwork.edges = \"" + folder.file(name) +
            "\"\ntemperature.count = 1\ntemperature.low = 0.1\ntemperature.high = 0.1\ntransition.find = false\n");
    std::string all;
    for (const std::string& note : found.notes()) all += note;
    return all;
  };
  CHECK(notes_of("latin.csv").find("latin.csv is not UTF-8") != std::string::npos);
  CHECK(notes_of("utf.csv").find("UTF-8") == std::string::npos);
}

TEST_CASE("agents keep the names of their network in the result", "[temperature]") {
  const support::TemporaryFolder folder;
  write_file(folder.file("edges.csv"), "source,target\nAnn,Bob\nBob,Cid\nCid,Dee\n");
  const Results results = run("network.kind = \"edges\"\nnetwork.edges = \"" + folder.file("edges.csv") +
                              "\"\ntemperature.values = [0.5]\ntransition.find = false\n");
  CHECK(std::get<std::vector<std::string>>(results.data.at("agent").values) ==
        std::vector<std::string>{"Ann", "Bob", "Cid", "Dee"});
}

TEST_CASE("starting opinions come from a file by the names of its nodes, or are refused with the row",
          "[temperature]") {
  const support::TemporaryFolder folder;
  const std::string path = folder.file("start.csv");
  const Config config = support::config_of("opinion.temperature", "model.components = 2\nstart.kind = \"file\"\n");
  Config with_file = config;
  with_file.set("start.file", path, {});
  write_file(path, "node,opinion_1,opinion_2\na,1,2\nb,-1,0.5\n");
  const society::Population population = population_of(with_file, 1);
  CHECK(population.names == std::vector<std::string>{"a", "b"});
  CHECK(population.anchors(1, 0) == -1.0);
  CHECK(population.anchors(0, 1) == 2.0);
  CHECK(society::opinion_limit(society::population_settings(with_file), population) == 1.05 * 2.0);
  write_file(path, "node,opinion_1,opinion_2\na,1,2\na,-1,0.5\n");
  CHECK_THROWS_WITH(population_of(with_file, 1), path + ":row 3: node 'a' was already given in row 2.");
  write_file(path, "node,opinion_1,opinion_2\na,1,2\nb,-1,inf\n");
  CHECK_THROWS_AS(population_of(with_file, 1), DataError);
}

TEST_CASE("the starting opinions are what their kind says", "[temperature][statistics]") {
  const auto anchors = [](const std::string& toml) {
    return population_of(support::config_of("opinion.temperature", toml), 3).anchors;
  };
  const Matrix<double> quantiles = anchors("agents.count = 4\nstart.spread = 2.0\n");
  CHECK(quantiles(3, 0) == 2 * normal_quantile(0.875));
  // standard errors of the spread of 4000 draws: 0.5 / sqrt(8000); of the uniform's mean square: 0.005
  CHECK(std::abs(std::sqrt(measures::variance(anchors("start.kind = \"normal\"\nstart.spread = 0.5\n"))) - 0.5) <
        5 * 0.0056);
  CHECK(std::abs(measures::variance(anchors("start.kind = \"uniform\"\n")) - 1.0 / 3) < 5 * 0.005);
  const Matrix<double> groups = anchors(
      "agents.count = 40\nstart.kind = \"groups\"\nstart.spread = 1e-9\nnetwork.kind = \"block_model\"\n"
      "network.blocks = 5\nnetwork.within = 4.0\n");
  CHECK(std::abs(groups(0, 0) + 1) < 1e-7);
  CHECK(std::abs(groups(20, 0)) < 1e-7);
  CHECK(std::abs(groups(39, 0) - 1) < 1e-7);
}

TEST_CASE("the grid is spaced as asked and ends where it should", "[temperature]") {
  const auto settings_of = [](const std::string& text) {
    return temperature::temperature_settings(support::config_of("opinion.temperature", text));
  };
  const std::vector<double> log =
      settings_of("temperature.low = 0.01\ntemperature.high = 0.16\ntemperature.count = 5\n").walk.temperatures;
  CHECK(log.size() == 5);
  CHECK(std::abs(log[2] - 0.04) < 1e-15);
  const std::string even =
      "temperature.low = 1.0\ntemperature.high = 3.0\ntemperature.count = 3\ntemperature.spacing = \"linear\"\n";
  CHECK(settings_of(even).walk.temperatures == std::vector<double>{1, 2, 3});
  CHECK(settings_of("model.score = \"cosine\"\n").unit() == "1");
}

TEST_CASE("every key says what it means", "[temperature]") {
  const Schema schema = temperature::temperature_schema();
  for (const Parameter& parameter : schema.parameters()) {
    CAPTURE(parameter.key);
    CHECK(parameter.meaning.size() > 8);
  }
  CHECK(temperature::make_temperature()->name() == "opinion.temperature");
}
