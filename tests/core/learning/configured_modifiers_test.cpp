#include "fovea/core/learning/layers/configured_modifiers.hpp"

#include "fovea/core/attention/attend.hpp"
#include "fovea/core/attention/registry.hpp"
#include "fovea/core/attention/scores.hpp"
#include "fovea/core/kernels/exponential.hpp"
#include "fovea/core/learning/layers/token_modifiers.hpp"
#include "fovea/core/learning/training/optimizer.hpp"
#include "fovea/tests/core/config/commented_tables.hpp"
#include "fovea/tests/support/odd_sum.hpp"
#include "fovea/tests/support/runs/run.hpp"
#include "fovea/tests/support/test.hpp"

namespace fovea::learning {
namespace {

constexpr Index kWidth = 12, kHeads = 3;
const ModifierPlace kPlace{kHeads, true, 2};

Schema model_schema() {
  Schema schema;
  declare_modifiers(schema, "model.modifiers");
  return schema;
}

std::string entry(const std::string& type, const std::string& keys = "") {
  return "[[model.modifiers]]\ntype = \"" + type + "\"\n" + keys;
}

template <typename Real = float>
std::vector<ModifierOfLayer<Real>> listed(const std::string& toml, const ModifierPlace& place = kPlace) {
  return modifiers_of<Real>(support::config_of("m", model_schema(), toml), "model.modifiers", place);
}

/// Sets of 0, 1, few and many tokens at uneven times, which begin long after 0, and places on a strip.
Tokens sets_of_tokens() {
  Tokens tokens;
  tokens.offsets = {0, 40, 40, 41, 130, 137};
  tokens.coordinates.resize(tokens.count(), 2);
  for (Index i = 0; i < tokens.count(); ++i) {
    tokens.times.push_back(1.7e9 + 0.31 * static_cast<double>((7 * i) % 23));
    tokens.coordinates.row(i) << 0.1 * static_cast<double>(i % 29), 0.2 * static_cast<double>((i * i) % 7);
  }
  return tokens;
}

template <typename Real>
Matrix<Real> random_matrix(Index rows, Index columns, std::uint64_t stream) {
  const Random random = Random(3).stream("configured modifiers");
  Matrix<Real> matrix(rows, columns);
  for (Index k = 0; k < matrix.size(); ++k)
    matrix.data()[k] = static_cast<Real>(2 * random.uniform(static_cast<std::uint64_t>(k), stream) - 1);
  return matrix;
}

/// A layer with these modifiers, used once forth and back.
struct Layer {
  Parameters<float> parameters;
  MultiHeadAttention<float> attention;
  Matrix<float> result, input_gradient;
  std::vector<float> gradients;

  explicit Layer(const std::vector<ModifierOfLayer<float>>& modifiers)
      : attention(parameters, "layer", settings_of(modifiers), Random(5)) {}

  static AttentionSettings<float> settings_of(const std::vector<ModifierOfLayer<float>>& modifiers) {
    AttentionSettings<float> settings;
    settings.width = kWidth;
    settings.heads = kHeads;
    settings.modifiers = modifiers;
    return settings;
  }

  void use(const Tokens& tokens) {
    Tape<float> tape;
    gradients.assign(parameters.size(), 0.0f);
    tape.begin(&parameters, gradients);
    const Matrix<float> input = random_matrix<float>(tokens.count(), kWidth, 1);
    const Variable<float> x = tape.variable(input), y = attention(x, tokens);
    result = y.value();
    tape.backward(fovea::test::odd_sum(y));
    input_gradient = x.gradient_matrix();
  }

