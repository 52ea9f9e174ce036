// Every registered modifier on tiles of scores: each pair by itself, bounds and visible keys never too narrow, extremes
// finite; in the engine, over many tiles and threads; and the loops behind them in every width.

#include "fovea/core/attention.hpp"
#include "fovea/core/attention/modifiers/parts/widest.hpp"
#include "fovea/core/kernels/kernels.hpp"
#include "fovea/tests/support/gradient_check.hpp"
#include "fovea/tests/support/plain_attention.hpp"
#include "fovea/tests/support/test.hpp"

using namespace fovea::test;

namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
// Sums of a thousand terms of size 1, in two orders: 1e-16 x 1000, x 10.
constexpr double kOrderTolerance = 1e-12;
// Central differences of a sum of 70 000 pairs, moved together: kGradientTolerance x 10.
constexpr double kLineSlopeTolerance = 1e-7;

/// Two sets, so that rows and positions differ.
ExampleProblem two_sets() { return {45, 607, 2, {0, 5, 45}, {0, 7, 607}, 2}; }

/// Scores in [-3, 3) of some queries and keys of the second set.
struct Scores {
  std::vector<double> numbers;
  ScoreTile<double> tile;
};

Scores scores_of(Index first_query, Index queries, Index first_key, Index keys, const Index* list = nullptr) {
  Scores made;
  static_cast<TileRange&>(made.tile) = {1, 5 + first_query, queries, 7 + first_key, keys, list, 5, 7};
  const Matrix<double> random = 3 * random_matrix(queries, keys, 71);
  made.numbers.assign(random.data(), random.data() + random.size());
  made.tile.stride = keys;
  return made;
}

ScoreTile<double> tile_of(Scores& scores) {
  ScoreTile<double> tile = scores.tile;
  tile.scores = scores.numbers.data();
  return tile;
}

const std::vector<Index> kListedKeys{9, 10, 14, 31, 200, 333, 334, 335, 336, 512, 600};

/// Tiles of the shapes that the engine makes.
std::vector<Scores> tiles() {
  return {scores_of(10, 14, 0, 512), scores_of(0, 8, 512, 88), scores_of(32, 8, 3, 3), scores_of(20, 1, 57, 1),
          scores_of(25, 1, 0, static_cast<Index>(kListedKeys.size()), kListedKeys.data())};
}

template <typename Check>
void for_each_modifier(const Check& check) {
  for (const auto& entry : modifiers<double>()) DYNAMIC_SECTION(entry.name) {
      const ExampleProblem problem = two_sets();
      check(*entry.make(problem), entry.start(problem));
    }
}

bool same_numbers(const std::vector<double>& a, const std::vector<double>& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(double)) == 0;
}

/// The part of a tile that has these queries and keys, counted within it.
ScoreTile<double> part(const ScoreTile<double>& tile, Index query, Index queries, Index key, Index keys) {
  ScoreTile<double> piece = tile;
  piece.first_query += query;
  piece.query_count = queries;
  piece.first_key = tile.key(key);
  piece.key_count = keys;
  piece.key_list = tile.key_list ? tile.key_list + key : nullptr;
  piece.scores = tile.row(query) + key;
  return piece;
}

/// Calls visit(first query, queries, first key, keys) for unequal parts that make up the tile.
template <typename Visit>
void for_each_part(const TileRange& tile, const Visit& visit) {
  for (Index query = 0, queries = 0; query < tile.query_count; query += queries) {
    queries = std::min<Index>(3, tile.query_count - query);
    for (Index key = 0, keys = 0; key < tile.key_count; key += keys) {
      keys = std::min<Index>(131, tile.key_count - key);
      visit(query, queries, key, keys);
    }
  }
}

}  // namespace

