#include "fovea/datasets/simulated/economies/simulated_panel.hpp"

#include "fovea/tests/support/test.hpp"

namespace {

using datasets::simulated::SimulatedPanel;

const char* const kSimulatedNames[] = {"PAYEMS",  "INDPRO",   "W875RX1",   "CMRMTSPLx", "UNRATE", "CLAIMSx",
                                       "S&P 500", "GS10",     "TB3MS",     "FEDFUNDS",  "PERMIT", "BAA",
                                       "AAA",     "UMCSENTx", "OILPRICEx", "CPIAUCSL",  "AWHMAN"};

/// First months of recessions, counted from the panel's first.
std::vector<Index> begins_of(const std::vector<double>& in) {
  std::vector<Index> begins;
  for (std::size_t t = 1; t < in.size(); ++t)
    if (in[t] == 1 && in[t - 1] == 0) begins.push_back(static_cast<Index>(t));
  return begins;
}

std::vector<double> values_of(const SimulatedPanel& simulated, const char* name) {
  return simulated.panel.find(name)->values;
}

std::size_t empty_at_end(const std::vector<double>& values) {
  std::size_t count = 0;
  while (count < values.size() && std::isnan(values[values.size() - 1 - count])) ++count;
  return count;
}

}  // namespace

TEST_CASE("a simulated panel has the series of FRED-MD with codes, ragged ends and known recessions",
          "[simulated][nowcast]") {
  const SimulatedPanel simulated = datasets::simulated::simulated_panel(Random(3));
  CHECK(simulated.panel.months() == 780);
  CHECK(simulated.panel.series.size() == std::size(kSimulatedNames));
  CHECK(simulated.recessions.first_month == simulated.panel.first_month);
  CHECK(simulated.recessions.last_month() == simulated.panel.last_month());
  for (const char* name : kSimulatedNames) {
    INFO(name);
    const auto* series = simulated.panel.find(name);
    REQUIRE(series != nullptr);
    REQUIRE(series->code.has_value());
    if (*series->code >= 4)
      CHECK(std::none_of(series->values.begin(), series->values.end(), [](double value) { return value <= 0; }));
  }
  CHECK(empty_at_end(values_of(simulated, "GS10")) == 0);
  CHECK(empty_at_end(values_of(simulated, "PAYEMS")) == 1);
  CHECK(empty_at_end(values_of(simulated, "CMRMTSPLx")) == 2);
  const std::vector<double> sentiment = values_of(simulated, "UMCSENTx");
  CHECK(std::isnan(sentiment[0]));
  CHECK(!std::isnan(sentiment[1]));
  CHECK(std::none_of(sentiment.begin() + 12 * 19, sentiment.end(), [](double value) { return std::isnan(value); }));
}

TEST_CASE("a simulated panel is a function of its random numbers", "[simulated][nowcast]") {
  const SimulatedPanel one = datasets::simulated::simulated_panel(Random(3)),
                       again = datasets::simulated::simulated_panel(Random(3)),
                       other = datasets::simulated::simulated_panel(Random(4));
  for (std::size_t s = 0; s < one.panel.series.size(); ++s)
    CHECK(std::memcmp(one.panel.series[s].values.data(), again.panel.series[s].values.data(),
                      sizeof(double) * one.panel.series[s].values.size()) == 0);
  CHECK(one.recessions.in == again.recessions.in);
  CHECK(one.recessions.in != other.recessions.in);
}

TEST_CASE("simulated recessions last 6 to 18 months and begin 60 to 96 months apart", "[simulated][nowcast]") {
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    INFO("seed " << seed);
    const std::vector<double> in = datasets::simulated::simulated_panel(Random(seed)).recessions.in;
    const std::vector<Index> begins = begins_of(in);
    CHECK(begins.size() >= 7);
    for (std::size_t k = 0; k + 1 < begins.size(); ++k) {
      const auto first = in.begin() + begins[k];
      const Index length = std::find(first, in.end(), 0.0) - first, cycle = begins[k + 1] - begins[k];
      CHECK((length >= 6 && length <= 18));
      CHECK((cycle >= 60 && cycle <= 96));
    }
  }
}

TEST_CASE("simulated payrolls grow by their trend less what recessions take", "[simulated][nowcast][statistics]") {
  // Seeds 1 to 100: 77,900 changes with the standard deviation .0022; in recessions also the depth, uniform in
  // [.7, 1.5].
  double sums[2] = {}, counts[2] = {};
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    const SimulatedPanel simulated = datasets::simulated::simulated_panel(Random(seed));
    const std::vector<double> growth = datasets::panels::transformed(*simulated.panel.find("PAYEMS"));
    for (std::size_t t = 1; t + 1 < growth.size(); ++t) {
      const int in = simulated.recessions.in[t] == 1 ? 1 : 0;
      sums[in] += growth[t], ++counts[in];
    }
  }
  const double depth_error = 0.0040 * 0.8 / std::sqrt(12.0 * 900);  // of some 900 recessions
  CHECK(std::abs(sums[0] / counts[0] - 0.0021) < 4 * 0.0022 / std::sqrt(counts[0]));
  CHECK(std::abs(sums[1] / counts[1] - (0.0021 - 1.1 * 0.0040)) < 4 * (0.0022 / std::sqrt(counts[1]) + depth_error));
}

TEST_CASE("the simulated spread inverts in the year before most recessions, and seldom otherwise",
          "[simulated][nowcast][statistics]") {
  // Seeds 1 to 20. Spreads are 1.7 less 2.2 times the depth, of at least .7, with the standard deviation .5.
  double before = 0, recessions = 0, apart = 0, inverted = 0;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const SimulatedPanel simulated = datasets::simulated::simulated_panel(Random(seed));
    const std::vector<double> bonds = values_of(simulated, "GS10"), bills = values_of(simulated, "TB3MS");
    const auto inverts = [&](Index from, Index to) {
      for (Index t = from; t < to; ++t)
        if (bonds[static_cast<std::size_t>(t)] < bills[static_cast<std::size_t>(t)]) return 1.0;
      return 0.0;
    };
    for (const Index begin : begins_of(simulated.recessions.in)) {
      ++recessions, before += inverts(begin - 12, begin);
      if (begin >= 36) ++apart, inverted += inverts(begin - 36, begin - 24);
    }
  }
  CHECK(before / recessions > 0.8);
  CHECK(inverted / apart < 0.3);
}

TEST_CASE("settings of a simulated panel that contradict each other are refused", "[simulated][nowcast]") {
  const auto refusal = [](const datasets::simulated::SimulatedPanelSettings& settings) {
    return refusal_of<ArgumentError>([&] { datasets::simulated::simulated_panel(Random(1), settings); });
  };
  CHECK(refusal({12 * 1959, 119}) == "simulated panel: it has 119 months; it takes 120 at least.");
  CHECK(refusal({12 * 1959, 780, 6, 60, 60, 96}) ==
        "simulated panel: recessions of 6 to 60 months must be shorter than the cycles of 60 to 96 months.");
}
