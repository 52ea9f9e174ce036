#include <zlib.h>

#include <cstdlib>
#include <random>

#include "fovea/tests/core/config/config_sample.hpp"
#include "fovea/tests/support/test.hpp"

using namespace fovea::test;

namespace {

struct Broken {
  std::string toml;  ///< after kHead, so its first line is line 2
  std::string complaint;
};

std::string repeated(const std::string& text, int times) {
  std::string all;
  for (int i = 0; i < times; ++i) all += text;
  return all;
}

std::string unzipped(const std::string& path) {
  std::string bytes;
  const gzFile file = gzopen(path.c_str(), "rb");
  std::array<char, 65536> buffer{};
  for (int count; file != nullptr && (count = gzread(file, buffer.data(), buffer.size())) > 0;)
    bytes.append(buffer.data(), count);
  if (file != nullptr) gzclose(file);
  return bytes;
}

}  // namespace

TEST_CASE("a broken config is refused with place, value, rule and the nearest name") {
  const std::vector<Broken> all{
      {"temperature = -0.5", "x.toml:2:15: temperature = -0.5, but must be > 0 (how evenly agents listen)."},
      {"temperature = 0", "x.toml:2:15: temperature = 0, but must be > 0 (how evenly agents listen)."},
      {"temprature = 1", "x.toml:2:1: unknown key 'temprature'; did you mean 'temperature'?"},
      {"Temperature = 1", "x.toml:2:1: unknown key 'Temperature'; did you mean 'temperature'?"},
      {"zebra = 1", "x.toml:2:1: unknown key 'zebra'."},
      {"temperature = nan", "x.toml:2:15: temperature = nan, but must be finite and > 0 (how evenly agents listen)."},
      {"shift = -inf", "x.toml:2:9: shift = -inf, but must be finite (added to each opinion)."},
      {"temperature = \"hot\"",
       "x.toml:2:15: temperature = \"hot\" is a text, but must be a number > 0 (how evenly agents listen)."},
      {"temperature = true",
       "x.toml:2:15: temperature = true is true or false, but must be a number > 0 (how evenly agents listen)."},
      {"temperature = [1, 2]",
       "x.toml:2:15: temperature is a list, but must be a number > 0 (how evenly agents listen)."},
      {"temperature = 2020-01-31",
       "x.toml:2:15: temperature = 2020-01-31 is a date or time, but must be a number > 0 (how evenly agents listen)."},
      {"[temperature]\nlow = 1",
       "x.toml:2:1: temperature is a table, but must be a number > 0 (how evenly agents listen)."},
      {"agents = 100.0",
       "x.toml:2:10: agents = 100.0 is a real number, but must be a whole number in [2, 1e+09] (how many agents there "
       "are); "
       "write 100."},
      {"agents = 2.5",
       "x.toml:2:10: agents = 2.5 is a real number, but must be a whole number in [2, 1e+09] (how many agents there "
       "are)."},
      {"agents = 1e3",
       "x.toml:2:10: agents = 1e3 is a real number, but must be a whole number in [2, 1e+09] (how many agents there "
       "are); write 1000."},
      {"agents = 1e12",
       "x.toml:2:10: agents = 1e12 is a real number, but must be a whole number in [2, 1e+09] (how many agents there "
       "are)."},
      {"agents = 1", "x.toml:2:10: agents = 1, but must be in [2, 1e+09] (how many agents there are)."},
      {"agents = 0x7fffffffffffffff",
       "x.toml:2:10: agents = 0x7fffffffffffffff, but must be in [2, 1e+09] (how many agents there are)."},
      {"noise = 1", "x.toml:2:9: noise = 1 is a whole number, but must be true or false (whether opinions jitter)."},
      {"label = 3", "x.toml:2:9: label = 3 is a whole number, but must be a text in quotes (shown in the legend)."},
      {"network.kind = \"latice\"",
       "x.toml:2:16: network.kind = \"latice\", but must be one of 'complete', 'lattice', 'karate_club' (who hears "
       "whom); "
       "did you mean 'lattice'?"},
      {"[network]\nkind = \"zoo\"",
       "x.toml:3:8: network.kind = \"zoo\", but must be one of 'complete', 'lattice', 'karate_club' (who hears whom)."},
      {"[network]\nkinds = \"lattice\"", "x.toml:3:1: unknown key 'network.kinds'; did you mean 'network.kind'?"},
      {"kinds = \"lattice\"", "x.toml:2:1: unknown key 'kinds'; did you mean 'network.kind'?"},
      {"[netwrok]\nkind = \"lattice\"", "x.toml:2:2: unknown table 'netwrok'; did you mean 'network'?"},
      {"network = 3",
       "x.toml:2:11: network = 3, but must be a table of 'network.kind', 'network.edges', 'network.rewire.sizes', "
       "'network.rewire.shares', 'network.names'."},
      {"[network.rewire]\nsizes = [3, 0, 5]",
       "x.toml:3:13: element 2 of network.rewire.sizes = 0, but must be >= 1 (size of each camp)."},
      {"network.rewire.sizes = [3, 4.5]",
       "x.toml:2:28: element 2 of network.rewire.sizes = 4.5 is a real number, but must be a whole number >= 1 (size "
       "of "
       "each camp)."},
      {"network.rewire.sizes = 3",
       "x.toml:2:24: network.rewire.sizes = 3 is a whole number, but must be a list of whole numbers, each >= 1 (size "
       "of "
       "each camp)."},
      {"network.rewire.shares = [\n  0.5,\n  1]",
       "x.toml:4:3: element 2 of network.rewire.shares = 1, but must be in [0, 1) (share of links)."},
      {"network.names = [\"a\", 1]",
       "x.toml:2:23: element 2 of network.names = 1 is a whole number, but must be a text in quotes (names of the "
       "camps)."},
      {"network.edges = 1",
       "x.toml:2:17: network.edges = 1 is a whole number, but must be the path of a file in quotes (list of edges)."},
      {"seed = -1", "x.toml:2:8: seed = -1, but must be >= 0 (seed of all random numbers)."},
      {"seed = 1.5",
       "x.toml:2:8: seed = 1.5 is a real number, but must be a whole number >= 0 (seed of all random numbers)."},
      {"title = 5", "x.toml:2:9: title = 5 is a whole number, but must be a text in quotes (title of the run)."},
      {"seeds = 3", "x.toml:2:1: seeds belongs in the table [sweep]; a single run has one seed."},
      {"agents = 3\nagents = 4",
       "x.toml:3:10: Error while parsing key-value pair: cannot redefine existing integer 'agents'"},
      {"network.kind = \"lattice\"\n\"network.kind\" = \"lattice\"",
       "x.toml:3:1: the key 'network.kind' is given twice."},
      {"extends = 3",
       "x.toml:2:11: extends = 3 is a whole number, but must be a text in quotes (the config that this one extends)."},
      {"temperature = ", "x.toml:2:15: Error while parsing key-value pair: expected value, saw '\\n'"},
      {"agents = 99999999999999999999",
       "x.toml:2:30: Error while parsing decimal integer: '99999999999999999999' is not representable in 64 bits"},
  };
  for (const Broken& broken : all) {
    INFO(broken.toml);
    CHECK(complaint_of(kHead + broken.toml + "\n") == broken.complaint);
  }
}

