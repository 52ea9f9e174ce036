/// The experiment "opinion.stability": the leading eigenvalues of a step about a state at rest, by the engine's
/// backward, against temperature; where the state loses stability; and the displacements that grow there.
///
/// One point writes, over temperature and mode: eigenvalue, eigenvalue_theory; over mode, at temperature.shown:
/// spectrum, spectrum_forward (by pushing and stepping instead of the backward), spectrum_theory; over mode and place:
/// shape, shape_theory; and the scalars lost_at, lost_half_width, predicted_loss.

#include <algorithm>
#include <cmath>
#include <functional>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/missing.hpp"
#include "fovea/core/config/keys.hpp"
#include "fovea/core/data/rows.hpp"
#include "fovea/core/lab/experiment.hpp"
#include "fovea/domains/opinion/experiments.hpp"
#include "fovea/domains/opinion/findings.hpp"
#include "fovea/domains/opinion/keys.hpp"
#include "fovea/domains/opinion/stability/questions.hpp"

namespace fovea::opinion::stability {

namespace {

struct StabilitySettings : StateSettings {
  bool disorder = false;  ///< evenly spread tokens on the circle, else consensus on the line
  double low = 0.0085, high = 0.1;
  int count = 25;
  double resolution = 1e-4, shown = 0.0135;
  double tolerance = 1e-6, loss_tolerance = 2e-4, shape_tolerance = 1e-4;
};

const Keys<StabilitySettings>& stability_keys() {
  using Settings = StabilitySettings;
  constexpr const char* kUnit = "opinion^2 (circle: 1)";
  static const auto keys =
      Keys<Settings>()
          .choice("state", &Settings::disorder, {{"consensus", false}, {"disorder", true}},
                  "consensus with Gaussian anchors on the line, or evenly spread tokens on the circle")
          .choice("agents.kind", &Settings::kind,
                  {{"weighted", CrowdKind::weighted}, {"quantiles", CrowdKind::quantiles}},
                  "consensus: evenly spaced agents with Gaussian weights, or equal agents at the quantiles of a "
                  "Gaussian")
          .key(within(Range::between(20, 5000), kAgentsCount), &Settings::agents,
               "agents; a product with the Jacobian is O(N^2)")
          .key(within(Range::between(0.001, 0.9), kStubbornness), &Settings::stubbornness, "consensus: s")
          .key(within(Range::between(0.01, 0.49), in_units_of("1 / time", kNoise)), &Settings::noise, "disorder: D")
          .key(in_units_of(kUnit, kTemperatureLow), &Settings::low)
          .key(in_units_of(kUnit, kTemperatureHigh), &Settings::high, "highest temperature, where the branch begins")
          .key(within(Range::between(3, 400), kTemperatureCount), &Settings::count, "temperatures, evenly in ln T")
          .key("temperature.resolution", &Settings::resolution, Range::between(1e-7, 0.1), "",
               "relative width of the bisected bracket")
          .key("temperature.shown", &Settings::shown, Range::positive(), kUnit, "where spectrum and shapes are shown")
          .key("eigenvalues.count", &Settings::modes, Range::between(1, 12), "", "modes")
          .key("tolerance", &Settings::tolerance, Range::positive(), "", "relative: eigenvalues compared with theory")
          .key("loss_tolerance", &Settings::loss_tolerance, Range::positive(), "",
               "relative: temperature where stability is lost, compared with theory")
          .key("shape_tolerance", &Settings::shape_tolerance, Range::positive(), "",
               "eigenvectors of largest value 1, compared with theory");
  return keys;
}

struct Loss {
  double temperature = kNan;
  double half_width = kNan;
};

bool is_stable(StableState& state, double temperature) {
  if (!state.follow(temperature)) return false;
  for (const double value : state.eigenvalues())
    if (value >= 1) return false;
  return true;
}

/// Bisects the leading eigenvalue to 1, along the branch: each try starts from a state that was stable.
Loss find_loss(StableState& state, double stable, double lost, double resolution) {
  while (std::abs(stable / lost - 1) > resolution) {
    const double middle = std::sqrt(stable * lost);
    (is_stable(state, middle) ? stable : lost) = middle;
    if (lost == middle) state.follow(stable);
  }
  return {0.5 * (stable + lost), 0.5 * std::abs(stable - lost)};
}

struct Eigenvalue {
  double measured, theory;
};
struct StateBranch {
  std::vector<double> temperatures;
  std::vector<Eigenvalue> eigenvalues;  ///< of each mode at each temperature
  bool stable = false;                  ///< at one of the temperatures at least
  Loss loss;
};

/// Records the state at a temperature; says whether it is stable there.
bool record(StableState& state, double temperature, StateBranch& branch) {
  const bool rests = state.follow(temperature);
  const std::vector<double> values = rests ? state.eigenvalues() : std::vector<double>(state.modes().size(), kNan);
  branch.temperatures.push_back(temperature);
  for (std::size_t m = 0; m < values.size(); ++m)
    branch.eigenvalues.push_back({values[m], state.theory(static_cast<int>(m), temperature)});
  return rests && std::all_of(values.begin(), values.end(), [](double value) { return !(value >= 1); });
}

/// From the stable side on; where the state is first lost, the bisection, and some temperatures close to what it found:
/// at a fold the eigenvalue goes to 1 like a square root.
StateBranch follow_branch(StableState& state, const StabilitySettings& settings, Workbench& bench) {
  StateBranch branch;
  const bool cooling = state.stable_when_hot();
  const double first = cooling ? settings.high : settings.low;
  const double last = cooling ? settings.low : settings.high;
  const int count = settings.count;
  double stable = kNan;
  for (int k = 0; k < count; ++k) {
    const double temperature = first * std::pow(last / first, static_cast<double>(k) / (count - 1));
    bench.progress(0.6 * k / count);
    if (!std::isnan(stable) && std::isnan(branch.loss.temperature) && !is_stable(state, temperature)) {
      state.follow(stable);
      branch.loss = find_loss(state, stable, temperature, settings.resolution);
      for (const double aside : {0.05, 0.02, 0.005, 0.001, 0.0002}) {
        const double near = branch.loss.temperature * (cooling ? 1 + aside : 1 - aside);
        if (aside < settings.resolution) break;
        if (cooling ? near < stable : near > stable) record(state, near, branch);
      }
    }
    if (!record(state, temperature, branch)) continue;
    stable = temperature;
    branch.stable = true;
  }
  return branch;
}

/// Everything at one temperature.
void write_shown(StableState& state, const StabilitySettings& settings, Results& results) {
  const double shown = settings.shown;
  require(state.follow(settings.high) && state.follow(shown),
          "opinion.stability: there is no state at rest at temperature.shown = ", shown,
          "; choose one above the transition.");
  const std::vector<double> backward = state.eigenvalues(), forward = state.forward_eigenvalues();
  double apart = 0;
  const auto theory = [&](double, std::size_t m) { return state.theory(static_cast<int>(m), shown); };
  for (std::size_t m = 0; m < backward.size(); ++m) {
    apart = std::max(apart, std::abs(forward[m] - backward[m]));
    results.check(
        {concat("mode_", state.modes()[m]), concat("eigenvalue of mode ", state.modes()[m], " at T = ", shown),
         "derived in domains/opinion/theory.md (E5, E8)", theory(0, m), backward[m], relative(settings.tolerance)});
  }
  // central differences: (1e-5)^2, and the forward solver's tolerance
  results.check({"backward_is_forward",
                 "largest difference between eigenvalues from the backward pass and from central differences",
                 "a matrix and its transpose have the same spectrum", 0.0, apart, absolute(1e-6)});
  const auto forward_of = [&](double, std::size_t m) { return forward[m]; };
  rows("mode", backward)
      .number("spectrum", std::identity(), "eigenvalue, from the backward pass")
      .number("spectrum_forward", forward_of, "eigenvalue, from central differences")
      .number("spectrum_theory", theory, "theory")
      .write(results);
  results.coordinate("place", state.places(), "1", "starting opinion or angle");
  results.add("shape", {"mode", "place"}, state.shapes(), "1", "displacement");
  if (const auto shape = state.shape_theory(shown); !shape.empty()) {
    results.add("shape_theory", {"mode", "place"}, shape, "1", "theory");
    double off = 0;
    const auto& measured = results.data.at("shape").reals();
    for (std::size_t k = 0; k < shape.size(); ++k) off = std::max(off, std::abs(measured[k] - shape[k]));
    results.check({"shapes", "largest distance of an eigenvector, scaled to 1, from its polynomial within 3 sd",
                   "derived in domains/opinion/theory.md (E5)", 0.0, off, absolute(settings.shape_tolerance)});
  }
}

void draw_stability(Results& results, bool circle) {
  results.figure({.name = "eigenvalues",
                  .title = "Leading eigenvalues against temperature",
                  .caption = "Eigenvalues of one step, linearised about the state at rest by the engine's backward "
                             "pass, and theory (dashed). At 1 the state loses stability (mark).",
                  .variables = {"eigenvalue"},
                  .references = {"eigenvalue_theory"},
                  .x = "temperature",
                  .hue = "mode",
                  .log_x = true,
                  .marks = {"predicted_loss"}});
  results.figure({.name = "spectrum",
                  .title = "The spectrum at one temperature",
                  .caption = "From the backward pass, from central differences, and from theory (dashed).",
                  .variables = {"spectrum", "spectrum_forward"},
                  .references = {"spectrum_theory"},
                  .x = "mode"});
  results.figure({.name = "shapes",
                  .title = "Eigenvectors",
                  .caption = circle
                                 ? "Displacements that a step multiplies by their eigenvalue: waves around the circle."
                                 : "Displacements that a step multiplies by their eigenvalue, against the starting "
                                   "opinion in sd, scaled to a largest value of 1. Dashed: the polynomials of theory.",
                  .variables = {"shape"},
                  .references = circle ? std::vector<std::string>{} : std::vector<std::string>{"shape_theory"},
                  .x = "place",
                  .hue = "mode"});
}

class StabilityExperiment : public Experiment {
 public:
  std::string_view name() const override { return "opinion.stability"; }
  std::string_view summary() const override {
    return "leading eigenvalues of a step about a state at rest, and the temperature where it loses stability";
  }
  int result_version() const override { return 2; }
  Schema schema() const override {
    Schema schema;
    stability_keys().declare(schema);
    return schema;
  }

