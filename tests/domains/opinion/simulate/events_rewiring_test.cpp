/// Events in networks whose edges the agents move.

#include "fovea/core/lab/experiment.hpp"
#include "fovea/domains/opinion/dynamics/models.hpp"
#include "fovea/domains/opinion/experiments.hpp"
#include "fovea/domains/opinion/simulate/crowd.hpp"
#include "fovea/domains/opinion/simulate/settings.hpp"
#include "fovea/tests/support/runs/bench.hpp"
#include "fovea/tests/support/runs/run.hpp"
#include "fovea/tests/support/test.hpp"

namespace fovea::opinion::events_rewiring {
namespace {

using simulate::EventKind;

constexpr Index kMembers = 30, kLate = 5, kGoing = 8;
constexpr std::int64_t kFirst = 3, kSecond = 6, kLast = 9;  // steps: of the events, and the end

dynamics::Agents members(Index kinds) {
  dynamics::Agents agents;
  agents.start.resize(kMembers, 1);
  for (Index i = 0; i < kMembers; ++i) {
    const double u = Random(2).uniform(static_cast<std::uint64_t>(i));
    agents.start(i, 0) = kinds == 0 ? 2 * u - 1 : std::floor(u * static_cast<double>(kinds));
  }
  return agents;
}

society::Graph ties(bool directed) {
  society::Graph graph;
  graph.nodes = kMembers;
  graph.directed = directed;
  graph.edges = society::erdos_renyi(kMembers, 5, Random(4));
  std::sort(graph.edges.begin(), graph.edges.end());
  return graph;
}

dynamics::ModelSettings moving_edges(const dynamics::ModelEntry& entry, const std::string& to) {
  dynamics::ModelSettings settings;
  settings.model = std::string(entry.name);
  settings.confidence = 0.3;
  settings.coupling = 0.2;
  settings.rewiring.probability = 0.4;
  settings.rewiring.tolerance = entry.rule.update.imitates ? 0 : 0.3;
  settings.rewiring.to = to;
  return settings;
}

/// A crowd without one of its members, by hand: its edges in everybody's numbers in, and out.
struct Part {
  std::vector<Index> who;
  society::Graph graph;
  std::unique_ptr<dynamics::Dynamics> crowd;
  Matrix<double> x;

  Part(const dynamics::ModelSettings& settings, const dynamics::Agents& all, const society::Graph& whole, Index absent,
       const Matrix<double>& opinions) {
    std::vector<Index> place(kMembers, -1);
    for (Index i = 0; i < kMembers; ++i) {
      if (i == absent) continue;
      place[i] = std::ssize(who);
      who.push_back(i);
    }
    graph.nodes = std::ssize(who);
    graph.directed = whole.directed;
    for (const auto& [a, b] : whole.edges)
      if (a != absent && b != absent) graph.edges.push_back({place[a], place[b]});
    dynamics::Agents some;
    some.start.resize(graph.nodes, 1);
    x.resize(graph.nodes, 1);
    for (Index k = 0; k < graph.nodes; ++k) {
      some.start(k, 0) = all.start(who[k], 0);
      x(k, 0) = opinions(who[k], 0);
    }
    crowd = dynamics::make_dynamics(settings, some, &graph, Random(1));
  }

