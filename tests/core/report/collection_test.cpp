#include "fovea/core/report/collection.hpp"

#include "fovea/core/base/error.hpp"
#include "fovea/core/data/verdict.hpp"
#include "fovea/core/report/figures/colors.hpp"
#include "fovea/core/report/page_text.hpp"
#include "fovea/tests/core/report/sample_results.hpp"
#include "fovea/tests/support/test.hpp"

namespace {

bool shows(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

Exhibit exhibit(const std::string& name, double measured) {
  Exhibit one;
  one.name = name;
  one.title = "What " + name + " says";
  one.report = name + "/report.html";
  one.results.verdict("It is so.");
  one.results.check({"first", "the first number", "", 1, 1, absolute(0)});
  one.results.check({"second", "the <second> number", "", 2, measured, absolute(0.5)});
  return one;
}

}  // namespace

TEST_CASE("a collection shows for each result what was predicted, measured and found", "[report]") {
  Exhibit broken;
  broken.name = broken.title = "broken";
  broken.error = "keys = <0>, but must be > 0";
  const std::string page = draw_collection("tests", {exhibit("one", 2), exhibit("two", 7), broken});
  CHECK(shows(page, "<h1>1 of 3 results hold</h1>"));
  CHECK(shows(page, "<a href=\"#one\">What one says</a><small>It is so.</small></td><td>2 of 2 hold</td>"));
  CHECK(shows(page,
              "<small>Does not hold: the &lt;second&gt; number: predicted 2 \xC2\xB1 0.5, measured 7.</small></td>"
              "<td>1 of 2 holds</td>"));
  CHECK_FALSE(shows(page, "the first number"));
  CHECK(shows(page, "keys = &lt;0&gt;"));
  CHECK(shows(page, "href=\"two/report.html\""));
  CHECK(shows(page, "<small>keys = &lt;0&gt;, but must be &gt; 0</small>"));
  CHECK(shows(page, std::string(kThemeButton)));
}

TEST_CASE("what had nothing to check is not counted as holding, and a preview is not judged", "[report]") {
  Exhibit plain = exhibit("plain", 2), preview = exhibit("tried", 7);
  plain.results = Results();
  mark_preview(preview.results, true);
  CHECK(standings_text({exhibit("one", 2), plain, plain}) == "1 of 1 result holds, 2 had nothing to check");
  CHECK(standings_text({preview, preview}) == "2 previews, not judged");
  const std::string page = draw_collection("tests", {preview});
  CHECK(shows(page, "<h1>1 preview, not judged</h1>"));
  CHECK(!shows(page, "class=\"bad\""));
  CHECK(!shows(page, "class=\"good\""));
  CHECK(!shows(page, "It is so."));
}

TEST_CASE("a collection draws the figures of its results but for tables", "[report]") {
  Exhibit one = exhibit("one", 2);
  one.results = sample_results(2, 8, 12);
  std::size_t drawn = 0, wanted = 0;
  const std::string page = draw_collection("tests", {one});
  for (std::size_t at = page.find("<svg"); at != std::string::npos; at = page.find("<svg", at + 1)) ++drawn;
  for (const Figure& figure : one.results.figures()) wanted += figure.kind == "table" ? 0 : 1;
  CHECK(drawn == wanted);
  CHECK(!shows(page, "<?xml"));
}

TEST_CASE("a collection's drawings can be saved, and follow the page into the dark", "[report]") {
  Exhibit one = exhibit("one", 2);
  one.results = sample_results(2, 8, 12);
  const std::string page = draw_collection("tests", {one});
  CHECK(shows(page, "<figure data-name=\"one-"));
  CHECK(shows(page, "data-save=\"SVG\""));
  CHECK(shows(page, concat(".drawings [fill=\"", kInk, "\"] { fill: var(--ink); }")));
  CHECK(shows(page, concat(".drawings [stroke=\"", line_color(0), "\"] { stroke: var(--c0); }")));
  CHECK(shows(page, concat("fill=\"", kInk, "\"")));
}

TEST_CASE("a result without checks stands as unchecked, one with a check that fails as refuted", "[report]") {
  CHECK(failed_check(Results()) == nullptr);
  CHECK(standing(Exhibit{}) == Standing::unchecked);
  CHECK(standing(exhibit("two", 7)) == Standing::refuted);
  CHECK(failed_check(exhibit("two", 7).results)->name == "second");
}
