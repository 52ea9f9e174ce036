// Whether weights beyond a mask are found, and none is seen where there is none.

#include "fovea/domains/particle/locality/looks.hpp"

#include "fovea/core/study/trained/study_keys.hpp"
#include "fovea/domains/particle/experiments.hpp"
#include "fovea/domains/particle/model/jet_inputs.hpp"
#include "fovea/domains/particle/tag/jet_files.hpp"
#include "fovea/tests/support/runs/run.hpp"
#include "fovea/tests/support/test.hpp"

namespace fovea::particle::locality {

namespace {

/// A hard constituent, and two on either side of the seam opposite to it, .04 apart: at +-(pi - .02).
datasets::particles::ParticleSets jet_over_the_seam() {
  datasets::particles::ParticleSets jets;
  jets.offsets = {0, 3};
  jets.momenta.resize(3, 4);
  const double phis[] = {0, std::numbers::pi - 0.02, 0.02 - std::numbers::pi}, pts[] = {100, 2, 1};
  for (Index i = 0; i < 3; ++i)
    jets.momenta.row(i) << pts[i] * std::cos(phis[i]), pts[i] * std::sin(phis[i]), 0.0, pts[i];
  jets.labels = {1};
  jets.truth.resize(1, 16);
  for (Index parton = 0; parton < 4; ++parton) jets.truth.row(0).segment(4 * parton, 4) << 100.0, 0.0, 0.0, 100.0;
  return jets;
}

/// A tagger with random weights.
tag::TrainedTagger tagger_with(model::Mask mask, const datasets::particles::ParticleSets& jets) {
  const study::Target label{.name = "label", .classes = {"background", "signal"}};
  tag::TrainedTagger tagger{{}, {.mask = mask, .radius = 0.1}, {}, {}};
  tagger.preparation = study::prepare(tagger.cases("jets", jets), {0}, label);
  tagger.member.model = model::make_tagger(tagger.settings, study::shape_of(tagger.preparation, label),
                                           tagger.member.parameters, Random(3));
  return tagger;
}

}  // namespace

TEST_CASE("weights beyond a radius are found where there are any, and none is seen over the seam of phi",
          "[particle]") {
  const auto jets = jet_over_the_seam();
  tag::TrainedTagger tagger = tagger_with(model::Mask::radius, jets);
  CHECK(prong_attention(tagger, jets).outside == 0);
  tag::TrainedTagger open = tagger_with(model::Mask::none, jets);
  CHECK(prong_attention(open, jets).outside == 0);
  open.settings = tagger.settings;
  CHECK(prong_attention(open, jets).outside > 0.01);
}

}  // namespace fovea::particle::locality
