/// The experiment "ehr.mortality": the risk of an outcome from dated events, and how long each variable matters.
///
/// Besides what every study writes (core/study): those of write_half_lives() (half_lives.hpp), and
/// trajectory and contributions.

#include "fovea/domains/ehr/experiments.hpp"
#include "fovea/domains/ehr/risk/contributions.hpp"
#include "fovea/domains/ehr/risk/examined.hpp"
#include "fovea/domains/ehr/risk/half_lives.hpp"
#include "fovea/domains/ehr/risk/risk_task.hpp"

namespace fovea::ehr::risk {

namespace {

struct MortalitySettings {
  double half_life_level = kUsualHalfLifeLevel;
  TrajectorySettings trajectory;
  Index stays = 2000;  ///< whose risks are decomposed
};

const Keys<MortalitySettings>& mortality_keys() {
  using S = MortalitySettings;
  static const auto keys = Keys<S>()
                               .key(kHalfLifeLevel, &S::half_life_level)
                               .group(trajectory_keys(), &S::trajectory)
                               .key("contributions.stays", &S::stays, Range::between(0, 1e7), "",
                                    "test stays whose risks are decomposed into contributions; 0: none");
  return keys;
}

class Mortality final : public RiskTask {
 public:
  std::string_view name() const override { return "ehr.mortality"; }
  std::string_view summary() const override { return "the risk of an outcome from dated events, with half-lives"; }
  void keys(Schema& schema) const override {
    RiskTask::keys(schema);
    mortality_keys().declare(schema);
  }

  void examine(const study::StudyOutcome& outcome, Results& results) const override {
    const MortalitySettings settings = mortality_keys().read(outcome.config);
    const Random random = random_of(outcome, "examination");
    results.note(
        "Research software, no medical device: risks of one hospital are wrong in another until recalibrated.");
    const Examined examined = examined_of(outcome);
    write_trajectory(examined, settings.trajectory.in(outcome.cases.time_unit), random.stream("trajectory"), results);
    write_order_probes(examined, random.stream("order probes"), results);
    if (settings.stays > 0)
      write_contributions(outcome, contributions(outcome, settings.stays, random.stream("contributions")), results);
    write_half_lives(outcome, settings.half_life_level, results);
  }
};

}  // namespace

std::unique_ptr<Experiment> make_mortality() { return study::make_study(std::make_unique<Mortality>()); }

}  // namespace fovea::ehr::risk