TEST_CASE("a broken sweep is refused with place, value, rule and the nearest name") {
  const std::vector<Broken> all{
      {"temprature = [1]", "x.toml:3:1: unknown key 'temprature'; did you mean 'temperature'?"},
      {"temperature = [1, -2]",
       "x.toml:3:19: value 2 of the sweep over temperature = -2, but must be > 0 (how evenly agents listen)."},
      {"temperature = [1, \"b\"]",
       "x.toml:3:19: value 2 of the sweep over temperature = \"b\" is a text, but must be a number > 0 (how evenly "
       "agents "
       "listen)."},
      {"temperature = []", "x.toml:3:15: the sweep over temperature has no values."},
      {"temperature = [1, 2, 1.0]",
       "x.toml:3:22: value 3 of the sweep over temperature = 1.0, but each value must be given only once."},
      {"temperature = 3",
       "x.toml:3:15: sweep over temperature = 3, but must be a list of values, or a grid of numbers such as "
       "\"log:0.01..3:12\" or \"lin:0..1:5\"."},
      {"temperature = \"log:0..3:12\"",
       "x.toml:3:15: sweep over temperature: the grid 'log:0..3:12' is logarithmic, so both ends must be > 0."},
      {"temperature = \"log:1..3\"",
       "x.toml:3:15: sweep over temperature: the grid 'log:1..3' must be log:LOW..HIGH:COUNT or "
       "lin:LOW..HIGH:COUNT, such as log:0.01..3:12."},
      {"temperature = \"lin:1..3:1\"",
       "x.toml:3:15: sweep over temperature: the grid 'lin:1..3:1' has 1 values, but must have 2 to 1000000."},
      {"temperature = \"lin:-1..1:3\"",
       "x.toml:3:15: value 1 of the sweep over temperature = -1, but must be > 0 (how evenly agents listen).\n"
       "x.toml:3:15: value 2 of the sweep over temperature = 0, but must be > 0 (how evenly agents listen)."},
      {"network.kind = \"log:1..3:4\"",
       "x.toml:3:16: sweep over network.kind = \"log:1..3:4\", but must be a list of values, or a grid of numbers such "
       "as "
       "\"log:0.01..3:12\" or \"lin:0..1:5\"."},
      {"network.edges = [\"a.csv\"]",
       "x.toml:3:9: 'network.edges' cannot be swept, because it is a file; write one config for each."},
      {"\"network.rewire.sizes\" = [[1], [2]]",
       "x.toml:3:1: 'network.rewire.sizes' cannot be swept, because it is a list; write one config for each."},
      {"title = [\"a\"]", "x.toml:3:1: 'title' cannot be swept."},
      {"seeds = 0", "x.toml:3:9: seeds = 0, but must be >= 1 (number of replicas)."},
      {"seeds = 3\nseed = [1, 2]", "x.toml:4:1: the sweep over 'seed' is given twice."},
      {"\"network.kind\" = [\"lattice\"]\nnetwork.kind = [\"complete\"]",
       "x.toml:4:9: the sweep over 'network.kind' is given twice."},
      {"temperature = \"lin:1..2:2000\"\nshift = \"lin:1..2:2000\"",
       "x.toml:4:1: the sweep has more than 1000000 points, which is the most; take fewer values or seeds."},
      {"seeds = 2000000",
       "x.toml:3:9: the sweep has more than 1000000 points, which is the most; take fewer values or seeds."},
  };
  for (const Broken& broken : all) {
    INFO(broken.toml);
    CHECK(complaint_of(kHead + "[sweep]\n" + broken.toml + "\n") == broken.complaint);
  }
  CHECK(complaint_of(kHead + "sweep = 3") == "x.toml:2:9: sweep = 3, but must be a table: [sweep].");
  CHECK(complaint_of(kHead + "seed = 9223372036854775807\n[sweep]\nseeds = 2") ==
        "x.toml:4:9: seed + seeds must be at most 9223372036854775807; take a smaller seed.");
}

