#pragma once
/// Opinion experiments from a config's text to concluded results, for tests.

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "fovea/core/base/error.hpp"
#include "fovea/core/lab/experiment.hpp"

namespace fovea::support {

/// Keeps every state; gives one back at the start.
class DiaryBench : public Workbench {
 public:
  explicit DiaryBench(std::optional<Dataset> start = {}) : start_(std::move(start)) {}
  std::optional<Dataset> restored() override { return start_; }
  void checkpoint(const std::function<Dataset()>& state) override { kept.push_back(state()); }
  void progress(double fraction) override { latest = fraction; }
  void log(const std::string&) override {}
  std::vector<Dataset> kept;
  double latest = 0;

 private:
  std::optional<Dataset> start_;
};

/// The config of `experiment` with this text, seed 1.
inline Config config_of(const std::string& experiment, const Schema& schema, const std::string& toml) {
  return parse_config("experiment = \"" + experiment + "\"\nseed = 1\n" + toml, "test.toml", ".",
                      [&](std::string_view) { return &schema; }, {experiment}, {});
}

/// What a check complains about, a line each.
inline std::string complaints_of(void (*check)(const Config&, Complaints&), const Config& config) {
  Complaints complaints;
  check(config, complaints);
  std::string all;
  for (const std::string& line : complaints.lines()) all += line + '\n';
  return all;
}

/// Inputs checked, run and concluded, with the page's text as the document `presentation`.
inline Results whole_run(const Experiment& experiment, const Config& config, std::uint64_t seed, Workbench& bench) {
  Results results;
  const Inputs inputs = experiment.open(config);
  if (!inputs.empty()) experiment.check_inputs(config, inputs);
  experiment.run(config, inputs, Random(seed), results, bench);
  experiment.conclude(results);
  results.data.documents["presentation"] = results.presentation();
  return results;
}

}  // namespace fovea::support
