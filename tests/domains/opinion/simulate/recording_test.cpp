/// What a simulation writes down: when, in which bins, and which laws it followed.

#include "fovea/core/lab/experiment.hpp"
#include "fovea/domains/opinion/experiments.hpp"
#include "fovea/domains/opinion/simulate/recorder.hpp"
#include "fovea/domains/opinion/simulate/records.hpp"
#include "fovea/domains/opinion/simulate/rest.hpp"
#include "fovea/tests/support/runs/run.hpp"
#include "fovea/tests/support/test.hpp"

namespace fovea::opinion {
namespace {

Results recorded_run(const std::string& toml) { return support::run_of("opinion.simulate", toml); }

double number_named(const Results& results, const std::string& name) { return results.data.at(name).reals().at(0); }

const Check* law_named(const Results& results, const std::string& name) {
  for (const Check& check : results.checks())
    if (check.name == name) return &check;
  return nullptr;
}

}  // namespace

TEST_CASE("recorded steps rise from 0 to the last, and are as many as asked at most", "[opinion][simulate][rest]") {
  for (const std::int64_t steps : {1, 7, 200, 201, 1000, 10000, 1000000000})
    for (const std::int64_t states : {1, 2, 3, 50, 200})
      for (const bool may_rest : {false, true}) {
        CAPTURE(steps, states, may_rest);
        const std::vector<std::int64_t> list = simulate::recorded_steps(steps, states, may_rest);
        CHECK(list.front() == 0);
        CHECK(list.back() == steps);
        CHECK(static_cast<std::int64_t>(list.size()) <= states + 1);
        CHECK(std::adjacent_find(list.begin(), list.end(), std::greater_equal<>()) == list.end());
      }
  const std::vector<std::int64_t> early = simulate::recorded_steps(10000, 200, true);
  CHECK(early[20] == 20);     // every step at first
  CHECK(early.size() > 190);  // and the room is used
  CHECK(simulate::recorded_steps(10000, 200, false)[1] == 50);
}

TEST_CASE("a crowd that rests early is written down up to its rest, whatever run.steps", "[opinion][simulate][rest]") {
  const std::string crowd = "agents.count = 200\nstart.kind = \"uniform\"\nmodel.confidence = 0.2\n";
  const Results brief = recorded_run(crowd + "run.steps = 100\n"),
                patient = recorded_run(crowd + "run.steps = 100000\n");
  const double rest = number_named(patient, "steps_taken");
  CHECK(rest < 40);
  CHECK(rest == number_named(brief, "steps_taken"));
  const auto& steps = std::get<std::vector<std::int64_t>>(patient.data.at("step").values);
  CHECK(static_cast<double>(steps.back()) >= rest);
  CHECK(static_cast<double>(steps[steps.size() - 2]) < rest);
  CHECK(patient.data.at("opinions").size() == steps.size() * 200);
  CHECK(brief.data.at("sd").reals().back() == patient.data.at("sd").reals().back());
}

TEST_CASE("bins widen where opinions go, and no agent is lost or piled up", "[opinion][simulate]") {
  const Results results = recorded_run(
      "agents.count = 500\nstart.kind = \"uniform\"\nstart.spread = 1.0\nmodel.name = \"baumann\"\n"
      "model.homophily = 3.0\nmodel.coupling = 3.0\nmodel.steepness = 3.0\nrun.steps = 120\nrecord.limit = 1.5\n"
      "record.bins = 50\n");
  const auto& centres = results.data.at("opinion").reals();
  CHECK(centres.size() == 52);  // a multiple of 4
  const double width = centres[1] - centres[0], limit = centres.back() + 0.5 * width;
  const auto& opinions = std::get<std::vector<float>>(results.data.at("opinions").values);
  float most = 0;
  for (const float opinion : opinions) most = std::max(most, std::abs(opinion));
  CHECK(most > 3);
  CHECK(limit >= most);
  CHECK(limit < 2.1 * most);
  CHECK(std::abs(std::log2(limit / 1.5) - std::round(std::log2(limit / 1.5))) < 1e-9);
  const auto& density = std::get<std::vector<float>>(results.data.at("opinion_density").values);
  for (std::size_t row = 0; row < density.size(); row += 52) {
    double sum = 0, spread = 0;
    for (std::size_t bin = 0; bin < 52; ++bin) {
      sum += density[row + bin] * width;
      spread += density[row + bin] * width * centres[bin] * centres[bin];
    }
    CHECK(std::abs(sum - 1) < 1e-5);  // single precision
    if (row > 0) continue;
    double squares = 0;  // of the first state, whose bins were merged most often
    for (std::size_t agent = 0; agent < 500; ++agent) squares += opinions[agent] * opinions[agent] / 500.0;
    CHECK(std::abs(spread - squares) < width);
  }
}

TEST_CASE("radicalisation is told: poles, peaks, and who becomes extreme", "[opinion][simulate]") {
  const Results results = recorded_run(
      "agents.count = 600\nstart.kind = \"uniform\"\nmodel.name = \"baumann\"\nmodel.homophily = 3.0\n"
      "model.coupling = 3.0\nmodel.steepness = 3.0\nrun.steps = 200\nmodel.time_step = 0.05\n");
  CHECK(number_named(results, "final_modes") == 2);
  const double poles = number_named(results, "final_pole_low") + number_named(results, "final_pole_high");
  CHECK(poles > 0.3);
  CHECK(results.data.at("activity").size() == 600);
  const auto& extremity = results.data.at("extremity").reals();
  REQUIRE(extremity.size() == 10);
  CHECK(extremity.back() > 1.3 * extremity.front());  // the most active are the most extreme (Baumann et al. 2020)
  CHECK(results.verdict().find("more extreme than anyone was at the start") != std::string::npos);
  CHECK(results.verdict().find("2 peaks") != std::string::npos);
}

TEST_CASE("the laws of a run are checked where they hold, and only there", "[opinion][simulate][invariants]") {
  const std::string crowd = "agents.count = 150\nstart.kind = \"uniform\"\nrun.steps = 60\n";
  const Results krause = recorded_run(crowd);
  for (const char* name : {"hull", "energy_falls"}) {
    REQUIRE(law_named(krause, name) != nullptr);
    CHECK(law_named(krause, name)->holds());
  }
  CHECK(law_named(krause, "mean_kept") == nullptr);
  const Results pairs = recorded_run(crowd + "model.name = \"deffuant\"\n");
  CHECK(law_named(pairs, "mean_kept")->holds());
  CHECK(law_named(pairs, "hull")->holds());
  CHECK(law_named(pairs, "energy_falls") == nullptr);
  CHECK(law_named(recorded_run(crowd + "model.name = \"deffuant\"\nmodel.stubbornness = 0.3\n"), "mean_kept") ==
        nullptr);
  CHECK(recorded_run(crowd + "model.noise = 0.1\n").checks().empty());
  CHECK(recorded_run(crowd + "model.name = \"baumann\"\n").checks().empty());
  CHECK(
      recorded_run(crowd + "shocks.steps = [2]\nshocks.kinds = [\"shift\"]\nshocks.values = [3.0]\n").checks().empty());
  for (const char* name : {"attention", "degroot", "friedkin_johnsen", "smooth_bounded_confidence"}) {
    CAPTURE(name);
    const Results means = recorded_run(crowd + "model.name = \"" + name + "\"\n");
    REQUIRE(law_named(means, "hull") != nullptr);
    CHECK(law_named(means, "hull")->holds());
  }
}

TEST_CASE("the energy of bounded confidence is that of all pairs", "[opinion][simulate][twin]") {
  Matrix<double> x(200, 1);
  for (Index i = 0; i < 200; ++i)
    x(i, 0) = 1000 + std::floor(20 * Random(3).uniform(static_cast<std::uint64_t>(i))) / 10;
  for (const double eps : {0.05, 0.25, 1.0, 5.0}) {
    double pairs = 0;
    for (Index i = 0; i < 200; ++i)
      for (Index j = 0; j < i; ++j) pairs += std::pow(std::min(std::abs(x(i, 0) - x(j, 0)), eps), 2);
    CHECK(std::abs(simulate::clipped_energy(x, eps) - pairs) < 1e-9 * pairs);  // rounding; opinions at 1000
  }
}

TEST_CASE("laws that are broken fail their checks", "[opinion][simulate][invariants]") {
  dynamics::Agents agents;
  agents.start = Matrix<double>::Zero(20, 1);
  for (Index i = 0; i < 20; ++i) agents.start(i, 0) = 0.1 * static_cast<double>(i);
  dynamics::ModelSettings model;
  simulate::SimulateSettings settings;
  for (const char* name : {"hegselmann_krause", "deffuant"}) {
    model.model = name;
    const auto crowd = dynamics::make_dynamics(model, agents, nullptr, Random(1));
    simulate::Invariants laws(*crowd, nullptr, crowd->agents().start, settings);
    Matrix<double> x = agents.start;
    laws.record(x);
    x(0, 0) -= 0.5;
    x(1, 0) -= 0.5;
    laws.record(x);
    Results results;
    laws.write(results);
    REQUIRE(results.checks().size() == 2);
    for (const Check& check : results.checks()) CHECK_FALSE(check.holds());
  }
}

TEST_CASE("of opinions that are taken over as they are the shares of each and the active edges come first",
          "[opinion][simulate]") {
  for (const char* model : {"voter", "q_voter", "majority", "sznajd"}) {
    INFO(model);
    const Results results =
        recorded_run(concat("model.name = \"", model,
                            "\"\nagents.count = 60\nstart.kind = \"two_opinions\"\nnetwork.kind = \"watts_strogatz\"\n"
                            "run.steps = 12\nrest.tolerance = 0\n"));
    const auto& held = results.data.at("held_opinion").reals();
    REQUIRE(held == std::vector<double>{-1, 1});
    const auto& share = results.data.at("opinion_share").reals();
    const auto& opinions = std::get<std::vector<float>>(results.data.at("opinions").values);
    const auto& source = std::get<std::vector<std::int64_t>>(results.data.at("edge_source").values);
    const auto& target = std::get<std::vector<std::int64_t>>(results.data.at("edge_target").values);
    for (std::size_t step = 0; step < results.data.size_of("step"); ++step) {
      const auto at = [&](std::size_t agent) { return opinions[60 * step + agent]; };
      double above = 0, active = 0;
      for (std::size_t i = 0; i < 60; ++i) above += at(i) > 0 ? 1.0 / 60 : 0;
      for (std::size_t e = 0; e < source.size(); ++e) active += at(source[e]) != at(target[e]) ? 1 : 0;
      CHECK(std::abs(share[2 * step + 1] - above) < 1e-12);
      CHECK(std::abs(share[2 * step] + share[2 * step + 1] - 1) < 1e-12);
      CHECK(results.data.at("active_edges").reals()[step] == active / static_cast<double>(source.size()));
    }
    REQUIRE(results.figures().size() > 1);
    CHECK(results.figures()[0].variables == std::vector<std::string>{"opinion_share"});
    CHECK(results.figures()[1].variables == std::vector<std::string>{"active_edges"});
  }
  CHECK_FALSE(recorded_run("agents.count = 20\nrun.steps = 2\n").data.has("opinion_share"));
  CHECK_FALSE(recorded_run("model.name = \"voter\"\nagents.count = 20\nrun.steps = 2\n").data.has("opinion_share"));
}

TEST_CASE("time is a slider that can be played, over the density and over the network", "[opinion][simulate]") {
  const Results results =
      recorded_run("agents.count = 40\nstart.kind = \"uniform\"\nnetwork.kind = \"watts_strogatz\"\nrun.steps = 10\n");
  CHECK(results.data.at("step").attributes.at("axis") == "T");
  for (const char* name : {"opinions_step_by_step", "network"}) {
    const auto figure = std::find_if(results.figures().begin(), results.figures().end(),
                                     [&](const Figure& one) { return one.name == name; });
    REQUIRE(figure != results.figures().end());
    const auto& dimensions = results.data.at(figure->variables[0]).dimensions;
    CHECK(std::find(dimensions.begin(), dimensions.end(), "step") != dimensions.end());
    CHECK(figure->x != "step");
  }
}

}  // namespace fovea::opinion
