// Our side of scripts/bench: reads requests from the standard input, a line each, and answers each with a line.
//
//   prepare FIELDS      draws a problem (*problem.hpp), passes over it once                            ready pairs=
//   rows= write folder=PATH   writes its inputs for the other programs                                   ready run
//   seconds=S       passes over it for S seconds, once at least               time cpu= wall= repetitions= compare
//   file=PATH   against another program's answer, over the shorter length     difference max= largest= of=
//                       kind=float or double
//   peak seconds=S      the processor's own limit                                                  rate gflops=
//   memory              the most this process has held so far                                      memory megabytes=
//
// Says first what there is: `machine vectors=... compiler=...`. What fails is answered with `cannot REASON`.
// OMP_NUM_THREADS says how many threads, FOVEA_INSTRUCTIONS which kernels.

#include <sys/resource.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <iostream>
#include <memory>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/instruction_set.hpp"
#include "fovea/tests/benchmarks/ours/fma_peak.hpp"
#include "fovea/tests/benchmarks/ours/lag_kind_problem.hpp"
#include "fovea/tests/benchmarks/ours/lag_null_problem.hpp"
#include "fovea/tests/benchmarks/ours/lag_pair_problem.hpp"
#include "fovea/tests/benchmarks/ours/lag_problem.hpp"
#include "fovea/tests/benchmarks/ours/learning_problem.hpp"
#include "fovea/tests/benchmarks/ours/near_problem.hpp"
#include "fovea/tests/benchmarks/ours/opinion_problem.hpp"
#include "fovea/tests/benchmarks/ours/problem.hpp"

namespace {

using namespace fovea;
using namespace fovea::bench;

std::string prepare(const Request& request, std::unique_ptr<Work>& problem) {
  problem.reset();
  if (request.text("problem", "attention") == "learning")
    problem = std::make_unique<LearningProblem>(request);
  else if (request.text("problem", "attention") == "near")
    problem = std::make_unique<NearProblem>(request);
  else if (request.text("problem", "attention") == "opinion")
    problem = opinion_work(request);
  else if (request.text("problem", "attention") == "lag")
    problem = lag_work(request);
  else if (request.text("problem", "attention") == "lag_null")
    problem = lag_null_work(request);
  else if (request.text("problem", "attention") == "lag_kind")
    problem = lag_kind_work(request);
  else if (request.text("problem", "attention") == "lag_pair")
    problem = lag_pair_work(request);
  else
    problem = std::make_unique<Problem>(request);
  problem->run();
  return concat("ready pairs=", problem->pairs(), " rows=", problem->rows());
}

std::string run(Work& problem, double seconds) {
  const Cost cost = cost_of(seconds, [&] { problem.run(); });
  return concat("time cpu=", cost.processor, " wall=", cost.wall, " repetitions=", cost.repetitions);
}

template <typename Number>
std::string compare(const std::vector<Number>& ours, const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  require(file.good(), path, " cannot be read");
  double largest = 0, difference = 0;
  std::size_t compared = 0;
  for (Number theirs = 0; compared < ours.size() && file.read(reinterpret_cast<char*>(&theirs), sizeof theirs);) {
    const double error = std::abs(static_cast<double>(theirs) - static_cast<double>(ours[compared++]));
    difference = error <= difference ? difference : error;  // NaN stays
    largest = std::max(largest, static_cast<double>(std::abs(theirs)));
  }
  return concat("difference max=", difference, " largest=", largest, " of=", compared);
}

std::string memory() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return concat("memory megabytes=", static_cast<double>(usage.ru_maxrss) / 1024);
}

std::string answer_to(const Request& request, std::unique_ptr<Work>& problem) {
  const std::string& word = request.word();
  if (word == "prepare") return prepare(request, problem);
  if (word == "peak") return concat("rate gflops=", fma_peak_of_threads(request.number("seconds")));
  if (word == "memory") return memory();
  require(problem != nullptr, "'", word, "' before a problem is prepared");
  if (word == "run") return run(*problem, request.number("seconds"));
  if (word == "compare")
    return request.text("kind", "float") == "double" ? compare(problem->answer_in_double(), request.text("file"))
                                                     : compare(problem->answer(), request.text("file"));
  if (word == "exact") return concat("difference max=", problem->largest_error());
  require(word == "write", "there is no request '", word, "'");
  problem->write(request.text("folder"));
  return "ready";
}

std::string machine() {
#if defined(__clang__)
  const std::string compiler = concat("clang-", __clang_major__, ".", __clang_minor__);
#else
  const std::string compiler = concat("g++-", __GNUC__, ".", __GNUC_MINOR__);
#endif
  return concat("machine vectors=", name_of(instruction_set()), " compiler=", compiler);
}

}  // namespace

int main() {
  try {
    check_instruction_choice();
    std::cout << machine() << std::endl;
  } catch (const std::exception& error) {
    std::cout << "cannot " << error.what() << std::endl;
    return 2;
  }
  std::unique_ptr<Work> problem;
  for (std::string line; std::getline(std::cin, line);) {
    try {
      std::cout << answer_to(Request(line), problem) << std::endl;
    } catch (const std::exception& error) {
      std::cout << "cannot " << error.what() << std::endl;
    }
  }
  return 0;
}
