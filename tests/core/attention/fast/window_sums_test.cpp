// Means over a window against loops over all pairs.

#include "fovea/core/attention/fast/window_sums.hpp"

#include <utility>

#include "fovea/tests/core/attention/fast/fast_attention_support.hpp"
#include "fovea/tests/support/test.hpp"

using namespace fovea::test;

namespace {

constexpr double kExactWindowMean = 3e-16;  // of the largest value: the sums are exact, the quotient is rounded

Numbers plain_window_means(const Numbers& queries, const Numbers& keys, const Numbers& values, const Numbers& strengths,
                           const Numbers& bounds) {
  Numbers outputs(queries.size());
  for (std::size_t i = 0; i < queries.size(); ++i) {
    long double weight = 0, sum = 0;
    for (std::size_t j = 0; j < keys.size(); ++j) {
      if (!(std::abs(keys[j] - queries[i]) <= bounds[bounds.size() == 1 ? 0 : i])) continue;
      const long double g = strengths.empty() ? 1.0L : static_cast<long double>(strengths[j]);
      weight += g;
      sum += g * static_cast<long double>(values[j]);
    }
    outputs[i] = weight > 0 ? static_cast<double>(sum / weight) : 0;
  }
  return outputs;
}

Numbers window_means(WindowSums& window, const Numbers& queries, const Numbers& keys, const Numbers& values,
                     const Numbers& strengths, const Numbers& bounds) {
  Numbers outputs(queries.size());
  window.means(queries, keys, values, strengths, bounds, outputs);
  return outputs;
}

}  // namespace

TEST_CASE("means over a window are those of all pairs, for every crowd and bound", "[fast][twin]") {
  WindowSums window;
  for (const auto& [name, x] : crowds(500))
    for (const double bound : {1e-4, 0.1, 2.0}) {
      INFO(name << " with bound " << bound);
      const Numbers values = uniform_numbers(x.size(), "values", -1, 1), others = uniform_numbers(200, "others", -2, 2);
      Numbers g = uneven_strengths(x.size());
      g[0] = 1e-300;
      const Numbers bounds = uniform_numbers(200, "bounds", bound / 2, 2 * bound);
      CHECK(worst_difference(window_means(window, x, x, x, {}, {bound}), plain_window_means(x, x, x, {}, {bound}),
                             largest_size(x)) < kExactWindowMean);
      CHECK(worst_difference(window_means(window, x, x, values, g, {bound}),
                             plain_window_means(x, x, values, g, {bound}), 1) < kExactWindowMean);
      CHECK(worst_difference(window_means(window, others, x, values, g, bounds),
                             plain_window_means(others, x, values, g, bounds), 1) < kExactWindowMean);
    }
}

TEST_CASE("whoever is exactly at the bound is heard, as double arithmetic has it", "[fast]") {
  Numbers x;
  for (int i = 0; i <= 64; ++i) x.push_back(i / 64.0);  // whole multiples: differences are exact
  WindowSums window;
  CHECK(window_means(window, {0.5}, x, x, {}, {0.25}) == Numbers{0.5});
  CHECK(window_means(window, {0.0}, x, x, {}, {0.25}) == Numbers{0.125});
  for (int i = 0; i <= 64; ++i) x[i] = 0.1 * i;  // they are not
  for (const double bound : {0.1, 0.2, 0.3, 0.7})
    CHECK(worst_difference(window_means(window, x, x, x, {}, {bound}), plain_window_means(x, x, x, {}, {bound}), 6.4) <
          kExactWindowMean);
}

TEST_CASE("a window with nobody in it has mean 0", "[fast][limit]") {
  WindowSums window;
  CHECK(window_means(window, {5}, {1, 2}, {3, 4}, {}, {1}) == Numbers{0});
  CHECK(window_means(window, {1}, {1}, {3}, {0}, {1}) == Numbers{0});
  CHECK(window_means(window, {1}, {}, {}, {}, {1}) == Numbers{0});
  CHECK(window_means(window, {}, {1}, {1}, {}, {1}).empty());
}

TEST_CASE("means over a window have the same bits for 1, 2, 3 and 5 threads, and whatever was sorted before",
          "[fast][threads]") {
  const int before = omp_get_max_threads();
  Numbers x = uniform_numbers(40000, "crowd");
  const Numbers values = uniform_numbers(40000, "values"), g = uneven_strengths(40000);
  WindowSums used;
  for (int step = 0; step < 3; ++step) {
    omp_set_num_threads(1);
    WindowSums fresh;
    const Numbers expected = window_means(fresh, x, x, values, g, {0.01});
    for (const int threads : {2, 3, 5}) {
      omp_set_num_threads(threads);
      CHECK(window_means(used, x, x, values, g, {0.01}) == expected);
    }
    const Numbers steps = uniform_numbers(40000, "steps", -1e-6, 1e-6);
    for (std::size_t i = 0; i < x.size(); ++i) x[i] += step == 0 ? steps[i] : 1000 * steps[i];
  }
  omp_set_num_threads(before);
}

TEST_CASE("an order of which two neighbours have changed places is put right, wherever they are", "[fast]") {
  WindowSums window;
  Numbers x(20000);
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<double>(i);
  window_means(window, x, x, x, {}, {0.5});
  for (std::size_t at = 512; at < x.size(); at += 512) {  // the runs of the sorting begin at multiples of it
    std::swap(x[at - 1], x[at]);
    CHECK(window_means(window, x, x, x, {}, {0.5}) == x);
  }
}

TEST_CASE("window sums refuse what does not fit", "[fast][errors]") {
  WindowSums window;
  const Numbers x{1, 2, 3};
  CHECK_THROWS_WITH(window_means(window, x, x, x, {}, {1, 2}),
                    "window sums: there are 2 bounds but 3 queries; each needs one.");
  CHECK_THROWS_WITH(window_means(window, x, x, x, {}, {0}),
                    "window sums: a bound is 0, but must be finite and above 0.");
  CHECK_THROWS_AS(window_means(window, x, x, {1}, {}, {1}), ArgumentError);
  CHECK_THROWS_AS(window_means(window, x, {1, 2, INFINITY}, x, {}, {1}), ArgumentError);
}