  std::vector<float> of(const std::vector<float>& vector, const std::string& name) const {
    const ParameterPlace place = parameters.at(name).place;
    return {vector.begin() + place.begin, vector.begin() + place.begin + place.size()};
  }
  std::vector<float> gradient(const std::string& name) const { return of(gradients, name); }
  std::vector<float> value(const std::string& name) const {
    return of({parameters.values().begin(), parameters.values().end()}, name);
  }
};

const std::string kDecayCausalWindow = entry("time_decay", "half_life = 3\nper_head = true\nspread = 2\n") +
                                       entry("causal") + entry("window", "reach = 20\n");

/// The half-lives 1.5, 3 and 6 of kDecayCausalWindow.
template <typename Real>
std::vector<Real> three_half_lives() {
  const double middle = logarithm(3.0), reach = logarithm(2.0);
  return {static_cast<Real>(middle - reach), static_cast<Real>(middle), static_cast<Real>(middle + reach)};
}

}  // namespace

TEST_CASE("[[model.modifiers]] with time_decay, causal and window equals the list written in C++ bit for bit",
          "[learning][modifier][threads]") {
  const Tokens tokens = sets_of_tokens();
  const TimeDecayOptions half_lives{Sharing::per_head, DecayParameter::half_life, false};
  for (const int threads : {1, 2, 3, 5}) {
    omp_set_num_threads(threads);
    Layer configured(listed(kDecayCausalWindow));
    Layer written({decay_with_time<float>(three_half_lives<float>(), half_lives),
                   same_for_all<float>("causal", causal<float>()), same_for_all<float>("window", window<float>(20))});
    configured.use(tokens);
    written.use(tokens);
    CHECK(configured.parameters.at("layer.time_decay").place.size() == kHeads);
    CHECK(configured.value("layer.time_decay") == written.value("layer.time_decay"));
    CHECK(configured.result == written.result);
    CHECK(configured.input_gradient == written.input_gradient);
    CHECK(configured.gradients == written.gradients);
    const std::vector<float> rates = configured.gradient("layer.time_decay");
    CHECK(std::none_of(rates.begin(), rates.end(), [](float gradient) { return gradient == 0; }));
  }
  omp_set_num_threads(omp_get_num_procs());
}

TEMPLATE_TEST_CASE("modifiers of a config give attend() and its gradients the bits of those made by hand",
                   "[learning][modifier][threads]", float, double) {
  using Real = TestType;
  const Tokens tokens = sets_of_tokens();
  const std::vector<ModifierOfLayer<Real>> list = listed<Real>(kDecayCausalWindow);
  const Matrix<Real> queries = random_matrix<Real>(tokens.count(), kWidth, 1),
                     keys = random_matrix<Real>(tokens.count(), kWidth, 2),
                     values = random_matrix<Real>(tokens.count(), kWidth, 3),
                     output_gradient = random_matrix<Real>(tokens.count(), kWidth, 4);
  const auto [t_query, t_key] = times_of_sets<Real>(tokens, tokens);
  AttentionSpec<Real> by_hand, configured;
  for (AttentionSpec<Real>* spec : {&by_hand, &configured}) {
    spec->score.function = dot_product_score<Real>();
    spec->heads = kHeads;
    spec->query_offsets = spec->key_offsets = tokens.offsets;
  }
  by_hand.modifiers = {{time_decay<Real>(t_query, t_key, {Sharing::per_head, DecayParameter::half_life, false}),
                        three_half_lives<Real>()},
                       {causal<Real>(), {}},
                       {window<Real>(20), {}}};
  for (const ModifierOfLayer<Real>& modifier : list)
    configured.modifiers.push_back({modifier.make(tokens, tokens), modifier.start});
  for (const int threads : {1, 2, 3, 5}) {
    omp_set_num_threads(threads);
    const auto wanted = attend<Real>(queries, keys, values, by_hand),
               got = attend<Real>(queries, keys, values, configured);
    CHECK(got.outputs == wanted.outputs);
    const auto slopes = attend_backward<Real>(queries, keys, values, by_hand, wanted, output_gradient);
    const auto got_slopes = attend_backward<Real>(queries, keys, values, configured, got, output_gradient);
    CHECK(got_slopes.queries == slopes.queries);
    CHECK(got_slopes.keys == slopes.keys);
    CHECK(got_slopes.values == slopes.values);
    CHECK(got_slopes.modifier_theta == slopes.modifier_theta);
  }
  omp_set_num_threads(omp_get_num_procs());
}

TEST_CASE("every modifier can be told in a config, or says why not", "[learning][modifier]") {
  const Schema schema = model_schema();
  const Parameter& list = *schema.find("model.modifiers");
  for (const ModifierEntry<float>& each : modifiers<float>()) {
    DYNAMIC_SECTION(each.name) {
      const std::string type(each.name);
      const ModifierSettings<float>& settings = each.settings;
      REQUIRE(list.variant(type) != nullptr);
      CHECK((settings.make == nullptr) == !settings.refusal.empty());
      if (settings.make == nullptr) {
        CHECK(support::refusal_of<ConfigError>([&] { support::config_of("m", model_schema(), entry(type)); }) ==
              concat("test.toml:4:8: model.modifiers.0.type = \"", type, "\", but ", settings.refusal, "."));
        continue;
      }
      CHECK(!settings.meaning.empty());
      CHECK((settings.start != nullptr) == !each.parameters.empty());
      CHECK((list.variant(type)->keys.find("learned") != nullptr) == !each.parameters.empty());
    }
  }
}

TEST_CASE("every modifier of a config works on sets of tokens with its defaults, alone and behind a causal mask",
          "[learning][modifier]") {
  const Tokens tokens = sets_of_tokens();
  for (const ModifierEntry<float>& each : modifiers<float>()) {
    if (each.settings.make == nullptr) continue;
    DYNAMIC_SECTION(each.name) {
      const std::string type(each.name);
      for (const std::string& before : {std::string(), entry("causal")}) {
        const std::vector<ModifierOfLayer<float>> list = listed(before + entry(type));
        const ModifierOfLayer<float>& modifier = list.back();
        CHECK(modifier.name == (type == "causal" && list.size() == 2 ? "causal_2" : type));
        CHECK(static_cast<Index>(modifier.start.size()) == modifier.make(tokens, tokens)->parameter_count(kHeads));
        Layer layer(list);
        layer.use(tokens);
        CHECK(layer.result.allFinite());
        CHECK(layer.input_gradient.allFinite());
        if (modifier.start.empty()) continue;
        const auto moves = [](float gradient) { return gradient != 0; };
        const std::vector<float> theta = layer.gradient("layer." + modifier.name);
        // Scores of this size are far below the largest cap and key.
        if (type != "key_norm_clipping") CHECK(std::any_of(theta.begin(), theta.end(), moves));
      }
    }
  }
}

TEST_CASE("what a config says reaches the modifier: each key of each type changes the result or the start",
          "[learning][modifier]") {
  const Tokens tokens = sets_of_tokens();
  const auto outcome = [&](const std::string& toml) {
    Layer layer(listed(toml));
    layer.use(tokens);
    std::vector<float> numbers(layer.result.data(), layer.result.data() + layer.result.size());
    numbers.insert(numbers.end(), layer.parameters.values().begin(), layer.parameters.values().end());
    return numbers;
  };
  const std::vector<std::pair<std::string, std::vector<std::string>>> all{
      {"big_bird",
       {"block = 4\nglobal_blocks = 0\n", "window_blocks = 1\n", "global_blocks = 2\n", "random_blocks = 3\n",
        "random_seed = 2\n"}},
      {"distance_bias", {"", "slope = 0.3\n", "per_head = false\n"}},
      {"key_norm_clipping", {"longest = 0.2\n", "per_head = true\n", "spread = 3\n"}},
      {"learned_span", {"", "span = 3\n", "ramp = 2\n", "spread = 1.5\n", "per_head = false\n"}},
      {"longformer", {"", "reach = 2\n", "global_positions = [1, 3]\n"}},
      {"nearest_neighbours", {"k = 3\n", "include_self = false\n", "periods = [1.0, 0]\n"}},
      {"power_law_decay",
       {"", "exponent = 2\n", "scale = 0.5\n", "past_only = true\n", "per_head = true\n", "spread = 2\n"}},
      {"radius", {"", "radius = 0.5\n", "periods = [1.0, 0]\n"}},
      {"relative_position", {"", "reach = 2\n", "per_head = false\n"}},
      {"soft_cap", {"cap = 0.5\n", "per_head = true\n", "spread = 3\n"}},
      {"strided", {"", "stride = 3\n"}},
      {"temperature", {"", "temperature = 0.1\n", "per_head = true\n", "spread = 3\n"}},
      {"time_decay", {"", "half_life = 0.5\n", "past_only = true\n", "per_head = true\n", "spread = 2\n"}},
      {"window", {"", "reach = 2\n"}},
  };
  for (const auto& [type, changes] : all) {
    DYNAMIC_SECTION(type) {
      std::string keys;
      std::vector<std::vector<float>> outcomes;
      for (const std::string& change : changes) {  // added one after the other; a key given again comes last
        const std::string key = change.substr(0, change.find(' '));
        if (const std::size_t before = key.empty() ? std::string::npos : keys.find(key + " =");
            before != std::string::npos)
          keys.erase(before, keys.find('\n', before) + 1 - before);
        keys += change;
        outcomes.push_back(outcome(entry(type, keys)));
        INFO(keys);
        CHECK(std::find(outcomes.begin(), outcomes.end() - 1, outcomes.back()) == outcomes.end() - 1);
      }
    }
  }
}

TEST_CASE("a fixed parameter takes no gradient and keeps every bit in training; a learned one moves",
          "[learning][modifier]") {
  const std::string fixed = "learned = false\n";
  Layer layer(listed(entry("time_decay", "half_life = 3\n") + entry("time_decay", "half_life = 9\n" + fixed) +
                     entry("temperature", fixed) + entry("relative_position", "reach = 2\n") +
                     entry("distance_bias", fixed)));
  const std::vector<float> start(layer.parameters.values().begin(), layer.parameters.values().end());
  Optimizer<float> optimizer(AdamW{}, layer.parameters.size());
  for (int step = 0; step < 3; ++step) {
    layer.use(sets_of_tokens());
    for (const std::string name : {"time_decay_2", "temperature", "distance_bias"}) {
      const std::vector<float> gradient = layer.gradient("layer." + name);
      CHECK(std::all_of(gradient.begin(), gradient.end(), [](float each) { return each == 0; }));
      CHECK_FALSE(layer.parameters.at("layer." + name).learns);
    }
    optimizer.step(layer.parameters, layer.gradients, 0.01);
  }
  for (const std::string name : {"time_decay_2", "temperature", "distance_bias"})
    CHECK(layer.value("layer." + name) == layer.of(start, "layer." + name));
  for (const std::string name : {"time_decay", "relative_position"})
    CHECK(layer.value("layer." + name) != layer.of(start, "layer." + name));
}

TEST_CASE("parameters start where the config says, spread over the heads in equal ratios", "[learning][modifier]") {
  const auto start = [](const std::string& toml, Index heads) {
    return listed<double>(toml, {heads, true, 2})[0].start;
  };
  const std::string decay = "half_life = 8\nspread = 4\n";
  CHECK(start(entry("time_decay", decay), 3) == std::vector<double>{logarithm(8.0)});
  CHECK(start(entry("time_decay", decay + "per_head = true\n"), 1) == std::vector<double>{logarithm(8.0)});
  const std::vector<double> four = start(entry("time_decay", decay + "per_head = true\n"), 4);
  REQUIRE(four.size() == 4);
  const double kExact = 1e-14;  // a few roundings of numbers up to 4
  CHECK(std::abs(four[0] - std::log(2.0)) < kExact);
  CHECK(std::abs(four[3] - std::log(32.0)) < kExact);
  for (std::size_t head = 1; head < 4; ++head)
    CHECK(std::abs(four[head] - four[head - 1] - std::log(16.0) / 3) < kExact);
  const std::vector<double> laws = start(entry("power_law_decay", "exponent = 2\nscale = 3\nper_head = true\n"), 2);
  REQUIRE(laws.size() == 4);
  CHECK(laws[0] == laws[2]);
  CHECK(std::abs(laws[3] - laws[1] - std::log(16.0)) < kExact);
  const std::vector<double> slopes = start(entry("distance_bias"), 8);
  REQUIRE(slopes.size() == 8);
  CHECK(std::abs(slopes[0] - std::log(0.5)) < kExact);
  CHECK(std::abs(slopes[7] - std::log(0.00390625)) < kExact);
  CHECK(start(entry("relative_position", "reach = 2\n"), 3) == std::vector<double>(15, 0.0));
  CHECK(std::abs(start(entry("temperature", "temperature = 1e-310\n"), 1)[0] + 708.4) <
        0.1);  // the least normal number
}

TEST_CASE("modifiers that the tokens or their own rules forbid are refused together, each in its place",
          "[learning][modifier]") {
  CHECK(
      support::refusal_of<ConfigError>([] {
        listed(entry("time_decay") + entry("causal") + entry("radius") + entry("big_bird", "window_blocks = 4\n") +
                   entry("longformer", "global_positions = [3, 1]\n") + entry("learned_span", "span = 500\n"),
               {4, false, 0});
      }) ==
      "test.toml:3:1: model.modifiers.0 of the type 'time_decay' needs the times of the tokens, but they have none.\n"
      "test.toml:7:1: model.modifiers.2 of the type 'radius' needs the coordinates of the tokens, but they have none.\n"
      "test.toml:9:1: big_bird: window_blocks = 4, but must be odd and at least 1: the query's own block and the same "
      "number on either side.\n"
      "test.toml:12:1: longformer: global position 1 is 1; they must ascend from 0 or more, each once.\n"
      "test.toml:15:1: learned_span: a span starts at 2000, but must start below longest = 1024; from there on its "
      "gradient is 0.");
  CHECK(support::refusal_of<ConfigError>([] { listed(entry("nearest_neighbours", "periods = [1]\n")); }) ==
        "test.toml:3:1: nearest_neighbours: there are 1 periods, but the coordinates have 2 dimensions; give one for "
        "each "
        "(0: not periodic) or none.");
  CHECK(support::refusal_of<ConfigError>(
            [] { support::config_of("m", model_schema(), entry("time_decay", "half_life = 0\nspread = 0.5\n")); }) ==
        "test.toml:5:13: model.modifiers.0.half_life = 0, but must be > 0 (initial half-life).\n"
        "test.toml:6:10: model.modifiers.0.spread = 0.5, but must be in [1, 1e+06] (with per_head, heads start from "
        "half_life / spread to half_life * spread, in equal ratios; 1: all alike).");
}

TEST_CASE("the largest numbers that a config may give cost no memory and break nothing", "[learning][modifier]") {
  const Tokens tokens = sets_of_tokens();
  Layer layer(listed(entry("nearest_neighbours", "k = 1000000000\n")));
  layer.use(tokens);
  CHECK(layer.result.allFinite());
  for (const std::string& toml :
       {entry("window", "reach = 1000000000\n"), entry("strided", "stride = 1000000000\n"),
        entry("longformer", "reach = 1000000000\nglobal_positions = [1000000000]\n"),
        entry("big_bird",
              "block = 1000000000\nwindow_blocks = 999999999\nglobal_blocks = 1000000000\n"
              "random_blocks = 1024\nrandom_seed = 9007199254740992\n"),
        entry("big_bird", "block = 1\nwindow_blocks = 999999999\nrandom_blocks = 1024\n"),
        entry("learned_span", "span = 1e8\nramp = 1e9\nlongest = 1e9\n"), entry("relative_position", "reach = 4096\n"),
        entry("radius", "radius = 1e300\n"), entry("time_decay", "half_life = 1e300\nspread = 1e6\nper_head = true\n"),
        entry("time_decay", "half_life = 1e-300\n"), entry("temperature", "temperature = 1e-300\n"),
        entry("soft_cap", "cap = 1e300\n"), entry("power_law_decay", "exponent = 1e300\nscale = 1e-300\n"),
        entry("distance_bias", "slope = 1e300\n")}) {
    INFO(toml);
    Layer large(listed(toml));
    large.use(tokens);
    CHECK(large.result.allFinite());
  }
}

TEST_CASE("the commented config shows every modifier, and each is valid once it is uncommented",
          "[learning][modifier]") {
  const std::string toml = init_toml("m", "A model.", model_schema());
  const std::string uncommented = support::with_tables_uncommented(toml);
  const Config config = support::config_of("m", model_schema(), uncommented.substr(uncommented.find("title")));
  const std::vector<std::string> types = model_schema().find("model.modifiers")->types();
  REQUIRE(config.tables("model.modifiers").size() == types.size());
  CHECK(modifiers_of<float>(config, "model.modifiers", kPlace).size() == types.size());
  const auto told = [](const ModifierEntry<float>& each) { return each.settings.make != nullptr; };
  CHECK(std::ranges::count_if(modifiers<float>(), told) == std::ssize(types));
}

}  // namespace fovea::learning
