// What a penalty on the mass of background jets does to taggers of simulated jets.

#include "fovea/core/lab/experiment.hpp"
#include "fovea/core/statistics/metrics.hpp"
#include "fovea/core/statistics/rejection.hpp"
#include "fovea/core/study/trained/study_keys.hpp"
#include "fovea/datasets/simulated/toy_shower.hpp"
#include "fovea/domains/particle/experiments.hpp"
#include "fovea/domains/particle/model/jet_inputs.hpp"
#include "fovea/domains/particle/tag/trained_tagger.hpp"
#include "fovea/tests/support/runs/run.hpp"
#include "fovea/tests/support/test.hpp"

namespace fovea::particle::tag {

namespace {

using datasets::particles::ParticleSets;

/// 1 / JSD of the mass of background jets before and after a cut at half of the signal, and the AUC.
struct Sculpting {
  double inverse_jsd, auc;
  std::vector<double> logits;
};

Sculpting sculpting_of(const std::string& penalty) {
  const Config config = support::config_of(
      "particle.toptag", {"training.decorrelation=" + penalty, "training.epochs=5", "training.patience=0",
                          "training.batch_cases=256", "split.test=0.4", "model.blocks=1"});
  const LabelledJets jets = labelled_jets(config, datasets::simulated::top_jets(3000, Random(11)), Random(12));
  const ParticleSets tested = selected_jets(jets.jets, jets.split.test);
  const auto bench = plain_workbench();
  learning::TrainingSeries series(*bench, 1);
  const TrainedTagger tagger = train_tagger("tagger", config, jets, Random(13), series);
  Sculpting found{0, 0, tagger.logits("jets", tested)};
  std::vector<Index> labels;
  for (const double label : tested.labels) labels.push_back(static_cast<Index>(label));
  const double cut = rejection_at(found.logits, labels, 0.5).cut;
  const study::Cases cases = tagger.cases("jets", tested);
  std::vector<double> before, after;
  for (Index b = 0; b < tested.count(); ++b) {
    const std::size_t jet = b;
    if (labels[jet] == 1) continue;
    before.push_back(model::mass_of_constituents(cases.coordinates, cases.offsets[jet], cases.offsets[jet + 1]));
    if (found.logits[jet] >= cut) after.push_back(before.back());
  }
  found.inverse_jsd = 1 / jensen_shannon_divergence(before, after, 20);
  found.auc = auroc(found.logits, labels);
  return found;
}

}  // namespace

TEST_CASE("a penalty on what the score tells of the mass keeps a cut from sculpting it", "[particle][statistics]") {
  const Sculpting plain = sculpting_of("0"), decorrelated = sculpting_of("5");
  INFO("1/JSD " << plain.inverse_jsd << " and " << decorrelated.inverse_jsd << ", AUC " << plain.auc << " and "
                << decorrelated.auc);
  CHECK(decorrelated.inverse_jsd > 2 * plain.inverse_jsd);
  CHECK(decorrelated.auc < plain.auc);  // the mass is what tells these jets apart
  CHECK(decorrelated.auc > 0.55);
}

}  // namespace fovea::particle::tag
