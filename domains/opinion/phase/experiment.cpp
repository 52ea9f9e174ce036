/// The experiment "opinion.phase": given a model and a range of temperature, noise, confidence or coupling, it finds
/// the transition by itself. Keys: phase_settings.cpp; the search: phase.hpp.

#include "fovea/core/base/error.hpp"
#include "fovea/domains/opinion/experiments.hpp"
#include "fovea/domains/opinion/phase/known.hpp"
#include "fovea/domains/opinion/phase/outcome.hpp"
#include "fovea/domains/opinion/phase/settings.hpp"

namespace fovea::opinion::phase {

namespace {

constexpr std::int64_t kLongestLifetime = 20000;  // steps: those beyond are known by the same formula

class Phase : public Experiment {
 public:
  std::string_view name() const override { return "opinion.phase"; }
  std::string_view summary() const override {
    return "location and order (continuous or first-order) of a model's transition, with confidence intervals";
  }
  int result_version() const override { return 4; }
  Schema schema() const override { return phase_schema(); }
  void check(const Config& config, Complaints& complaints) const override { check_phase(config, complaints); }

  void run(const Config& config, Inputs, const Random& random, Results& results, Workbench& bench) const override {
    const auto make = [&](Index size, Index replica, Index walk) {
      return phase_crowd(config, size, replica, walk, random);
    };
    const PhaseFindings findings = find_transitions(phase_settings(config), make, random.stream("bootstrap"), bench);
    write_phase(config, findings, results);
    if (phase_is_plain_averaging(config) && config.text("model.score") == "gaussian" &&
        config.text("phase.control") == "temperature")
      write_lifetimes(config, measure_lifetimes(config, kLongestLifetime, random.stream("lifetimes")), results);
  }

  void conclude(Results& merged) const override {
    if (merged.data.has("order")) add_phase_figures(merged);
    if (!merged.verdict().empty()) return;
    std::size_t held = 0;
    for (const Check& check : merged.checks()) held += check.holds() ? 1 : 0;
    merged.verdict(concat(held, " of ", merged.checks().size(), " known results were reproduced."));
  }
};

}  // namespace

std::unique_ptr<Experiment> make_phase() { return std::make_unique<Phase>(); }

}  // namespace fovea::opinion::phase
