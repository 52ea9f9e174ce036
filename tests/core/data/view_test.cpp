#include "fovea/core/data/view.hpp"

#include "fovea/tests/support/test.hpp"

namespace {

using Numbers = std::vector<double>;

/// v(seed, heads, lag) = 100 seed + 10 heads + lag
Dataset sample() {
  Dataset data;
  data.dimension("seed", 2);
  data.dimension("heads", 3);
  data.dimension("lag", 4);
  data.dimension("none", 0);
  Numbers values;
  for (int seed = 0; seed < 2; ++seed)
    for (int heads = 0; heads < 3; ++heads)
      for (int lag = 0; lag < 4; ++lag) values.push_back(100 * seed + 10 * heads + lag);
  data.add({"v", {"seed", "heads", "lag"}, values, "1", "v", {}});
  data.add({"count", {"seed"}, std::vector<std::int64_t>{3, 4}, "1", "whole numbers", {}});
  data.add({"word", {"seed"}, std::vector<std::string>{"a", "b"}, "", "text", {}});
  data.add({"empty", {"none"}, Numbers{}, "1", "no values", {}});
  data.add({"holes", {"lag"}, Numbers{kNan, 1, 5, kNan}, "1", "some are missing", {}});
  return data;
}

std::string said(const Dataset& data, const std::string& name, std::initializer_list<View::Place> places) {
  return support::refusal_of<ArgumentError>([&] { view(data, name).at(places); });
}

}  // namespace

TEST_CASE("a view is what a loop over strides finds, for every place", "[view][twin]") {
  const Dataset data = sample();
  const View v = view(data, "v");
  for (std::size_t s = 0; s < 2; ++s)
    for (std::size_t h = 0; h < 3; ++h)
      for (std::size_t l = 0; l < 4; ++l) {
        const double wanted = v.values()[(s * 3 + h) * 4 + l];
        CHECK(v.at({{"seed", s}, {"heads", h}, {"lag", l}}).first() == wanted);
        CHECK(v.at({{"lag", l}, {"seed", s}, {"heads", h}}).first() == wanted);  // the order of the names is free
      }
}

TEST_CASE("what is not named is pooled, in the order of the variable", "[view]") {
  const Dataset data = sample();
  const View v = view(data, "v");
  CHECK(v.at({{"heads", 1}, {"lag", 2}}).values() == Numbers{12, 112});
  CHECK(v.at({{"heads", 1}, {"lag", 2}}).mean().mean == 62);
  CHECK(v.at({{"heads", 1}, {"lag", 2}}).mean().count == 2);
  CHECK(v.at({{"heads", 1}}).dimensions() == std::vector<std::string>{"seed", "lag"});
  CHECK(v.at({{"heads", kLast}}).values() == Numbers{20, 21, 22, 23, 120, 121, 122, 123});
  CHECK(v.along("lag")[3].values() == v.at({{"lag", 3}}).values());
  CHECK(v.has("lag"));
  CHECK_FALSE(v.at({{"lag", 0}}).has("lag"));
  CHECK(v.at({}).values() == v.values());
}

TEST_CASE("series run along a dimension, wherever it stands", "[view]") {
  const Dataset data = sample();
  const View v = view(data, "v").at({{"lag", 0}});
  CHECK(v.series("heads") == std::vector<Numbers>{{0, 10, 20}, {100, 110, 120}});
  CHECK(v.series("seed") == std::vector<Numbers>{{0, 100}, {10, 110}, {20, 120}});
}

TEST_CASE("means are taken over all else, the last dimension fastest", "[view]") {
  const Dataset data = sample();
  CHECK(view(data, "v").means({"heads"}) == Numbers{51.5, 61.5, 71.5});
  CHECK(view(data, "v").means({"lag", "heads"}).at(1) == 60);
  CHECK(view(data, "v").means({}) == Numbers{61.5});
  CHECK(view(data, "count").means({"seed"}) == Numbers{3, 4});
}

TEST_CASE("a missing value has no place in a range, but hides the largest", "[view][limit]") {
  const Dataset data = sample();
  CHECK(view(data, "holes").range() == std::pair<double, double>{1, 5});
  CHECK(std::isnan(view(data, "holes").largest()));
  CHECK(view(data, "holes").mean().mean == 3);
  CHECK(view(data, "v").largest() == 123);
  CHECK(std::isnan(view(data, "empty").largest()));
  CHECK(view(data, "empty").range().first == std::numeric_limits<double>::infinity());
  CHECK(view(data, "empty").series("none").empty());
}

TEST_CASE("a view says what it has not", "[view][fault]") {
  const Dataset data = sample();
  CHECK(said(data, "v", {{"head", 1}}) ==
        "view: 'v' has no dimension 'head' here; the remaining dimensions are: seed, heads, lag.");
  CHECK(said(data, "v", {{"seed", 1}, {"heads", 0}, {"lag", 0}, {"lag", 0}}) ==
        "view: 'v' has no dimension 'lag' here; the remaining dimensions are: none.");
  CHECK(said(data, "v", {{"heads", 3}}) == "view: index 3 along 'heads' of 'v', but there are 3.");
  CHECK(said(data, "word", {}) == "view: 'word' is text; a view has numbers.");
  CHECK_THROWS_AS(view(data, "empty").at({{"none", kLast}}), ArgumentError);
  CHECK_THROWS_AS(view(data, "empty").first(), ArgumentError);
  CHECK_THROWS_AS(view(data, "nothing"), ArgumentError);
}
