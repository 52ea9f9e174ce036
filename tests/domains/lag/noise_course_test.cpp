#include "fovea/domains/lag/attention/course/noise_course.hpp"

#include <cmath>

#include "fovea/domains/lag/attention/links.hpp"
#include "fovea/tests/support/test.hpp"

namespace {

using namespace fovea;
using namespace fovea::lag;

constexpr Index kSteps = 600, kSeries = 6;

/// Series 1 follows 0 after 2 steps; size(t) is that of all noise.
template <class Size>
datasets::series::SeriesTable driven(Size size, std::uint64_t seed, double link = 0.3) {
  const Random random(seed);
  datasets::series::SeriesTable table;
  table.values.resize(kSteps, kSeries);
  for (Index s = 0; s < kSeries; ++s) table.names.push_back("s" + std::to_string(s));
  for (Index t = 0; t < kSteps; ++t)
    for (Index s = 0; s < kSeries; ++s)
      table.values(t, s) = size(t) * random.normal(static_cast<std::uint64_t>(s), static_cast<std::uint64_t>(t)) +
                           (t > 0 ? 0.4 * table.values(t - 1, s) : 0) +
                           (s == 1 && t > 1 ? link * table.values(t - 2, 0) : 0);
  return table;
}

double swelling(Index t) { return std::exp(1.2 * std::sin(static_cast<double>(t) / 95)); }
double steady(Index) { return 1; }

methods::LagSettings three_lags() {
  methods::LagSettings settings;
  settings.lags = {1, 2, 3};
  return settings;
}

double p_of_link(const attention::AttentionFindings& found) {
  for (const methods::Link& link : found.findings.links)
    if (link.cause == 0 && link.effect == 1 && link.lag == 2) return link.p_value;
  return 1;
}

}  // namespace

TEST_CASE("A course of the noise that the series share is found and rows are weighed by it", "[attention_links]") {
  const datasets::series::SeriesTable table = driven(swelling, 810);
  const attention::AttentionFindings found = attention::attend_to_the_past(table, three_lags());
  REQUIRE(found.noise.size() == kSteps);
  double low = 10, high = -10;
  for (Index t = 0; t < kSteps; ++t) {
    const double off = std::log(found.noise[t] / swelling(t));  // one constant: sizes are in units of the series
    low = std::min(low, off), high = std::max(high, off);
  }
  CHECK(high - low < 1);  // of a swing of 2.4
  CHECK(p_of_link(found) < 1e-8);

  CHECK(attention::attend_to_the_past(driven(steady, 811), three_lags()).noise.size() == 0);
}

TEST_CASE("Steady noise, heavy tails and rain have no common course", "[attention_links]") {
  std::vector<Index> steps;
  for (Index t = 0; t < kSteps; ++t) steps.push_back(t);
  int found = 0;
  for (std::uint64_t seed = 820; seed < 840; ++seed) {
    datasets::series::SeriesTable table = driven(steady, seed, 0);
    found += attention::noise_course(table.values, steps, table, 20).found ? 1 : 0;
    for (Index t = 0; t < kSteps; ++t)  // Student's t of 3 degrees, by a chi of 3 drawn with each step
      for (Index s = 0; s < kSeries; ++s) {
        double square = 0;
        for (std::uint64_t k = 0; k < 3; ++k) {
          const double z =
              Random(seed + 1000).normal(static_cast<std::uint64_t>(s) * 3 + k, static_cast<std::uint64_t>(t));
          square += z * z;
        }
        table.values(t, s) =
            Random(seed).normal(static_cast<std::uint64_t>(s), static_cast<std::uint64_t>(t)) / std::sqrt(square / 3);
      }
    found += attention::noise_course(table.values, steps, table, 20).found ? 1 : 0;
    table = driven(steady, seed, 0);
    table.values = table.values.unaryExpr([](double x) { return x > 1.5 ? std::exp(x) : 0.0; }).eval();
    table.values.rowwise() -= table.values.colwise().mean().eval();
    found += attention::noise_course(table.values, steps, table, 20).found ? 1 : 0;
  }
  CHECK(found == 0);
}

TEST_CASE("Weighed rows: a table in units of its noise has the same links in other units", "[attention_links]") {
  datasets::series::SeriesTable table = driven(swelling, 812);
  const attention::AttentionFindings found = attention::attend_to_the_past(table, three_lags());
  for (Index s = 0; s < kSeries; ++s)
    table.values.col(s) = (table.values.col(s).array() * std::pow(10, static_cast<double>(s)) + 7).matrix();
  const attention::AttentionFindings scaled = attention::attend_to_the_past(table, three_lags());
  REQUIRE(found.findings.links.size() == scaled.findings.links.size());
  for (std::size_t k = 0; k < found.findings.links.size(); ++k)
    CHECK(scaled.findings.links[k].p_value == Approx(found.findings.links[k].p_value).epsilon(1e-6).margin(1e-12));
}
