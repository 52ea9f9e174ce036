#include "fovea/core/base/random_math.hpp"
#include "fovea/tests/support/test.hpp"

namespace {

constexpr std::uint64_t kSamples = 50000;

/// Kolmogorov-Smirnov distance between a sample and a distribution function.
template <typename Distribution>
double distance(std::vector<double> sample, const Distribution& distribution) {
  std::sort(sample.begin(), sample.end());
  const auto n = static_cast<double>(sample.size());
  double largest = 0;
  for (std::size_t i = 0; i < sample.size(); ++i) {
    const double expected = distribution(sample[i]);
    largest = std::max({largest, static_cast<double>(i + 1) / n - expected, expected - static_cast<double>(i) / n});
  }
  return largest;
}

/// The distance that a true sample exceeds with probability 2e-4 (level 1e-3 over the five tests that use it):
/// sqrt(-ln(level / 2) / 2) / sqrt(n), Smirnov 1948.
double ks_limit(std::uint64_t n) { return std::sqrt(-std::log(1e-4) / 2 / static_cast<double>(n)); }

template <typename Draw>
std::vector<double> sample_of(const Draw& draw) {
  std::vector<double> sample;
  for (std::uint64_t i = 0; i < kSamples; ++i) sample.push_back(draw(i));
  return sample;
}

double moment(const std::vector<double>& sample, int power) {
  double sum = 0;
  for (const double value : sample) sum += std::pow(value, power);
  return sum / static_cast<double>(sample.size());
}

double correlation(const std::vector<double>& a, const std::vector<double>& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += (a[i] - 0.5) * (b[i] - 0.5);
  return 12 * sum / static_cast<double>(a.size());
}

double chi_square(const std::vector<std::uint64_t>& counts) {
  double total = 0, sum = 0;
  for (const std::uint64_t count : counts) total += static_cast<double>(count);
  const double expected = total / static_cast<double>(counts.size());
  for (const std::uint64_t count : counts) sum += std::pow(static_cast<double>(count) - expected, 2) / expected;
  return sum;
}

double uniform_distribution(double x) { return x; }
double normal_distribution(double x) { return 0.5 * std::erfc(-x / std::sqrt(2.0)); }

}  // namespace

TEST_CASE("bits are those of Philox4x32-10: the known answers of Random123") {
  CHECK(Random(0).bits(0, 0) == 0xe169c58d6627e8d5u);
  CHECK(Random(~std::uint64_t{0}).bits(~std::uint64_t{0}, ~std::uint64_t{0}) == 0x41c83b0e408f276du);
  CHECK(Random(0x299f31d0a4093822u).bits(0x85a308d3243f6a88u, 0x0370734413198a2eu) == 0x94fdccebd16cfe09u);
}

TEST_CASE("numbers keep their bits for ever", "[golden]") {
  // Bits and whole numbers as a second implementation (Python) gives them; the normals differ from its by 1 ulp at
  // most.
  const Random noise = Random(1).stream("noise");
  CHECK(noise.seed() == 1);
  CHECK(noise.bits(2, 3) == 0x9fe1d6efbfaf73d8u);
  CHECK(noise.uniform(2, 3) == 0x1.3fc3addf7f5eep-1);
  const std::array<double, 4> normals{-0x1.2cd52e77bee87p-1, -0x1.5b54edb5b59a4p+0, 0x1.7988caa6faad5p+0,
                                      0x1.683c036c2b44cp-2};
  for (std::uint64_t i = 0; i < normals.size(); ++i) CHECK(noise.normal(i) == normals[i]);
  CHECK(noise.below(1000, 7) == 101);
}

TEST_CASE("the logarithm is right to 1e-15") {
  // Against the extended precision of the mathematical library, whose own error is below 1e-18.
  constexpr double kTolerance = 4e-16;  // two roundings of a double
  const Random random(5);
  double worst = 0;
  for (std::uint64_t i = 0; i < 20000; ++i) {
    const double scale = std::ldexp(1.0, -static_cast<int>(i % 54));
    for (const double u : {(1 - random.uniform(i)) * scale, 1 - random.uniform(i) * scale}) {
      if (u >= 1 || u <= 0) continue;
      const long double exact = std::log(static_cast<long double>(u));
      worst = std::max(worst, static_cast<double>(std::abs((log_of_unit(u) - exact) / exact)));
    }
  }
  CAPTURE(worst);
  CHECK(worst < kTolerance);
  CHECK(log_of_unit(1) == 0);
  CHECK(std::abs(log_of_unit(0x1p-53) / (-53 * std::log(2.0)) - 1) < kTolerance);
}

TEST_CASE("the cosine is right to 1e-15") {
  constexpr double kTolerance = 4e-16;  // two roundings near 1
  const long double two_pi = 2 * std::acos(-1.0L);
  const Random random(6);
  double worst = 0;
  for (std::uint64_t i = 0; i < 40000; ++i) {
    const double u = random.uniform(i);
    worst = std::max(worst, static_cast<double>(std::abs(cosine_of_turn(u) - std::cos(two_pi * u))));
  }
  CAPTURE(worst);
  CHECK(worst < kTolerance);
  CHECK(cosine_of_turn(0) == 1);
  CHECK(cosine_of_turn(0.25) == 0);
  CHECK(cosine_of_turn(0.5) == -1);
  CHECK(cosine_of_turn(0.75) == 0);
  CHECK(cosine_of_turn(1 - 0x1p-53) == 1);
}

