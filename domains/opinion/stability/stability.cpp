/// The experiment "opinion.stability": the leading eigenvalues of a step about a state at rest, by the engine's
/// backward, against temperature; where the state loses stability; and the displacements that grow there.
///
/// One point writes, over temperature and mode: eigenvalue, eigenvalue_theory; over mode, at temperature.shown:
/// spectrum, spectrum_forward (by pushing and stepping instead of the backward), spectrum_theory; over mode and place:
/// shape, shape_theory; and the scalars lost_at, lost_half_width, predicted_loss.

#include <algorithm>
#include <cmath>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/missing.hpp"
#include "fovea/core/lab/experiment.hpp"
#include "fovea/domains/opinion/experiments.hpp"
#include "fovea/domains/opinion/stability/questions.hpp"

namespace fovea::opinion::stability {

namespace {

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

struct StateBranch {
  std::vector<double> temperatures, eigenvalues, theory;
  Loss loss;
};

/// Records the state at a temperature; says whether it is stable there.
bool record(StableState& state, double temperature, StateBranch& branch) {
  const bool rests = state.follow(temperature);
  const std::vector<double> values = rests ? state.eigenvalues() : std::vector<double>(state.modes().size(), kNan);
  branch.temperatures.push_back(temperature);
  for (std::size_t m = 0; m < values.size(); ++m) {
    branch.eigenvalues.push_back(values[m]);
    branch.theory.push_back(state.theory(static_cast<int>(m), temperature));
  }
  return rests && std::all_of(values.begin(), values.end(), [](double value) { return !(value >= 1); });
}

/// From the stable side on; where the state is first lost, the bisection, and some temperatures close to what it found:
/// at a fold the eigenvalue goes to 1 like a square root.
StateBranch follow_branch(StableState& state, const Config& config, Workbench& bench) {
  StateBranch branch;
  const bool cooling = state.stable_when_hot();
  const double first = config.real(cooling ? "temperature.high" : "temperature.low");
  const double last = config.real(cooling ? "temperature.low" : "temperature.high");
  const auto count = static_cast<int>(config.integer("temperature.count"));
  double stable = kNan;
  for (int k = 0; k < count; ++k) {
    const double temperature = first * std::pow(last / first, static_cast<double>(k) / (count - 1));
    bench.progress(0.6 * k / count);
    if (!std::isnan(stable) && std::isnan(branch.loss.temperature) && !is_stable(state, temperature)) {
      state.follow(stable);
      branch.loss = find_loss(state, stable, temperature, config.real("temperature.resolution"));
      for (const double aside : {0.05, 0.02, 0.005, 0.001, 0.0002}) {
        const double near = branch.loss.temperature * (cooling ? 1 + aside : 1 - aside);
        if (aside < config.real("temperature.resolution")) break;
        if (cooling ? near < stable : near > stable) record(state, near, branch);
      }
    }
    if (record(state, temperature, branch)) stable = temperature;
  }
  return branch;
}

/// Everything at one temperature.
void write_shown(StableState& state, const Config& config, Results& results) {
  const double shown = config.real("temperature.shown");
  require(state.follow(config.real("temperature.high")) && state.follow(shown),
          "opinion.stability: there is no state at rest at temperature.shown = ", shown,
          "; choose one above the transition.");
  const std::vector<double> backward = state.eigenvalues(), forward = state.forward_eigenvalues();
  std::vector<double> theory;
  double apart = 0;
  const double tolerance = config.real("tolerance");
  for (std::size_t m = 0; m < backward.size(); ++m) {
    theory.push_back(state.theory(static_cast<int>(m), shown));
    apart = std::max(apart, std::abs(forward[m] - backward[m]));
    results.check({concat("mode_", state.modes()[m]),
                   concat("eigenvalue of mode ", state.modes()[m], " at T = ", shown),
                   "derived in domains/opinion/theory.md (E5, E8)", theory.back(), backward[m], relative(tolerance)});
  }
  // central differences: (1e-5)^2, and the forward solver's tolerance
  results.check({"backward_is_forward",
                 "largest difference between eigenvalues from the backward pass and from central differences",
                 "a matrix and its transpose have the same spectrum", 0.0, apart, absolute(1e-6)});
  results.add("spectrum", {"mode"}, backward, "1", "eigenvalue, from the backward pass");
  results.add("spectrum_forward", {"mode"}, forward, "1", "eigenvalue, from central differences");
  results.add("spectrum_theory", {"mode"}, theory, "1", "theory");
  results.coordinate("place", state.places(), "1", "starting opinion or angle");
  results.add("shape", {"mode", "place"}, state.shapes(), "1", "displacement");
  if (const auto shape = state.shape_theory(shown); !shape.empty()) {
    results.add("shape_theory", {"mode", "place"}, shape, "1", "theory");
    double off = 0;
    const auto& measured = results.data.at("shape").reals();
    for (std::size_t k = 0; k < shape.size(); ++k) off = std::max(off, std::abs(measured[k] - shape[k]));
    results.check({"shapes", "largest distance of an eigenvector, scaled to 1, from its polynomial within 3 sd",
                   "derived in domains/opinion/theory.md (E5)", 0.0, off, absolute(config.real("shape_tolerance"))});
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

Schema stability_schema() {
  Schema schema;
  schema.choice("state", "consensus", {"consensus", "disorder"},
                "consensus with Gaussian anchors on the line, or evenly spread tokens on the circle");
  schema.choice(
      "agents.kind", "weighted", {"weighted", "quantiles"},
      "consensus: evenly spaced agents with Gaussian weights, or equal agents at the quantiles of a Gaussian");
  schema.integer("agents.count", 500, Range::between(20, 5000), "", "agents; a product with the Jacobian is O(N^2)");
  schema.real("model.stubbornness", 0.05, Range{0.001, 0.9, false, false}, "", "consensus: s");
  schema.real("model.noise", 0.3, Range{0.01, 0.49, false, false}, "1 / time", "disorder: D");
  schema.real("temperature.low", 0.0085, Range::positive(), "opinion^2 (circle: 1)", "lowest temperature");
  schema.real("temperature.high", 0.1, Range::positive(), "opinion^2 (circle: 1)",
              "highest temperature, where the branch begins");
  schema.integer("temperature.count", 25, Range::between(3, 400), "", "temperatures, evenly in ln T");
  schema.real("temperature.resolution", 1e-4, Range::between(1e-7, 0.1), "", "relative width of the bisected bracket");
  schema.real("temperature.shown", 0.0135, Range::positive(), "opinion^2 (circle: 1)",
              "where spectrum and shapes are shown");
  schema.integer("eigenvalues.count", 5, Range::between(1, 12), "", "modes");
  schema.real("tolerance", 1e-6, Range::positive(), "", "relative: eigenvalues compared with theory");
  schema.real("loss_tolerance", 2e-4, Range::positive(), "",
              "relative: temperature where stability is lost, compared with theory");
  schema.real("shape_tolerance", 1e-4, Range::positive(), "", "eigenvectors of largest value 1, compared with theory");
  return schema;
}

class StabilityExperiment : public Experiment {
 public:
  std::string_view name() const override { return "opinion.stability"; }
  std::string_view summary() const override {
    return "leading eigenvalues of a step about a state at rest, and the temperature where it loses stability";
  }
  int result_version() const override { return 2; }
  Schema schema() const override { return stability_schema(); }

  void check(const Config& config, Complaints& complaints) const override {
    if (!(config.real("temperature.low") < config.real("temperature.high")))
      complaints.add(config.source("temperature.low"), "temperature.low must be below temperature.high.");
  }

  void run(const Config& config, Inputs, const Random&, Results& results, Workbench& bench) const override {
    const bool circle = config.text("state") == "disorder";
    const auto state = circle ? make_disorder(config) : make_consensus(config);
    const StateBranch branch = follow_branch(*state, config, bench);
    const std::string unit = circle ? "1" : "opinion^2";
    results.coordinate("temperature", branch.temperatures, unit, "temperature T");
    results.coordinate("mode", state->modes(), "1", circle ? "wave number k" : "degree n");
    results.add("eigenvalue", {"temperature", "mode"}, branch.eigenvalues, "1", "eigenvalue");
    results.add("eigenvalue_theory", {"temperature", "mode"}, branch.theory, "1", "theory");
    results.scalar("lost_at", branch.loss.temperature, unit, "temperature where stability is lost");
    results.scalar("lost_half_width", branch.loss.half_width, unit, "half width of its bracket");
    results.scalar("predicted_loss", state->predicted_loss(), unit, "predicted loss of stability");
    results.check({"lost_at", "temperature where the leading eigenvalue reaches 1",
                   "derived in domains/opinion/theory.md (E5, E9)", state->predicted_loss(), branch.loss.temperature,
                   relative(config.real("loss_tolerance"))});
    results.headline({.variable = "lost_at",
                      .label = "The state loses stability",
                      .predicted = "predicted_loss",
                      .half_width = "lost_half_width",
                      .meaning = "The temperature at which the leading eigenvalue of a step reaches 1."});
    write_shown(*state, config, results);
    draw_stability(results, circle);
    const double off = std::abs(branch.loss.temperature / state->predicted_loss() - 1);
    results.verdict(std::isnan(off)
                        ? std::string("The state is stable at every temperature of the range.")
                        : concat(circle ? "Disorder on the circle" : "Consensus",
                                 " loses stability at T = ", branch.loss.temperature,
                                 " (relative deviation from theory: ", std::round(1e6 * off) / 1e4, " %)."));
  }
};

}  // namespace

std::unique_ptr<Experiment> make_stability() { return std::make_unique<StabilityExperiment>(); }

}  // namespace fovea::opinion::stability
