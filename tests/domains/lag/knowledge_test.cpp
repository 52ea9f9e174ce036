#include "fovea/domains/lag/knowledge/knowledge.hpp"

#include "fovea/tests/support/test.hpp"

using namespace fovea::lag;
using knowledge::Knowledge;

namespace {

const std::vector<std::string> kNames{"rain", "snow", "upstream", "town", "a,b", "x->y"};
enum { rain, snow, upstream, town, comma, arrow };

Knowledge forbidding(const std::vector<std::string>& texts) { return Knowledge({texts, {}, ""}, kNames); }

std::string refusal(const knowledge::Written& written) {
  return support::refusal_of<ArgumentError>([&] { const Knowledge known(written, kNames); });
}

}  // namespace

TEST_CASE("a forbidden link is what its text means: names, groups, wildcards, lags, either arrow", "[lag]") {
  const Knowledge nothing_drives_rain = forbidding({"rain<-*"});
  CHECK_FALSE(nothing_drives_rain.allowed(snow, rain, 1));
  CHECK_FALSE(nothing_drives_rain.allowed(town, rain, 0));
  CHECK(nothing_drives_rain.allowed(rain, snow, 1));
  CHECK(nothing_drives_rain.allowed(rain, rain, 1));  // its own past is no other series
  const Knowledge some_lags = forbidding({" rain , snow -> town @ 0-1,4"});
  for (const Index lag : {0, 1, 4}) {
    CHECK_FALSE(some_lags.allowed(rain, town, lag));
    CHECK_FALSE(some_lags.allowed(snow, town, lag));
  }
  for (const Index lag : {2, 3, 5}) CHECK(some_lags.allowed(rain, town, lag));
  CHECK(some_lags.allowed(town, rain, 1));
  CHECK(some_lags.allowed(upstream, town, 1));
  const Knowledge wild = forbidding({"*o*->*a*n"});
  CHECK_FALSE(wild.allowed(town, rain, 3));
  CHECK(wild.allowed(rain, town, 3));
  CHECK(wild.allowed(town, upstream, 3));
  const Knowledge own = forbidding({"rain->rain@5"});
  CHECK_FALSE(own.allowed(rain, rain, 5));
  CHECK(own.allowed(rain, rain, 4));
}

TEST_CASE("a name's unit may be left out", "[lag]") {
  const Knowledge known({{"flow->level [m]@1"}, {}, ""}, {"flow [m3/s]", "level [m]"});
  CHECK_FALSE(known.allowed(0, 1, 1));
  CHECK(known.allowed(1, 0, 1));
}

TEST_CASE("quotes keep commas, arrows and stars of a name", "[lag]") {
  const Knowledge known = forbidding({"\"a,b\"->\"x->y\"@2"});
  CHECK_FALSE(known.allowed(comma, arrow, 2));
  CHECK(known.allowed(arrow, comma, 2));
  CHECK(knowledge::parse_pattern("\"*\"->a").causes == std::vector<std::string>{"*"});
  CHECK(knowledge::parse_pattern("*->a").causes == std::vector<std::string>{std::string(1, knowledge::kWildcard)});
}

TEST_CASE("later tiers do not drive earlier ones, and series without a tier are free", "[lag]") {
  const Knowledge known({{}, {}, "rain,snow | upstream | town"}, kNames);
  CHECK(known.allowed(rain, town, 1));
  CHECK(known.allowed(rain, snow, 1));
  CHECK_FALSE(known.allowed(upstream, snow, 0));
  CHECK_FALSE(known.allowed(town, upstream, 3));
  CHECK(known.allowed(comma, rain, 1));
  CHECK(known.allowed(town, comma, 1));
  CHECK(known.allowed(town, town, 1));
}

TEST_CASE("required links are told to the search with what is forbidden", "[lag]") {
  const Knowledge known({{"rain<-*"}, {"upstream->town@3", "town<-rain@1,3", "rain->town@1"}, ""}, kNames);
  methods::LagSettings settings;
  knowledge::tell(known, settings);
  REQUIRE(settings.required.size() == 3);
  CHECK(
      (settings.required[0].cause == upstream && settings.required[0].effect == town && settings.required[0].lag == 3));
  CHECK((settings.required[2].cause == rain && settings.required[2].effect == town && settings.required[2].lag == 3));
  CHECK_FALSE(settings.allowed(snow, rain, 1));
  CHECK(settings.allowed(snow, town, 1));
  CHECK(known.longest_required() == 3);
}

