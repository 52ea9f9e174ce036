#include "fovea/core/lab/directory/manifest.hpp"

#include "fovea/core/base/storage.hpp"
#include "fovea/core/lab/directory/run_log.hpp"
#include "fovea/tests/support/test.hpp"

namespace fovea {
namespace {

Manifest sample() {
  Manifest manifest;
  manifest.experiment = "test.walk";
  manifest.identity = std::string(64, 'a');
  manifest.seed = 9223372036854775807u;
  manifest.state = RunState::incomplete;
  manifest.error = "1 of 2 points failed";
  manifest.points = 2;
  manifest.sweep = true;
  manifest.failed_points = 1;
  manifest.command_line = "fovea run 'a \"b\".toml' \xff";  // not UTF-8
  manifest.environment = {{"OMP_NUM_THREADS", "2"}};
  manifest.inputs = {{"input", "/data/a.csv", 12, std::string(64, 'b')}};
  manifest.outputs = {{"result.h5", 34, std::string(64, 'c')}};
  return manifest;
}

}  // namespace

TEST_CASE("a manifest reads back what was written", "[lab]") {
  const TemporaryFolder folder;
  const RunDirectory directory(folder.path());
  CHECK_FALSE(find_manifest(directory).has_value());
  write_manifest(directory, sample());
  const Manifest back = *find_manifest(directory);
  CHECK(back.experiment == "test.walk");
  CHECK(back.seed == 9223372036854775807u);
  CHECK(back.state == RunState::incomplete);
  CHECK(back.sweep);
  CHECK(back.failed_points == 1);
  CHECK(back.command_line == "fovea run 'a \"b\".toml' \xef\xbf\xbd");
  CHECK(back.environment.at("OMP_NUM_THREADS") == "2");
  CHECK(back.inputs.at(0).path == "/data/a.csv");
  CHECK(back.inputs.at(0).size == 12);
  CHECK(back.outputs.at(0).sha256 == std::string(64, 'c'));
}

TEST_CASE("a manifest says which build, which libraries and which machine", "[lab]") {
  const std::string json = to_json(sample());
  for (const char* key : {"version", "commit", "uncommitted_changes", "compiler", "flags", "build_type", "libraries",
                          "hdf5", "cpu", "kernel", "host", "processors", "instruction_sets", "kernels"})
    CHECK(json.find("\"" + std::string(key) + "\"") != std::string::npos);
}

TEST_CASE("what is no manifest is refused with its name", "[lab]") {
  CHECK_THROWS_WITH(parse_manifest("{", "m.json"), Catch::StartsWith("m.json: is not a manifest of a run"));
  CHECK_THROWS_AS(parse_manifest("[1]", "m.json"), DataError);
  std::string json = to_json(sample());
  json.replace(json.find("incomplete"), 10, "sleeping  ");
  CHECK_THROWS_WITH(parse_manifest(json, "m.json"), "m.json: 'sleeping  ' is not a state of a run.");
  const TemporaryFolder folder;
  write_file(folder.file("manifest.json"), "{}");
  CHECK_FALSE(find_manifest(RunDirectory(folder.path())).has_value());
}

TEST_CASE("a failure reads back; a damaged one counts as none", "[lab]") {
  const TemporaryFolder folder;
  const RunDirectory point(folder.path());
  CHECK_FALSE(find_failure(point).has_value());
  write_failure(point, {"seed = 3", "no", "2026-01-31T12:00:00Z", ""});
  CHECK(find_failure(point)->label == "seed = 3");
  CHECK(find_failure(point)->error == "no");
  CHECK(find_failure(point)->directory == folder.path());
  write_file(point.failure(), "[");
  CHECK_FALSE(find_failure(point).has_value());
}

TEST_CASE("output files are listed with size and hash, figures too", "[lab]") {
  const TemporaryFolder folder;
  const RunDirectory directory(folder.path());
  write_file(directory.report(), "page");
  make_folder(directory.figures());
  write_file(directory.figures() / "a.svg", "svg");
  const std::vector<OutputFile> files = output_files(directory);
  REQUIRE(files.size() == 2);
  CHECK(files[0].path == "report.html");
  CHECK(files[0].size == 4);
  CHECK(files[1].path == "figures/a.svg");
  CHECK(files[1].sha256 == sha256("svg"));
}

TEST_CASE("the machine, the build and the usage are told", "[lab]") {
  CHECK(processors() >= 1);
  CHECK(machine().processors == processors());
  CHECK(machine().memory_bytes > 0);
  CHECK_FALSE(build().version.empty());
  CHECK(libraries().size() >= 4);
  CHECK(usage().peak_memory_bytes > 0);
  CHECK(utc_now().size() == 20);
  for (const auto& [name, value] : relevant_environment()) CHECK_FALSE(name.empty());
}

TEST_CASE("a log keeps its lines in order and never stops a run", "[lab]") {
  const TemporaryFolder folder;
  RunLog log(folder.file("log"));
  CHECK_FALSE(std::filesystem::exists(folder.file("log")));
  log.line("first");
  log.line("second");
  const std::string text = read_file(folder.file("log"));
  CHECK(text.find("first") < text.find("second"));
  RunLog("/nowhere/at/all/log").line("lost");
}

}  // namespace fovea
