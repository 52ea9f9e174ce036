// Attention with modifiers that choose keys by geometry or pattern: bits, memory, refusals.

#include "fovea/core/attention.hpp"
#include "fovea/tests/support/peak_memory.hpp"
#include "fovea/tests/support/plain_attention.hpp"
#include "fovea/tests/support/processor_time.hpp"
#include "fovea/tests/support/sanitizers.hpp"
#include "fovea/tests/support/test.hpp"

using namespace fovea::test;

namespace {

// Weighted means of a hundred terms of size 1, summed in another order: 1e-16 x 100, with a margin of 100.
constexpr double kRegroupedTolerance = 1e-12;

using Modifier = std::shared_ptr<const ScoreModifier<double>>;

/// A packed problem whose tokens lie on a plane, and the same with one of its sets alone.
struct Placed {
  Packed packed;
  Coordinates coordinates;
};

Placed placed(const std::vector<std::pair<Index, Index>>& sizes) {
  Placed all{packed_problem(sizes, 2, 3, 2, 107), {}};
  set_score(all.packed, score_entry("gaussian"));
  const ExampleProblem& example = all.packed.example;
  all.coordinates = {random_matrix(example.query_count, 2, 117),
                     random_matrix(example.key_count, 2, 118),
                     {0, 2},
                     {example.query_offsets, example.key_offsets}};
  return all;
}

Placed only_set(const Placed& all, std::size_t set) {
  const auto &queries = all.packed.example.query_offsets, &keys = all.packed.example.key_offsets;
  const Index i = queries[set], j = keys[set], n = queries[set + 1] - i, m = keys[set + 1] - j;
  Placed alone = placed({{n, m}});
  alone.packed.queries = all.packed.queries.middleRows(i, n);
  alone.packed.keys = all.packed.keys.middleRows(j, m);
  alone.packed.values = all.packed.values.middleRows(j, m);
  alone.packed.output_gradient = all.packed.output_gradient.middleRows(i, n);
  alone.coordinates.queries = all.coordinates.queries.middleRows(i, n);
  alone.coordinates.keys = all.coordinates.keys.middleRows(j, m);
  return alone;
}

struct Answers {
  Matrix<double> outputs, queries, keys, values;
};

Answers answers(const Packed& p, const Modifier& modifier) {
  AttentionSpec<double> spec = p.spec;
  spec.modifiers = {{modifier, {}}};
  const auto forward = attend(p.queries, p.keys, p.values, spec);
  const auto gradients = attend_backward(p.queries, p.keys, p.values, spec, forward, p.output_gradient);
  return {forward.outputs, gradients.queries, gradients.keys, gradients.values};
}

bool same_bits(const Answers& a, const Answers& b) {
  return test::same_bits(a.outputs, b.outputs) && test::same_bits(a.queries, b.queries) &&
         test::same_bits(a.keys, b.keys) && test::same_bits(a.values, b.values);
}

double difference(const Answers& a, const Answers& b) {
  const auto largest = [](const Matrix<double>& x, const Matrix<double>& y) { return (x - y).cwiseAbs().maxCoeff(); };
  return std::max({largest(a.outputs, b.outputs), largest(a.queries, b.queries), largest(a.keys, b.keys),
                   largest(a.values, b.values)});
}

/// Every way to choose keys, as lists and as tiles.
const std::vector<std::pair<const char*, std::function<Modifier(const Coordinates&)>>> kChoices{
    {"nearest", [](const Coordinates& c) { return nearest_neighbours<double>(c, 5); }},
    {"radius as tiles", [](const Coordinates& c) { return radius<double>(c, 0.3, PairsAs::tiles); }},
    {"radius as lists", [](const Coordinates& c) { return radius<double>(c, 0.3, PairsAs::lists); }},
    {"longformer as tiles",
     [](const Coordinates&) {
       return longformer<double>(4, {0, 70});
     }},
    {"longformer as lists",
     [](const Coordinates& c) {
       return longformer<double>(4, {0, 70}, c.sets);
     }},
    {"big_bird as tiles",
     [](const Coordinates& c) {
       return big_bird<double>({16, 3, 1, 2, 9}, c.sets);
     }},
    {"big_bird as lists",
     [](const Coordinates& c) {
       return big_bird<double>({4, 3, 1, 2, 9}, c.sets);
     }},
    {"strided as tiles", [](const Coordinates&) { return strided<double>(11); }},
    {"strided as lists", [](const Coordinates& c) { return strided<double>(11, c.sets); }},
};

Coordinates points(Index queries, Index keys, Index dimensions) {
  return {Matrix<double>::Ones(queries, dimensions), Matrix<double>::Ones(keys, dimensions), {}, {}};
}

std::string refusal_of(const Coordinates& coordinates) {
  return support::refusal_of<ArgumentError>([&] { radius<double>(coordinates, 1); });
}

std::string refusal_in_attend(const Modifier& modifier, const PackedSets& sets = {}) {
  const Matrix<double> queries = Matrix<double>::Ones(3, 2), keys = Matrix<double>::Ones(4, 2);
  AttentionSpec<double> spec;
  spec.score = {gaussian_score<double>(), {}};
  spec.modifiers = {{modifier, {}}};
  spec.query_offsets = sets.query_offsets;
  spec.key_offsets = sets.key_offsets;
  return support::refusal_of<ArgumentError>([&] { attend(queries, keys, keys, spec); });
}

}  // namespace

