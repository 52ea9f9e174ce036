/// The experiment "ehr.mortality": the risk of an outcome from dated events, and how long each variable matters.
///
/// Besides what every study writes (core/study): over class, half_life with half_life_low and half_life_high,
/// measuring_gap, memory, source.

#include <array>
#include <cmath>

#include "fovea/core/base/missing.hpp"
#include "fovea/domains/ehr/experiments.hpp"
#include "fovea/domains/ehr/model/heads_model.hpp"
#include "fovea/domains/ehr/record/keys.hpp"
#include "fovea/domains/ehr/risk/contributions.hpp"
#include "fovea/domains/ehr/risk/examined.hpp"
#include "fovea/domains/ehr/risk/half_lives.hpp"

namespace fovea::ehr::risk {

namespace {

study::Predictions some_rows(const study::Predictions& all, const std::vector<Index>& rows) {
  study::Predictions some;
  some.mean = all.mean(rows, Eigen::all);
  some.spread = all.spread(rows, Eigen::all);
  return some;
}

/// The tested cases whose outcome is known.
Examined examined_of(const study::StudyOutcome& outcome) {
  Examined examined{outcome.target, outcome.cases, {}, {}, {}, {}, {}};
  std::vector<Index> rows;
  const std::vector<Index> groups = study::group_numbers(outcome.cases);
  for (std::size_t k = 0; k < outcome.split.test.size(); ++k) {
    if (std::isnan(outcome.test_targets[k])) continue;
    rows.push_back(static_cast<Index>(k));
    examined.items.push_back(outcome.split.test[k]);
    examined.outcomes.push_back(outcome.test_targets[k]);
    examined.groups.push_back(groups[static_cast<std::size_t>(outcome.split.test[k])]);
  }
  examined.risks = some_rows(outcome.predictions, rows);
  examined.risks_at = [&outcome, rows](double at) {
    const std::array times{at};
    return some_rows(outcome.predicted(outcome.outputs(times)), rows);
  };
  return examined;
}

class Mortality final : public study::LearnedTask {
 public:
  std::string_view name() const override { return "ehr.mortality"; }
  std::string_view summary() const override { return "the risk of an outcome from dated events, with half-lives"; }
  int result_version() const override { return 1; }
  void keys(Schema& schema) const override {
    record::add_event_keys(schema);
    record::add_simulated_key(schema);
    model::add_model_keys(schema);
    add_half_life_keys(schema);
    add_trajectory_keys(schema);
    schema.integer("contributions.stays", 2000, Range::between(0, 1e7), "",
                   "tested stays whose risks are taken apart into contributions; 0: none");
  }
  std::string data_key() const override { return "data.events"; }
  std::string targets_key() const override { return "data.outcomes"; }
  study::Target target(const Config&) const override { return {.name = "outcome", .classes = {"no", "yes"}}; }
  bool has_own_model() const override { return true; }

  std::unique_ptr<study::CaseReader> open(const Config& config, const Random& random) const override {
    if (record::has_files(config)) return study::reader_of(record::read_cases(config));
    return study::reader_of(record::simulated_cases(config, random));
  }
  std::unique_ptr<study::StudyModel> model(const Config& config, const study::ModelShape& shape,
                                           learning::Parameters<float>& parameters,
                                           const Random& random) const override {
    return model::make_heads_model(model::heads_settings(config), shape, parameters, random);
  }
  void examine(const study::StudyOutcome& outcome, Results& results) const override {
    const Random random = Random(static_cast<std::uint64_t>(outcome.config.seed.value_or(1))).stream("examination");
    results.note(
        "Research software, no medical device: risks of one hospital are wrong in another until recalibrated.");
    const Examined examined = examined_of(outcome);
    write_trajectory(examined, trajectory_times(outcome.config), random.stream("trajectory"), results);
    write_subgroups(examined, outcome.cases.values.cast<double>(), random.stream("subgroups"), results);
    write_order_probes(examined, random.stream("order probes"), results);
    const auto stays = static_cast<Index>(outcome.config.integer("contributions.stays"));
    if (stays > 0) write_contributions(outcome, contributions(outcome, stays, random.stream("contributions")), results);
    write_half_lives(outcome, random.stream("half-lives"), results);
  }
};

}  // namespace

std::unique_ptr<Experiment> make_mortality() { return study::make_study(std::make_unique<Mortality>()); }

}  // namespace fovea::ehr::risk
