#include "fovea/core/learning/neighbourhood.hpp"

#include "fovea/core/learning.hpp"
#include "fovea/tests/support/test.hpp"

namespace fovea::learning {
namespace {

constexpr double kTurn = 6.283185307179586;

/// One set on a strip that is closed after kTurn, and one of a single token.
Tokens strip_tokens() {
  Tokens tokens;
  tokens.offsets = {0, 6, 6, 7};
  tokens.coordinates.resize(7, 2);
  tokens.coordinates << 0, 0.1, 0, 6.2, 0.5, 3, 0, 3.1, 0, 3, 2, 0.2, 0, 0;
  tokens.periods = {0, kTurn};
  return tokens;
}

std::vector<Index> list_of(const NeighbourLists& lists, std::size_t query) {
  return {lists.keys.begin() + lists.offsets[query], lists.keys.begin() + lists.offsets[query + 1]};
}

TEST_CASE("neighbours are found across the seam, within the set, and the token itself is among them",
          "[learning][neighbours]") {
  const Tokens tokens = strip_tokens();
  const auto near = neighbours_of(tokens, {0, 2});
  CHECK(list_of(*near, 0) == std::vector<Index>{0, 1});  // 0.1 and 6.2 are 0.18 apart
  CHECK(list_of(*near, 1) == std::vector<Index>{0, 1});
  CHECK(list_of(*near, 3) == std::vector<Index>{3, 4});
  CHECK(list_of(*near, 6) == std::vector<Index>{6});
  const auto within = neighbours_of(tokens, {0.55, 0});
  CHECK(list_of(*within, 2) == std::vector<Index>{2, 3, 4});
  CHECK(list_of(*within, 5) == std::vector<Index>{5});
}

TEST_CASE("a token sees itself also where more tokens lie at its place than it may see", "[learning][neighbours]") {
  Tokens tokens;
  tokens.offsets = {0, 5};
  tokens.coordinates = Matrix<double>::Zero(5, 2);
  for (const Index nearest : {1, 2, 3, 9}) {
    const auto lists = neighbours_of(tokens, {0, nearest});
    for (std::size_t i = 0; i < 5; ++i) {
      const auto mine = list_of(*lists, i);
      CHECK(std::ssize(mine) == std::min<Index>(nearest, 5));
      CHECK(std::count(mine.begin(), mine.end(), static_cast<Index>(i)) == 1);
    }
  }
}

TEST_CASE("class tokens see all of their set, and are seen or not", "[learning][neighbours]") {
  Tokens tokens = strip_tokens();
  Tape<double> tape;
  tape.begin(nullptr, {});
  const auto joined =
      join_classes(tape.variable(Matrix<double>::Ones(3, 2)), tape.variable(Matrix<double>::Ones(7, 2)), tokens);
  const Tokens& all = *joined.tokens;
  REQUIRE(all.class_tokens == 1);
  const auto seen = neighbours_of(all, {0, 2, true}), unseen = neighbours_of(all, {0, 2, false});
  CHECK(list_of(*seen, 0) == std::vector<Index>{0, 1, 2, 3, 4, 5, 6});
  CHECK(list_of(*unseen, 0) == std::vector<Index>{0, 1, 2, 3, 4, 5, 6});
  CHECK(list_of(*seen, 1) == std::vector<Index>{0, 1, 2});
  CHECK(list_of(*unseen, 1) == std::vector<Index>{1, 2});
  CHECK(list_of(*unseen, 7) == std::vector<Index>{7});  // the class token of the empty set
  CHECK(list_of(*unseen, 9) == std::vector<Index>{9});
}

TEST_CASE("the same search is done once, another one anew", "[learning][neighbours]") {
  Tokens tokens = strip_tokens();
  const auto first = neighbours_of(tokens, {0, 3});
  const Tokens copy = tokens;
  CHECK(neighbours_of(copy, {0, 3}) == first);
  CHECK(neighbours_of(tokens, {0, 2}) != first);
  tokens.coordinates(2, 1) = 0.15;
  const auto moved = neighbours_of(tokens, {0, 3});
  CHECK(moved != first);
  CHECK(list_of(*moved, 2) == std::vector<Index>{0, 1, 2});
}

TEST_CASE("a far token that changes leaves the rows of a block that does not see it bit for bit",
          "[learning][neighbours][property]") {
  Parameters<float> parameters;
  BlockSettings<float> settings;
  settings.attention.width = 16;
  settings.attention.heads = 2;
  settings.attention.modifiers = {neighbours_alone<float>({0.55, 0})};
  const TransformerBlock<float> block(parameters, "block", settings, Random(1));
  const Tokens tokens = strip_tokens();
  Matrix<float> x(7, 16);
  for (Index k = 0; k < x.size(); ++k) x.data()[k] = static_cast<float>(std::sin(static_cast<double>(k)));
  const auto run = [&] {
    Tape<float> tape;
    tape.begin(&parameters, {});
    return Matrix<float>(block(tape.input(x), tokens).value());
  };
  const Matrix<float> before = run();
  x.row(3).setConstant(7);
  const Matrix<float> after = run();
  for (const Index row : {0, 1, 5, 6}) CHECK(after.row(row) == before.row(row));
  for (const Index row : {2, 3, 4}) CHECK(after.row(row) != before.row(row));
}

TEST_CASE("a neighbourhood is a radius or a number", "[learning][neighbours][error]") {
  const Tokens tokens = strip_tokens();
  CHECK_THROWS_WITH(neighbours_of(tokens, {1, 1}),
                    "neighbours: radius = 1 and nearest = 1; exactly one of them must be above 0.");
  CHECK_THROWS_WITH(neighbours_of(tokens, {}), Catch::Matchers::Contains("exactly one of them"));
  Tokens nowhere;
  nowhere.offsets = {0, 2};
  CHECK_THROWS_WITH(neighbours_of(nowhere, {0, 1}), Catch::Matchers::Contains("but coordinates of 0"));
}

TEST_CASE("layers refuse theta of the pass that nobody gave, and too much of it", "[learning][pairs][error]") {
  Parameters<double> parameters;
  AttentionSettings<double> settings;
  settings.width = 4;
  settings.modifiers = {pair_bias_of_pass<double>()};
  const MultiHeadAttention<double> layer(parameters, "attention", settings, Random(1));
  const Tokens tokens = strip_tokens();
  Tape<double> tape;
  tape.begin(&parameters, {});
  const Variable<double> x = tape.variable(Matrix<double>::Ones(7, 4));
  CHECK_THROWS_WITH(layer(x, tokens),
                    "multi_head_attention: 1 modifiers take their theta from the pass, but 0 variables were given; "
                    "each needs one.");
  const Variable<double> wrong[] = {tape.variable(Matrix<double>::Zero(1, 3))};
  CHECK_THROWS_WITH(layer(x, tokens, wrong), Catch::Matchers::Contains("modifier 0 got 3 parameters, but has 37"));
}

}  // namespace
}  // namespace fovea::learning
