#include "fovea/domains/opinion/fit/findings.hpp"

#include <algorithm>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/words.hpp"
#include "fovea/core/data/least_value.hpp"
#include "fovea/core/kernels/exponential.hpp"
#include "fovea/domains/opinion/fit/one_window.hpp"
#include "fovea/domains/opinion/fit/series_findings.hpp"

namespace fovea::opinion::fit {

namespace {

/// Of log likelihood: differences count, so a tenth is shown however large it is.
std::string nats(double value) { return compact(value, 1); }

std::string percent_text(double share, int digits = 3) { return plain_text(100 * share, digits); }

/// "all opinions shift by -0.3, and their distances from the mean grow by 2 %".
std::string drift_text(double shift, double growth) {
  const double factor = exponential(growth) - 1;
  return concat("all opinions shift by ", plain_text(shift), ", and their distances from the mean ",
                factor < 0 ? "shrink by " : "grow by ", percent_text(std::abs(factor), 2), " %");
}

/// "0.15 (95 % interval 0.14 to 0.16)".
std::string with_interval(double value, double low, double high, double level) {
  const std::string text = plain_text(value), interval = concat(" (", percent_text(level), " % interval ");
  if (std::isnan(low) && std::isnan(high)) return text + " (the data bound it on neither side)";
  if (std::isnan(low)) return concat(text, interval, "up to ", plain_text(high), ", without a lower end)");
  if (std::isnan(high)) return concat(text, interval, "from ", plain_text(low), " on, without an upper end)");
  return concat(text, interval, plain_text(low), " to ", plain_text(high), ")");
}

}  // namespace

std::string SamplesDiffer::sentence() const {
  return concat("Something moves: the samples differ by more than chance (permutation test, ",
                drawn_p_words(p, least_p), least_p_words(p, least_p), ").");
}

std::string SamplesAlike::sentence() const {
  return concat("No motion is found: samples of one unchanging distribution differ as much (permutation test, p = ",
                plain_text(p), "; motion is claimed at p <= ", plain_text(kMovesLevel),
                "). T and s cannot then be determined, so no estimates are given, and the scores of the models reflect "
                "chance.");
}

std::string ModelsCompared::sentence() const {
  const std::string level = concat(plain_text(kTwoMoreAtLevel, 2), " that are significant at the 5 % level");
  const auto gain_over = [&](double simpler) { return nats(std::max(0.0, both - simpler)); };
  switch (account()) {
    case Account::attention:
      return concat("Of the models compared, attention describes it best: adding a drift raises its log likelihood by ",
                    gain_over(attention), ", less than the ", level, '.');
    case Account::drift:
      return concat("Of the models compared, a drift describes it best: ", drift_text(shift, growth),
                    " in each step. Adding attention raises its log likelihood by ", gain_over(drift),
                    ", less than the ", level, estimated ? "." : "; no influence is seen, so no T and s are given.",
                    described > kMovesLevel
                        ? ""
                        : concat(" Its shares differ from those of the samples (chi-square test, p = ",
                                 plain_text(described), ")."));
    case Account::either:
      return "Attention and a drift describe it equally well, so these data do not tell influence from a common "
             "drift" +
             std::string(estimated ? ". The estimates are those of attention." : "; no T and s are given.");
    case Account::both:
      return concat(
          "Attention and a drift together describe it best; each improves significantly on the other (5 % ", "level).",
          with_drift ? "" : " The estimates are those of attention alone; fit.drift = true fits both together.");
    default:
      return concat("Neither attention nor a drift describes it: neither raises the log likelihood by the ", level,
                    estimated ? "." : ", so no T and s are given.");
  }
}

std::string ModelRefuted::sentence() const {
  return concat(
      "Attention raises the log likelihood significantly (5 % level), but in a model that does not describe "
      "the samples well enough (chi-square test of the shares, p = ",
      plain_text(described), "; ", plain_text(kDescribed),
      " is the least). What it repairs need not be influence, so none is claimed.");
}

std::string AttentionFitted::sentence() const {
  return concat(claimed ? "The fit gives T = " : "To compare with the simulated values: the fit gives T = ",
                with_interval(temperature, temperature_low, temperature_high, level),
                " and s = ", with_interval(stubbornness, stubbornness_low, stubbornness_high, level), '.');
}

std::string SimulatedValues::sentence() const {
  return concat("The simulated values are T = ", plain_text(temperature), ", s = ", plain_text(stubbornness), '.');
}

std::string GainsOverFrozen::sentence() const {
  return concat("Log likelihood above that of the frozen model, in which no opinion moves: drift ", nats(drift),
                ", uniform averaging ", nats(uniform), ", attention ", nats(attention), ", attention and drift ",
                nats(both), "; they have 2, 1, 2 and 4 parameters more.");
}

std::string PeopleAnswerAgain::sentence() const {
  return "The same people answer in several periods. The test and the intervals allow for it; the log likelihoods of "
         "the models are compared as if all answers were independent.";
}

std::string EstimatesExamined::sentence() const {
  return concat("Over ", runs, " simulated series the median relative error is ", percent_text(temperature_error),
                " % for the temperature and ", percent_text(stubbornness_error),
                " % for the stubbornness. The intervals contain the true temperature in ",
                percent_text(temperature_coverage), " +- ", percent_text(temperature_coverage_error, 2),
                " % and the true stubbornness in ", percent_text(stubbornness_coverage), " +- ",
                percent_text(stubbornness_coverage_error, 2), " % of the series. Motion is found in ", moving,
                " of them (permutation test, p <= ", plain_text(kMovesLevel), ").");
}

std::string StillnessExamined::sentence() const {
  return concat("In ", claimed, " of ", runs, " simulated series of a crowd that never moves, motion is claimed ",
                "(permutation test, p <= ", plain_text(kMovesLevel), "); p is at most 0.05 in ", at_5_percent,
                " of them.");
}

std::string MotionFound::sentence() const {
  return concat("Something moves in ", moving, " of ", all, " ", of,
                " (permutation test, p <= ", plain_text(kMovesLevel), ").");
}

std::string RunsDescribed::sentence() const {
  return concat("Of these, attention describes ", attention, " best, a drift ", drift, ", both together ", both,
                ", either equally well ", either, " and none of them ", none, " (likelihood ratio, 5 % level).");
}

std::string WindowsDescribed::sentence() const {
  return concat("There, attention improves significantly on a common drift, in a model that describes the samples, in ",
                both,
                " (likelihood ratio, 5 % level); compared with the frozen model, attention alone improves the fit ",
                "significantly in ", attention, " windows and the drift alone in ", drift,
                ". The interval of the temperature has an upper end in ", closed, " windows, and also a lower end in ",
                above, ".");
}

std::string NextPeriodPredicted::sentence() const {
  return concat("Held-out period after the window: gain in log density per person over the frozen model, mean over ",
                windows, " windows: drift ", plain_text(drift), ", attention and drift ", plain_text(both),
                ". Attention and drift predict better than the drift alone in ", better, " of them.");
}

std::string InfluenceExamined::sentence() const {
  return concat("Influence is claimed in ", false_claims, " of ", without,
                " simulated series without influence and in ", claims, " of ", with, " with influence.");
}

std::string QuadratureUnresolved::sentence() const {
  return concat(moving == 1 ? "" : concat("In ", unresolved, " of ", moving, " fits with motion, "),
                moving == 1 ? "With" : "with", " half as many quadrature nodes again as the ", nodes,
                " of a component the log likelihoods change by ", moving == 1 ? "" : "up to ", percent_text(most, 2),
                " % of the differences that decide; at most ", percent_text(kResolved),
                " % would resolve them. So no model is preferred, and no influence is claimed.");
}

}  // namespace fovea::opinion::fit
