/// The rules that give directions at lag 0, each where nothing else decides.

#include "fovea/domains/lag/link_graph.hpp"

#include "fovea/tests/support/catch.hpp"

using namespace fovea;
using namespace fovea::lag;

TEST_CASE("colliders point to their middle, and two that disagree leave a conflict", "[lags][peers]") {
  LinkGraph graph(4, 1);
  for (const Index k : {0, 1, 2}) graph.set_both(k, k + 1, Mark::undirected);
  const std::vector<Triple> colliders{{{0, 0}, 1, 2}, {{1, 0}, 2, 3}};
  direct_colliders(graph, colliders);
  CHECK(graph.at_once(0, 1) == Mark::forward);
  CHECK(graph.at_once(1, 0) == Mark::backward);
  CHECK(graph.at_once(3, 2) == Mark::forward);
  CHECK(graph.at_once(1, 2) == Mark::conflict);
  CHECK(graph.at_once(2, 1) == Mark::conflict);
}

TEST_CASE("an arrow goes on where a new collider would stand, but not through an ambiguous triple", "[lags][peers]") {
  LinkGraph graph(3, 1);
  graph.set({0, 1}, 1, Mark::forward);  // 0 one step ago drives 1, which is linked with 2
  graph.set_both(1, 2, Mark::undirected);
  LinkGraph unsure = graph;
  direct_by_rules(graph, {});
  CHECK(graph.at_once(1, 2) == Mark::forward);
  const std::vector<Triple> ambiguous{{{0, 1}, 1, 2}};
  direct_by_rules(unsure, ambiguous);
  CHECK(unsure.at_once(1, 2) == Mark::undirected);
}

TEST_CASE("a link beside a path of two arrows goes the same way, so that no circle closes", "[lags][peers]") {
  LinkGraph graph(3, 1);
  graph.direct(0, 1);
  graph.direct(1, 2);
  graph.set_both(0, 2, Mark::undirected);
  direct_by_rules(graph, {});
  CHECK(graph.at_once(0, 2) == Mark::forward);
  CHECK(graph.at_once(2, 0) == Mark::backward);
}

TEST_CASE("a link into a collider of two neighbours that are not linked goes there too", "[lags][peers]") {
  LinkGraph graph(4, 1);  // 0 o-o 1 --> 3, 0 o-o 2 --> 3, 0 o-o 3
  for (const Index k : {1, 2}) {
    graph.set_both(0, k, Mark::undirected);
    graph.direct(k, 3);
  }
  graph.set_both(0, 3, Mark::undirected);
  direct_by_rules(graph, {});
  CHECK(graph.at_once(0, 3) == Mark::forward);
  CHECK(graph.at_once(0, 1) == Mark::undirected);
  CHECK(graph.at_once(0, 2) == Mark::undirected);
}
