/// Findings: recorded under their condition, said where their role says, kept in results, merged in sweeps.

#include "fovea/core/data/dataset_merge.hpp"
#include "fovea/core/data/results.hpp"
#include "fovea/tests/support/test.hpp"

namespace fovea::finding_test {
namespace {

struct Warm {
  double degrees;
  std::string place;
  std::size_t days;
  bool dry;
  NamedNumbers beside;
  FOVEA_FINDING(verdict, "warm", "above 20 degrees", degrees, place, days, dry, beside)
  bool holds() const { return degrees > 20; }
  std::string sentence() const { return concat(place, " is warm at ", degrees, " degrees."); }
  static Warm example() { return {25, "Rome", 3, true, {}}; }
  static Warm counterexample() { return {15, "Oslo", 3, true, {}}; }
};

struct Windy {
  double speed;
  FOVEA_FINDING(note, "windy", "faster than 10", speed)
  bool holds() const { return speed > 10; }
  std::string sentence() const { return "It is windy."; }
};

struct Measured {
  FOVEA_FINDING(fact, "measured", "always")
  bool holds() const { return true; }
  std::string sentence() const { return "It was measured."; }
};

Warm rome() { return {.degrees = 25.5, .place = "Rome", .days = 3, .dry = true, .beside = {{"a, b", 0.1 + 0.2}}}; }

Results weather() {
  Results results;
  results.finding(rome());
  results.finding(Warm{21, "Bonn", 1, false, {}});
  results.finding(Windy{std::nan("")});
  results.finding(Windy{12});
  results.finding(Measured{});
  return results;
}

std::vector<std::string> kinds_of(const Results& results) {
  std::vector<std::string> kinds;
  for (const Finding& finding : results.findings()) kinds.push_back(finding.kind);
  return kinds;
}

}  // namespace

TEST_CASE("a finding is recorded if its condition holds, and its sentence stands where its role says", "[results]") {
  Results results;
  CHECK_FALSE(results.finding(Warm{20, "Bonn", 1, false, {}}));
  CHECK_FALSE(results.found<Warm>());
  CHECK(results.verdict().empty());
  CHECK(results.finding(rome()));
  CHECK(results.finding(rome()));  // kept once
  results = weather();
  CHECK(kinds_of(results) == std::vector<std::string>{"warm", "warm", "windy", "measured"});
  CHECK(results.verdict() == "Rome is warm at 25.5 degrees. Bonn is warm at 21 degrees.");
  CHECK(results.notes() == std::vector<std::string>{"It is windy."});
  const auto warm = results.found<Warm>();
  REQUIRE(warm);
  CHECK(warm->degrees == 25.5);
  CHECK(warm->place == "Rome");
  CHECK(warm->days == 3);
  CHECK(warm->dry);
  CHECK(warm->beside == NamedNumbers{{"a, b", 0.1 + 0.2}});
  CHECK(results.found("windy")->numbers == NamedNumbers{{"speed", 12}});
  CHECK(results.found("cold") == nullptr);
  results.verdict("Fine.");
  CHECK(results.verdict() == "Fine.");
}

TEST_CASE("findings as JSON", "[results]") {
  Results results;
  results.finding(Warm{25.5, "a \"b\"", 3, true, {{"x", std::nan("")}}});
  CHECK(findings_json(results.findings()) ==
        R"([{"kind": "warm", "role": "verdict", "numbers": {"degrees": 25.5, "days": 3, "dry": 1, "beside.x": null}, )"
        R"("words": {"place": "a \"b\""}, "sentence": "a \"b\" is warm at 25.5 degrees."}])");
  CHECK(findings_json({}) == "[]");
}

TEST_CASE("findings come back from the presentation; results without have none in it", "[results]") {
  CHECK(Results().presentation().find("findings") == std::string::npos);
  Results results = weather();
  results.finding(Warm{std::numeric_limits<double>::infinity(), "Sun", 0, true, {{"x", std::nan("")}}});
  Results back;
  back.read_presentation(results.presentation());
  CHECK(back.presentation() == results.presentation());
  CHECK(back.given_verdict().empty());
  CHECK(back.findings().back().says_the_same_as(results.findings().back()));
  CHECK(std::isnan(finding_as<Warm>(back.findings().back()).beside.front().second));
  CHECK(back.found<Measured>());
  back.verdict("Fine.");
  results.read_presentation(back.presentation());
  CHECK(results.given_verdict() == "Fine.");
  CHECK(kinds_of(results) == kinds_of(back));
}

TEST_CASE("a finding of another version, without a member, is an error in words", "[results]") {
  CHECK_THROWS_WITH((finding_as<Windy>({.kind = "windy"})),
                    "finding 'windy': has no 'speed'; another version may have written it.");
}

TEST_CASE("findings of a sweep know their points; only a note among them is said of the whole", "[merge]") {
  const MergeAxis seeds{"seed", std::vector<std::int64_t>{3, 4, 5}, "1", "seed"};
  Results first = weather(), last = weather();
  last.finding(Windy{13});
  Results merged = merge_results({seeds}, {&first, nullptr, &last});
  CHECK(merged.verdict().empty());
  CHECK(merged.notes() == std::vector<std::string>{"It is windy."});
  CHECK(kinds_of(merged) == std::vector<std::string>{"warm", "warm", "windy", "measured", "windy"});
  CHECK(merged.found("warm")->points == std::vector<std::string>{"seed=3", "seed=5"});
  CHECK(merged.findings().back().points == std::vector<std::string>{"seed=5"});
  merged.finding(rome());  // of all points together
  CHECK(merged.verdict() == "Rome is warm at 25.5 degrees.");
  Results back;
  back.read_presentation(merged.presentation());
  CHECK(back.presentation() == merged.presentation());
  const Results alone = merge_results({{"seed", std::vector<std::int64_t>{3}, "1", "seed"}}, {&first});
  CHECK(alone.verdict() == first.verdict());
  CHECK(alone.given_verdict().empty());
  CHECK(alone.found("warm")->points.empty());
}

TEST_CASE("findings of this machine stand behind the others", "[results]") {
  Results results;
  results.finding(rome());
  results.on_this_machine().finding(Windy{12});
  CHECK(kinds_of(results) == std::vector<std::string>{"warm"});
  CHECK(kinds_of(results.with_machine()) == std::vector<std::string>{"warm", "windy"});
}

}  // namespace fovea::finding_test
