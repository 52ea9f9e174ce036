// The engine's own exp and log against long double, and the instruction sets against each other.

#include "fovea/core/kernels/kernels.hpp"

#include "fovea/core/kernels/exponential.hpp"
#include "fovea/tests/support/kernels/fused_portable_kernels.hpp"
#include "fovea/tests/support/plain_attention.hpp"
#include "fovea/tests/support/test.hpp"

namespace {

// What exponential.hpp states.
constexpr double kExpUlps = 1.1, kFloatExpUlps = 1.5, kLogUlps = 1.5;

template <typename Real>
double ulps(Real found, long double expected) {
  const Real near = static_cast<Real>(expected);
  const Real next = std::nextafter(near, std::numeric_limits<Real>::infinity());
  return static_cast<double>(std::abs(static_cast<long double>(found) - expected) / (next - near));
}

template <typename Real>
std::vector<Real> noise(Index count, unsigned salt, Real least, Real most) {
  const Matrix<double> uniform = test::random_matrix(count, 1, salt);
  std::vector<Real> x(count);
  for (Index i = 0; i < count; ++i) x[i] = least + (most - least) * static_cast<Real>(uniform(i, 0) / 2 + 0.5);
  return x;
}

/// The block kernels with 1 to 27 rows, in every layout.
template <typename Real>
std::vector<Real> block_results(const BlockKernels<Real>& kernel, Index count) {
  const Index terms = 3, rows = count % 27 + 1, width = whole_groups<Real>(count);
  const std::vector<Real> a = noise<Real>(rows * count + rows * terms, 21, Real(-1), Real(1));
  const std::vector<Real> packed = noise<Real>(width * terms, 22, Real(-1), Real(1));
  const RightOperand<Real> right{packed.data(), kGroup<Real>, kGroup<Real> * terms};
  std::vector<Real> all, c(std::max(rows, terms) * width, Real(0.5)), gradient(c.size(), Real(0));
  const auto keep = [&](const std::vector<Real>& matrix, Index columns) {
    for (Index i = 0; i < rows; ++i)
      all.insert(all.end(), matrix.begin() + i * width, matrix.begin() + i * width + columns);
  };
  kernel.add_product(rows, count, terms, {a.data(), terms, 1}, right, a.data(), c.data(), width);
  keep(c, count);
  kernel.scores(rows, count, terms, {a.data(), 1, rows}, right, Real(0.3), c.data(), width);
  keep(c, count);
  for (const auto& from :
       {std::pair(kernel.product_from_row, packed.data()), std::pair(kernel.product_from_column, a.data())}) {
    from.first(rows, count, terms, {a.data(), terms, 1}, right, from.second, c.data(), width);
    keep(c, count);
  }
  kernel.scores(rows, count, terms, {a.data(), 1, rows}, right, Real(0.3), c.data(), width);
  std::vector<Real> maximum(rows, -std::numeric_limits<Real>::infinity());
  std::vector<Real> lanes(rows * kLanes<Real>, Real(0)), kept(maximum), inverse(maximum);
  kernel.softmax(rows, count, c.data(), width, maximum.data(), lanes.data(), kept.data());
  keep(c, count);
  for (Index i = 0; i < rows; ++i) all.push_back(sum_of_lanes(lanes.data() + i * kLanes<Real>));
  std::vector<Real> tops(width), sums(tops);
  kernel.softmax_columns(count, rows, c.data(), width, tops.data(), sums.data());
  keep(c, count);
  kernel.divide_columns(count, rows, c.data(), width, sums.data());
  keep(c, count);
  kernel.distances(rows, count, terms, {a.data(), terms, 1}, right, Real(-0.5), c.data(), width);
  for (Index i = 0; i < rows; ++i) inverse[i] = i % 3 == 2 ? Real(0) : Real(0.7);
  maximum.assign(maximum.size(), Real(0));
  kernel.weights(rows, count, c.data(), width, maximum.data(), inverse.data());
  keep(c, count);
  kernel.tanh_sums(rows, count, terms, {a.data(), terms, 1}, right, a.data(), gradient.data(), width);
  keep(gradient, count);
  kernel.centred(rows, count, gradient.data(), c.data(), width, inverse.data());
  keep(gradient, count);
  std::vector<Real> dots(rows * terms, Real(2));
  kernel.add_dots(rows, terms, count, {gradient.data(), width, 1}, right, inverse.data(), dots.data(), terms);
  std::vector<Real> weights_gradient(terms, Real(0));
  kernel.tanh_sums_backward(rows, count, terms, {a.data(), terms, 1}, right, a.data(), gradient.data(), width,
                            dots.data(), terms, c.data(), width, weights_gradient.data());
  all.insert(all.end(), dots.begin(), dots.end());
  all.insert(all.end(), weights_gradient.begin(), weights_gradient.end());
  return all;
}

/// All results of all kernels on the same numbers.
template <typename Real>
std::vector<Real> results(const Kernels<Real>& kernel, Index count) {
  std::vector<Real> a = noise<Real>(count, 1, Real(-5), Real(5)), b = noise<Real>(count, 2, Real(-50), Real(1));
  const std::vector<Real> panel = noise<Real>(3 * count, 3, Real(-1), Real(1));
  const Real x[] = {Real(0.3), Real(-0.7), Real(0.1)};
  if (count > 4) b[3] = -std::numeric_limits<Real>::infinity();
  std::vector<Real> all, y(a.size());
  const auto keep = [&](const std::vector<Real>& more) { all.insert(all.end(), more.begin(), more.end()); };
  all.push_back(kernel.maximum(b.data(), count));
  all.push_back(kernel.unmasked_dot(a.data(), b.data(), count));
  kernel.scale(b.data(), count, Real(1.7));
  keep(b);
  all.push_back(kernel.exponentials(b.data(), count, Real(0.25), y.data()));
  keep(y);
  all.push_back(kernel.dot(a.data(), y.data(), count));
  kernel.add_scaled(y.data(), a.data(), Real(0.3), count);
  keep(y);
  kernel.products(x, panel.data(), count, 3, count, Real(0.7), y.data());
  keep(y);
  kernel.squared_distances(x, panel.data(), count, 3, count, Real(-0.5), y.data());
  keep(y);
  all.push_back(kernel.difference_dot(a.data(), panel.data(), x[0], count));
  kernel.add_differences(y.data(), a.data(), panel.data(), x[1], count);
  keep(y);
  kernel.softmax_gradient(y.data(), a.data(), Real(0.1), count);
  keep(y);
  kernel.divide_above(y.data(), a.data(), Real(0.5), count);
  keep(y);
  kernel.subtract_age(y.data(), a.data(), Real(0.4), Real(0.9), count);
  keep(y);
  all.push_back(kernel.age_dot(y.data(), a.data(), Real(0.4), count));
  keep(block_results(kernel.blocks, count));
  std::vector<Real> positive = noise<Real>(count, 4, Real(1e-3), Real(1e3));
  kernel.logarithms(positive.data(), count);
  keep(positive);
  return all;
}

/// The largest difference between two lists of numbers, relative to those above 1.
template <typename Real>
double difference(const std::vector<Real>& a, const std::vector<Real>& b) {
  if (a.size() != b.size()) return std::numeric_limits<double>::infinity();
  double worst = 0;
  for (std::size_t k = 0; k < a.size(); ++k)
    if (a[k] != b[k]) {  // equal infinities have no difference
      const double apart = std::abs(static_cast<double>(a[k]) - static_cast<double>(b[k]));
      const double relative = apart / std::max(1.0, std::abs(static_cast<double>(b[k])));
      worst = relative <= worst ? worst : relative;  // a NaN becomes the worst
    }
  return worst;
}

template <typename Real>
void check_instruction_sets() {
  // Products rounded before they are added, in a few dozen terms, of which some cancel: 100 units in the last place.
  constexpr double kRounding = 100 * static_cast<double>(std::numeric_limits<Real>::epsilon());
  for (Index count = 1; count < 70; ++count) {
    const auto portable = results(*kernels_for<Real>(InstructionSet::portable), count);
    const Kernels<Real>*avx2 = kernels_for<Real>(InstructionSet::avx2),
          *avx512 = kernels_for<Real>(InstructionSet::avx512);
    if (avx2) CHECK(difference(results(*avx2, count), portable) < kRounding);
    if (!avx2) continue;  // nothing here is fused
    const auto expected = results(*avx2, count);
    for (const Kernels<Real>* other : {avx512, &test::fused_portable_kernels<Real>()}) {
      if (!other) continue;
      const auto found = results(*other, count);
      REQUIRE(expected.size() == found.size());
      CHECK(std::memcmp(expected.data(), found.data(), found.size() * sizeof(Real)) == 0);
    }
  }
}

}  // namespace

