/// The texts of the page: headlines, checks, config, provenance.

#include "fovea/core/report/page_text.hpp"

#include "fovea/core/report/page_data.hpp"
#include "fovea/tests/support/test.hpp"
#include "page_support.hpp"
#include "sample_results.hpp"

TEST_CASE("a headline shows its standard error, its prediction and its bracket", "[report]") {
  const std::string section = headline_section(sample_results(3, 4, 4));
  CHECK(has(section, "0.008970 \xC2\xB1 0.000012"));
  CHECK(has(section, "predicted <b>0.0089684</b>"));
  CHECK(has(section, "half of the bracket"));
  CHECK(has(section, "standard error over 3 seeds"));
}

TEST_CASE("a headline with a value for each branch has a card for each, and skips NaN", "[report]") {
  Results results;
  results.coordinate("branch", std::vector<std::string>{"cooling", "heating", "none"}, "", "branch");
  results.add("jump", {"branch"}, std::vector<double>{1.5, 2.5, kNan}, "K", "jump");
  results.headline({.variable = "jump", .label = "Jump"});
  const std::string section = headline_section(results);
  CHECK(count_of(section, "<article") == 2);
  CHECK(has(section, "Jump, cooling"));
  CHECK(has(section, "2.5 <span class=\"units\">K</span>"));
  results.coordinate("t", std::vector<double>{1, 2, 3, 4, 5, 6, 7, 8}, "1", "t");
  results.add("many", {"t"}, std::vector<double>{1, 2, 3, 4, 5, 6, 7, 8}, "1", "many");
  results.headline({.variable = "many", .label = "Many"});
  CHECK(has(headline_section(results), "1 to 8"));
  results.coordinate("k", std::vector<double>{1, 2}, "1", "k");
  results.add("both", {"branch", "k"}, std::vector<double>{11, 12, 13, 14, 15, 16}, "1", "both");
  results.headline({.variable = "both", .label = "Both"});
  CHECK(has(headline_section(results), "11 to 16"));  // a map over k tells more than six cards
}

TEST_CASE("a failed check is marked in the verdict and in its row", "[report]") {
  Results results;
  results.check({"a", "first", "source", 1, 1.001, relative(0.01)});
  results.check({"b", "second", "source", 1, 1.5, absolute(0.2)});
  results.check({"c", "third", "source", 1, kNan, absolute(0.2)});
  CHECK(has(verdict_section(results), "2 of 3 checks FAILED: b, c"));
  CHECK(has(verdict_section(results), "badge bad"));
  for (const char* name : {"d", "e"}) results.check({name, "", "", 1, 2, relative(0.1)});
  CHECK(has(verdict_section(results), "4 of 5 checks FAILED: b, c, d and 1 more"));
  CHECK(count_of(check_section(results), "class=\"failed\"") == 4);
  CHECK(has(check_section(results), "no value"));
}

TEST_CASE("the checks of a sweep's points are one row for each law, and those that fail stand below it", "[report]") {
  Results results;
  for (const double speed : {0.0, 1.0, 2.0})
    results.check(
        {concat("hull (speed=", speed, ")"), "left the hull", "source", 1, speed == 1 ? 1.25 : 1.0, absolute(0.5)});
  results.check({"alone", "only one", "source", 1, 1, relative(0.1)});
  const std::string held = check_section(results);
  CHECK(count_of(held, "<tr") == 1 + 2);
  CHECK(has(held, "<code>hull</code>"));
  CHECK(has(held, "3 of 3 hold"));
  CHECK(has(held, "1 to 1.25<br>worst off by 0.25"));
  CHECK(has(held, "\xE2\x9C\x93 holds"));
  results.check({"hull (speed=9)", "left the hull", "source", 1, kNan, absolute(0.5)});
  const std::string failed = check_section(results);
  CHECK(has(failed, "3 of 4 hold"));
  CHECK(has(failed, "worst off by no value"));
  CHECK(count_of(failed, "class=\"failed\"") == 2);
  CHECK(has(failed, "hull (speed=9)"));
  CHECK_FALSE(has(failed, "hull (speed=0)"));
}

TEST_CASE("config keys are compared with the defaults one by one", "[report]") {
  const std::vector<ConfigLine> lines =
      config_lines("a = 1 # one\n[t]\nb = \"x # y\"\nlist = [1,\n  2]\n[[m]]\nk = 1\n[[m]]\nk = 2\n",
                   "a = 2\n[t]\nb = \"x # y\"\n[[m]]\nk = 1\n[[m]]\nk = 3\n");
  REQUIRE(lines.size() == 5);
  CHECK(lines[0].changed);
  CHECK(lines[0].standard == "2");
  CHECK(lines[1].key == "t.b");
  CHECK(lines[1].value == "\"x # y\"");
  CHECK_FALSE(lines[1].changed);
  CHECK(lines[2].value == "[1, 2]");
  CHECK_FALSE(lines[2].changed);  // no default is known
  CHECK(lines[3].key == "m.0.k");
  CHECK_FALSE(lines[3].changed);
  CHECK(lines[4].changed);
  const std::string section = config_section(sample_results(2, 3, 4));
  CHECK(has(section, "1 key differs"));
  CHECK(section.find("crowd.agents") < section.find("<code>seed"));  // changed keys come first
  CHECK_FALSE(has(section, "crowd.stubbornness"));
  const std::string record = record_section(sample_results(2, 3, 4), "{}");
  CHECK(record.find("crowd.stubbornness") > record.find("2 keys have their default"));
  CHECK(count_of(section, "<code>0.06, 0.003</code> <span class=\"swept\">") == 1);
  CHECK(config_section(Results{}).empty());
}

