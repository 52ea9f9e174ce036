#include <random>

#include "fovea/tests/core/config/commented_tables.hpp"
#include "fovea/tests/core/config/config_sample.hpp"
#include "fovea/tests/support/test.hpp"

using namespace fovea::test;

namespace {

Schema decay_keys() {
  return Schema()
      .real("half_life", 1, Range::positive(), "days", "time after which a weight has halved")
      .flag("learned", true, "whether training changes it")
      .reals("starts", {}, Range::positive(), "days", "one for each head")
      .choice("side", "both", {"both", "past"}, "which keys are seen");
}

Schema tables_schema() {
  return Schema()
      .integer("width", 8, Range::at_least(1), "", "columns of the model")
      .tables("model.modifiers",
              {{"causal", "a token sees those before it", Schema()},
               {"time_decay", "old tokens weigh less", decay_keys()},
               {"window", "a token sees those near it",
                Schema().integer("reach", 3, Range::between(0, 1e6), "positions", "largest distance to a key")},
               {"pair_bias", "a number for each pair", Schema(), "a config cannot hold a matrix for each set"}},
              "what changes the scores")
      .real("model.rate", 0.5, Range::positive(), "", "how fast it learns")
      .flag("model.norm.last", false, "where the norm stands");
}

FindSchema tables_finder() {
  return [](std::string_view) -> const Schema* {
    static const Schema schema = tables_schema();
    return &schema;
  };
}

Config parse(const std::string& toml, const Overrides& overrides = {}) {
  return parse_config(kHead + toml, "x.toml", ".", tables_finder(), {}, overrides);
}

Overrides grid(const std::vector<std::string>& words) { return {{}, words, {}, {}}; }
Overrides set(const std::vector<std::string>& words) { return {words, {}, {}, {}}; }

std::string complaint(const std::function<Config()>& read) {
  return support::refusal_of<ConfigError>([&] { read(); });
}

const std::string kThree =
    "[[model.modifiers]]\ntype = \"time_decay\"\nhalf_life = 3\nside = \"past\"\n"
    "[[model.modifiers]]\ntype = \"causal\"\n[[model.modifiers]]\ntype = \"time_decay\"\n";

}  // namespace

TEST_CASE("a list of tables keeps its order, its types, every key and every place") {
  const Config config = parse(kThree);
  const std::vector<ConfigTable>& tables = config.tables("model.modifiers");
  REQUIRE(tables.size() == 3);
  CHECK(tables[0].type() == "time_decay");
  CHECK(tables[0].source().text() == "x.toml:2:1");
  CHECK(tables[0].real("half_life") == 3);
  CHECK(tables[0].source("half_life").text() == "x.toml:4:13");
  CHECK(tables[0].flag("learned"));
  CHECK(tables[0].source("learned").text() == "default");
  CHECK(tables[1].type() == "causal");
  CHECK(tables[1].keys().empty());
  CHECK(tables[2].real("half_life") == 1);
  CHECK(config.text("model.modifiers.0.side") == "past");
  CHECK(config.text("model.modifiers.2.side") == "both");
  CHECK(config.parameter("model.modifiers.2.half_life")->unit == "days");
  CHECK(config.parameter("model.modifiers.1.half_life") == nullptr);
  CHECK(config.parameter("model.modifiers.3.half_life") == nullptr);
  CHECK_THROWS_AS(config.real("model.modifiers.1.half_life"), ArgumentError);
  CHECK_THROWS_AS(config.tables("width"), ArgumentError);
  CHECK(parse("").tables("model.modifiers").empty());
  CHECK(parse("").is_default("model.modifiers"));
  CHECK(!config.is_default("model.modifiers"));
}

