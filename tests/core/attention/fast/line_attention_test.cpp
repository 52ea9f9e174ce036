// Attention on the line against loops over all pairs in long double.

#include "fovea/core/attention/fast/line_attention.hpp"

#include "fovea/core/attention/attend.hpp"
#include "fovea/core/attention/scores.hpp"
#include "fovea/core/kernels/line_kernels.hpp"
#include "fovea/tests/core/attention/fast/fast_attention_support.hpp"
#include "fovea/tests/support/test.hpp"

using namespace fovea::test;

namespace {

constexpr double kExactOnLine = 1e-14;  // of the largest value: what the boxes vouch for; mostly it is 1e-15
constexpr double kLineTemperatures[] = {1e2, 1, 1e-2, 1e-4, 1e-6, 1e-10};

/// The softmax of exponents(i, j), in long double, relative to its largest.
template <typename Exponent>
Numbers plain_line_softmax(const Numbers& queries, const Numbers& keys, const Numbers& values, const Numbers& strengths,
                           Exponent exponent) {
  Numbers outputs(queries.size());
  for (std::size_t i = 0; i < queries.size(); ++i) {
    long double top = -std::numeric_limits<long double>::infinity(), weights = 0, sum = 0;
    for (std::size_t j = 0; j < keys.size(); ++j)
      if (strengths.empty() || strengths[j] > 0) top = std::max(top, exponent(queries[i], keys[j]));
    for (std::size_t j = 0; j < keys.size(); ++j) {
      if (!strengths.empty() && strengths[j] == 0) continue;
      const long double lower = exponent(queries[i], keys[j]) - top;
      if (lower < -100) continue;
      const long double e = std::exp(lower) * (strengths.empty() ? 1.0L : static_cast<long double>(strengths[j]));
      weights += e;
      sum += e * static_cast<long double>(values[j]);
    }
    outputs[i] = weights > 0 ? static_cast<double>(sum / weights) : 0;
  }
  return outputs;
}

using LongDouble = long double;

/// -(x - y)^2 / 2T less that of the key next to x: the same softmax, without the rounding of what all share.
Numbers plain_line_gaussian(const Numbers& queries, const Numbers& keys, const Numbers& values,
                            const Numbers& strengths, double temperature) {
  double x = std::numeric_limits<double>::quiet_NaN(), nearest = 0;
  return plain_line_softmax(queries, keys, values, strengths, [&, x, nearest](double query, double y) mutable {
    if (query != x)
      nearest = *std::min_element(keys.begin(), keys.end(),
                                  [&](double a, double b) { return std::abs(a - query) < std::abs(b - query); });
    x = query;
    return (LongDouble(nearest) - LongDouble(y)) / (2 * LongDouble(temperature)) *
           ((LongDouble(y) - LongDouble(x)) + (LongDouble(nearest) - LongDouble(x)));
  });
}

/// x (y - r): likewise.
Numbers plain_line_dot_product(const Numbers& queries, const Numbers& keys, const Numbers& values,
                               const Numbers& strengths, double temperature) {
  const auto [low, high] = std::minmax_element(keys.begin(), keys.end());
  return plain_line_softmax(queries, keys, values, strengths, [=, low = *low, high = *high](double x, double y) {
    return LongDouble(x) / LongDouble(temperature) * (LongDouble(y) - LongDouble(x > 0 ? high : low));
  });
}

/// The quotients of both sums; as gaussian() has them, to the last bit.
Numbers line_gaussian(LineAttention& line, const Numbers& queries, const Numbers& keys, const Numbers& values,
                      const Numbers& strengths, double temperature) {
  Numbers weights(queries.size()), outputs(queries.size());
  line.gaussian_sums(queries, keys, values, strengths, temperature, weights, outputs);
  for (std::size_t i = 0; i < outputs.size(); ++i) outputs[i] = weights[i] > 0 ? outputs[i] / weights[i] : 0;
  Numbers at_once(queries.size());
  line.gaussian(queries, keys, values, strengths, temperature, at_once);
  CHECK(at_once == outputs);
  return outputs;
}

Numbers line_dot_product(LineAttention& line, const Numbers& queries, const Numbers& keys, const Numbers& values,
                         const Numbers& strengths, double temperature) {
  Numbers outputs(queries.size());
  line.dot_product(queries, keys, values, strengths, temperature, outputs);
  return outputs;
}

/// Every 9th of the queries, for which the plain loop is run.
Numbers every_ninth(const Numbers& all) {
  Numbers some;
  for (std::size_t i = 0; i < all.size(); i += 9) some.push_back(all[i]);
  return some;
}

/// Of a crowd to itself, and of other queries to it with values and uneven strengths.
template <typename Fast, typename Plain>
void compare_with_all_pairs(const Fast& fast, const Plain& plain) {
  LineAttention line;
  for (const auto& [name, x] : crowds(300))
    for (const double temperature : kLineTemperatures) {
      INFO(name << " at temperature " << temperature);
      const Numbers values = uniform_numbers(x.size(), "values", -1, 1), g = uneven_strengths(x.size());
      const Numbers others = uniform_numbers(40, "others", -2, 2);
      CHECK(worst_difference(every_ninth(fast(line, x, x, x, {}, temperature)),
                             plain(every_ninth(x), x, x, {}, temperature), largest_size(x)) < kExactOnLine);
      CHECK(worst_difference(fast(line, others, x, values, g, temperature), plain(others, x, values, g, temperature),
                             1) < kExactOnLine);
    }
}

}  // namespace