TEST_CASE("knowledge is told to the reader in sentences", "[lag]") {
  CHECK(Knowledge().notes().empty());
  const Knowledge known({{"rain<-*", "town->snow"}, {"upstream->town@3"}, "rain | town"}, kNames);
  const std::vector<std::string> notes = known.notes();
  REQUIRE(notes.size() == 3);
  CHECK(notes[0] ==
        "2 kinds of link are forbidden by you: rain<-*; town->snow. They are not tested and not among the tests that "
        "q-values count.");
  CHECK(notes[1].starts_with("Tiers are given by you: rain | town."));
  CHECK(notes[2].starts_with("1 link is required by you: upstream->town@3."));
}

TEST_CASE("a group stands for its series, and links are counted between groups", "[lag]") {
  const Knowledge known({{"rivers->weather"}, {}, "weather | rivers", "weather = rain,s* | rivers = upstream,town"},
                        kNames);
  CHECK_FALSE(known.allowed(town, snow, 1));
  CHECK_FALSE(known.allowed(upstream, rain, 0));
  CHECK(known.allowed(rain, town, 1));
  CHECK(known.allowed(rain, snow, 1));
  CHECK(known.allowed(comma, rain, 1));
  std::vector<methods::Link> links(4);
  links[0].cause = rain, links[0].effect = town;
  links[1].cause = snow, links[1].effect = upstream;
  links[2].cause = upstream, links[2].effect = town;
  links[3].cause = town, links[3].effect = town;
  CHECK(known.links_between_groups(links) == "Links between groups: weather \u2192 rivers 2, within rivers 1.");
  CHECK(known.links_between_groups({}) == "No significant link between or within the groups.");
  const Knowledge one({{}, {}, "", "rivers = upstream,town"}, kNames);
  CHECK(one.links_between_groups(links) == "Links within rivers 1.");
  CHECK(one.links_between_groups({}) == "No significant link within rivers.");
  CHECK(Knowledge().links_between_groups(links).empty());
  CHECK(known.notes()[1] == "Groups are given by you: weather = rain,s* | rivers = upstream,town.");
}

TEST_CASE("what cannot be meant is refused with the way out", "[lag]") {
  const auto says = [](const knowledge::Written& written, const std::string& sentence) {
    const std::string said = refusal(written);
    INFO(said);
    CHECK(said.find(sentence) != std::string::npos);
  };
  says({{"rain-town"}, {}, ""}, "'rain-town': has 0 arrows, but a link has one; write a link as CAUSE->EFFECT");
  says({{"rain->town->snow"}, {}, ""}, "has 2 arrows");
  says({{"rain->"}, {}, ""}, "'rain->': a name is missing");
  says({{"rain->twon"}, {}, ""}, "'rain->twon': there is no series 'twon' that changes; did you mean 'town'?");
  says({{"z*->town"}, {}, ""}, "there is no series 'z*' that changes.");
  says({{"rain->town@x"}, {}, ""}, "'rain->town@x': 'x' are no lags; write them behind @ as 3 or 0-2,5, in steps.");
  says({{"rain->town@1@2"}, {}, ""}, "there are 2 @");
  says({{"\"rain->town"}, {}, ""}, "a quote is opened but not closed");
  says({{}, {"rain->town"}, ""}, "'rain->town': a required link needs its lag; write rain->town@LAG.");
  says({{}, {"*->town@1"}, ""}, "no group and no *");
  says({{"rain->*"}, {"rain->town@1"}, ""}, "'rain->town@1': is required and forbidden; take out one of both.");
  says({{}, {"town->rain@1"}, "rain|town"}, "is required and forbidden");
  says({{}, {"rain->rain@0"}, ""}, "a series does not drive itself within a step");
  says({{}, {}, "rain,town"}, "there is one tier, but at least two are needed");
  says({{}, {}, "rain | | town"}, "a tier is empty");
  says({{}, {}, "rain | town,rain"}, "'rain' is in two tiers; leave it in one.");
  says({{}, {}, "", "weather rain,snow"}, "groups 'weather rain,snow': 'weather rain,snow' is no group; write them as");
  says({{}, {}, "", "a = rain | a = snow"}, "'a' is there twice");
  says({{}, {}, "", "rain = town"}, "'rain' is a series; give the group another name.");
  says({{}, {}, "", "wet = rian"}, "there is no series 'rian' that changes; did you mean 'rain'?");
  says({{}, {"wet->town@1"}, "", "wet = rain,snow"}, "no group and no *");
}