TEST_CASE("every modifier treats each pair by itself: parts of a tile have the bits of the whole",
          "[attention][modifier][property]") {
  for_each_modifier([](const ScoreModifier<double>& modifier, const std::vector<double>& theta) {
    for (Scores whole : tiles()) {
      Scores parts = whole;
      modifier.apply(tile_of(whole), theta);
      for_each_part(whole.tile, [&](Index query, Index queries, Index key, Index keys) {
        modifier.apply(part(tile_of(parts), query, queries, key, keys), theta);
      });
      CHECK(same_numbers(whole.numbers, parts.numbers));
    }
  });
}

TEST_CASE("every modifier's gradient of a tile is that of its parts", "[attention][modifier][property]") {
  for_each_modifier([](const ScoreModifier<double>& modifier, const std::vector<double>& theta) {
    for (Scores before : tiles()) {
      Scores gradient = before, parts = before;
      std::vector<double> total(theta.size(), 0.5), sum(theta.size(), 0.5);
      modifier.backward(tile_of(before), tile_of(gradient), theta, total);
      for_each_part(before.tile, [&](Index query, Index queries, Index key, Index keys) {
        modifier.backward(part(tile_of(before), query, queries, key, keys),
                          part(tile_of(parts), query, queries, key, keys), theta, sum);
      });
      CHECK(same_numbers(gradient.numbers, parts.numbers));
      double error = 0;
      for (std::size_t k = 0; k < theta.size(); ++k)
        error = std::max(error, std::abs(total[k] - sum[k]) / (1 + std::abs(total[k])));
      CHECK(error < kOrderTolerance);
    }
  });
}

TEST_CASE("a modifier that says it reads no scores is content with none", "[attention][modifier]") {
  for_each_modifier([](const ScoreModifier<double>& modifier, const std::vector<double>& theta) {
    if (modifier.reads_scores()) return;
    Scores before = scores_of(10, 14, 0, 512), gradient = before, blind = before;
    std::vector<double> with(theta.size(), 0), without(theta.size(), 0);
    modifier.backward(tile_of(before), tile_of(gradient), theta, with);
    ScoreTile<double> none = before.tile;
    modifier.backward(none, tile_of(blind), theta, without);
    CHECK(same_numbers(gradient.numbers, blind.numbers));
    CHECK(with == without);
  });
}

TEST_CASE("no score that leaves a modifier is above its bound, and none outside the visible keys is left",
          "[attention][modifier][property]") {
  for_each_modifier([](const ScoreModifier<double>& modifier, const std::vector<double>& theta) {
    for (Scores scores : tiles()) {
      const double incoming = *std::max_element(scores.numbers.begin(), scores.numbers.end());
      const KeySpan seen = scores.tile.key_list ? KeySpan{0, scores.tile.key_count} : modifier.visible(scores.tile);
      modifier.apply(tile_of(scores), theta);
      double outgoing = kMasked<double>;
      Index left = 0;
      for (Index i = 0; i < scores.tile.query_count; ++i)
        for (Index j = 0; j < scores.tile.key_count; ++j) {
          const double score = tile_of(scores).row(i)[j];
          outgoing = std::max(outgoing, score);
          left += (j < seen.begin || j >= seen.end) && score != kMasked<double>;
        }
      CHECK(left == 0);
      CHECK(outgoing <= modifier.bound(scores.tile, incoming, theta));
      CHECK(modifier.bound(scores.tile, std::numeric_limits<double>::infinity(), theta) >= outgoing);
      CHECK_FALSE(std::isnan(modifier.bound(scores.tile, kMasked<double>, theta)));
    }
  });
}

TEST_CASE("a masked score stays masked, and a NaN is masked or stays", "[attention][modifier]") {
  for_each_modifier([](const ScoreModifier<double>& modifier, const std::vector<double>& theta) {
    for (Scores scores : tiles()) {
      Scores masked = scores, poisoned = scores;
      std::fill(masked.numbers.begin(), masked.numbers.end(), kMasked<double>);
      std::fill(poisoned.numbers.begin(), poisoned.numbers.end(), kNaN);
      for (Scores* each : {&scores, &masked, &poisoned}) modifier.apply(tile_of(*each), theta);
      const auto is_masked = [](double s) { return s == kMasked<double>; };
      CHECK(std::all_of(masked.numbers.begin(), masked.numbers.end(), is_masked));
      Index lost = 0;
      for (std::size_t k = 0; k < scores.numbers.size(); ++k)
        lost += is_masked(scores.numbers[k]) ? !is_masked(poisoned.numbers[k]) : !std::isnan(poisoned.numbers[k]);
      CHECK(lost == 0);
    }
  });
}

