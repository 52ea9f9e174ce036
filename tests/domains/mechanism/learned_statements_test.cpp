/// The statements that are learned: the same bits with any number of threads, and after being stopped and going on.

#include "fovea/core/config/config.hpp"
#include "fovea/core/data/dataset_merge.hpp"
#include "fovea/core/lab/workbench.hpp"
#include "fovea/domains/mechanism/experiments.hpp"
#include "fovea/tests/support/runs/bench.hpp"
#include "fovea/tests/support/runs/run.hpp"
#include "fovea/tests/support/test.hpp"

using namespace fovea::mechanism;

namespace {

struct LearnedStatement {
  std::unique_ptr<Experiment> experiment;
  std::string toml;
};

std::vector<LearnedStatement> learned_statements() {
  const std::string few = "training_examples = 200\nvalidation_examples = 20\ntest_examples = 100\nepochs = 2\n";
  std::vector<LearnedStatement> all;
  all.push_back({statements::make_heads(), few + "looked_at = 5\n"});
  all.push_back({statements::make_long_range(),
                 "delays = [3, 6, 12]\nalone_delays = [3, 6, 12]\ngradient_steps = [3, 6, 12]\ntraining_tokens = 600\n"
                 "training_examples = 40\nvalidation_each = 2\ntest_each = 5\nepochs = 2\nbatch_tokens = "
                 "400\nforgetting_steps = 100\n"});
  all.push_back({statements::make_masks(), few + "looked_at = 5\nchanges = 5\n"});
  all.push_back({statements::make_position(), few + "permuted_sets = 3\nencodings = [\"none\", \"relative\"]\n"});
  return all;
}

std::string hash_of(const LearnedStatement& statement, const Config& config, Workbench& bench) {
  Results point;
  statement.experiment->run(config, {}, Random(3), point, bench);
  Results merged = merge_results({{"seed", std::vector<std::int64_t>{3}, "1", "seed"}}, {&point});
  statement.experiment->conclude(merged);
  merged.data.documents["presentation"] = merged.presentation();
  return content_hash(merged.data);
}

}  // namespace

TEST_CASE("learned statements have the same bits with 1, 2 and 3 threads", "[mechanism][threads][long]") {
  const int before = omp_get_max_threads();
  for (const LearnedStatement& statement : learned_statements()) DYNAMIC_SECTION(statement.experiment->name()) {
      const Config config = support::config_of(*statement.experiment, statement.toml);
      std::vector<std::string> hashes;
      for (const int threads : {1, 2, 3}) {
        omp_set_num_threads(threads);
        hashes.push_back(hash_of(statement, config, *plain_workbench()));
      }
      CHECK(hashes == std::vector<std::string>(3, hashes[0]));
    }
  omp_set_num_threads(before);
}

TEST_CASE("learned statements that are stopped in any training go on to the same bits", "[mechanism][resume]") {
  for (const LearnedStatement& statement : learned_statements()) DYNAMIC_SECTION(statement.experiment->name()) {
      const Config config = support::config_of(*statement.experiment, statement.toml);
      const std::string straight = hash_of(statement, config, *plain_workbench());
      for (const int at : {1, 6}) {  // the first and, with two epochs of few steps, a later training
        support::StoppingBench bench(at);
        CHECK_THROWS_AS(hash_of(statement, config, bench), Interrupted);
        CHECK(hash_of(statement, config, bench) == straight);
      }
    }
}

TEST_CASE("configs that cannot be compared are refused", "[mechanism][config]") {
  const auto refused = [](const Experiment& experiment, const std::string& toml) {
    return !support::complaints_of(experiment, support::config_of(experiment, toml)).empty();
  };
  CHECK(!refused(*statements::make_heads(), ""));
  CHECK(refused(*statements::make_heads(), "heads = [2, 4]\n"));
  CHECK(refused(*statements::make_heads(), "width = 30\n"));
  CHECK(refused(*statements::make_heads(), "offset = 16\n"));
  CHECK(!refused(*statements::make_position(), ""));
  CHECK(refused(*statements::make_position(), "encodings = [\"relative\", \"none\"]\n"));
  CHECK(refused(*statements::make_position(), "encodings = [\"none\", \"sinus\"]\n"));
  CHECK(refused(*statements::make_position(), "gap = 0.5\n"));
  CHECK(refused(*statements::make_position(), "width = 18\n"));
  CHECK(!refused(*statements::make_masks(), ""));
  CHECK(refused(*statements::make_masks(), "width = 15\n"));
  CHECK(!refused(*statements::make_long_range(), ""));
  CHECK(refused(*statements::make_long_range(), "delays = [10, 10, 30]\n"));
}
