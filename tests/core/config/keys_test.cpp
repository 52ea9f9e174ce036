#include "fovea/core/config/keys.hpp"

#include <cstdint>

#include "fovea/core/config/config.hpp"
#include "fovea/tests/core/config/config_sample.hpp"
#include "fovea/tests/support/runs/run.hpp"
#include "fovea/tests/support/test.hpp"

using namespace fovea::test;

namespace {

enum class Branches { automatic, carried, fresh };

struct Camps {
  double gap = 0.1;
  double least_share = 0.01;
};

struct Grid {
  struct Ends {
    double low = 0.5, high = 2;
  };
  Ends ends;
  std::array<std::int64_t, 2> sizes{3, 4};
};

struct Base {
  double tolerance = 1e-8;
};

struct Sample : Base {
  bool on = true;
  int small = 7;
  std::int64_t steps = 200000;
  std::size_t count = 12;
  float rate = 0.1F;
  double share = 0.25;
  std::string label = "none";
  std::vector<std::int64_t> sizes{500, 1000};
  std::vector<double> values{0.5};
  std::vector<std::string> names{"left", "right"};
  Branches branches = Branches::carried;
  bool logarithmic = true;
  std::string score = "cosine";
  std::optional<Branches> asked;
  std::optional<double> limit;
  std::optional<std::int64_t> most{5};
  std::string file;
  std::optional<std::string> edges;
  std::vector<std::string> events;
  Camps camps{.gap = 0.05, .least_share = 0.02};
  Grid grid;
  bool noisy = false;
  std::int64_t burn_in = 500;
  double of_no_key = 3;
};

const Keys<Camps>& camp_keys() {
  static const auto keys =
      Keys<Camps>()
          .key("camps.gap", &Camps::gap, Range::positive(), "opinion", "nearer agents are of one camp")
          .key("camps.least_share", &Camps::least_share, Range::between(0, 1), "", "smallest camp");
  return keys;
}

Keys<Sample> sample_keys() {
  return Keys<Sample>()
      .key("on", &Sample::on, "whether it is on")
      .key("small", &Sample::small, Range::at_least(0), "", "a small whole number")
      .key("steps", &Sample::steps, Range::at_least(1), "step", "most steps")
      .key("count", &Sample::count, Range::any(), "", "how many")
      .key("rate", &Sample::rate, Range::positive(), "", "a rate in single precision")
      .key("share", &Sample::share, Range::between(0, 1), "", "a share")
      .key("label", &Sample::label, "shown in the legend")
      .key("sizes", &Sample::sizes, Range::at_least(2), "", "sizes")
      .key("values", &Sample::values, Range::positive(), "", "values")
      .key("names", &Sample::names, "names")
      .choice("branches", &Sample::branches,
              {{"auto", Branches::automatic}, {"carried", Branches::carried}, {"fresh", Branches::fresh}}, "branches")
      .choice("spacing", &Sample::logarithmic, {{"log", true}, {"linear", false}}, "spacing of the grid")
      .choice("score", &Sample::score, {"gaussian", "cosine"}, "score of two opinions")
      .choice("asked", &Sample::asked, {{"auto", std::nullopt}, {"fresh", Branches::fresh}}, "what is asked for")
      .key("limit", &Sample::limit, Range::at_least(0), "opinion", "0: from the opinions")
      .key("most", &Sample::most, Range::at_least(0), "", "0: any number")
      .file("file", &Sample::file, "a file")
      .file("edges", &Sample::edges, "edges")
      .files("events", &Sample::events, "events")
      .group(camp_keys(), &Sample::camps)
      .key("grid.low", inside(&Sample::grid, &Grid::ends, &Grid::Ends::low), Range::positive(), "", "low end")
      .key(
          "grid.second", [](auto& sample) -> auto& { return sample.grid.sizes[1]; }, Range::any(), "", "second size")
      .group(Keys<Base>().key("tolerance", &Base::tolerance, Range::positive(), "opinion", "at rest"))
      .key("burn_in", &Sample::burn_in, Range::at_least(0), "step", "steps before the measurement")
      .when(&Sample::noisy);
}

/// The same by hand, as a schema without members.
Schema sample_by_hand() {
  return Schema()
      .flag("on", true, "whether it is on")
      .integer("small", 7, Range::at_least(0), "", "a small whole number")
      .integer("steps", 200000, Range::at_least(1), "step", "most steps")
      .integer("count", 12, Range::any(), "", "how many")
      .real("rate", 0.1, Range::positive(), "", "a rate in single precision")
      .real("share", 0.25, Range::between(0, 1), "", "a share")
      .text("label", "none", "shown in the legend")
      .integers("sizes", {500, 1000}, Range::at_least(2), "", "sizes")
      .reals("values", {0.5}, Range::positive(), "", "values")
      .texts("names", {"left", "right"}, "names")
      .choice("branches", "carried", {"auto", "carried", "fresh"}, "branches")
      .choice("spacing", "log", {"log", "linear"}, "spacing of the grid")
      .choice("score", "cosine", {"gaussian", "cosine"}, "score of two opinions")
      .choice("asked", "auto", {"auto", "fresh"}, "what is asked for")
      .real("limit", 0, Range::at_least(0), "opinion", "0: from the opinions")
      .integer("most", 5, Range::at_least(0), "", "0: any number")
      .file("file", "a file")
      .file("edges", "edges")
      .files("events", "events")
      .real("camps.gap", 0.05, Range::positive(), "opinion", "nearer agents are of one camp")
      .real("camps.least_share", 0.02, Range::between(0, 1), "", "smallest camp")
      .real("grid.low", 0.5, Range::positive(), "", "low end")
      .integer("grid.second", 4, Range::any(), "", "second size")
      .real("tolerance", 1e-8, Range::positive(), "opinion", "at rest");
}

Schema declared(const Keys<Sample>& keys, const Sample& defaults = {}) {
  Schema schema;
  keys.declare(schema, defaults);
  return schema;
}

std::string refused(const std::string& toml) {
  return support::refusal_of<ConfigError>([&] { support::config_of("opinion.sample", declared(sample_keys()), toml); });
}

std::vector<std::string> names_of(const Schema& schema) {
  std::vector<std::string> names;
  for (const Parameter& parameter : schema.parameters()) names.push_back(parameter.key);
  return names;
}

}  // namespace

