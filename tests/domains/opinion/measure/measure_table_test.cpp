#include "fovea/domains/opinion/measures/measure_table.hpp"

#include <string_view>

#include "fovea/domains/opinion/dynamics/hearing.hpp"
#include "fovea/domains/opinion/society/networks.hpp"
#include "fovea/tests/support/test.hpp"

using namespace fovea::opinion;

namespace {

// Sums of 60 numbers in another order, quotients of them; the walk's equations are solved to 1e-13.
constexpr double kSameMeasure = 1e-10;
constexpr Index kPeople = 60;

/// Camps of 30, 20 and 10 (no two of one size) around -0.8, 0.1 and 0.9, of several components.
Matrix<double> three_camps(Index components) {
  const Random random(31);
  Matrix<double> x(kPeople, components);
  for (Index i = 0; i < kPeople; ++i)
    for (Index c = 0; c < components; ++c)
      x(i, c) = (i < 30   ? -0.8
                 : i < 50 ? 0.1
                          : 0.9) /
                    static_cast<double>(c + 1) +
                0.02 * random.uniform(static_cast<std::uint64_t>(i), static_cast<std::uint64_t>(c));
  return x;
}

/// A network in which everybody has another number of neighbours within the first places, so that hubs are no matter
/// of numbering: node i of each side also knows the first nodes of the other.
society::Graph graded_network() {
  society::Graph graph{kPeople, society::erdos_renyi(kPeople, 3, Random(32)), {}};
  std::set<society::Edge> edges(graph.edges.begin(), graph.edges.end());
  for (Index hub = 0; hub < 6; ++hub)
    for (Index step = 1; step <= 12 + 5 * (6 - hub); ++step) {
      const Index other = (hub * 9 + step) % kPeople, from = hub * 9;
      if (from != other) edges.insert({std::min(from, other), std::max(from, other)});
    }
  graph.edges.assign(edges.begin(), edges.end());
  for (std::size_t e = 0; e < graph.edges.size(); ++e) graph.weights.push_back(1 + 0.1 * static_cast<double>(e % 7));
  return graph;
}

measures::MeasureSettings walked_settings() {
  measures::MeasureSettings settings;
  settings.hubs = 2;
  return settings;
}

/// All measures, in the Gaussian attention of the network at this temperature.
std::vector<double> observed(const Matrix<double>& x, const society::Graph& graph,
                             const measures::MeasureSettings& settings, double temperature = 0.3) {
  dynamics::HearingRule rule;
  rule.temperature = temperature;
  const AttentionSpec<double> spec = dynamics::attention_spec(rule, &graph);
  const AttentionResult<double> forward = attend<double>(x, x, x, spec);
  const measures::MeasuredCrowd crowd(x, settings, {&graph, &spec, &forward, nullptr});
  std::vector<double> values;
  for (const measures::MeasureEntry& entry : measures::measures()) values.push_back(entry.value(crowd));
  return values;
}

/// That b are the measures a of opinions that were stretched and then moved.
void check_same(const std::vector<double>& a, const std::vector<double>& b, double stretch = 1, double shift = 0) {
  REQUIRE(a.size() == measures::measures().size());
  REQUIRE(b.size() == measures::measures().size());
  for (std::size_t k = 0; k < a.size(); ++k) {
    const measures::MeasureEntry& entry = measures::measures()[k];
    INFO(entry.name << ": " << a[k] << " and " << b[k]);
    if (std::isnan(a[k]) && !entry.undefined.empty()) {
      CHECK(std::isnan(b[k]));
      continue;
    }
    const double expected = a[k] * std::pow(stretch, entry.power) + entry.shift * shift;
    CHECK(std::abs(expected - b[k]) < kSameMeasure * std::max(1.0, std::abs(b[k])));
  }
}

/// "no edges, all agree" holds "all agree".
bool holds(std::string_view list, std::string_view condition) {
  return (", " + std::string(list) + ",").find(", " + std::string(condition) + ",") != std::string::npos;
}

}  // namespace

