/// The rules that give directions at lag 0, each where nothing else decides.

#include "fovea/domains/lag/methods/link_graph.hpp"
#include "fovea/tests/support/test.hpp"

using namespace fovea::lag;

TEST_CASE("colliders point to their middle, and two that disagree leave a conflict", "[lags][peers]") {
  methods::LinkGraph graph(4, 1);
  for (const Index k : {0, 1, 2}) graph.set_both(k, k + 1, methods::Mark::undirected);
  const std::vector<methods::Triple> colliders{{{0, 0}, 1, 2}, {{1, 0}, 2, 3}};
  methods::direct_colliders(graph, colliders);
  CHECK(graph.at_once(0, 1) == methods::Mark::forward);
  CHECK(graph.at_once(1, 0) == methods::Mark::backward);
  CHECK(graph.at_once(3, 2) == methods::Mark::forward);
  CHECK(graph.at_once(1, 2) == methods::Mark::conflict);
  CHECK(graph.at_once(2, 1) == methods::Mark::conflict);
}

TEST_CASE("an arrow goes on where a new collider would stand, but not through an ambiguous triple", "[lags][peers]") {
  methods::LinkGraph graph(3, 1);
  graph.set({0, 1}, 1, methods::Mark::forward);  // 0 one step ago drives 1, which is linked with 2
  graph.set_both(1, 2, methods::Mark::undirected);
  methods::LinkGraph unsure = graph;
  methods::direct_by_rules(graph, {});
  CHECK(graph.at_once(1, 2) == methods::Mark::forward);
  const std::vector<methods::Triple> ambiguous{{{0, 1}, 1, 2}};
  methods::direct_by_rules(unsure, ambiguous);
  CHECK(unsure.at_once(1, 2) == methods::Mark::undirected);
}

TEST_CASE("a link beside a path of two arrows goes the same way, so that no circle closes", "[lags][peers]") {
  methods::LinkGraph graph(3, 1);
  graph.direct(0, 1);
  graph.direct(1, 2);
  graph.set_both(0, 2, methods::Mark::undirected);
  methods::direct_by_rules(graph, {});
  CHECK(graph.at_once(0, 2) == methods::Mark::forward);
  CHECK(graph.at_once(2, 0) == methods::Mark::backward);
}

TEST_CASE("a link into a collider of two neighbours that are not linked goes there too", "[lags][peers]") {
  methods::LinkGraph graph(4, 1);  // 0 o-o 1 --> 3, 0 o-o 2 --> 3, 0 o-o 3
  for (const Index k : {1, 2}) {
    graph.set_both(0, k, methods::Mark::undirected);
    graph.direct(k, 3);
  }
  graph.set_both(0, 3, methods::Mark::undirected);
  methods::direct_by_rules(graph, {});
  CHECK(graph.at_once(0, 3) == methods::Mark::forward);
  CHECK(graph.at_once(0, 1) == methods::Mark::undirected);
  CHECK(graph.at_once(0, 2) == methods::Mark::undirected);
}
