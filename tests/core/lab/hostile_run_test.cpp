#include "fovea/core/base/storage.hpp"
#include "fovea/core/data/file/dataset_file.hpp"
#include "fovea/core/lab/run_point.hpp"
#include "fovea/core/lab/runner.hpp"
#include "fovea/core/lab/verify.hpp"
#include "fovea/tests/support/malformed_hdf5.hpp"
#include "fovea/tests/support/runs/run.hpp"
#include "fovea/tests/support/test.hpp"
#include "fovea/tests/support/toy_experiment.hpp"

/// A run directory may come from anywhere: whatever lies in it, a command ends, and with one sentence.

namespace fovea::hostile {
namespace {

using support::malformed_copies;
using support::MalformedFile;
using support::ToyExperiment;

RunOptions options_in(const std::string& folder) {
  RunOptions options;
  options.output = folder;
  options.checkpoint_seconds = 0;
  options.threads = 1;
  return options;
}

RunSummary run_in(const TemporaryFolder& folder, const ToyExperiment& toy) {
  return run_experiment(toy, support::config_of(toy), "", options_in(folder.path()), silent_narrator());
}

/// result.h5 with other bytes, and DONE with their hash.
void replace_result(const RunDirectory& directory, const std::string& bytes) {
  Done done = read_done(directory).value();
  done.result_hash = sha256(bytes);
  write_file(directory.result(), bytes);
  write_done(directory, done);
}

/// Two checkpoints with these bytes, each under its right seal, and no DONE: a run that was killed.
void leave_checkpoints(const RunDirectory& directory, const std::string& older, const std::string& newer) {
  remove_file(directory.done());
  write_file(directory.file("checkpoint-1.h5"), older);
  write_file(directory.file("checkpoint-1.seal"), "1 " + sha256(older) + '\n');
  write_file(directory.file("checkpoint-0.h5"), newer);
  write_file(directory.file("checkpoint-0.seal"), "2 " + sha256(newer) + '\n');
}

}  // namespace

TEST_CASE("a malformed result under its right hash is refused by run, report and verify, or read to the bit",
          "[lab][fault]") {
  const TemporaryFolder folder(support::memory_disk());
  const ToyExperiment toy;
  Catalogue catalogue;
  catalogue.add(std::make_unique<ToyExperiment>());
  const RunSummary first = run_in(folder, toy);
  const RunDirectory& directory = first.directory;
  int refused = 0;
  for (const MalformedFile& copy : malformed_copies(read_file(directory.result()))) {
    INFO(copy.what);
    replace_result(directory, copy.bytes);
    const std::string message = refusal_of<DataError>([&] {
      const RunSummary found = run_in(folder, toy);
      CHECK(found.found);
      CHECK(content_hash(found.results.data) == content_hash(read_results(directory).data));
    });
    if (message.empty()) continue;
    ++refused;
    CHECK(message.rfind(directory.result().path() + ": ", 0) == 0);
    if (message.find("library hang") != std::string::npos) continue;  // 2 s of a processor each
    CHECK(refusal_of<DataError>([&] { redraw_report(directory); }) == message);
    CHECK(refusal_of<DataError>([&] {
            verify_run(directory.path(), catalogue, options_in(folder.path()), silent_narrator());
          }) == message);
  }
  CHECK(refused > 20);
}

TEST_CASE("a malformed machine.h5 is refused as it is read", "[lab][fault]") {
  const TemporaryFolder folder(support::memory_disk());
  const ToyExperiment toy;
  const RunDirectory directory = run_in(folder, toy).directory;
  const std::string good = read_file(directory.result());
  for (const MalformedFile& copy : malformed_copies(good)) {
    if (copy.what.find("2 TB") == std::string::npos) continue;
    INFO(copy.what);
    write_file(directory.machine(), copy.bytes);
    const std::string message = refusal_of<DataError>([&] { run_in(folder, toy); });
    if (!message.empty()) CHECK(message.rfind(directory.machine().path() + ": is damaged: ", 0) == 0);
  }
}

TEST_CASE("malformed checkpoints under their right seals cost what they held, and no more", "[lab][fault]") {
  const TemporaryFolder folder(support::memory_disk());
  ToyExperiment toy;
  const RunDirectory directory = run_in(folder, toy).directory;
  const std::string expected = read_file(directory.result());
  toy.before_step = [](int step) {
    if (step == 3) throw std::runtime_error("the power went");
  };
  toy.steps_taken = 0;
  remove_file(directory.done());
  CHECK_THROWS(run_in(folder, toy));
  const std::string good = read_file(directory.file("checkpoint-0.h5"));  // after 2 of 5 steps
  toy.before_step = [](int) {};
  for (const MalformedFile& copy : malformed_copies(good)) {
    INFO(copy.what);
    leave_checkpoints(directory, good, copy.bytes);
    toy.steps_taken = 0;
    CHECK(read_file(run_in(folder, toy).directory.result()) == expected);
    CHECK(toy.steps_taken == 3);
  }
  const std::string crash = malformed_copies(good).at(10).bytes;
  leave_checkpoints(directory, crash, crash);
  toy.steps_taken = 0;
  CHECK(read_file(run_in(folder, toy).directory.result()) == expected);
  CHECK(toy.steps_taken == 5);
}

TEST_CASE("points of a sweep are read apart too, whoever left them", "[lab][fault]") {
  const TemporaryFolder folder(support::memory_disk());
  const ToyExperiment toy;
  Overrides given;
  given.seeds = 3;
  const Config config = support::config_of(toy, given);
  const auto sweep = [&] { return run_experiment(toy, config, "", options_in(folder.path()), silent_narrator()); };
  const RunDirectory directory = sweep().directory;
  remove_file(directory.done());
  const RunDirectory point((*std::filesystem::directory_iterator(directory.points().path())).path().string());
  replace_result(point, malformed_copies(read_file(point.result())).at(10).bytes);
  CHECK(refusal_of<DataError>(sweep) ==
        point.result().path() +
            ": is damaged: reading it made the HDF5 library crash; restore it from a copy, or make it again.");
}

}  // namespace fovea::hostile