TEST_CASE("every measure has a name of its own, a definition and a source", "[measures][table]") {
  std::set<std::string> names;
  for (const measures::MeasureEntry& entry : measures::measures()) {
    CHECK(names.insert(std::string(entry.name)).second);
    CHECK_FALSE(entry.unit.empty());
    CHECK(entry.definition.size() > 10);
    CHECK_FALSE(entry.source.empty());
    CHECK(entry.low < entry.high);
  }
}

TEST_CASE("every measure stays in its range, whatever the crowd", "[measures][table][property]") {
  const society::Graph graph = graded_network();
  for (std::uint64_t crowd = 0; crowd < 20; ++crowd) {
    const Random random(33 + crowd);
    Matrix<double> x(kPeople, 1 + static_cast<Index>(crowd % 2));
    for (Index i = 0; i < x.size(); ++i)
      x.data()[i] = crowd % 5 == 4 ? std::floor(3 * random.uniform(static_cast<std::uint64_t>(i))) - 1
                                   : random.normal(static_cast<std::uint64_t>(i)) *
                                         std::pow(10.0, static_cast<double>(crowd % 7) - 3);
    const std::vector<double> values = observed(x, graph, walked_settings());
    for (std::size_t k = 0; k < values.size(); ++k) {
      INFO("crowd " << crowd << ", " << measures::measures()[k].name << " = " << values[k]);
      if (std::isnan(values[k])) continue;
      CHECK(values[k] >= measures::measures()[k].low - kSameMeasure);
      CHECK(values[k] <= measures::measures()[k].high + kSameMeasure);
    }
  }
}

TEST_CASE("every measure is the same whatever the agents' numbers", "[measures][table][property]") {
  const society::Graph graph = graded_network();
  std::vector<Index> number(kPeople);
  for (Index i = 0; i < kPeople; ++i) number[i] = (i * 37 + 11) % kPeople;
  society::Graph renumbered{kPeople, {}, graph.weights};
  for (const society::Edge& edge : graph.edges) renumbered.edges.push_back({number[edge[0]], number[edge[1]]});
  for (const Index components : {1, 2}) {
    const Matrix<double> x = three_camps(components);
    Matrix<double> y(x.rows(), x.cols());
    for (Index i = 0; i < kPeople; ++i) y.row(number[i]) = x.row(i);
    check_same(observed(x, graph, walked_settings()), observed(y, renumbered, walked_settings()));
  }
}

TEST_CASE("every measure but a place is the same when the scale is moved with the opinions",
          "[measures][table][property]") {
  const society::Graph graph = graded_network();
  measures::MeasureSettings moved = walked_settings();
  moved.neutral += 2, moved.scale_low += 2, moved.scale_high += 2;
  for (const Index components : {1, 2}) {
    const Matrix<double> x = three_camps(components);
    const Matrix<double> y = x.array() + 2.0;
    check_same(observed(x, graph, walked_settings()), observed(y, graph, moved), 1, 2);
  }
}

TEST_CASE("every measure follows its power when the scale is stretched with the opinions",
          "[measures][table][property]") {
  const society::Graph graph = graded_network();
  for (const double factor : {0.25, 4.0}) {  // powers of two: the sums are stretched without rounding
    measures::MeasureSettings stretched = walked_settings();
    stretched.camp_gap *= factor, stretched.scale_low *= factor, stretched.scale_high *= factor;
    for (const Index components : {1, 2}) {
      const Matrix<double> x = three_camps(components);
      const Matrix<double> y = x * factor;
      check_same(observed(x, graph, walked_settings()), observed(y, graph, stretched, 0.3 * factor * factor), factor);
    }
  }
}