TEST_CASE("Gaussian attention on the line is that of all pairs, for every crowd and temperature", "[fast][twin]") {
  compare_with_all_pairs(line_gaussian, plain_line_gaussian);
}

TEST_CASE("dot-product attention on the line is that of all pairs, for every crowd and temperature", "[fast][twin]") {
  compare_with_all_pairs(line_dot_product, plain_line_dot_product);
}

TEST_CASE("large crowds on the line hear what attend() hears", "[fast][twin]") {
  constexpr double kEngineRounding = 1e-13;  // its sums of 20000 terms
  const Numbers x = uniform_numbers(20000, "crowd");
  const Matrix<double> keys = Eigen::Map<const Eigen::VectorXd>(x.data(), static_cast<Index>(x.size()));
  const Matrix<double> queries = keys.topRows(40);
  LineAttention line;
  for (const double temperature : {1e-2, 1e-4, 1e-6}) {
    const auto heard = [&](const std::shared_ptr<const ScoreFunction<double>>& score) {
      AttentionSpec<double> spec;
      spec.score.function = score;
      const Matrix<double> scaled = keys / std::sqrt(temperature), asked = queries / std::sqrt(temperature);
      const Matrix<double> output = attend<double>(asked, scaled, keys, spec).outputs;
      return Numbers(output.data(), output.data() + output.size());
    };
    const auto first = [](const Numbers& all) { return Numbers(all.begin(), all.begin() + 40); };
    CHECK(worst_difference(first(line_gaussian(line, x, x, x, {}, temperature)), heard(gaussian_score<double>()), 1) <
          kEngineRounding);
    CHECK(worst_difference(first(line_dot_product(line, x, x, x, {}, temperature)),
                           heard(dot_product_score<double>(false)), 1) < kEngineRounding);
  }
}

TEST_CASE("sums of a Gaussian kernel on the line are sums, not only a quotient", "[fast]") {
  const Numbers keys{0, 1, 3}, values{2, 5, -1}, g{1, 0.5, 2};
  const Numbers queries{0, 0.5, 40};
  Numbers weights(3), sums(3);
  LineAttention().gaussian_sums(queries, keys, values, g, 0.5, weights, sums);
  for (std::size_t i = 0; i < 2; ++i) {
    double weight = 0, sum = 0;
    for (std::size_t j = 0; j < 3; ++j) {
      const double d = queries[i] - keys[j];
      weight += g[j] * std::exp(-d * d);
      sum += g[j] * std::exp(-d * d) * values[j];
    }
    CHECK(weights[i] == Approx(weight).epsilon(kExactOnLine));
    CHECK(sums[i] == Approx(sum).epsilon(kExactOnLine));
  }
  CHECK(weights[2] == Approx(2 * std::exp(-600.0)).epsilon(1e-12));  // exp(-37^2) is not a double
  CHECK(sums[2] / weights[2] == -1);
}

TEST_CASE("whoever agrees exactly goes on agreeing exactly", "[fast][property]") {
  constexpr double kQuotientRounding = 4e-16;  // two roundings of a quotient, however many agree
  for (const std::size_t count : {1U, 2U, 1000U, 300000U}) {
    const Numbers x(count, 0.3);
    LineAttention line;
    for (const double temperature : {1.0, 1e-4}) {
      CHECK(worst_difference(line_gaussian(line, x, x, x, {}, temperature), x, 0.3) < kQuotientRounding);
      CHECK(worst_difference(line_dot_product(line, x, x, x, {}, temperature), x, 0.3) < 10 * kQuotientRounding);
    }
  }
}

TEST_CASE("attention on the line has the same bits for 1, 2, 3 and 5 threads, and whatever was asked before",
          "[fast][threads]") {
  const int before = omp_get_max_threads();
  LineAttention used;
  for (const double temperature : {1e-2, 1e-6, 1e-12}) {
    const Numbers x = uniform_numbers(40000, "crowd"), values = uniform_numbers(40000, "values");
    omp_set_num_threads(1);
    LineAttention fresh;
    const Numbers gaussian = line_gaussian(fresh, x, x, values, {}, temperature);
    const Numbers product = line_dot_product(fresh, x, x, values, {}, temperature);
    for (const int threads : {2, 3, 5}) {
      omp_set_num_threads(threads);
      CHECK(line_gaussian(used, x, x, values, {}, temperature) == gaussian);
      CHECK(line_dot_product(used, x, x, values, {}, temperature) == product);
    }
  }
  omp_set_num_threads(before);
}

