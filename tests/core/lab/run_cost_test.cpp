#include <chrono>
#include <thread>

#include "fovea/core/lab/cost/run_cost.hpp"
#include "fovea/core/lab/progress.hpp"
#include "fovea/core/lab/runner.hpp"
#include "fovea/tests/support/runs/run.hpp"
#include "fovea/tests/support/test.hpp"
#include "fovea/tests/support/toy_experiment.hpp"

namespace fovea {
namespace {

class Listener final : public Narrator {
 public:
  void say(const std::string& sentence) override { said += sentence; }
  void progress(const Progress&) override {}
  void detail(const std::string&) override {}
  std::string said;
};

/// What a run says before it begins; on one thread, so that points follow each other.
std::string announced(const RunCost& expected, const Config& config, std::optional<double> longest = {}) {
  const TemporaryFolder folder;
  support::ToyExperiment toy;
  toy.expected = expected;
  RunOptions options;
  options.output = folder.path();
  options.threads = 1;
  options.longest = longest;
  Listener listener;
  run_experiment(toy, config, "as given\n", options, listener);
  return listener.said;
}

}  // namespace

TEST_CASE("a run of a minute and more, or of much memory, is announced", "[lab][cost]") {
  constexpr double kLeft = 20e9;
  const auto said = [](double least, double most, double bytes) { return cost_sentence({least, most, bytes}, kLeft); };
  CHECK(said(0, 0, 0).empty());
  CHECK(said(50, 59, 4e9).empty());
  CHECK(said(59, 61, 0) == "The whole run is expected to take about 60 s.");
  CHECK(said(240, 240, 1.2e9) == "The whole run is expected to take about 4 min and 1.2 GB of memory.");
  CHECK(said(20, 480, 0) == "The whole run is expected to take 20 s to 8 min.");
  CHECK(said(9000, 9000, 0) == "The whole run is expected to take about 2.5 h.");
  CHECK(said(9e6, 9e6, 0) == "The whole run is expected to take about 104 days.");
  CHECK(said(9e14, 9e14, 0) == "The whole run is expected to take about 2.85e+07 years.");
  CHECK(said(1, 1, 6e9) == "The whole run is expected to take about 1 s and 6 GB of memory.");
  CHECK(said(0, 0, 6e9) == "The whole run is expected to take 6 GB of memory.");
  CHECK_THROWS_WITH(said(1, 1, 30e9),
                    "the run needs about 30 GB of memory, but only 20 GB are left to this process; make it smaller, "
                    "use fewer --jobs, or raise the limit.");
}

TEST_CASE("the cost of a sweep is that of its points, and what does not fit is refused before it begins",
          "[lab][cost]") {
  const support::ToyExperiment toy;
  const Config one = support::config_of(toy);
  Config many = one;
  many.seed_count = 40;
  resolve_seed(many, 1);
  CHECK(announced({100, 100, 0}, one) == "The whole run is expected to take about 1.7 min.");
  CHECK(announced({10, 10, 0}, one).empty());
  CHECK(announced({9, 9, 0}, many) == "The whole run is expected to take about 6 min.");
  CHECK(!announced({100, 5000, 0}, one, 3600).empty());  // it may be faster than that
  CHECK_THROWS_WITH(announced({3700, 5000, 0}, one, 3600),
                    Catch::StartsWith("not begun, since it is expected to take more than an hour"));
  CHECK_THROWS_WITH(announced({0, 0, 1e15}, one), Catch::StartsWith("the run needs about 1e+06 GB of memory"));
}

TEST_CASE("what reports no progress is still told of, once a second", "[lab]") {
  class Counter final : public Narrator {
   public:
    void say(const std::string&) override {}
    void progress(const Progress& now) override { ++calls, elapsed = now.elapsed_seconds; }
    void detail(const std::string&) override {}
    int calls = 0;
    double elapsed = 0;
  } counter;
  {
    const ProgressMeter meter(counter, 3, 0);
    std::this_thread::sleep_for(std::chrono::milliseconds(1500));
  }
  CHECK(counter.calls == 1);
  CHECK(counter.elapsed >= 1);
}

}  // namespace fovea