TEST_CASE("tables are equal by type and values, wherever they were written") {
  const Config config = parse(kThree);
  const Config inline_tables = parse(
      "model = {modifiers = [{half_life = 3.0, type = 'time_decay', side = 'past'}, {type = 'causal'}, "
      "{type = 'time_decay', learned = true}]}");
  CHECK(config.tables("model.modifiers") == inline_tables.tables("model.modifiers"));
  CHECK(!(config.tables("model.modifiers")[0] == config.tables("model.modifiers")[2]));
  CHECK(config.tables("model.modifiers")[1] < config.tables("model.modifiers")[0]);
  CHECK(config.tables("model.modifiers")[2] < config.tables("model.modifiers")[0]);
  CHECK(!(config.tables("model.modifiers")[0] < config.tables("model.modifiers")[2]));
}

TEST_CASE("mistakes in lists of tables are refused with place, rule and way out") {
  struct Broken {
    std::string toml, complaint;
  };
  const std::string list = "a list of tables [[model.modifiers]], each with a type such as \"causal\"";
  const std::vector<Broken> all{
      {"model.modifiers = 3",
       "x.toml:2:19: model.modifiers = 3 is a whole number, but must be " + list + " (what changes the scores)."},
      {"[model.modifiers]\ntype = \"causal\"",
       "x.toml:2:1: model.modifiers is a table, but must be " + list + " (what changes the scores)."},
      {"[model.modifiers]",
       "x.toml:2:1: model.modifiers is a table, but must be " + list + " (what changes the scores)."},
      {"model.modifiers = [\"causal\"]",
       "x.toml:2:20: model.modifiers.0 = \"causal\" is a text, but must be a table with a type, such as {type = "
       "\"causal\"}."},
      {"[[model.modifiers]]\n[[model.modifiers]]\ntype = 3",
       "x.toml:2:1: model.modifiers.0 has no type, but must have one of 'causal', 'time_decay', 'window' (what changes "
       "the scores).\n"
       "x.toml:4:8: model.modifiers.1.type = 3 is a whole number, but must be one of 'causal', 'time_decay', 'window' "
       "(what changes the scores)."},
      {"[[model.modifiers]]\ntpye = \"causal\"",
       "x.toml:3:1: unknown key 'model.modifiers.0.tpye'; did you mean 'type'?"},
      {"[[model.modifiers]]\ntype = \"time_decai\"\nreach = 1",
       "x.toml:3:8: model.modifiers.0.type = \"time_decai\", but must be one of 'causal', 'time_decay', 'window' (what "
       "changes the scores); did you mean 'time_decay'?"},
      {"[[model.modifiers]]\ntype = \"pair_bias\"",
       "x.toml:3:8: model.modifiers.0.type = \"pair_bias\", but a config cannot hold a matrix for each set."},
      {"[[model.modifiers]]\ntype = \"window\"\nreech = 2",
       "x.toml:4:1: unknown key 'model.modifiers.0.reech' of the type 'window'; did you mean 'reach'?"},
      {"[[model.modifiers]]\ntype = \"window\"\nhalf_life = 2",
       "x.toml:4:1: unknown key 'model.modifiers.0.half_life' of the type 'window'; it has 'reach'."},
      {"[[model.modifiers]]\ntype = \"causal\"\nreach = 2",
       "x.toml:4:1: unknown key 'model.modifiers.0.reach' of the type 'causal', which has no keys."},
      {"[[model.modifiers]]\ntype = \"time_decay\"\nhalf_life = 0\nlearned = 1\nstarts = [1, -1]\nside = \"pats\"",
       "x.toml:4:13: model.modifiers.0.half_life = 0, but must be > 0 (time after which a weight has halved).\n"
       "x.toml:5:11: model.modifiers.0.learned = 1 is a whole number, but must be true or false (whether training "
       "changes it).\n"
       "x.toml:6:14: element 2 of model.modifiers.0.starts = -1, but must be > 0 (one for each head).\n"
       "x.toml:7:8: model.modifiers.0.side = \"pats\", but must be one of 'both', 'past' (which keys are seen); did "
       "you "
       "mean 'past'?"},
      {"[[model.modifier]]\ntype = \"causal\"",
       "x.toml:2:9: unknown key 'model.modifier'; did you mean 'model.modifiers'?"},
      {"model.modifiers.0.half_life = 3",
       "x.toml:2:19: there is no 'model.modifiers.0.half_life': model.modifiers has 0 tables, counted from 0."},
  };
  for (const Broken& broken : all) {
    INFO(broken.toml);
    CHECK(complaint([&] { return parse(broken.toml); }) == broken.complaint);
  }
}