TEST_CASE("uniform numbers are uniform over entities and over steps", "[statistics]") {
  // seeds 12 and 13, n = 50000
  const Random random(12);
  CHECK(distance(sample_of([&](auto i) { return random.uniform(i); }), uniform_distribution) < ks_limit(kSamples));
  CHECK(distance(sample_of([&](auto i) { return random.uniform(3, i); }), uniform_distribution) < ks_limit(kSamples));
  const Random stream = Random(13).stream("anchors");
  const auto sample = sample_of([&](auto i) { return stream.uniform(i % 100, i / 100); });
  CHECK(distance(sample, uniform_distribution) < ks_limit(kSamples));
  CHECK(*std::min_element(sample.begin(), sample.end()) >= 0);
  CHECK(*std::max_element(sample.begin(), sample.end()) < 1);
}

TEST_CASE("normal numbers drawn for a whole crowd have the bits of those drawn one by one", "[random][twin]") {
  const Random random = Random(11).stream("crowd");
  // Block borders, entities beyond 32 bits, and steps of more than 32 bits.
  for (const std::size_t count : {1u, 63u, 64u, 65u, 1000u})
    for (const std::uint64_t first : {std::uint64_t{0}, (std::uint64_t{1} << 32) - 40})
      for (const std::uint64_t step : {std::uint64_t{0}, std::uint64_t{0x123456789abcdef}}) {
        std::vector<double> drawn(count);
        random.normals(first, step, drawn);
        std::size_t different = 0;
        for (std::size_t i = 0; i < count; ++i) different += drawn[i] != random.normal(first + i, step);
        CHECK(different == 0);
      }
}

TEST_CASE("normal numbers are standard normal", "[statistics]") {
  // seed 14, n = 50000; moments within 4 standard errors: the k-th central moment's variance is (m_2k - m_k^2) / n
  const Random random = Random(14).stream("noise");
  const auto sample = sample_of([&](auto i) { return random.normal(i); });
  CHECK(distance(sample, normal_distribution) < ks_limit(kSamples));
  CHECK(distance(sample_of([&](auto i) { return random.normal(0, i); }), normal_distribution) < ks_limit(kSamples));
  const double error = 4 / std::sqrt(static_cast<double>(kSamples));
  CHECK(std::abs(moment(sample, 1)) < error);
  CHECK(std::abs(moment(sample, 2) - 1) < error * std::sqrt(2.0));
  CHECK(std::abs(moment(sample, 3)) < error * std::sqrt(15.0));
  CHECK(std::abs(moment(sample, 4) - 3) < error * std::sqrt(96.0));
}

TEST_CASE("streams, seeds, entities and steps are independent", "[statistics]") {
  // seed 15, n = 50000; a true pair exceeds 4.5 / sqrt(n) with probability 7e-6
  const Random random(15);
  const Random a = random.stream("a"), b = random.stream("b");
  const auto first = sample_of([&](auto i) { return a.uniform(i); });
  const double limit = 4.5 / std::sqrt(static_cast<double>(kSamples));
  CHECK(std::abs(correlation(first, sample_of([&](auto i) { return b.uniform(i); }))) < limit);
  CHECK(std::abs(correlation(first, sample_of([&](auto i) { return random.uniform(i); }))) < limit);
  CHECK(std::abs(correlation(first, sample_of([&](auto i) { return a.uniform(i, 1); }))) < limit);
  CHECK(std::abs(correlation(first, sample_of([&](auto i) { return a.uniform(i + 1); }))) < limit);
  CHECK(std::abs(correlation(first, sample_of([&](auto i) { return Random(16).stream("a").uniform(i); }))) < limit);
  CHECK(std::abs(correlation(first, sample_of([&](auto i) { return a.stream("a").uniform(i); }))) < limit);
  const std::set<std::uint64_t> all{random.bits(1, 2),
                                    random.bits(2, 1),
                                    a.bits(1, 2),
                                    b.bits(1, 2),
                                    a.stream("b").bits(1, 2),
                                    b.stream("a").bits(1, 2),
                                    random.stream("").bits(1, 2),
                                    random.stream("ab").bits(1, 2),
                                    random.bits(1, 2 + (std::uint64_t{1} << 32))};
  CHECK(all.size() == 9);
  CHECK(random.stream("a").bits(1, 2) == a.bits(1, 2));
}

TEST_CASE("whole numbers below a count are equally frequent", "[statistics]") {
  // seed 17, n = 50000; chi-square limits at level 5e-4 (1e-3 over the two tests)
  const Random random = Random(17).stream("choice");
  std::vector<std::uint64_t> sevens(7);
  for (std::uint64_t i = 0; i < kSamples; ++i) ++sevens[random.below(7, i)];
  CHECK(chi_square(sevens) < 24.11);  // 6 degrees of freedom
  // Without rejection, multiples of 3 below 3 * 2^62 would come twice as often as the others.
  std::vector<std::uint64_t> residues(3);
  constexpr std::uint64_t kCount = std::uint64_t{3} << 62;
  for (std::uint64_t i = 0; i < kSamples; ++i) {
    const std::uint64_t drawn = random.below(kCount, i);
    REQUIRE(drawn < kCount);
    ++residues[drawn % 3];
  }
  CHECK(chi_square(residues) < 15.2);  // 2 degrees of freedom
  CHECK(random.below(1, 5) == 0);
  CHECK_THROWS_AS(random.below(0, 5), ArgumentError);
}

TEST_CASE("Random: a block is 128 bits of which the first 64 are the bits alone", "[random]") {
  const Random random = Random(7).stream("pairs");
  for (std::uint64_t k = 0; k < 100; ++k) {
    const auto [first, second] = random.block(k, 3);
    CHECK(first == random.bits(k, 3));
    CHECK(second != first);
  }
}
