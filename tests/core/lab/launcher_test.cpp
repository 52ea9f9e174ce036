#include "fovea/core/lab/cluster/launcher.hpp"

#include <map>

#include "fovea/core/lab/arguments.hpp"
#include "fovea/tests/support/test.hpp"

namespace fovea {

namespace {

using Variables = std::map<std::string, std::string>;

std::string shard(const std::string& text, const Variables& variables = {}) {
  const ShardOf found = shard_of(text, [&](const char* name) {
    const auto at = variables.find(name);
    return at == variables.end() ? nullptr : at->second.c_str();
  });
  return std::to_string(found.index) + '/' + std::to_string(found.count);
}

const Variables kSlurm{{"SLURM_ARRAY_TASK_ID", "7"},
                       {"SLURM_ARRAY_TASK_MIN", "3"},
                       {"SLURM_ARRAY_TASK_MAX", "11"},
                       {"SLURM_ARRAY_TASK_STEP", "2"}};

Variables with(Variables variables, const Variables& more) {
  variables.insert(more.begin(), more.end());
  return variables;
}

}  // namespace

TEST_CASE("a shard is what --shard names", "[lab][fast]") {
  CHECK(shard("1/1") == "1/1");
  CHECK(shard("40/40") == "40/40");
  for (const char* wrong :
       {"", "0/4", "5/4", "2", "a/4", "2/4x", "2/", "/4", "-1/4", "auto/", "auto/0", "automatic", "1/99999999"})
    CHECK_THROWS_AS(shard(wrong, kSlurm), UsageError);
}

TEST_CASE("a shard is read from what launchers set", "[lab][fast]") {
  CHECK(shard("auto", kSlurm) == "3/5");
  CHECK(shard("auto",
              {{"SGE_TASK_ID", "4"}, {"SGE_TASK_FIRST", "1"}, {"SGE_TASK_LAST", "10"}, {"SGE_TASK_STEPSIZE", "1"}}) ==
        "4/10");
  CHECK(shard("auto", {{"SLURM_PROCID", "0"}, {"SLURM_NTASKS", "64"}, {"SLURM_STEP_ID", "0"}}) == "1/64");
  CHECK(shard("auto", {{"OMPI_COMM_WORLD_RANK", "3"}, {"OMPI_COMM_WORLD_SIZE", "4"}}) == "4/4");
  CHECK(shard("auto", {{"PMI_RANK", "1"}, {"PMI_SIZE", "2"}}) == "2/2");
  // mpirun's daemons are processes of srun: their numbers are not those of its processes
  CHECK(shard("auto", {{"OMPI_COMM_WORLD_RANK", "3"},
                       {"OMPI_COMM_WORLD_SIZE", "4"},
                       {"SLURM_PROCID", "0"},
                       {"SLURM_NTASKS", "2"}}) == "4/4");
  // a script that asked for four tasks is not one of them
  CHECK(shard("auto", with(kSlurm, {{"SLURM_PROCID", "0"}, {"SLURM_NTASKS", "4"}})) == "3/5");
  // steps of an array: (3 - 1) 4 + 2 of 5 * 4
  CHECK(shard("auto", with(kSlurm, {{"SLURM_PROCID", "1"}, {"SLURM_NTASKS", "4"}, {"SLURM_STEP_ID", "2"}})) == "10/20");
}

TEST_CASE("an array that does not tell its length needs it, counted from 0 or 1", "[lab][fast]") {
  CHECK_THROWS_WITH(shard("auto", {{"PBS_ARRAY_INDEX", "7"}}), Catch::Contains("--shard auto/40"));
  CHECK(shard("auto/40", {{"PBS_ARRAY_INDEX", "7"}}) == "7/40");
  CHECK(shard("auto/40", {{"PBS_ARRAY_INDEX", "0"}}) == "40/40");  // of 0 to 39
  CHECK(shard("auto/40", {{"LSB_JOBINDEX", "40"}}) == "40/40");
  CHECK_THROWS_WITH(shard("auto/40", {{"LSB_JOBINDEX", "0"}}), Catch::Contains("no number of a task"));
  CHECK_THROWS_WITH(shard("auto", {{"SGE_TASK_ID", "undefined"}}), Catch::Contains("neither a task"));
  CHECK_THROWS_WITH(shard("auto"), Catch::Contains("neither a task"));
}

}  // namespace fovea
