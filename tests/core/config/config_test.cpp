#include <bit>
#include <random>

#include "fovea/core/config/sweep_grid.hpp"
#include "fovea/tests/core/config/config_sample.hpp"
#include "fovea/tests/support/test.hpp"

using namespace fovea::test;

namespace {

std::vector<double> reals_of(const SweepAxis& axis) {
  std::vector<double> values;
  for (const ConfigValue& value : axis.values) values.push_back(std::get<double>(value));
  return values;
}

std::vector<std::int64_t> integers_of(const SweepAxis& axis) {
  std::vector<std::int64_t> values;
  for (const ConfigValue& value : axis.values) values.push_back(std::get<std::int64_t>(value));
  return values;
}

bool same(const Config& left, const Config& right) {
  for (const Parameter& parameter : left.schema().parameters())
    if (left.value(parameter.key) != right.value(parameter.key)) return false;
  if (left.sweep.size() != right.sweep.size()) return false;
  for (std::size_t i = 0; i < left.sweep.size(); ++i)
    if (left.sweep[i].key != right.sweep[i].key || left.sweep[i].values != right.sweep[i].values) return false;
  return left.experiment == right.experiment && left.title == right.title && left.seed == right.seed &&
         left.seed_count == right.seed_count;
}

std::string argument_error(const std::function<void()>& call) {
  return support::refusal_of<ArgumentError>([&] { call(); });
}

}  // namespace

TEST_CASE("a range contains its limits unless they are open, and never NaN or infinity") {
  const Range positive = Range::positive();
  CHECK(!positive.contains(0));
  CHECK(positive.contains(std::numeric_limits<double>::denorm_min()));
  CHECK(Range::at_least(2).contains(2));
  CHECK(!Range::at_least(2).contains(std::nextafter(2.0, 0.0)));
  CHECK(Range::between(-1, 1).contains(1));
  CHECK(!Range::between(-1, 1).contains(std::nextafter(1.0, 2.0)));
  Range half_open = Range::between(0, 1);
  half_open.high_open = true;
  CHECK(!half_open.contains(1));
  CHECK(!Range::any().contains(std::numeric_limits<double>::quiet_NaN()));
  CHECK(!Range::any().contains(std::numeric_limits<double>::infinity()));
  CHECK(Range::any().contains(-1e300));
}

TEST_CASE("a range says its rule") {
  CHECK(Range::any().text().empty());
  CHECK(Range::positive().text() == "> 0");
  CHECK(Range::at_least(0.5).text() == ">= 0.5");
  CHECK(Range::between(0, 1).text() == "in [0, 1]");
  Range open = Range::between(0, 1);
  open.low_open = open.high_open = true;
  CHECK(open.text() == "in (0, 1)");
  open.low = -std::numeric_limits<double>::infinity();
  CHECK(open.text() == "< 1");
  open.high_open = false;
  CHECK(open.text() == "<= 1");
}

TEST_CASE("a schema keeps the order of declaration and refuses a declaration that contradicts itself") {
  const Schema schema = sample_schema();
  CHECK(schema.parameters().front().key == "agents");
  CHECK(schema.parameters().back().unit == "days");
  CHECK(schema.find("network.kind")->choices.size() == 3);
  CHECK(schema.find("network") == nullptr);
  const auto refused = [](const std::function<void(Schema&)>& declare) {
    return argument_error([&] {
      Schema other = sample_schema();
      declare(other);
    });
  };
  CHECK(refused([](Schema& s) { s.flag("agents", true, "again"); }) ==
        "schema: the key 'agents' collides with 'agents'.");
  CHECK(refused([](Schema& s) { s.flag("network", true, "x"); }) ==
        "schema: the key 'network' collides with 'network.kind'.");
  CHECK(refused([](Schema& s) { s.flag("agents.few", true, "x"); }) ==
        "schema: the key 'agents.few' collides with 'agents'.");
  CHECK(refused([](Schema& s) { s.flag("seed", true, "x"); }) ==
        "schema: the key 'seed' belongs to every config; choose another name.");
  CHECK(refused([](Schema& s) { s.flag("a..b", true, "x"); }).find("must be words of letters") != std::string::npos);
  CHECK(refused([](Schema& s) { s.flag("b", true, ""); }) == "schema: the key 'b' needs a meaning of one line.");
  CHECK(refused([](Schema& s) { s.real("b", 0, Range::positive(), "", "x"); }) ==
        "schema: the default of 'b' breaks its own rule.");
  CHECK(refused([](Schema& s) { s.choice("b", "c", {"d"}, "x"); }) ==
        "schema: the default of 'b' breaks its own rule.");
  CHECK(refused([](Schema& s) {
          s.reals("b", {1, -1}, Range::positive(), "", "x");
        }) == "schema: the default of 'b' breaks its own rule.");
}