TEST_CASE("mistakes of all tables are said at once, beside those of other keys") {
  CHECK(
      complaint([] {
        return parse(
            "width = 0\n[[model.modifiers]]\ntype = \"window\"\nreach = -1\n[[model.modifiers]]\n"
            "[[model.modifiers]]\ntype = \"window\"\nreach = 0.5\n");
      }) ==
      "x.toml:2:9: width = 0, but must be >= 1 (columns of the model).\n"
      "x.toml:5:9: model.modifiers.0.reach = -1, but must be in [0, 1e+06] (largest distance to a key).\n"
      "x.toml:6:1: model.modifiers.1 has no type, but must have one of 'causal', 'time_decay', 'window' (what changes "
      "the scores).\n"
      "x.toml:9:9: model.modifiers.2.reach = 0.5 is a real number, but must be a whole number in [0, 1e+06] (largest "
      "distance to a key).");
}

TEST_CASE("a list holds up to 64 tables") {
  std::string toml;
  for (std::size_t i = 0; i < kMostTables; ++i) toml += "[[model.modifiers]]\ntype = \"causal\"\n";
  CHECK(parse(toml).tables("model.modifiers").size() == kMostTables);
  CHECK(complaint([&] { return parse(toml + "[[model.modifiers]]\n"); }) ==
        "x.toml:2:1: model.modifiers has 65 tables, but must have at most 64.");
}

TEST_CASE("the option --set gives a whole list or one value of it") {
  const Config whole = parse(kThree, set({"model.modifiers=[{type=\"causal\"},{type=\"time_decay\",half_life=3.0}]"}));
  REQUIRE(whole.tables("model.modifiers").size() == 2);
  CHECK(whole.real("model.modifiers.1.half_life") == 3);
  CHECK(whole.source("model.modifiers.1.half_life").file ==
        "--set model.modifiers=[{type=\"causal\"},{type=\"time_decay\",half_lif...");
  const Config one = parse(kThree, set({"model.modifiers.2.half_life=.5", "model.modifiers.0.side=both"}));
  CHECK(one.real("model.modifiers.0.half_life") == 3);
  CHECK(one.real("model.modifiers.2.half_life") == 0.5);
  CHECK(one.text("model.modifiers.0.side") == "both");
  CHECK(parse(kThree, set({"model.modifiers=[]"})).tables("model.modifiers").empty());
  const std::vector<std::pair<std::string, std::string>> broken{
      {"model.modifiers=causal",
       "model.modifiers = causal is a text, but must be a list of tables [[model.modifiers]], "
       "each with a type such as \"causal\" (what changes the scores)."},
      {"model.modifiers.3.half_life=1",
       "there is no 'model.modifiers.3.half_life': model.modifiers has 3 tables, counted from 0."},
      {"model.modifiers.1.half_life=1",
       "unknown key 'model.modifiers.1.half_life' of the type 'causal', which has no keys."},
      {"model.modifiers.0.type=causal",
       "'model.modifiers.0.type' = \"time_decay\" cannot be changed alone, because a type has keys of its own; give "
       "the "
       "whole list."},
      {"model.modifiers.0=causal",
       "'model.modifiers.0' must be model.modifiers.NUMBER.KEY, such as "
       "model.modifiers.0.KEY for the first table; a whole list is given as "
       "[[model.modifiers]]."},
      {"model.modifiers.time_decay.half_life=1",
       "'model.modifiers.time_decay.half_life' must be model.modifiers.NUMBER.KEY, such as model.modifiers.0.KEY for "
       "the first table; a whole list is given as [[model.modifiers]]."},
      {"model.modifiers.99999999999999999999.half_life=1",
       "'model.modifiers.99999999999999999999.half_life' must be model.modifiers.NUMBER.KEY, such as "
       "model.modifiers.0.KEY for the first table; a whole list is given as [[model.modifiers]]."},
      {"model.modifiers.0.half_life=-1",
       "model.modifiers.0.half_life = -1, but must be > 0 (time after which a weight has halved)."},
  };
  for (const auto& [words, sentence] : broken)
    CHECK(complaint([&] { return parse(kThree, set({words})); }) == "--set " + words + ": " + sentence);
  CHECK(complaint([] {
          return parse(kThree,
                       set({"model.modifiers.0.half_life=1", "model.modifiers=[]", "model.modifiers.0.half_life=2"}));
        }) ==
        "--set model.modifiers=[]: the key 'model.modifiers' is given twice.\n"
        "--set model.modifiers.0.half_life=2: the key 'model.modifiers.0.half_life' is given twice.");
}

