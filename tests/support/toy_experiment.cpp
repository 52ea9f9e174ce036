#include "fovea/tests/support/toy_experiment.hpp"

#include "fovea/core/base/error.hpp"
#include "fovea/core/data/archive.hpp"

namespace fovea::support {

Schema ToyExperiment::schema() const {
  Schema schema;
  schema.integer("steps", 5, Range::between(1, 1000), "", "steps of the walk");
  schema.real("speed", 0.5, Range::any(), "m", "mean step");
  schema.flag("fails", false, "whether the run ends in an error");
  schema.file("input", "a file whose length is added to the last position");
  return schema;
}

void ToyExperiment::check(const Config& config, Complaints& complaints) const {
  if (config.real("speed") > 100 && config.integer("steps") > 100)
    complaints.add(config.source("speed"), "speed > 100 allows at most 100 steps.");
}

void ToyExperiment::run(const Config& config, Inputs, const Random& random, Results& results, Workbench& bench) const {
  ++runs;
  if (config.flag("fails")) throw DataError("walk: told to fail.");
  std::int64_t step = 0;
  std::vector<double> path = {0.0};
  const auto visit = [&](const Archive& archive) {
    archive("step", step);
    archive("path", path);
  };
  if (const auto state = bench.restored()) restore_state(*state, visit);
  for (; step < config.integer("steps");) {
    before_step(steps_taken++);
    path.push_back(path.back() + config.real("speed") + random.normal(static_cast<std::uint64_t>(step)));
    ++step;
    bench.progress(static_cast<double>(step) / static_cast<double>(config.integer("steps")));
    bench.checkpoint([&] { return saved_state(visit); });
  }
  std::vector<std::int64_t> times(path.size());
  for (std::size_t i = 0; i < times.size(); ++i) times[i] = static_cast<std::int64_t>(i);
  results.coordinate("time", times, "s", "time");
  results.add("path", {"time"}, path, "m", "position");
  results.scalar("last", path.back() + static_cast<double>(config.text("input").size()), "m", "last position");
  results.check({"starts_at_0", "where the walk starts", "the definition", 0.0, path.front(), absolute(0.0)});
  results.headline({.variable = "last", .label = "last position", .meaning = "where the walk ends"});
}

void ToyExperiment::conclude(Results& merged) const { merged.verdict("walked."); }

}  // namespace fovea::support