TEST_CASE("the nearest name is found by insertions, deletions, substitutions and swaps") {
  const std::vector<std::string> names{"temperature", "agents", "dt", "steps"};
  CHECK(nearest("temprature", names) == "temperature");
  CHECK(nearest("tempreature", names) == "temperature");
  CHECK(nearest("AGENTS", names) == "agents");
  CHECK(nearest("agnets", {"agents", "magnet"}) == "agents");
  CHECK(nearest("stpes", {"stage", "steps"}) == "steps");
  CHECK(nearest("td", names) == "dt");
  CHECK(nearest("x", names).empty());
  CHECK(nearest("zebra", names).empty());
  CHECK(nearest("", names).empty());
  CHECK(nearest(std::string(1000000, 'a'), names).empty());
}

TEST_CASE("a config has every key, remembers where it was written, and refuses the wrong question") {
  const Config config = parse_sample(kHead +
                                     "title = \"A \\\"name\\\"\"\nseed = 9223372036854775807\nagents = 1_000\n"
                                     "temperature = 2\n[network]\nkind = \"lattice\"\nrewire = {shares = [0, 0.5]}\n");
  CHECK(config.experiment == "opinion.sample");
  CHECK(config.title == "A \"name\"");
  CHECK(config.seed == 9223372036854775807u);
  CHECK(config.integer("agents") == 1000);
  CHECK(config.real("temperature") == 2.0);
  CHECK(config.text("network.kind") == "lattice");
  CHECK(config.reals("network.rewire.shares") == std::vector<double>{0, 0.5});
  CHECK(config.integers("network.rewire.sizes") == std::vector<std::int64_t>{3, 4});
  CHECK(config.texts("network.names") == std::vector<std::string>{"left", "right"});
  CHECK(!config.flag("noise"));
  CHECK(config.source("agents").text() == "x.toml:4:10");
  CHECK(config.source("noise").text() == "default");
  CHECK(config.is_default("noise"));
  CHECK(!config.is_default("agents"));
  CHECK(argument_error([&] { config.flag("agents"); }) == "config: the key 'agents' does not hold a flag.");
  CHECK(argument_error([&] { config.real("agent"); }) == "config: there is no key 'agent' in the schema.");
  Config changed = config;
  changed.set("noise", true, {"elsewhere", 0, 0});
  CHECK(changed.flag("noise"));
  CHECK(changed.source("noise").file == "elsewhere");
  CHECK(argument_error([&] { changed.set("noises", true, {}); }) == "config: there is no key 'noises' in the schema.");
}

TEST_CASE("complaints are raised together, ordered by file and place") {
  Complaints complaints;
  CHECK(complaints.empty());
  CHECK_NOTHROW(complaints.raise());
  complaints.add({"b", 9, 1}, "third.");
  complaints.add({"a", 1, 1}, "fourth.");
  complaints.add({"b", 2, 7}, "second.");
  complaints.add({"b", 2, 3}, "first.");
  complaints.add({"b", 2, 3}, "first.");
  CHECK(complaints.lines() ==
        std::vector<std::string>{"b:2:3: first.", "b:2:7: second.", "b:9:1: third.", "a:1:1: fourth."});
  CHECK_THROWS_AS(complaints.raise(), ConfigError);
}

TEST_CASE("a config with a byte order mark and CRLF is read, and its places are right") {
  const Config config = parse_sample(
      "\xef\xbb\xbf"
      "experiment = \"opinion.sample\"\r\nagents = 5\r\n");
  CHECK(config.source("agents").text() == "x.toml:2:10");
}

