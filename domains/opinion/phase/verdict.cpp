/// What is said of the transitions that were found: the verdict, headlines and notes.

#include <algorithm>
#include <cmath>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/missing.hpp"
#include "fovea/core/base/words.hpp"
#include "fovea/domains/opinion/phase/control.hpp"
#include "fovea/domains/opinion/phase/known.hpp"
#include "fovea/domains/opinion/phase/outcome.hpp"
#include "fovea/domains/opinion/phase/settings.hpp"
#include "fovea/domains/opinion/phase/size_limit.hpp"

namespace fovea::opinion::phase {

namespace {

/// Ascending.
std::vector<Index> sizes_of(const PhaseFindings& findings) {
  std::vector<Index> sizes;
  for (const PhasePoint& point : findings.points) sizes.push_back(point.size);
  std::sort(sizes.begin(), sizes.end());
  sizes.erase(std::unique(sizes.begin(), sizes.end()), sizes.end());
  return sizes;
}

std::string camps_text(double camps) {
  if (std::isnan(camps)) return "";
  return concat(plain_text(camps, 3), camps == 1 ? " camp" : " camps");
}

/// "predicted 0.0089684", or nothing.
std::string prediction_text(const Config& config, bool crossing, Direction direction) {
  for (const KnownTransition& known : known_transitions(config))
    if (known.crossing == crossing && known.direction == direction)
      return concat("predicted ", plain_text(known.at, 5));
  return "";
}

std::string in_brackets(const std::string& text) { return text.empty() ? "" : concat(" (", text, ")"); }

/// What the sizes do not show of a crossing.
std::string crossing_doubt(const PhaseFindings& findings) {
  const FoundCrossing& c = findings.crossing;
  std::string text;
  if (sizes_of(findings).size() < 3)
    text +=
        " Two sizes do not show how the crossing moves with the number of agents, so the interval holds for these "
        "two alone.";
  if (c.widened > 1)
    text += concat(" The sizes do not follow one curve within their errors (chi^2 = ", plain_text(c.chi_square, 2),
                   " for ", c.degrees, " degrees of freedom), so the interval was made ", plain_text(c.widened, 2),
                   " times as wide, and these sizes do not show where it converges.");
  return text;
}

std::string crossing_sentence(const Config& config, const ControlWords& control, const PhaseFindings& findings) {
  const FoundCrossing& c = findings.crossing;
  const std::string predicted = prediction_text(config, true, Direction::down);
  return concat("Continuous transition at ", control.at(c.control, 0.5 * (c.high - c.low)), " (95 % interval",
                predicted.empty() ? "" : "; ", predicted, "). The Binder cumulants of all sizes",
                c.correction != 0 ? ", corrected for terms in N^(-1/2)," : "",
                " cross at U4 = ", concise_with_error(c.binder, 0.5 * (c.binder_high - c.binder_low)),
                findings.peaks == 2
                    ? ". The histogram of m has two peaks there, which would indicate a first-order transition."
                    : ". There is no hysteresis, and the histogram of m has one peak.",
                crossing_doubt(findings));
}

/// "T = 0.133(10) opinion^2", with the error of the sizes.
std::string limit_text(const ControlWords& control, const SizeLimit& limit) {
  return control.behind_name(limit.value, limit.error);
}

/// What the sizes do not show of a jump, or of the place where order begins.
std::string doubt_sentence(const SizeLimit& limit, const std::string& what) {
  if (limit.sizes.empty() || limit.converges) return "";
  if (limit.sizes.size() == 1)
    return concat(" ", what, " was found with ", limit.sizes[0],
                  " agents alone, so its error says nothing of other sizes.");
  return concat(" ", what, " still moves with the number of agents (from ", limit.sizes[limit.sizes.size() - 2], " to ",
                limit.sizes.back(), " by ", plain_text(limit.last_change, 2),
                "), and these sizes do not show where it converges.");
}

std::string rising(Direction direction) { return direction == Direction::up ? "rising " : "falling "; }

/// Where the walk of a direction leaves its branch. With noise that of the largest crowd alone: fluctuations end a
/// branch before its fold, and how much earlier follows no power of the size (it depends on the steps walked as well).
SizeLimit branch_end(const PhaseFindings& findings, Direction direction, bool noisy) {
  JumpOfSizes jumps = over_sizes(findings, direction);
  if (!jumps.empty() && jumps.back().second == nullptr) jumps.clear();  // the largest crowd has none
  if (noisy && !jumps.empty()) jumps.erase(jumps.begin(), jumps.end() - 1);
  return size_limit(jumps);
}

/// Whether the two ends of the loop lie apart.
std::string between_sentence(const SizeLimit& down, const SizeLimit& up) {
  if (up.value - down.value > std::hypot(up.error, down.error)) return ". Between them there is hysteresis";
  return ". The two do not differ by more than their errors, so hysteresis is not shown";
}

/// Both branches end, each where it is carried to.
std::string loop_sentence_of(const Config& config, const ControlWords& control, const PhaseFindings& findings,
                             bool noisy) {
  const SizeLimit down = branch_end(findings, Direction::down, noisy), up = branch_end(findings, Direction::up, noisy);
  const bool falls = !down.sizes.empty(), rises = !up.sizes.empty();
  if (!falls && !rises)
    return concat("Smaller crowds show transitions, which that of ", sizes_of(findings).back(), " agents does not.");
  std::string text = "First-order transition: ";
  if (falls)
    text += concat("with falling ", control.name, " the order parameter jumps at ", limit_text(control, down),
                   in_brackets(prediction_text(config, false, Direction::down)));
  if (falls && rises) text += ", ";
  if (rises)
    text += concat("with rising ", control.name, falls ? " at " : " the order parameter jumps at ",
                   limit_text(control, up), in_brackets(prediction_text(config, false, Direction::up)));
  if (noisy) text += concat(", for ", sizes_of(findings).back(), " agents");
  if (falls && rises) text += between_sentence(down, up);
  if (noisy && findings.peaks == 2) text += ". The histogram of m has two peaks";
  text += ".";
  if (noisy)
    return text +
           " Fluctuations end a branch before its fold, so the loop of infinitely many agents is at least as wide.";
  for (const auto& [limit, direction] : {std::pair{down, Direction::down}, std::pair{up, Direction::up}})
    text += doubt_sentence(limit, concat("The jump with ", rising(direction), control.name));
  return text;
}

/// Order that begins without a jump, at rest.
std::string onset_sentence(const Config& config, const ControlWords& control, const PhaseFindings& findings) {
  std::string text, doubts;
  for (const Direction direction : {Direction::up, Direction::down}) {
    if (main_jump(findings, direction) == nullptr) continue;
    const SizeLimit limit = size_limit(over_sizes(findings, direction));
    text += concat(text.empty() ? "Continuous transition: with " : ", with ", rising(direction), control.name,
                   direction == Direction::up ? " the order parameter leaves 0 at " : " it reaches 0 at ",
                   limit_text(control, limit), in_brackets(prediction_text(config, false, direction)));
    doubts += doubt_sentence(limit, concat("That place with ", rising(direction), control.name));
  }
  return text + "." + doubts;
}

constexpr std::size_t kMostFlips = 6;  // in a sentence

/// The largest changes of one size, at most kMostFlips, by their place; and how many there are.
std::pair<std::vector<FoundJump>, std::size_t> largest_jumps(const PhaseFindings& findings, Index size) {
  std::vector<FoundJump> jumps;
  for (const FoundJump& jump : findings.jumps)
    if (jump.size == size) jumps.push_back(jump);
  const std::size_t all = jumps.size();
  const auto change = [](const FoundJump& jump) { return std::abs(jump.order_after - jump.order_before); };
  std::stable_sort(jumps.begin(), jumps.end(),
                   [&](const FoundJump& a, const FoundJump& b) { return change(a) > change(b); });
  jumps.resize(std::min(all, kMostFlips));
  std::sort(jumps.begin(), jumps.end(), [](const FoundJump& a, const FoundJump& b) { return a.at() < b.at(); });
  return {std::move(jumps), all};
}

/// Every flip of the largest crowd, or the largest of many, in words, with the error of the sizes.
std::string flips_sentence(const ControlWords& control, const PhaseFindings& findings) {
  const Index largest = sizes_of(findings).back();
  const auto [jumps, all] = largest_jumps(findings, largest);
  std::string text, doubts;
  for (const FoundJump& jump : jumps) {
    const SizeLimit limit = size_limit(over_sizes(findings, jump));
    text += concat(text.empty() ? "" : ", ", limit_text(control, limit), " (", camps_text(jump.camps_before),
                   " below, ", camps_text(jump.camps_after), " above)");
    doubts += doubt_sentence(limit, concat("That at ", plain_text(jump.at(), 3)));
  }
  if (jumps.empty()) {
    text = "none";
    doubts = " Smaller crowds show transitions, which the largest does not.";
  }
  return concat(all == 1 ? "One transition" : concat(all, " transitions"), " of the final state with ", control.name,
                ", each value from the same start, with up to ", largest, " agents",
                all > jumps.size() ? concat("; the ", jumps.size(), " largest are ") : ": ", text, ".", doubts);
}

/// Where the fluctuations of one crowd are largest, between the neighbours on the grid.
std::string one_size_sentence(const ControlWords& control, const PhaseFindings& findings) {
  const PhasePoint* peak = nullptr;
  for (const PhasePoint& point : findings.points)
    if (point.round == 0 && (peak == nullptr || point.susceptibility > peak->susceptibility)) peak = &point;
  double below = peak->control, above = peak->control;
  for (const PhasePoint& point : findings.points) {
    if (point.control < peak->control) below = below == peak->control ? point.control : std::max(below, point.control);
    if (point.control > peak->control) above = above == peak->control ? point.control : std::min(above, point.control);
  }
  return concat("There is one size, ", peak->size, " agents: cumulants of one size do not cross, and nothing can be ",
                "said of other sizes. The order parameter fluctuates most for ", control.name, " between ",
                plain_text(below, 3), " and ", plain_text(above, 3), control.unit.empty() ? "" : " ", control.unit,
                "; there is no hysteresis.");
}

std::string nothing_sentence(const ControlWords& control, const PhaseFindings& findings, const Config& config) {
  if (phase_is_noisy(config) && sizes_of(findings).size() == 1) return one_size_sentence(control, findings);
  double low = kNan, high = kNan;
  for (const PhasePoint& point : findings.points)
    low = std::fmin(low, point.order), high = std::fmax(high, point.order);
  return concat("No transition for ", control.name, " from ", config.real("phase.low"), " to ",
                config.real("phase.high"), control.unit.empty() ? "" : " ", control.unit,
                ": the order parameter goes from ", concise_with_error(low, 0), " to ", concise_with_error(high, 0),
                " without a jump", phase_is_noisy(config) ? " or a crossing of the Binder cumulants." : ".");
}

}  // namespace

std::string phase_verdict(const Config& config, const PhaseFindings& findings) {
  const ControlWords control = control_words(config);
  const bool noisy = phase_is_noisy(config);
  if (phase_is_plain_averaging(config))
    return "No phase transition: without stubbornness or noise every crowd ends in consensus, and an apparent "
           "transition only reflects the finite number of steps.";
  if (findings.kind == TransitionKind::none) return nothing_sentence(control, findings, config);
  if (findings.kind == TransitionKind::continuous)
    return noisy ? crossing_sentence(config, control, findings) : onset_sentence(config, control, findings);
  return is_carried(findings) ? loop_sentence_of(config, control, findings, noisy) : flips_sentence(control, findings);
}

namespace {

/// The scalar with the prediction of a crossing, or of the end of a branch in one direction; "" for none.
std::string prediction_name(const Config& config, bool crossing, Direction direction) {
  for (const KnownTransition& known : known_transitions(config))
    if (known.crossing == crossing && (crossing || known.direction == direction) && !known.name.ends_with("_flip"))
      return "predicted_" + known.name;
  return "";
}

void write_crossing(const Config& config, const PhaseFindings& findings, Results& results) {
  const FoundCrossing& crossing = findings.crossing;
  if (std::isnan(crossing.control)) return;
  const std::string unit = phase_control_unit(config);
  results.scalar("crossing", crossing.control, unit, "crossing");
  results.scalar("crossing_half_width", 0.5 * (crossing.high - crossing.low), unit, "half width of its 95 % interval");
  results.scalar("crossing_cumulant", crossing.binder, "1", "U4 at the crossing");
  results.scalar("crossing_cumulant_half_width", 0.5 * (crossing.binder_high - crossing.binder_low), "1",
                 "half width of its 95 % interval");
  results.scalar("crossing_correction", crossing.correction, "1",
                 "g: U4 of N agents at the crossing is higher by g N^(-1/2)");
  results.scalar("crossing_chi_square", crossing.chi_square / crossing.degrees, "1",
                 "chi^2 of the fit per degree of freedom");
  results.scalar("crossing_widened", crossing.widened, "1",
                 "factor on the intervals, above 1 where the sizes do not follow one curve");
  results.headline({.variable = "crossing",
                    .label = "Transition",
                    .predicted = prediction_name(config, true, Direction::down),
                    .half_width = "crossing_half_width",
                    .meaning = "Crossing of the Binder cumulants of all sizes, with its 95 % bootstrap interval."});
  results.headline({.variable = "crossing_cumulant",
                    .label = "U4 at the crossing",
                    .half_width = "crossing_cumulant_half_width",
                    .meaning = crossing.correction != 0
                                   ? "For infinitely many agents. The value identifies the universality class."
                                   : "The value identifies the universality class."});
  const std::vector<double>& pairs = crossing.pair_control;
  if (pairs.empty()) return;
  results.data.dimension("pair", pairs.size());
  results.add("pair_crossing", {"pair"}, pairs, unit, "crossing of neighbouring sizes");
}

/// Whom the place of a headline speaks of, and what its error is.
std::string end_meaning(const SizeLimit& limit, bool noisy) {
  if (noisy)
    return "Of the largest crowd; fluctuations end a branch before its fold, so larger crowds keep to it longer.";
  if (limit.converges) return "For infinitely many agents; the error is that of the bracket and of the sizes.";
  if (limit.sizes.size() == 1) return "Of one size; the error says nothing of others.";
  return "Of the largest crowd: the sizes do not converge, and the error is their last change.";
}

void write_ends(const Config& config, const PhaseFindings& findings, Results& results) {
  const std::string unit = phase_control_unit(config), control = control_words(config).name;
  const bool noisy = phase_is_noisy(config);
  for (const Direction direction : {Direction::down, Direction::up}) {
    const FoundJump* jump = main_jump(findings, direction);
    if (jump == nullptr) continue;
    const std::string way = direction == Direction::up ? "up" : "down";
    results.scalar("jump_" + way, jump->at(), unit, direction == Direction::up ? "jump up" : "jump down");
    results.scalar("jump_" + way + "_error", 0.5 * (jump->high - jump->low), unit, "half width");
    const SizeLimit limit = branch_end(findings, direction, noisy);
    results.scalar("jump_" + way + "_limit", limit.value, unit,
                   noisy ? "largest jump, of the largest crowd"
                         : "largest jump, for infinitely many agents where the sizes converge");
    results.scalar("jump_" + way + "_limit_error", limit.error, unit,
                   noisy ? "its error, of the bracket" : "its error, bracket and sizes together");
    results.scalar("jump_" + way + "_converges", limit.converges ? 1 : 0, "1", "1: the sizes converge");
    results.headline({.variable = "jump_" + way + "_limit",
                      .label = concat(jump->smooth ? "Order leaves 0 with " : "Largest jump with ",
                                      way == "up" ? "rising " : "falling ", control),
                      .predicted = prediction_name(config, false, direction),
                      .half_width = "jump_" + way + "_limit_error",
                      .meaning = end_meaning(limit, noisy)});
  }
}

/// Which of the two intervals of a crossing are wider than was asked for.
std::string wide_intervals(const Config& config, const FoundCrossing& crossing) {
  const double precision = config.real("phase.precision"), binder_precision = config.real("phase.binder_precision");
  const bool place = 0.5 * (crossing.high - crossing.low) > precision * std::abs(crossing.control);
  const bool height = 0.5 * (crossing.binder_high - crossing.binder_low) > binder_precision;
  const std::string of_place = concat("phase.precision = ", precision, " of it");
  const std::string of_height = concat("phase.binder_precision = ", binder_precision);
  if (place && height)
    return concat("The half widths of the intervals of the crossing and of U4 there are larger than ", of_place,
                  " and ", of_height);
  return concat("The half width of the interval of ", place ? "the crossing" : "U4 at the crossing", " is larger than ",
                place ? of_place : of_height);
}

void write_search_notes(const Config& config, const PhaseFindings& findings, Results& results) {
  const bool noisy = phase_is_noisy(config);
  if (!noisy && phase_is_drawn(config))
    results.note(concat("Each place is the mean over phase.replicas = ", config.integer("phase.replicas"),
                        " crowds of that size, with the 95 % interval of Student's t; their meetings, starts or "
                        "networks were drawn anew."));
  if (findings.kind == TransitionKind::continuous && noisy && config.text("network.kind") != "none")
    results.note(
        "The fit takes the exponent 1/2 of mean field for N, as if everybody heard everybody. On a network "
        "that is an assumption, which chi^2 of the fit tests.");
  if (noisy && findings.kind == TransitionKind::continuous && !findings.crossing.narrow_enough)
    results.note(concat(wide_intervals(config, findings.crossing),
                        " after all phase.rounds_max = ", config.integer("phase.rounds_max"), " refinements."));
  if (phase_is_plain_averaging(config))
    results.note(
        "Plain averaging: without stubbornness and noise every crowd ends in consensus (E1). The transition is only "
        "apparent: it is where camps live longer than phase.steps_max steps, or move by less than phase.tolerance.");
  const auto waiting = std::count_if(findings.points.begin(), findings.points.end(),
                                     [](const PhasePoint& point) { return !point.at_rest; });
  if (waiting > 0)
    results.note(concat(waiting, " of ", findings.points.size(),
                        " points were not at rest after phase.steps_max steps; relaxation is slow near a transition."));
  results.note(concat(findings.steps, " steps in total, ", findings.rounds, " refinements."));
}

}  // namespace

void write_transitions(const Config& config, const PhaseFindings& findings, Results& results) {
  write_crossing(config, findings, results);
  write_ends(config, findings, results);
  for (const KnownTransition& known : known_transitions(config))
    results.scalar("predicted_" + known.name, known.at, phase_control_unit(config), "predicted");
  write_search_notes(config, findings, results);
}

}  // namespace fovea::opinion::phase