TEST_CASE("a list replaces the one it extends as a whole; a value inside changes that value alone") {
  const ScratchFolder scratch;
  scratch.write("base.toml", kHead + kThree + "[sweep]\nmodel.modifiers.2.half_life = [1, 2]\nwidth = [4, 5]\n");
  const auto read = [&](const std::string& toml) {
    return read_config(scratch.write("top.toml", "extends = \"base.toml\"\n" + toml), tables_finder(), {}, {});
  };
  CHECK(read("").tables("model.modifiers").size() == 3);
  CHECK(read("").sweep.size() == 2);
  const Config replaced = read("[[model.modifiers]]\ntype = \"window\"\n");
  REQUIRE(replaced.tables("model.modifiers").size() == 1);
  CHECK(replaced.integer("model.modifiers.0.reach") == 3);
  REQUIRE(replaced.sweep.size() == 1);  // the list that was swept is gone
  CHECK(replaced.sweep[0].key == "width");
  const Config changed = read("[model.modifiers.0]\nhalf_life = 9\n");
  REQUIRE(changed.tables("model.modifiers").size() == 3);
  CHECK(changed.real("model.modifiers.0.half_life") == 9);
  CHECK(changed.text("model.modifiers.0.side") == "past");
  CHECK(changed.sweep.size() == 2);
  CHECK(read("model.modifiers.2.half_life = 9\n").sweep.size() == 1);
}

TEST_CASE("[quick] may hold a list of tables, or a value inside of one") {
  Overrides quick;
  quick.quick = true;
  const std::string toml = kThree + "[quick.model.modifiers]\n2.half_life = 7\n";
  CHECK(parse(toml).real("model.modifiers.2.half_life") == 1);
  CHECK(parse(toml, quick).real("model.modifiers.2.half_life") == 7);
  CHECK(parse(toml, quick).real("model.modifiers.0.half_life") == 3);
  CHECK(parse(kThree + "[[quick.model.modifiers]]\ntype = \"causal\"\n", quick).tables("model.modifiers").size() == 1);
  CHECK(complaint([&] { return parse(kThree + "[quick.model.modifiers.1]\nhalf_life = 7\n"); }) ==
        "x.toml:11:1: unknown key 'model.modifiers.1.half_life' of the type 'causal', which has no keys.");
}

