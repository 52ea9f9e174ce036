#include "fovea/core/config/sweep_grid.hpp"
#include "fovea/tests/core/config/config_sample.hpp"
#include "fovea/tests/support/test.hpp"

using namespace fovea::test;

namespace {

Overrides quick() {
  Overrides overrides;
  overrides.quick = true;
  return overrides;
}

const std::string kPlain = kHead + "agents = 900\ntemperature = 3\n[sweep]\nshift = [1, 2, 3]\nseeds = 5\n";
const std::string kQuick = "[quick]\nagents = 20\nnetwork.kind = \"lattice\"\n[quick.sweep]\nseeds = 2\n";

}  // namespace

TEST_CASE("without --quick the table [quick] leaves the config as it is, to the letter") {
  CHECK(to_toml(parse_sample(kPlain + kQuick)) == to_toml(parse_sample(kPlain)));
}

TEST_CASE("with --quick the values of [quick] override the file's, and --set and --seeds override both") {
  const Config looked = parse_sample(kPlain + kQuick, quick());
  CHECK(looked.integer("agents") == 20);
  CHECK(looked.source("agents").text() == "x.toml:8:10");
  CHECK(looked.text("network.kind") == "lattice");
  CHECK(looked.real("temperature") == 3);
  CHECK(sweep_size(looked) == 6);
  Overrides more = quick();
  more.set = {"agents=30"};
  more.seeds = 4;
  const Config set = parse_sample(kPlain + kQuick, more);
  CHECK(set.integer("agents") == 30);
  CHECK(sweep_size(set) == 12);
  CHECK(to_toml(looked) == to_toml(parse_sample(kPlain + kQuick, quick())));
}

TEST_CASE("a single value in [quick] ends a sweep of its key, as a later file would") {
  CHECK(parse_sample(kPlain + "[quick]\nshift = 1.5\n", quick()).sweep.empty());
}

TEST_CASE("a quick look is called a preview in the resolved config, where it takes a value") {
  const std::string resolved = to_toml(parse_sample(kPlain + kQuick, quick()));
  CHECK(resolved.find("quick") == std::string::npos);
  CHECK(resolved.find("\npreview = true\n") != std::string::npos);
  CHECK(parse_sample(resolved).preview);
  CHECK(!parse_sample(kPlain + kQuick).preview);
  CHECK(!parse_sample(kPlain + "[quick]\n", quick()).preview);
  CHECK(complaint_of(kHead + "preview = 3\n") == "x.toml:2:11: preview = 3, but must be true or false.");
  CHECK(to_toml(parse_sample(resolved)) == resolved);
}

TEST_CASE("extends brings the [quick] of the base along, over the values of all files, key by key") {
  const ScratchFolder scratch;
  scratch.write("base.toml", kHead + "agents = 900\n[quick]\nagents = 20\ntemperature = 2\n");
  const std::string heir = scratch.write("heir.toml", "extends = \"base.toml\"\nagents = 800\nlabel = \"heir\"\n");
  const std::string own = scratch.write("own.toml", "extends = \"base.toml\"\n[quick]\nagents = 30\n");
  const Config inherited = read_config(heir, sample_finder(), {}, quick());
  CHECK(inherited.integer("agents") == 20);
  CHECK(inherited.text("label") == "heir");
  const Config changed = read_config(own, sample_finder(), {}, quick());
  CHECK(changed.integer("agents") == 30);
  CHECK(changed.real("temperature") == 2);
  CHECK(read_config(heir, sample_finder(), {}, {}).integer("agents") == 800);
}

TEST_CASE("all mistakes in [quick] are named with their places, asked for or not") {
  const std::string broken = kHead +
                             "agents = 1\n[quick]\nagnets = 20\ntemperature = -2\nextends = \"b.toml\"\nquick = 3\n"
                             "experiment = \"x\"\n[quick.sweep]\nshift = []\n";
  const std::string complaints =
      "x.toml:2:10: agents = 1, but must be in [2, 1e+09] (how many agents there are).\n"
      "x.toml:4:1: unknown key 'agnets'; did you mean 'agents'?\n"
      "x.toml:5:15: temperature = -2, but must be > 0 (how evenly agents listen).\n"
      "x.toml:6:1: the key 'extends' cannot be given in [quick].\n"
      "x.toml:7:1: the key 'quick' cannot be given in [quick].\n"
      "x.toml:8:1: the key 'experiment' cannot be given in [quick].\n"
      "x.toml:10:9: the sweep over shift has no values.";
  CHECK(complaint_of(broken) == complaints);
  CHECK(complaint_of(broken, quick()) == complaints);
  CHECK(complaint_of(kHead + "quick = true\n") == "x.toml:2:9: quick = true, but must be a table: [quick].");
}

TEST_CASE("the option --quick is refused where there is no [quick] to take values from") {
  CHECK(complaint_of(kPlain, quick()) ==
        "--quick: x.toml has no table [quick], which gives the values of keys for a quick run.");
  CHECK_NOTHROW(parse_sample(kPlain + "[quick]\n", quick()));
  CHECK_THROWS_WITH(default_config("opinion.sample", sample_schema(), quick()),
                    "--quick: the defaults of opinion.sample have no table [quick]; give a config file.");
  Overrides set;
  set.set = {"quick.agents=20"};
  CHECK(complaint_of(kPlain + kQuick, set) ==
        "--set quick.agents=20: the key 'quick.agents' can only be given in a file.");
}