TEST_CASE("nobody to hear gives sums of 0", "[fast][limit]") {
  LineAttention line;
  CHECK(line_gaussian(line, {1, 2}, {}, {}, {}, 1) == Numbers{0, 0});
  CHECK(line_dot_product(line, {1, 2}, {}, {}, {}, 1) == Numbers{0, 0});
  CHECK(line_gaussian(line, {1, 2}, {3}, {4}, {0}, 1) == Numbers{0, 0});
  CHECK(line_dot_product(line, {1, 2}, {3}, {4}, {0}, 1) == Numbers{0, 0});
  CHECK(line_gaussian(line, {}, {3}, {4}, {}, 1).empty());
}

TEST_CASE("AVX2 and AVX-512 have the same bits in the loops of fast attention", "[fast][kernels]") {
  constexpr double kLastPlaces = 1e-12;  // of sums of some hundred: without fused multiply-add they differ
  const LineKernels *narrow = line_kernels_for(InstructionSet::avx2), *wide = line_kernels_for(InstructionSet::avx512);
  const BoxRow boxes{0.25, 4, -3, 8};
  const Numbers y = uniform_numbers(203, "keys", -0.8, 1.1), v = uniform_numbers(203, "values"),
                g = uniform_numbers(203, "strengths"), matrices = uniform_numbers(3 * 256, "matrices", -1, 1);
  const auto results = [&](const LineKernels& kernel) {
    Numbers all(11 * kBoxSize, 0.0), references(8, 0.0), fields(8 * kBoxSize, 0.5), least(8, 1.0), first(203),
        second(203), quotients(203), sums(4);
    std::vector<std::uint32_t> below(203);
    kernel.add_moments(boxes, y.data(), v.data(), g.data(), 203, all.data(), references.data());
    for (Index box = 0; box < 8; box += kBoxesTogether)
      kernel.translate(matrices.data(), 3, all.data() + box * kBoxSize, fields.data() + box * kBoxSize);
    const Index found =
        kernel.evaluate(boxes, fields.data(), least.data(), y.data(), 203, first.data(), second.data(), below.data());
    kernel.evaluate(boxes, fields.data(), least.data(), y.data(), 203, nullptr, quotients.data(), below.data());
    for (std::size_t i = 0; i < 203; ++i) CHECK(quotients[i] == second[i] / first[i]);
    kernel.weigh_terms(matrices.data(), all.data(), sums.data());
    CHECK(kernel.range(y.data(), 203, &sums[2], &sums[3]));
    for (const Numbers* more : {&references, &fields, &first, &second, &sums})
      all.insert(all.end(), more->begin(), more->end());
    all.insert(all.end(), below.begin(), below.begin() + found);
    return all;
  };
  const Numbers portable = results(*line_kernels_for(InstructionSet::portable));
  if (narrow) CHECK(worst_difference(results(*narrow), portable, largest_size(portable)) < kLastPlaces);
  if (narrow && wide) CHECK(results(*narrow) == results(*wide));
}

TEST_CASE("attention on the line refuses what does not fit", "[fast][errors]") {
  LineAttention line;
  const double infinity = std::numeric_limits<double>::infinity(), nan = std::numeric_limits<double>::quiet_NaN();
  const Numbers x{1, 2};
  CHECK_THROWS_WITH(line_gaussian(line, x, x, {1}, {}, 1),
                    "gaussian attention on the line: there are 1 values but 2 keys; each needs one.");
  CHECK_THROWS_WITH(line_gaussian(line, x, x, x, {1}, 1),
                    "gaussian attention on the line: there are 1 strengths but 2 keys; each needs one.");
  CHECK_THROWS_WITH(line_gaussian(line, x, {1, infinity}, x, {}, 1),
                    "gaussian attention on the line: number 1 of the keys is inf, but must be finite.");
  CHECK_THROWS_WITH(line_dot_product(line, {nan}, x, x, {}, 1),
                    "dot-product attention on the line: number 0 of the queries is nan, but must be finite.");
  CHECK_THROWS_WITH(line_dot_product(line, x, x, x, {1, -1}, 1),
                    "dot-product attention on the line: number 1 of the strengths is -1, but must be finite and at "
                    "least 0.");
  CHECK_THROWS_WITH(line_gaussian(line, x, x, x, {}, 0),
                    "gaussian attention on the line: the temperature is 0, but must be finite and above 0.");
  Numbers one(1);
  CHECK_THROWS_AS(line.dot_product(x, x, x, {}, 1, one), ArgumentError);
}