TEST_CASE("a config extends another key by key, axis by axis, and says which file a value is from") {
  const ScratchFolder scratch;
  std::filesystem::create_directories(scratch.path("sub"));
  scratch.write("edges.csv", "1,2\n");
  const std::string base =
      scratch.write("base.toml", kHead +
                                     "agents = 7\ntemperature = 3\nnetwork.edges = \"edges.csv\"\n"
                                     "[sweep]\nshift = [1, 2]\ntemperature = [1, 2]\nhalf_life = [3]\n");
  const std::string path = scratch.write(
      "sub/top.toml", "extends = \"../base.toml\"\nagents = 8\nhalf_life = 9\n[sweep]\nshift = [5]\nagents = [2, 3]\n");
  const Config config = read_config(path, sample_finder(), {}, {});
  CHECK(config.integer("agents") == 8);
  CHECK(config.real("temperature") == 3);
  CHECK(config.text("network.edges") == scratch.path("edges.csv"));
  CHECK(config.source("temperature").text() == base + ":3:15");
  REQUIRE(config.sweep.size() == 3);  // the single half_life ended the base's sweep over it
  CHECK(config.sweep[0].key == "shift");
  CHECK(reals_of(config.sweep[0]) == std::vector<double>{5});
  CHECK(config.sweep[1].key == "temperature");
  CHECK(integers_of(config.sweep[2]) == std::vector<std::int64_t>{2, 3});
}

TEST_CASE("a broken chain of configs is refused in the right file") {
  const ScratchFolder scratch;
  const auto complaint = [&](const std::string& name) -> std::string {
    return support::refusal_of<ConfigError>([&] { read_config(scratch.path(name), sample_finder(), {}, {}); });
  };
  scratch.write("a.toml", kHead + "extends = \"b.toml\"\n");
  scratch.write("b.toml", "extends = \"./a.toml\"\nagents = 1\n");
  CHECK(complaint("a.toml") == scratch.path("b.toml") +
                                   ":1:11: extends = \"./a.toml\", but that file extends this one; this is a cycle.\n" +
                                   scratch.path("b.toml") +
                                   ":2:10: agents = 1, but must be in [2, 1e+09] (how many agents "
                                   "there are).");
  scratch.write("c.toml", kHead + "extends = \"aa.toml\"\n");
  CHECK(complaint("c.toml") == scratch.path("c.toml") + ":2:11: extends = \"aa.toml\", but " + scratch.path("aa.toml") +
                                   ": cannot be read (No such file or directory); did you mean 'a.toml'?");
  for (int i = 0; i < 9; ++i)
    scratch.write("chain" + std::to_string(i) + ".toml",
                  i == 0 ? kHead : "extends = \"chain" + std::to_string(i - 1) + ".toml\"\n");
  CHECK(complaint("chain7.toml").empty());
  CHECK(complaint("chain8.toml").find("makes a chain of more than 8 files.") != std::string::npos);
}

TEST_CASE("overrides (--set, --grid, --seed, --seeds) win over the file") {
  const ScratchFolder scratch;
  const std::string edges = scratch.write("edges.csv", "1,2\n");
  Overrides overrides;
  overrides.set = {"temperature=.25", "label=12", "network.kind=lattice",   "network.names=a,\"b,c\"", "noise=true",
                   "title=My run",    "seed=5",   "network.edges=" + edges, "network.rewire.sizes=[7]"};
  overrides.grid = {"shift=lin:0..1:3", "half_life=1,2"};
  overrides.seeds = 3;
  const Config config =
      parse_sample(kHead + "temperature = 1\n[sweep]\ntemperature = [1, 2]\nshift = [4]\n", overrides);
  CHECK(config.real("temperature") == 0.25);
  CHECK(config.text("label") == "12");
  CHECK(config.text("network.kind") == "lattice");
  CHECK(config.texts("network.names") == std::vector<std::string>{"a", "b,c"});
  CHECK(config.flag("noise"));
  CHECK(config.title == "My run");
  CHECK(config.text("network.edges") == edges);
  CHECK(config.integers("network.rewire.sizes") == std::vector<std::int64_t>{7});
  CHECK(config.source("temperature").text() == "--set temperature=.25");
  REQUIRE(config.sweep.size() == 3);  // --set ended the sweep over temperature
  CHECK(reals_of(config.sweep[0]) == std::vector<double>{0, 0.5, 1});
  CHECK(config.sweep[1].key == "half_life");
  CHECK(config.sweep[2].key == "seed");
  CHECK(integers_of(config.sweep[2]) == std::vector<std::int64_t>{5, 6, 7});
  std::erase(overrides.set, "seed=5");
  overrides.seed = 10;
  CHECK(integers_of(parse_sample(kHead, overrides).sweep.back()) == std::vector<std::int64_t>{10, 11, 12});
}

TEST_CASE("a text of the command line may hold any letters") {
  Overrides overrides;
  overrides.set = {"label=caf\u00e9 = \"x\" # [1"};
  CHECK(default_config("opinion.sample", sample_schema(), overrides).text("label") == "caf\u00e9 = \"x\" # [1");
}

