/// The experiment "nowcast.recession": the probability that a month is in recession, as it could have been known at its
/// end.

#include "fovea/core/base/error.hpp"
#include "fovea/domains/nowcast/examine/future_check.hpp"
#include "fovea/domains/nowcast/examine/page.hpp"
#include "fovea/domains/nowcast/experiments.hpp"
#include "fovea/domains/nowcast/recession/recession_task.hpp"

namespace fovea::nowcast::recession {

namespace {

constexpr Index kMonthsDrawn = 20;

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
    if (!settings.check_future) return;
    const FutureCheck found = check_future(*this, outcome, scored, settings, kMonthsDrawn);
    results.scalar("future_compared", static_cast<double>(found.compared), "1",
                   "nowcasts compared with noise behind them");
    results.check(
        {"future",
         concat("nowcasts that change where what is known later than one of ", found.drawn, " drawn months is noise"),
         "domains/nowcast/README.md", 0, static_cast<double>(found.changed), absolute(0)});
  }
};

}  // namespace

std::unique_ptr<Experiment> make_recession() { return study::make_study(std::make_unique<Recession>()); }

}  // namespace fovea::nowcast::recession
