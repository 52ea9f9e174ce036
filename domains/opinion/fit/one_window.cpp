#include "fovea/domains/opinion/fit/one_window.hpp"

#include <algorithm>
#include <cmath>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/missing.hpp"
#include "fovea/core/base/words.hpp"
#include "fovea/core/data/view.hpp"
#include "fovea/domains/opinion/fit/findings.hpp"
#include "fovea/domains/opinion/fit/window.hpp"

namespace fovea::opinion::fit {

namespace {

constexpr double kFourMoreAtLevel = 9.49 / 2;  // as kTwoMoreAtLevel, of 4 parameters

double at(std::span<const double> gains, Explanation explanation) {
  return gains[static_cast<std::size_t>(explanation)];
}

class OneWindow {
 public:
  OneWindow(Results& merged, bool has_truth)
      : merged_(merged), has_truth_(has_truth), moves_(number("unchanging_p") <= kMovesLevel) {
    if (merged.data.has("log_likelihood")) gains_ = view(merged.data, "log_likelihood").series("explanation")[0];
    if (!gains_.empty()) account_ = account_of(gains_);
  }

  void conclude() {
    if (!moves_)
      add_stillness();
    else if (gives_estimates())
      add_estimates();
    else if (account_ == Account::drift)
      add_drift();
    add_findings();
    add_rival_table();
    merged_.finding(PeopleAnswerAgain{moves_, view(merged_.data, "stayed").range().second});
  }

 private:
  double number(const std::string& name) const { return view(merged_.data, name).values()[0]; }
  /// Estimates of what does not describe the motion would be taken for influence.
  bool gives_estimates() const { return has_truth_ || tells_influence(moves_, gains_); }

  double gain(Explanation explanation) const { return gains_.empty() ? kNan : at(gains_, explanation); }

  void add_findings() {
    const double p = number("unchanging_p");
    merged_.finding(SamplesDiffer{p});
    merged_.finding(SamplesAlike{p});
    const double drift = gain(Explanation::drift), attention = gain(Explanation::attention),
                 both = gain(Explanation::attention_drift);
    const bool compared = !gains_.empty();
    merged_.finding(ModelsCompared{p, drift, attention, both, compared ? number("drift_alone") : kNan,
                                   compared ? number("growth_alone") : kNan, number("with_drift") > 0,
                                   gives_estimates()});
    const auto low = [&](const std::string& name) {
      return number(name + "_low_open") > 0 ? kNan : number(name + "_low");
    };
    const auto high = [&](const std::string& name) {
      return number(name + "_open") > 0 ? kNan : number(name + "_high");
    };
    merged_.finding(AttentionFitted{moves_ && gives_estimates(), number("temperature"), low("temperature"),
                                    high("temperature"), number("stubbornness"), low("stubbornness"),
                                    high("stubbornness"), number("interval_level")});
    if (has_truth_) merged_.finding(SimulatedValues{true, number("truth_temperature"), number("truth_stubbornness")});
    merged_.finding(GainsOverFrozen{drift, gain(Explanation::uniform), attention, both});
  }

  /// Of a window in which no motion is found: the test in place of estimates that mean nothing.
  void add_stillness() {
    merged_.headline({.variable = "motion_p",
                      .label = "p that nothing moves",
                      .meaning = concat("Permutation test; motion is claimed at p <= ", plain_text(kMovesLevel),
                                        ". Where nothing moves, temperature and stubbornness cannot be estimated.")});
  }

  void add_drift() {
    merged_.scalar("drift_estimate", number("drift_alone"), "opinion", "shift of all opinions in a step");
    merged_.scalar("growth_estimate", number("growth_alone"), "1",
                   "growth of the logarithm of the distances from the mean in a step");
    merged_.headline({.variable = "drift_estimate",
                      .label = "Shift in each step",
                      .meaning = "Of all opinions alike, by the fit of a drift."});
    merged_.headline({.variable = "growth_estimate",
                      .label = "Growth in each step",
                      .meaning = "Of the logarithm of the distances from the mean, by the same fit."});
  }

  void add_estimates() {
    for (const std::string name : {"temperature", "stubbornness"}) {
      const bool open = number(name + "_open") > 0 || number(name + "_low_open") > 0;
      const std::string interval = open ? "The data do not close its interval." : "With the half width of its interval";
      merged_.headline({.variable = name + "_estimate",
                        .label = name == "temperature" ? "Temperature" : "Stubbornness",
                        .predicted = has_truth_ ? "truth_" + name : "",
                        .half_width = name + "_half_width",
                        .meaning = open         ? interval
                                   : has_truth_ ? interval + "; the prediction is the simulated value."
                                                : interval + "."});
    }
  }

  void add_rival_table() {
    if (gains_.empty()) return;
    const std::vector<double> ahead = view(merged_.data, "held_out").values();
    std::vector<std::string> columns{"log_likelihood"};
    if (std::any_of(ahead.begin(), ahead.end(), [](double gain) { return std::isfinite(gain); }))
      columns.push_back("held_out");
    merged_.figure({.kind = "table",
                    .name = "rivals",
                    .title = "The rivals",
                    .caption = "Gain over the frozen model, in which no opinion moves; uniform averaging has 1 "
                               "parameter more, drift and attention have 2, together 4.",
                    .variables = columns,
                    .x = "explanation",
                    .digits = 3});
  }

  Results& merged_;
  bool has_truth_, moves_;
  std::vector<double> gains_;
  Account account_ = Account::none;
};

}  // namespace

Account account_of(double drift, double attention, double both) {
  if (std::max(drift, attention) <= kTwoMoreAtLevel && both <= kFourMoreAtLevel) return Account::none;
  const bool needs_drift = both - attention > kTwoMoreAtLevel, needs_attention = both - drift > kTwoMoreAtLevel;
  if (needs_drift && needs_attention) return Account::both;
  if (needs_drift) return Account::drift;
  return needs_attention ? Account::attention : Account::either;
}

Account account_of(std::span<const double> gains) {
  return account_of(at(gains, Explanation::drift), at(gains, Explanation::attention),
                    at(gains, Explanation::attention_drift));
}

bool tells_influence(bool moves, std::span<const double> gains) {
  if (!moves || gains.empty()) return moves;
  const Account account = account_of(gains);
  return account != Account::drift && account != Account::none;
}

Explanation drawn_explanation(bool moves, std::span<const double> gains, Explanation reported) {
  if (gains.empty()) return reported;
  if (!moves) return Explanation::frozen;
  switch (account_of(gains)) {
    case Account::drift:
      return Explanation::drift;
    case Account::both:
      return Explanation::attention_drift;
    default:
      return reported;
  }
}

void conclude_one(Results& merged, bool has_truth) { OneWindow(merged, has_truth).conclude(); }

}  // namespace fovea::opinion::fit
