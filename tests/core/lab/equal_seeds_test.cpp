/// Where nothing is drawn from a seed, the points of other seeds are copies; where something is, they are computed.

#include "fovea/core/base/machine/drawn.hpp"
#include "fovea/core/base/random.hpp"
#include "fovea/core/base/storage.hpp"
#include "fovea/core/lab/runner.hpp"
#include "fovea/core/lab/sweep/sweep_points.hpp"
#include "fovea/tests/support/runs/run.hpp"
#include "fovea/tests/support/test.hpp"
#include "fovea/tests/support/toy_experiment.hpp"

namespace fovea {
namespace {

/// steps * speed, and where `noise` is set a drawn number more.
class StillExperiment final : public Experiment {
 public:
  std::string_view name() const override { return "test.still"; }
  std::string_view summary() const override { return "a product"; }
  int result_version() const override { return 1; }
  Schema schema() const override {
    Schema schema;
    schema.real("speed", 0.5, Range::any(), "m", "mean step");
    schema.flag("noise", false, "whether anything is drawn");
    return schema;
  }
  void run(const Config& config, Inputs, const Random& random, Results& results, Workbench& bench) const override {
    ++runs;
    const auto state = bench.restored();
    double last = config.real("speed") * 3;
    if (config.flag("noise")) last += random.stream("noise").normal(1);
    results.scalar("last", last, "m", "last position");
    results.headline({.variable = "last", .label = "End"});
  }
  mutable std::atomic<int> runs{0};
};

RunSummary sweep_in(const std::string& folder, const StillExperiment& still, Overrides given, bool force = false) {
  RunOptions options;
  options.output = folder;
  options.threads = options.jobs = 1;
  options.force = force;
  return run_experiment(still, support::config_of(still, support::Changes(given)), "", options, silent_narrator());
}

Overrides overrides(const std::vector<std::string>& set, const std::string& seed, const std::vector<std::string>& grid,
                    std::int64_t seeds) {
  Overrides given;
  given.set = set;
  given.seed = std::stoull(seed);
  given.grid = grid;
  if (seeds > 0) given.seeds = seeds;
  return given;
}

}  // namespace

TEST_CASE("what is drawn from a seed is known, and nothing else", "[random]") {
  CHECK_FALSE(drawn_from(9001));
  const Random random(9001);
  const Random stream = random.stream("a");
  CHECK_FALSE(drawn_from(9001));
  stream.uniform(1);
  CHECK(drawn_from(9001));
  CHECK_FALSE(drawn_from(9002));
  std::vector<double> numbers(3);
  Random(9003).normals(0, 0, numbers);
  CHECK(drawn_from(9003));
}

TEST_CASE("seeds from which nothing is drawn are computed once, with the bytes of each", "[lab]") {
  const TemporaryFolder folder(support::memory_disk());
  const StillExperiment still;
  const RunSummary swept = sweep_in(folder.path() + "/swept", still, overrides({}, "9020", {"speed=1,2"}, 4));
  CHECK(still.runs == 2);
  CHECK(swept.results.data.at("last").reals() == std::vector<double>{3, 3, 3, 3, 6, 6, 6, 6});
  const StillExperiment again;
  std::vector<std::string> copies, computed;
  for (const std::string& name : names_in(Place(swept.directory.path()) / "points"))
    copies.push_back(read_file((Place(swept.directory.path()) / "points") / name / "result.h5"));
  for (const char* seed : {"9020", "9021", "9022", "9023"})
    for (const char* speed : {"speed=1", "speed=2"}) {
      const RunSummary alone = sweep_in(folder.path() + "/alone", again, overrides({speed}, seed, {}, 0));
      computed.push_back(read_file(alone.directory.result()));
    }
  std::sort(copies.begin(), copies.end());
  std::sort(computed.begin(), computed.end());
  CHECK(again.runs == 8);
  CHECK(copies == computed);
}

TEST_CASE("seeds from which something is drawn are all computed", "[lab]") {
  const TemporaryFolder folder(support::memory_disk());
  const StillExperiment still;
  const RunSummary noisy = sweep_in(folder.path(), still, overrides({"noise=true"}, "9040", {}, 3));
  CHECK(still.runs == 3);
  const std::vector<double> values = noisy.results.data.at("last").reals();
  CHECK(std::set<double>(values.begin(), values.end()).size() == 3);
  const StillExperiment after;  // a draw at one place makes no claim for another place of the same seed
  sweep_in(folder.path(), after, overrides({}, "9040", {}, 3));
  CHECK(after.runs == 3);
}

TEST_CASE("a sweep has a table of its points with keys, seeds, headlines and states", "[lab][figures]") {
  const TemporaryFolder folder(support::memory_disk());
  const support::ToyExperiment toy;
  RunOptions options;
  options.output = folder.path();
  options.threads = options.jobs = 1;
  const RunSummary summary = run_experiment(toy, support::swept_config_of(toy, {"speed=1,2", "fails=false,true"}, 3),
                                            "", options, silent_narrator());
  const Results shown = with_sweep_points(summary.results);
  const Figure& table = shown.figures().back();
  CHECK(table.kind == "table");
  CHECK(table.variables ==
        std::vector<std::string>{"point_speed", "point_fails", "point_seeds", "point_last", "point_state"});
  CHECK(shown.data.at("point_speed").reals() == std::vector<double>{1, 1, 2, 2});
  CHECK(std::get<std::vector<std::int64_t>>(shown.data.at("point_seeds").values) ==
        std::vector<std::int64_t>{3, 0, 3, 0});
  CHECK(std::get<std::vector<std::string>>(shown.data.at("point_state").values) ==
        std::vector<std::string>{"finished", "failed", "finished", "failed"});
  CHECK(shown.data.at("point_last_error").reals()[0] > 0);
  CHECK(table.caption.starts_with("Means over those of the 3 seeds that gave a value. Errors: the larger of"));
  const std::string page = read_file(summary.directory.report());
  CHECK(page.find("Points of the sweep") != std::string::npos);
  CHECK_FALSE(summary.results.data.has("point_speed"));  // the result file does not have it
  const StillExperiment still;
  const Results equal =
      with_sweep_points(sweep_in(folder.path(), still, overrides({}, "9060", {"speed=1,2"}, 2)).results);
  CHECK(equal.figures().back().caption == "The 2 seeds of each point gave the same values. ");
  CHECK(equal.figures().front().caption == "2 seeds, all with the same values; hence no band.");
  const Results seeds = with_sweep_points(sweep_in(folder.path(), still, overrides({}, "9070", {}, 2)).results);
  CHECK(seeds.figures().back().variables == std::vector<std::string>{"point_seed", "point_last", "point_state"});
  Results single;
  single.scalar("a", 1, "1", "a");
  single.headline({.variable = "a", .label = "A"});
  CHECK(with_sweep_points(single).figures().empty());
}

}  // namespace fovea
