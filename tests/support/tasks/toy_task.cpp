#include "fovea/tests/support/tasks/toy_task.hpp"

#include <cmath>

#include "fovea/core/base/error.hpp"
#include "fovea/datasets/cases/case_file.hpp"

namespace fovea::support {

namespace {

/// Readings are normal; the log odds of the target are 3 times their mean with weights exp(-age in hours).
study::Cases simulated(Index count, bool by_chance, const Random& random) {
  study::Cases cases;
  cases.features = {{"reading", "mV", {}}, {"quality", "1", {}}};
  cases.time_unit = "h";
  std::vector<float> values;
  for (Index b = 0; b < count; ++b) {
    const auto entity = static_cast<std::uint64_t>(b);
    const auto tokens = 3 + static_cast<Index>(6 * random.uniform(entity, 0));
    double sum = 0, weights = 0;
    for (Index i = 0; i < tokens; ++i) {
      const auto step = static_cast<std::uint64_t>(3 * i + 1);
      const double age = static_cast<double>(tokens - 1 - i), reading = random.normal(entity, step);
      sum += std::exp(-age) * reading, weights += std::exp(-age);
      values.push_back(static_cast<float>(reading));
      values.push_back(random.uniform(entity, step + 1) < 0.1 ? NAN
                                                              : static_cast<float>(random.normal(entity, step + 2)));
      cases.times.push_back(static_cast<double>(i));
    }
    cases.offsets.push_back(cases.tokens() + tokens);
    const double odds = by_chance ? 0 : 3 * sum / weights;
    cases.targets.push_back(random.uniform(entity, 1000) < 1 / (1 + std::exp(-odds)) ? 1 : 0);
    cases.ids.push_back(concat("case ", b + 1));
    cases.groups.push_back(concat("subject ", b / 2 + 1));
  }
  cases.values = Eigen::Map<Matrix<float>>(values.data(), cases.tokens(), 2);
  return cases;
}

class Toy : public study::LearnedTask {
 public:
  std::string_view name() const override { return "toy.rise"; }
  std::string_view summary() const override { return "do the recent readings of a case rise?"; }
  int result_version() const override { return 1; }
  void keys(Schema& schema) const override {
    schema.file("data.file", "CSV of readings; empty: cases are simulated");
    schema.integer("data.cases", 400, Range::between(10, 1e7), "", "simulated cases");
    schema.flag("data.by_chance", false, "targets that nothing predicts");
  }
  study::Target target(const Config&) const override { return {.name = "rise", .classes = {"falls", "rises"}}; }
  std::unique_ptr<study::CaseReader> open(const Config& config, const Random& random) const override {
    if (!config.text("data.file").empty()) return datasets::cases::read_case_file(config.text("data.file"));
    return study::reader_of(simulated(config.integer("data.cases"), config.flag("data.by_chance"), random));
  }
};

}  // namespace

std::unique_ptr<study::LearnedTask> toy_task() { return std::make_unique<Toy>(); }

}  // namespace fovea::support
