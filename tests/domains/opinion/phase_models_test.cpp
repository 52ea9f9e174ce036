/// opinion.phase over any number of any model, on networks and from own starts.

#include "fovea/core/lab/experiment.hpp"
#include "fovea/domains/opinion/dynamics/models.hpp"
#include "fovea/domains/opinion/experiments.hpp"
#include "fovea/domains/opinion/phase/question.hpp"
#include "fovea/domains/opinion/theory/imitation.hpp"
#include "fovea/tests/support/runs/bench.hpp"
#include "fovea/tests/support/runs/run.hpp"
#include "fovea/tests/support/test.hpp"

namespace fovea::opinion::phase_models {
namespace {

std::string complaints_about(const std::string& toml) { return support::complaints_of("opinion.phase", toml); }

Results searched(const std::string& toml, std::uint64_t seed = 1) {
  return support::run_of("opinion.phase", toml, seed);
}

double number_named(const Results& results, const std::string& name) { return results.data.at(name).reals().at(0); }

const std::string kTiny =
    "phase.points = 4\nphase.steps = 20\nphase.burn_in = 2\nphase.steps_max = 30\nphase.replicas = 2\n"
    "phase.rounds_max = 2\nphase.draws = 100\nphase.resolution = 0.1\nphase.low = 0.25\nphase.high = 0.45\n";

/// Where weights grow without bound, opinions do as well, unless they are near 0, heard little and hot.
std::string kept_in_bounds(const dynamics::ModelEntry& entry, const std::string& control) {
  if (entry.name != "transformer_line_unnormalised") return "";
  return concat(control == "coupling" ? "" : "model.coupling = 0.02\n",
                control == "temperature" ? "" : "model.temperature = 50\n",
                control == "start.spread" ? "" : "start.spread = 0.05\n");
}

/// A small crowd of a model, with a start that it knows.
std::string small_crowd(const dynamics::ModelEntry& entry) {
  const bool sphere = entry.rule.update == dynamics::Update::project;
  const char* start = entry.rule.update.imitates ? "two_opinions" : "normal";
  return concat("model.name = \"", entry.name, "\"\nstart.kind = \"", start, "\"\n",
                sphere ? "model.components = 3\n" : "");
}

}  // namespace

TEST_CASE("the library and the command begin a search with the same numbers", "[opinion][phase]") {
  const phase::PhaseSettings usual, of_config = phase::phase_question(support::config_of("opinion.phase")).search;
  CHECK((of_config.low == usual.low && of_config.high == usual.high && of_config.points == usual.points));
  CHECK((of_config.logarithmic == usual.logarithmic && of_config.sizes == usual.sizes));
  CHECK((of_config.tolerance == 1e-8 && usual.tolerance == 1e-8));
  CHECK((of_config.steps_max == 200000 && usual.steps_max == 200000));
  CHECK((of_config.resolution == 0.001 && usual.resolution == 0.001));
  CHECK((of_config.replicas == 4 && usual.replicas == 4));
  CHECK((of_config.burn_in == 500 && usual.burn_in == 500));
  CHECK((of_config.steps == 4000 && usual.steps == 4000));
}

TEST_CASE("every model is searched over every number that it reads", "[phase][models]") {
  for (const dynamics::ModelEntry& entry : dynamics::models()) {
    const std::string crowd = small_crowd(entry) + kTiny + "phase.sizes = [6, 12]\n";
    for (const std::string& control : phase::controls_of(support::config_of("opinion.phase", crowd))) {
      DYNAMIC_SECTION(entry.name << " over " << control) {
        const std::string toml = crowd + "phase.control = \"" + control + "\"\n" + kept_in_bounds(entry, control);
        CHECK(complaints_about(toml).empty());
        const Results results = searched(toml);
        CHECK_FALSE(results.verdict().empty());
        const std::vector<std::string>& axes = results.data.at("order").dimensions;
        CHECK(axes.back() == control.substr(control.find('.') + 1));
        CHECK(results.data.at(axes.back()).size() == 4);
      }
    }
  }
}

TEST_CASE("every model ends with the same bytes on 1, 2, 3 and 5 threads, and from any checkpoint",
          "[phase][models][threads][resume]") {
  const int before = omp_get_max_threads();
  for (const dynamics::ModelEntry& entry : dynamics::models()) {
    DYNAMIC_SECTION(entry.name) {
      const std::string crowd = small_crowd(entry) + kTiny + "phase.sizes = [6, 12]\n";
      const std::vector<std::string> controls = phase::controls_of(support::config_of("opinion.phase", crowd));
      const Config config = support::config_of("opinion.phase", crowd + "phase.control = \"" + controls.front() +
                                                                    "\"\n" + kept_in_bounds(entry, controls.front()));
      omp_set_num_threads(1);
      support::StoppingBench through = support::keeping_bench();
      const std::string whole = content_hash(support::run_of(config, through).data);
      for (const int threads : {2, 3, 5}) {
        omp_set_num_threads(threads);
        CHECK(content_hash(support::run_of(config).data) == whole);
      }
      REQUIRE_FALSE(through.kept.empty());
      for (const Dataset& state : {through.kept.front(), through.kept.back()}) {
        support::StoppingBench again(state);
        CHECK(content_hash(support::run_of(config, again).data) == whole);
      }
    }
  }
  omp_set_num_threads(before);
}

TEST_CASE("a number that nothing reads is refused with those that there are", "[phase][models]") {
  CHECK(complaints_about("model.name = \"deffuant\"\nphase.control = \"confidnce\"\n") ==
        "test.toml:4:17: phase.control = \"confidnce\", but must be a number that model.name = \"deffuant\", its "
        "network or its start reads: confidence, stubbornness, convergence, start.spread. Did you mean "
        "'confidence'?\n");
  CHECK(complaints_about("model.name = \"formula\"\nformula.influence = \"d < eps\"\nphase.control = "
                         "\"temperature\"\n")
            .find("reads: confidence, stubbornness, noise, start.spread.") != std::string::npos);
  CHECK(complaints_about("model.name = \"formula\"\nformula.update = \"t < 9 ? x : h\"\n")
            .find("4:18: a formula reads t, but a transition is one of final states") != std::string::npos);
  CHECK(complaints_about("phase.control = \"network.rewiring\"\n")
            .find("reads: temperature, stubbornness, noise, start.spread.") != std::string::npos);
  CHECK(complaints_about("network.kind = \"watts_strogatz\"\nphase.control = \"network.rewiring\"\n").empty());
  CHECK(complaints_about("phase.control = \"temperature\"\nmodel.temperature = 0.3\n") ==
        "test.toml:4:21: model.temperature is given, but is the control, which goes from phase.low to phase.high. "
        "Remove the key.\n");
  CHECK(complaints_about("phase.control = \"stubbornness\"\nphase.high = 1.5\n") ==
        "test.toml:4:14: phase.high = 1.5, but stubbornness must be in [0, 1].\n");
  CHECK(complaints_about("network.kind = \"erdos_renyi\"\nphase.control = \"network.mean_degree\"\nphase.sizes = [50, "
                         "100]\nphase.low = 2\nphase.high = 60\n") ==
        "test.toml:7:14: network.mean_degree = 60, but must be <= phase.sizes - 1 = 49.\n");
  CHECK(complaints_about("model.name = \"jager_amblard\"\nphase.control = \"confidence\"\nphase.high = 1.5\n")
            .find("model.rejection = 1, but must be >= model.confidence = 1.5.") != std::string::npos);
  CHECK(complaints_about("model.name = \"q_voter\"\nstart.kind = \"two_opinions\"\nphase.control = \"panel\"\n")
            .find("\"panel\" is a whole number, between whose values nothing can be searched; sweep it (fovea sweep "
                  "--grid model.panel=...), or take one of stubbornness, ") != std::string::npos);
  CHECK(complaints_about("model.name = \"voter\"\nphase.control = \"independence\"\n")
            .find("set start.kind = \"two_opinions\"") != std::string::npos);
  CHECK(complaints_about("model.noise = 0.1\nmodel.name = \"deffuant\"\nphase.control = \"confidence\"\n")
            .find("does not read it") != std::string::npos);
}

TEST_CASE("the transitions of a walk ascend, and few quantiles are not judged by a limit of many", "[phase][long]") {
  const Results even = searched(
      "model.name = \"hegselmann_krause\"\nphase.control = \"confidence\"\nstart.kind = \"even\"\nphase.points = 5\n"
      "phase.sizes = [41]\nphase.low = 0.06\nphase.high = 0.5\nphase.resolution = 0.01\nphase.steps_max = 300\n");
  const std::vector<double> places = even.data.at("jump_at").reals();
  REQUIRE(places.size() > 4);
  CHECK(std::is_sorted(places.begin(), places.end()));
  const auto fold = [](const std::string& size) {
    return searched(
        "model.stubbornness = 0.05\nphase.points = 4\nphase.low = 0.007\nphase.high = 0.011\n"
        "phase.resolution = 0.01\nphase.sizes = [" +
        size + "]\n");
  };
  CHECK(fold("60").checks().empty());
  CHECK(fold("60").data.has("predicted_lower_fold"));
  CHECK(fold("600").checks().size() == 1);
}

TEST_CASE("a number of one's own that formulas read is a control like those of the model", "[phase][models]") {
  const std::string crowd = "model.name = \"formula\"\nstart.kind = \"even\"\nphase.sizes = [11, 21]\n" + kTiny;
  const auto own = [&](const std::string& name, const std::string& more = "") {
    return crowd + "formula.influence = \"d < " + name + "\"\nformula.parameters = [{type = \"number\", name = \"" +
           name + "\"" + more + "}]\nphase.control = \"formula." + name + "\"\n";
  };
  const Results named = searched(crowd + "formula.influence = \"d < eps\"\nphase.control = \"confidence\"\n");
  const Results reach = searched(own("reach"));
  CHECK(reach.data.at("order").reals() == named.data.at("order").reals());
  CHECK(reach.data.at("order").dimensions.back() == "formula_reach");
  CHECK(reach.verdict().find("reach") != std::string::npos);
  CHECK_FALSE(searched(own("order")).verdict().empty());  // a name that results have too
  CHECK(
      complaints_about(own("reach", ", value = 0.5")).find("formula.parameters.0.value is given, but is the control") !=
      std::string::npos);
  std::string wrong = own("reach");
  wrong.replace(wrong.find("formula.reach"), 13, "formula.raech");
  CHECK(complaints_about(wrong).find("Did you mean 'formula.reach'?") != std::string::npos);
  CHECK_FALSE(complaints_about("phase.control = \"formula.reach\"\n").empty());
}

TEST_CASE("what moves for ever follows from the model and its numbers", "[phase][models]") {
  const auto question = [](const std::string& toml) {
    return phase::phase_question(support::config_of("opinion.phase", toml)).search;
  };
  const auto noisy = [&](const std::string& toml) { return question(toml).noisy; };
  CHECK_FALSE(noisy("model.stubbornness = 0.1\n"));
  CHECK(noisy("model.noise = 0.1\n"));
  CHECK(noisy("phase.control = \"noise\"\n"));
  CHECK(noisy("model.name = \"q_voter\"\nmodel.independence = 0.1\nphase.control = \"stubbornness\"\n"));
  CHECK(noisy("model.name = \"voter\"\nphase.control = \"independence\"\n"));
  CHECK_FALSE(noisy("model.name = \"formula\"\n"));
  CHECK(noisy("model.name = \"formula\"\nformula.update = \"h + u\"\nphase.control = \"temperature\"\n"));
  CHECK_FALSE(noisy("model.name = \"baumann\"\nphase.control = \"coupling\"\n"));
  CHECK(question("model.name = \"baumann\"\nphase.control = \"coupling\"\n").drawn);
  CHECK(question("start.kind = \"normal\"\n").drawn);
  CHECK(question("network.kind = \"erdos_renyi\"\n").drawn);
  CHECK_FALSE(question("network.kind = \"karate\"\n").drawn);
}

TEST_CASE("networks are made anew for each size and replica, and their numbers are controls", "[phase][network]") {
  const Config config = support::config_of(
      "opinion.phase",
      "network.kind = \"block_model\"\nnetwork.blocks = 2\nnetwork.within = 8.0\nstart.kind = \"groups\"\n"
      "start.spread = 0.1\nmodel.stubbornness = 0.05\nphase.control = \"network.between\"\nphase.low = 0.1\n"
      "phase.high = 6\n");
  const auto step_of = [&](double between, Index size, Index replica) {
    const auto crowd = phase::phase_crowds(config, {}, Random(1))(between, size, replica, 0);
    Matrix<double> state = crowd->agents().start;
    crowd->step(state, 0);
    return state;
  };
  CHECK(step_of(1, 40, 0) == step_of(1, 40, 0));
  CHECK(step_of(1, 40, 0) != step_of(1, 40, 1));
  CHECK(step_of(1, 40, 0) != step_of(5, 40, 0));
  CHECK(step_of(1, 50, 0).rows() == 50);
}

TEST_CASE("with noise each walk has other networks at each value", "[phase][network]") {
  const auto network_of = [](double noise, double value, Index walk) {
    const Config config = support::config_of(
        "opinion.phase", concat("network.kind = \"erdos_renyi\"\nmodel.name = \"degroot\"\nphase.control = \"noise\"\n",
                                "phase.low = 0.1\nphase.high = ", noise, "\n"));
    const auto crowd = phase::phase_crowds(config, {}, Random(1))(value, 40, 0, walk);
    Matrix<double> state = crowd->agents().start;
    crowd->step(state, 0);
    return state;
  };
  CHECK(network_of(1, 1e-300, 0) == network_of(1, 1e-300, 0));
  CHECK(network_of(1, 1e-300, 0) != network_of(1, 1e-300, 1));
  CHECK(network_of(1, 1e-300, 0) != network_of(1, 2e-300, 0));
  const auto asked = [](const std::string& toml) {
    return phase::phase_question(support::config_of("opinion.phase", toml)).search;
  };
  const std::string noisy = "model.name = \"degroot\"\nphase.control = \"noise\"\n";
  CHECK(asked(noisy + "network.kind = \"erdos_renyi\"\n").networks);
  CHECK_FALSE(asked(noisy + "network.kind = \"karate\"\n").networks);
  CHECK_FALSE(asked(noisy).networks);
  CHECK_FALSE(asked("network.kind = \"erdos_renyi\"\nmodel.stubbornness = 0.1\n").networks);
}

TEST_CASE("a network or a start from files has its own size, and the verdict says so", "[phase][network]") {
  const support::TemporaryFolder folder;
  const std::string path = folder.file("start.csv");
  std::ofstream file(path);
  file << "node,opinion,stubbornness\n";
  for (int i = 0; i < 30; ++i)
    file << i << ',' << (i < 15 ? -1 : 1) + 0.01 * i << ',' << (i % 3 == 0 ? "0.2" : "") << '\n';
  file.close();
  Config config = support::config_of(
      "opinion.phase",
      "start.kind = \"file\"\nmodel.stubbornness = 0.05\nphase.control = \"temperature\"\nphase.low = 0.01\n"
      "phase.high = 3\nphase.resolution = 0.01\n");
  config.set("start.file", path, {});
  const Results results = support::run_of(config);
  CHECK(number_named(results, "largest_crowd") == 30);
  CHECK(results.verdict().find("30 agents") != std::string::npos);
  CHECK(complaints_about("network.kind = \"karate\"\nphase.sizes = [34]\n")
            .find("the network or start file brings its own agents") != std::string::npos);
  const Results club = searched(
      "network.kind = \"karate\"\nmodel.stubbornness = 0.05\nphase.low = 0.01\nphase.high = 3\nstart.kind = "
      "\"gaussian_quantiles\"\nphase.resolution = 0.05\n");
  CHECK(number_named(club, "largest_crowd") == 34);

  std::ofstream(path) << "node,opinion,temperature\na,1,0.5\nb,2,0.5\n";
  CHECK_THROWS_WITH(support::run_of(config),
                    Catch::Contains("gives every agent its own temperature, which is phase.control"));
}

TEST_CASE("saturated opinions leave 0 at K alpha = 1 on any network", "[phase][network][statistics][long]") {
  for (const std::string& network :
       {std::string("network.kind = \"barabasi_albert\"\nnetwork.links = 3\n"), std::string("")}) {
    const Results results = searched(
        network +
        "model.name = \"saturation\"\nmodel.coupling = 2.0\nmodel.temperature = 0.5\nmodel.time_step = 0.5\n"
        "start.kind = \"normal\"\nphase.control = \"steepness\"\nphase.order = \"strength\"\n"
        "phase.branches = \"fresh\"\nphase.low = 0.3\nphase.high = 0.9\nphase.points = 5\nphase.sizes = [60, 120]\n"
        "phase.replicas = 3\nphase.resolution = 0.001\nphase.tolerance = 1e-9\n");
    REQUIRE(results.checks().size() == 1);
    CHECK(results.checks()[0].predicted == 0.5);
    CHECK(results.checks()[0].holds());
    CHECK(results.verdict().starts_with("Continuous transition: with rising steepness the order parameter leaves 0"));
  }
}

TEST_CASE("q-voters lose their majority where mean field says", "[phase][statistics][long]") {
  const Results results = searched(
      "model.name = \"q_voter\"\nmodel.panel = 3\nstart.kind = \"two_opinions\"\nphase.control = \"independence\"\n"
      "phase.low = 0.2\nphase.high = 0.5\nphase.points = 7\nphase.spacing = \"linear\"\nphase.sizes = [32, 128, 512]\n"
      "phase.burn_in = 100\nphase.steps = 400\nphase.measure_every = 2\nphase.rounds_max = 3\n",
      2);
  const double at = number_named(results, "crossing"), half = number_named(results, "crossing_half_width");
  CAPTURE(at, half);
  CHECK(std::abs(at - 1.0 / 3) < half);
  CHECK(half < 0.01);
  CHECK(std::abs(number_named(results, "crossing_cumulant") - 0.270520) < 0.08);
  CHECK(std::abs(number_named(results, "predicted_threshold") - 1.0 / 3) < 1e-15);
}

TEST_CASE("thresholds of q-voters and of contacts are those of their equations", "[phase][theory]") {
  const auto slope = [](int q, double p) {  // d/dc of dc/dt at c = 1/2
    const auto rate = [&](double c) {
      return (1 - p) * (std::pow(c, q) * (1 - c) - c * std::pow(1 - c, q)) + p * (0.5 - c);
    };
    return (rate(0.5 + 1e-5) - rate(0.5 - 1e-5)) / 2e-5;
  };
  for (const int q : {2, 3, 4, 5, 6, 8, 12}) {
    CAPTURE(q);
    CHECK(std::abs(slope(q, theory::q_voter_threshold(q))) < 1e-8);  // differences of 1e-5: 1e-10 / 1e-5 and rounding
    double largest = 0;
    for (int k = 1; k < 50000; ++k) {
      const double c = 0.5 + 1e-5 * k;
      const double drive = std::pow(c, q) * (1 - c) - c * std::pow(1 - c, q);
      largest = std::fmax(largest, drive / (drive + c - 0.5));
    }
    CHECK(std::abs(theory::q_voter_order_ends(q) - largest) < 1e-7);
    CHECK((theory::q_voter_order_ends(q) > theory::q_voter_threshold(q) + 1e-6) == (q > 5));
  }
  CHECK(theory::q_voter_threshold(3) == 1.0 / 3);
  for (const double p : {0.05, 0.2, 0.32})  // m^2 = (1 - 3 p) / (1 - p) for q = 3
    CHECK(std::abs(theory::q_voter_order(3, p) - std::sqrt((1 - 3 * p) / (1 - p))) < 1e-9);
  CHECK(theory::q_voter_order(3, 0.34) == 0);
  CHECK(theory::q_voter_order(8, 0.5 * (theory::q_voter_threshold(8) + theory::q_voter_order_ends(8))) > 0.5);
  // All alike: (1 + r) a.
  CHECK(std::abs(theory::contact_gain(50, 0.999999, 0.5) - 1.5) < 1e-4);
  double all = 0, first = 0, second = 0;
  for (int k = 0; k < 200000; ++k) {  // the middle of small intervals of a, even in ln a
    const double a = std::pow(0.01, 1 - (k + 0.5) / 200000), weight = std::pow(a, 1 - 2.1);
    all += weight, first += weight * a, second += weight * a * a;
  }
  first /= all, second /= all;
  const double expected = 0.5 * (1.5 * first + std::sqrt(0.25 * first * first + 2 * second));
  CHECK(std::abs(theory::contact_gain(2.1, 0.01, 0.5) - expected) < 1e-8);
}

}  // namespace fovea::opinion::phase_models