TEST_CASE("exp is right to the stated units in the last place over the whole range", "[attention][kernel][twin]") {
  double worst = 0, worst_float = 0;
  for (const double range : {708.0, 1.0, 1e-5})
    for (const double x : noise<double>(100000, 11, -range, range))
      worst = std::max(worst, ulps(exponential(x), std::exp(static_cast<long double>(x))));
  for (const float range : {87.0F, 1.0F})
    for (const float x : noise<float>(100000, 12, -range, range))
      worst_float = std::max(worst_float, ulps(exponential(x), std::exp(static_cast<long double>(x))));
  INFO("double " << worst << ", float " << worst_float);
  CHECK(worst < kExpUlps);
  CHECK(worst_float < kFloatExpUlps);
}

TEST_CASE("log is right to the stated units in the last place", "[attention][kernel][twin]") {
  double worst = 0, worst_float = 0;
  for (const double e : noise<double>(100000, 13, -700.0, 700.0))
    worst = std::max(worst, ulps(logarithm(std::exp(e)), std::log(static_cast<long double>(std::exp(e)))));
  for (const double x : noise<double>(100000, 14, 0.5, 2.0))
    worst = std::max(worst, ulps(logarithm(x), std::log(static_cast<long double>(x))));
  for (const float x : noise<float>(100000, 15, 0.4F, 3.0F))
    worst_float = std::max(worst_float, ulps(logarithm(x), std::log(static_cast<long double>(x))));
  INFO("double " << worst << ", float " << worst_float);
  CHECK(worst < kLogUlps);
  CHECK(worst_float < kLogUlps);
  CHECK(logarithm(1.0) == 0);
  CHECK(logarithm(1.0F) == 0);
  CHECK(std::isnan(logarithm(std::numeric_limits<double>::quiet_NaN())));
}

