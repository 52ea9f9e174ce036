/// doctor, version: which build this is, and whether it works on this machine.

#include <sys/resource.h>

#include <chrono>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <iostream>
#include <numeric>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/instruction_set.hpp"
#include "fovea/core/base/json_text.hpp"
#include "fovea/core/base/random.hpp"
#include "fovea/core/base/storage.hpp"
#include "fovea/core/data/file/dataset_file.hpp"
#include "fovea/core/kernels/fma_peak.hpp"
#include "fovea/core/lab/directory/machine.hpp"
#include "fovea/domains/registry.hpp"
#include "fovea/experiments/commands/command_table.hpp"
#include "fovea/experiments/console.hpp"
#include "fovea/experiments/exit_codes.hpp"

namespace fovea::command {

namespace {

namespace fs = std::filesystem;

/// A self-test: its name, and what went wrong (empty: nothing).
struct SelfTest {
  std::string name, problem;
  double seconds = 0;
};

std::string hash_problem() {
  const std::string known = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";  // FIPS 180-4, "abc"
  return sha256("abc") == known ? "" : "SHA-256 of 'abc' is wrong";
}

Dataset sample() {
  std::vector<double> numbers(10000);
  const Random random(1);
  for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = random.normal(i);
  Dataset data;
  data.dimension("index", numbers.size());
  data.add({"number", {"index"}, numbers, "1", "normal numbers", {}});
  data.attributes["title"] = "self-test";
  return data;
}

std::string file_problem(const std::string& folder) {
  const std::string path =
      folder + "/fovea-doctor-" + std::to_string(std::chrono::steady_clock::now().time_since_epoch().count()) + ".h5";
  const Dataset data = sample();
  write_dataset(path, data);
  const bool same = content_hash(read_dataset(path)) == content_hash(data);
  fs::remove(path);
  return same ? "" : path + ": the data read differ from the data written";
}

SelfTest timed(const std::string& name, const std::function<std::string()>& problem) {
  const auto start = std::chrono::steady_clock::now();
  SelfTest test{name, "", 0};
  try {
    test.problem = problem();
  } catch (const std::exception& error) {
    test.problem = error.what();
  }
  test.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return test;
}

std::string limit_text(int which) {
  rlimit limit{};
  if (::getrlimit(static_cast<__rlimit_resource_t>(which), &limit) != 0) return "unknown";
  return limit.rlim_cur == RLIM_INFINITY ? "unlimited" : std::to_string(limit.rlim_cur);
}

std::uintmax_t free_bytes(const std::string& folder) {
  std::error_code error;
  const fs::space_info space = fs::space(folder, error);
  return error ? 0 : space.available;
}

std::vector<LinkedLibrary> domain_libraries() {
  std::vector<LinkedLibrary> all;
  for (const Domain& domain : domains()) all.insert(all.end(), domain.libraries.begin(), domain.libraries.end());
  return all;
}

std::string libraries_text() {
  std::string text;
  for (const LinkedLibrary& library : domain_libraries())
    text += (text.empty() ? "" : ", ") + library.name + ' ' + library.version;
  for (const Library& library : libraries())
    text += (text.empty() ? "" : ", ") + library.name + ' ' +
            (library.running.empty() ? library.compiled : library.running);
  return text;
}

constexpr double kPeakSeconds = 0.1;

bool is_chosen() {
  const char* asked = std::getenv(kInstructionVariable.data());
  return asked != nullptr && *asked != '\0';
}

/// The inner loops there are, those that are used, and what their instructions can do at most.
std::string kernels_text() {
  std::string all;
  for (const InstructionSet set : instruction_sets()) all += (all.empty() ? "" : ", ") + std::string(name_of(set));
  const InstructionSet used = instruction_set();
  return concat(name_of(used), is_chosen() ? ", chosen by " : ", the widest here; others by ", kInstructionVariable,
                " (", all, "); peak ", std::lround(measured_fma_peak(used, kPeakSeconds)),
                " GFLOP/s a thread, measured now, in single precision");
}

Json kernels_json() {
  std::vector<std::string> all;
  for (const InstructionSet set : instruction_sets()) all.emplace_back(name_of(set));
  return JsonObject()
      .add("used", std::string(name_of(instruction_set())))
      .add("chosen", is_chosen())
      .add("available", json_texts(all))
      .add("peak_gflops", measured_fma_peak(instruction_set(), kPeakSeconds))
      .done();
}

std::string doctor_text(const std::string& folder, const std::vector<SelfTest>& tests) {
  const Build info = build();
  const Machine here = machine();
  std::string text =
      concat("fovea      ", info.version, ", commit ", info.commit, ", ", info.compiler, ", ", info.build_type,
             "\nflags      ", info.flags, "\nlibraries  ", libraries_text(), "\nmachine    ", here.host, ", ",
             here.kernel, "\ncpu        ", here.cpu, " (", here.instructions, ")\nkernels    ", kernels_text(),
             "\nprocessors ", here.processors, "\nmemory     ", bytes_text(static_cast<double>(here.memory_bytes)),
             "\ndisk       ", bytes_text(static_cast<double>(free_bytes(folder))), " free in ", folder,
             "\nlimits     open files ", limit_text(RLIMIT_NOFILE), ", address space ", limit_text(RLIMIT_AS),
             ", file size ", limit_text(RLIMIT_FSIZE), '\n');
  for (const LinkedLibrary& library : domain_libraries())
    if (!library.licence.empty()) text += concat("licence    ", library.name, ": ", library.licence, '\n');
  for (const SelfTest& test : tests)
    text += concat("self-test  ", test.name, ": ", test.problem.empty() ? "passed" : "FAILED: " + test.problem, " (",
                   duration_text(test.seconds), ")\n");
  return text;
}

std::string doctor_json(const std::string& folder, const std::vector<SelfTest>& tests) {
  const Build info = build();
  const Machine here = machine();
  std::vector<Json> items;
  for (const SelfTest& test : tests)
    items.push_back(
        JsonObject().add("name", test.name).add("good", test.problem.empty()).add("problem", test.problem).done());
  JsonObject object;
  object.add("version", info.version).add("commit", info.commit).add("compiler", info.compiler);
  object.add("flags", info.flags).add("build_type", info.build_type).add("libraries", libraries_text());
  JsonObject licences;
  for (const LinkedLibrary& library : domain_libraries()) licences.add(library.name, library.licence);
  object.add("licences", licences.done());
  object.add("host", here.host).add("kernel", here.kernel).add("cpu", here.cpu);
  object.add("instruction_sets", here.instructions).add("kernels", kernels_json());
  object.add("processors", here.processors);
  object.add("memory_bytes", here.memory_bytes).add("free_disk_bytes", free_bytes(folder)).add("folder", folder);
  object.add("self_tests", json_list(items));
  return object.done().text + '\n';
}

int doctor(const Arguments& arguments) {
  const std::string folder = arguments.positional.empty() ? "." : arguments.positional[0];
  if (!fs::is_directory(folder)) throw DataError(concat(folder, ": there is no such folder."));
  const std::vector<SelfTest> tests = {timed("hashing", hash_problem),
                                       timed("writing and reading a result", [&] { return file_problem(folder); })};
  const bool good = std::all_of(tests.begin(), tests.end(), [](const SelfTest& test) { return test.problem.empty(); });
  std::cout << (arguments.has("json") ? doctor_json(folder, tests) : doctor_text(folder, tests));
  return good ? kDone : kFailed;
}

int version(const Arguments& arguments) {
  const Build info = build();
  if (arguments.has("json")) {
    std::cout << JsonObject()
                     .add("version", info.version)
                     .add("commit", info.commit)
                     .add("compiler", info.compiler)
                     .done()
                     .text
              << '\n';
    return kDone;
  }
  std::cout << "fovea " << info.version << " (" << info.commit << ", " << info.compiler << ", " << info.build_type
            << ")\n";
  return kDone;
}

}  // namespace

std::vector<Command> machine_commands() {
  return {{"doctor",
           "test whether this build works on this machine",
           "[DIR]",
           0,
           1,
           {"fovea doctor", "fovea doctor /scratch --json"},
           {{"json", 0, "", "as one JSON object", false}},
           "DIR: the folder in which runs would be stored (default: the current one).",
           &doctor},
          {"version", "which build this is", "", 0, 0, {"fovea version", "fovea --version"}, {kJson}, "", &version}};
}

}  // namespace fovea::command