TEST_CASE("a value inside of a list can be swept, the list and its types cannot") {
  const Config config =
      parse(kThree, grid({"model.modifiers.2.half_life=log:1..4:3", "model.modifiers.0.learned=true,false"}));
  REQUIRE(config.sweep.size() == 2);
  CHECK(config.sweep[0].key == "model.modifiers.2.half_life");
  CHECK(config.sweep[0].values == std::vector<ConfigValue>{1.0, 2.0, 4.0});
  CHECK(config.sweep[1].values == std::vector<ConfigValue>{true, false});
  CHECK(parse(kThree + "[sweep.model.modifiers.2]\nhalf_life = [1, 2]\n").sweep[0].key == config.sweep[0].key);
  CHECK(parse(kThree + "[sweep]\n\"model.modifiers.2.half_life\" = [1, 2]\n").sweep[0].key == config.sweep[0].key);
  const std::vector<std::pair<std::string, std::string>> broken{
      {"model.modifiers=1,2",
       "'model.modifiers' cannot be swept, because it is a list; sweep a key of it "
       "(model.modifiers.0.KEY), or write one config for each."},
      {"model.modifiers.0.type=causal,window",
       "'model.modifiers.0.type' = \"time_decay\" cannot be changed alone, because a type has keys of its own; give "
       "the "
       "whole list."},
      {"model.modifiers.0.starts=[1],[2]",
       "'model.modifiers.0.starts' cannot be swept, because it is a list; write one config for each."},
      {"model.modifiers.7.half_life=1,2",
       "there is no 'model.modifiers.7.half_life': model.modifiers has 3 tables, counted from 0."},
      {"model.modifiers.2.half_life=1,-1",
       "value 2 of the sweep over model.modifiers.2.half_life = -1, but must be > 0 (time after which a weight has "
       "halved)."},
      {"model.modifiers.2.half_life=1,1",
       "value 2 of the sweep over model.modifiers.2.half_life = 1, but each value "
       "must be given only once."},
  };
  for (const auto& [words, sentence] : broken)
    CHECK(complaint([&] { return parse(kThree, grid({words})); }) == "--grid " + words + ": " + sentence);
  CHECK(
      complaint(
          [] { return parse("model.modifiers = [{type = \"x\"}]", grid({"model.modifiers.0.half_life=1,2"})); }) ==
      "x.toml:2:28: model.modifiers.0.type = \"x\", but must be one of 'causal', 'time_decay', 'window' (what changes "
      "the scores).");
}

TEST_CASE("the resolved config has every key of every table, and reads back as the same config") {
  const std::string head =
      "experiment = \"opinion.sample\"\nwidth = 8\n\n[model]\nrate = 0.5\n\n[[model.modifiers]]\ntype = "
      "\"time_decay\"\n"
      "half_life = 3.0\nlearned = true\nstarts = []\nside = \"past\"\n\n[[model.modifiers]]\ntype = \"causal\"\n\n"
      "[[model.modifiers]]\ntype = \"time_decay\"\nhalf_life = 1.0\nlearned = true\nstarts = []\nside = \"both\"\n\n"
      "[model.norm]\nlast = false\n";
  const Config config = parse(kThree, grid({"model.modifiers.2.half_life=1,2"}));
  CHECK(to_toml(config) == head + "\n[sweep]\n\"model.modifiers.2.half_life\" = [1.0, 2.0]\n");
  CHECK(to_toml(parse("")).find("[model]\nmodifiers = []\nrate = 0.5\n") != std::string::npos);
  for (const Config& written : {config, parse(""), parse("[[model.modifiers]]\ntype = 'window'\nreach = 9\n")}) {
    const Config again = parse_config(to_toml(written), "again.toml", ".", tables_finder(), {}, {});
    CHECK(again.tables("model.modifiers") == written.tables("model.modifiers"));
    CHECK(to_toml(again) == to_toml(written));
  }
}

TEST_CASE("the commented config shows every type, and each is valid once it is uncommented") {
  const std::string toml = init_toml("opinion.sample", "A sample.", tables_schema());
  CHECK(parse_config(toml, "init.toml", ".", tables_finder(), {}, {}).tables("model.modifiers").empty());
  CHECK(toml.find("# What changes the scores; up to 64 tables, in this order; default none. The types:\n") ==
        std::string::npos);
  CHECK(toml.find("\n# what changes the scores; up to 64 tables, in this order; default none. The types:\n\n"
                  "# [[model.modifiers]]\n# type = \"causal\"  # a token sees those before it\n\n"
                  "# [[model.modifiers]]\n# type = \"time_decay\"  # old tokens weigh less\n"
                  "# half_life = 1.0  # time after which a weight has halved; unit days; must be > 0; default 1.0\n") !=
        std::string::npos);
  CHECK(toml.find("pair_bias") == std::string::npos);
  const std::string uncommented = support::with_tables_uncommented(toml);
  const Config config = parse_config(uncommented, "init.toml", ".", tables_finder(), {}, {});
  REQUIRE(config.tables("model.modifiers").size() == 3);
  CHECK(config.tables("model.modifiers")[1] == parse(kThree).tables("model.modifiers")[2]);
}

