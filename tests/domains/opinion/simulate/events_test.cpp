/// Events: agents, edges and media that come and go in opinion.simulate.

#include "fovea/core/lab/experiment.hpp"
#include "fovea/domains/opinion/dynamics/models.hpp"
#include "fovea/domains/opinion/experiments.hpp"
#include "fovea/domains/opinion/simulate/crowd.hpp"
#include "fovea/domains/opinion/simulate/settings.hpp"
#include "fovea/tests/support/runs/bench.hpp"
#include "fovea/tests/support/runs/run.hpp"
#include "fovea/tests/support/test.hpp"

namespace fovea::opinion {
namespace {

using simulate::EventKind;

Results events_run(const std::string& toml) { return support::run_of("opinion.simulate", toml); }

dynamics::Agents spread_agents(Index count, Index components) {
  dynamics::Agents agents;
  agents.start = Matrix<double>(count, components);
  for (Index i = 0; i < agents.start.size(); ++i) agents.start.data()[i] = std::sin(1.0 + 2.7 * static_cast<double>(i));
  return agents;
}

society::Graph ring(Index nodes, bool directed) {
  society::Graph graph;
  graph.nodes = nodes;
  graph.directed = directed;
  for (Index i = 0; i < nodes; ++i)
    for (const Index step : {1, 2}) {
      society::Edge edge{i, (i + step) % nodes};
      if (!directed && edge[0] > edge[1]) std::swap(edge[0], edge[1]);
      graph.edges.push_back(edge);
    }
  std::sort(graph.edges.begin(), graph.edges.end());
  return graph;
}

bool is_deterministic(const dynamics::ModelEntry& entry) { return entry.rule.update.hears; }

/// All but one of the rows.
Matrix<double> without(const Matrix<double>& rows, Index left_out) {
  Matrix<double> some(rows.rows() - 1, rows.cols());
  for (Index i = 0, k = 0; i < rows.rows(); ++i)
    if (i != left_out) some.row(k++) = rows.row(i);
  return some;
}

constexpr Index kCrowdSize = 12, kLateAgent = 5, kLeavingAgent = 8;

}  // namespace

TEST_CASE("an event equals a run that ends there and another that begins with the changed crowd and network",
          "[opinion][simulate][comings][twin]") {
  for (const dynamics::ModelEntry& entry : dynamics::models()) {
    if (!is_deterministic(entry)) continue;
    for (const bool network : {false, true}) DYNAMIC_SECTION(entry.name << (network ? " on a network" : "")) {
        dynamics::ModelSettings settings;
        settings.model = std::string(entry.name);
        settings.temperature = 0.7;
        const bool sphere = entry.rule.update == dynamics::Update::project;
        const dynamics::Agents all = spread_agents(kCrowdSize, sphere ? 3 : 1);
        const society::Graph graph = ring(kCrowdSize, false);
        const society::Graph* tied = network ? &graph : nullptr;
        std::vector<simulate::Event> events{{3, EventKind::join, kLateAgent, -1, 1, kNan}};
        if (network) events.push_back({3, EventKind::cut, 0, 1, 1, kNan});
        if (network) events.push_back({3, EventKind::edge, 0, 6, 1, kNan});
        events.push_back({5, EventKind::leave, kLeavingAgent, -1, 1, kNan});
        simulate::Crowd crowd(settings, all, tied, events, Random(1));
        for (std::int64_t step = 0; step < 8; ++step) {
          CHECK(crowd.take_events(step) == (step == 3 || step == 5));
          crowd.dynamics().step(crowd.opinions(), step);
        }
        // By hand, three crowds one after the other.
        std::vector<std::uint8_t> there(kCrowdSize, 1);
        there[kLateAgent] = 0;
        dynamics::Agents some;
        some.start = without(all.start, kLateAgent);
        society::Graph part = society::kept_part(graph, there);
        auto first = dynamics::make_dynamics(settings, some, network ? &part : nullptr, Random(1));
        Matrix<double> x = first->agents().start;
        for (std::int64_t step = 0; step < 3; ++step) first->step(x, step);
        some.start = all.start;
        society::Graph changed = graph;
        std::erase(changed.edges, society::Edge{0, 1});
        changed.edges.push_back({0, 6});
        std::sort(changed.edges.begin(), changed.edges.end());
        const auto second = dynamics::make_dynamics(settings, some, network ? &changed : nullptr, Random(1));
        Matrix<double> y = second->agents().start;
        for (Index i = 0, k = 0; i < kCrowdSize; ++i)
          if (i != kLateAgent) y.row(i) = x.row(k++);
        for (std::int64_t step = 3; step < 5; ++step) second->step(y, step);
        there.assign(kCrowdSize, 1);
        there[kLeavingAgent] = 0;
        society::Graph last = society::kept_part(changed, there);
        some.start = without(all.start, kLeavingAgent);
        const auto third = dynamics::make_dynamics(settings, some, network ? &last : nullptr, Random(1));
        Matrix<double> z = without(y, kLeavingAgent);
        for (std::int64_t step = 5; step < 8; ++step) third->step(z, step);
        REQUIRE(crowd.opinions().rows() == kCrowdSize - 1);
        CHECK(crowd.opinions() == z);  // to the last bit
        const Matrix<double> everybody = crowd.everybody();
        CHECK(std::isnan(everybody(kLeavingAgent, 0)));
        CHECK(everybody.row(kLeavingAgent + 1) == z.row(kLeavingAgent));
      }
  }
}

TEST_CASE("every model takes events, with the same bytes for any threads and taken up anywhere",
          "[opinion][simulate][comings][threads]") {
  const support::TemporaryFolder folder;
  const std::string path = folder.file("events.csv");
  for (const dynamics::ModelEntry& entry : dynamics::models())
    for (const bool network : {false, true}) {
      if (network && entry.rule.update == dynamics::Update::contacts) continue;
      DYNAMIC_SECTION(entry.name << (network ? " on a network" : "")) {
        const bool sphere = entry.rule.update == dynamics::Update::project;
        std::string text =
            "step,event,agent,other,weight,opinion\n2,join,3,,,\n2,leave,7,,,\n4,join,7,,,\n6,leave,30,,,\n";
        if (!sphere) text += "5,set,9,,,1\n";
        if (network) text += "3,edge,0,20,2.5,\n3,cut,0,1,,\n";
        support::put_file(path, text);
        const Config config = support::config_of(
            "opinion.simulate",
            concat("agents.count = 40\nstart.kind = \"", entry.rule.update.imitates ? "two_opinions" : "uniform",
                   "\"\nrun.steps = 7\nrecord.states = 4\nmodel.name = \"", entry.name, "\"\n",
                   entry.needs("temperature") ? "model.temperature = 1.0\n" : "",
                   sphere ? "model.components = 3\n" : "", "events.file = \"", path, "\"\n",
                   network ? "network.kind = \"watts_strogatz\"\n" : ""));
        support::StoppingBench through = support::keeping_bench();
        omp_set_num_threads(1);
        const Results whole = support::run_of(config, through);
        const std::string hash = content_hash(whole.data);
        CHECK(whole.data.at("agents_there").reals() ==
              std::vector<double>{39, 39, 39, 40, 39});  // before the events of a step
        for (std::size_t k = 0; k < through.kept.size(); ++k) {
          support::StoppingBench again(through.kept[k]);
          CHECK(content_hash(support::run_of(config, again).data) == hash);
        }
        for (const int threads : {2, 3, 5}) {
          omp_set_num_threads(threads);
          CHECK(content_hash(support::run_of(config).data) == hash);
        }
        omp_set_num_threads(2);
      }
    }
}

TEST_CASE("the mean opinion is kept between events, and who is not there has no opinion",
          "[opinion][simulate][comings]") {
  const support::TemporaryFolder folder;
  const std::string path = folder.file("events.csv");
  support::put_file(path, "step;event;agent;opinion\n10;join;4;0,75\n20;leave;11;\n");  // another dialect
  const Results results = events_run(concat(
      "agents.count = 60\nstart.kind = \"uniform\"\nmodel.name = \"deffuant\"\nmodel.confidence = 1.0\nrun.steps = 30\n"
      "rest.tolerance = 0\nevents.file = \"",
      path, "\"\n"));
  const auto& steps = std::get<std::vector<std::int64_t>>(results.data.at("step").values);
  const std::vector<double>&mean = results.data.at("mean").reals(), &there = results.data.at("agents_there").reals();
  const auto& opinions = std::get<std::vector<float>>(results.data.at("opinions").values);
  REQUIRE(steps.size() == 31);
  for (std::size_t k = 0; k < steps.size(); ++k) {
    CHECK(there[k] == (steps[k] > 10 && steps[k] <= 20 ? 60 : 59));
    CHECK(std::isnan(opinions[60 * k + 4]) == (steps[k] <= 10));
    CHECK(std::isnan(opinions[60 * k + 11]) == (steps[k] > 20));
    const bool happened = steps[k] == 11 || steps[k] == 21;
    if (k > 0) CHECK((std::abs(mean[k] - mean[k - 1]) < 1e-12) == !happened);
  }
  CHECK(std::abs(60 * mean[11] - 59 * mean[10] - 0.75) < 1e-12);
  const auto law = std::find_if(results.checks().begin(), results.checks().end(),
                                [](const Check& check) { return check.name == "mean_kept"; });
  REQUIRE(law != results.checks().end());
  CHECK(law->holds());
  CHECK(law->meaning.find("between events") != std::string::npos);
  CHECK(results.verdict().find("and 2 events") != std::string::npos);
}

TEST_CASE("a medium that joins is heard from then on, and one that leaves is not", "[opinion][simulate][comings]") {
  const support::TemporaryFolder folder;
  const std::string path = folder.file("events.csv");
  support::put_file(
      path, "step,event,agent,opinion\n4,join,medium 1,\n8,leave,medium 1,\n12,join,medium 1,-3\n16,set,medium 1,9\n");
  const Results results = events_run(
      concat("agents.count = 30\nmodel.name = \"degroot\"\nmedia.opinions = [5.0]\nmedia.reach = 30.0\nrun.steps = 17\n"
             "rest.tolerance = 0\nevents.file = \"",
             path, "\"\n"));
  const std::vector<double>& mean = results.data.at("mean").reals();
  const double before = mean[4];
  CHECK(std::abs(mean[5] - (before + 5) / 2) < 1e-12);  // as loud as the other 30 together
  CHECK(std::abs(mean[12] - mean[8]) < 1e-12);
  CHECK(std::abs(mean[13] - (mean[12] - 3) / 2) < 1e-12);
  CHECK(std::abs(mean[17] - (mean[16] + 9) / 2) < 1e-12);
  CHECK(results.data.at("agents_there").reals() == std::vector<double>(18, 30));
}

TEST_CASE("a table of events names its mistakes with row and way out", "[opinion][simulate][comings][fault]") {
  const support::TemporaryFolder folder;
  const std::string path = folder.file("events.csv"), start = folder.file("start.csv");
  support::put_file(start, "node,opinion\nAnn,0.1\nBob,0.2\nCid,0.3\nDee,0.4\n");
  support::put_file(folder.file("edges.csv"), "source,target\nAnn,Bob\nBob,Cid\nCid,Dee\n");
  const std::string named = "start.kind = \"file\"\nstart.file = \"" + start + "\"\nrun.steps = 10\n";
  const std::string tied = named + "network.kind = \"edges\"\nnetwork.edges = \"" + folder.file("edges.csv") + "\"\n";
  const auto refused = [&](const std::string& text, const std::string& toml) {
    support::put_file(path, text);
    const std::string what =
        support::refusal_of<DataError>([&] { events_run(concat(toml, "events.file = \"", path, "\"\n")); });
    return what.substr(std::min(what.find("events.csv"), what.size()));
  };
  CHECK(refused("step,event,agnt\n1,leave,Ann\n", named).find("did you mean 'agent'?") != std::string::npos);
  CHECK(refused("step,event,agent\n1,leaves,Ann\n", named) ==
        "events.csv:row 2, column 'event': the event is 'leaves', but must be join, leave, edge, cut or set. Did you "
        "mean 'leave'?");
  CHECK(refused("step,event,agent\n1,leave,Anne\n", named) ==
        "events.csv:row 2: there is no agent 'Anne'. Did you mean 'Ann'?");
  CHECK(refused("step,event,agent\n1.5,leave,Ann\n", named).find("a whole number >= 0") != std::string::npos);
  CHECK(refused("step,event,agent\n1,leave,Ann\n2,leave,Ann\n", named) ==
        "events.csv:row 3: 'Ann' is not there at step 2; let it join first, in a row above.");
  CHECK(refused("step,event,agent\n1,leave,Ann\n2,join,Ann\n3,join,Ann\n", named) ==
        "events.csv:row 4: 'Ann' joins, but is there already.");
  CHECK(refused("step,event,agent\n1,leave,Ann\n1,leave,Ann\n", named) ==
        "events.csv:row 3, column 'agent': this leave is in the file twice for step 1; keep one row.");
  CHECK(refused("step,event,agent,other\n1,edge,Ann,Cid\n", named).find("there is no network") != std::string::npos);
  CHECK(refused("step,event,agent,other\n1,edge,Ann,\n", tied).find("column 'other'") != std::string::npos);
  CHECK(refused("step,event,agent\n1,edge,Ann\n", tied).find("The table has no column 'other'.") != std::string::npos);
  CHECK(refused("step,event,agent,other\n1,leave,Ann,Bob\n", tied).find("leave does not read it") != std::string::npos);
  CHECK(refused("step,event,agent,other\n1,cut,Ann,Cid\n", tied) ==
        "events.csv:row 2: cuts the edge of 'Ann' and 'Cid', but there is none.");
  CHECK(refused("step,event,agent,other\n1,leave,Cid,\n2,edge,Ann,Cid\n", tied) ==
        "events.csv:row 3: 'Cid' is not there at step 2; let it join first, in a row above.");
  CHECK(refused("step,event,agent,other,weight\n1,edge,Ann,Cid,0\n", tied).find("the event cut ends an edge") !=
        std::string::npos);
  CHECK(refused("step,event,agent,other,weight\n1,edge,Ann,Cid,-1\n", tied).find("repulsion") != std::string::npos);
  CHECK(refused("step,event,agent,opinion\n1,set,Ann,\n", named).find("set needs the opinion") != std::string::npos);
  CHECK(refused("step,event,agent\n1,leave,Ann\n1,leave,Bob\n1,leave,Cid\n", named)
            .find("1 agent is there after it, 1 of them no bot or medium; at least 2 must be") != std::string::npos);
  CHECK(refused("step,event,agent\n", named).find("has no event") != std::string::npos);
}

TEST_CASE("events at the end of a run or later are noted, and do not happen", "[opinion][simulate][comings]") {
  const support::TemporaryFolder folder;
  const std::string path = folder.file("events.csv");
  support::put_file(path, "step,event,agent\n3,leave,1\n10,leave,2\n12,join,5\n");
  const Results results =
      events_run(concat("agents.count = 20\nrun.steps = 10\nrest.tolerance = 0\nevents.file = \"", path, "\"\n"));
  CHECK(results.data.at("events").reals()[0] == 1);
  CHECK(results.data.at("agents_there").reals().front() == 19);  // who joins later is not there yet
  CHECK(results.data.at("agents_there").reals().back() == 18);
  CHECK(std::any_of(results.notes().begin(), results.notes().end(), [](const std::string& note) {
    return note == "2 events of events.file are at run.steps = 10 or later and did not happen.";
  }));
}

}  // namespace fovea::opinion