TEST_CASE("exp is exact at 0, 0 below the range, saturated above, and keeps NaN", "[attention][kernel][limit]") {
  const double infinity = std::numeric_limits<double>::infinity();
  CHECK(exponential(0.0) == 1);
  CHECK(exponential(-0.0) == 1);
  CHECK(exponential(0.0F) == 1);
  CHECK(exponential(-708.0) >= std::numeric_limits<double>::min());
  CHECK(exponential(-708.0000001) == 0);
  CHECK(exponential(-87.0F) >= std::numeric_limits<float>::min());
  CHECK(exponential(-87.1F) == 0);
  CHECK(exponential(-infinity) == 0);
  CHECK(exponential(infinity) == exponential(709.0));
  CHECK(std::isfinite(exponential(709.0)));
  CHECK(std::isfinite(exponential(88.0F)));
  CHECK(std::isnan(exponential(std::numeric_limits<double>::quiet_NaN())));
  CHECK(std::isnan(exponential(std::numeric_limits<float>::quiet_NaN())));
}

TEST_CASE("exp never falls between neighbouring samples", "[attention][kernel][property]") {
  std::vector<double> x = noise<double>(200000, 16, -40.0, 0.0);
  std::sort(x.begin(), x.end());
  Index falls = 0;
  for (std::size_t i = 1; i < x.size(); ++i) falls += exponential(x[i]) < exponential(x[i - 1]);
  CHECK(falls == 0);
}

TEST_CASE("AVX-512, AVX2 and the fused portable kernels give the same bits, and the portable ones the same numbers",
          "[attention][kernel][twin]") {
  check_instruction_sets<float>();
  check_instruction_sets<double>();
}

TEST_CASE("the kernels do what their formulas say", "[attention][kernel][twin]") {
  const Kernels<double>& kernel = kernels<double>();
  const double a[] = {1, 2, -3}, b[] = {0.5, -1, 4};
  CHECK(kernel.dot(a, b, 3) == 0.5 - 2 - 12);
  CHECK(kernel.maximum(b, 3) == 4);
  CHECK(kernel.maximum(b, 0) == -std::numeric_limits<double>::infinity());
  CHECK(kernel.difference_dot(a, b, 0.5, 3) == 0 - 3 - 10.5);
  CHECK(kernel.age_dot(a, b, 1, 3) == 0.5 + 4 - 9);
  double y[] = {1, 1, 1};
  kernel.add_scaled(y, a, 2, 3);
  CHECK((y[0] == 3 && y[1] == 5 && y[2] == -5));
  kernel.divide_above(y, b, 0.5, 3);
  CHECK((y[0] == 0 && y[1] == 0 && y[2] == -1.25));
}

namespace {

struct PointSums {
  std::vector<float> sums;  ///< (1 + columns) a row
  bool finite = true;
};

/// Some rows of points against two tiles of points.
struct Points {
  static constexpr Index kRows = 11, kMost = 256;
  Index terms, columns, count;
  std::vector<float> a, b, v;
  Points(Index dimension, Index value_columns, Index number, float size)
      : terms(dimension),
        columns(value_columns),
        count(number),
        a(noise<float>(kRows * terms, 31, -size, size)),
        b(noise<float>(2 * kMost * terms, 32, -size, size)),
        v(noise<float>(kMost * columns, 33, -1, 1)) {}

