/// The statements themselves: they hold in small, do not depend on threads, and a broken engine would be noticed.

#include "fovea/core/config/config.hpp"
#include "fovea/core/data/dataset_merge.hpp"
#include "fovea/domains/mechanism/experiments.hpp"
#include "fovea/tests/support/runs/run.hpp"
#include "fovea/tests/support/test.hpp"

using namespace fovea::mechanism;

namespace {

/// An experiment in small, five seeds, concluded.
Results small(const Experiment& experiment, const std::string& toml) {
  return support::swept_run_of(experiment, toml, 5);
}

struct Statement {
  std::unique_ptr<Experiment> experiment;
  std::string toml;
};

std::vector<Statement> small_statements() {
  std::vector<Statement> all;
  all.push_back({statements::make_scaling(), "dimensions = [16, 64, 256]\nqueries = 64\n"});
  all.push_back({statements::make_kernel_smoothing(), "keys = 50\n"});
  all.push_back({statements::make_maximum_entropy(), "keys = 20\ntries = 20\n"});
  all.push_back({statements::make_hijacking(), "keys = 40\n"});
  all.push_back({statements::make_cost(), "tokens = [512, 1024, 2048]\nleast_seconds = 0.0\n"});
  return all;
}

}  // namespace

TEST_CASE("every statement holds in small, with five seeds", "[mechanism]") {
  for (const Statement& statement : small_statements()) DYNAMIC_SECTION(statement.experiment->name()) {
      const Results merged = small(*statement.experiment, statement.toml);
      REQUIRE(!merged.checks().empty());
      for (const Check& check : merged.checks()) {
        INFO(check.name << ": measured " << check.measured << ", predicted " << check.predicted);
        CHECK(check.holds());
        CHECK(!check.source.empty());
      }
      CHECK(!merged.figures().empty());
      CHECK(merged.verdict().find("hold") != std::string::npos);
    }
}

TEST_CASE("statements have the same bits with 1, 2 and 3 threads", "[mechanism][threads][long]") {
  const int before = omp_get_max_threads();
  for (const Statement& statement : small_statements()) DYNAMIC_SECTION(statement.experiment->name()) {
      std::vector<std::string> hashes;
      for (const int threads : {1, 2, 3}) {
        omp_set_num_threads(threads);
        Results merged = small(*statement.experiment, statement.toml);
        merged.data.documents["presentation"] = merged.presentation();
        hashes.push_back(content_hash(merged.data));
      }
      CHECK(hashes == std::vector<std::string>(3, hashes[0]));
    }
  omp_set_num_threads(before);
}

TEST_CASE("what an attack costs the defended does not depend on the attacker's norm", "[mechanism]") {
  const Results merged = small(*statements::make_hijacking(), "key_norms = [4.0, 1000.0]\nshared = 8.0\n");
  const std::vector<double> success = merged.data.at("attack_success").reals();  // seed, defence, norm
  for (std::size_t seed = 0; seed < 5; ++seed) {
    CHECK(success[6 * seed + 1] > 0.999);
    for (const std::size_t defence : {1U, 2U})
      CHECK(std::abs(success[6 * seed + 2 * defence] - success[6 * seed + 2 * defence + 1]) < 1e-12);
  }
}

TEST_CASE("the work that is counted is what the patterns leave", "[mechanism]") {
  const Results merged = small(*statements::make_cost(), "tokens = [256, 1024]\nneighbours = 5\nleast_seconds = 0.0\n");
  const std::vector<double> pairs = merged.data.at("visited_pairs").reals();  // seed, pattern, tokens
  for (const double tokens : {256.0, 1024.0}) {
    const std::size_t place = tokens == 256.0 ? 0 : 1;
    CHECK(pairs[place] == tokens * tokens);
    CHECK(pairs[2 + place] >= tokens * 65 - 32 * 33);  // a window of 32 on either side, cut off at both ends
    CHECK(pairs[2 + place] < tokens * (65 + 64));
    CHECK(pairs[6 + place] == 5 * tokens);
  }
  REQUIRE(merged.machine() != nullptr);
  CHECK(merged.machine()->data.at("seconds").reals().size() == pairs.size());
  for (const double seconds : merged.machine()->data.at("seconds").reals()) CHECK(seconds > 0);
}
