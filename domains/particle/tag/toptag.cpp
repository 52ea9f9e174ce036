/// The experiment "particle.toptag": jets of top quarks against jets of light quarks and gluons.

#include "fovea/datasets/simulated/toy_shower.hpp"
#include "fovea/domains/particle/display/displays.hpp"
#include "fovea/domains/particle/experiments.hpp"
#include "fovea/domains/particle/tag/jet_files.hpp"
#include "fovea/domains/particle/tag/jet_task.hpp"
#include "fovea/domains/particle/tag/nearest_quarks.hpp"
#include "fovea/domains/particle/tag/rejection_page.hpp"

namespace fovea::particle::tag {

namespace {

constexpr double kTopMass = 172;  // GeV, as tables of the field cut on it

class TopTag final : public JetTask {
 public:
  TopTag() : JetTask({"QCD", "top"}, true) {}
  std::string_view name() const override { return "particle.toptag"; }
  std::string_view summary() const override { return "jets of top quarks against jets of light quarks and gluons"; }

  void examine(const study::StudyOutcome& outcome, Results& results) const override {
    write_rejection(outcome, {.resonance = kTopMass}, Random(outcome.config.seed.value_or(1)).stream("rejection"),
                    results);
    const MadeAgain made = [&](const Random& random) { return made_jets(outcome.config, random); };
    display::write_displays(
        outcome, [&](const std::vector<Index>& items) { return nearest_quarks(outcome, made, items); }, results);
  }

 protected:
  datasets::particles::ParticleSets made_jets(const Config& config, const Random& random) const override {
    return datasets::simulated::top_jets(jet_keys().read(config).simulated, random);
  }
};

}  // namespace

std::unique_ptr<Experiment> make_toptag() { return study::make_study(std::make_unique<TopTag>()); }

}  // namespace fovea::particle::tag