TEST_CASE("a config without a file has the defaults and the overrides") {
  Overrides overrides;
  overrides.set = {"agents=3"};
  const Config config = default_config("opinion.sample", sample_schema(), overrides);
  CHECK(config.experiment == "opinion.sample");
  CHECK(config.integer("agents") == 3);
  CHECK(config.is_default("temperature"));
  CHECK(!config.seed);
}

TEST_CASE("replicas without a seed wait for it, listed seeds bring their own") {
  Config config = parse_sample(kHead + "[sweep]\nseeds = 2\ntemperature = [1, 3]\n");
  CHECK(config.seed_count == 2);
  CHECK(config.sweep.size() == 1);
  CHECK(sweep_size(config) == 4);
  CHECK(same(parse_sample(to_toml(config)), config));
  resolve_seed(config, 40);
  CHECK(config.seed == 40u);
  CHECK(!config.seed_count);
  CHECK(sweep_size(config) == 4);
  CHECK(integers_of(config.sweep.back()) == std::vector<std::int64_t>{40, 41});
  CHECK(same(parse_sample(to_toml(config)), config));
  const Config listed = parse_sample(kHead + "[sweep]\nseed = [8, 6]\nshift = [1]\n");
  CHECK(listed.seed == 8u);
  CHECK(listed.sweep.back().key == "seed");
  Overrides overrides;
  overrides.grid = {"seed=4,5"};
  const Config replaced = parse_sample(kHead + "[sweep]\nseeds = 3\n", overrides);
  CHECK(!replaced.seed_count);
  CHECK(integers_of(replaced.sweep.back()) == std::vector<std::int64_t>{4, 5});
  config.seed_count = 2;
  CHECK(argument_error([&] { resolve_seed(config, kSeedLimit); }).find("the largest seed is") != std::string::npos);
}

TEST_CASE("a grid has exact ends, the wanted number of values and no crooked digits") {
  CHECK(is_grid("log:1..2:3"));
  CHECK(!is_grid("lattice"));
  CHECK(grid_values("lin:0..1:11") == std::vector<double>{0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1});
  CHECK(grid_values("log:0.01..100:5") == std::vector<double>{0.01, 0.1, 1, 10, 100});
  CHECK(grid_values("lin:2..-1:2") == std::vector<double>{2, -1});
  const std::vector<double> values = grid_values("log:0.01..3:12");
  CHECK(values.size() == 12);
  CHECK(values.back() == 3);
  constexpr double kRounding = 1e-13;  // 15 digits each
  for (std::size_t i = 2; i < values.size(); ++i)
    CHECK(std::abs(values[i] / values[i - 1] / (values[1] / values[0]) - 1) < kRounding);
  for (const char* broken : {"log:", "log:1..2", "log:1..2:x", "log:1:2:3", "log:1..2:3 ", "log:nan..2:3", "lin:1..1:3",
                             "lin:0..inf:3", "lin:0..1:1000001", "lin:0..1:-1", "log:-1..1:3"})
    CHECK_THROWS_AS(grid_values(broken), ArgumentError);
  const Config whole = parse_sample(kHead + "[sweep]\nagents = \"log:2..6:9\"\n");
  CHECK(integers_of(whole.sweep[0]) == std::vector<std::int64_t>{2, 3, 4, 5, 6});
}

TEST_CASE("the resolved config reads back as the same config", "[property]") {
  const std::vector<std::string> texts{"",          "a\"b\\c'",  "\t\n\r\x01\x7f",     "caf\u00e9 \u6f22",
                                       "# [x] = {", "'''\"\"\"", std::string("n\0", 2)};
  std::mt19937_64 engine(11);
  const auto real = [&] {
    const double value = std::bit_cast<double>(engine());
    return std::isfinite(value) ? value : 1e22;
  };
  for (int trial = 0; trial < 200; ++trial) {
    const auto text = [&] { return texts[engine() % texts.size()]; };
    Config config(sample_schema());
    config.experiment = "opinion.sample";
    config.title = text();
    if (trial % 2 == 0) config.seed = engine() >> 1;
    config.set("agents", static_cast<std::int64_t>(2 + engine() % 1000), {});
    config.set("temperature", std::abs(real()) + 1e-300, {});
    config.set("shift", trial == 0 ? 1e22 : trial == 1 ? -0.0 : real(), {});
    config.set("label", text(), {});
    config.set("noise", trial % 3 == 0, {});
    config.set("network.kind", std::string("karate_club"), {});
    config.set("network.names", std::vector<std::string>{text(), text()}, {});
    config.set("network.rewire.sizes",
               std::vector<std::int64_t>(engine() % 3, std::numeric_limits<std::int64_t>::max()), {});
    config.set("network.rewire.shares", std::vector<double>{0, std::abs(std::fmod(real(), 1.0))}, {});
    config.sweep = {{"shift", {real(), 3.0}},
                    {"label", {std::string("\u00e9\""), std::string("b")}},
                    {"noise", {true, false}},
                    {"network.kind", {std::string("lattice")}}};
    const std::string toml = to_toml(config);
    INFO(toml);
    const Config again = parse_sample(toml);
    REQUIRE(same(again, config));
    REQUIRE(to_toml(again) == toml);
  }
}

