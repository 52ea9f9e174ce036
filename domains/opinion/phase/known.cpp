#include "fovea/domains/opinion/phase/known.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "fovea/core/base/missing.hpp"
#include "fovea/core/kernels/exponential.hpp"
#include "fovea/domains/opinion/phase/control.hpp"
#include "fovea/domains/opinion/phase/settings.hpp"
#include "fovea/domains/opinion/theory/bessel.hpp"
#include "fovea/domains/opinion/theory/circle.hpp"
#include "fovea/domains/opinion/theory/imitation.hpp"
#include "fovea/domains/opinion/theory/saturation.hpp"
#include "fovea/domains/opinion/theory/theory.hpp"

namespace fovea::opinion::phase {

namespace {

constexpr double kTwoPi = 6.283185307179586;
constexpr int kCircleModes = 12;   // of the density on the circle: I_12(8) is below 1e-3 of I_0(8)
constexpr int kCirclePlaces = 96;  // of the circle: more than twice the modes of the density's logarithm

using CircleModes = std::array<double, kCircleModes + 1>;

/// cos(k theta), at each place a row.
using CircleCosines = std::array<CircleModes, kCirclePlaces>;

CircleCosines circle_cosines() {
  CircleCosines cosines{};
  for (int place = 0; place < kCirclePlaces; ++place)
    for (int k = 0; k <= kCircleModes; ++k) cosines[place][k] = std::cos(k * (kTwoPi * place / kCirclePlaces));
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
  modes.fill(0.999);
  for (int round = 0; round < 20000; ++round) {
    CircleModes coefficient{};
    for (std::size_t k = 1; k < modes.size(); ++k) coefficient[k] = twice_bessel[k] * modes[k] / (beta * noise);
    const CircleModes next = modes_of_exponential(coefficient);
    const double change = std::abs(next[1] - modes[1]);
    modes = next;
    if (modes[1] < 0.05) return 0;
    if (change < 1e-12) break;
  }
  return modes[1];
}

/// Everybody hears everybody, opinions of one component: what theory speaks of.
bool all_to_all(const Config& config) {
  return config.text("network.kind") == "none" && config.integer("model.components") == 1;
}

bool on_the_line_with_anchors(const Config& config) {
  return all_to_all(config) && config.text("model.name") == "attention" && config.text("model.score") == "gaussian" &&
         config.text("phase.control") == "temperature" && config.text("start.kind") == "gaussian_quantiles" &&
         config.real("model.stubbornness") > 0 && config.real("model.stubbornness") <= 0.1 && !phase_is_noisy(config);
}

constexpr std::int64_t kManyQuantiles = 500;  // fewer shift the fold by more than half of its tolerance

KnownTransition fold_of(const Config& config) {
  const double spread = config.real("start.spread");
  return {theory::consensus_ends(config.real("model.stubbornness")).tau * spread * spread,
          false,
          Direction::down,
          0.005,  // finitely many quantiles shift it by less: 1.1 % / (N / 100)
          "lower_fold",
          "temperature where consensus loses stability on cooling",
          "derived in domains/opinion/theory.md (E5)",
          config.integers("phase.sizes").back() >= kManyQuantiles};
}

/// A circle with noise as the control, plain coupling.
bool on_the_noisy_circle(const Config& config) {
  const std::string& model = config.text("model.name");
  return all_to_all(config) && (model == "transformer_circle" || model == "transformer_circle_unnormalised") &&
         config.text("phase.control") == "noise" && config.real("model.coupling") == 1 &&
         config.real("model.stubbornness") == 0;
}

std::vector<KnownTransition> on_circle_of(const Config& config) {
  const double beta = 1 / config.real("model.temperature");
  const bool unnormalised = config.text("model.name") == "transformer_circle_unnormalised";
  const double onset =
      theory::critical_noise(beta, unnormalised ? theory::CircleWeights::unnormalised : theory::CircleWeights::softmax,
                             config.real("model.time_step"));
  const bool jumps = beta > theory::tricritical_beta(2);
  std::vector<KnownTransition> known;
  if (!jumps) {
    known.push_back({onset, true, Direction::down, 0.01, "critical_noise", "noise where the Binder cumulants cross",
                     "ln(1 + c dt) / dt, c the growth of mode 1: Geshkovski et al. 2023; Mun & Rosenzweig 2026"});
  } else if (unnormalised) {
    // Waiting and fluctuations end a metastable branch early: up to several percent at a few thousand agents.
    known.push_back({onset, false, Direction::down, 0.06, "disorder_ends",
                     "noise where disorder loses stability, with falling noise",
                     "ln(1 + c dt) / dt, c = I_1 / beta; first order above beta* = 2.4469: Mun & Rosenzweig 2026"});
    known.push_back({circle_order_ends(beta), false, Direction::up, 0.06, "order_ends",
                     "noise where order loses stability, with rising noise",
                     "derived in domains/opinion/theory.md (E9)"});
  }
  return known;
}

/// The flips of Hegselmann and Krause's crowd on equally spaced opinions, in units of eps.
std::vector<KnownTransition> flips_of(const Config& config) {
  const double length = 2 * config.real("start.spread");
  const auto flip = [&](double low, double high, const char* name) {
    return KnownTransition{length / (0.5 * (low + high)),
                           false,
                           Direction::up,
                           0.5 * (high - low) / (0.5 * (low + high)),
                           name,
                           "length of the range in units of eps at the transition, inside its known bracket",
                           "Lorenz 2006; bracket by 1000 and 10000 agents a unit"};
  };
  return {flip(5.23, 5.24, "first_flip"), flip(5.66, 5.68, "second_flip")};
}

bool is_evenly_spaced_window(const Config& config) {
  return all_to_all(config) && config.text("model.name") == "hegselmann_krause" &&
         config.text("start.kind") == "even" && config.text("phase.control") == "confidence" &&
         config.real("model.stubbornness") == 0;
}

/// q-voters with independence, everybody asking everybody.
bool is_voter_crowd(const Config& config) {
  return all_to_all(config) && config.text("model.name") == "q_voter" &&
         config.text("phase.control") == "independence" && config.integer("model.panel") > 1 &&
         config.real("model.stubbornness") == 0;
}

std::vector<KnownTransition> of_voters(const Config& config) {
  const auto q = static_cast<int>(config.integer("model.panel"));
  const double threshold = theory::q_voter_threshold(q);
  const std::string source = "Nyczka, Sznajd-Weron & Cislo 2012";
  if (q <= 5)
    return {{threshold, true, Direction::down, 0.01, "threshold", "independence where the Binder cumulants cross",
             source + ": (q - 1) / (q - 1 + 2^(q - 1))", true, 1}};
  // Voters leave a metastable branch early, of a thousand by a fifth: compared, not judged.
  KnownTransition disorder{threshold,
                           false,
                           Direction::down,
                           0,
                           "disorder_ends",
                           "independence below which a majority forms, as it falls",
                           source + ": (q - 1) / (q - 1 + 2^(q - 1))",
                           false};
  KnownTransition order{theory::q_voter_order_ends(q),
                        false,
                        Direction::up,
                        0,
                        "order_ends",
                        "independence above which no majority persists, as it rises",
                        source + ": largest p of a resting share",
                        false};
  return {disorder, order};
}

/// Saturated opinions that begin afresh, without anchors and noise: h_i is a mean of tanh(alpha x_j), whatever network,
/// score and temperature, so max |x| falls below K tanh(alpha max |x|) where K alpha < 1; where it is more, the rest at
/// 0 loses stability, since weights are equal there to first order.
bool is_saturated_crowd(const Config& config) {
  const std::string& control = config.text("phase.control");
  return config.text("model.name") == "saturation" && (control == "coupling" || control == "steepness") &&
         config.text("phase.order") == "strength" && config.text("phase.branches") == "fresh" &&
         config.real("model.stubbornness") == 0 && !phase_is_noisy(config);
}

KnownTransition of_saturation(const Config& config) {
  const bool coupling = config.text("phase.control") == "coupling";
  return {1 / config.real(coupling ? "model.steepness" : "model.coupling"),
          false,
          Direction::up,
          0.002,  // 1 % of the range counts as 0
          "neutrality_ends",
          "where opinions leave 0: K alpha = 1, on any network",
          "derived in domains/opinion/theory.md (E6)"};
}

bool is_contact_crowd(const Config& config) {
  const std::string& control = config.text("phase.control");
  return config.text("model.name") == "baumann" && (control == "coupling" || control == "steepness") &&
         config.real("model.homophily") == 0 && config.real("model.stubbornness") == 0;
}

/// K alpha m e = 1 for the control, where opinions near 0 begin to grow.
KnownTransition of_contacts(const Config& config) {
  const double gain = theory::contact_gain(config.real("model.activity_exponent"), config.real("model.activity_least"),
                                           config.real("model.reciprocity")) *
                      static_cast<double>(config.integer("model.contacts"));
  const bool coupling = config.text("phase.control") == "coupling";
  return {1 / (gain * config.real(coupling ? "model.steepness" : "model.coupling")),
          false,
          Direction::up,
          0,  // compared, not judged: the few most active agents of a finite crowd move it by some percent
          "radicalization",
          "where opinions near 0 begin to grow: K alpha m e = 1",
          "derived in domains/opinion/models.md",
          false};
}

/// The jump of the largest size that is nearest to a known place, in its direction.
double nearest_jump(const PhaseFindings& findings, const KnownTransition& known) {
  double nearest = kNan;
  Index largest = 0;
  for (const PhasePoint& point : findings.points) largest = std::max(largest, point.size);
  for (const FoundJump& jump : findings.jumps)
    if (jump.size == largest && jump.direction == known.direction &&
        !(std::abs(jump.at() - known.at) >= std::abs(nearest - known.at)))
      nearest = jump.at();
  return nearest;
}

double measured_place(const PhaseFindings& findings, const KnownTransition& known) {
  if (known.crossing) return findings.crossing.control;
  if (known.name.ends_with("_flip")) return nearest_jump(findings, known);
  const FoundJump* jump = main_jump(findings, known.direction);
  return jump == nullptr ? kNan : jump->at();
}

}  // namespace

std::vector<KnownTransition> known_transitions(const Config& config) {
  std::vector<KnownTransition> known;
  if (on_the_line_with_anchors(config)) known = {fold_of(config)};
  if (on_the_noisy_circle(config)) known = on_circle_of(config);
  if (is_evenly_spaced_window(config)) known = flips_of(config);
  if (is_voter_crowd(config)) known = of_voters(config);
  if (is_saturated_crowd(config)) known = {of_saturation(config)};
  if (is_contact_crowd(config)) known = {of_contacts(config)};
  if (all_to_all(config) && config.text("model.name") == "saturation" && config.text("start.kind") == "two_camps" &&
      config.text("phase.control") == "temperature" && config.real("model.stubbornness") == 0 &&
      !phase_is_noisy(config) && config.real("model.coupling") * config.real("model.steepness") > 1)
    known = {{theory::saturated_camps_end(config.real("model.coupling"), config.real("model.steepness")).temperature,
              false, Direction::up, 0.002, "camps_merge", "temperature where two camps merge on heating",
              "derived in domains/opinion/theory.md (E6)"}};
  std::erase_if(known, [&](const KnownTransition& one) {
    return !(one.at > config.real("phase.low") && one.at < config.real("phase.high"));
  });
  return known;
}

double known_order(const Config& config, double control) {
  const double spread = config.real("start.spread");
  constexpr double kContinuous = 0.02;  // longer steps move the branch
  if (on_the_line_with_anchors(config))
    return spread * theory::gaussian_state_u(control / (spread * spread), config.real("model.stubbornness"));
  if (on_the_noisy_circle(config) && config.text("model.name") == "transformer_circle_unnormalised" &&
      config.real("model.time_step") <= kContinuous)
    return circle_order(1 / config.real("model.temperature"), control);
  if (is_voter_crowd(config)) return theory::q_voter_order(static_cast<int>(config.integer("model.panel")), control);
  return kNan;
}

const FoundJump* main_jump(const PhaseFindings& findings, Direction direction, Index size) {
  const FoundJump* main = nullptr;
  if (size == 0)
    for (const PhasePoint& point : findings.points) size = std::max(size, point.size);
  const auto change = [](const FoundJump& jump) { return std::abs(jump.order_after - jump.order_before); };
  for (const FoundJump& jump : findings.jumps)
    if (jump.size == size && jump.direction == direction && (main == nullptr || change(jump) > change(*main)))
      main = &jump;
  return main;
}

double circle_order(double beta, double noise) { return resting_order(beta, noise); }

double circle_order_ends(double beta) {
  double low = theory::critical_noise(beta, theory::CircleWeights::unnormalised), high = 4 * low;
  while (high - low > 1e-6 * low) {
    const double middle = 0.5 * (low + high);
    (resting_order(beta, middle) > 0 ? low : high) = middle;
  }
  return 0.5 * (low + high);
}

namespace {

/// Continuous or first order, where that is known too.
void check_kind(const Config& config, const PhaseFindings& findings, Results& results) {
  const std::vector<KnownTransition> known = known_transitions(config);
  const bool circle = on_the_noisy_circle(config), voters = is_voter_crowd(config);
  if ((!circle && !voters) || known.empty()) return;
  results.check({"order_of_transition", "1: first order, with hysteresis; 0: continuous",
                 circle ? "I_2 / I_1 = 1 / 2 at beta* = 2.4469183: Mun & Rosenzweig 2026"
                        : "first order for q > 5: Nyczka, Sznajd-Weron & Cislo 2012",
                 known.front().crossing ? 0.0 : 1.0,
                 findings.kind == TransitionKind::none          ? kNan
                 : findings.kind == TransitionKind::first_order ? 1.0
                                                                : 0.0,
                 absolute(0)});
}

}  // namespace

void check_known(const Config& config, const PhaseFindings& findings, Results& results) {
  for (const KnownTransition& known : known_transitions(config)) {
    if (!known.judged) continue;
    double predicted = known.at, measured = measured_place(findings, known);
    if (known.name.ends_with("_flip")) {  // known as a length in units of eps
      const double length = 2 * config.real("start.spread");
      predicted = length / predicted;
      measured = length / measured;
    }
    results.check({known.name, known.meaning, known.source, predicted, measured, relative(known.tolerance)});
    if (known.crossing)
      results.check({"critical_cumulant", "Binder cumulant where the curves cross",
                     known.components == 2 ? "1 - pi / 6: complete graph, two components"
                                           : "1 - Gamma(1/4)^4 / (24 pi^2): complete graph, one component",
                     theory::critical_binder(known.components), findings.crossing.binder,
                     absolute(known.components == 2 ? 0.015 : 0.04)});
  }
  check_kind(config, findings, results);
}

}  // namespace fovea::opinion::phase
