#include "fovea/core/data/dataset.hpp"

#include "fovea/core/base/storage.hpp"
#include "fovea/core/data/dataset_bytes.hpp"
#include "fovea/core/data/dataset_compare.hpp"
#include "fovea/core/data/dataset_csv.hpp"
#include "fovea/tests/support/datasets.hpp"
#include "fovea/tests/support/test.hpp"

using support::canonical;
using support::kInf;

namespace {

/// variance(branch, temperature) with a text coordinate, and a scalar.
Dataset small_dataset() {
  Dataset data;
  data.add({"branch", {"branch"}, std::vector<std::string>{"cooling", "heating"}, "", "", {}});
  data.add({"temperature", {"temperature"}, std::vector<double>{0.1, 0.2, 0.3}, "1", "softmax temperature", {}});
  data.add({"variance", {"branch", "temperature"}, std::vector<double>{1, 2, 3, 4, 5, 6}, "1", "variance", {}});
  data.add({"critical", {}, std::vector<double>{0.25}, "1", "critical temperature", {}});
  return data;
}

template <typename Action>
std::string data_refusal(const Action& action) {
  return support::refusal_of<ArgumentError>([&] { action(); });
}

}  // namespace

TEST_CASE("a data set knows its dimensions, coordinates and shapes", "[dataset]") {
  const Dataset data = small_dataset();
  CHECK(data.shape(data.at("variance")) == std::vector<std::size_t>{2, 3});
  CHECK(data.shape(data.at("critical")).empty());
  CHECK(data.size_of("temperature") == 3);
  CHECK(data.is_coordinate(data.at("branch")));
  CHECK_FALSE(data.is_coordinate(data.at("variance")));
  CHECK(data.has("critical"));
  CHECK_FALSE(data.has("branches"));
  CHECK(data.at("variance").reals().size() == data.at("variance").size());
  CHECK(data.dimensions().size() == 2);
  CHECK(data.variables().size() == 4);
}

TEST_CASE("adding a variable again replaces it in its place", "[dataset]") {
  Dataset data = small_dataset();
  data.add({"variance", {}, std::vector<double>{7}, "1", "", {}});
  CHECK(data.variables()[2].name == "variance");
  CHECK(data.at("variance").reals() == std::vector<double>{7});
  data.at("variance").units = "m";
  CHECK(std::as_const(data).at("variance").units == "m");
}

TEST_CASE("a data set refuses what contradicts it, in words", "[dataset]") {
  Dataset data = small_dataset();
  const auto add = [&](const char* name, std::vector<std::string> dimensions, std::size_t size) {
    return data_refusal([&] { data.add({name, std::move(dimensions), std::vector<double>(size), "", "", {}}); });
  };
  CHECK(data_refusal([&] { data.dimension("branch", 3); }) == "Dataset: dimension 'branch' has size 2, not 3.");
  CHECK(data_refusal([&] { data.dimension("variance", 3); }) ==
        "Dataset: 'variance' is a variable already; a dimension needs another name.");
  CHECK(add("x", {"branch", "temperature"}, 5) ==
        "Dataset: variable 'x' has 5 values, but its dimensions (branch 2 x temperature 3) need 6.");
  CHECK(add("x", {}, 2) == "Dataset: variable 'x' has 2 values, but its dimensions (none) need 1.");
  CHECK(add("x", {"agent"}, 2) == "Dataset: there is no dimension 'agent'; there are: branch, temperature.");
  CHECK(add("x", {"branch", "branch"}, 4) ==
        "Dataset: variable 'x' has dimension 'branch' twice; give one of them another name.");
  CHECK(add("branch", {}, 1) ==
        "Dataset: variable 'branch' has the name of a dimension, so it must have just that dimension; rename it.");
  CHECK(add("", {}, 1) == "Dataset: a variable has no name; give it one.");
  CHECK(data_refusal([&] { data.at("x"); }) ==
        "Dataset: there is no variable 'x'; there are: branch, temperature, variance, critical.");
  CHECK(data_refusal([&] { data.at("branch").reals(); }) == "Variable: 'branch' holds text; reals() needs double.");
  data.dimension("huge", std::numeric_limits<std::size_t>::max());
  CHECK(add("x", {"huge", "branch"}, 0).find("more than 2^64") != std::string::npos);
}

