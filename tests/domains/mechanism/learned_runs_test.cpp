/// The statements that learn, in tiny: the same bits for any number of threads, and after a stop.

#include "fovea/core/config/config.hpp"
#include "fovea/core/data/dataset_merge.hpp"
#include "fovea/domains/mechanism/experiments.hpp"
#include "fovea/tests/support/runs/bench.hpp"
#include "fovea/tests/support/runs/run.hpp"
#include "fovea/tests/support/test.hpp"

using namespace fovea::mechanism;

namespace {

struct TinyRun {
  std::unique_ptr<Experiment> experiment;
  std::string toml;
};

std::vector<TinyRun> tiny_runs() {
  std::vector<TinyRun> all;
  all.push_back({statements::make_alignment(),
                 "[sentences]\ntraining = 30\nvalidation = 10\ntest = 70\nlongest = 7\n[model]\nwidth = 8\nhidden = 8\n"
                 "[training]\nepochs = 2\nbatch = 200\n"});
  all.push_back({statements::make_explanation(),
                 "explained = 4\nsteps = 8\n[reviews]\ntraining = 40\nvalidation = 10\ntest = 20\nwords = 6\n[model]\n"
                 "width = 4\nhidden = 4\n[training]\nepochs = 2\nbatch = 16\n"});
  all.push_back(
      {statements::make_confounder(),
       "heads = 2\n[steps]\ntraining = 60\nvalidation = 20\ntest = 40\n[training]\nepochs = 2\nbatch = 32\n"});
  return all;
}

Results run_of(const TinyRun& tiny, Workbench& bench) {
  const Config config = support::config_of(*tiny.experiment, tiny.toml);
  Results point;
  tiny.experiment->run(config, {}, Random(3), point, bench);
  return point;
}

/// Of one point and of what two of it conclude.
std::string hash_of(const TinyRun& tiny, Results point) {
  Results merged = merge_results({{"seed", std::vector<std::int64_t>{1, 2}, "1", "seed"}}, {&point, &point});
  tiny.experiment->conclude(merged);
  merged.data.documents["presentation"] = merged.presentation();
  return content_hash(merged.data);
}

}  // namespace

TEST_CASE("statements that learn have the same bits with 1, 2 and 3 threads", "[mechanism][threads]") {
  const int before = omp_get_max_threads();
  for (const TinyRun& tiny : tiny_runs()) DYNAMIC_SECTION(tiny.experiment->name()) {
      std::vector<std::string> hashes;
      for (const int threads : {1, 2, 3}) {
        omp_set_num_threads(threads);
        hashes.push_back(hash_of(tiny, run_of(tiny, *plain_workbench())));
      }
      CHECK(hashes == std::vector<std::string>(3, hashes[0]));
    }
  omp_set_num_threads(before);
}

TEST_CASE("a statement that is stopped while it learns goes on to the same bits", "[mechanism]") {
  for (const TinyRun& tiny : tiny_runs()) DYNAMIC_SECTION(tiny.experiment->name()) {
      const std::string straight = hash_of(tiny, run_of(tiny, *plain_workbench()));
      for (const int stop : {1, 6, 11}) {  // in the first, and in a later training
        support::StoppingBench bench(stop);
        CHECK_THROWS_AS(run_of(tiny, bench), Interrupted);
        bench.begin_again();
        CHECK(hash_of(tiny, run_of(tiny, bench)) == straight);
      }
    }
}