TEST_CASE("bound keys declare what a schema by hand does: order, types, ranges, units, words, defaults",
          "[config][keys]") {
  const Schema schema = declared(sample_keys()), by_hand = sample_by_hand();
  CHECK(names_of(schema) == names_of(by_hand));
  CHECK(init_toml("opinion.sample", "A sample.", schema) == init_toml("opinion.sample", "A sample.", by_hand));
  CHECK(to_toml(support::config_of("opinion.sample", schema, "steps = 9")) ==
        to_toml(support::config_of("opinion.sample", by_hand, "steps = 9")));
}

TEST_CASE("the default config gives the struct's own initializers", "[config][keys]") {
  const Sample sample = sample_keys().read(Config(declared(sample_keys()))), usual;
  CHECK((sample.on && sample.logarithmic));
  CHECK(sample.small == 7);
  CHECK(sample.steps == usual.steps);
  CHECK(sample.count == usual.count);
  CHECK(sample.rate == usual.rate);  // 0.1F, though a config holds 0.1
  CHECK(sample.share == usual.share);
  CHECK(sample.label == "none");
  CHECK(sample.sizes == usual.sizes);
  CHECK(sample.values == usual.values);
  CHECK(sample.names == usual.names);
  CHECK(sample.branches == Branches::carried);
  CHECK(sample.score == "cosine");
  CHECK((!sample.asked && !sample.limit && sample.most == 5));
  CHECK((sample.file.empty() && !sample.edges && sample.events.empty()));
  CHECK((sample.camps.gap == 0.05 && sample.camps.least_share == 0.02));
  CHECK((sample.grid.ends.low == 0.5 && sample.grid.ends.high == 2 && sample.grid.sizes[1] == 4));
  CHECK(sample.tolerance == 1e-8);
  CHECK(sample.of_no_key == 3);
}

