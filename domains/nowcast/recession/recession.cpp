/// The experiment "nowcast.recession": the probability that a month is in recession, as it could have been known at its
/// end.

#include "fovea/domains/nowcast/examine/page.hpp"
#include "fovea/domains/nowcast/experiments.hpp"
#include "fovea/domains/nowcast/recession/recession_task.hpp"

namespace fovea::nowcast::recession {

namespace {

class Recession final : public RecessionTask {
 public:
  std::string_view name() const override { return "nowcast.recession"; }
  std::string_view summary() const override { return "the probability of a recession, as it could have been known"; }
  bool examines_first() const override { return true; }
  void examine(const study::StudyOutcome& outcome, Results& results) const override {
    const RecessionSettings settings = recession_settings(outcome.config);
    const ScoredMonths scored = scored_months(outcome, settings);
    write_nowcasts(scored, causes_of(outcome, scored),
                   standings(scored, Random(settings.seed).stream("recessions drawn")), around_episodes(scored),
                   results);
  }
};

}  // namespace

std::unique_ptr<Experiment> make_recession() { return study::make_study(std::make_unique<Recession>()); }

}  // namespace fovea::nowcast::recession
