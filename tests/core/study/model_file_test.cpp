#include "fovea/core/study/trained/model_file.hpp"

#include "fovea/core/data/file/dataset_file.hpp"
#include "fovea/core/study/trained/study_keys.hpp"
#include "fovea/tests/support/runs/run.hpp"
#include "fovea/tests/support/tasks/toy_task.hpp"
#include "fovea/tests/support/test.hpp"

namespace fovea::study {
namespace {

/// Two members that have learned nothing, with a feature of each sort.
TrainedModel made_model(const LearnedTask& task) {
  TrainedModel model{support::config_of(task, {"ensemble.members=2", "model.width=8", "model.heads=2"}), {}, {}, {}};
  model.preparation.features = {
      {"reading", "mV", {}}, {"quality", "1", {}}, {"place", "1", {"north", "south", "south, far"}}};
  model.preparation.scales = {{0.1, 2.5, -3, 7, false}, {1e-300, 1, kNan, kNan, true}, {1, 0.5, 0, 2, false}};
  model.preparation.time_unit = "h";
  model.calibration.scale = 1.25;
  model.members = make_members(task, model.config, shape_of(model.preparation, task.target(model.config)), Random(3));
  return model;
}

const Dataset& good_file() {
  static const Dataset data = [] {
    const auto task = support::toy_task();
    return model_dataset(*task, made_model(*task));
  }();
  return data;
}

}  // namespace

TEST_CASE("a model file gives the model back, bit for bit", "[study]") {
  const auto task = support::toy_task();
  const TrainedModel model = made_model(*task);
  const support::TemporaryFolder folder;
  write_dataset(folder.file("model.h5"), model_dataset(*task, model));
  const Dataset read = read_dataset(folder.file("model.h5"));
  CHECK(experiment_of_model("model.h5", read) == "toy.rise");
  const TrainedModel again = read_model("model.h5", read, *task);
  CHECK(to_toml(again.config) == to_toml(model.config));
  CHECK(again.preparation == model.preparation);
  CHECK(again.calibration.scale == model.calibration.scale);
  REQUIRE(again.members.size() == 2);
  for (std::size_t k = 0; k < 2; ++k)
    CHECK(std::ranges::equal(again.members[k].parameters.values(), model.members[k].parameters.values()));
  CHECK(content_hash(model_dataset(*task, again)) == content_hash(read));
}

TEST_CASE("a model file does not say where the cases lay", "[study]") {
  const auto task = support::toy_task();
  TrainedModel model = made_model(*task);
  const std::string hash = content_hash(model_dataset(*task, model));
  model.config.set("data.file", std::string("/home/somebody/cases.csv"), {"default", 0, 0});
  CHECK(content_hash(model_dataset(*task, model)) == hash);
}

namespace {

std::string refusal(const Dataset& data) {
  const auto task = support::toy_task();
  return support::refusal_of<DataError>([&] { read_model("m.h5", data, *task); });
}

/// The hash that a forger would write.
void seal(Dataset& data) {
  data.attributes.erase("model_hash");
  data.attributes["model_hash"] = content_hash(data);
}

/// All but one variable, and all but its dimension, so that it can come back in another shape.
void remove(Dataset& data, const std::string& name) {
  Dataset rest;
  rest.attributes = data.attributes;
  rest.documents = data.documents;
  for (const Dimension& dimension : data.dimensions())
    if (dimension.name != name) rest.dimension(dimension.name, dimension.size);
  for (const fovea::Variable& variable : data.variables())
    if (variable.name != name) rest.add(variable);
  data = rest;
}

template <typename Value>
void put(Dataset& data, const std::string& name, std::size_t place, Value value) {
  std::get<std::vector<Value>>(data.at(name).values)[place] = value;
}

void in_config(Dataset& data, const std::string& from, const std::string& to) {
  std::string& text = data.documents.at("config");
  const std::size_t at = text.find(from);
  REQUIRE(at != std::string::npos);
  text.replace(at, from.size(), to);
}

/// Numbers of that many features, named f0, f1, ...
void put_features(Dataset& data, std::size_t count) {
  Dataset wide;
  wide.attributes = data.attributes;
  wide.documents = data.documents;
  std::vector<std::string> names;
  for (std::size_t f = 0; f < count; ++f) names.push_back(concat("f", f));
  wide.dimension("feature", count);
  wide.add({"feature", {"feature"}, names, "", "", {}});
  wide.add({"feature_unit", {"feature"}, std::vector<std::string>(count, "1"), "", "", {}});
  for (const char* name : {"feature_mean", "feature_deviation", "feature_low", "feature_high"})
    wide.add({name, {"feature"}, std::vector<double>(count, 1), "1", "", {}});
  wide.add({"feature_marked", {"feature"}, std::vector<std::uint8_t>(count, 1), "1", "", {}});
  for (const fovea::Variable& variable : data.variables()) {
    if (variable.name.starts_with("feature") || variable.name.starts_with("category")) continue;
    const auto shape = data.shape(variable);
    for (std::size_t axis = 0; axis < shape.size(); ++axis) wide.dimension(variable.dimensions[axis], shape[axis]);
    wide.add(variable);
  }
  data = wide;
}

/// A file with one fault, and what the refusal must say.
struct BrokenFile {
  const char* fault;
  std::function<void(Dataset&)> make;
  const char* words;
  bool sealed = true;  ///< with the hash that belongs to the fault
};

std::vector<BrokenFile> broken_origins() {
  return {
      {"no kind", [](Dataset& d) { d.attributes.erase("kind"); }, "is no model file"},
      {"another kind", [](Dataset& d) { d.attributes["kind"] = "fovea result"; }, "is no model file"},
      {"no experiment", [](Dataset& d) { d.attributes.erase("experiment"); }, "does not name the experiment"},
      {"endless experiment", [](Dataset& d) { d.attributes["experiment"].assign(5000, 'x'); }, "does not name the"},
      {"another experiment", [](Dataset& d) { d.attributes["experiment"] = "toy.fall"; }, "is a model of 'toy.fall'"},
      {"experiment of two lines", [](Dataset& d) { d.attributes["experiment"] = "a\nb"; }, "is a model of 'a"},
      {"newer version", [](Dataset& d) { d.attributes["result_version"] = "2"; },
       "train it again with: fovea run toy.rise"},
      {"no version", [](Dataset& d) { d.attributes.erase("result_version"); }, "version ''"},
      {"no hash", [](Dataset& d) { d.attributes.erase("model_hash"); }, "damaged or changed", false},
      {"changed weight", [](Dataset& d) { put(d, "member_1.answer.bias", 0, 3.f); }, "damaged or changed", false},
      {"changed text", [](Dataset& d) { d.at("feature").long_name += '!'; }, "damaged or changed", false},
      {"another target", [](Dataset& d) { d.attributes["target"] = "fall"; }, "predicts 'fall'"},
  };
}

std::vector<BrokenFile> broken_configs() {
  return {
      {"no config", [](Dataset& d) { d.documents.clear(); }, "but has 0"},
      {"a second document", [](Dataset& d) { d.documents["more"] = ""; }, "but has 2"},
      {"no TOML", [](Dataset& d) { d.documents["config"] = "[1, }"; }, "train it again"},
      {"NUL", [](Dataset& d) { d.documents["config"] += '\0'; }, "train it again"},
      {"other experiment", [](Dataset& d) { in_config(d, "toy.rise", "toy.fall"); }, "unknown experiment 'toy.fall'"},
      {"extends", [](Dataset& d) { d.documents["config"].insert(0, "extends = \"/etc/passwd\"\n"); },
       "extends another"},
      {"names a file", [](Dataset& d) { in_config(d, "file = \"\"", "file = \"/etc/passwd\""); },
       "names a file in data.file"},
      {"unknown key", [](Dataset& d) { in_config(d, "width = 8", "breadth = 8"); }, "breadth"},
      {"too wide", [](Dataset& d) { in_config(d, "width = 8", "width = 100000"); }, "width = 100000"},
      {"heads and width", [](Dataset& d) { in_config(d, "heads = 2", "heads = 3"); }, "must divide"},
      {"a sweep", [](Dataset& d) { d.documents["config"] += "\n[sweep]\n\"data.cases\" = [10, 20]\n"; }, "is a sweep"},
      {"far larger",
       [](Dataset& d) {
         in_config(d, "width = 8", "width = 1024");
         in_config(d, "blocks = 1", "blocks = 16");
       },
       "which do not fit its config"},
      {"smaller", [](Dataset& d) { in_config(d, "width = 8", "width = 4"); }, "must be 6 x 4"},
      {"a third member", [](Dataset& d) { in_config(d, "members = 2", "members = 3"); },
       "has 0 parameters of member_3"},
      {"one member less", [](Dataset& d) { in_config(d, "members = 2", "members = 1"); },
       "has the variable 'member_2."},
  };
}

std::vector<BrokenFile> broken_features() {
  return {
      {"no names", [](Dataset& d) { remove(d, "feature_unit"); }, "there is no /feature_unit"},
      {"no feature", [](Dataset& d) { put_features(d, 0); }, "lists no feature"},
      {"name twice", [](Dataset& d) { put<std::string>(d, "feature", 1, "reading"); }, "lists a feature twice"},
      {"long name", [](Dataset& d) { put(d, "feature", 1, std::string(1001, 'x')); }, "a text of 1001 bytes"},
      {"too many", [](Dataset& d) { put_features(d, 100'001); }, "at most 100000"},
      {"more than parameters", [](Dataset& d) { put_features(d, 90'000); }, "make 180000 inputs"},
      {"means as float",
       [](Dataset& d) {
         d.add({"feature_mean", {"feature"}, std::vector<float>(3), "1", "", {}});
       },
       "/feature_mean has another type"},
      {"means as a scalar",
       [](Dataset& d) {
         d.add({"feature_mean", {}, std::vector<double>(1), "1", "", {}});
       },
       "/feature_mean has 1 values in 0 dimensions"},
      {"a mean of NaN", [](Dataset& d) { put(d, "feature_mean", 1, kNan); }, "/feature_mean has the value nan"},
      {"no deviation", [](Dataset& d) { put(d, "feature_deviation", 0, 0.0); }, "/feature_deviation has the value 0"},
      {"range turned round", [](Dataset& d) { put(d, "feature_low", 0, 8.0); }, "feature 0 is 8 to 7"},
      {"half a range", [](Dataset& d) { put(d, "feature_high", 0, kNan); }, "feature 0 is -3 to nan"},
      {"a mark of 2", [](Dataset& d) { put<std::uint8_t>(d, "feature_marked", 0, 2); }, "must be 0 or 1"},
      {"category of none", [](Dataset& d) { put<std::int64_t>(d, "category_feature", 2, 3); },
       "/category_feature has 3"},
      {"category before all", [](Dataset& d) { put<std::int64_t>(d, "category_feature", 0, -1); }, "has -1 behind 0"},
      {"categories fall", [](Dataset& d) { put<std::int64_t>(d, "category_feature", 1, 1); }, "has 1 behind 2"},
      {"category twice", [](Dataset& d) { put<std::string>(d, "category_name", 1, "north"); }, "a category twice"},
  };
}

std::vector<BrokenFile> broken_numbers() {
  return {
      {"minus one coordinate", [](Dataset& d) { put<std::int64_t>(d, "coordinates", 0, -1); },
       "/coordinates has the value -1"},
      {"endless coordinates", [](Dataset& d) { put<std::int64_t>(d, "coordinates", 0, 1LL << 62); }, "[0, 1000]"},
      {"time unit a number",
       [](Dataset& d) {
         d.add({"time_unit", {}, std::vector<double>(1), "1", "", {}});
       },
       "/time_unit"},
      {"long time unit", [](Dataset& d) { put(d, "time_unit", 0, std::string(2000, 'h')); },
       "/time_unit has 2000 bytes"},
      {"target without spread", [](Dataset& d) { put(d, "target_deviation", 0, 0.0); },
       "/target_deviation has the value 0"},
      {"target at infinity", [](Dataset& d) { put(d, "target_mean", 0, -HUGE_VAL); },
       "/target_mean has the value -inf"},
      {"calibration below 0", [](Dataset& d) { put(d, "calibration_scale", 0, -1.0); },
       "/calibration_scale has the value -1"},
      {"no weight", [](Dataset& d) { remove(d, "member_2.embed.weight"); }, "member_2"},
      {"weight as double",
       [](Dataset& d) {
         d.add({"member_1.answer.bias", {}, std::vector<double>(1), "1", "", {}});
       },
       "/member_1.answer.bias must be 1 x 1 numbers of type float"},
      {"a weight of NaN", [](Dataset& d) { put(d, "member_2.embed.weight", 7, static_cast<float>(kNan)); },
       "is not finite"},
      {"one variable more",
       [](Dataset& d) {
         d.add({"extra\n", {}, std::vector<double>(1), "1", "", {}});
       },
       "has the variable 'extra"},
  };
}

}  // namespace

TEST_CASE("a broken model file is refused in one line that says what is wrong", "[study]") {
  REQUIRE(refusal(good_file()).empty());
  for (const auto& table : {broken_origins(), broken_configs(), broken_features(), broken_numbers()})
    for (const BrokenFile& broken : table) {
      INFO(broken.fault);
      Dataset data = good_file();
      broken.make(data);
      if (broken.sealed) seal(data);
      const std::string text = refusal(data);
      INFO(text);
      CHECK(text.starts_with("m.h5: "));
      CHECK(text.find(broken.words) != std::string::npos);
      CHECK(text.find('\n') == std::string::npos);
      CHECK(text.size() < 1000);
    }
}

TEST_CASE("parameters stop at their limit, before the numbers are made", "[study]") {
  learning::Parameters<float> parameters;
  parameters.add("first", Matrix<float>::Zero(2, 3));
  CHECK(support::refusal_of<ArgumentError>([&] { parameters.limit(5); }).find("below the 6") != std::string::npos);
  parameters.limit(10);
  parameters.require_room(4);
  CHECK_THROWS_AS(parameters.require_room(5), ArgumentError);
  CHECK_THROWS_AS(parameters.add("second", Matrix<float>::Zero(1, 5)), ArgumentError);
  CHECK(parameters.size() == 6);
  parameters.add("second", Matrix<float>::Zero(1, 4));
  CHECK(parameters.size() == 10);
}

}  // namespace fovea::study
