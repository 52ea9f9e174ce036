#include "fovea/core/learning/kernels/learning_kernels.hpp"

#include <Random123/philox.h>

#include "fovea/core/learning/operations.hpp"
#include "fovea/tests/support/test.hpp"

namespace fovea::learning::test {
namespace {

constexpr Index kManyNumbers = 20011;  // not a multiple of any register

template <typename Real>
std::vector<Real> spread_numbers(double low, double high, std::uint64_t salt) {
  std::vector<Real> x(kManyNumbers);
  for (std::size_t k = 0; k < x.size(); ++k) x[k] = static_cast<Real>(low + (high - low) * Random(salt).uniform(k));
  return x;
}

/// The largest error of y in units of the last place of the truth.
template <typename Real, typename Truth>
double worst_ulps(const std::vector<Real>& x, const std::vector<Real>& y, Truth truth) {
  double worst = 0;
  for (std::size_t k = 0; k < x.size(); ++k) {
    const long double expected = truth(static_cast<long double>(x[k]));
    const long double size = std::max(std::abs(expected), static_cast<long double>(std::numeric_limits<Real>::min()));
    const long double error = std::abs(static_cast<long double>(y[k]) - expected);
    worst = std::max(worst, static_cast<double>(error / size / std::numeric_limits<Real>::epsilon()));
    if (!(worst < 1e9)) return worst;
  }
  return worst;
}

long double normal_below(long double x) { return 0.5L * std::erfc(-x / std::sqrt(2.0L)); }

/// Functions whose relative error matters wherever they are small, and the units of the last place they may miss.
struct AccurateFunction {
  const char* name;
  double low, high;
  double ulps;
  long double (*truth)(long double);
};
const AccurateFunction kAccurate[] = {
    {"gelu", -5, 9, 8, [](long double x) { return x * normal_below(x); }},
    {"exp", -80, 80, 2, [](long double x) { return std::exp(x); }},
    {"log", 1e-30, 5, 2, [](long double x) { return std::log(x); }},
    {"sigmoid", -80, 80, 4, [](long double x) { return 1 / (1 + std::exp(-x)); }},
    {"softplus", -80, 80, 4, [](long double x) { return std::log1p(std::exp(x)); }},
};

template <typename Real>
typename LearningKernels<Real>::Pointwise kernel_of(const LearningKernels<Real>& kernels, std::string_view name) {
  if (name == "gelu") return kernels.gelu;
  if (name == "exp") return kernels.exp;
  if (name == "log") return kernels.log;
  return name == "sigmoid" ? kernels.sigmoid : kernels.softplus;
}

TEMPLATE_TEST_CASE("learning kernels: functions are right to the last places, also where they are tiny",
                   "[learning][kernels]", float, double) {
  for (const AccurateFunction& function : kAccurate) {
    DYNAMIC_SECTION(function.name) {
      const auto x = spread_numbers<TestType>(function.low, function.high, 1);
      std::vector<TestType> y(x.size());
      kernel_of(learning_kernels<TestType>(), function.name)(x.data(), kManyNumbers, y.data(), nullptr);
      CHECK(worst_ulps(x, y, function.truth) < function.ulps);
    }
  }
}

TEMPLATE_TEST_CASE("learning kernels: GELU and its slope are right in absolute terms everywhere", "[learning][kernels]",
                   float, double) {
  const auto x = spread_numbers<TestType>(-12, 12, 4);
  std::vector<TestType> y(x.size()), slopes(x.size());
  learning_kernels<TestType>().gelu(x.data(), kManyNumbers, y.data(), slopes.data());
  long double worst = 0, worst_slope = 0;
  for (std::size_t k = 0; k < x.size(); ++k) {
    const auto at = static_cast<long double>(x[k]);
    const long double value = at * normal_below(at), size = std::max(1.0L, std::abs(value));
    const long double slope = normal_below(at) + at * std::exp(-at * at / 2) * 0.398942280401432677939946L;
    worst = std::max(worst, std::abs(static_cast<long double>(y[k]) - value) / size);
    worst_slope = std::max(worst_slope, std::abs(static_cast<long double>(slopes[k]) - slope));
  }
  CHECK(worst < std::numeric_limits<TestType>::epsilon());
  CHECK(worst_slope < 2 * std::numeric_limits<TestType>::epsilon());
}

TEMPLATE_TEST_CASE("learning kernels: functions at the ends of the numbers", "[learning][kernels][limit]", float,
                   double) {
  using Real = TestType;
  const auto& kernels = learning_kernels<Real>();
  constexpr Real kInfinity = std::numeric_limits<Real>::infinity(), kHuge = std::numeric_limits<Real>::max();
  constexpr Real kTiny = std::numeric_limits<Real>::denorm_min();
  const auto at = [](auto function, Real x) {
    Real y = 0, slope = 0;
    function(&x, 1, &y, &slope);
    return std::pair(y, slope);
  };
  CHECK(at(kernels.gelu, kHuge) == std::pair(kHuge, Real(1)));
  CHECK(at(kernels.gelu, -kHuge) == std::pair(Real(0), Real(0)));
  CHECK(at(kernels.gelu, 0) == std::pair(Real(0), Real(0.5)));
  CHECK(at(kernels.softplus, kHuge) == std::pair(kHuge, Real(1)));
  CHECK(at(kernels.softplus, -kHuge) == std::pair(Real(0), Real(0)));
  CHECK(at(kernels.sigmoid, kHuge) == std::pair(Real(1), Real(0)));
  CHECK(at(kernels.sigmoid, -kHuge) == std::pair(Real(0), Real(0)));
  CHECK(at(kernels.tanh, kHuge) == std::pair(Real(1), Real(0)));
  CHECK(at(kernels.relu, -kHuge).first == 0);
  CHECK(std::isfinite(at(kernels.exp, kHuge).first));
  CHECK(at(kernels.log, 0).first == -kInfinity);
  CHECK(at(kernels.log, kInfinity).first == kInfinity);
  CHECK(std::isnan(at(kernels.log, -1).first));
  CHECK(std::abs(at(kernels.log, kTiny).first - std::log(kTiny)) < Real(1e-4));
  for (const auto function :
       {kernels.exp, kernels.gelu, kernels.log, kernels.relu, kernels.sigmoid, kernels.softplus, kernels.tanh}) {
    const auto poisoned = at(function, std::numeric_limits<Real>::quiet_NaN());
    CHECK(std::isnan(poisoned.first));
    CHECK(std::isnan(poisoned.second));
  }
}

/// Everything the kernels make of the same numbers, one after the other.
template <typename Real>
std::vector<Real> all_results(const LearningKernels<Real>& kernels, Index rows, Index columns) {
  const Index count = rows * columns;
  const auto a = spread_numbers<Real>(-4, 4, 1), b = spread_numbers<Real>(0.5, 4, 2),
             c = spread_numbers<Real>(-1, 1, 3);
  std::vector<Real> all, y(2 * count), means(y), inverses(y);
  const auto keep = [&](Index numbers) { all.insert(all.end(), y.begin(), y.begin() + numbers); };
  for (const auto f :
       {kernels.exp, kernels.gelu, kernels.log, kernels.relu, kernels.sigmoid, kernels.softplus, kernels.tanh}) {
    f(f == kernels.log ? b.data() : a.data(), count, y.data(), y.data() + count);
    keep(2 * count);
  }
  kernels.combine(a.data(), b.data(), Real(-1.5), count, y.data()), keep(count);
  kernels.scale(a.data(), Real(1.1), Real(0.3), count, y.data()), keep(count);
  kernels.add_scaled(a.data(), Real(0.7), count, true, y.data()), keep(count);
  kernels.multiply(a.data(), b.data(), count, true, y.data()), keep(count);
  kernels.dropout(a.data(), 128, count, 77, 20000, Real(1.5), y.data() + count, y.data()), keep(2 * count);
  kernels.add_row(a.data(), b.data(), rows, columns, y.data()), keep(count);
  kernels.multiply_row(a.data(), b.data(), rows, columns, true, y.data()), keep(count);
  kernels.multiply_column(a.data(), b.data(), rows, columns, true, y.data()), keep(count);
  kernels.add_column_sums(a.data(), rows, columns, y.data()), keep(count);
  kernels.add_column_dots(a.data(), b.data(), rows, columns, y.data()), keep(count);
  kernels.row_dots(a.data(), b.data(), rows, columns, true, y.data()), keep(count);
  for (Real* const centred : {means.data(), static_cast<Real*>(nullptr)}) {
    const Real* const shift = centred ? c.data() : nullptr;
    kernels.norm(a.data(), rows, columns, b.data(), shift, Real(1e-5), y.data(), {centred, inverses.data()});
    keep(count);
    kernels.norm_backward(a.data(), c.data(), rows, columns, b.data(), {centred, inverses.data()},
                          {y.data(), true, y.data() + count, centred ? inverses.data() + rows : nullptr});
    keep(2 * count);
  }
  std::vector<double> places(rows), frequencies(columns);
  for (std::size_t i = 0; i < places.size(); ++i) places[i] = 1000.25 * static_cast<double>(i) - 3000;
  for (std::size_t k = 0; k < frequencies.size(); ++k) frequencies[k] = 0.01 + 0.1 * static_cast<double>(k);
  kernels.turns(places.data(), rows, frequencies.data(), columns, y.data(), y.data() + count), keep(2 * count);
  if (columns % 2 == 0)
    kernels.rotate(a.data(), b.data(), c.data(), rows, 1, columns / 2, true, true, y.data()), keep(count);
  std::vector<Real> pooled(8 * columns + count);
  std::vector<double> dates(rows);
  for (std::size_t i = 0; i < dates.size(); ++i) dates[i] = static_cast<double>(i / 2);
  const double asked[] = {0.5, 20};
  const ClassGroup<Real> group{a.data(), dates.data(), rows, asked, 2};
  const ClassLanes<Real> lanes{c.data(), b.data(), b.data() + columns, columns - columns / 3, columns};
  const auto place = [&](Index k) { return pooled.data() + 2 * k * columns; };
  const ClassResults<Real> to{place(0), columns, place(1), place(2), place(3), place(4)};
  for (const auto pool : {kernels.pool_decaying, kernels.pool_power_law}) {
    pool(group, lanes, to);
    all.insert(all.end(), pooled.begin(), pooled.end());
  }
  std::vector<Real> x(a), momentum(c), spread(b);
  const AdamwStep<Real> step{Real(0.9),   Real(0.99), Real(0.1), Real(0.01),
                             Real(0.999), Real(0.03), Real(4),   Real(1e-8)};
  kernels.adamw(x.data(), c.data(), momentum.data(), spread.data(), count, step);
  for (const auto* part : {&x, &momentum, &spread}) all.insert(all.end(), part->begin(), part->begin() + count);
  all.push_back(static_cast<Real>(kernels.squared_norm(a.data(), count)));
  return all;
}

TEMPLATE_TEST_CASE("learning kernels: AVX2 and AVX-512 give the same bits, the portable ones the same numbers",
                   "[learning][kernels][twin]", float, double) {
  using Real = TestType;
  constexpr double kRounding = sizeof(Real) == 8 ? 1e-12 : 2e-3;  // of sums of a thousand numbers of a few units
  for (const auto& [rows, columns] : {std::pair<Index, Index>{1, 1}, {7, 5}, {9, 64}, {3, 100}, {13, 19}}) {
    const auto portable = all_results(*learning_kernels_for<Real>(InstructionSet::portable), rows, columns);
    const auto *avx2 = learning_kernels_for<Real>(InstructionSet::avx2),
               *avx512 = learning_kernels_for<Real>(InstructionSet::avx512);
    INFO(rows << " x " << columns);
    for (const auto* kernels : {avx2, avx512}) {
      if (!kernels) continue;
      const auto found = all_results(*kernels, rows, columns);
      double difference = 0;
      for (std::size_t k = 0; k < found.size(); ++k)
        difference = std::max(difference, static_cast<double>(std::abs(found[k] - portable[k])));
      CHECK(difference < kRounding);
    }
    if (avx2 && avx512) CHECK(all_results(*avx2, rows, columns) == all_results(*avx512, rows, columns));
  }
}

/// What a norm and its backward pass make of rows that go in so many at a time.
template <typename Real>
std::vector<Real> norm_results(Index rows, Index columns, Index at_once, bool centred) {
  const auto x = spread_numbers<Real>(-4, 4, 1), g = spread_numbers<Real>(-1, 1, 2),
             gain = spread_numbers<Real>(0.5, 2, 3);
  const std::size_t count = rows * columns, width = columns;
  std::vector<Real> y(count), slope(count, Real(0.5)), of_gain(width, Real(0.25)), of_shift(width, Real(0.75)),
      means(rows), inverses(means);
  const LearningKernels<Real>& kernels = learning_kernels<Real>();
  for (Index i = 0; i < rows; i += at_once) {
    const Index some = std::min(at_once, rows - i), at = i * columns;
    const typename LearningKernels<Real>::NormRows kept{centred ? means.data() + i : nullptr, inverses.data() + i};
    kernels.norm(x.data() + at, some, columns, gain.data(), centred ? g.data() : nullptr, Real(1e-5), y.data() + at,
                 kept);
    kernels.norm_backward(x.data() + at, g.data() + at, some, columns, gain.data(), kept,
                          {slope.data() + at, true, of_gain.data(), centred ? of_shift.data() : nullptr});
  }
  for (const auto* part : {&slope, &of_gain, &of_shift, &means, &inverses})
    y.insert(y.end(), part->begin(), part->end());
  return y;
}

TEMPLATE_TEST_CASE("learning kernels: rows that are normalised side by side have the bits that they have alone",
                   "[learning][kernels][twin]", float, double) {
  for (const auto& [rows, columns] : {std::pair<Index, Index>{11, 1}, {7, 19}, {8, 32}, {13, 100}, {6, 512}})
    for (const bool centred : {false, true}) {
      INFO(rows << " x " << columns << (centred ? ", centred" : ""));
      const auto alone = norm_results<TestType>(rows, columns, 1, centred);
      for (const Index at_once : {3, 4, 5, 13}) CHECK(norm_results<TestType>(rows, columns, at_once, centred) == alone);
    }
}

TEST_CASE("learning kernels: dropout keeps what Philox keeps, and a share of 1 - rate", "[learning][kernels]") {
  constexpr std::uint64_t kKey = 0x0123456789abcdefU;
  constexpr std::uint32_t kThreshold = 20000;
  const std::vector<float> x(kManyNumbers, 1.0F);
  std::vector<float> mask(x.size()), y(x.size());
  learning_kernels<float>().dropout(x.data(), 0, kManyNumbers, kKey, kThreshold, 2.0F, mask.data(), y.data());
  CHECK(mask == y);
  constexpr Index kBefore = 192;
  std::vector<float> rest(x.size());
  learning_kernels<float>().dropout(x.data(), kBefore, kManyNumbers - kBefore, kKey, kThreshold, 2.0F, nullptr,
                                    rest.data());
  CHECK(std::equal(y.begin() + kBefore, y.end(), rest.begin()));  // a part has the masks that it has in the whole
  Index kept = 0, wrong = 0;
  for (std::uint32_t e = 0; e < kManyNumbers; ++e) {
    const std::uint32_t r = e % 64, block = 8 * (e / 64) + r % 32 / 4, word = 4 * (r / 32) + r % 4;
    const auto bits = r123::Philox4x32()({{block, 0, 0, 0}}, {{static_cast<std::uint32_t>(kKey), kKey >> 32}});
    const bool stays = (bits[word / 2] >> (16 * (word % 2)) & 0xffff) >= kThreshold;
    wrong += y[e] != (stays ? 2.0F : 0.0F);
    kept += stays;
  }
  CHECK(wrong == 0);
  const double share = 1 - kThreshold / 65536.0;
  const double deviation = std::sqrt(share * (1 - share) / kManyNumbers);
  CHECK(std::abs(static_cast<double>(kept) / kManyNumbers - share) < 4 * deviation);  // wrong once in 16000 seeds
}

TEST_CASE("dropout: every operation and every step has masks of its own; without training it is x itself",
          "[learning]") {
  const Matrix<float> x = Matrix<float>::Ones(20, 20);
  const auto masks = [&](const Pass& pass) {
    Tape<float> tape;
    tape.begin(nullptr, {}, pass);
    const auto in = tape.variable(x);
    const Variable<float> first = dropout(in, 0.5), second = dropout(in, 0.5);
    return std::pair<Matrix<float>, Matrix<float>>(first.value(), second.value());
  };
  const auto one = masks({true, Random(1), 7});
  CHECK(one == masks({true, Random(1), 7}));
  CHECK(one.first != one.second);
  CHECK(one.first != masks({true, Random(1), 8}).first);
  CHECK(one.first != masks({true, Random(2), 7}).first);
  CHECK(masks({false, Random(1), 7}).first == x);
}

TEST_CASE("learning kernels: turns agree with the C library's cosine and sine", "[learning][kernels][twin]") {
  constexpr double kTurnRounding = 4e-16;
  const auto turns = spread_numbers<double>(-3, 3, 4);
  const double one = 1;
  std::vector<double> cosines(turns.size()), sines(turns.size());
  learning_kernels<double>().turns(turns.data(), kManyNumbers, &one, 1, cosines.data(), sines.data());
  double worst = 0;
  for (std::size_t k = 0; k < turns.size(); ++k) {
    const long double angle = 6.283185307179586476925L * static_cast<long double>(turns[k]);
    worst = std::max(worst, std::abs(static_cast<double>(std::cos(angle) - static_cast<long double>(cosines[k]))));
    worst = std::max(worst, std::abs(static_cast<double>(std::sin(angle) - static_cast<long double>(sines[k]))));
  }
  CHECK(worst < kTurnRounding);
}

TEST_CASE("rotate: products of queries and keys depend on differences of positions alone", "[learning][property]") {
  constexpr double kRotationRounding = 1e-12;
  const auto product = [](double at_query, double at_key) {
    Tape<double> tape;
    tape.begin(nullptr, {});
    const Matrix<double> q = (Matrix<double>(1, 6) << 1, -2, 0.5, 3, 0.25, -1).finished();
    const Matrix<double> k = (Matrix<double>(1, 6) << 0.5, 1, -1, 2, -0.75, 1).finished();
    const Variable<double> turned_q = rotate(tape.variable(q), std::span<const double>(&at_query, 1), 1);
    const Variable<double> turned_k = rotate(tape.variable(k), std::span<const double>(&at_key, 1), 1);
    return (turned_q.value() * turned_k.value().transpose())(0, 0);
  };
  CHECK(std::abs(product(5, 3) - product(102, 100)) < kRotationRounding);
  CHECK(std::abs(product(5, 3) - product(3, 5)) > 0.1);
  CHECK(std::abs(product(7, 7) - product(0, 0)) < kRotationRounding);
}

}  // namespace
}  // namespace fovea::learning::test