TEST_CASE("masked pairs with gradient 0 leave the gradients as they are", "[attention][modifier]") {
  for_each_modifier([](const ScoreModifier<double>& modifier, const std::vector<double>& theta) {
    for (Scores before : tiles()) {
      Scores gradient = before;
      std::fill(before.numbers.begin(), before.numbers.end(), kMasked<double>);
      std::fill(gradient.numbers.begin(), gradient.numbers.end(), 0.0);
      std::vector<double> total(theta.size(), 0.25);
      modifier.backward(tile_of(before), tile_of(gradient), theta, total);
      CHECK(std::all_of(gradient.numbers.begin(), gradient.numbers.end(), [](double g) { return g == 0; }));
      CHECK(std::all_of(total.begin(), total.end(), [](double g) { return g == 0.25; }));
    }
  });
}

TEST_CASE("scores of +-1e30 and the largest and smallest parameters leave no NaN and no infinite score",
          "[attention][modifier][limit]") {
  for_each_modifier([](const ScoreModifier<double>& modifier, std::vector<double> theta) {
    for (const double extreme : {-1000.0, -60.0, 60.0, 1000.0})
      for (Scores before : tiles()) {
        std::fill(theta.begin(), theta.end(), extreme);
        for (double& s : before.numbers) s = std::copysign(s > 1 ? 1e30 : s > -1 ? 1e-30 : 1.0, s);
        Scores after = before, gradient = before;
        modifier.apply(tile_of(after), theta);
        const auto is_wrong = [](double s) { return std::isnan(s) || s == std::numeric_limits<double>::infinity(); };
        CHECK(std::none_of(after.numbers.begin(), after.numbers.end(), is_wrong));
        for (std::size_t k = 0; k < gradient.numbers.size(); ++k)
          gradient.numbers[k] = after.numbers[k] == kMasked<double> ? 0 : 0.5;
        std::vector<double> total(theta.size(), 0);
        modifier.backward(tile_of(before), tile_of(gradient), theta, total);
        const auto is_nan = [](double g) { return std::isnan(g); };
        CHECK(std::none_of(gradient.numbers.begin(), gradient.numbers.end(), is_nan));
        CHECK(std::none_of(total.begin(), total.end(), is_nan));
      }
  });
}

namespace {

struct MixedLoop {
  template <typename Real>
  FOVEA_LOOP void operator()(const Real* x, Real* y, Real factor, Index count) const {
#pragma omp simd
    for (Index j = 0; j < count; ++j) {
      const Real scaled = x[j] * factor + Real(0.1);
      y[j] = select(std::abs(x[j]) < Real(0.5), scaled / (3 + x[j]), std::copysign(scaled - 1, x[j]));
    }
  }
};

template <typename Real>
void check_widths() {
  for (Index count = 1; count < 70; ++count) {
    const Matrix<Real> x = random_matrix(1, count, 81).cast<Real>();
    Matrix<Real> baseline(1, count), avx2 = baseline, avx512 = baseline;
    run_baseline<MixedLoop>(x.data(), baseline.data(), Real(1.7), count);
    run_widest<MixedLoop>(x.data(), avx2.data(), Real(1.7), count);
    avx512 = avx2;
    if (kernels_for<Real>(InstructionSet::avx2)) run_avx2<MixedLoop>(x.data(), avx2.data(), Real(1.7), count);
    if (kernels_for<Real>(InstructionSet::avx512)) run_avx512<MixedLoop>(x.data(), avx512.data(), Real(1.7), count);
    CHECK(test::same_bits(baseline, avx2));
    CHECK(test::same_bits(baseline, avx512));
  }
}

}  // namespace