TEST_CASE("a set whose keys are chosen has the same bits alone as packed, with 1, 2, 3 and 5 threads",
          "[modifier][property][threads]") {
  const Placed all = placed({{5, 9}, {90, 700}, {0, 3}, {30, 2}});
  const Placed alone = only_set(all, 1);
  const int before = omp_get_max_threads();
  for (const auto& [name, make] : kChoices) DYNAMIC_SECTION(name) {
      omp_set_num_threads(1);
      const Answers packed = answers(all.packed, make(all.coordinates));
      const Answers rows{packed.outputs.middleRows(5, 90), packed.queries.middleRows(5, 90),
                         packed.keys.middleRows(9, 700), packed.values.middleRows(9, 700)};
      CHECK(same_bits(answers(alone.packed, make(alone.coordinates)), rows));
      for (const int threads : {2, 3, 5}) {
        omp_set_num_threads(threads);
        CHECK(same_bits(answers(all.packed, make(all.coordinates)), packed));
      }
      omp_set_num_threads(before);
    }
}

TEST_CASE("lists and tiles give the same attention", "[modifier][twin]") {
  const Placed all = placed({{5, 9}, {90, 700}, {30, 2}});
  const PackedSets& sets = all.coordinates.sets;
  const auto compare = [&](const Modifier& tiles, const Modifier& lists) {
    REQUIRE((tiles->neighbours() == nullptr && lists->neighbours() != nullptr));
    CHECK(difference(answers(all.packed, tiles), answers(all.packed, lists)) < kRegroupedTolerance);
  };
  compare(radius<double>(all.coordinates, 0.3, PairsAs::tiles), radius<double>(all.coordinates, 0.3, PairsAs::lists));
  compare(longformer<double>(4, {0, 70}), longformer<double>(4, {0, 70}, sets));
  compare(strided<double>(11), strided<double>(11, sets));
  const Modifier listed = big_bird<double>({4, 3, 1, 2, 9}, sets);
  AttentionSpec<double> both = all.packed.spec;
  // The pattern once more, behind its own lists: it must leave them as they are.
  both.modifiers = {{listed, {}}, {listed, {}}};
  CHECK(test::same_bits(attend(all.packed.queries, all.packed.keys, all.packed.values, both).outputs,
                        answers(all.packed, listed).outputs));
}