TEST_CASE("a config without a known experiment is refused, with the nearest one") {
  CHECK(complaint_of("") == "x.toml:1:1: the key 'experiment' is missing; 'fovea list' shows the experiments.");
  CHECK(complaint_of("experimnt = \"opinion.sample\"") ==
        "x.toml:1:1: unknown key 'experimnt'; did you mean 'experiment'?");
  CHECK(complaint_of("experiment = \"opinion.sampel\"") ==
        "x.toml:1:14: unknown experiment 'opinion.sampel'; did you mean 'opinion.sample'? 'fovea list' shows all of "
        "them.");
  CHECK(complaint_of("experiment = \"x\"") == "x.toml:1:14: unknown experiment 'x'; 'fovea list' shows all of them.");
  CHECK(complaint_of("experiment = \"\"") == "x.toml:1:14: experiment is empty; 'fovea list' shows the experiments.");
  CHECK(complaint_of("experiment = 3") ==
        "x.toml:1:14: experiment = 3 is a whole number, but must be a text in quotes (the name of the experiment).");
}

TEST_CASE("all mistakes of a config are reported together, in the order of its lines") {
  const std::string toml = kHead + "zebra = 1\n[sweep]\nshift = [nan]\n[network]\nkind = 1\nkinds = 2\n";
  Overrides overrides;
  overrides.set = {"agents=one"};
  CHECK(complaint_of(toml, overrides) ==
        "x.toml:2:1: unknown key 'zebra'.\n"
        "x.toml:4:10: value 1 of the sweep over shift = nan, but must be finite (added to each opinion).\n"
        "x.toml:6:8: network.kind = 1 is a whole number, but must be one of 'complete', 'lattice', 'karate_club' (who "
        "hears "
        "whom).\n"
        "x.toml:7:1: unknown key 'network.kinds'; did you mean 'network.kind'?\n"
        "--set agents=one: agents = one is a text, but must be a whole number in [2, 1e+09] (how many agents there "
        "are).");
}