  void check(const Config& config, Complaints& complaints) const override {
    const StabilitySettings settings = stability_keys().read(config);
    if (!(settings.low < settings.high))
      complaints.add(config.source("temperature.low"), "temperature.low must be below temperature.high.");
  }

  void run(const Config& config, Inputs, const Random&, Results& results, Workbench& bench) const override {
    const StabilitySettings settings = stability_keys().read(config);
    const bool circle = settings.disorder;
    const auto state = circle ? make_disorder(settings) : make_consensus(settings);
    const StateBranch branch = follow_branch(*state, settings, bench);
    const std::string unit = circle ? "1" : "opinion^2";
    results.coordinate("temperature", branch.temperatures, unit, "temperature T");
    results.coordinate("mode", state->modes(), "1", circle ? "wave number k" : "degree n");
    rows({"temperature", "mode"}, branch.eigenvalues)
        .number("eigenvalue", &Eigenvalue::measured, "eigenvalue")
        .number("eigenvalue_theory", &Eigenvalue::theory, "theory")
        .write(results);
    results.scalar("lost_at", branch.loss.temperature, unit, "temperature where stability is lost");
    results.scalar("lost_half_width", branch.loss.half_width, unit, "half width of its bracket");
    results.scalar("predicted_loss", state->predicted_loss(), unit, "predicted loss of stability");
    results.check({"lost_at", "temperature where the leading eigenvalue reaches 1",
                   "derived in domains/opinion/theory.md (E5, E9)", state->predicted_loss(), branch.loss.temperature,
                   relative(settings.loss_tolerance)});
    results.headline({.variable = "lost_at",
                      .label = "The state loses stability",
                      .predicted = "predicted_loss",
                      .half_width = "lost_half_width",
                      .meaning = "The temperature at which the leading eigenvalue of a step reaches 1."});
    write_shown(*state, settings, results);
    draw_stability(results, circle);
    results.finding(StabilityLost{circle, branch.loss.temperature, state->predicted_loss()});
    results.finding(StabilityUnchanged{!std::isnan(branch.loss.temperature), branch.stable});
  }
};

}  // namespace

std::unique_ptr<Experiment> make_stability() { return std::make_unique<StabilityExperiment>(); }

}  // namespace fovea::opinion::stability
