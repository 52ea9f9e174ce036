#include "fovea/domains/opinion/phase/known.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <string_view>

#include "fovea/core/base/missing.hpp"
#include "fovea/core/kernels/exponential.hpp"
#include "fovea/domains/opinion/theory/circle.hpp"
#include "fovea/domains/opinion/theory/imitation.hpp"
#include "fovea/domains/opinion/theory/theory.hpp"

namespace fovea::opinion::phase {

namespace {

// Iteration to the resting density, from the ordered side: of each mode at first, where 1 would be a point, whose
// density is none.
constexpr double kFullOrder = 0.999;
// Below it the iteration is on its way to disorder: the ordered branch ends far above, at a fold.
constexpr double kNoOrder = 0.05;
// Change of r_1 in a round; and rounds, many next to the fold, where the change itself falls below kSettled.
constexpr double kSettled = 1e-12;
constexpr int kMostRounds = 20000;
// Relative width of the bracket around the end of order.
constexpr double kEndWidth = 1e-6;
// Of the cumulant at a crossing, whose height converges more slowly in N than its place.
constexpr double kCumulantWithin = 0.015, kVoterCumulantWithin = 0.04;
// Modes of the density on the circle: I_12(8) is below 1e-3 of I_0(8).
constexpr int kCircleModes = 12;
// Places on the circle: more than twice the modes of the density's logarithm.
constexpr int kCirclePlaces = 96;

using CircleModes = std::array<double, kCircleModes + 1>;

/// cos(k theta), at each place a row.
using CircleCosines = std::array<CircleModes, kCirclePlaces>;

CircleCosines circle_cosines() {
  CircleCosines cosines{};
  for (int place = 0; place < kCirclePlaces; ++place)
    for (int k = 0; k <= kCircleModes; ++k)
      cosines[place][k] = std::cos(k * (2 * std::numbers::pi * place / kCirclePlaces));
  return cosines;
}

/// The modes of exp(sum_k coefficient_k cos(k theta)), as shares of mode 0.
CircleModes modes_of_exponential(const CircleModes& coefficient) {
  static const CircleCosines all = circle_cosines();
  CircleModes modes{};
  for (const CircleModes& cosines : all) {
    double sum = 0;
    for (std::size_t k = 1; k < modes.size(); ++k) sum += coefficient[k] * cosines[k];
    const double density = exponential(sum);
    for (std::size_t k = 0; k < modes.size(); ++k) modes[k] += density * cosines[k];
  }
  for (std::size_t k = modes.size(); k-- > 0;) modes[k] /= modes[0];
  return modes;
}

/// r_1 where a crowd that begins in full order comes to rest at this noise; 0 where it does not stay ordered.
double resting_order(double beta, double noise) {
  CircleModes twice_bessel{};
  for (int k = 1; k <= kCircleModes; ++k) twice_bessel[k] = 2 * theory::bessel_i(k, beta);
  CircleModes modes;
  modes.fill(kFullOrder);
  for (int round = 0; round < kMostRounds; ++round) {
    CircleModes coefficient{};
    for (std::size_t k = 1; k < modes.size(); ++k) coefficient[k] = twice_bessel[k] * modes[k] / (beta * noise);
    const CircleModes next = modes_of_exponential(coefficient);
    const double change = std::abs(next[1] - modes[1]);
    modes = next;
    if (modes[1] < kNoOrder) return 0;
    if (change < kSettled) break;
  }
  return modes[1];
}

// How far a finite crowd may lie from a known place, relative.
// Finitely many quantiles shift a fold by 1.1 % / (N / 100); fewer than so many by more than half of the tolerance.
constexpr double kFoldWithin = 0.005;
constexpr Index kManyQuantiles = 500;
// Twice the usual precision of the crossing's interval.
constexpr double kCrossingWithin = 0.01;
// Waiting and fluctuations end a metastable branch early: up to several percent at a few thousand agents.
constexpr double kBranchEndWithin = 0.06;
// 1 % of the range counts as 0.
constexpr double kNeutralityWithin = 0.002;
// Two camps are points: only the bracket is left.
constexpr double kCampsEndWithin = 0.002;

// Where theory holds.
// s: at 1 / 9 the two folds of theory.md, E5, meet and there is no jump.
constexpr double kMostAnchored = 0.1;
// dt: longer steps move the ordered branch of a model in continuous time.
constexpr double kContinuous = 0.02;
// q: with a larger panel the transition is of first order (Nyczka, Sznajd-Weron & Cislo 2012).
constexpr Index kMostContinuousPanel = 5;

using Transitions = std::vector<KnownTransition>;

/// Everybody hears everybody, opinions of one component.
bool is_all_to_all(const PhaseQuestion& run) { return !run.on_network() && run.population.components == 1; }

bool is_anchored(const PhaseQuestion& run) {
  return is_all_to_all(run) && run.model.score == "gaussian" && run.starts(society::StartKind::gaussian_quantiles) &&
         run.model.stubbornness > 0 && run.model.stubbornness <= kMostAnchored && !run.search.noisy;
}

Transitions fold_of(const PhaseQuestion& run) {
  return {{theory::consensus_ends(run.model.stubbornness).tau * run.spread() * run.spread(), false, Direction::down,
           kFoldWithin, "lower_fold", "temperature where consensus loses stability on cooling",
           "derived in domains/opinion/theory.md (E5)", run.search.sizes.back() >= kManyQuantiles}};
}

double anchored_order(const PhaseQuestion& run, double temperature) {
  return run.spread() * theory::gaussian_state_u(temperature / (run.spread() * run.spread()), run.model.stubbornness);
}

/// Plain coupling.
bool is_plain_circle(const PhaseQuestion& run) { return is_all_to_all(run) && run.model.coupling == 1 && run.free(); }

Transitions on_circle(const PhaseQuestion& run, theory::CircleWeights weights) {
  const double beta = 1 / run.model.temperature;
  const double onset = theory::critical_noise(beta, weights, run.model.time_step);
  if (beta <= theory::tricritical_beta(2))
    return {{onset, true, Direction::down, kCrossingWithin, "critical_noise", "noise where the Binder cumulants cross",
             "ln(1 + c dt) / dt, c the growth of mode 1: Geshkovski et al. 2023; Mun & Rosenzweig 2026"}};
  if (weights == theory::CircleWeights::softmax) return {};
  return {{onset, false, Direction::down, kBranchEndWithin, "disorder_ends",
           "noise where disorder loses stability, with falling noise",
           "ln(1 + c dt) / dt, c = I_1 / beta; first order above beta* = 2.4469: Mun & Rosenzweig 2026"},
          {circle_order_ends(beta), false, Direction::up, kBranchEndWithin, "order_ends",
           "noise where order loses stability, with rising noise", "derived in domains/opinion/theory.md (E9)"}};
}
Transitions on_softmax_circle(const PhaseQuestion& run) { return on_circle(run, theory::CircleWeights::softmax); }
Transitions on_free_circle(const PhaseQuestion& run) { return on_circle(run, theory::CircleWeights::unnormalised); }

double order_on_free_circle(const PhaseQuestion& run, double noise) {
  return run.model.time_step <= kContinuous ? circle_order(1 / run.model.temperature, noise) : kNan;
}

bool is_evenly_spaced(const PhaseQuestion& run) {
  return is_all_to_all(run) && run.starts(society::StartKind::even) && run.free();
}

/// The flips of Hegselmann and Krause's crowd on equally spaced opinions, in units of eps.
Transitions flips_of(const PhaseQuestion& run) {
  const auto flip = [&](double low, double high, const char* name) {
    const double middle = 0.5 * (low + high);
    return KnownTransition{2 * run.spread() / middle,
                           false,
                           Direction::up,
                           0.5 * (high - low) / middle,
                           name,
                           "length of the range in units of eps at the transition, inside its known bracket",
                           "Lorenz 2006; bracket by 1000 and 10000 agents a unit",
                           true,
                           1,
                           true};
  };
  return {flip(5.23, 5.24, "first_flip"), flip(5.66, 5.68, "second_flip")};
}

/// q-voters with independence, everybody asking everybody.
bool is_voter_crowd(const PhaseQuestion& run) { return is_all_to_all(run) && run.model.panel > 1 && run.free(); }

Transitions of_voters(const PhaseQuestion& run) {
  const auto q = static_cast<int>(run.model.panel);
  const double threshold = theory::q_voter_threshold(q);
  const std::string source = "Nyczka, Sznajd-Weron & Cislo 2012", formula = ": (q - 1) / (q - 1 + 2^(q - 1))";
  if (q <= kMostContinuousPanel)
    return {{threshold, true, Direction::down, kCrossingWithin, "threshold",
             "independence where the Binder cumulants cross", source + formula, true, 1}};
  // Voters leave a metastable branch early, of a thousand by a fifth: compared, not judged.
  return {
      {threshold, false, Direction::down, 0, "disorder_ends", "independence below which a majority forms, as it falls",
       source + formula, false},
      {theory::q_voter_order_ends(q), false, Direction::up, 0, "order_ends",
       "independence above which no majority persists, as it rises", source + ": largest p of a resting share", false}};
}

double order_of_voters(const PhaseQuestion& run, double independence) {
  return theory::q_voter_order(static_cast<int>(run.model.panel), independence);
}

/// Saturated opinions that begin afresh, without anchors and noise: h_i is a mean of tanh(alpha x_j), whatever network,
/// score and temperature, so max |x| falls below K tanh(alpha max |x|) where K alpha < 1; where it is more, the rest at
/// 0 loses stability, since weights are equal there to first order.
bool is_saturated(const PhaseQuestion& run) {
  return run.search.order == Order::strength && run.search.fresh && run.free() && !run.search.noisy;
}

/// The factor beside the control in K alpha.
double other_factor(const PhaseQuestion& run) {
  return run.control.given == "coupling" ? run.model.steepness : run.model.coupling;
}

Transitions of_saturation(const PhaseQuestion& run) {
  return {{1 / other_factor(run), false, Direction::up, kNeutralityWithin, "neutrality_ends",
           "where opinions leave 0: K alpha = 1, on any network", "derived in domains/opinion/theory.md (E6)"}};
}

bool has_two_saturated_camps(const PhaseQuestion& run) {
  return is_all_to_all(run) && run.starts(society::StartKind::two_camps) && run.free() && !run.search.noisy &&
         run.model.coupling * run.model.steepness > 1;
}

Transitions end_of_camps(const PhaseQuestion& run) {
  return {{theory::saturated_camps_end(run.model.coupling, run.model.steepness).temperature, false, Direction::up,
           kCampsEndWithin, "camps_merge", "temperature where two camps merge on heating",
           "derived in domains/opinion/theory.md (E6)"}};
}

bool draws_contacts_evenly(const PhaseQuestion& run) { return run.model.homophily == 0 && run.free(); }

/// K alpha m e = 1 for the control, where opinions near 0 begin to grow. Compared, not judged: the few most active
/// agents of a finite crowd move it by some percent.
Transitions of_contacts(const PhaseQuestion& run) {
  const double gain =
      theory::contact_gain(run.model.activity_exponent, run.model.activity_least, run.model.reciprocity) *
      static_cast<double>(run.model.contacts);
  return {{1 / (gain * other_factor(run)), false, Direction::up, 0, "radicalization",
           "where opinions near 0 begin to grow: K alpha m e = 1", "derived in domains/opinion/models.md", false}};
}

/// What is known of a model under one control.
struct KnownModel {
  std::string_view model, control;
  bool (*holds)(const PhaseQuestion& run);
  Transitions (*transitions)(const PhaseQuestion& run);
  double (*order)(const PhaseQuestion& run, double control) = nullptr;  ///< nullptr: it is not known
  const char* kind = nullptr;  ///< why it is known whether the transition is continuous; nullptr: it is not
};

constexpr const char* kCircleKind = "I_2 / I_1 = 1 / 2 at beta* = 2.4469183: Mun & Rosenzweig 2026";
constexpr std::array kKnown{
    KnownModel{"attention", "temperature", &is_anchored, &fold_of, &anchored_order},
    KnownModel{"baumann", "coupling", &draws_contacts_evenly, &of_contacts},
    KnownModel{"baumann", "steepness", &draws_contacts_evenly, &of_contacts},
    KnownModel{"hegselmann_krause", "confidence", &is_evenly_spaced, &flips_of},
    KnownModel{"q_voter", "independence", &is_voter_crowd, &of_voters, &order_of_voters,
               "first order for q > 5: Nyczka, Sznajd-Weron & Cislo 2012"},
    KnownModel{"saturation", "coupling", &is_saturated, &of_saturation},
    KnownModel{"saturation", "steepness", &is_saturated, &of_saturation},
    KnownModel{"saturation", "temperature", &has_two_saturated_camps, &end_of_camps},
    KnownModel{"transformer_circle", "noise", &is_plain_circle, &on_softmax_circle, nullptr, kCircleKind},
    KnownModel{"transformer_circle_unnormalised", "noise", &is_plain_circle, &on_free_circle, &order_on_free_circle,
               kCircleKind}};

/// nullptr: nothing is known.
const KnownModel* known_of(const PhaseQuestion& run) {
  const auto found = std::find_if(kKnown.begin(), kKnown.end(), [&](const KnownModel& one) {
    return one.model == run.model.model && one.control == run.control.given && one.holds(run);
  });
  return found == kKnown.end() ? nullptr : &*found;
}

Index largest_of(const PhaseFindings& findings) {
  Index largest = 0;
  for (const PhasePoint& point : findings.points) largest = std::max(largest, point.size);
  return largest;
}

/// The jump of the largest size that is nearest to a known place, in its direction.
double nearest_jump(const PhaseFindings& findings, const KnownTransition& known) {
  double nearest = kNan;
  const Index largest = largest_of(findings);
  for (const FoundJump& jump : findings.jumps)
    if (jump.size == largest && jump.direction == known.direction &&
        !(std::abs(jump.at() - known.at) >= std::abs(nearest - known.at)))
      nearest = jump.at();
  return nearest;
}

double measured_place(const PhaseFindings& findings, const KnownTransition& known) {
  if (known.crossing) return findings.crossing.control;
  if (known.flip) return nearest_jump(findings, known);
  const FoundJump* jump = main_jump(findings, known.direction);
  return jump == nullptr ? kNan : jump->at();
}

}  // namespace

std::vector<KnownTransition> known_transitions(const PhaseQuestion& question) {
  const KnownModel* model = known_of(question);
  if (model == nullptr) return {};
  std::vector<KnownTransition> known = model->transitions(question);
  const PhaseSettings& range = question.search;
  std::erase_if(known, [&](const KnownTransition& one) { return !(one.at > range.low && one.at < range.high); });
  return known;
}

std::vector<double> known_order(const PhaseQuestion& question, const std::vector<double>& controls) {
  const KnownModel* model = known_of(question);
  std::vector<double> orders;
  for (const double control : controls)
    orders.push_back(model == nullptr || model->order == nullptr ? kNan : model->order(question, control));
  return orders;
}

const FoundJump* main_jump(const PhaseFindings& findings, Direction direction, Index size) {
  const FoundJump* main = nullptr;
  if (size == 0) size = largest_of(findings);
  const auto change = [](const FoundJump& jump) { return std::abs(jump.order_after - jump.order_before); };
  for (const FoundJump& jump : findings.jumps)
    if (jump.size == size && jump.direction == direction && (main == nullptr || change(jump) > change(*main)))
      main = &jump;
  return main;
}

double circle_order(double beta, double noise) { return resting_order(beta, noise); }

double circle_order_ends(double beta) {
  double low = theory::critical_noise(beta, theory::CircleWeights::unnormalised), high = 4 * low;
  while (high - low > kEndWidth * low) {
    const double middle = 0.5 * (low + high);
    (resting_order(beta, middle) > 0 ? low : high) = middle;
  }
  return 0.5 * (low + high);
}

void check_known(const PhaseQuestion& question, const std::vector<KnownTransition>& all, const PhaseFindings& findings,
                 Results& results) {
  for (const KnownTransition& known : all) {
    if (!known.judged) continue;
    double predicted = known.at, measured = measured_place(findings, known);
    if (known.flip) {  // known as a length in units of eps
      const double length = 2 * question.spread();
      predicted = length / predicted;
      measured = length / measured;
    }
    results.check({known.name, known.meaning, known.source, predicted, measured, relative(known.tolerance)});
    if (known.crossing)
      results.check({"critical_cumulant", "Binder cumulant where the curves cross",
                     known.components == 2 ? "1 - pi / 6: complete graph, two components"
                                           : "1 - Gamma(1/4)^4 / (24 pi^2): complete graph, one component",
                     theory::critical_binder(known.components), findings.crossing.binder,
                     absolute(known.components == 2 ? kCumulantWithin : kVoterCumulantWithin)});
  }
  // continuous or first order, where that is known too
  const KnownModel* model = known_of(question);
  if (all.empty() || model->kind == nullptr) return;
  results.check({"order_of_transition", "1: first order, with hysteresis; 0: continuous", model->kind,
                 all.front().crossing ? 0.0 : 1.0,
                 findings.kind == TransitionKind::none          ? kNan
                 : findings.kind == TransitionKind::first_order ? 1.0
                                                                : 0.0,
                 absolute(0)});
}

}  // namespace fovea::opinion::phase