TEST_CASE("broken overrides are refused in the words of the command line") {
  const std::vector<std::pair<std::string, std::string>> sets{
      {"temprature=3", "--set temprature=3: unknown key 'temprature'; did you mean 'temperature'?"},
      {"temperature", "--set temperature: must be KEY=VALUE, such as --set temperature=0.5."},
      {"=3", "--set =3: must be KEY=VALUE, such as --set temperature=0.5."},
      {"temperature=-1", "--set temperature=-1: temperature = -1, but must be > 0 (how evenly agents listen)."},
      {"temperature=",
       "--set temperature=: temperature is empty, but must be a number > 0 (how evenly agents listen)."},
      {"temperature=1\nagents=2",
       "--set temperature=1 agents=2: temperature = 1 agents=2 is a text, but must be a number > 0 (how evenly agents "
       "listen)."},
      {"experiment=a", "--set experiment=a: the key 'experiment' can only be given in a file."},
      {"sweep.agents=3", "--set sweep.agents=3: a sweep is given with --grid KEY=VALUES or --seeds N."},
      {"label=\xff", "--set label=\xff: is not text in UTF-8."},
      {"network.kind=latice",
       "--set network.kind=latice: network.kind = latice, but must be one of 'complete', 'lattice', 'karate_club' (who "
       "hears "
       "whom); did you mean 'lattice'?"},
      {"seed=x", "--set seed=x: seed = x is a text, but must be a whole number >= 0 (seed of all random numbers)."},
  };
  for (const auto& [words, complaint] : sets) {
    Overrides overrides;
    overrides.set = {words};
    CHECK(complaint_of(kHead, overrides) == complaint);
  }
  Overrides grids;
  grids.grid = {"temperature=1,x", "shift=lin:0..1", "agents"};
  grids.seed = 0x8000000000000000u;
  grids.seeds = 0;
  CHECK(complaint_of(kHead, grids) ==
        "--seed 9223372036854775808: seed = 9223372036854775808, but must be at most 9223372036854775807 (seed of all "
        "random "
        "numbers).\n"
        "--grid temperature=1,x: value 2 of the sweep over temperature = x is a text, but must be a number > 0 (how "
        "evenly "
        "agents listen).\n"
        "--grid shift=lin:0..1: sweep over shift: the grid 'lin:0..1' must be log:LOW..HIGH:COUNT or "
        "lin:LOW..HIGH:COUNT, "
        "such as log:0.01..3:12.\n"
        "--grid agents: must be KEY=VALUES, such as --grid temperature=log:0.01..3:12 or --grid seed=1,2,3.\n"
        "--seeds 0: seeds = 0, but must be >= 1 (number of replicas).");
}

TEST_CASE("overrides that contradict each other are refused: nothing that was given is dropped in silence") {
  Overrides twice;
  twice.set = {"agents=3",
               "temperature=1",
               "agents=4",
               "title=a",
               "title=b",
               "seed=1",
               "network={kind=\"lattice\"}",
               "network.kind=lattice"};
  twice.grid = {"shift=1,2", "temperature=1,2", "shift=3", "seed=1,2"};
  twice.seed = 2;
  CHECK(complaint_of(kHead, twice) ==
        "--set agents=4: the key 'agents' is given twice.\n"
        "--set title=b: the key 'title' is given twice.\n"
        "--set network.kind=lattice: the key 'network.kind' is given twice.\n"
        "--seed 2: the key 'seed' is given twice.\n"
        "--grid temperature=1,2: 'temperature' is also given a single value; give only one of the two.\n"
        "--grid shift=3: the sweep over 'shift' is given twice.\n"
        "--grid seed=1,2: 'seed' is also given a single value; give only one of the two.");
  Overrides seeds;
  seeds.grid = {"seed=1,2"};
  seeds.seeds = 3;
  CHECK(complaint_of(kHead, seeds) == "--seeds 3: the sweep over 'seed' is given twice.");
  seeds.grid = {"seeds=2"};
  CHECK(complaint_of(kHead, seeds) == "--seeds 3: the sweep over 'seed' is given twice.");
  seeds.grid.clear();
  seeds.seed = 7;  // counts up from it
  CHECK(complaint_of(kHead, seeds).empty());
}