TEST_CASE("the content hash sees every part, and nothing else", "[dataset][property]") {
  const std::string hash = content_hash(small_dataset());
  CHECK(hash.size() == 64);
  CHECK(hash == content_hash(small_dataset()));
  const auto changed = [](auto change) {
    Dataset data = small_dataset();
    change(data);
    return content_hash(data);
  };
  const std::vector<std::string> others{
      changed([](Dataset& d) { d.dimension("agent", 1); }),
      changed([](Dataset& d) { std::get<0>(d.at("variance").values)[5] = std::nextafter(6.0, 7.0); }),
      changed([](Dataset& d) { std::get<4>(d.at("branch").values)[0] += "x"; }),
      changed([](Dataset& d) { d.at("variance").values = std::vector<float>{1, 2, 3, 4, 5, 6}; }),
      changed([](Dataset& d) {
        d.at("variance").dimensions = {"temperature", "branch"};
      }),
      changed([](Dataset& d) { d.at("variance").units = "m"; }),
      changed([](Dataset& d) { d.at("variance").long_name = "m"; }),
      changed([](Dataset& d) { d.at("variance").attributes["a"] = ""; }),
      changed([](Dataset& d) { d.attributes["a"] = ""; }),
      changed([](Dataset& d) { d.documents["a"] = ""; }),
      changed([](Dataset& d) { d.attributes["Conventions"] = "CF-1.11"; }),
  };
  std::set<std::string> distinct(others.begin(), others.end());
  distinct.insert(hash);
  CHECK(distinct.size() == others.size() + 1);
  CHECK(changed([](Dataset& d) { d.attributes["Conventions"] = "CF-1.10"; }) == hash);
}

TEST_CASE("numbers and words are hashed apart, whatever the order in which they were added", "[dataset][property]") {
  Dataset turned;
  const Dataset small = small_dataset();
  for (auto variable = small.variables().rbegin(); variable != small.variables().rend(); ++variable) {
    for (auto name = variable->dimensions.rbegin(); name != variable->dimensions.rend(); ++name)
      turned.dimension(*name, small.size_of(*name));
    turned.add(*variable);
  }
  CHECK(content_hash(turned) != content_hash(small));
  CHECK(numbers_hash(turned) == numbers_hash(small));
  CHECK(words_hash(turned) == words_hash(small));

  // What each change renews: numbers, words.
  const auto renewed = [&](auto change) {
    Dataset data = small_dataset();
    change(data);
    return std::pair(numbers_hash(data) != numbers_hash(small), words_hash(data) != words_hash(small));
  };
  const std::pair numbers(true, false), words(false, true), both(true, true);
  CHECK(renewed([](Dataset& d) { d.dimension("agent", 1); }) == numbers);
  CHECK(renewed([](Dataset& d) { std::get<0>(d.at("variance").values)[5] = std::nextafter(6.0, 7.0); }) == numbers);
  CHECK(renewed([](Dataset& d) { std::get<0>(d.at("temperature").values)[0] = 0; }) == numbers);
  CHECK(renewed([](Dataset& d) { std::get<4>(d.at("branch").values)[0] += "x"; }) == numbers);
  CHECK(renewed([](Dataset& d) { d.at("variance").values = std::vector<float>{1, 2, 3, 4, 5, 6}; }) == numbers);
  CHECK(renewed([](Dataset& d) { std::swap(d.at("variance").dimensions[0], d.at("variance").dimensions[1]); }) ==
        numbers);
  CHECK(renewed([](Dataset& d) { d.at("variance").units = "m"; }) == numbers);
  CHECK(renewed([](Dataset& d) { d.add({"further", {}, std::vector<double>{1}, "1", "", {}}); }) == both);
  CHECK(renewed([](Dataset& d) { d.at("variance").long_name = "m"; }) == words);
  CHECK(renewed([](Dataset& d) { std::swap(d.at("variance").long_name, d.at("critical").long_name); }) == words);
  CHECK(renewed([](Dataset& d) { d.at("variance").attributes["a"] = ""; }) == words);
  CHECK(renewed([](Dataset& d) { d.attributes["a"] = ""; }) == words);
  CHECK(renewed([](Dataset& d) { d.documents["presentation"] = "{}"; }) == words);
}