TEST_CASE("a config fills the members: each type, words, groups, members of members, empty optionals",
          "[config][keys]") {
  const Config config = support::config_of("opinion.sample", declared(sample_keys()), R"(
on = false
small = -0
steps = 3
count = 4
rate = 0.3
share = 1
label = "new"
sizes = [2, 3, 4]
values = []
names = ["one"]
branches = "fresh"
spacing = "linear"
score = "gaussian"
asked = "fresh"
limit = 1.5
most = 0
camps.gap = 0.2
grid.low = 0.75
grid.second = 9
tolerance = 0.5
)");
  const Sample sample = sample_keys().read(config);
  CHECK((!sample.on && !sample.logarithmic));
  CHECK((sample.small == 0 && sample.steps == 3 && sample.count == 4));
  CHECK((sample.rate == 0.3F && sample.share == 1));
  CHECK(sample.label == "new");
  CHECK(sample.sizes == std::vector<std::int64_t>{2, 3, 4});
  CHECK(sample.values.empty());
  CHECK(sample.names == std::vector<std::string>{"one"});
  CHECK(sample.branches == Branches::fresh);
  CHECK(sample.score == "gaussian");
  CHECK(sample.asked == Branches::fresh);
  CHECK(sample.limit == 1.5);
  CHECK_FALSE(sample.most.has_value());
  CHECK((sample.camps.gap == 0.2 && sample.camps.least_share == 0.02));
  CHECK((sample.grid.ends.low == 0.75 && sample.grid.sizes == std::array<std::int64_t, 2>{3, 9}));
  CHECK(sample.tolerance == 0.5);
  CHECK(config.source("camps.gap").text() == "test.toml:20:13");
}

TEST_CASE("files are found and checked as those of a schema, and an optional one is empty without", "[config][keys]") {
  Config config(declared(sample_keys()));
  config.set("edges", std::string("/data/edges.csv"), {});
  config.set("events", std::vector<std::string>{"/data/a", "/data/b"}, {});
  const Sample sample = sample_keys().read(config);
  CHECK(sample.edges == "/data/edges.csv");
  CHECK(sample.events == std::vector<std::string>{"/data/a", "/data/b"});
  CHECK(refused("file = \"missing.csv\"\n").find("test.toml:3:8: file = ") == 0);
}

TEST_CASE("a key's mistakes are reported with line, range, words and the nearest name", "[config][keys]") {
  CHECK(refused("rate = 0.0\n") == "test.toml:3:8: rate = 0.0, but must be > 0 (a rate in single precision).");
  CHECK(refused("branches = \"frsh\"\n").find("test.toml:3:12: branches = \"frsh\", but must be one of") == 0);
  CHECK(refused("spacng = \"log\"\n") == "test.toml:3:1: unknown key 'spacng'; did you mean 'spacing'?");
}

TEST_CASE("an object gives the defaults of a model, and says which keys count for it", "[config][keys]") {
  Sample defaults;
  defaults.noisy = true;
  defaults.burn_in = 90;
  defaults.branches = Branches::fresh;
  const Schema schema = declared(sample_keys(), defaults);
  REQUIRE(schema.find("burn_in") != nullptr);
  CHECK(names_of(schema).back() == "burn_in");
  const Config config(schema);
  CHECK(config.integer("burn_in") == 90);
  CHECK(config.text("branches") == "fresh");
  CHECK(sample_keys().read(config).burn_in == 90);
}

TEST_CASE("keys that were not declared leave their members", "[config][keys]") {
  Schema schema;
  sample_keys().declare(schema, {}, [](std::string_view key) { return key.starts_with("s"); });
  CHECK(names_of(schema) == std::vector<std::string>{"small", "steps", "share", "sizes", "spacing", "score"});
  const Config config = support::config_of("opinion.sample", schema, "steps = 8\n");
  Sample start;
  start.label = "mine";
  start.of_no_key = 4;
  const Sample sample = sample_keys().read(config, start);
  CHECK((sample.steps == 8 && sample.label == "mine" && sample.of_no_key == 4 && sample.camps.gap == 0.05));
}