TEST_CASE("a missing or unfit file is refused with the nearest name in its folder") {
  const ScratchFolder scratch;
  scratch.write("blogs.csv", "1,2\n");
  const auto complaint = [&](const std::string& file) {
    return complaint_of(kHead + "network.edges = \"" + file + "\"", {}, scratch.path());
  };
  CHECK(complaint("blog.csv") == "x.toml:2:17: network.edges = \"blog.csv\", but there is no file '" +
                                     scratch.path("blog.csv") + "'; did you mean 'blogs.csv'?");
  CHECK(complaint(".") ==
        "x.toml:2:17: network.edges = \".\", but '" + scratch.path(".") + "' is a folder; it must be a file.");
  CHECK(complaint("blogs.csv").empty());
  CHECK(complaint("").empty());
  CHECK(complaint("a\\u0000b").find("there is no file") != std::string::npos);
}

TEST_CASE("an unreadable, too large, too deep or binary config is refused before it is parsed") {
  const ScratchFolder scratch;
  scratch.write("temperature.toml", kHead);
  const auto read = [&](const std::string& path) -> std::string {
    return support::refusal_of<ConfigError>([&] { read_config(path, sample_finder(), {}, {}); });
  };
  CHECK(read(scratch.path("temprature.toml")) == scratch.path("temprature.toml") +
                                                     ": cannot be read (No such file or directory); did you mean "
                                                     "'temperature.toml'?");
  CHECK(read(scratch.path()) == scratch.path() + ": cannot be read (Is a directory).");
  const std::string large = scratch.write("large.toml", kHead + repeated("# filler\n", 130000));
  CHECK(read(large) == large +
                           ":1:1: the file is larger than 1 MiB (1048576 bytes), which a config must not be; put data "
                           "into a file of its own.");
  CHECK(complaint_of(kHead + "a = " + repeated("[", 65)) ==
        "x.toml:2:69: brackets nested deeper than 64, which a config must not be.");
  const std::string deep_key = "x.toml:2:128: a dotted key with more than 64 parts, which a config must not have.";
  CHECK(complaint_of(kHead + "a" + repeated(".a", 100000) + " = 1") == deep_key);
  CHECK(complaint_of(kHead + "[" + repeated("a.", 100000) + "a]").find("a dotted key with more than 64 parts") !=
        std::string::npos);
  CHECK(complaint_of(kHead + repeated("a={", 300000)).find("nested deeper than 64") != std::string::npos);
  CHECK(complaint_of(kHead + std::string("agents = 3\0", 11)) ==
        "x.toml:2:11: a NUL byte (character 0), but a config must be plain text.");
  Overrides deep;
  deep.set = {"agents=" + repeated("[", 100000)};
  CHECK(complaint_of(kHead, deep).find("is a text, but must be a whole number") != std::string::npos);
}

TEST_CASE("brackets and dots in strings and comments do not count as nesting") {
  const std::string many = repeated("[.{", 100);
  CHECK(complaint_of(kHead + "# " + many + "\nlabel = \"\\\"" + many + "\"").empty());
  CHECK(complaint_of(kHead + "label = '" + many + "'").empty());
  CHECK(complaint_of(kHead + "label = \"\"\"" + many + "\n\"" + many + "\"\"\"").empty());
  CHECK(complaint_of(kHead + "label = '''" + many + "\n''" + many + "'''").empty());
}

