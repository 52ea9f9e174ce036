#include "fovea/core/base/storage.hpp"
#include "fovea/core/lab/directory/run_identity.hpp"
#include "fovea/core/lab/open_inputs.hpp"
#include "fovea/core/lab/run_point.hpp"
#include "fovea/tests/support/runs/run.hpp"
#include "fovea/tests/support/test.hpp"

namespace fovea {
namespace {

namespace fs = std::filesystem;

/// Counts how often its files are opened.
class Gatherer final : public Experiment {
 public:
  std::string_view name() const override { return "test.gather"; }
  std::string_view summary() const override { return "gathers"; }
  int result_version() const override { return 1; }
  Schema schema() const override { return Schema().files("data.parts", "what is gathered"); }
  Inputs open(const Config& config) const override {
    ++opened;
    return as_inputs(config.texts("data.parts").size());
  }
  void run(const Config&, Inputs, const Random&, Results&, Workbench&) const override {}
  mutable int opened = 0;
};

Config gathering(const std::vector<std::string>& paths) {
  Config config = support::config_of(Gatherer());
  config.set("data.parts", paths, {});
  return config;
}

std::string identity_of_parts(const std::vector<std::string>& paths) {
  InputFiles inputs;
  return run_identity(Gatherer(), gathering(paths), inputs);
}

/// All files of a folder, written long ago.
void make_old(const std::string& folder) {
  const auto then = fs::file_time_type::clock::now() - std::chrono::seconds(100);
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(folder))
    fs::last_write_time(entry.path(), then);
  fs::last_write_time(folder, then);
}

}  // namespace

TEST_CASE("of several files the contents and their order make the run, not their paths", "[lab][inputs]") {
  const TemporaryFolder folder(support::memory_disk());
  write_file(folder.file("a"), "data");
  write_file(folder.file("b"), "data");
  write_file(folder.file("c"), "other");
  const std::string a = folder.file("a"), b = folder.file("b"), c = folder.file("c");
  CHECK(identity_of_parts({a, c}) == identity_of_parts({b, c}));
  CHECK(identity_of_parts({a, c}) != identity_of_parts({c, a}));
  CHECK(identity_of_parts({a, c}) != identity_of_parts({a}));
}

TEST_CASE("a folder counts by the names and contents of what is in it and below", "[lab][inputs]") {
  const TemporaryFolder folder(support::memory_disk());
  const auto make = [&](const std::string& name, const std::string& file, const std::string& text) {
    fs::create_directories(folder.file(name) + "/deep");
    write_file(folder.file(name) + "/deep/" + file, text);
    write_file(folder.file(name) + "/top", "x");
    return folder.file(name);
  };
  const std::string one = make("one", "a", "data"), same = make("same", "a", "data");
  const std::string other_name = make("two", "b", "data"), other_text = make("three", "a", "atad");
  InputFiles inputs;
  const InputFile found = inputs.of("data.parts", one);
  CHECK(found.size == 5);
  CHECK(found.sha256 == inputs.of("data.parts", same).sha256);
  CHECK(found.sha256 != inputs.of("data.parts", other_name).sha256);
  CHECK(found.sha256 != inputs.of("data.parts", other_text).sha256);
  CHECK(found.sha256 == sha256("6 deep/a 4 " + sha256("data") + "\n3 top 1 " + sha256("x") + "\n"));
  CHECK(inputs.all().size() == 4);
  CHECK(identity_of_parts({one}) == identity_of_parts({same}));
}

TEST_CASE("what lies anywhere in a folder and has changed is read again", "[lab][inputs]") {
  const TemporaryFolder folder(support::memory_disk());
  fs::create_directories(folder.file("parts") + "/deep");
  write_file(folder.file("parts") + "/deep/a", "1");
  make_old(folder.file("parts"));
  const Gatherer gatherer;
  OpenInputs opened;
  const Inputs held = opened.of(gatherer, gathering({folder.file("parts")}));
  opened.of(gatherer, gathering({folder.file("parts")}));
  CHECK(gatherer.opened == 1);
  write_file(folder.file("parts") + "/deep/a", "2");
  opened.of(gatherer, gathering({folder.file("parts")}));
  CHECK(gatherer.opened == 2);
}

TEST_CASE("where several input files lie is no part of a result", "[lab][inputs]") {
  const TemporaryFolder folder(support::memory_disk());
  Results results;
  label_results(Gatherer(), gathering({folder.file("a.csv"), folder.file("b")}), results);
  CHECK(results.data.documents.at("resolved_toml").find("parts = [\"a.csv\", \"b\"]") != std::string::npos);
}

}  // namespace fovea