TEST_CASE("coordinates say what is wrong with them", "[modifier]") {
  CHECK(refusal_of(points(3, 4, 2)) == "");
  CHECK(refusal_of(points(0, 0, 1)) == "");
  Coordinates c = points(3, 4, 2);
  c.keys = Matrix<double>::Ones(4, 3);
  CHECK(refusal_of(c) == "radius: the queries have coordinates in 2 dimensions but the keys in 3; both need the same.");
  CHECK(refusal_of(points(3, 4, 0)) == "radius: the coordinates have 0 dimensions, but must have 1 to 8.");
  CHECK(refusal_of(points(3, 4, 9)) == "radius: the coordinates have 9 dimensions, but must have 1 to 8.");
  c = points(3, 4, 2);
  c.periods = {0, 6.28, 1};
  CHECK(refusal_of(c) ==
        "radius: there are 3 periods, but the coordinates have 2 dimensions; give one for each (0: not periodic) or "
        "none.");
  c.periods = {0, -6.28};
  CHECK(refusal_of(c) ==
        "radius: period 1 is -6.28, but must be finite and > 0, or 0 for an axis that is not periodic.");
  c.periods = {std::numeric_limits<double>::infinity(), 0};
  CHECK(refusal_of(c) == "radius: period 0 is inf, but must be finite and > 0, or 0 for an axis that is not periodic.");
  c = points(3, 4, 2);
  c.keys(2, 1) = std::numeric_limits<double>::quiet_NaN();
  CHECK(refusal_of(c) == "radius: coordinate 1 of key 2 is nan, but must be finite.");
  c = points(3, 4, 2);
  c.queries(0, 0) = std::numeric_limits<double>::infinity();
  CHECK(refusal_of(c) == "radius: coordinate 0 of query 0 is inf, but must be finite.");
}

TEST_CASE("sets that do not fit the coordinates are refused", "[modifier]") {
  Coordinates c = points(3, 4, 2);
  c.sets = {{0, 3}, {}};
  CHECK(refusal_of(c) == "radius: there are 2 query_offsets but 0 key_offsets; each set needs both.");
  c.sets = {{0}, {0}};
  CHECK(refusal_of(c) == "radius: there are 1 query_offsets, but one set needs two: 0 and its number of rows.");
  c.sets = {{1, 3}, {0, 4}};
  CHECK(refusal_of(c) == "radius: query_offsets start at 1, but must start at 0.");
  c.sets = {{0, 1, 3}, {0, 5, 4}};
  CHECK(refusal_of(c) == "radius: key_offsets fall from 5 to 4 at set 1; they must not fall.");
  c.sets = {{0, 1, 3}, {0, 4, 5}};
  CHECK(refusal_of(c) ==
        "radius: key_offsets end at 5, but there are coordinates of 4 key rows; the last offset must be their number.");
}

TEST_CASE("modifiers that choose keys say what they cannot be", "[modifier]") {
  const PackedSets sets{{0, 3}, {0, 4}};
  CHECK(support::refusal_of<ArgumentError>([] { nearest_neighbours<double>(points(3, 4, 2), 0); }) ==
        "nearest_neighbours: k = 0, but must be at least 1.");
  CHECK(
      support::refusal_of<ArgumentError>([] { nearest_neighbours<double>(points(3, 4, 2), 1, false); }) ==
      "nearest_neighbours: there are 3 queries and 4 keys in sets of their own, but leaving out the query itself needs "
      "keys that are the queries.");
  Coordinates c = points(3, 3, 2);
  c.keys(1, 0) = 7;
  CHECK(
      support::refusal_of<ArgumentError>([&] { nearest_neighbours<double>(c, 1, false); }) ==
      "nearest_neighbours: query 1 lies elsewhere than key 1, but leaving out the query itself needs keys that are the "
      "queries.");
  for (const double limit : {0.0, -1.0, std::numeric_limits<double>::infinity()})
    CHECK(support::refusal_of<ArgumentError>([&] { radius<double>(points(3, 4, 2), limit); }) ==
          concat("radius: radius = ", limit, ", but must be > 0 and finite."));
  CHECK(support::refusal_of<ArgumentError>([] { radius<double>(points(3, 4, 2), std::nan("")); }) ==
        "radius: radius = nan, but must be > 0 and finite.");
  CHECK(support::refusal_of<ArgumentError>([] { longformer<double>(-1, {}); }) ==
        "longformer: reach = -1, but must be at least 0 (0: each position attends only to itself).");
  CHECK(support::refusal_of<ArgumentError>([] {
          longformer<double>(1, {4, 4});
        }) == "longformer: global position 1 is 4; they must ascend from 0 or more, each once.");
  CHECK(support::refusal_of<ArgumentError>([] { longformer<double>(1, {-2}); }) ==
        "longformer: global position 0 is -2; they must ascend from 0 or more, each once.");
  CHECK(support::refusal_of<ArgumentError>([] { strided<double>(0); }) ==
        "strided: stride = 0, but must be at least 1.");
  CHECK(support::refusal_of<ArgumentError>([&] {
          big_bird<double>({0, 3, 1, 2, 1}, sets);
        }) == "big_bird: block = 0, but must be at least 1 position.");
  CHECK(support::refusal_of<ArgumentError>([&] {
          big_bird<double>({4, 2, 1, 2, 1}, sets);
        }) ==
        "big_bird: window_blocks = 2, but must be odd and at least 1: the query's own block and the same number on "
        "either side.");
  CHECK(support::refusal_of<ArgumentError>([&] {
          big_bird<double>({4, 3, -1, 2, 1}, sets);
        }) == "big_bird: global_blocks = -1, but must be at least 0.");
  CHECK(support::refusal_of<ArgumentError>([&] {
          big_bird<double>({4, 3, 1, -2, 1}, sets);
        }) == "big_bird: random_blocks = -2, but must be at least 0.");
  CHECK(support::refusal_of<ArgumentError>([] {
          big_bird<double>({4, 3, 1, 2, 1}, {});
        }) == "big_bird: there are 0 query_offsets, but one set needs two: 0 and its number of rows.");
}

