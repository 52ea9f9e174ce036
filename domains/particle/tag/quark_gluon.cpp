/// The experiment "particle.quark_gluon": jets of light quarks against jets of gluons.

#include "fovea/datasets/simulated/toy_shower.hpp"
#include "fovea/domains/particle/display/displays.hpp"
#include "fovea/domains/particle/experiments.hpp"
#include "fovea/domains/particle/tag/jet_files.hpp"
#include "fovea/domains/particle/tag/jet_task.hpp"
#include "fovea/domains/particle/tag/nearest_quarks.hpp"
#include "fovea/domains/particle/tag/rejection_page.hpp"

namespace fovea::particle::tag {

namespace {

constexpr double kQuarkEmissions = 4;

class QuarkGluon final : public JetTask {
 public:
  QuarkGluon() : JetTask({"gluon", "quark"}) {}
  std::string_view name() const override { return "particle.quark_gluon"; }
  std::string_view summary() const override { return "jets of light quarks against jets of gluons"; }

  void examine(const study::StudyOutcome& outcome, Results& results) const override {
    write_rejection(outcome, {.fewer = true, .sculpting = false},
                    Random(outcome.config.seed.value_or(1)).stream("rejection"), results);
    display::write_displays(
        outcome, [&](const std::vector<Index>& items) { return nearest_quarks(outcome, {}, items); }, results);
  }

 protected:
  datasets::particles::ParticleSets made_jets(const Config& config, const Random& random) const override {
    return datasets::simulated::shower_jets(jet_keys().read(config).simulated, kQuarkEmissions, random).jets;
  }
};

}  // namespace

std::unique_ptr<Experiment> make_quark_gluon() { return study::make_study(std::make_unique<QuarkGluon>()); }

}  // namespace fovea::particle::tag
