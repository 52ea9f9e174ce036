#include "fovea/core/data/file/dataset_file.hpp"

#include <cerrno>
#include <thread>

#include "fovea/core/base/storage.hpp"
#include "fovea/core/data/dataset_bytes.hpp"
#include "fovea/tests/support/datasets.hpp"
#include "fovea/tests/support/failing_disk.hpp"
#include "fovea/tests/support/test.hpp"

using support::canonical;
using support::FailingDisk;
using support::shared_data;

namespace {

/// Every type, a scalar, an empty array, a coordinate after its use, a dimension without coordinate, odd texts.
Dataset rich_dataset() {
  Dataset data;
  data.dimension("agent", 3);
  data.dimension("temperature", 2);
  data.dimension("nothing", 0);
  const double nan = std::numeric_limits<double>::quiet_NaN(), inf = std::numeric_limits<double>::infinity();
  data.add({"opinion",
            {"temperature", "agent"},
            std::vector<double>{1, -0.0, nan, inf, -inf, 5e-324},
            "1",
            "opinion of an agent",
            {}});
  data.add(
      {"temperature", {"temperature"}, std::vector<double>{0.1, 0.3}, "1", "softmax temperature", {{"axis", "T"}}});
  data.add(
      {"weight", {"agent"}, std::vector<float>{0.1F, -3e38F, std::numeric_limits<float>::denorm_min()}, "", "", {}});
  data.add(
      {"count",
       {"agent"},
       std::vector<std::int64_t>{std::numeric_limits<std::int64_t>::min(), 0, std::numeric_limits<std::int64_t>::max()},
       "1",
       "",
       {}});
  data.add({"group",
            {"agent"},
            std::vector<std::uint8_t>{0, 1, 255},
            "",
            "side of the split",
            {{"flag_values", "0, 1"}, {"flag_meanings", "Mr._Hi Officer"}}});
  data.add({"name",
            {"agent"},
            std::vector<std::string>{"", "\xC3\x9Cn\xC3\xAF\xE2\x9C\x93", std::string(70'000, 'x')},
            "",
            "",
            {{"empty", ""}}});
  data.add({"empty", {"nothing"}, std::vector<double>{}, "", "", {}});
  data.add({"no_names", {"nothing", "agent"}, std::vector<std::string>{}, "", "", {}});
  data.add({"critical", {}, std::vector<double>{0.25}, "1", "a scalar", {{"flag_values", "01, 2"}}});
  data.add({"word", {}, std::vector<std::string>{""}, "", "", {}});
  data.attributes = {{"title", "a test"}, {"empty", ""}, {"long", std::string(60'000, 'y')}, {"two\nlines", "a\nb"}};
  data.documents = {
      {"config.toml", "seed = 1\n"}, {"empty", ""}, {"presentation", std::string(300'000, 'z') + "\xE2\x9C\x93"}};
  return data;
}

/// 2 MB that deflate packs well, or not at all.
Dataset large_dataset(bool packs) {
  Dataset data;
  data.dimension("step", 500);
  data.dimension("agent", 523);
  std::vector<double> values;
  std::uint64_t state = 1;
  for (int i = 0; i < 500 * 523; ++i) {
    state = state * 6364136223846793005ULL + 1442695040888963407ULL;
    values.push_back(packs ? i % 17 : static_cast<double>(state) * 1e-19);
  }
  data.add({"opinion", {"step", "agent"}, values, "1", "opinion", {}});
  data.add({"narrow", {"step"}, std::vector<std::int64_t>(500, 3), "1", "", {}});
  return data;
}

}  // namespace

TEST_CASE("a data set comes back from its file with every bit, type, name and order", "[dataset_file]") {
  const TemporaryFolder folder;
  for (const Dataset& data : {rich_dataset(), large_dataset(true), large_dataset(false), Dataset()}) {
    write_dataset(folder.file("x.h5"), data);
    const Dataset back = read_dataset(folder.file("x.h5"));
    CHECK((canonical(back) == canonical(data)));
    CHECK(content_hash(back) == content_hash(data));
    CHECK(back.attributes.at("Conventions") == "CF-1.10");
  }
  CHECK(folder.names() == std::set<std::string>{"x.h5"});
}

TEST_CASE("equal data give equal bytes, in any order of writing", "[dataset_file]") {
  const TemporaryFolder folder;
  write_dataset(folder.file("a.h5"), rich_dataset());
  write_dataset(folder.file("other.h5"), large_dataset(true));
  write_dataset(folder.file("b.h5"), rich_dataset());
  CHECK(sha256_of_file(folder.file("a.h5")) == sha256_of_file(folder.file("b.h5")));
  write_dataset(folder.file("c.h5"), read_dataset(folder.file("a.h5")));
  CHECK(sha256_of_file(folder.file("a.h5")) == sha256_of_file(folder.file("c.h5")));
}

TEST_CASE("arrays are packed only where it pays", "[dataset_file]") {
  const TemporaryFolder folder;
  write_dataset(folder.file("smooth.h5"), large_dataset(true));
  write_dataset(folder.file("noise.h5"), large_dataset(false));
  const std::size_t plain = 500 * 523 * sizeof(double);
  CHECK(read_file(folder.file("smooth.h5")).size() < plain / 10);
  CHECK(read_file(folder.file("noise.h5")).size() > plain);
}

TEST_CASE("data that no file can hold are refused by name", "[dataset_file]") {
  const TemporaryFolder folder;
  const auto refusal = [&](const Dataset& data) {
    return refusal_of<ArgumentError>([&] { write_dataset(folder.file("x.h5"), data); });
  };
  Dataset slash, nul, mark, documents, unit;
  slash.add({"a/b", {}, std::vector<double>{1}, "", "", {}});
  nul.documents["config"] = std::string("a\0b", 3);
  mark.add({"a", {}, std::vector<double>{1}, "", "", {{"CLASS", "x"}}});
  documents.dimension("documents", 2);
  unit.add({"a", {}, std::vector<double>{1}, "", "", {{"units", "m"}}});
  CHECK(refusal(slash) == "write_dataset: variable 'a/b' is no HDF5 name; it must not be empty, '.' or hold a '/'.");
  CHECK(refusal(nul) == "write_dataset: document 'config' holds a NUL byte, which HDF5 text cannot; remove it.");
  CHECK(refusal(mark) == "write_dataset: attribute 'CLASS' of variable 'a' is reserved by HDF5; rename it.");
  CHECK(refusal(documents).find("the documents' group") != std::string::npos);
  CHECK(refusal(unit) == "write_dataset: variable 'a' has attribute 'units'; use its member of that name.");
  CHECK(folder.names().empty());
}

TEST_CASE("every refused disk call leaves the old or the whole new result", "[dataset_file][fault]") {
  const TemporaryFolder folder;
  const std::string path = folder.file("result.h5");
  Dataset old_data;
  old_data.attributes["title"] = "old";
  const Dataset new_data = large_dataset(false);
  int refused = 0;
  for (int k = 1; k < 100; ++k) {
    write_dataset(path, old_data);
    std::string message;
    bool failed = false;
    {
      const FailingDisk disk(k, ENOSPC);
      message = refusal_of<StorageError>([&] { write_dataset(path, new_data); });
      failed = disk.failed();
    }
    if (!failed) break;
    ++refused;
    INFO("call " << k << ": " << message);
    CHECK(folder.names() == std::set<std::string>{"result.h5"});
    const std::string hash = content_hash(read_dataset(path));
    if (message.rfind(path, 0) == 0) {
      CHECK(hash == content_hash(old_data));
      CHECK(message.find("No space left on device") != std::string::npos);
    } else {
      CHECK(hash == content_hash(new_data));
    }
  }
  CHECK(refused >= 9);
}

TEST_CASE("threads write and read their files at the same time", "[dataset_file][threads]") {
  const TemporaryFolder folder;
  const std::string expected = content_hash(rich_dataset());
  std::vector<std::string> found(4);
  std::vector<std::thread> threads;
  for (std::size_t i = 0; i < found.size(); ++i)
    threads.emplace_back([&, i] {
      const std::string path = folder.file(std::to_string(i) + ".h5");
      for (int round = 0; round < 3; ++round) {
        write_dataset(path, rich_dataset());
        found[i] = content_hash(read_dataset(path));
      }
    });
  for (std::thread& thread : threads) thread.join();
  for (const std::string& hash : found) CHECK(hash == expected);
}

TEST_CASE("a missing file is the disk's fault, another file's content is the file's", "[dataset_file]") {
  const TemporaryFolder folder;
  const std::string missing = folder.file("no.h5"), text = folder.file("text.h5"), empty = folder.file("empty.h5");
  write_file(text, "temperature,variance\n0.1,0.5\n");
  write_file(empty, "");
  CHECK(refusal_of<StorageError>([&] { read_dataset(missing); }) ==
        missing + ": cannot be opened: No such file or directory.");
  CHECK(refusal_of<DataError>([&] {
          read_dataset(text);
        }).find(text + ": is damaged, or no HDF5 file: opening it as HDF5 failed") == 0);
  CHECK(refusal_of<DataError>([&] { read_dataset(empty); }).find(empty + ": is damaged, or no HDF5 file") == 0);
}

TEST_CASE("a changed value and a cut file are noticed", "[dataset_file]") {
  const TemporaryFolder folder;
  const std::string path = folder.file("x.h5");
  Dataset data;
  data.add({"answer", {}, std::vector<double>{1234567.875}, "1", "", {}});
  write_dataset(path, data);
  std::string bytes = read_file(path);
  const double value = 1234567.875;
  const std::size_t place = bytes.find(std::string(reinterpret_cast<const char*>(&value), sizeof value));
  REQUIRE(place != std::string::npos);
  std::string changed = bytes;
  changed[place] = 1;
  write_file(path, changed);
  CHECK(refusal_of<DataError>([&] { read_dataset(path); }) ==
        path +
            ": was changed or damaged after it was written: its content does not match its hash; restore it from a "
            "copy, or make it again.");
  for (std::size_t size = 0; size < bytes.size(); size += 97) {
    write_file(path, bytes.substr(0, size));
    CHECK_THROWS_AS(read_dataset(path), DataError);
  }
}

TEST_CASE("malformed files that crash or hang HDF5 end in a DataError in time", "[dataset_file][fault]") {
  const auto folder = shared_data("ecosystem/hdf5-malformed");
  if (!folder) return;
  const auto path = [&](const std::string& name) { return (*folder / (name + ".h5")).string(); };
  const std::vector<std::string> names{"sigkill_01", "sigkill_03", "sigkill_05", "sigkill_07",
                                       "sigsegv_02", "sigsegv_04", "sigsegv_06"};
  std::vector<std::string> messages(names.size());
  const auto start = std::chrono::steady_clock::now();
  std::vector<std::thread> readers;
  for (std::size_t i = 0; i < names.size(); ++i)
    readers.emplace_back([&, i] { messages[i] = refusal_of<DataError>([&] { read_dataset(path(names[i])); }); });
  for (std::thread& reader : readers) reader.join();
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
  CHECK(seconds.count() < 30);  // all at once; each has 2 s of processor time and 10 s in all, a busy machine more
  for (std::size_t i = 0; i < names.size(); ++i) {
    INFO(messages[i]);
    CHECK(messages[i].rfind(path(names[i]) + ": ", 0) == 0);
  }
  CHECK(messages[2].find(": is damaged: reading it made the HDF5 library hang; restore it") != std::string::npos);
  CHECK(messages[4].find(": is damaged: reading it made the HDF5 library crash; restore it") != std::string::npos);
}

TEST_CASE("files of other tools are read: no scales, fixed texts, bools, groups", "[dataset_file]") {
  const auto folder = shared_data("ecosystem/hdf5-interop");
  if (!folder) return;
  const auto read = [&](const std::string& name) { return read_dataset((*folder / (name + ".h5")).string()); };
  const Dataset plain = read("a_plain");
  CHECK(plain.shape(plain.at("attention")) == std::vector<std::size_t>{5, 4, 4});
  CHECK(plain.at("attention").dimensions == std::vector<std::string>{"dim_1", "dim_0", "dim_2"});
  CHECK(plain.at("agent").dimensions == std::vector<std::string>{"dim_0"});
  CHECK(plain.attributes.at("seed") == "42");
  const Dataset scaled = read("c_track");
  CHECK(scaled.at("attention").dimensions == std::vector<std::string>{"temperature", "agent", "neighbour"});
  CHECK(std::holds_alternative<std::vector<float>>(scaled.at("attention").values));
  CHECK(std::holds_alternative<std::vector<std::int64_t>>(scaled.at("agent").values));
  CHECK(scaled.at("temperature").long_name == "softmax temperature");
  CHECK(scaled.is_coordinate(scaled.at("temperature")));
  const Dataset fixed = read("e2_strfix"), text = read("e_str");
  CHECK(std::get<std::vector<std::string>>(fixed.at("label_fixed").values).size() == 4);
  CHECK(std::get<std::vector<std::string>>(fixed.at("label_fixed").values)[0] ==
        std::get<std::vector<std::string>>(text.at("label").values)[0]);
  const Dataset flags = read("f_bool");
  CHECK(std::get<std::vector<std::uint8_t>>(flags.at("flag").values).size() == 4);
  CHECK(flags.at("flag").attributes.at("flag_values") == "0, 1");
  CHECK(flags.at("flag").attributes.at("flag_meanings") == "FALSE TRUE");
  CHECK(refusal_of<DataError>([&] { read("h_group"); }).find("no array in its root group, only results, provenance") !=
        std::string::npos);
  CHECK(read("i_nocoord").at("attention").dimensions[0] == "temperature");
}