TEST_CASE("attend refuses modifiers that were made for other rows or sets", "[modifier]") {
  const PackedSets sets{{0, 1, 3}, {0, 2, 4}};
  CHECK(refusal_in_attend(nearest_neighbours<double>(points(3, 4, 2), 1)) == "");
  CHECK(
      refusal_in_attend(nearest_neighbours<double>(points(3, 5, 2), 1)) ==
      "nearest_neighbours: it was made for 3 queries and 5 keys, but attend() got 3 queries and 4 keys; both need the "
      "same rows.");
  for (const PairsAs pairs : {PairsAs::lists, PairsAs::tiles})
    CHECK(refusal_in_attend(radius<double>(points(3, 4, 2), 1, pairs), sets) ==
          "radius: it was made for 1 packed sets, but attend() got 2; give both the same offsets.");
  for (const Index stride : {2, 20})  // as tiles, as lists
    CHECK(
        refusal_in_attend(strided<double>(stride, {{0, 1, 3}, {0, 3, 4}}), sets) ==
        "strided: it was made for a set 1 that starts at query 1 and key 3, but that of attend() starts at query 1 and "
        "key 2; give both the same offsets.");
  CHECK(refusal_in_attend(longformer<double>(2, {0}), sets) == "");
}

TEST_CASE("16 neighbours of 55000 points in 3 dimensions need less than 200 MiB, lists and attention",
          "[modifier][memory]") {
  // All pairs would be 24 GB. The lists are 7 MiB, the inputs and outputs 3.5 MiB each.
  const Index n = 55000;
  const Matrix<double> places = random_matrix(n, 3, 127);
  const Matrix<float> tokens = random_matrix(n, 16, 128).cast<float>();
  const double before = test::peak_mebibytes(true);
  AttentionSpec<float> spec;
  spec.score = {dot_product_score<float>(), {}};
  const double start = support::processor_seconds();
  spec.modifiers = {{nearest_neighbours<float>({places, places, {}, {}}, 16), {}}};
  const double built = support::processor_seconds();
  const auto forward = attend(tokens, tokens, tokens, spec);
  const double search = built - start, attention = support::processor_seconds() - built;
  INFO("search " << search << " s, attention " << attention << " s");
  CHECK(test::peak_mebibytes(false) - before < 200);
  CHECK(forward.outputs.allFinite());
  if (support::any_sanitizer()) return;
  CHECK(search < 2);  // 0.2 s and 0.1 s of a processor, times 10 for a slow one
  CHECK(attention < 1);
}
