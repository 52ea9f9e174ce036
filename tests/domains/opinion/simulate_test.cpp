#include "fovea/core/lab/experiment.hpp"
#include "fovea/domains/opinion/dynamics/models.hpp"
#include "fovea/domains/opinion/experiments.hpp"
#include "fovea/domains/opinion/measures/measure_table.hpp"
#include "fovea/domains/opinion/simulate/settings.hpp"
#include "fovea/tests/support/runs/bench.hpp"
#include "fovea/tests/support/runs/run.hpp"
#include "fovea/tests/support/test.hpp"

namespace fovea::opinion {
namespace {

/// The same numbers, where a missing one equals a missing one.
bool same_values(const Variable& a, const Variable& b) {
  return std::visit(
      [&](const auto& left) {
        const auto* right = std::get_if<std::decay_t<decltype(left)>>(&b.values);
        return right != nullptr &&
               std::equal(left.begin(), left.end(), right->begin(), right->end(),
                          [](const auto& x, const auto& y) { return x == y || (x != x && y != y); });
      },
      a.values);
}

Results simulate(const std::string& toml) { return support::run_of("opinion.simulate", toml); }

std::string complaints_about(const std::string& toml) { return support::complaints_of("opinion.simulate", toml); }

std::string small_run(const std::string& model) {
  return concat("agents.count = 50\nstart.kind = \"uniform\"\nrun.steps = 6\nmodel.name = \"", model,
                "\"\nrecord.states = 3\n",
                dynamics::find_model(model).needs("temperature") ? "model.temperature = 1.0\n" : "",
                model.find("sphere") == std::string::npos ? "" : "model.components = 3\n");
}

TEST_CASE("every model can be simulated, and a run that is taken up anywhere ends with the same bytes",
          "[opinion][simulate]") {
  for (const dynamics::ModelEntry& entry : dynamics::models()) {
    DYNAMIC_SECTION(entry.name) {
      const Config config = support::config_of(
          "opinion.simulate", small_run(std::string(entry.name)) + "shocks.steps = [2]\nshocks.kinds = [\"" +
                                  (entry.rule.update == dynamics::Update::project ? "noise" : "shift") +
                                  "\"]\nshocks.values = [0.25]\n");
      support::StoppingBench through = support::keeping_bench();
      const std::string whole = content_hash(support::run_of(config, through).data);
      CHECK(through.fractions.back() == 1);
      for (std::size_t k = 0; k < through.kept.size(); ++k) {
        support::StoppingBench again(through.kept[k]);
        CHECK(content_hash(support::run_of(config, again).data) == whole);
      }
    }
  }
}

TEST_CASE("a run whose network changes ends with the same bytes wherever it is taken up, and keeps its edges",
          "[opinion][simulate][coevolution]") {
  for (const dynamics::ModelEntry& entry : dynamics::models()) {
    if (!dynamics::knows_rewiring(entry.rule)) continue;
    DYNAMIC_SECTION(entry.name) {
      const bool voters = entry.rule.update.imitates, hears = dynamics::knows_feed(entry.rule);
      const Config config = support::config_of(
          "opinion.simulate",
          concat("agents.count = 50\nstart.kind = \"", voters ? "several_opinions" : "uniform", "\"\nrun.steps = 6\n",
                 "rest.tolerance = 0.0\n", entry.needs("temperature") ? "model.temperature = 1.0\n" : "",
                 entry.needs("coupling") && entry.name != "formula" ? "model.coupling = 0.2\n" : "", "model.name = \"",
                 entry.name, "\"\nrecord.states = 3\nrecord.networks = 3\n",
                 "network.kind = \"erdos_renyi\"\nnetwork.mean_degree = 5.0\nrewiring.probability = 0.5\n",
                 voters ? "rewiring.to = \"random\"\n" : "rewiring.tolerance = 0.3\n",
                 hears ? "feed.size = 2\nrewiring.to = \"recommended\"\n" : ""));
      support::StoppingBench through = support::keeping_bench();
      const Results results = support::run_of(config, through);
      CHECK(results.data.at("final_edges_moved").reals()[0] > 5);
      CHECK(results.data.size_of("network_step") == 3);
      REQUIRE(results.checks().size() >= 2);
      for (const Check& check : results.checks()) {
        INFO(check.name);
        CHECK(check.holds());
      }
      for (const Dataset& state : through.kept) {
        support::StoppingBench again(state);
        CHECK(content_hash(support::run_of(config, again).data) == content_hash(results.data));
      }
    }
  }
}

TEST_CASE("rewiring and feeds are refused where nobody can use them", "[opinion][simulate][coevolution][errors]") {
  const std::string network = "network.kind = \"erdos_renyi\"\nmodel.name = \"";
  CHECK(complaints_about(network + "majority\"\nrewiring.probability = 0.1\n") ==
        "test.toml:5:24: rewiring.probability is given, but model.name = \"majority\", whose agents cannot move edges; "
        "take voter, q_voter, deffuant, jager_amblard, or one that hears.\n");
  CHECK(complaints_about("model.name = \"voter\"\nrewiring.probability = 0.1\n") ==
        "test.toml:4:24: rewiring.probability is given, but network.kind = \"none\"; give a network.\n");
  CHECK(complaints_about(network + "deffuant\"\nfeed.size = 3\nrewiring.cut = \"any\"\n") ==
        "test.toml:5:13: feed.size is given, but model.name = \"deffuant\", whose agents have no feed; take one that "
        "hears, such as degroot or hegselmann_krause.\ntest.toml:6:16: rewiring.cut is given, but model.name = "
        "\"deffuant\", whose network stays simple and is cut by rewiring.tolerance; remove it.\n");
  CHECK(complaints_about(network + "voter\"\nrewiring.to = \"recommended\"\n").find("needs model.components = 1") !=
        std::string::npos);
  CHECK(complaints_about(network + "degroot\"\nrewiring.probability = 0.1\n").find("has no confidence") !=
        std::string::npos);
  CHECK(complaints_about(network + "formula\"\nrewiring.probability = 0.1\n").find("reads no eps; say from which") !=
        std::string::npos);
  CHECK(complaints_about(network + "formula\"\nformula.influence = \"d < eps\"\nrewiring.probability = 0.1\n").empty());
  CHECK(complaints_about(network +
                         "formula\"\nformula.step = \"pairs\"\nformula.update = \"x_j\"\nrewiring.probability = 0.1\n")
            .find("whose agents cannot move edges; take formula.step = \"together\"") != std::string::npos);
  CHECK(complaints_about(network + "degroot\"\nrewiring.probability = 0.1\nrewiring.tolerance = 0.2\nfeed.size = 2\n")
            .empty());
}

TEST_CASE("a crowd is written down up to its rest", "[opinion][simulate]") {
  const Results results = simulate(
      "agents.count = 200\nstart.kind = \"uniform\"\nmodel.confidence = 0.7\n"
      "run.steps = 100\n");
  CHECK(results.data.at("at_rest").reals()[0] == 1);
  const double steps = results.data.at("steps_taken").reals()[0];
  CHECK(steps < 20);
  CHECK(static_cast<double>(results.data.at("sd").size()) == steps + 1);
  CHECK(static_cast<double>(results.data.size_of("step")) == steps + 1);
  CHECK(results.verdict().starts_with("1 camp at rest after "));
}

TEST_CASE("camps on the circle are those of angles, wherever the circle is cut", "[opinion][simulate]") {
  // Cold particles at four places: the camps at -3.1 and 3.1 are 0.08 apart, the short way round.
  const support::TemporaryFolder folder;
  const std::string path = folder.file("start.csv");
  std::ofstream(path) << "node,opinion\na,3.1\nb,3.1\nc,3.1\nd,-3.1\ne,-3.1\nf,0\n";
  Config config = support::config_of("opinion.simulate",
                                     "model.name = \"transformer_circle\"\nmodel.temperature = 1e-6\nrun.steps = 1\n"
                                     "start.kind = \"file\"\n");
  config.set("start.file", path, {});
  const Results results = support::run_of(config);
  CHECK(results.data.at("final_camps").reals()[0] == 3);
  CHECK(std::abs(results.data.at("final_camp_distance").reals()[0] - 0.0831853072) < 1e-6);
  config.set("camps.gap", 0.1, {});
  CHECK(support::run_of(config).data.at("final_camps").reals()[0] == 2);
}

TEST_CASE("shocks hit the share that they say, when they say, and controls are turned", "[opinion][simulate]") {
  const std::string frozen =
      "agents.count = 4000\nstart.kind = \"uniform\"\nmodel.name = \"attention\"\n"
      "model.temperature = 1e-12\nrun.steps = 3\nrest.tolerance = 0.0\n";
  const Results shifted = simulate(frozen +
                                   "shocks.steps = [1]\nshocks.kinds = [\"shift\"]\nshocks.values = [10.0]\n"
                                   "shocks.shares = [0.25]\n");
  const std::vector<double>& mean = shifted.data.at("mean").reals();
  CHECK(std::abs(mean[1] - mean[0]) < 1e-12);
  CHECK(std::abs(mean[2] - mean[0] - 2.5) < 5 * 10 * std::sqrt(0.25 * 0.75 / 4000));  // five standard errors
  const Results warmed =
      simulate(frozen + "shocks.steps = [2]\nshocks.kinds = [\"temperature\"]\nshocks.values = [1e9]\n");
  CHECK(warmed.data.at("sd").reals()[2] > 0.5);
  CHECK(warmed.data.at("sd").reals()[3] < 1e-6);
}

TEST_CASE("bots and media are heard but not counted", "[opinion][simulate]") {
  const std::string crowd = "agents.count = 100\nstart.kind = \"uniform\"\nmodel.name = \"degroot\"\nrun.steps = 200\n";
  const Results pulled = simulate(crowd +
                                  "bots.opinions = [4.0]\nbots.each = 20\nmedia.opinions = [-3.0]\n"
                                  "media.reach = 10.0\n");
  CHECK(std::abs(pulled.data.at("final_mean").reals()[0] - (20 * 4.0 - 10 * 3.0) / 30) < 1e-5);
  CHECK(pulled.data.at("final_sd").reals()[0] < 1e-5);  // the bots are far away
  CHECK(pulled.data.size_of("agent") == 121);
}

TEST_CASE("record.measures adds measures of the table, with a figure each, and changes no other array",
          "[opinion][simulate]") {
  const std::string karate = "network.kind = \"karate\"\nstart.kind = \"uniform\"\nrun.steps = 5\n";
  const Results plain = simulate(karate);
  const Results more = simulate(karate + "record.measures = [\"dip\", \"modularity\", \"random_walk_controversy\"]\n");
  for (const Variable& variable : plain.data.variables()) {
    CAPTURE(variable.name);
    CHECK(same_values(more.data.at(variable.name), variable));
  }
  CHECK(more.data.variables().size() == plain.data.variables().size() + 6);
  CHECK(more.figures().size() == plain.figures().size() + 3);
  for (const char* name : {"dip", "modularity", "random_walk_controversy"}) {
    CAPTURE(name);
    CHECK_FALSE(plain.data.has(name));
    CHECK(more.data.at(name).dimensions == std::vector<std::string>{"step"});
    CHECK(more.data.at(name).long_name == measures::find_measure(name).definition);
  }
  const Config config = support::config_of("opinion.simulate", karate);
  const society::Population club =
      society::make_population(society::population_settings(config), society::open_population(config).get(), Random(1));
  measures::MeasureSettings settings;
  settings.camp_gap = 0.05;  // the key's default
  const std::vector<double>& opinions = more.data.at("final_opinion").reals();
  const Matrix<double> last = Eigen::Map<const Matrix<double>>(opinions.data(), 34, 1);
  const std::vector<double> all = measures::observe_all(last, &*club.graph, settings);
  const measures::Camps camps = measures::find_camps(last, settings.camp_gap);
  REQUIRE(camps.sizes[1] == camps.sizes[2]);  // hence not told which are the two largest: camp_distance may differ
  for (std::size_t k = 0; k < all.size(); ++k) {
    const std::string name = concat("final_", measures::measures()[k].name);
    CAPTURE(name);
    if (name == "final_camp_distance") continue;
    if (more.data.has(name) && !std::isnan(all[k])) CHECK(std::abs(more.data.at(name).reals()[0] - all[k]) < 1e-12);
  }
}

TEST_CASE("of bots and media record.measures leaves out the edges too", "[opinion][simulate]") {
  const support::TemporaryFolder folder;
  const std::string agents = folder.file("agents.csv"), edges = folder.file("edges.csv");
  std::ofstream(agents) << "node,opinion,kind\na,-1,\nb,-0.9,\nc,1,\nd,0.9,bot\n";
  std::ofstream(edges) << "source,target\na,b\nb,c\nc,d\n";
  Config config = support::config_of(
      "opinion.simulate",
      "network.kind = \"edges\"\nstart.kind = \"file\"\nmodel.name = \"attention\"\nmodel.temperature = 1e-9\n"
      "run.steps = 1\nrecord.measures = [\"ei_index\"]\n");
  config.set("network.edges", edges, {});
  config.set("start.file", agents, {});
  CHECK(support::run_of(config).data.at("final_ei_index").reals()[0] == 0);  // a-b within, b-c across, c-d left out
}

TEST_CASE("measures that cannot be recorded are named", "[opinion][simulate][errors]") {
  CHECK(
      complaints_about("record.measures = [\"modularty\"]\n") ==
      "test.toml:3:19: record.measures has 'modularty', but must name measures of `fovea list measures`. Did you mean "
      "'modularity'?\n");
  CHECK(complaints_about("record.measures = [\"modularity\"]\n") ==
        "test.toml:3:19: record.measures has 'modularity', which needs a network; give network.kind.\n");
  CHECK(complaints_about("record.measures = [\"dip\", \"dip\"]\n") ==
        "test.toml:3:19: record.measures has 'dip', which is always recorded, or named twice; leave it out.\n");
  CHECK(complaints_about("record.measures = [\"sd\"]\n") ==
        "test.toml:3:19: record.measures has 'sd', which is always recorded, or named twice; leave it out.\n");
  CHECK(complaints_about("record.measures = [\"echo_chamber\"]\n").find("needs the attention of every pair") !=
        std::string::npos);
  CHECK(complaints_about("network.kind = \"karate\"\nrecord.measures = [\"modularity\"]\n").empty());
}

TEST_CASE("keys that contradict each other are named", "[opinion][simulate][errors]") {
  CHECK(complaints_about("").empty());
  CHECK(complaints_about("shocks.steps = [1]\n") ==
        "test.toml:3:16: shocks.steps has 1 entries, kinds 0, values 0 and shares 0; each shock needs one of each "
        "(shares: or none at all).\n");
  CHECK(complaints_about("shocks.steps = [1]\nshocks.kinds = [\"temperature\"]\nshocks.values = [1.0]\n") ==
        "test.toml:4:16: shocks.kinds has 'temperature', which model.name = \"hegselmann_krause\" does not read.\n");
  CHECK(complaints_about("shocks.steps = [100]\nshocks.kinds = [\"shift\"]\nshocks.values = [1.0]\n") ==
        "test.toml:3:16: shocks.steps has 100, but must be < run.steps = 100.\n");
  CHECK(complaints_about("model.name = \"transformer_sphere\"\n") ==
        "test.toml:3:14: model.components = 1, but a point of the sphere needs at least 2.\n");
  CHECK(complaints_about("model.name = \"baumann\"\nnetwork.kind = \"karate\"\n") ==
        "test.toml:4:16: network.kind is given, but the agents of model.name = \"baumann\" draw their own contacts.\n");
}

TEST_CASE("a key that the model does not read is refused, and the model's own are named",
          "[opinion][simulate][errors]") {
  CHECK(complaints_about("model.name = \"deffuant\"\nmodel.noise = 0.1\n") ==
        "test.toml:4:15: model.noise is given, but model.name = \"deffuant\" does not read it; it reads confidence, "
        "convergence, stubbornness. Remove the key.\n");
  CHECK(complaints_about("model.name = \"degroot\"\nmodel.stubbornness = 0.5\n").find("it reads noise.") !=
        std::string::npos);
  CHECK(complaints_about("model.temperature = 0.5\n").find("model.temperature is given, but") != std::string::npos);
  CHECK(complaints_about("model.name = \"voter\"\nnetwork.kind = \"erdos_renyi\"\nnetwork.self_weight = 2.0\n")
            .find("network.self_weight is given, but agents of model.name = \"voter\"") != std::string::npos);
  CHECK(complaints_about("model.name = \"attention\"\nmodel.distance_floor = 0.1\n").find("log_distance") !=
        std::string::npos);
  CHECK(complaints_about("model.name = \"attention\"\nmodel.score = \"log_distance\"\nmodel.distance_floor = 0.1\n")
            .empty());
  // A resolved config holds every key with its default.
  CHECK(complaints_about("model.name = \"deffuant\"\nmodel.noise = 0.0\n").empty());
}

TEST_CASE("the keys of one model are a config that it takes", "[opinion][simulate]") {
  for (const dynamics::ModelEntry& entry : dynamics::models()) {
    const Schema keys = simulate::simulate_schema(&entry);
    for (const Parameter& parameter : keys.parameters())
      if (parameter.key.starts_with("model.") && parameter.key != "model.name" && parameter.key != "model.components" &&
          parameter.key != "model.fast")
        CHECK(entry.needs(parameter.key.substr(6)));
    const std::string text = to_toml(default_config("opinion.simulate", keys, {}));
    INFO(entry.name);
    CHECK(complaints_about(text.substr(text.find('\n') + 1)).empty());
    CHECK(keys.parameters().size() < simulate::simulate_schema().parameters().size());
  }
}

// Files.

TEST_CASE("an agents' file is read as people write it, and an unknown column is refused",
          "[opinion][simulate][errors]") {
  const support::TemporaryFolder folder;
  const std::string path = folder.file("people.csv");
  const auto start_of = [&](const std::string& text) {
    std::ofstream(path) << text;
    return simulate::open_simulation(
        support::config_of("opinion.simulate", concat("start.kind = \"file\"\nstart.file = \"", path, "\"\n")));
  };
  for (const char* text : {"node;opinion;stubbornness\nJos\xE9;0,5;NA\nAnn;-1;0,25\n",
                           "node\topinion\tstubbornness\nJos\xC3\xA9\t0.5\tNA\nAnn\t-1\t0.25\n",
                           "node,opinion,stubbornness\nJos\xC3\xA9,0.5,\nAnn,-1,0.25\n"}) {
    const simulate::SimulateFiles files = start_of(text);
    CHECK(files.population->names == std::vector<std::string>{"Jos\xC3\xA9", "Ann"});
    CHECK(files.population->anchors(0, 0) == 0.5);
    CHECK(files.population->anchors(1, 0) == -1);
    CHECK(std::isnan(files.traits.stubbornness[0]));
    CHECK(files.traits.stubbornness[1] == 0.25);
  }
  const auto refusal = [&](const std::string& text) {
    const std::string what = support::refusal_of<DataError>([&] { start_of(text); });
    return what.substr(std::min(path.size(), what.size()));
  };
  CHECK(refusal("node,opinion,stuborness\na,0,1\nb,1,1\n") ==
        ": has a column 'stuborness', which nothing reads (model.components = 1); did you mean 'stubbornness'?");
  CHECK(refusal("node,opinion,party\na,0,x\nb,1,y\n") ==
        ": has a column 'party', which nothing reads (model.components = 1); remove it.");
  CHECK(refusal("node,opinion\na,NA\nb,1\n") ==
        ":row 2, column 'opinion': the opinion is missing; give one, or leave the row out.");
}

}  // namespace
}  // namespace fovea::opinion