TEST_CASE("keys of tables and keys added later keep their place", "[config][keys]") {
  const auto keys = Keys<Camps>()
                        .key("gap", &Camps::gap, Range::positive(), "", "gap")
                        .added_later()
                        .also([](Schema& schema) { schema.text("note", "", "fills no member"); })
                        .group(camp_keys())
                        .added_later(false)
                        .key("share", &Camps::least_share, Range::any(), "", "share");
  Schema schema;
  keys.declare(schema);
  CHECK(names_of(schema) == std::vector<std::string>{"gap", "note", "camps.gap", "camps.least_share", "share"});
  CHECK(schema.find("gap")->added_later);
  CHECK_FALSE(schema.find("camps.gap")->added_later);
  Schema later;
  Keys<Camps>().group(camp_keys()).added_later().declare(later);
  CHECK((later.find("camps.gap")->added_later && later.find("camps.least_share")->added_later));
  CHECK_FALSE(declared(sample_keys()).find("camps.gap")->added_later);  // the shared list is as it was
}

TEST_CASE("keys of one table of a list fill a struct, too", "[config][keys]") {
  const auto keys = Keys<Camps>().key("gap", &Camps::gap, Range::positive(), "", "gap");
  Schema of_table;
  keys.declare(of_table);
  ConfigTable table("camps", of_table, {});
  table.set("gap", 0.7, {});
  CHECK(keys.read(table).gap == 0.7);
}

TEST_CASE("what no checked config can hold is refused", "[config][keys]") {
  Config config(declared(sample_keys()));
  config.set("branches", std::string("sideways"), {});
  CHECK_THROWS_WITH(sample_keys().read(config), "config: branches = \"sideways\", which is none of its words.");
  config.set("branches", std::string("auto"), {});
  config.set("small", std::int64_t{1} << 40, {});
  CHECK_THROWS_WITH(sample_keys().read(config),
                    "config: small = 1099511627776, but its member holds no such whole number.");
  config.set("small", 0.5, {});
  CHECK_THROWS_AS(sample_keys().read(config), ArgumentError);
  Sample wordless;
  wordless.branches = static_cast<Branches>(9);
  CHECK_THROWS_WITH(declared(sample_keys(), wordless), "schema: the default of 'branches' breaks its own rule.");
  CHECK_THROWS_WITH(Keys<Camps>().added_later(),
                    "keys: added_later() applies to the key before it, but there is none.");
  CHECK_THROWS_WITH(Keys<Sample>().when(&Sample::on), "keys: when() applies to the key before it, but there is none.");
}

TEST_CASE("a shared key has one meaning and range, and the default of each member", "[config][keys]") {
  const SharedKey gap{"camps.gap", "opinions further apart are of two camps", Range::positive(), "opinion"};
  const SharedKey file{"data.file", "a table"};
  const SharedChoice<Branches> branches{
      "branches", {{"auto", Branches::automatic}, {"fresh", Branches::fresh}}, "where a walk begins"};
  const auto keys = Keys<Sample>()
                        .key(gap, inside(&Sample::camps, &Camps::gap))
                        .choice(branches, &Sample::branches)
                        .file(file, &Sample::file, "a table of jets");
  Sample defaults;
  defaults.branches = Branches::fresh;
  Schema schema;
  keys.declare(schema, defaults);
  CHECK((schema.find("camps.gap")->meaning == gap.meaning && schema.find("camps.gap")->unit == "opinion"));
  CHECK_FALSE(schema.find("camps.gap")->range.contains(0));
  CHECK(schema.find("branches")->choices == std::vector<std::string>{"auto", "fresh"});
  CHECK((schema.find("data.file")->names_inputs() && schema.find("data.file")->meaning == "a table of jets"));
  const Sample read = keys.read(support::config_of("opinion.sample", schema, "camps.gap = 0.5\n"));
  CHECK((read.camps.gap == 0.5 && read.branches == Branches::fresh));
  Schema narrow;
  Keys<Camps>().key(gap.within(Range::between(0.1, 2)), &Camps::gap).declare(narrow);
  CHECK((narrow.find("camps.gap")->range.high == 2 && narrow.find("camps.gap")->meaning == gap.meaning));
}
