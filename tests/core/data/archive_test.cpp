#include "fovea/core/data/archive.hpp"

#include "fovea/core/data/file/dataset_file.hpp"
#include "fovea/tests/support/test.hpp"

namespace {

constexpr double kEndless = std::numeric_limits<double>::infinity();

struct SavedCamp {
  double centre = 0;
  std::int64_t size = 0;
  bool grows = false;
  std::vector<double> members;

  void visit(Archive archive) {
    archive("centre", centre);
    archive("size", size);
    archive("grows", grows);
    archive("members", members);
  }
  bool operator==(const SavedCamp&) const = default;
};

struct SavedCrowd {
  std::string model = "attention";
  std::int64_t step = 0;
  bool at_rest = false;
  double cold = 0;
  SavedCamp first;
  std::vector<SavedCamp> camps;
  std::vector<double> records;
  std::vector<float> density;
  Matrix<double> opinions;
  std::vector<double> two = {1, 2};

  void visit(Archive archive) {
    archive.expect("model", model);
    archive("step", step);
    archive("at_rest", at_rest);
    archive("cold", cold);
    archive("first", first);
    archive("camps", camps);
    archive("records", records);
    archive("density", density);
    archive("opinions", opinions);
    archive("two", std::span(two));
  }
};

SavedCrowd moved_state() {
  SavedCrowd crowd;
  crowd.step = std::numeric_limits<std::int64_t>::max();
  crowd.at_rest = true;
  crowd.cold = -0.0;
  crowd.first = {1e-320, -3, true, {}};
  crowd.camps = {{0.5, 2, true, {1, 2}}, {}, {-kEndless, 1, false, {3}}};
  crowd.records = {std::nextafter(1.0, 2.0), kEndless};
  crowd.density = {0.1f, -0.0f};
  crowd.opinions = Matrix<double>::Constant(3, 2, 0.1);
  crowd.opinions(2, 1) = -7e300;
  crowd.two = {3, 4};
  return crowd;
}

bool same_number(double a, double b) { return std::memcmp(&a, &b, sizeof a) == 0; }

void check_same_state(const SavedCrowd& a, const SavedCrowd& b) {
  CHECK(a.step == b.step);
  CHECK(a.at_rest == b.at_rest);
  CHECK(same_number(a.cold, b.cold));
  CHECK(a.first == b.first);
  CHECK(a.camps == b.camps);
  CHECK(a.records == b.records);
  CHECK(a.density.size() == b.density.size());
  CHECK((a.density.empty() || std::memcmp(a.density.data(), b.density.data(), a.density.size() * sizeof(float)) == 0));
  CHECK(a.opinions.rows() == b.opinions.rows());
  CHECK(a.opinions.cols() == b.opinions.cols());
  CHECK((a.opinions.array() == b.opinions.array()).all());
  CHECK(a.two == b.two);
}

/// A state in which one variable holds something else.
Dataset with_values(Dataset state, const std::string& name, Values values) {
  Variable variable = state.at(name);
  Dataset changed;
  changed.attributes = state.attributes;
  for (const Variable& other : state.variables()) {
    if (other.name == name) continue;
    for (const std::string& dimension : other.dimensions) changed.dimension(dimension, other.size());
    changed.add(other);
  }
  variable.values = std::move(values);
  if (variable.size() == 0) return changed;
  variable.dimensions = {"changed"};
  changed.dimension("changed", variable.size());
  changed.add(variable);
  return changed;
}

}  // namespace

TEST_CASE("a state comes back bit for bit, through a file too, whatever was there before", "[data][archive]") {
  const support::TemporaryFolder folder(support::memory_disk());
  for (SavedCrowd crowd : {SavedCrowd(), moved_state()}) {
    const Dataset saved = saved_state(crowd);
    write_dataset(folder.path() + "/state.h5", saved);
    for (const Dataset& state : {saved, read_dataset(folder.path() + "/state.h5")})
      for (SavedCrowd other : {SavedCrowd(), moved_state()}) {
        restore_state(state, other);
        check_same_state(other, crowd);
      }
  }
}

TEST_CASE("saving changes nothing, and equal states are equal data sets", "[data][archive]") {
  SavedCrowd crowd = moved_state();
  const std::string hash = content_hash(saved_state(crowd));
  check_same_state(crowd, moved_state());
  CHECK(content_hash(saved_state(crowd)) == hash);
  ++crowd.camps[1].size;
  CHECK(content_hash(saved_state(crowd)) != hash);
}