TEST_CASE("a plain loop has the same bits in vectors of every width", "[attention][modifier][twin]") {
  check_widths<float>();
  check_widths<double>();
}

namespace {

/// Several tiles and blocks, behind a temperature, so that what comes before it has a gradient scaled by it.
Packed many_tiles(const ModifierEntry<double>& entry) {
  Packed p = packed_problem({{40, 1030}, {3, 0}, {33, 70}}, 2, 3, 2, 107);
  set_score(p, score_entry("dot_product"));
  add_modifier(p, entry);
  add_modifier(p, modifier_entry("temperature"));
  return p;
}

double loss_of(const Packed& p) {
  return (attend(p.queries, p.keys, p.values, p.spec).outputs.array() * p.output_gradient.array()).sum();
}

/// |gradient . u - central difference| / max(1, |gradient . u|) along a direction u of the `count` numbers at x.
double error_along_line(double* x, Index count, const double* gradient, const Packed& p) {
  const Matrix<double> direction = random_matrix(1, count, 109);
  Eigen::Map<Matrix<double>> point(x, 1, count);
  const Matrix<double> start = point;
  point = start + kStep * direction;
  const double above = loss_of(p);
  point = start - kStep * direction;
  const double below = loss_of(p);
  point = start;
  const double slope = Eigen::Map<const Matrix<double>>(gradient, 1, count).cwiseProduct(direction).sum();
  return std::abs(slope - (above - below) / (2 * kStep)) / std::max(1.0, std::abs(slope));
}

}  // namespace

TEST_CASE("every modifier over many tiles: gradients along a line agree with central differences",
          "[attention][modifier][gradient]") {
  for (const auto& entry : modifiers<double>()) DYNAMIC_SECTION(entry.name) {
      Packed p = many_tiles(entry);
      const auto forward = attend(p.queries, p.keys, p.values, p.spec);
      const auto found = attend_backward(p.queries, p.keys, p.values, p.spec, forward, p.output_gradient);
      CHECK(error_along_line(p.queries.data(), p.queries.size(), found.queries.data(), p) < kLineSlopeTolerance);
      CHECK(error_along_line(p.keys.data(), p.keys.size(), found.keys.data(), p) < kLineSlopeTolerance);
      CHECK(error_along_line(p.values.data(), p.values.size(), found.values.data(), p) < kLineSlopeTolerance);
      for (std::size_t m = 0; m < 2; ++m) {
        std::vector<double>& theta = p.spec.modifiers[m].theta;
        const std::vector<double>& gradient = found.modifier_theta[m];
        REQUIRE(gradient.size() == theta.size());
        CHECK(error_along_line(theta.data(), static_cast<Index>(theta.size()), gradient.data(), p) <
              kLineSlopeTolerance);
      }
    }
}

TEST_CASE("every modifier: 1, 2, 3 and 5 threads give the same bits, its parameters' gradients included",
          "[attention][modifier][threads]") {
  const int before = omp_get_max_threads();
  for (const auto& entry : modifiers<double>()) DYNAMIC_SECTION(entry.name) {
      const Packed p = many_tiles(entry);
      omp_set_num_threads(1);
      const auto alone = attend(p.queries, p.keys, p.values, p.spec);
      const auto gradients = attend_backward(p.queries, p.keys, p.values, p.spec, alone, p.output_gradient);
      for (const int threads : {2, 3, 5}) {
        omp_set_num_threads(threads);
        const auto forward = attend(p.queries, p.keys, p.values, p.spec);
        CHECK(test::same_bits(forward.outputs, alone.outputs));
        CHECK(test::same_bits(attend_backward(p.queries, p.keys, p.values, p.spec, forward, p.output_gradient),
                              gradients));
      }
    }
  omp_set_num_threads(before);
}
