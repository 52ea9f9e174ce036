/// Named intervals: open ends, rows that were not measured, groups, texts, several seeds. kinds_test.cpp has what every
/// kind promises.

#include <nlohmann/json.hpp>

#include "fovea/core/report/figures/averaged.hpp"
#include "fovea/core/report/page_data.hpp"
#include "fovea/core/report/report.hpp"
#include "fovea/tests/support/test.hpp"
#include "page_support.hpp"
#include "sample_intervals.hpp"

namespace {

constexpr double kUnbounded = std::numeric_limits<double>::infinity();

std::string drawn_intervals(const Results& results) {
  const std::string svg = draw_figures(results)[0].svg;
  CHECK(xml_fault(svg) == "");
  return svg;
}

/// Two rows, "a" and "b", with these ends; no unit.
Results two_rows(const std::vector<double>& point, const std::vector<double>& low, const std::vector<double>& high) {
  Results results;
  results.coordinate("row", std::vector<std::string>{"a", "b"}, "", "row");
  results.add("point", {"row"}, point, "1", "point");
  results.add("low", {"row"}, low, "1", "interval");
  results.add("high", {"row"}, high, "1", "interval");
  results.figure(
      {.kind = "intervals", .name = "one", .variables = {"point"}, .x = "row", .band_low = "low", .band_high = "high"});
  return results;
}

}  // namespace

TEST_CASE("an open end is an arrow with the bound beside it, a row without values was not measured",
          "[report][intervals]") {
  const std::string svg = drawn_intervals(sample_intervals());
  CHECK(has(svg, ">&gt; 30.5 h</text>"));
  CHECK(has(svg, ">&gt; 60 h</text>"));
  CHECK(has(svg, ">&lt; 5.28 h</text>"));
  CHECK(count_of(svg, ">not measured</text>") == 1);
  CHECK(count_of(svg, "<polygon") - count_of(drawn_intervals([] {
                                               Results closed = sample_intervals();
                                               for (const char* end : {"half_life_low", "half_life_high"})
                                                 for (double& value :
                                                      std::get<std::vector<double>>(closed.data.at(end).values))
                                                   if (std::isinf(value)) value = 10;
                                               return closed;
                                             }()),
                                             "<polygon") ==
        3);
}

TEST_CASE("every group of rows has its colour, and the legend names groups, interval and marks",
          "[report][intervals]") {
  const std::string svg = drawn_intervals(sample_intervals());
  for (const char* name :
       {"bedside", "fluids", "gases and ventilation", "laboratory", "learned half-life", "90 % interval", "own memory",
        "median gap between measurements", "half-life in the literature"})
    CHECK(count_of(svg, std::string(">") + name + "</text>") == 1);
}

TEST_CASE("a text of one's own stands in place of the bound", "[report][intervals]") {
  Results results = two_rows({3, 4}, {2, 3}, {kUnbounded, 5});
  results.add("said", {"row"}, std::vector<std::string>{"as a mean", ""}, "", "what it means");
  Results spoken;
  spoken.data = results.data;
  Figure figure = results.figures()[0];
  figure.labels = "said";
  spoken.figure(figure);
  CHECK(has(drawn_intervals(results), "&gt; 2"));
  CHECK(has(drawn_intervals(spoken), "as a mean"));
  CHECK_FALSE(has(drawn_intervals(spoken), "&gt; 2"));
}

TEST_CASE("the page keeps infinite ends infinite, and missing ones missing", "[report][intervals]") {
  const Results results = two_rows({3, kNan}, {-kUnbounded, kNan}, {kUnbounded, kNan});
  const nlohmann::json page = nlohmann::json::parse(page_data(results, 100000));
  CHECK(page["arrays"]["low"]["mean"][0] == "-Infinity");
  CHECK(page["arrays"]["high"]["mean"][0] == "Infinity");
  CHECK(page["arrays"]["high"]["mean"][1].is_null());
  CHECK(has(drawn_intervals(results), "any value"));
}

TEST_CASE("of several seeds the median is drawn, so that an end stays open where most are", "[report][intervals]") {
  Results results;
  results.coordinate("seed", std::vector<std::int64_t>{1, 2, 3}, "1", "seed");
  results.coordinate("row", std::vector<std::string>{"a", "b"}, "", "row");
  results.add("high", {"seed", "row"}, std::vector<double>{1, kUnbounded, kNan, 5, 3, kUnbounded}, "1", "high");
  const Averaged median = median_of_replicas(results.data, "high");
  CHECK(median.dimensions == std::vector<std::string>{"row"});
  CHECK(median.mean == std::vector<double>{2, kUnbounded});
  CHECK(median.error.empty());
  CHECK(has(drawn_intervals(sample_intervals(3)), "&gt; 31.1 h"));  // 58 h / 1.9 times 1.02, the middle seed
}

TEST_CASE("on a logarithmic axis an end at or below zero is open", "[report][intervals][limit]") {
  Results results = two_rows({3, 4}, {0, 3}, {6, 5});
  Figure figure = results.figures()[0];
  figure.log_y = true;
  Results logarithmic;
  logarithmic.data = results.data;
  logarithmic.figure(figure);
  CHECK(count_of(drawn_intervals(logarithmic), "<polygon") == 1 + count_of(drawn_intervals(results), "<polygon"));
}

TEST_CASE("intervals with one end alone are refused, and the groups survive the presentation",
          "[report][intervals][fault]") {
  Results results = two_rows({3, 4}, {2, 3}, {5, 6});
  Figure figure = results.figures()[0];
  figure.name = "two", figure.band_high = "";
  results.figure(figure);
  CHECK(has(support::refusal_of<ArgumentError>([&] { draw_figures(results); }),
            "figure 'two' names one end of its intervals alone; a figure of kind intervals needs"));
  Results read;
  read.read_presentation(sample_intervals().presentation());
  CHECK(read.figures()[0].groups == "source");
  CHECK_FALSE(has(two_rows({1, 2}, {1, 2}, {1, 2}).presentation(), "groups"));
}
