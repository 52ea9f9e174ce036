#include "fovea/domains/opinion/fit/one_window.hpp"

#include <algorithm>
#include <cmath>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/missing.hpp"
#include "fovea/core/base/words.hpp"
#include "fovea/core/data/least_value.hpp"
#include "fovea/core/data/view.hpp"
#include "fovea/domains/opinion/fit/findings.hpp"
#include "fovea/domains/opinion/fit/window.hpp"

namespace fovea::opinion::fit {

namespace {

constexpr double kFourMoreAtLevel = 9.49 / 2;  // as kTwoMoreAtLevel, of 4 parameters

class OneWindow {
 public:
  OneWindow(Results& merged, bool has_truth)
      : merged_(merged), has_truth_(has_truth), evidence_(evidence_of(merged)[0]), moves_(evidence_.moves()) {}

  void conclude() {
    if (moves_ && gives_estimates())
      add_estimates();
    else if (moves_ && account_of(evidence_) == Account::drift)
      add_drift();
    else
      add_motion_test();
    add_findings();
    add_rival_table();
    merged_.finding(PeopleAnswerAgain{moves_, view(merged_.data, "stayed").range().second});
  }

 private:
  double number(const std::string& name) const { return view(merged_.data, name).values()[0]; }
  /// Estimates of what does not describe the motion would be taken for influence.
  bool gives_estimates() const { return has_truth_ || tells_influence(evidence_); }

  void add_findings() {
    const double p = evidence_.unchanging, drift = evidence_.gain(Explanation::drift),
                 attention = evidence_.gain(Explanation::attention),
                 both = evidence_.gain(Explanation::attention_drift);
    merged_.finding(SamplesDiffer{p, least_values(merged_.data.at("unchanging_p")).at({}, {}, 0)});
    merged_.finding(SamplesAlike{p});
    merged_.finding(unresolved_in(merged_));
    const bool compared = !evidence_.gains.empty();
    merged_.finding(ModelsCompared{p, evidence_.quadrature, evidence_.described, drift, attention, both,
                                   compared ? number("drift_alone") : kNan, compared ? number("growth_alone") : kNan,
                                   number("with_drift") > 0, gives_estimates()});
    merged_.finding(ModelRefuted{moves_ && account_of(evidence_) == Account::refuted, evidence_.described});
    const auto low = [&](const std::string& name) {
      return number(name + "_low_open") > 0 ? kNan : number(name + "_low");
    };
    const auto high = [&](const std::string& name) {
      return number(name + "_open") > 0 ? kNan : number(name + "_high");
    };
    merged_.finding(AttentionFitted{moves_ && gives_estimates(), tells_influence(evidence_), number("temperature"),
                                    low("temperature"), high("temperature"), number("stubbornness"),
                                    low("stubbornness"), high("stubbornness"), number("interval_level")});
    if (has_truth_) merged_.finding(SimulatedValues{true, number("truth_temperature"), number("truth_stubbornness")});
    merged_.finding(
        GainsOverFrozen{!moves_ || evidence_.resolved(), drift, evidence_.gain(Explanation::uniform), attention, both});
  }

  /// In place of estimates that mean nothing.
  void add_motion_test() {
    merged_.headline(
        {.variable = "motion_p",
         .label = "p that nothing moves",
         .meaning = concat("Permutation test; motion is claimed at p <= ", plain_text(kMovesLevel),
                           moves_ ? "." : ". Where nothing moves, temperature and stubbornness cannot be estimated.")});
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
      const bool preview = std::isnan(number(name + "_half_width"));
      const std::string interval = open ? "The data do not close its interval." : "With the half width of its interval";
      merged_.headline({.variable = name + "_estimate",
                        .label = name == "temperature" ? "Temperature" : "Stubbornness",
                        .predicted = has_truth_ ? "truth_" + name : "",
                        .half_width = name + "_half_width",
                        .meaning = open         ? interval
                                   : preview    ? "A preview gives no interval."
                                   : has_truth_ ? interval + "; the prediction is the simulated value."
                                                : interval + "."});
    }
  }

  void add_rival_table() {
    if (evidence_.gains.empty() || (moves_ && !evidence_.resolved())) return;
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
  bool has_truth_;
  Evidence evidence_;
  bool moves_;
};

}  // namespace

Account account_of(double drift, double attention, double both) {
  if (std::max(drift, attention) <= kTwoMoreAtLevel && both <= kFourMoreAtLevel) return Account::none;
  const bool needs_drift = both - attention > kTwoMoreAtLevel, needs_attention = both - drift > kTwoMoreAtLevel;
  if (needs_drift && needs_attention) return Account::both;
  if (needs_drift) return Account::drift;
  return needs_attention ? Account::attention : Account::either;
}

Account account_of(const Evidence& evidence) {
  if (!evidence.resolved()) return Account::unresolved;
  const Account account = evidence.gains.empty()
                              ? Account::attention
                              : account_of(evidence.gain(Explanation::drift), evidence.gain(Explanation::attention),
                                           evidence.gain(Explanation::attention_drift));
  const bool claims = account == Account::attention || account == Account::both;
  return claims && evidence.described < kDescribed ? Account::refuted : account;
}

std::vector<Evidence> evidence_of(const Results& merged) {
  const auto values = [&](const char* name) { return view(merged.data, name).values(); };
  const std::vector<double> p = values("unchanging_p"), error = values("quadrature_error"),
                            described = values("described_p");
  std::vector<std::vector<double>> gains(p.size());
  if (merged.data.has("log_likelihood")) gains = view(merged.data, "log_likelihood").series("explanation");
  std::vector<Evidence> all;
  for (std::size_t k = 0; k < p.size(); ++k) all.push_back({p[k], gains[k], error[k], described[k]});
  return all;
}

QuadratureUnresolved unresolved_in(const Results& merged) {
  QuadratureUnresolved found{};
  const std::vector<double> nodes = view(merged.data, "nodes").values();
  const std::vector<Evidence> all = evidence_of(merged);
  for (std::size_t k = 0; k < all.size(); ++k) {
    if (!all[k].moves()) continue;
    ++found.moving;
    found.most = std::max(found.most, all[k].quadrature);
    if (all[k].resolved()) continue;
    ++found.unresolved;
    found.nodes = static_cast<std::size_t>(nodes[k]);
  }
  return found;
}

bool tells_influence(const Evidence& evidence) {
  const Account account = account_of(evidence);
  return evidence.moves() && (account == Account::attention || account == Account::both);
}

Explanation drawn_explanation(const Evidence& evidence, Explanation reported) {
  if (evidence.gains.empty()) return reported;
  if (!evidence.moves()) return Explanation::frozen;
  switch (account_of(evidence)) {
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
