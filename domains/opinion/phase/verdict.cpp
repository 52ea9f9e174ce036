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
#include "fovea/domains/opinion/temperature/outcome.hpp"

namespace fovea::opinion::phase {

namespace {

std::string place_text(const FoundJump& jump) { return concise_with_error(jump.at(), 0.5 * (jump.high - jump.low)); }

std::string camps_text(double camps) {
  if (std::isnan(camps)) return "";
  return concat(camps, camps == 1 ? " camp" : " camps");
}

/// "predicted 0.0089684", or nothing.
std::string prediction_text(const Config& config, bool crossing, Direction direction) {
  for (const KnownTransition& known : known_transitions(config))
    if (known.crossing == crossing && known.direction == direction)
      return concat("predicted ", plain_text(known.at, 5));
  return "";
}

std::string in_brackets(const std::string& text) { return text.empty() ? "" : concat(" (", text, ")"); }

std::string crossing_sentence(const Config& config, const std::string& control, const PhaseFindings& findings) {
  const FoundCrossing& c = findings.crossing;
  const std::string predicted = prediction_text(config, true, Direction::down);
  return concat("Continuous transition at ", control, " = ", concise_with_error(c.control, 0.5 * (c.high - c.low)),
                " (95 % interval", predicted.empty() ? "" : "; ", predicted, "). The Binder cumulants of all sizes",
                c.correction != 0 ? ", corrected for terms in N^(-1/2)," : "",
                " cross at U4 = ", concise_with_error(c.binder, 0.5 * (c.binder_high - c.binder_low)),
                findings.peaks == 2
                    ? ". The histogram of m has two peaks there, which would indicate a first-order transition."
                    : ". There is no hysteresis, and the histogram of m has one peak.");
}

/// With the error of the sizes, and what they say where they do not converge.
std::string limit_text(const PhaseFindings& findings, Direction direction) {
  const SizeLimit limit = size_limit(findings, direction);
  return concise_with_error(limit.value, limit.error);
}

std::string doubt_sentence(const PhaseFindings& findings, const std::string& control, Direction direction) {
  const SizeLimit limit = size_limit(findings, direction);
  if (limit.sizes.empty() || limit.converges) return "";
  const std::string way = concat(" The jump with ", direction == Direction::up ? "rising " : "falling ", control);
  if (limit.sizes.size() == 1)
    return concat(way, " was found with ", limit.sizes[0], " agents alone, so its error says nothing of other sizes.");
  return concat(way, " still moves with the number of agents (from ", limit.sizes[limit.sizes.size() - 2], " to ",
                limit.sizes.back(), " by ", plain_text(limit.error, 2),
                "), and these sizes do not show where it converges.");
}

/// Both branches end, each where it is carried to.
std::string loop_sentence_of(const Config& config, const std::string& control, const PhaseFindings& findings,
                             bool noisy) {
  const FoundJump *down = main_jump(findings, Direction::down), *up = main_jump(findings, Direction::up);
  std::string text = "First-order transition: ";
  if (down)
    text += concat("with falling ", control, " the order parameter jumps at ", limit_text(findings, Direction::down),
                   in_brackets(prediction_text(config, false, Direction::down)));
  if (down && up) text += ", ";
  if (up)
    text += concat("with rising ", control, " at ", limit_text(findings, Direction::up),
                   in_brackets(prediction_text(config, false, Direction::up)));
  if (down && up && up->at() > down->at()) text += ". Between them there is hysteresis";
  if (noisy && findings.peaks == 2) text += ". The histogram of m has two peaks";
  text += ".";
  for (const Direction direction : {Direction::down, Direction::up})
    text += doubt_sentence(findings, control, direction);
  return text;
}

/// Every flip of the largest crowd, in words.
std::string flips_sentence(const std::string& control, const PhaseFindings& findings) {
  Index largest = 0;
  for (const FoundJump& jump : findings.jumps) largest = std::max(largest, jump.size);
  std::string text;
  int count = 0;
  for (const FoundJump& jump : findings.jumps) {
    if (jump.size != largest) continue;
    text += concat(count == 0 ? "" : ", ", place_text(jump), " (", camps_text(jump.camps_before), " below, ",
                   camps_text(jump.camps_after), " above)");
    ++count;
  }
  return concat(
      count == 1 ? "One transition of the final state with " : concat(count, " transitions of the final state with "),
      control, ", each value from the same start, with ", largest, " agents: ", text, ".");
}

std::string nothing_sentence(const std::string& control, const PhaseFindings& findings, const Config& config) {
  double low = kNan, high = kNan;
  for (const PhasePoint& point : findings.points)
    low = std::fmin(low, point.order), high = std::fmax(high, point.order);
  return concat("No transition for ", control, " from ", config.real("phase.low"), " to ", config.real("phase.high"),
                ": the order parameter goes from ", concise_with_error(low, 0), " to ", concise_with_error(high, 0),
                " without a jump", phase_is_noisy(config) ? " or a crossing of the Binder cumulants." : ".");
}

}  // namespace

std::string phase_verdict(const Config& config, const PhaseFindings& findings) {
  const std::string control = phase_control_name(config);
  const bool noisy = phase_is_noisy(config);
  if (phase_is_plain_averaging(config))
    return "No phase transition: without stubbornness or noise every crowd ends in consensus, and an apparent "
           "transition only reflects the finite number of steps.";
  if (findings.kind == TransitionKind::continuous) return crossing_sentence(config, control, findings);
  if (findings.kind == TransitionKind::none) return nothing_sentence(control, findings, config);
  const bool carried = std::any_of(findings.points.begin(), findings.points.end(),
                                   [](const PhasePoint& point) { return point.direction == Direction::down; });
  return carried ? loop_sentence_of(config, control, findings, noisy) : flips_sentence(control, findings);
}

}  // namespace fovea::opinion::phase
