#include "fovea/core/data/dataset_flags.hpp"

#include "fovea/tests/support/test.hpp"

namespace {

Dataset branches(std::vector<std::string> names) {
  Dataset data;
  data.add({"branch", {"branch"}, std::move(names), "", "direction", {}});
  return data;
}

}  // namespace

TEST_CASE("a text coordinate becomes CF flags and comes back", "[dataset_flags]") {
  const Dataset named = branches({"heating", "cooling"});
  Dataset data = named;
  name_to_flags(data, "branch");
  const Variable& flags = data.at("branch");
  CHECK(std::get<std::vector<std::uint8_t>>(flags.values) == std::vector<std::uint8_t>{0, 1});
  CHECK(flags.attributes.at("flag_values") == "0, 1");
  CHECK(flags.attributes.at("flag_meanings") == "heating cooling");
  CHECK(flags.long_name == "direction");
  CHECK(content_hash(with_names(data)) == content_hash(named));
  CHECK(content_hash(data) != content_hash(named));
}

TEST_CASE("what cannot be said in flags stays text", "[dataset_flags]") {
  const Dataset blank = branches({"two words", "one"});
  Dataset data = blank;
  name_to_flags(data, "branch");
  name_to_flags(data, "no_such_coordinate");
  CHECK(content_hash(data) == content_hash(blank));
  Dataset numbers;
  numbers.add({"seed", {"seed"}, std::vector<std::int64_t>{1, 2}, "1", "seed", {}});
  const std::string before = content_hash(numbers);
  name_to_flags(numbers, "seed");
  CHECK(content_hash(numbers) == before);
}
