#include <sys/wait.h>
#include <unistd.h>

#include "fovea/core/base/storage.hpp"
#include "fovea/core/data/file/dataset_file.hpp"
#include "fovea/core/lab/directory/folder_lock.hpp"
#include "fovea/core/lab/directory/run_identity.hpp"
#include "fovea/core/lab/directory/run_status.hpp"
#include "fovea/core/lab/run_point.hpp"
#include "fovea/core/lab/runner.hpp"
#include "fovea/core/lab/verify.hpp"
#include "fovea/tests/support/failing_disk.hpp"
#include "fovea/tests/support/runs/run.hpp"
#include "fovea/tests/support/test.hpp"
#include "fovea/tests/support/toy_experiment.hpp"

namespace fovea {
namespace {

namespace fs = std::filesystem;
using support::FailingDisk;
using support::ToyExperiment;

RunOptions options_in(const TemporaryFolder& folder) {
  RunOptions options;
  options.output = folder.path();
  options.checkpoint_seconds = 0;
  options.threads = 1;
  return options;
}

RunSummary run_in(const TemporaryFolder& folder, const ToyExperiment& toy, const Config& config, bool force = false) {
  RunOptions options = options_in(folder);
  options.force = force;
  return run_experiment(toy, config, "as given\n", options, silent_narrator());
}

std::string identity_of(const ToyExperiment& toy, Config config) {
  if (!config.seed) resolve_seed(config, 1);
  InputFiles inputs;
  return run_identity(toy, config, inputs);
}

Catalogue catalogue_of_walks() {
  Catalogue catalogue;
  catalogue.add(std::make_unique<ToyExperiment>());
  return catalogue;
}

/// The bytes of the result of a walk that nothing disturbs.
std::string undisturbed_bytes() {
  const TemporaryFolder folder(support::memory_disk());
  const ToyExperiment toy;
  return read_file(run_in(folder, toy, support::config_of(toy)).directory.result());
}

}  // namespace

TEST_CASE("an experiment runs without a lab, for use as a library", "[lab]") {
  const ToyExperiment toy;
  Results results;
  const auto bench = plain_workbench();
  CHECK_FALSE(bench->restored());
  bench->log("nobody reads this");
  toy.run(support::config_of(toy), {}, Random(1), results, *bench);
  CHECK(results.data.at("path").reals().size() == 6);
}

TEST_CASE("where memory ends the counts that may be lowered are named", "[lab][errors]") {
  const TemporaryFolder folder(support::memory_disk());
  ToyExperiment toy;
  toy.before_step = [](int) { throw std::bad_alloc(); };
  CHECK_THROWS_WITH(run_in(folder, toy, support::config_of(toy, {"steps=1000"})),
                    "there was not enough memory; lower one of the largest counts (steps = 1000), or in a sweep use "
                    "fewer --jobs.");
  CHECK_THROWS_WITH(run_in(folder, toy, support::config_of(toy, {"steps=4"})),
                    "there was not enough memory; give smaller data, or in a sweep use fewer --jobs.");
}

TEST_CASE("a run's identity changes with every input that changes the result, and with nothing else", "[lab]") {
  const TemporaryFolder folder(support::memory_disk());
  ToyExperiment toy;
  const std::string first = identity_of(toy, support::config_of(toy));
  CHECK(first.size() == 64);
  CHECK(identity_of(toy, support::config_of(toy)) == first);
  CHECK(identity_of(toy, support::config_of(toy, {"steps=5"})) == first);  // the default, said aloud
  CHECK(identity_of(toy, support::config_of(toy, {"steps=6"})) != first);
  Config seeded = support::config_of(toy);
  seeded.seed = 2;
  CHECK(identity_of(toy, seeded) != first);
  toy.version = 2;
  CHECK(identity_of(toy, support::config_of(toy)) != first);
}

TEST_CASE("an input file counts by its content, not by its path", "[lab]") {
  const TemporaryFolder folder(support::memory_disk());
  const ToyExperiment toy;
  write_file(folder.file("a"), "data");
  write_file(folder.file("b"), "data");
  write_file(folder.file("c"), "other");
  const auto identity = [&](const std::string& name) {
    return identity_of(toy, support::config_of(toy, {"input=" + folder.file(name)}));
  };
  CHECK(identity("a") == identity("b"));
  CHECK(identity("a") != identity("c"));
  CHECK(identity("a") != identity_of(toy, support::config_of(toy)));
}

TEST_CASE("where an input file lies is no part of a result", "[lab]") {
  const ToyExperiment toy;
  const auto result = [&](const TemporaryFolder& folder) {
    write_file(folder.file("data.csv"), "data");
    return read_dataset(
        run_in(folder, toy, support::config_of(toy, {"input=" + folder.file("data.csv")})).directory.result());
  };
  const TemporaryFolder one(support::memory_disk());
  const TemporaryFolder other(support::memory_disk());
  const Dataset data = result(one);
  CHECK(content_hash(data) == content_hash(result(other)));
  CHECK(data.documents.at("resolved_toml").find("\ninput = \"data.csv\"\n") != std::string::npos);
}

TEST_CASE("an identity needs a seed, and a readable input file", "[lab]") {
  const ToyExperiment toy;
  InputFiles inputs;
  Config without = support::config_of(toy);
  without.seed.reset();
  CHECK_THROWS_AS(run_identity(toy, without, inputs), ArgumentError);
  CHECK_THROWS_AS(inputs.of("input", "/nowhere/at/all"), StorageError);
}

TEST_CASE("a run leaves everything that its directory promises", "[lab]") {
  const TemporaryFolder folder(support::memory_disk());
  const ToyExperiment toy;
  const RunSummary summary = run_in(folder, toy, support::config_of(toy));
  const RunDirectory& directory = summary.directory;
  CHECK(directory.path() == folder.path() + "/test.walk-" + summary.manifest.identity.substr(0, 8));
  CHECK(read_file(directory.config()) == "as given\n");
  for (const Place& file : {directory.resolved(), directory.manifest(), directory.report(), directory.log()})
    CHECK(exists(file));
  CHECK_FALSE(exists(directory.file("checkpoint-0.h5")));
  const Dataset data = read_dataset(directory.result());
  CHECK(data.attributes.at("experiment") == "test.walk");
  CHECK(data.attributes.at("result_version") == "1");
  CHECK(data.attributes.at("seed") == "1");
  CHECK(data.attributes.at("Conventions") == "CF-1.10");
  CHECK(data.attributes.at("title") == "a random walk");
  CHECK(data.documents.at("resolved_toml") == read_file(directory.resolved()));
  CHECK(read_done(directory)->content_hash == content_hash(data));
  CHECK(summary.manifest.content_hash == content_hash(data));
  CHECK(read_results(directory).verdict() == "walked.");
  CHECK(read_results(directory).checks().size() == 1);
}

TEST_CASE("the same inputs find the old result; force computes again", "[lab]") {
  const TemporaryFolder folder(support::memory_disk());
  const ToyExperiment toy;
  const RunSummary first = run_in(folder, toy, support::config_of(toy));
  CHECK_FALSE(first.found);
  const RunSummary second = run_in(folder, toy, support::config_of(toy));
  CHECK(second.found);
  CHECK(toy.runs == 1);
  CHECK(content_hash(second.results.data) == content_hash(first.results.data));
  CHECK(second.results.verdict() == "walked.");
  CHECK_FALSE(run_in(folder, toy, support::config_of(toy), true).found);
  CHECK(toy.runs == 2);
}

TEST_CASE("a result whose bytes were changed, or whose DONE is damaged, is computed again", "[lab]") {
  const TemporaryFolder folder(support::memory_disk());
  const ToyExperiment toy;
  const RunDirectory directory = run_in(folder, toy, support::config_of(toy)).directory;
  const std::string good = read_file(directory.result());
  std::string bad = good;
  bad[bad.size() / 2] = static_cast<char>(bad[bad.size() / 2] ^ 1);
  write_file(directory.result(), bad);
  CHECK_FALSE(run_in(folder, toy, support::config_of(toy)).found);
  CHECK(read_file(directory.result()) == good);
  write_file(directory.done(), "identity 12\n");
  CHECK_FALSE(read_done(directory).has_value());
  CHECK_FALSE(run_in(folder, toy, support::config_of(toy)).found);
}

TEST_CASE("a report that is gone is drawn again from the result", "[lab]") {
  const TemporaryFolder folder(support::memory_disk());
  const ToyExperiment toy;
  const RunDirectory directory = run_in(folder, toy, support::config_of(toy)).directory;
  remove_file(directory.report());
  CHECK(run_in(folder, toy, support::config_of(toy)).found);
  CHECK(exists(directory.report()));
  remove_file(directory.report());
  redraw_report(directory);
  CHECK(exists(directory.report()));
}

TEST_CASE("two runs with the same 8 digits do not share a directory", "[lab]") {
  const TemporaryFolder folder(support::memory_disk());
  const std::string a(64, 'a'), b = std::string(8, 'a') + std::string(56, 'b');
  make_folder(folder.file("x-aaaaaaaa"));
  Manifest manifest;
  manifest.identity = a;
  write_manifest(run_directory(folder.path(), "x", a), manifest);
  CHECK(run_directory(folder.path(), "x", a).path() == folder.file("x-aaaaaaaa"));
  CHECK(run_directory(folder.path(), "x", b).path() == folder.file("x-aaaaaaaabbbbbbbb"));
}

TEST_CASE("a run stopped at any step and resumed ends with the same bytes", "[lab]") {
  const std::string expected = undisturbed_bytes();
  for (int stop_at = 0; stop_at < 5; ++stop_at) {
    const TemporaryFolder folder(support::memory_disk());
    StopFlag stop{0};
    ToyExperiment toy;
    toy.before_step = [&](int step) { stop = step == stop_at ? 2 : stop.load(); };
    RunOptions options = options_in(folder);
    options.checkpoint_seconds = 1e9;  // only the stop itself saves
    options.stop = &stop;
    CHECK_THROWS_AS(run_experiment(toy, support::config_of(toy), "", options, silent_narrator()), Interrupted);
    const RunStatus status = statuses_in(folder.path()).at(0);
    CHECK(status.state == "interrupted");
    stop = 0;
    CHECK(read_file(run_in(folder, toy, support::config_of(toy)).directory.result()) == expected);
    CHECK(toy.steps_taken == 5);  // no step was taken twice
    CHECK(statuses_in(folder.path()).at(0).manifest.starts == 2);
  }
}

TEST_CASE("a run that dies without a word goes on from its last checkpoint", "[lab]") {
  const std::string expected = undisturbed_bytes();
  const TemporaryFolder folder(support::memory_disk());
  ToyExperiment toy;
  toy.before_step = [](int step) {
    if (step == 3) throw std::runtime_error("the power went");
  };
  CHECK_THROWS_WITH(run_in(folder, toy, support::config_of(toy)), "the power went");
  CHECK(statuses_in(folder.path()).at(0).state == "failed");
  CHECK(statuses_in(folder.path()).at(0).manifest.error == "the power went");
  CHECK(read_file(run_in(folder, toy, support::config_of(toy)).directory.result()) == expected);
  CHECK(toy.steps_taken == 6);  // the third is counted twice: it died in it
}

TEST_CASE("a damaged checkpoint falls back to the one before; two damaged ones to the start", "[lab]") {
  const std::string expected = undisturbed_bytes();
  for (const int damaged : {1, 2}) {
    const TemporaryFolder folder(support::memory_disk());
    ToyExperiment toy;
    toy.before_step = [](int step) {
      if (step == 4) throw std::runtime_error("the power went");
    };
    CHECK_THROWS(run_in(folder, toy, support::config_of(toy)));
    const RunDirectory directory(statuses_in(folder.path()).at(0).directory);
    // Checkpoint 4 is the newest and has an even number.
    write_file(directory.file("checkpoint-0.h5"), "not a checkpoint");
    if (damaged == 2) write_file(directory.file("checkpoint-1.seal"), "3 abc");
    CHECK(read_file(run_in(folder, toy, support::config_of(toy)).directory.result()) == expected);
    CHECK(toy.steps_taken == (damaged == 1 ? 7 : 10));
  }
}

TEST_CASE("whichever write is refused, the run says so, the old result stays, and a later run succeeds", "[lab]") {
  const std::string expected = undisturbed_bytes();
  const TemporaryFolder folder(support::memory_disk());
  const ToyExperiment toy;
  const RunDirectory directory = run_in(folder, toy, support::config_of(toy)).directory;
  bool reached_the_end = false;
  int refused = 0;
  for (int call = 1; !reached_the_end; ++call) {
    bool thrown = false;
    {
      FailingDisk disk(call, 28);  // ENOSPC
      try {
        run_in(folder, toy, support::config_of(toy), true);
      } catch (const StorageError&) {
        thrown = true;
      }
      reached_the_end = !disk.failed();
    }
    refused += thrown ? 1 : 0;
    INFO("call " << call);
    CHECK(read_file(directory.result()) == expected);
    CHECK(run_in(folder, toy, support::config_of(toy)).has_result);
  }
  CHECK(refused > 20);
}

TEST_CASE("one process computes a run of one point; those of a sweep share it", "[lab]") {
  const TemporaryFolder folder(support::memory_disk());
  const RunDirectory directory(folder.path());
  using Who = FolderLock::Who;
  CHECK(FolderLock::held(directory) == false);
  for (const Who first : {Who::alone, Who::together}) {
    const FolderLock lock(directory, first);
    CHECK(FolderLock::held(directory) == true);
    CHECK_THROWS_WITH(FolderLock(directory, Who::alone), Catch::Contains("is being computed by process"));
    if (first == Who::together) CHECK_NOTHROW(FolderLock(directory, Who::together));
  }
  CHECK(FolderLock::held(directory) == false);
}

TEST_CASE("a point has one holder, and its lock goes with it", "[lab]") {
  const TemporaryFolder folder(support::memory_disk());
  const RunDirectory point(folder.path());
  {
    const std::optional<FolderLock> lock = FolderLock::of_point(point);
    REQUIRE(lock);
    CHECK(exists(point.lock()));
    CHECK_FALSE(FolderLock::of_point(point));
  }
  CHECK_FALSE(exists(point.lock()));
  CHECK(FolderLock::of_point(point));
}

// A run reads files in children, which have its lock too; the system ends them a moment after a kill.
TEST_CASE("the lock of a run that was killed is waited for while its child still ends", "[lab]") {
  const TemporaryFolder folder(support::memory_disk());
  const RunDirectory directory(folder.path());
  const pid_t killed = ::fork();
  if (killed == 0) {
    const FolderLock lock(directory, FolderLock::Who::alone);
    if (::fork() == 0) ::usleep(300'000);
    ::_exit(0);
  }
  ::waitpid(killed, nullptr, 0);
  CHECK(FolderLock::held(directory) == true);
  CHECK_NOTHROW(FolderLock(directory, FolderLock::Who::alone));
}

TEST_CASE("resume goes on with a run, finds a finished one, and refuses what has changed", "[lab]") {
  const TemporaryFolder folder(support::memory_disk());
  const Catalogue catalogue = catalogue_of_walks();
  ToyExperiment toy;
  write_file(folder.file("input"), "four");
  toy.before_step = [](int step) {
    if (step == 2) throw std::runtime_error("stop here");
  };
  const Config config = support::config_of(toy, {"input=" + folder.file("input")});
  CHECK_THROWS(run_in(folder, toy, config));
  const std::string directory = statuses_in(folder.path()).at(0).directory;
  const RunOptions options = options_in(folder);
  CHECK_FALSE(resume_run(directory, catalogue, options, silent_narrator()).found);
  CHECK(resume_run(directory, catalogue, options, silent_narrator()).found);
  write_file(folder.file("input"), "changed");
  CHECK_THROWS_WITH(resume_run(directory, catalogue, options, silent_narrator()), Catch::Contains("has changed"));
  CHECK_THROWS_AS(resume_run(folder.path(), catalogue, options, silent_narrator()), DataError);
}

TEST_CASE("verify finds the same run identical, and a changed result different", "[lab]") {
  const TemporaryFolder folder(support::memory_disk());
  const Catalogue catalogue = catalogue_of_walks();
  const ToyExperiment toy;
  const RunDirectory directory = run_in(folder, toy, support::config_of(toy)).directory;
  const RunOptions options = options_in(folder);
  CHECK(verify_run(directory.path(), catalogue, options, silent_narrator()).identical);
  Dataset data = read_dataset(directory.result());
  std::get<std::vector<double>>(data.at("last").values)[0] += 1e-9;
  write_dataset(directory.result(), data);
  const Verification outcome = verify_run(directory.path(), catalogue, options, silent_narrator());
  CHECK_FALSE(outcome.identical);
  REQUIRE(outcome.differences.size() == 1);
  CHECK(outcome.differences[0].variable == "last");
  CHECK(folder.names().size() == 1);  // the scratch folder is gone
  remove_file(directory.done());
  CHECK_THROWS_AS(verify_run(directory.path(), catalogue, options, silent_narrator()), DataError);
  CHECK(compare_texts(data, data).empty());
}

TEST_CASE("rules between keys are checked before anything is written", "[lab]") {
  const TemporaryFolder folder(support::memory_disk());
  const ToyExperiment toy;
  CHECK_THROWS_AS(run_in(folder, toy, support::config_of(toy, {"speed=101", "steps=500"})), ConfigError);
  CHECK(folder.names().empty());
}

TEST_CASE("a catalogue knows its experiments and suggests the nearest name", "[lab]") {
  Catalogue catalogue = catalogue_of_walks();
  CHECK(catalogue.names() == std::vector<std::string>{"test.walk"});
  CHECK(catalogue.find("test.walk") != nullptr);
  CHECK(catalogue.find_schema("test.walk")->find("steps") != nullptr);
  CHECK(catalogue.find_schema("other") == nullptr);
  CHECK_THROWS_WITH(catalogue.at("test.wlak"), "there is no experiment 'test.wlak'; did you mean 'test.walk'?");
  CHECK_THROWS_AS(catalogue.add(std::make_unique<ToyExperiment>()), ArgumentError);
}

TEST_CASE("the number of OpenMP threads is put back after a run", "[lab][threads]") {
  const TemporaryFolder folder(support::memory_disk());
  const ToyExperiment toy;
  const int before = omp_get_max_threads();
  RunOptions options = options_in(folder);
  options.threads = before + 3;
  CHECK(run_experiment(toy, support::config_of(toy), "", options, silent_narrator()).manifest.threads == before + 3);
  CHECK(omp_get_max_threads() == before);
}

}  // namespace fovea