TEST_CASE("the resolved config is grouped in the order of the schema", "[golden]") {
  Config config = default_config("opinion.sample", sample_schema(), {});
  config.seed = 3;
  config.title = "t";
  config.sweep = {{"network.kind", {std::string("lattice")}}, {"shift", {1.0, 1e-7}}};
  CHECK(to_toml(config) ==
        "experiment = \"opinion.sample\"\ntitle = \"t\"\nseed = 3\nagents = 4000\ntemperature = 0.5\nlabel = \"none\"\n"
        "noise = false\nshift = 0.0\nhalf_life = 2.0\n\n[network]\nkind = \"complete\"\nedges = \"\"\n"
        "names = [\"left\", \"right\"]\n\n[network.rewire]\nsizes = [3, 4]\nshares = [0.25]\n\n[sweep]\n"
        "\"network.kind\" = [\"lattice\"]\nshift = [1.0, 1e-07]\n");
}

TEST_CASE("a key that was added later changes the resolved config only where it is used") {
  const Schema before = sample_schema();
  const Schema after = sample_schema()
                           .texts("network.marks", {}, "names that are marked")
                           .added_later()
                           .real("noise_of.scale", 1, Range::positive(), "", "size of the noise")
                           .added_later();
  const auto find = [&](std::string_view) { return &after; };
  const auto read = [&](const std::string& toml) { return parse_config(toml, "x.toml", ".", find, {}, {}); };
  const Config old = default_config("opinion.sample", before, {});
  Config config = default_config("opinion.sample", after, {});
  CHECK(to_toml(config) == to_toml(old));
  CHECK(defaults_toml(config) == to_toml(old));
  CHECK(init_toml("opinion.sample", "A sample.", after).find("\nmarks = []\n") != std::string::npos);
  config.set("network.marks", std::vector<std::string>{"left"}, {});
  config.set("noise_of.scale", 2.0, {});
  CHECK(to_toml(config).find("\nmarks = [\"left\"]\n") != std::string::npos);
  CHECK(to_toml(config).find("\n[noise_of]\nscale = 2.0\n") != std::string::npos);
  CHECK(defaults_toml(config).find("\nmarks = []\n") != std::string::npos);
  for (const Config& one : {config, default_config("opinion.sample", after, {})}) {
    const Config again = read(to_toml(one));
    CHECK(again.texts("network.marks") == one.texts("network.marks"));
    CHECK(again.real("noise_of.scale") == one.real("noise_of.scale"));
    CHECK(to_toml(again) == to_toml(one));
  }
  CHECK_THROWS_WITH(Schema().added_later(), "schema: added_later() applies to the key before it, but there is none.");
}

TEST_CASE("the commented config shows unit, range, choices and default, and is itself a config") {
  const std::string toml = init_toml("opinion.sample", "A sample.", sample_schema());
  CHECK(same(parse_sample(toml), default_config("opinion.sample", sample_schema(), {})));
  for (const char* line :
       {"# opinion.sample: A sample.\n", "# Seed of all random numbers, >= 0; 1 if not given\n# seed = 1\n",
        "# how many agents there are; in [2, 1e+09]; default 4000\nagents = 4000\n",
        "# how evenly agents listen; must be > 0; default 0.5\n",
        "# who hears whom; one of \"complete\" | \"lattice\" | \"karate_club\"; default \"complete\"\n",
        "# time after which half is forgotten; unit days; must be >= 0.5; default 2.0\nhalf_life = 2.0\n",
        "# list of edges; path of a file, \"\" for none\nedges = \"\"\n"})
    CHECK(toml.find(line) != std::string::npos);
}