  /// Of a packed matrix: entry (term, point).
  static std::size_t place(Index all, Index term, Index point) {
    return ((point / kGroup<float> * all + term) * kGroup<float> + point % kGroup<float>);
  }

  PointSums by(const BlockKernels<float>& kernel) const {
    const Index numbers = (1 + columns) * kLanes<float>;
    std::vector<float> d(kRowsOfDistances * kMost), lanes(kRows * numbers);
    PointSums found;
    const RightOperand<float> values{v.data(), kGroup<float>, kGroup<float> * columns};
    for (const Index tile : {0, 1})
      found.finite = kernel.distance_dots(kRows, columns, terms, count, {a.data(), terms, 1},
                                          {b.data() + tile * kMost * terms, kGroup<float>, kGroup<float> * terms},
                                          values, d.data(), kMost, lanes.data()) &&
                     found.finite;
    for (Index i = 0; i < kRows; ++i)
      for (Index k = 0; k <= columns; ++k)
        found.sums.push_back(sum_of_lanes(lanes.data() + i * numbers + k * kLanes<float>));
    return found;
  }

  /// The largest distance of what is found from the formula, in double precision, over what may be wrong: a weight
  /// exp(-D / 2) by 4e-7 (its polynomial, the sum) and D / 2 by 3e-7 of itself (rounded differences and squares), and
  /// no weight is told from 2^-124.
  double error(const PointSums& found) const {
    double worst = 0;
    for (Index i = 0; i < kRows; ++i) {
      std::vector<double> sums(1 + columns);
      double allowed = 0;
      for (Index j = 0; j < 2 * count; ++j) {
        const Index tile = j / count, point = j % count;
        double half = 0;
        for (Index t = 0; t < terms; ++t) {
          const double x = a[i * terms + t], y = b[(tile * kMost * terms) + place(terms, t, point)];
          half += (x - y) * (x - y) / 2;
        }
        const double weight = std::exp(-half);
        allowed += weight * (4e-7 + 3e-7 * half) + std::exp2(-124);
        sums[0] += weight;
        for (Index c = 0; c < columns; ++c) sums[1 + c] += weight * static_cast<double>(v[place(columns, c, point)]);
      }
      for (Index k = 0; k <= columns; ++k)
        worst = std::max(worst, std::abs(static_cast<double>(found.sums[i * (1 + columns) + k]) - sums[k]) / allowed);
    }
    return worst;
  }
};

}  // namespace

TEST_CASE("sums of Gaussian weights of points follow the formula, with the same bits everywhere",
          "[attention][kernel][twin]") {
  const BlockKernels<float>& portable = test::fused_portable_kernels<float>().blocks;
  for (const Index terms : {1, 2, 3})
    for (const Index columns : {1, 2, 3})
      for (const Index count : {1, 15, 16, 17, 33, 200, 256})
        for (const float size : {1e-18F, 0.1F, 3.0F, 6.0F, 50.0F, 1e5F, 1e18F}) {
          CAPTURE(terms, columns, count, size);
          const Points points(terms, columns, count, size);
          const PointSums fused = points.by(portable);
          CHECK(points.error(fused) < 1);
          for (const InstructionSet set : instruction_sets()) {
            CAPTURE(name_of(set));
            const PointSums found = points.by(kernels_for<float>(set)->blocks);
            CHECK(points.error(found) < 1);
            if (set == InstructionSet::portable) continue;  // rounded before they are added
            CHECK(found.sums == fused.sums);
          }
        }
}

TEST_CASE("a point that is not finite is told, wherever it stands", "[attention][kernel]") {
  for (const InstructionSet set : instruction_sets())
    for (const float bad : {std::numeric_limits<float>::quiet_NaN(), -std::numeric_limits<float>::quiet_NaN(),
                            std::numeric_limits<float>::infinity(), -std::numeric_limits<float>::infinity()})
      for (const Index point : {0, 7, 31, 99}) {
        CAPTURE(name_of(set), bad, point);
        Points points(3, 1, 100, 1.0F);
        points.b[Points::place(3, 2, point)] = bad;
        CHECK_FALSE(points.by(kernels_for<float>(set)->blocks).finite);
        Points query(3, 1, 100, 1.0F);
        query.a[4] = bad;
        const PointSums found = query.by(kernels_for<float>(set)->blocks);
        CHECK(found.finite);
        CHECK(!(found.sums[2] >= 1e-30F));
        CHECK(found.sums[0] > 1);
      }
}