TEST_CASE("what needs a network is NaN without one, and all else does not read it", "[measures][table]") {
  const Matrix<double> x = three_camps(1);
  const std::vector<double> alone = measures::observe_all(x, nullptr);
  const society::Graph graph = graded_network();
  const std::vector<double> together = measures::observe_all(x, &graph, walked_settings());
  for (std::size_t k = 0; k < alone.size(); ++k) {
    const measures::MeasureEntry& entry = measures::measures()[k];
    INFO(entry.name);
    if (entry.needs_network) {
      CHECK(std::isnan(alone[k]));
      CHECK_FALSE(std::isnan(together[k]));
    } else if (!std::isnan(alone[k])) {
      CHECK(alone[k] == together[k]);
    }
  }
}

TEST_CASE("every measure is NaN just where the table says so", "[measures][table]") {
  struct Case {
    std::string conditions;  // of measures.inl, all that hold
    Matrix<double> x = three_camps(1);
    society::Graph graph = graded_network();
    measures::MeasureSettings settings = walked_settings();
  };
  std::vector<Case> cases;
  cases.push_back({"opinions are not directions"});
  cases.push_back({""});
  cases.back().settings.space = measures::Space::circle;
  cases.push_back({"opinions are not directions, no hubs"});
  cases.back().settings.hubs = 0;
  cases.push_back({"opinions are not directions, camps are not determined", three_camps(2)});
  cases.back().settings.most_by_pairs = kPeople - 1;
  cases.push_back(
      {"opinions are not directions, all opinions are equal, fewer than two sides, one side has all edges, a side is "
       "missing in the largest component, "
       "opinions at the ends of edges are equal",
       Matrix<double>::Constant(kPeople, 1, 0.3)});
  cases.push_back(
      {"opinions are not directions, fewer than two sides, one side has all edges, a side is missing in the "
       "largest component",
       three_camps(1).array() + 2});
  cases.push_back({"opinions are not directions, no edges, a side is missing in the largest component", three_camps(1),
                   society::Graph{kPeople, {}, {}}});
  std::set<std::string> known{"no attention weights are known"};
  for (const Case& one : cases) {
    const std::vector<double> values = observed(one.x, one.graph, one.settings);
    for (std::size_t k = 0; k < values.size(); ++k) {
      const measures::MeasureEntry& entry = measures::measures()[k];
      bool expected = false;
      for (std::string_view rest = entry.undefined; !rest.empty();) {
        const std::string_view condition = rest.substr(0, rest.find(", "));
        rest.remove_prefix(std::min(rest.size(), condition.size() + 2));
        expected = expected || holds(one.conditions, condition);
        if (holds(one.conditions, condition)) known.insert(std::string(condition));
      }
      INFO(entry.name << " = " << values[k] << " where " << one.conditions);
      CHECK(std::isnan(values[k]) == expected);
    }
  }
  for (const measures::MeasureEntry& entry : measures::measures())
    for (std::string_view rest = entry.undefined; !rest.empty();) {
      const std::string_view condition = rest.substr(0, rest.find(", "));
      rest.remove_prefix(std::min(rest.size(), condition.size() + 2));
      INFO(condition);
      CHECK(known.contains(std::string(condition)));
    }
  const std::vector<double> deaf = measures::observe_all(three_camps(1), nullptr);
  for (std::size_t k = 0; k < deaf.size(); ++k)
    if (holds(measures::measures()[k].undefined, "no attention weights are known")) CHECK(std::isnan(deaf[k]));
}