TEST_CASE("the sign and payload of a NaN do not count: compilers differ in them", "[dataset]") {
  Dataset plus, minus;
  plus.add({"x", {}, std::vector<double>{kNan}, "", "", {}});
  minus.add({"x", {}, std::vector<double>{-kNan}, "", "", {}});
  CHECK(content_hash(plus) == content_hash(minus));
}

TEST_CASE("the content hash of a known data set is what it always was", "[dataset][golden]") {
  // Made by this library; a change here makes every stored hash worthless.
  CHECK(content_hash(Dataset()) == sha256(canonical(Dataset())));
  std::string bytes = "fovea-dataset-1";
  const auto number = [&](std::uint64_t value) { bytes.append(reinterpret_cast<const char*>(&value), 8); };
  const auto text = [&](const std::string& t) {
    number(t.size());
    bytes += t;
  };
  number(0);
  number(0);
  number(1);
  text("Conventions");
  text("CF-1.10");
  number(0);
  CHECK(canonical(Dataset()) == bytes);
}

TEST_CASE("canonical bytes that are cut or changed are refused without harm", "[dataset][fault]") {
  const std::string bytes = canonical(small_dataset());
  CHECK(canonical(read_canonical(bytes)) == bytes);
  for (std::size_t size = 0; size < bytes.size(); ++size)
    CHECK_THROWS_AS(read_canonical(std::string_view(bytes).substr(0, size)), DataError);
  CHECK_THROWS_AS(read_canonical(bytes + "x"), DataError);
  for (std::size_t place = 0; place < bytes.size(); ++place) {
    std::string changed = bytes;
    changed[place] = '\xFF';
    try {
      read_canonical(changed);
    } catch (const DataError&) {
    } catch (const ArgumentError&) {
    }
  }
}

TEST_CASE("CSV has a row a value with its coordinates, quoted where needed", "[dataset][csv]") {
  Dataset data = small_dataset();
  CHECK(to_csv(data, "variance") ==
        "branch,temperature,variance\ncooling,0.1,1\ncooling,0.2,2\ncooling,0.3,3\nheating,0.1,4\nheating,0.2,5\n"
        "heating,0.3,6\n");
  CHECK(to_csv(data, "critical") == "critical\n0.25\n");
  CHECK(to_csv(data, "temperature") == "temperature\n0.1\n0.2\n0.3\n");
  data.dimension("agent", 4);
  data.add({"a \"name\"", {"agent"}, std::vector<std::string>{"plain", "a,b", "say \"x\"", "two\nlines"}, "", "", {}});
  CHECK(to_csv(data, "a \"name\"") ==
        "agent,\"a \"\"name\"\"\"\n0,plain\n1,\"a,b\"\n2,\"say \"\"x\"\"\"\n3,\"two\nlines\"\n");
  data.add({"odd", {"agent"}, std::vector<double>{kNan, -kInf, 0.1 + 0.2, 5e-324}, "", "", {}});
  CHECK(to_csv(data, "odd") == "agent,odd\n0,NaN\n1,-inf\n2,0.30000000000000004\n3,5e-324\n");
  data.add({"day", {"day"}, std::vector<double>{0, 13879}, "days since 1970-01-01", "", {}});
  data.add({"p", {"day"}, std::vector<double>{0.5, 1}, "1", "", {}});
  CHECK(to_csv(data, "p") == "day,p\n1970-01-01,0.5\n2008-01-01,1\n");
  data.add({"hour", {"hour"}, std::vector<double>{0.5, 1}, "days since 1970-01-01", "", {}});
  data.add({"q", {"hour"}, std::vector<double>{0, 1}, "1", "", {}});
  CHECK(to_csv(data, "q") == "hour,q\n0.5,0\n1,1\n");  // not whole days
  CHECK(data_refusal([&] { to_csv(data, "no"); }).find("there is no variable 'no'") != std::string::npos);
}

