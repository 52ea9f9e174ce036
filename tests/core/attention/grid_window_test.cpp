// Attention in windows of a grid: its own way against the walk over tiles and against lists, on every instruction set;
// what a point sees does not depend on where the image is cut; keys that are none.

#include "fovea/core/attention.hpp"
#include "fovea/core/attention/grid/grid_kernels.hpp"
#include "fovea/tests/support/plain_attention.hpp"
#include "fovea/tests/support/test.hpp"

using namespace fovea::test;

namespace {

/// Two grids of different width, three heads of queries that share one of keys, biases, and keys that are none.
template <typename Real>
struct GridCase {
  Matrix<Real> queries, keys, values, output_gradient;
  AttentionSpec<Real> spec;
  NeighbourLists lists;
};

template <typename Real>
GridCase<Real> grid_case(Index reach, Index dilation, Index d) {
  const std::vector<Index> heights{23, 9}, widths{70, 5}, offsets{0, 23 * 70, 23 * 70 + 9 * 5};
  GridCase<Real> made;
  const Index n = offsets.back(), heads = 2;
  made.queries = random_matrix(n, heads * d, 1).cast<Real>();
  made.keys = random_matrix(n, d, 2).cast<Real>();
  made.values = random_matrix(n, 3, 3).cast<Real>();
  made.output_gradient = random_matrix(n, heads * 3, 4).cast<Real>();
  made.spec.score = {dot_product_score<Real>(), {}};
  made.spec.heads = heads;
  made.spec.key_heads = 1;
  made.spec.query_offsets = made.spec.key_offsets = offsets;
  std::vector<std::uint8_t> valid;
  for (Index j = 0; j < n; ++j) valid.push_back(j % 7 != 3 && (j < 300 || j > 460));
  std::vector<Real> biases;
  const Index side = 2 * reach + 1;
  for (Index k = 0; k < heads * side * side; ++k) biases.push_back(static_cast<Real>(0.1 * static_cast<double>(k % 9)));
  made.spec.modifiers = {{grid_window<Real>({reach, dilation, widths, {offsets, offsets}}), biases},
                         {valid_keys<Real>(valid), {}}};
  made.lists.offsets.push_back(0);
  for (std::size_t b = 0; b < 2; ++b)
    for (Index y = 0; y < heights[b]; ++y)
      for (Index x = 0; x < widths[b]; ++x) {
        for (Index a = -reach; a <= reach; ++a)
          for (Index c = -reach; c <= reach; ++c) {
            const Index down = y + a * dilation, right = x + c * dilation;
            if (down < 0 || down >= heights[b] || right < 0 || right >= widths[b]) continue;
            const Index key = offsets[b] + down * widths[b] + right;
            if (valid[key]) made.lists.keys.push_back(key);
          }
        made.lists.offsets.push_back(std::ssize(made.lists.keys));
      }
  return made;
}

template <typename Real>
double apart(const Matrix<Real>& a, const Matrix<Real>& b) {
  return static_cast<double>((a - b).cwiseAbs().maxCoeff());
}

template <typename Real>
struct Both {
  AttentionResult<Real> result;
  AttentionGradients<Real> gradients;
};
template <typename Real>
Both<Real> both(const GridCase<Real>& c, const AttentionSpec<Real>& spec) {
  Both<Real> made;
  made.result = attend<Real>(c.queries, c.keys, c.values, spec);
  made.gradients = attend_backward<Real>(c.queries, c.keys, c.values, spec, made.result, c.output_gradient);
  return made;
}

template <typename Real>
void check_alike(const Both<Real>& a, const Both<Real>& b, double tolerance) {
  CHECK(apart(a.result.outputs, b.result.outputs) < tolerance);
  CHECK(apart(a.gradients.queries, b.gradients.queries) < tolerance);
  CHECK(apart(a.gradients.keys, b.gradients.keys) < tolerance);
  CHECK(apart(a.gradients.values, b.gradients.values) < tolerance);
}

template <typename Real>
void check_ways(Index reach, Index dilation, Index d, double tolerance) {
  GridCase<Real> c = grid_case<Real>(reach, dilation, d);
  const Both<Real> direct = both(c, c.spec);
  AttentionSpec<Real> tiles = c.spec;
  tiles.tolerance = std::numeric_limits<Real>::min();  // the walk over tiles, which leaves out nothing of weight
  const Both<Real> walked = both(c, tiles);
  check_alike(direct, walked, tolerance);
  double error = 0;
  for (std::size_t k = 0; k < direct.gradients.modifier_theta[0].size(); ++k)
    error = std::max(error, static_cast<double>(std::abs(direct.gradients.modifier_theta[0][k] -
                                                         walked.gradients.modifier_theta[0][k])));
  CHECK(error < 100 * tolerance);  // sums over all pixels
  AttentionSpec<Real> flat = c.spec, listed = c.spec;
  flat.modifiers[0].theta.assign(flat.modifiers[0].theta.size(), Real(0));
  listed.modifiers = {{neighbour_list<Real>(c.lists), {}}};
  check_alike(both(c, flat), both(c, listed), tolerance);
}

TEST_CASE("windows of a grid: its own way, the walk over tiles and lists agree", "[attention][grid]") {
  for (const auto& [reach, dilation, d] : {std::tuple<Index, Index, Index>{1, 1, 16},
                                           {2, 1, 5},
                                           {2, 3, 8},
                                           {4, 1, 3},
                                           {0, 1, 4},
                                           {1, 30, 4},
                                           {3, 2, 33}}) {
    DYNAMIC_SECTION("reach " << reach << ", dilation " << dilation << ", columns " << d) {
      check_ways<double>(reach, dilation, d, 1e-12);  // sums of up to 81 terms of size 1
      check_ways<float>(reach, dilation, d, 1e-5);
    }
  }
}

TEST_CASE("windows of a grid with other modifiers agree with the walk over tiles", "[attention][grid]") {
  GridCase<double> c = grid_case<double>(2, 2, 6);
  c.spec.modifiers.push_back({temperature<double>(), {0.4}});
  c.spec.modifiers.insert(c.spec.modifiers.begin(), {soft_cap<double>(), {0.5}});
  AttentionSpec<double> tiles = c.spec;
  tiles.tolerance = 1e-300;
  const Both<double> direct = both(c, c.spec), walked = both(c, tiles);
  check_alike(direct, walked, 1e-12);
  for (std::size_t m : {0, 3})
    CHECK(direct.gradients.modifier_theta[m][0] == Approx(walked.gradients.modifier_theta[m][0]).epsilon(1e-10));
}

TEST_CASE("windows of a grid give the same bits with any number of threads", "[attention][grid][threads]") {
  const GridCase<float> c = grid_case<float>(2, 1, 16);
  const int threads = omp_get_max_threads();
  omp_set_num_threads(1);
  const Both<float> one = both(c, c.spec);
  for (const int count : {2, 3, 5}) {
    omp_set_num_threads(count);
    const Both<float> more = both(c, c.spec);
    CHECK(test::same_bits(one.result.outputs, more.result.outputs));
    CHECK(test::same_bits(one.gradients.queries, more.gradients.queries));
    CHECK(test::same_bits(one.gradients.keys, more.gradients.keys));
    CHECK(test::same_bits(one.gradients.values, more.gradients.values));
    CHECK(one.gradients.modifier_theta[0] == more.gradients.modifier_theta[0]);
  }
  omp_set_num_threads(threads);
}

TEST_CASE("a point has the same bits wherever the image is cut, if the cut leaves its margin", "[attention][grid]") {
  constexpr Index kHeight = 60, kWidth = 90, kMargin = 2, kTop = 13, kLeft = 21, kRows = 31, kColumns = 37;
  const Matrix<float> image = random_matrix(kHeight * kWidth, 8, 9).cast<float>();
  const auto rows_of = [&](Index y, Index x, Index h, Index w) {
    Matrix<float> cut(h * w, 8);
    for (Index i = 0; i < h * w; ++i) cut.row(i) = image.row((y + i / w) * kWidth + x + i % w);
    return cut;
  };
  const auto outputs = [](const Matrix<float>& rows, Index width) {
    AttentionSpec<float> spec;
    spec.score = {dot_product_score<float>(), {}};
    spec.modifiers = {{grid_window<float>({2, 1, {width}}), std::vector<float>(25, 0.2F)}};
    return attend<float>(rows, rows, rows, spec).outputs;
  };
  const Matrix<float> whole = outputs(image, kWidth);
  const Matrix<float> part = outputs(rows_of(kTop, kLeft, kRows, kColumns), kColumns);
  Index different = 0;
  for (Index y = kMargin; y < kRows - kMargin; ++y)
    for (Index x = kMargin; x < kColumns - kMargin; ++x)
      different += part.row(y * kColumns + x) != whole.row((kTop + y) * kWidth + kLeft + x);
  CHECK(different == 0);
  CHECK(part.row(0) != whole.row(kTop * kWidth + kLeft));  // at the edge keys are missing
}

TEST_CASE("a key that is none reaches nobody, be it NaN, and a query without keys has output and gradient 0",
          "[attention][grid]") {
  GridCase<double> c = grid_case<double>(1, 1, 4);
  const Both<double> clean = both(c, c.spec);
  CHECK(clean.result.sum_exp(380, 0) == 0);  // keys 301 to 459 are none
  CHECK(clean.result.outputs.row(380).isZero(0));
  CHECK(clean.gradients.queries.row(380).isZero(0));
  CHECK(clean.gradients.keys.row(380).isZero(0));
  CHECK(clean.gradients.values.row(380).isZero(0));
  for (const Index key : {3, 380, 1613}) {
    c.keys.row(key).setConstant(std::numeric_limits<double>::quiet_NaN());
    c.values.row(key).setConstant(std::numeric_limits<double>::quiet_NaN());
  }
  const Both<double> poisoned = both(c, c.spec);
  CHECK(test::same_bits(clean.result.outputs, poisoned.result.outputs));
  CHECK(test::same_bits(clean.gradients.queries, poisoned.gradients.queries));
  CHECK(test::same_bits(clean.gradients.keys, poisoned.gradients.keys));
}

/// Every kernel on planes of odd sizes, in a row of numbers.
template <typename Real>
Matrix<Real> grid_kernel_numbers(const GridKernels<Real>& kernel, Index count, Index columns) {
  constexpr Index kStep = 2, kOffsets = 7, kPlane = 96, kColumns = 40;
  const Matrix<Real> rows = random_matrix(80, columns, 5).template cast<Real>();
  Matrix<Real> a = Matrix<Real>::Zero(kColumns, kPlane), b = a, s = Matrix<Real>::Zero(kOffsets, kPlane), g = s, o = a;
  kernel.to_planes(rows.data(), columns, count, columns, {a.data(), kPlane});
  kernel.to_planes(rows.data(), columns, count + kStep * (kOffsets - 1), columns, {b.data(), kPlane});
  Matrix<Real> keep = Matrix<Real>::Ones(1, kPlane), bias = random_matrix(1, kOffsets, 6).template cast<Real>();
  keep(0, 3) = 0;
  const GridRow row{count, kOffsets, kStep};
  const auto of = [](Matrix<Real>& m) { return GridPlanes<const Real>{m.data(), m.cols()}; };
  kernel.products(row, columns, of(a), of(b), {g.data(), kPlane});
  kernel.scores(row, columns, of(a), of(b), Real(0.7), bias.data(), keep.data(), {s.data(), kPlane});
  Matrix<Real> maximum = Matrix<Real>::Zero(1, kPlane), sums = maximum, weights = s;
  kernel.softmax(count, kOffsets, {weights.data(), kPlane}, maximum.data(), sums.data());
  kernel.add_weighted(row, columns, of(weights), of(b), true, {o.data(), kPlane});
  kernel.divide(count, columns, {o.data(), kPlane}, sums.data());
  Matrix<Real> inverse = sums.cwiseInverse(), back = Matrix<Real>::Zero(count, columns),
               total = Matrix<Real>::Zero(1, kOffsets);
  kernel.weigh(count, kOffsets, maximum.data(), inverse.data(), {s.data(), kPlane}, {g.data(), kPlane});
  kernel.add_sums(count, kOffsets, of(g), total.data());
  kernel.from_planes(of(o), count, columns, Real(0.5), back.data(), columns);
  Matrix<Real> all(1, back.size() + kOffsets * (2 * count + 1));
  all.leftCols(back.size()) = Eigen::Map<const Matrix<Real>>(back.data(), 1, back.size());
  for (Index n = 0; n < kOffsets; ++n) {
    all.middleCols(back.size() + n * 2 * count, count) = s.row(n).leftCols(count);
    all.middleCols(back.size() + (n * 2 + 1) * count, count) = g.row(n).leftCols(count);
  }
  all.rightCols(kOffsets) = total;
  return all;
}

template <typename Real>
void check_grid_kernels(double tolerance) {
  for (const Index count : {1, 5, 16, 31, 64})
    for (const Index columns : {1, 3, 8, 16, 37}) {
      const Matrix<Real> baseline = grid_kernel_numbers(*grid_baseline_kernels<Real>(), count, columns);
      Matrix<Real> avx2 = baseline;
      if (const auto* kernel = grid_kernels_for<Real>(InstructionSet::avx2)) {
        avx2 = grid_kernel_numbers(*kernel, count, columns);
        CHECK(apart(baseline, avx2) < tolerance);
        if (const auto* wide = grid_kernels_for<Real>(InstructionSet::avx512))
          CHECK(test::same_bits(avx2, grid_kernel_numbers(*wide, count, columns)));
      }
    }
}

TEST_CASE("the kernels of windows give the same bits on AVX2 and AVX-512, and nearly those of plain code",
          "[attention][grid][kernels]") {
  check_grid_kernels<double>(1e-13);
  check_grid_kernels<float>(5e-5);
}

TEST_CASE("grid_window and valid_keys say what they need", "[attention][grid][errors]") {
  CHECK_THROWS_WITH(grid_window<double>({-1, 1, {4}}), Catch::Contains("reach = -1"));
  CHECK_THROWS_WITH(grid_window<double>({1, 0, {4}}), Catch::Contains("dilation = 0"));
  CHECK_THROWS_WITH(grid_window<double>({1, 1, {}}), Catch::Contains("there is no width"));
  CHECK_THROWS_WITH(grid_window<double>({1, 1, {4, 0}}), Catch::Contains("width of grid 1 is 0"));
  CHECK_THROWS_WITH(grid_window<double>({1, 1, {4, 5}, {{0, 4}, {0, 4}}}), Catch::Contains("2 widths, but 1 sets"));
  const Matrix<double> rows = random_matrix(8, 2, 1);
  AttentionSpec<double> spec;
  spec.score = {dot_product_score<double>(), {}};
  spec.modifiers = {{valid_keys<double>(std::vector<std::uint8_t>(7, 1)), {}}};
  CHECK_THROWS_WITH(attend<double>(rows, rows, rows, spec), Catch::Contains("flags for 7 keys, but attend() got 8"));
  spec.modifiers = {{grid_window<double>({1, 1, {4}}), {}}};
  CHECK_THROWS_WITH(attend<double>(rows, rows, rows, spec), Catch::Contains("got 0 parameters, but has 9"));
}

}  // namespace