  void go(std::int64_t first, std::int64_t end) {
    for (std::int64_t step = first; step < end; ++step) crowd->step(x, step);
  }
  void give_back(Matrix<double>& opinions) const {
    for (std::size_t k = 0; k < who.size(); ++k) opinions(who[k], 0) = x(static_cast<Index>(k), 0);
  }
  /// Its edges, and those of the whole with the absent one.
  std::vector<society::Edge> edges(const society::Graph& whole, Index absent) const {
    std::vector<society::Edge> all;
    for (const auto& [a, b] : crowd->changed_network()->edges()) all.push_back({who[a], who[b]});
    for (const auto& [a, b] : whole.edges)
      if (a == absent || b == absent) all.push_back({a, b});
    std::sort(all.begin(), all.end());
    return all;
  }
};

}  // namespace

TEST_CASE("events in a network that moves equal crowds that begin with the edges that the last one left",
          "[opinion][simulate][comings][coevolution][twin]") {
  int tried = 0;
  for (const dynamics::ModelEntry& entry : dynamics::models()) {
    if (!dynamics::knows_rewiring(entry.rule)) continue;
    const bool one_way = entry.rule.update.hears || entry.rule.update == dynamics::Update::adopt;
    for (const bool directed : {false, true})
      for (const char* to : {"alike", "random", "friends_of_friends", "recommended"}) {
        if ((directed && !one_way) || (std::string(to) == "recommended" && !dynamics::knows_feed(entry.rule))) continue;
        DYNAMIC_SECTION(entry.name << ", " << to << (directed ? ", directed" : "")) {
          ++tried;
          const dynamics::ModelSettings settings = moving_edges(entry, to);
          const dynamics::Agents all = members(entry.rule.update.imitates ? 4 : 0);
          const society::Graph start = ties(directed);
          const society::Edge cut = start.edges.front(), made{0, kMembers - 1};
          REQUIRE(!std::binary_search(start.edges.begin(), start.edges.end(), made));
          REQUIRE((cut[0] != kLate && cut[1] != kLate));
          simulate::Crowd crowd(settings, all, &start,
                                {{kFirst, EventKind::join, kLate, -1, 1, kNan},
                                 {kFirst, EventKind::cut, cut[0], cut[1], 1, kNan},
                                 {kFirst, EventKind::edge, made[0], made[1], 1, kNan},
                                 {kSecond, EventKind::leave, kGoing, -1, 1, kNan}},
                                Random(1));
          for (std::int64_t step = 0; step < kLast; ++step) {
            crowd.take_events(step);
            crowd.dynamics().step(crowd.opinions(), step);
          }
          Matrix<double> opinions = all.start;
          society::Graph whole = start;
          Part first(settings, all, whole, kLate, opinions);
          first.go(0, kFirst);
          first.give_back(opinions);
          whole.edges = first.edges(whole, kLate);
          const auto gone = std::erase(whole.edges, cut);
          const bool is_new = !std::binary_search(whole.edges.begin(), whole.edges.end(), made);
          if (is_new) whole.edges.push_back(made);
          std::sort(whole.edges.begin(), whole.edges.end());
          Part second(settings, all, whole, -1, opinions);
          second.go(kFirst, kSecond);
          second.give_back(opinions);
          whole.edges = second.edges(whole, -1);
          Part third(settings, all, whole, kGoing, opinions);
          third.go(kSecond, kLast);
          CHECK(crowd.opinions() == third.x);  // to the last bit
          CHECK(crowd.network_of_all().edges == third.edges(whole, kGoing));
          CHECK(crowd.network_of_those_there().edges == third.edges({}, kGoing));
          const simulate::Crowd::EdgeCounts counts = crowd.edge_counts();
          CHECK(counts.cut == static_cast<std::int64_t>(gone));
          CHECK(counts.gone == 1 - counts.cut);
          CHECK(counts.made == (is_new ? 1 : 0));
          CHECK(counts.there == 1 - counts.made);
          CHECK(counts.moved == first.crowd->changed_network()->moved() + second.crowd->changed_network()->moved() +
                                    third.crowd->changed_network()->moved());
          CHECK(counts.moved > 5);
          CHECK(std::ssize(crowd.network_of_all().edges) == std::ssize(start.edges) + counts.made - counts.cut);
        }
      }
  }
  CHECK(tried > 0);
}

TEST_CASE("a run with events and rewiring has the same bytes for any threads, taken up anywhere, and keeps its edges",
          "[opinion][simulate][comings][coevolution][threads]") {
  const support::TemporaryFolder folder;
  const std::string path = folder.file("events.csv"), start = folder.file("start.csv");
  std::ofstream(path) << "step,event,agent,other,weight\n2,join,3,,\n2,leave,7,,\n3,edge,0,20,2.5\n3,edge,1,21,\n"
                         "3,cut,0,20,\n4,join,7,,\n6,leave,30,,\n";
  const int before = omp_get_max_threads();
  for (const dynamics::ModelEntry& entry : dynamics::models()) {
    if (!dynamics::knows_rewiring(entry.rule)) continue;
    const bool voters = entry.rule.update.imitates;
    for (const bool bots : {false, true}) DYNAMIC_SECTION(entry.name << (bots ? " with bots" : "")) {
        std::ofstream agents(start);
        agents << "node,opinion,kind\n";
        for (int i = 0; i < 40; ++i)
          agents << i << ',' << (voters ? i % 3 : std::sin(7.0 * i)) << ',' << (bots && i % 10 == 0 ? "bot" : "agent")
                 << '\n';
        agents.close();
        const Config config = support::config_of(
            "opinion.simulate",
            concat("start.kind = \"file\"\nstart.file = \"", start, "\"\nrun.steps = 8\nrest.tolerance = 0.0\n",
                   "record.states = 5\nrecord.networks = 4\nmodel.name = \"", entry.name, "\"\n",
                   entry.needs("temperature") ? "model.temperature = 1.0\n" : "",
                   entry.needs("coupling") && entry.name != "formula" ? "model.coupling = 0.2\n" : "",
                   "network.kind = \"watts_strogatz\"\nrewiring.probability = 0.5\n",
                   voters ? "rewiring.cut = \"any\"\nrewiring.multiple = true\n" : "rewiring.tolerance = 0.3\n",
                   dynamics::knows_feed(entry.rule) ? "feed.size = 2\n" : "", "events.file = \"", path, "\"\n"));
        support::StoppingBench through = support::keeping_bench();
        omp_set_num_threads(1);
        const Results whole = support::run_of(config, through);
        const std::string hash = content_hash(whole.data);
        CHECK(whole.data.at("final_edges_moved").reals()[0] > 5);
        const std::vector<double>& moved = whole.data.at("edges_moved").reals();
        CHECK(std::is_sorted(moved.begin(), moved.end()));
        REQUIRE(whole.checks().size() >= 1);
        for (const Check& check : whole.checks()) {
          INFO(check.name << ": " << check.predicted << " and " << check.measured);
          CHECK(check.holds());
        }
        const auto& ends = std::get<std::vector<std::int64_t>>(whole.data.at("network_source").values);
        const auto& other = std::get<std::vector<std::int64_t>>(whole.data.at("network_target").values);
        const std::size_t width = ends.size() / 4;
        for (std::size_t e = 3 * width; e < 4 * width; ++e) CHECK((ends[e] != 30 && other[e] != 30));  // who has left
        for (const Dataset& state : through.kept) {
          support::StoppingBench again(state);
          CHECK(content_hash(support::run_of(config, again).data) == hash);
        }
        for (const int threads : {2, 3, 5}) {
          omp_set_num_threads(threads);
          CHECK(content_hash(support::run_of(config).data) == hash);
        }
        omp_set_num_threads(before);
      }
  }
}

TEST_CASE("a cut of an edge that agents have moved away, and an edge that was there, are told",
          "[opinion][simulate][comings][coevolution]") {
  const support::TemporaryFolder folder;
  const std::string path = folder.file("events.csv");
  std::ofstream(path) << "step,event,agent,other\n5,cut,0,1\n5,cut,1,2\n6,edge,3,30\n7,edge,30,3\n";
  const std::string crowd = concat(
      "agents.count = 60\nstart.kind = \"several_opinions\"\nmodel.name = \"voter\"\nnetwork.kind = "
      "\"watts_strogatz\"\n"
      "network.rewiring = 0.0\nnetwork.mean_degree = 2.0\nrun.steps = 8\nrewiring.to = \"random\"\nevents.file = \"",
      path, "\"\n");
  const Results results = support::run_of("opinion.simulate", crowd + "rewiring.probability = 1.0\n");
  CHECK(support::has_note(results, " of events.file found no edge: agents had moved it away before."));
  const auto picture = std::find_if(results.figures().begin(), results.figures().end(),
                                    [](const Figure& figure) { return figure.name == "network"; });
  REQUIRE(picture != results.figures().end());
  CHECK(picture->caption.find("Grey: not there. The edges are those at the end.") != std::string::npos);
  std::ofstream(path) << "step,event,agent,other\n6,edge,3,30\n7,edge,30,3\n";
  const Results still = support::run_of("opinion.simulate", crowd + "rewiring.probability = 0.0\n");
  CHECK(support::has_note(still, "1 edge of events.file was there already with the same weight: nothing changed."));
}

}  // namespace fovea::opinion::events_rewiring
