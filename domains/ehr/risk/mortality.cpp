/// The experiment "ehr.mortality": the risk of an outcome from dated events, and how long each variable matters.
///
/// Besides what every study writes (core/study): over class, half_life with half_life_low and half_life_high,
/// measuring_gap, memory, source.

#include "fovea/domains/ehr/experiments.hpp"
#include "fovea/domains/ehr/risk/contributions.hpp"
#include "fovea/domains/ehr/risk/examined.hpp"
#include "fovea/domains/ehr/risk/half_lives.hpp"
#include "fovea/domains/ehr/risk/risk_task.hpp"

namespace fovea::ehr::risk {

namespace {

class Mortality final : public RiskTask {
 public:
  std::string_view name() const override { return "ehr.mortality"; }
  std::string_view summary() const override { return "the risk of an outcome from dated events, with half-lives"; }
  void keys(Schema& schema) const override {
    RiskTask::keys(schema);
    add_half_life_keys(schema);
    add_trajectory_keys(schema);
    schema.integer("contributions.stays", 2000, Range::between(0, 1e7), "",
                   "test stays whose risks are decomposed into contributions; 0: none");
  }
  Index further_trainings(const Config& config) const override { return config.integer("half_lives.members"); }

  void examine(const study::StudyOutcome& outcome, Results& results) const override {
    const Random random = random_of(outcome, "examination");
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
