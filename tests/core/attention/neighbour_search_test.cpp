// The search for near keys against a comparison of all pairs.

#include "fovea/core/attention/neighbours/search.hpp"
#include "fovea/tests/support/plain_attention.hpp"
#include "fovea/tests/support/processor_time.hpp"
#include "fovea/tests/support/test.hpp"

using namespace fovea::test;

namespace {

enum class Cloud { uniform, clustered, lattice, one_place };

Matrix<double> cloud(Cloud kind, Index count, Index dimensions, unsigned salt) {
  Matrix<double> points = 10 * random_matrix(count, dimensions, salt);
  if (kind == Cloud::clustered)
    for (Index i = 0; i < count; ++i) points.row(i) = 1e-3 * points.row(i).array() + static_cast<double>(i % 4);
  if (kind == Cloud::lattice) points = (points / 4).array().round().matrix();
  if (kind == Cloud::one_place) points.setConstant(0.3);
  return points;
}

Coordinates packed_cloud(Cloud kind, Index dimensions, const std::vector<double>& periods,
                         const std::vector<std::pair<Index, Index>>& sizes) {
  const Packed packed = packed_problem(sizes, 1, 1, 1, 1);
  return {cloud(kind, packed.example.query_count, dimensions, 3),
          cloud(kind, packed.example.key_count, dimensions, 5),
          periods,
          {packed.example.query_offsets, packed.example.key_offsets}};
}

double plain_square(const Coordinates& c, Index i, Index j) {
  double sum = 0;
  for (Index a = 0; a < c.keys.cols(); ++a) {
    const double period = c.periods.empty() ? 0 : c.periods[a];
    double gap = c.queries(i, a) - c.keys(j, a);
    if (period > 0)
      gap = std::remainder(std::remainder(c.queries(i, a), period) - std::remainder(c.keys(j, a), period), period);
    sum += gap * gap;
  }
  return sum;
}

/// choose(candidates of one query in the order of distance, then row) -> those that stay.
template <typename Choose>
NeighbourLists plain_lists(const Coordinates& c, const Choose& choose) {
  NeighbourLists lists;
  lists.offsets.push_back(0);
  for (std::size_t set = 0; set + 1 < c.sets.query_offsets.size(); ++set)
    for (Index i = c.sets.query_offsets[set]; i < c.sets.query_offsets[set + 1]; ++i) {
      std::vector<std::pair<double, Index>> all;
      for (Index j = c.sets.key_offsets[set]; j < c.sets.key_offsets[set + 1]; ++j)
        all.emplace_back(plain_square(c, i, j), j);
      std::sort(all.begin(), all.end());
      std::vector<Index> rows = choose(i, all);
      std::sort(rows.begin(), rows.end());
      lists.keys.insert(lists.keys.end(), rows.begin(), rows.end());
      lists.offsets.push_back(static_cast<Index>(lists.keys.size()));
    }
  return lists;
}

NeighbourLists plain_nearest(const Coordinates& c, Index k, bool include_self) {
  return plain_lists(c, [&](Index i, const auto& all) {
    std::vector<Index> rows;
    for (const auto& [square, j] : all)
      if (static_cast<Index>(rows.size()) < k && (include_self || j != i)) rows.push_back(j);
    return rows;
  });
}

NeighbourLists plain_within(const Coordinates& c, double radius) {
  return plain_lists(c, [&](Index, const auto& all) {
    std::vector<Index> rows;
    for (const auto& [square, j] : all)
      if (square <= radius * radius) rows.push_back(j);
    return rows;
  });
}

bool same(const NeighbourLists& a, const NeighbourLists& b) { return a.offsets == b.offsets && a.keys == b.keys; }

/// None, one and all axes periodic; the clouds reach over more than one period.
std::vector<std::vector<double>> periods_for(Index dimensions) {
  std::vector<double> one(dimensions, 0), all(one.size(), 7.5);
  one.back() = 6.283185307179586;
  return {{}, one, all};
}

const std::vector<std::pair<Index, Index>> kSets{{30, 230}, {0, 3}, {1, 1}, {5, 0}, {7, 2}, {40, 31}};

template <typename Check>
void for_each_cloud(const Check& check) {
  for (const Cloud kind : {Cloud::uniform, Cloud::clustered, Cloud::lattice, Cloud::one_place})
    for (Index dimensions = 1; dimensions <= kMostDimensions; ++dimensions)
      for (const auto& periods : periods_for(dimensions)) {
        INFO("cloud " << static_cast<int>(kind) << ", " << dimensions << " dimensions, "
                      << (periods.empty() ? 0 : periods.front()) << " the first period");
        check(packed_cloud(kind, dimensions, periods, kSets));
      }
}

}  // namespace

TEST_CASE("the nearest keys are those of a comparison of all pairs, ties by row", "[neighbours][twin]") {
  for_each_cloud([](const Coordinates& c) {
    const CheckedCoordinates checked("test", c);
    for (const Index k : {1, 4, 31, 1000}) {
      INFO("k = " << k);
      CHECK(same(nearest_keys(checked, k), plain_nearest(c, k, true)));
    }
  });
}

TEST_CASE("a query that is left out of its own neighbours makes place for another", "[neighbours][twin]") {
  for (const Cloud kind : {Cloud::uniform, Cloud::lattice, Cloud::one_place})
    for (const Index k : {1, 5, 99, 500}) {
      Coordinates c = packed_cloud(kind, 3, {0, 5, 0}, {{100, 100}, {1, 1}, {0, 0}, {250, 250}});
      c.keys = c.queries;
      CHECK(same(nearest_keys(CheckedCoordinates("test", c), k, false), plain_nearest(c, k, false)));
    }
}

