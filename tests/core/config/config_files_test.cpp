#include "fovea/tests/core/config/config_sample.hpp"

#include "fovea/tests/support/test.hpp"

namespace fovea {
namespace {

namespace fs = std::filesystem;
using test::ScratchFolder;

Schema schema_of_events() {
  return Schema().files("data.events", "dated events").file("data.outcomes", "what became of them");
}

Config parse_events(const std::string& toml, const ScratchFolder& scratch, const Overrides& overrides = {}) {
  const Schema schema = schema_of_events();
  return parse_config(
      "experiment = \"a.b\"\n" + toml, "x.toml", scratch.path(), [&](std::string_view) { return &schema; }, {"a.b"},
      overrides);
}

std::string refusal_of_events(const std::string& toml, const ScratchFolder& scratch, const Overrides& overrides = {}) {
  return support::refusal_of<ConfigError>([&] { parse_events(toml, scratch, overrides); });
}

using Paths = std::vector<std::string>;

}  // namespace

TEST_CASE("a key of files holds files and folders as absolute paths, one without brackets too", "[config]") {
  const ScratchFolder scratch;
  const std::string a = scratch.write("a.csv", "1"), b = scratch.write("b.csv", "2");
  fs::create_directories(scratch.path("sub"));
  CHECK(parse_events("", scratch).texts("data.events").empty());
  CHECK(parse_events("data.events = [\"a.csv\", \"sub/../b.csv\"]", scratch).texts("data.events") == Paths{a, b});
  CHECK(parse_events("data.events = \"a.csv\"", scratch).texts("data.events") == Paths{a});
  CHECK(parse_events("data.events = [\"sub/\"]", scratch).texts("data.events") == Paths{scratch.path("sub")});
  CHECK(parse_events("data.events = []", scratch).texts("data.events").empty());
}

TEST_CASE("files on the command line count from the current folder: a list, or words joined by commas", "[config]") {
  const ScratchFolder scratch;
  const std::string a = scratch.write("a.csv", "1"), b = scratch.write("b.csv", "2");
  const auto set = [&](const std::string& words) {
    Overrides given;
    given.set = {"data.events=" + words};
    return parse_events("", scratch, given).texts("data.events");
  };
  CHECK(set("[\"" + a + "\",\"" + b + "\"]") == Paths{a, b});
  CHECK(set(a + "," + b) == Paths{a, b});
  CHECK(set(b) == Paths{b});
}

TEST_CASE("files that are not there, twice, or no paths are refused in the right place", "[config]") {
  const ScratchFolder scratch;
  const std::string a = scratch.write("a.csv", "1");
  const auto refusal = [&](const std::string& value) { return refusal_of_events("data.events = " + value, scratch); };
  CHECK(refusal("[\"a.csv\", \"b.csv\"]") ==
        "x.toml:2:25: element 2 of data.events = \"b.csv\", but there is no file '" + scratch.path("b.csv") +
            "'; did you mean 'a.csv'?");
  CHECK(refusal("[\"a.csv\", \"./a.csv\"]") == "x.toml:2:15: data.events names '" + a + "' twice; name it once.");
  CHECK(refusal("[\"\"]") ==
        "x.toml:2:16: element 1 of data.events is empty, but must be the path of a file or folder "
        "in quotes (dated events).");
  CHECK(refusal("7") ==
        "x.toml:2:15: data.events = 7 is a whole number, but must be a list of paths in quotes (dated events).");
  CHECK(refusal("[7]").find("element 1 of data.events = 7 is a whole number, but must be the path") !=
        std::string::npos);
  Overrides sweep;
  sweep.grid = {"data.events=a,b"};
  CHECK(refusal_of_events("", scratch, sweep) ==
        "--grid data.events=a,b: 'data.events' cannot be swept, because it is a list; write one config for each.");
}

TEST_CASE("a config of files is written and read back, and its commented form says what they are", "[config]") {
  const ScratchFolder scratch;
  scratch.write("a.csv", "1");
  scratch.write("b.csv", "2");
  const Config config = parse_events("data.events = [\"a.csv\", \"b.csv\"]\ndata.outcomes = \"b.csv\"", scratch);
  const std::string toml = to_toml(config);
  CHECK(parse_events(toml.substr(toml.find('\n') + 1), scratch).texts("data.events") == config.texts("data.events"));
  CHECK(init_toml("a.b", "a", schema_of_events())
            .find("# dated events; a list of paths of files or folders, [] for none\nevents = []\n") !=
        std::string::npos);
}

TEST_CASE("the paths of a key are the same list whether it holds one file or many", "[config]") {
  Config config(schema_of_events());
  const Parameter &one = *config.parameter("data.outcomes"), &many = *config.parameter("data.events");
  CHECK(paths_of(config, one).empty());
  CHECK(paths_of(config, many).empty());
  set_paths(config, one, {"a"}, {});
  set_paths(config, many, {"a", "b"}, {});
  CHECK(paths_of(config, one) == Paths{"a"});
  CHECK(paths_of(config, many) == Paths{"a", "b"});
  CHECK_THROWS_WITH(set_paths(config, one, {"a", "b"}, {}), "config: 'data.outcomes' names one file, but 2 are given.");
}

}  // namespace fovea