TEST_CASE("texts that toml++ 3.3 mistreats are refused with their line") {
  const std::string outside = ": a letter or blank that is not ASCII is allowed only in quotes and comments.";
  const std::string sticking = ": a letter that is not ASCII is not allowed here; put a blank before the quote.";
  CHECK(complaint_of(kHead + "\u00e9 = 1") == "x.toml:2:1" + outside);
  CHECK(complaint_of(kHead + "agents\u00a0= 1") == "x.toml:2:7" + outside);
  CHECK(complaint_of(kHead + "agents = 1\"\u00e9\"") == "x.toml:2:12" + sticking);
  CHECK(complaint_of(kHead + "agents = 2b=\"\u00e9\"") == "x.toml:2:14" + sticking);
  CHECK(complaint_of(kHead + "agents = [2b=\"\u00e9\"]") == "x.toml:2:15" + sticking);
  CHECK(complaint_of(kHead + "label = \"\"\"a\\\n  \u00e9\"\"\"") ==
        "x.toml:3:3: a letter that is not ASCII may not follow a backslash.");
  CHECK(complaint_of(kHead + "label=\"\u00e9\"  # \u00e9\nnetwork={names=[\"\u00e9\",\"\u00e9\"]}").empty());
  CHECK(complaint_of(kHead + "agents = 5\nnoise = [1, }\n") ==
        "x.toml:3:1: not valid TOML; often a '[' closed by a '}'.");
}

TEST_CASE("the malformed files in shared data are refused in the right line", "[data]") {
  const auto shared = support::shared_data("ecosystem/toml-malformed");
  if (!shared) return;
  const std::filesystem::path& folder = *shared;
  const std::vector<std::pair<std::string, std::string>> places{
      {"bad_header.toml", "x.toml:1:"},
      {"duplicate_key.toml", "x.toml:3:"},
      {"nul_byte.toml", "x.toml:1:6: a NUL"},
      {"overflow_float.toml", "x.toml:1:"},
      {"overflow_int.toml", "x.toml:1:"},
      {"unclosed_array.toml", "x.toml:2:"},
      {"unterminated_string.toml", "x.toml:1:"},
      {"deep_nesting.toml.gz", "x.toml:1:"},
      {"random_bytes.toml.gz", "x.toml:"},
      {"bom_crlf_valid.toml", "x.toml:1:1: the key 'experiment' is missing"},
      {"empty.toml", "x.toml:1:1: the key 'experiment' is missing"}};
  for (const auto& [name, start] : places) {
    INFO(name);
    const std::string complaint = complaint_of(unzipped((folder / name).string()));
    CHECK(complaint.substr(0, start.size()) == start);
  }
}

TEST_CASE("a config with damaged bytes is read or refused, never worse", "[property]") {
  const std::string whole = kHead +
                            "title = \"a \\u00e9 \\\" b\" # comment\nseed = 7\nagents = 1_000\ntemperature = 1e-3\n"
                            "[network]\nkind = 'lattice'\nrewire = {sizes = [1, 2], shares = [0.5]}\n"
                            "names = [\"\"\"x\"\"\", '''y''']\n[sweep]\n\"network.kind\" = [\"complete\"]\n"
                            "temperature = \"log:0.01..3:12\"\nshift = [1, 2.5, -0.0]\nseeds = 3\n";
  REQUIRE(complaint_of(whole).empty());
  int refused = 0;
  constexpr int kSeeds = 2000;
  for (unsigned seed = 0; seed < kSeeds; ++seed) {
    std::mt19937 engine(seed);
    std::string damaged = whole;
    for (unsigned i = 0; i <= seed % 4; ++i) {
      const std::size_t place = engine() % damaged.size();
      const unsigned what = engine() % 4;
      if (what == 0) damaged.erase(place, 1 + engine() % 8);
      if (what == 1) damaged.insert(place, 1, static_cast<char>(engine() % 256));
      if (what == 2) damaged[place] = "\"'[]{}=.,#\n\\-e"[engine() % 14];
      if (what == 3) damaged[place] = static_cast<char>(engine() % 256);
    }
    refused += complaint_of(damaged).empty() ? 0 : 1;
  }
  CHECK(refused > kSeeds / 4);  // the damage is real
  CHECK(refused < kSeeds);
}