TEST_CASE("on the circle the order knows no zero angle, and camps are as far apart as the shorter way round",
          "[measures][table]") {
  measures::MeasureSettings settings;
  settings.space = measures::Space::circle;
  Matrix<double> around(8, 1), two(4, 1), alike = Matrix<double>::Constant(5, 1, 3);
  for (Index i = 0; i < 8; ++i) around(i, 0) = std::numbers::pi * static_cast<double>(i) / 4;
  two << 0, 0, 6, 6;
  const auto value = [&](const char* name, const Matrix<double>& x) {
    return measures::find_measure(name).value(measures::MeasuredCrowd(x, settings));
  };
  CHECK(value("order", around) < kSameMeasure);
  CHECK(std::abs(value("order", alike) - 1) < kSameMeasure);
  CHECK(std::abs(value("order", two) - std::abs(std::cos(3.0))) < kSameMeasure);
  CHECK(std::abs(value("order", two.array() + 1.0) - value("order", two)) < kSameMeasure);
  CHECK(std::abs(value("camp_distance", two) - (2 * std::numbers::pi - 6)) < kSameMeasure);
  CHECK(std::abs(value("nearest_camps", two) - (2 * std::numbers::pi - 6)) < kSameMeasure);
  settings.space = measures::Space::sphere;
  Matrix<double> vectors(2, 3);
  vectors << 1, 0, 0, 0, 1, 0;
  CHECK(std::abs(value("order", vectors) - std::sqrt(0.5)) < kSameMeasure);
}

TEST_CASE("who does not count is left out together with the edges", "[measures][table]") {
  const society::Graph graph = graded_network();
  const Matrix<double> x = three_camps(1);
  std::vector<std::uint8_t> counted(kPeople, 1);
  for (std::size_t i = 45; i < kPeople; ++i) counted[i] = 0;
  society::Graph part{45, {}, {}};
  for (std::size_t e = 0; e < graph.edges.size(); ++e)
    if (graph.edges[e][1] < 45) part.edges.push_back(graph.edges[e]), part.weights.push_back(graph.weights[e]);
  check_same(measures::observe_all(x, &graph, walked_settings(), counted),
             measures::observe_all(x.topRows(45), &part, walked_settings()));
  check_same(measures::observe_all(x, &graph, walked_settings(), std::vector<std::uint8_t>(kPeople, 1)),
             measures::observe_all(x, &graph, walked_settings()));
}

TEST_CASE("every measure has the same bits for any number of threads", "[measures][table][threads]") {
  const Index n = 30000;  // enough for the walk to share its rows
  const society::Graph graph{n, society::erdos_renyi(n, 6, Random(34)), {}};
  Matrix<double> x(n, 1);
  for (Index i = 0; i < n; ++i) x(i, 0) = Random(35).normal(static_cast<std::uint64_t>(i));
  const int before = omp_get_max_threads();
  omp_set_num_threads(1);
  const std::vector<double> alone = measures::observe_all(x, &graph);
  for (const int threads : {2, 3, 5}) {
    omp_set_num_threads(threads);
    const std::vector<double> together = measures::observe_all(x, &graph);
    CHECK(std::memcmp(together.data(), alone.data(), alone.size() * sizeof(double)) == 0);
  }
  omp_set_num_threads(before);
}

TEST_CASE("a crowd that cannot be measured is refused", "[measures][table][errors]") {
  const society::Graph graph = graded_network();
  CHECK_THROWS_AS(measures::observe_all(Matrix<double>(0, 1), nullptr), ArgumentError);
  CHECK_THROWS_AS(measures::observe_all(Matrix<double>::Zero(3, 1), &graph), ArgumentError);
  Matrix<double> x = three_camps(1);
  x(3, 0) = std::nan("");
  CHECK_THROWS_WITH(measures::observe_all(x, nullptr), "measures: the opinion of agent 3 is nan; each must be finite.");
  CHECK_THROWS_WITH(measures::find_measure("dips"),
                    Catch::StartsWith("measures: there is no measure 'dips'; it must be one of "));
  CHECK_THROWS_AS(measures::observe_all(three_camps(1), nullptr, {}, std::vector<std::uint8_t>(3, 0)), ArgumentError);
  CHECK_THROWS_AS(measures::observe_all(three_camps(1), nullptr, {}, std::vector<std::uint8_t>(kPeople, 0)),
                  ArgumentError);
}