TEST_CASE("a matrix without rows keeps its columns, and a NaN is the NaN of data sets", "[data][archive]") {
  Matrix<double> empty(0, 5), back(2, 2);
  double none = -std::nan("7"), value = 0;
  const Dataset saved = saved_state([&](Archive archive) {
    archive("empty", empty);
    archive("none", none);
  });
  restore_state(saved, [&](Archive archive) {
    archive("empty", back);
    archive("none", value);
  });
  CHECK(back.rows() == 0);
  CHECK(back.cols() == 5);
  CHECK(same_number(value, std::numeric_limits<double>::quiet_NaN()));
}

TEST_CASE("a data set inside a state comes back whole", "[data][archive]") {
  Dataset data, back;
  data.dimension("time", 2);
  data.add({"height", {"time"}, std::vector<float>{1, 2}, "m", "height", {{"note", "above the sea"}}});
  data.add({"place", {}, std::vector<std::string>{"here"}, "", "where", {}});
  data.attributes["title"] = "a title";
  data.documents["presentation"] = "{}";
  restore_state(saved_state([&](Archive archive) { archive("data", data); }),
                [&](Archive archive) { archive("data", back); });
  CHECK(content_hash(back) == content_hash(data));
  CHECK(back.documents == data.documents);
}

TEST_CASE("what is not the state that is asked for is refused", "[data][archive][errors]") {
  SavedCrowd crowd = moved_state();
  const Dataset saved = saved_state(crowd);
  const auto restore = [](const Dataset& state) {
    SavedCrowd other;
    restore_state(state, other);
  };
  CHECK_THROWS_WITH(restore(with_values(saved, "step", std::vector<std::int64_t>{})),
                    "checkpoint: there is no /step; it belongs to another run.");
  CHECK_THROWS_WITH(restore(with_values(saved, "step", std::vector<double>{1})),
                    "checkpoint: /step is of another type; it belongs to another run.");
  CHECK_THROWS_WITH(restore(with_values(saved, "camps.members", std::vector<double>{1, 2})),
                    "checkpoint: /camps.members has 2 values, but needs 3; it belongs to another run.");
  CHECK_THROWS_WITH(restore(with_values(saved, "records", std::vector<double>{1, 2, 3})),
                    "checkpoint: /records has 3 values, but 2 are asked for; it belongs to another run.");
  CHECK_THROWS_WITH(restore(with_values(saved, "model", std::vector<std::string>{"degroot"})),
                    "checkpoint: /model is 'degroot', but must be 'attention'; it belongs to another run.");
  CHECK_THROWS_WITH(restore_state(saved, [](Archive) {}), Catch::Contains("are asked for"));
  std::vector<double> three(3);
  CHECK_THROWS_WITH(restore_state(saved_state([&](Archive archive) { archive("x", crowd.two); }),
                                  [&](Archive archive) { archive("x", std::span(three)); }),
                    "checkpoint: /x has 2 values, but must have 3; it belongs to another run.");
}

TEST_CASE("lengths that cannot be are refused before memory is asked for", "[data][archive][errors]") {
  SavedCrowd crowd = moved_state();
  const Dataset saved = saved_state(crowd);
  const std::vector<std::int64_t> lengths = std::get<std::vector<std::int64_t>>(saved.at("lengths").values);
  for (std::size_t k = 0; k < lengths.size(); ++k)
    for (const std::int64_t wrong :
         {std::int64_t{-1}, lengths[k] + 1, std::int64_t{1} << 31, std::numeric_limits<std::int64_t>::max()}) {
      std::vector<std::int64_t> changed = lengths;
      changed[k] = wrong;
      CAPTURE(k, wrong);
      SavedCrowd other;
      CHECK_THROWS_AS(restore_state(with_values(saved, "lengths", changed), other), DataError);
    }
}

TEST_CASE("a state in the format of an older fovea is refused with a way out", "[data][archive][errors]") {
  SavedCrowd crowd;
  Dataset saved = saved_state(crowd);
  saved.attributes.clear();
  CHECK_THROWS_WITH(restore_state(saved, crowd),
                    "checkpoint: it has format 1 of another version of fovea, but this version reads 2, so the run "
                    "cannot be resumed; start it again with fovea run and --force.");
}

TEST_CASE("a name that stands for values of two types is refused", "[data][archive][errors]") {
  double real = 0;
  std::int64_t whole = 0;
  CHECK_THROWS_WITH(saved_state([&](Archive archive) {
                      archive("x", real);
                      archive("x", whole);
                    }),
                    "Archive: 'x' is used for values of two types; rename one of them.");
}
