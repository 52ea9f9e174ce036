#include "fovea/domains/opinion/phase/page/findings.hpp"

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/words.hpp"
#include "fovea/domains/opinion/phase/page/doubts.hpp"

namespace fovea::opinion::phase {

namespace {

/// " (predicted 0.0089684)", or nothing.
std::string known_text(double predicted) {
  return std::isnan(predicted) ? "" : concat(" (predicted ", plain_text(predicted, 5), ")");
}

std::string cumulants_of(const NothingLocated& range) {
  return concat("the Binder cumulants of ", range.small, " and of ", range.large, " agents");
}

}  // namespace

std::string AveragingHasNoTransition::sentence() const {
  return concat("No phase transition: without stubbornness and noise every crowd ends in consensus (E1).",
                transitions ? concat(" The transition found is only apparent: it is where camps live longer than "
                                     "phase.steps_max = ",
                                     steps_max, " steps, or move by less than phase.tolerance = ", tolerance, ".")
                            : "");
}

std::string NoTransition::sentence() const {
  const std::string range = concat("No transition for ", name, " from ", low, " to ", high, unit_behind(), ": ");
  const std::string ends = concat(plain_text(least, 3), " to ", plain_text(most, 3));
  if (!noisy) return concat(range, "the order parameter goes from ", ends, " without a jump.");
  return concat(range, cumulants_of(*this), " do not reverse their order, and the order parameter of ", large,
                " agents, ", ends,
                disordered ? ", falls with the number of agents N at every value, closer to N^(-1/2) than to N^(-1/4)."
                           : ", does not change beyond its error.");
}

std::string NotResolved::sentence() const {
  const bool reverses = !std::isnan(reverses_from);
  std::string text = concat("Not resolved with these sizes: for ", name, reverses ? " between " : " from ",
                            plain_text(reverses ? reverses_from : low, 4), reverses ? " and " : " to ",
                            plain_text(reverses ? reverses_to : high, 4), unit_behind(), ' ', cumulants_of(*this));
  const std::string order = concat("the order parameter of ", large, " agents ");
  if (reverses)
    text += " reverse their order, as at a continuous transition, but no crossing of all sizes was located.";
  else if (changes)
    text += concat(" do not reverse their order beyond their errors, but ", order, "changes from ",
                   plain_text(least, 3), " to ", plain_text(most, 3), ".");
  else
    text += concat(" do not reverse their order beyond their errors, and ", order,
                   "does not decide whether a transition is absent.");
  if (!std::isnan(peak_below) && !std::isnan(peak_above))
    text += concat(" It fluctuates most between ", plain_text(peak_below, 4), " and ", plain_text(peak_above, 4), ".");
  return text;
}

std::string OneNoisySize::sentence() const {
  return concat("There is one size, ", agents, " agents: cumulants of one size do not cross, and nothing can be ",
                "said of other sizes. The order parameter fluctuates most for ", name, " between ",
                plain_text(below, 3), " and ", plain_text(above, 3), unit_behind(), "; there is no hysteresis.");
}

std::string CumulantsCross::sentence() const {
  return concat(
      "Continuous transition at ", at(crossing, error), " (95 % interval",
      std::isnan(predicted) ? "" : concat("; predicted ", plain_text(predicted, 5)),
      "). The Binder cumulants of all sizes", correction != 0 ? ", corrected for terms in N^(-1/2)," : "",
      " cross at U4 = ", concise_with_error(cumulant, cumulant_error),
      networks
          ? ". There is no hysteresis. Walks take different networks, so that peaks of the histogram of m say nothing."
      : peaks == 2 ? ". The histogram of m has two peaks there, which would indicate a first-order transition."
                   : ". There is no hysteresis, and the histogram of m has one peak.");
}

std::string CrossingOfTwoSizes::sentence() const {
  return "Two sizes do not show how the crossing moves with the number of agents, so the interval holds for these two "
         "alone.";
}

std::string SizesOffOneCurve::sentence() const {
  return concat("The sizes do not follow one curve within their errors (chi^2 = ", plain_text(chi_square, 2), " for ",
                degrees, " degrees of freedom), so the interval was made ", plain_text(widened, 2),
                " times as wide, and these sizes do not show where it converges.");
}

std::string OrderLeavesZero::sentence() const {
  std::string text = "Continuous transition: with ";
  if (!std::isnan(up))
    text += concat("rising ", name, " the order parameter leaves 0 at ", behind_name(up, up_error),
                   known_text(up_predicted));
  if (any() && !std::isnan(up) && !std::isnan(down)) text += ", with ";
  if (!std::isnan(down))
    text += concat("falling ", name, std::isnan(up) ? " the order parameter" : " it", " reaches 0 at ",
                   behind_name(down, down_error), known_text(down_predicted));
  return text + ".";
}

std::string FirstOrderTransition::sentence() const {
  const bool falls = !std::isnan(down), rises = !std::isnan(up);
  std::string text = "First-order transition: ";
  if (falls)
    text += concat("with falling ", name, " the order parameter jumps at ", behind_name(down, down_error),
                   known_text(down_predicted));
  if (falls && rises) text += ", ";
  if (rises)
    text += concat("with rising ", name, falls ? " at " : " the order parameter jumps at ", behind_name(up, up_error),
                   known_text(up_predicted));
  if (noisy) text += concat(", for ", agents, " agents");
  if (falls && rises)
    text += has_hysteresis() ? ". Between them there is hysteresis"
                             : ". The two do not differ by more than their errors, so hysteresis is not shown";
  if (noisy && peaks == 2) text += ". The histogram of m has two peaks";
  text += ".";
  // how much earlier follows no power of the size: it depends on the steps walked as well
  if (noisy)
    text += " Fluctuations end a branch before its fold, so the loop of infinitely many agents is at least as wide.";
  return text;
}

std::string FinalStateChanges::sentence() const {
  return concat(counted(static_cast<std::int64_t>(all), "transition"), " of the final state with ", control,
                ", each value from the same start, with up to ", agents, " agents",
                all > shown ? concat("; the ", shown, " largest are ") : ": ", places, ".");
}

std::string OnlySmallerCrowds::sentence() const {
  return concat("Smaller crowds show transitions, which that of ", largest, " agents does not.");
}

std::string PlaceOfOneSize::sentence() const {
  return concat(place, " was found with ", agents, " agents alone, so its error says nothing of other sizes.");
}

std::string PlaceMovesWithSize::sentence() const {
  return concat(place, " still moves with the number of agents (from ", before, " to ", largest, " by ",
                plain_text(change, 2), "), and these sizes do not show where it converges.");
}

std::string PlacesAreMeans::sentence() const {
  return concat("Each place is the mean over phase.replicas = ", replicas, " crowds of that size, with the 95 % ",
                "interval of Student's t; their meetings, starts or networks were drawn anew.");
}

std::string MeanFieldOnNetwork::sentence() const {
  return "The fit takes the exponent 1/2 of mean field for N, as if everybody heard everybody. On a network that is an "
         "assumption, which chi^2 of the fit tests.";
}

std::string CrossingTooWide::sentence() const {
  const bool wide_place = place > place_asked, wide_cumulant = cumulant > cumulant_asked;
  const std::string of_place = concat("phase.precision = ", place_asked, " of it"),
                    of_cumulant = concat("phase.binder_precision = ", cumulant_asked);
  return concat(wide_place && wide_cumulant
                    ? concat("The half widths of the intervals of the crossing and of U4 there are larger than ",
                             of_place, " and ", of_cumulant)
                    : concat("The half width of the interval of ", wide_place ? "the crossing" : "U4 at the crossing",
                             " is larger than ", wide_place ? of_place : of_cumulant),
                " after all phase.rounds_max = ", rounds_max, " refinements.");
}

std::string SearchNotAtRest::sentence() const {
  return concat(waiting, " of ", points, " points were not at rest after phase.steps_max = ", steps_max,
                " steps; relaxation is slow near a transition.");
}

std::string KnownReproduced::sentence() const {
  return concat(reproduced, " of ", known, " known results were reproduced.");
}

}  // namespace fovea::opinion::phase
