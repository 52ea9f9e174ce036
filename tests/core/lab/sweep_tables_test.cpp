#include <utility>

#include "fovea/core/data/file/dataset_file.hpp"
#include "fovea/core/lab/directory/run_identity.hpp"
#include "fovea/core/lab/runner.hpp"
#include "fovea/core/lab/sweep.hpp"
#include "fovea/core/report/page_text.hpp"
#include "fovea/tests/support/runs/run.hpp"
#include "fovea/tests/support/test.hpp"

namespace fovea {
namespace {

/// Adds up the pushes of its list.
class Pushes final : public Experiment {
 public:
  std::string_view name() const override { return "test.pushes"; }
  std::string_view summary() const override { return "pushes, one after the other"; }
  int result_version() const override { return 1; }
  Schema schema() const override {
    return Schema()
        .integer("width", 1, Range::at_least(1), "", "of what is pushed")
        .tables("model.pushes",
                {{"named", "moves on too",
                  Schema().text("name", "", "its name").real("by", 1, Range::any(), "m", "how far")},
                 {"rest", "nothing happens", Schema()},
                 {"push", "moves on", Schema().real("by", 1, Range::any(), "m", "how far")}},
                "what happens");
  }
  void run(const Config& config, Inputs, const Random&, Results& results, Workbench&) const override {
    double place = 0;
    for (const ConfigTable& push : config.tables("model.pushes"))
      if (push.type() != "rest") place += push.real("by");
    results.scalar("place", place, "m", "where it ends");
  }
};

const std::string kPushes = "model.pushes=[{type=\"push\"},{type=\"rest\"},{type=\"push\",by=3}]";

std::string identity(const Config& config) {
  InputFiles inputs;
  return run_identity(Pushes(), config, inputs);
}

}  // namespace

TEST_CASE("a value inside of a list of tables is an axis of a sweep like any other", "[lab]") {
  const support::TemporaryFolder folder(support::memory_disk());
  RunOptions options;
  options.output = folder.path();
  const Config config = support::config_of(Pushes(), Overrides{{kPushes}, {"model.pushes.2.by=2,5,7"}, {}, {}});
  const RunSummary summary = run_experiment(Pushes(), config, "", options, silent_narrator());
  const Dataset data = read_dataset(summary.directory.result());
  CHECK(data.at("place").dimensions == std::vector<std::string>{"model_pushes_2_by", "seed"});
  CHECK(data.at("place").reals() == std::vector<double>{3, 6, 8});
  CHECK(data.at("model_pushes_2_by").units == "m");
  CHECK(data.at("model_pushes_2_by").reals() == std::vector<double>{2, 5, 7});
  const std::string& resolved = data.documents.at("resolved_toml");
  const std::vector<ConfigLine> lines = config_lines(resolved, data.documents.at("defaults_toml"));
  const auto line = [&](const std::string& key) {
    return *std::find_if(lines.begin(), lines.end(), [&](const ConfigLine& each) { return each.key == key; });
  };
  CHECK(line("model.pushes.0.type").value == "\"push\"");
  CHECK(line("model.pushes.2.by").value == "2.0, 5.0, 7.0");
  CHECK(line("model.pushes.2.by").swept);
}

TEST_CASE("a swept value of a table that has a name is called by it", "[lab]") {
  const support::TemporaryFolder folder(support::memory_disk());
  RunOptions options;
  options.output = folder.path();
  const std::string named = "model.pushes=[{type=\"named\",name=\"wind\"},{type=\"named\"},{type=\"push\"}]";
  for (const auto& [key, meaning] :
       {std::pair{"model.pushes.0.by", "wind"}, {"model.pushes.1.by", "how far"}, {"model.pushes.2.by", "how far"}}) {
    const Config config = support::config_of(Pushes(), Overrides{{named}, {concat(key, "=2,5")}, {}, {}});
    const RunSummary summary = run_experiment(Pushes(), config, "", options, silent_narrator());
    std::string axis = key;
    std::replace(axis.begin(), axis.end(), '.', '_');
    CHECK(read_dataset(summary.directory.result()).at(axis).long_name == meaning);
  }
}

TEST_CASE("a list of tables tells runs apart by its values and their order, not by how they are written", "[lab]") {
  const std::string as_it_is = identity(support::config_of(Pushes(), {kPushes}));
  CHECK(identity(support::config_of(
            Pushes(), {"model.pushes=[{by=1.0,type='push'},{type='rest'},{type='push',by=3.0}]"})) == as_it_is);
  CHECK(identity(support::config_of(Pushes(), {kPushes, "model.pushes.2.by=3"})) == as_it_is);
  std::set<std::string> others{as_it_is, identity(support::config_of(Pushes(), {}))};
  others.insert(identity(support::config_of(Pushes(), {kPushes, "model.pushes.2.by=4"})));
  others.insert(
      identity(support::config_of(Pushes(), {"model.pushes=[{type='rest'},{type='push'},{type='push',by=3}]"})));
  others.insert(identity(support::config_of(Pushes(), {"model.pushes=[{type='push'},{type='push',by=3}]"})));
  CHECK(others.size() == 5);
  CHECK(to_text(support::config_of(Pushes(), {kPushes}).value("model.pushes")) ==
        "[{type = \"push\", by = 1}, {type = \"rest\"}, {type = \"push\", by = 3}]");
}

}  // namespace fovea
