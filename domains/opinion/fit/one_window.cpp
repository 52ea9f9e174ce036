#include "fovea/domains/opinion/fit/one_window.hpp"

#include <algorithm>
#include <cmath>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/words.hpp"
#include "fovea/core/data/view.hpp"
#include "fovea/core/kernels/exponential.hpp"
#include "fovea/domains/opinion/fit/motion.hpp"
#include "fovea/domains/opinion/fit/window.hpp"

namespace fovea::opinion::fit {

namespace {

constexpr double kFourMoreAtLevel = 9.49 / 2;  // as kTwoMoreAtLevel, of 4 parameters

double at(std::span<const double> gains, Explanation explanation) {
  return gains[static_cast<std::size_t>(explanation)];
}

/// Of log likelihood: differences count, so a tenth is shown however large it is.
std::string nats(double value) { return compact(value, 1); }

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
    merged_.verdict(motion() + account() + estimates() + truth() + reached());
    add_rival_table();
    if (moves_ && view(merged_.data, "stayed").range().second > 0)
      merged_.note(
          "The same people answer in several periods. The test and the intervals allow for it; the log likelihoods of "
          "the models are compared as if all answers were independent.");
  }

 private:
  double number(const std::string& name) const { return view(merged_.data, name).values()[0]; }
  std::string text(const std::string& name) const { return plain_text(number(name)); }

  /// Estimates of what does not describe the motion would be taken for influence.
  bool gives_estimates() const { return has_truth_ || tells_influence(moves_, gains_); }

  std::string motion() const {
    if (moves_)
      return concat("Something moves: the samples differ by more than chance (permutation test, p = ",
                    text("unchanging_p"), ").");
    return concat(
        "No motion is found: samples of one unchanging distribution differ as much (permutation test, p = ",
        text("unchanging_p"), "; motion is claimed at p <= ", plain_text(kMovesLevel),
        "). T and s cannot then be determined, so no estimates are given, and the scores of the models reflect "
        "chance.");
  }

  std::string gain_over(Explanation simpler) const {
    return nats(std::max(0.0, at(gains_, Explanation::attention_drift) - at(gains_, simpler)));
  }

  std::string account() const {
    if (!moves_ || gains_.empty()) return "";
    const std::string level = concat(plain_text(kTwoMoreAtLevel, 2), " that are significant at the 5 % level");
    switch (account_) {
      case Account::attention:
        return concat(
            " Of the models compared, attention describes it best: adding a drift raises its log likelihood by ",
            gain_over(Explanation::attention), ", less than the ", level, '.');
      case Account::drift:
        return concat(" Of the models compared, a drift describes it best: ", drift_words(),
                      " in each step. Adding attention raises its log likelihood by ", gain_over(Explanation::drift),
                      ", less than the ", level,
                      gives_estimates() ? "." : "; no influence is seen, so no T and s are given.");
      case Account::either:
        return " Attention and a drift describe it equally well, so these data do not tell influence from a common "
               "drift. The estimates are those of attention.";
      case Account::both:
        return concat(
            " Attention and a drift together describe it best; each improves significantly on the other (5 % ",
            "level).",
            number("with_drift") > 0 ? ""
                                     : " The estimates are those of attention alone; fit.drift = true "
                                       "fits both together.");
      default:
        return concat(" Neither attention nor a drift describes it: neither raises the log likelihood by the ", level,
                      gives_estimates() ? "." : ", so no T and s are given.");
    }
  }

  /// "all opinions shift by -0.3, and their distances from the mean grow by 2 %".
  std::string drift_words() const {
    const double percent = 100 * (exponential(number("growth_alone")) - 1);
    return concat("all opinions shift by ", text("drift_alone"), ", and their distances from the mean ",
                  percent < 0 ? "shrink by " : "grow by ", plain_text(std::abs(percent), 2), " %");
  }

  std::string estimates() const {
    if (!moves_ || !gives_estimates()) return "";
    return concat(" The fit gives T = ", with_interval("temperature"), " and s = ", with_interval("stubbornness"), '.');
  }

  /// "0.15 (95 % interval 0.14 to 0.16)".
  std::string with_interval(const std::string& name) const {
    const bool no_low = number(name + "_low_open") > 0, no_high = number(name + "_open") > 0;
    const std::string level = concat(plain_text(100 * number("interval_level")), " % interval ");
    if (no_low && no_high) return concat(text(name), " (the data bound it on neither side)");
    if (no_low) return concat(text(name), " (", level, "up to ", text(name + "_high"), ", without a lower end)");
    if (no_high) return concat(text(name), " (", level, "from ", text(name + "_low"), " on, without an upper end)");
    return concat(text(name), " (", level, text(name + "_low"), " to ", text(name + "_high"), ")");
  }

  std::string truth() const {
    if (!has_truth_) return "";
    return concat(" The simulated values are T = ", text("truth_temperature"), ", s = ", text("truth_stubbornness"),
                  '.');
  }

  std::string reached() const {
    if (gains_.empty()) return "";
    const auto of = [&](Explanation explanation) { return nats(at(gains_, explanation)); };
    return concat(" Log likelihood above that of the frozen model, in which no opinion moves: drift ",
                  of(Explanation::drift), ", uniform averaging ", of(Explanation::uniform), ", attention ",
                  of(Explanation::attention), ", attention and drift ", of(Explanation::attention_drift),
                  "; they have 2, 1, 2 and 4 parameters more.");
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

Account account_of(std::span<const double> gains) {
  const double drift = at(gains, Explanation::drift), attention = at(gains, Explanation::attention);
  const double both = at(gains, Explanation::attention_drift);
  if (std::max(drift, attention) <= kTwoMoreAtLevel && both <= kFourMoreAtLevel) return Account::none;
  const bool needs_drift = both - attention > kTwoMoreAtLevel, needs_attention = both - drift > kTwoMoreAtLevel;
  if (needs_drift && needs_attention) return Account::both;
  if (needs_drift) return Account::drift;
  return needs_attention ? Account::attention : Account::either;
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