TEST_CASE("lists of tables with damaged bytes are read or refused, never worse", "[property]") {
  const std::string whole = kThree +
                            "[sweep]\nmodel.modifiers.2.half_life = \"log:1..4:3\"\n"
                            "[quick.model.modifiers]\n0.half_life = 2\n2 = {learned = true}\n";
  Overrides overrides;
  overrides.set = {"model.modifiers.0.learned=false"};
  REQUIRE(complaint([&] { return parse(whole, overrides); }).empty());
  int refused = 0;
  constexpr int kSeeds = 1000;
  for (unsigned seed = 0; seed < kSeeds; ++seed) {
    std::mt19937 engine(seed);
    std::string damaged = whole;
    for (unsigned i = 0; i <= seed % 4; ++i) {
      const std::size_t place = engine() % damaged.size();
      const std::uint_fast32_t what = engine() % 3;
      if (what == 0) damaged.erase(place, 1 + engine() % 8);
      if (what == 1) damaged.insert(place, 1, "\"'[]{}=.,#\n\\-e7"[engine() % 15]);
      if (what == 2) damaged[place] = "\"'[]{}=.,#\n\\-e7"[engine() % 15];
    }
    refused += complaint([&] { return parse(damaged, overrides); }).empty() ? 0 : 1;
  }
  CHECK(refused > kSeeds / 4);
  CHECK(refused < kSeeds);
}

TEST_CASE("a schema refuses lists of tables that contradict themselves") {
  const auto refused = [](std::vector<TableVariant> variants) -> std::string {
    return support::refusal_of<ArgumentError>([&] { Schema().tables("a", std::move(variants), "x"); });
  };
  CHECK(refused({}) == "schema: the list of tables 'a' needs a type.");
  CHECK(refused({{"b", "x", Schema(), "it is never given"}}) == "schema: the list of tables 'a' needs a type.");
  CHECK(refused({{"b", "x", Schema()}, {"b", "x", Schema()}}) == "schema: 'a' has the type 'b' twice.");
  CHECK(refused({{"b.c", "x", Schema()}}) ==
        "schema: the type 'b.c' of 'a' must be a word of letters, digits, _ or -.");
  CHECK(refused({{"b", "", Schema()}}) == "schema: the type 'b' of 'a' needs a meaning of one line.");
  CHECK(refused({{"b", "x", Schema().flag("type", true, "x")}}) ==
        "schema: the key 'type' of the type 'b' of 'a' must be a single word other than 'type'.");
  CHECK(refused({{"b", "x", Schema().flag("c.d", true, "x")}}) ==
        "schema: the key 'c.d' of the type 'b' of 'a' must be a single word other than 'type'.");
  CHECK(refused({{"b", "x", Schema().file("c", "x")}}) ==
        "schema: the key 'c' of the type 'b' of 'a' must hold neither a file nor tables.");
  CHECK(refused({{"b", "x", tables_schema()}}) != "");
  CHECK_THROWS_WITH(tables_schema().flag("model.modifiers.0", true, "x"),
                    "schema: the key 'model.modifiers.0' collides with 'model.modifiers'.");
}

TEST_CASE("a config notes the keys that it is asked for, and a key inside a list as the list", "[config][tables]") {
  Config config = parse("[[model.modifiers]]\ntype = \"window\"\n");
  std::set<std::string, std::less<>> asked;
  config.note_asked(&asked);
  config.integer("model.modifiers.0.reach");
  config.source("model.rate");
  CHECK(asked == std::set<std::string, std::less<>>{"model.modifiers", "model.rate"});
}