TEST_CASE("a swept key shows the sweep's values", "[report]") {
  const std::vector<ConfigLine> lines = config_lines(
      "branch = \"cooling\"\n[model]\nnoise = 0.0\n[sweep]\nbranch = [\"cooling\", \"heating\"]\n"
      "\"model.noise\" = \"lin:0..1:5\"\nseeds = 3\n",
      "branch = \"cooling\"\n");
  REQUIRE(lines.size() == 3);
  CHECK(lines[0].value == "cooling, heating");
  CHECK((lines[0].swept && lines[0].changed));
  CHECK(lines[1].key == "model.noise");
  CHECK(lines[1].value == "lin:0..1:5");
  CHECK((lines[1].swept && !lines[1].changed));
  CHECK(lines[2].key == "seeds");
  CHECK(lines[2].value == "3");
}

TEST_CASE("provenance shows the main entries, and the record keeps the whole manifest", "[report]") {
  const std::string manifest =
      R"({"seed":7,"machine":{"cpu":"C<PU"},"other":{"deep":[1,2]},"wall_seconds":99.84,
    "peak_memory_bytes":33464320,"started":"2026-01-02T03:04:05Z","failed_points":0,
    "fovea":{"commit":"27de42e704f89833306b+changes"},"files":{"inputs":[{"path":"a.csv","sha256":"0123456789abcdef"}]}})";
  const std::string section = provenance_section(manifest);
  CHECK(has(section, "<th scope=\"row\">Processor</th>"));
  CHECK(has(section, "<td>99.8 s</td>"));
  CHECK(has(section, "<td>33.5 MB</td>"));
  CHECK(has(section, "<td>2026-01-02 03:04:05 UTC</td>"));
  CHECK(has(section, "<code title=\"27de42e704f89833306b+changes\">27de42e704</code> with changes"));
  CHECK(has(section, "a.csv <code title=\"0123456789abcdef\">0123456789</code>"));
  CHECK_FALSE(has(section, "Points that failed"));
  CHECK(has(section, "C&lt;PU"));
  CHECK_FALSE(has(section, "deep"));
  CHECK(has(record_section({}, manifest), "&quot;deep&quot;"));
  CHECK(json_leaves(R"({"a":{"b":[1,"x"]}})") ==
        std::vector<std::pair<std::string, std::string>>{{"a.b.0", "1"}, {"a.b.1", "x"}});
  CHECK(json_leaves("no json").empty());
  CHECK(pretty_json("{\"a\":1}") == "{\n  \"a\": 1\n}");
  CHECK(has(record_section({}, "broken <json"), "broken &lt;json"));
  CHECK(provenance_section("").empty());
  CHECK(has(rerun_section("fovea run <x>"), "fovea run &lt;x&gt;"));
  CHECK(has(rerun_section("fovea run"), "class=\"copy\""));
  CHECK(note_section(Results{}).empty());
}

TEST_CASE("the record has the findings with their numbers, folded", "[report]") {
  Finding found{.kind = "warm", .numbers = {{"degrees", 25.5}}, .words = {{"place", "<Rome>"}}, .points = {"seed=3"}};
  const auto record = [&] {
    Results results;
    results.record(found);
    return record_section(results, "");
  };
  CHECK(has(record(), "<details><summary>Findings</summary>"));
  CHECK(has(record(), "<th scope=\"row\">warm</th><td>degrees 25.5; place: &lt;Rome&gt;; at seed=3</td>"));
  CHECK_FALSE(has(record(), "manifest"));
  found.points.push_back("seed=4");
  CHECK(has(record(), "at 2 points</td>"));
  CHECK_FALSE(has(record_section({}, "{}"), "Findings"));
  CHECK(record_section({}, "").empty());
}

TEST_CASE("the first panel and tables take the whole width, and so does one that would stand alone", "[report]") {
  const auto wide = [](std::vector<std::string> kinds) {
    Results results;
    for (const std::string& kind : kinds) results.figure(figure_of(kind, {"y"}, "x"));
    const std::string section = figure_section(results);
    std::string marks;
    for (std::size_t at = section.find("panel"); at != std::string::npos; at = section.find("\"panel", at + 1))
      marks += section.compare(at + 1, 10, "panel wide") == 0 || section.compare(at, 10, "panel wide") == 0 ? 'W' : '.';
    return marks;
  };
  constexpr const char *kLine = "lines", *kTable = "table", *kNetwork = "network";
  CHECK(wide({kLine}) == "W");
  CHECK(wide({kLine, kLine, kLine}) == "W..");
  CHECK(wide({kLine, kLine, kLine, kTable, kLine}) == "W..WW");
  CHECK(wide({kLine, kNetwork, kLine, kLine}) == "WW..");
  // no half is left empty between whole ones, and none moves before what it is numbered after
  CHECK(wide({kLine, kLine, kTable, kLine, kLine, kLine}) == "WWW..W");
  CHECK(wide({kLine, kLine, kNetwork, kLine}) == "W..W");
}

TEST_CASE("figures are numbered as they are read: those of a fold after the others", "[report]") {
  Results results;
  for (const char* fold : {"", "more", "", "more", "even more"}) {
    Figure figure = figure_of("lines", {"y"}, "x");
    figure.fold = fold;
    results.figure(figure);
  }
  const std::string section = figure_section(results);
  std::string numbers, places;
  for (std::size_t at = 0; (at = section.find("<b>Figure ", at)) != std::string::npos; ++at)
    numbers += section.at(at + 10);
  for (std::size_t at = 0; (at = section.find("data-figure=\"", at)) != std::string::npos; ++at)
    places += section.at(at + 13);
  CHECK(numbers == "12345");
  CHECK(places == "02134");
}