TEST_CASE("the keys within a radius are those of a comparison of all pairs, the border included",
          "[neighbours][twin]") {
  for_each_cloud([](const Coordinates& c) {
    const CheckedCoordinates checked("test", c);
    for (const double radius : {1e-3, 1.0, 5.0, 1e3}) {  // 1 is a distance on the lattice
      INFO("radius " << radius);
      const NeighbourLists expected = plain_within(c, radius);
      CHECK(same(keys_within(checked, radius), expected));
    }
  });
}

TEST_CASE("whole periods change no neighbour", "[neighbours][property]") {
  // Eighths and a period of 4: all sums are exact.
  Coordinates c = packed_cloud(Cloud::lattice, 2, {4, 0}, {{300, 300}});
  c.queries /= 8;
  c.keys /= 8;
  const NeighbourLists before = nearest_keys(CheckedCoordinates("test", c), 9);
  for (Index i = 0; i < 300; ++i) {
    c.queries(i, 0) += static_cast<double>(4 * (i % 5 - 2));
    c.keys(i, 0) += static_cast<double>(4 * (i % 3 - 1));
  }
  CHECK(same(nearest_keys(CheckedCoordinates("test", c), 9), before));
}

TEST_CASE("an angle just below pi is near one just above -pi", "[neighbours][limit]") {
  Coordinates c;
  c.queries = Matrix<double>::Constant(1, 1, 3.1);
  c.keys.resize(3, 1);
  c.keys << 2.9, -3.1, 0;
  c.periods = {6.283185307179586};
  CHECK(nearest_keys(CheckedCoordinates("test", c), 1).keys == std::vector<Index>{1});
  CHECK(keys_within(CheckedCoordinates("test", c), 0.1).keys == std::vector<Index>{1});
  c.periods.clear();
  CHECK(nearest_keys(CheckedCoordinates("test", c), 1).keys == std::vector<Index>{0});
}

TEST_CASE("coordinates whose squares overflow still have their nearest keys", "[neighbours][limit]") {
  Coordinates c;
  c.queries = Matrix<double>::Constant(1, 2, -1.7e308);
  c.keys = Matrix<double>::Constant(40, 2, 1.7e308);
  CHECK(nearest_keys(CheckedCoordinates("test", c), 2).keys == std::vector<Index>{0, 1});
  c.keys.row(30).setConstant(-1.7e308);
  CHECK(nearest_keys(CheckedCoordinates("test", c), 2).keys == std::vector<Index>{0, 30});
  CHECK(keys_within(CheckedCoordinates("test", c), 1).keys == std::vector<Index>{30});
}

TEST_CASE("any number of threads finds the same neighbours", "[neighbours][threads]") {
  const CheckedCoordinates c("test", packed_cloud(Cloud::uniform, 3, {0, 7, 0}, {{900, 700}, {5, 9}, {400, 300}}));
  const int before = omp_get_max_threads();
  omp_set_num_threads(1);
  const NeighbourLists nearest = nearest_keys(c, 8), within = keys_within(c, 2);
  for (const int threads : {2, 3, 5}) {
    omp_set_num_threads(threads);
    CHECK(same(nearest_keys(c, 8), nearest));
    CHECK(same(keys_within(c, 2), within));
  }
  omp_set_num_threads(before);
}

TEST_CASE("of two keys at the same distance on either side the one with the lower row is nearer",
          "[neighbours][limit]") {
  // Rows 2 m and 2 m + 1 lie m + 1 to the right and to the left, or the other way round.
  const Index n = 400;
  Coordinates c{Matrix<double>::Zero(1, 1), Matrix<double>(n, 1), {}, {{0, 1}, {0, n}}};
  const Matrix<double> sides = random_matrix(n, 1, 7);
  for (Index j = 0; j < n; ++j)
    c.keys(j, 0) = static_cast<double>(j / 2 + 1) * (((sides(j / 2, 0) > 0) == (j % 2 == 0)) ? 1 : -1);
  for (const double side : {1, -1}) {
    c.keys *= side;
    const CheckedCoordinates checked("test", c);
    for (Index k = 1; k < n; ++k) CHECK(nearest_keys(checked, k).keys.back() == k - 1);  // the list is 0 to k - 1
  }
}

TEST_CASE("duplicates cost no more than other points", "[neighbours][limit]") {
  const Index n = 20000;
  const auto seconds = [](const Coordinates& c, NeighbourLists& lists) {
    return support::least_processor_seconds([&] { lists = nearest_keys(CheckedCoordinates("test", c), 2, false); });
  };
  NeighbourLists lists;
  Coordinates c{cloud(Cloud::uniform, n, 3, 1), cloud(Cloud::uniform, n, 3, 1), {}, {}};
  const double apart = seconds(c, lists);
  c.queries = c.keys = cloud(Cloud::one_place, n, 3, 1);
  // Compared pair by pair they would take 100 times as long; 5 is for processors that others use as well.
  CHECK(seconds(c, lists) < 5 * apart);
  CHECK(std::vector<Index>(lists.keys.begin(), lists.keys.begin() + 4) == std::vector<Index>{1, 2, 0, 2});
  CHECK(std::vector<Index>(lists.keys.end() - 2, lists.keys.end()) == std::vector<Index>{0, 1});
  for (Index i = 0; i < n; ++i) c.queries(i, 0) = c.keys(i, 0) = static_cast<double>(i % 5);
  CHECK(seconds(c, lists) < 5 * apart);
  CHECK(std::vector<Index>(lists.keys.begin(), lists.keys.begin() + 2) == std::vector<Index>{5, 10});
  CHECK(std::vector<Index>(lists.keys.end() - 2, lists.keys.end()) == std::vector<Index>{4, 9});
}
