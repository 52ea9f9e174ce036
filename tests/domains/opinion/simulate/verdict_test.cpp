/// The sentences of simulations.

#include "fovea/core/lab/experiment.hpp"
#include "fovea/domains/opinion/experiments.hpp"
#include "fovea/domains/opinion/simulate/outcome.hpp"
#include "fovea/domains/opinion/simulate/settings.hpp"
#include "fovea/tests/support/runs/run.hpp"
#include "fovea/tests/support/test.hpp"

namespace fovea::opinion::simulate_verdict {
namespace {

Results run_of(const std::string& toml) { return support::run_of("opinion.simulate", toml); }

/// What two values of a key and two seeds came to, the seeds fastest.
Results swept(const std::string& axis, Values values, const std::string& meaning, bool moves) {
  Results merged;
  merged.data.add({axis, {axis}, std::move(values), "", meaning, {}});
  merged.data.add({"seed", {"seed"}, std::vector<std::int64_t>{1, 2}, "", "seed", {}});
  const auto add = [&](const char* name, std::vector<double> numbers) {
    merged.data.add({name, {axis, "seed"}, std::move(numbers), "1", name, {}});
  };
  add("final_camps", {1, 2, 30, 34});
  add("final_largest_camp_share", {1, 0.9, 0.06, 0.04});
  add("final_camp_distance", {0, 2, 0.25, 0.25});
  add("final_sd", {0, 0.5, 0.6, 0.6});
  add("steps_taken", {40, 60, 500, 800});
  add("at_rest", {1, 1, 1, moves ? 0.0 : 1.0});
  add("shocks", {0, 0, 0, 0});
  add("events", {3990, 3990, 3990, 3990});
  add("final_pole_low", {0, 0, 0.25, 0});
  add("final_pole_high", {0, 0, 0, 0.125});
  return merged;
}

}  // namespace

TEST_CASE("the verdict of a sweep over one number tells the means at both ends", "[opinion][simulate]") {
  CHECK(simulate::simulation_verdict(swept("rewiring_probability", std::vector<double>{0, 1}, "probability", false)) ==
        "From rewiring.probability = 0 to 1 the number of camps goes from 1.5 to 32, and the share of the largest goes "
        "from 95 to 5 % (means of 2 runs). All runs came to rest, after 40 to 800 steps. Up to 25 % of the agents end "
        "more extreme than anyone was at the start.");
  // The list of values may begin with the largest; a number of formulas has a name of its own.
  CHECK(simulate::simulation_verdict(swept("formula_parameters_0_value", std::vector<double>{10, 0.1}, "far", true))
            .starts_with("From far = 0.1 to 10 the number of camps goes from 32 to 1.5, and the share of the largest "
                         "goes from 5 to 95 % (means of 2 runs). Some runs came to rest, others were still moving "
                         "after 800 steps."));
  CHECK(simulate::simulation_verdict(
            swept("model_name", std::vector<std::string>{"degroot", "deffuant"}, "the model", false))
            .starts_with("1 to 34 camps at rest after 40 to 800 steps and 3990 events. The largest holds 4 to 100 % of "
                         "the agents. The "
                         "standard deviation of the opinions is 0 to 0.6."));
}

TEST_CASE("of opinions that are taken over neither distance nor spread is told", "[opinion][simulate]") {
  const Results results = run_of(
      "agents.count = 40\nstart.kind = \"several_opinions\"\nstart.opinions = 8\nmodel.name = \"voter\"\nrun.steps = "
      "2000\nnetwork.kind = \"erdos_renyi\"\nnetwork.mean_degree = 4.0\nrewiring.probability = 1.0\nrewiring.multiple "
      "= true\n");
  INFO(results.verdict());
  CHECK(results.verdict().find("standard deviation") == std::string::npos);
  CHECK(results.verdict().find("apart") == std::string::npos);
  CHECK(results.verdict().find(" At the end no edge joins two camps. The network has ") != std::string::npos);
}

TEST_CASE("agents who all lie within one gap are one peak", "[opinion][simulate]") {
  const std::string club = "network.kind = \"karate\"\nstart.kind = \"uniform\"\nmodel.name = \"degroot\"\n";
  const Results late = run_of(club + "run.steps = 60\n");
  CHECK(late.data.at("final_camps").reals()[0] == 1);
  CHECK(late.data.at("final_modes").reals()[0] == 1);
}

TEST_CASE("poles are those beyond everybody, also beyond those who have left", "[opinion][simulate][comings]") {
  const support::TemporaryFolder folder;
  std::ofstream(folder.file("people.csv")) << "node,opinion\nAnn,1\nBob,0\nCid,0.1\nDee,0.2\n";
  std::ofstream(folder.file("events.csv")) << "step,event,agent\n2,leave,Ann\n";
  const Results results = run_of(concat("start.kind = \"file\"\nstart.file = \"", folder.file("people.csv"),
                                        "\"\nmodel.name = \"degroot\"\n", "run.steps = 5\nevents.file = \"",
                                        folder.file("events.csv"), "\"\n"));
  CHECK(results.data.at("final_pole_high").reals()[0] == 0);  // all are at 0.325, above their own starts
  CHECK(results.verdict().find("more extreme") == std::string::npos);
}

TEST_CASE("attention between camps is that along the edges at the end", "[opinion][simulate][coevolution]") {
  const Results results = run_of(
      "agents.count = 60\nstart.kind = \"uniform\"\nnetwork.kind = \"erdos_renyi\"\nnetwork.mean_degree = 4.0\n"
      "model.name = \"degroot\"\nrewiring.probability = 1.0\nrewiring.tolerance = 0.3\nrun.steps = 300\n");
  REQUIRE(results.data.at("final_edges_between_camps").reals()[0] == 0);
  const std::vector<double>& attention = results.data.at("camp_attention").reals();
  REQUIRE(attention.size() == 4);
  CHECK(attention[1] == 0);
  CHECK(attention[2] == 0);
}

TEST_CASE("keys of starts and networks without effect are told", "[opinion][simulate]") {
  const Results results = run_of(
      "agents.count = 30\nrun.steps = 2\nnetwork.mean_degree = 4.0\nnetwork.blocks = 2\nstart.kind = \"two_opinions\"\n"
      "start.spread = 2.0\nmodel.name = \"deffuant\"\n");
  CHECK(support::has_note(results, "start.kind = \"two_opinions\": without effect is start.spread."));
  CHECK(support::has_note(results, "network.kind = \"none\": without effect are network.mean_degree, network.blocks."));
  const Results weighted =
      run_of("run.steps = 2\nnetwork.kind = \"karate\"\nnetwork.use_weights = true\nmodel.name = \"deffuant\"\n");
  CHECK(support::has_note(weighted,
                          "In model.name = \"deffuant\" all edges are alike: network.use_weights counts for measures "
                          "of the network alone."));
}

}  // namespace fovea::opinion::simulate_verdict