TEST_CASE("a data set is exported as one CSV file an array and one for the scalars", "[dataset][csv]") {
  const support::TemporaryFolder folder;
  const auto paths = export_csv(small_dataset(), folder.file("csv"));
  CHECK(paths == std::vector<std::string>{folder.file("csv/variance.csv"), folder.file("csv/scalars.csv")});
  CHECK(read_file(paths[0]) == to_csv(small_dataset(), "variance"));
  CHECK(read_file(paths[1]) == "name,value,units,long_name\ncritical,0.25,1,critical temperature\n");
}

TEST_CASE("equal data sets have no difference, NaN and infinities included", "[dataset][compare]") {
  Dataset data = small_dataset();
  data.add({"odd", {"temperature"}, std::vector<double>{kNan, kInf, -kInf}, "", "", {}});
  CHECK(compare_datasets(data, data, 0, 0).empty());
}

TEST_CASE("a difference is told with its size and its first place", "[dataset][compare]") {
  const Dataset a = small_dataset();
  Dataset b = small_dataset();
  std::get<0>(b.at("variance").values) = {1, 2, 3, 4, 5.5, kNan};
  auto found = compare_datasets(a, b, 0, 0);
  REQUIRE(found.size() == 1);
  CHECK(found[0].text() ==
        "variance: 2 values differ, at most by 0.5 (0.0909091 of the larger), 1 missing or infinite on one side; first "
        "[1, 1]: "
        "5 and 5.5");
  std::get<0>(b.at("variance").values) = {1, 2, 3, 4, 5.5, 6};
  found = compare_datasets(a, b, 0, 0.25);
  REQUIRE(found.size() == 1);
  CHECK(found[0].max_absolute == 0.5);
  CHECK(found[0].max_relative == 0.5 / 5.5);
  CHECK(found[0].first_index == std::vector<std::size_t>{1, 1});
  CHECK(compare_datasets(a, b, 0, 0.5).empty());
  CHECK(compare_datasets(a, b, 0.1, 0).empty());
  CHECK(compare_datasets(a, b, 0.09, 0).size() == 1);
}

TEST_CASE("missing variables, other types and shapes are differences, and texts are compared", "[dataset][compare]") {
  const Dataset a = small_dataset();
  Dataset b;
  b.add({"branch", {"branch"}, std::vector<std::string>{"cooling", "warming"}, "", "", {}});
  b.add({"temperature", {"temperature"}, std::vector<double>{0.1, 0.2}, "1", "", {}});
  b.add({"variance", {"temperature"}, std::vector<float>{1, 2}, "1", "", {}});
  b.add({"extra", {}, std::vector<std::int64_t>{1}, "1", "", {}});
  std::string text;
  for (const Difference& difference : compare_datasets(a, b, 1, 1)) text += difference.text() + "\n";
  CHECK(text ==
        "branch: 1 value differs; first [1]: heating and warming\n"
        "temperature: temperature 3 and temperature 2\nvariance: another type of values\ncritical: only in the first\n"
        "extra: only in the second\n");
  CHECK(data_refusal([&] { compare_datasets(a, b, -1, 0); }) ==
        "compare_datasets: rtol = -1 and atol = 0; both must be >= 0.");
}

TEST_CASE("whole numbers beyond 2^53 are compared exactly", "[dataset][compare]") {
  Dataset a, b;
  a.add({"n", {}, std::vector<std::int64_t>{std::numeric_limits<std::int64_t>::max()}, "", "", {}});
  b.add({"n", {}, std::vector<std::int64_t>{std::numeric_limits<std::int64_t>::max() - 1}, "", "", {}});
  const auto found = compare_datasets(a, b, 1, 1);
  REQUIRE(found.size() == 1);
  CHECK(found[0].max_absolute == 1);
}
