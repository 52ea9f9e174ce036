#include "fovea/domains/particle/examples.hpp"

#include <cmath>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/storage.hpp"
#include "fovea/core/base/words.hpp"
#include "fovea/datasets/particles/ragged_file.hpp"
#include "fovea/datasets/simulated/hard_events.hpp"
#include "fovea/datasets/simulated/toy_shower.hpp"
#include "fovea/datasets/text/gzip.hpp"

namespace fovea::particle {

namespace {

namespace particles = datasets::particles;

constexpr Index kExampleEvents = 20, kExampleJets = 300;

/// Momentum with five digits, and the energy that belongs to what is written.
std::string example_momentum(const particles::Momentum& p, double mass) {
  std::string text;
  double squares = mass * mass;
  for (const double component : {p.px, p.py, p.pz}) {
    const std::string written = plain_text(component, 5);
    squares += std::stod(written) * std::stod(written);
    text += written + ' ';
  }
  return text + plain_text(std::sqrt(squares) * (1 + 1e-9), 10);  // never below the momentum
}

/// A charged pion, a photon, or a muon: by the mass that the generator gave it.
int pdg_number(double mass) { return mass > 0.12 ? 211 : mass > 0.05 ? 13 : 22; }

/// HepMC 3 ASCII: two protons, and all particles of an event from where they meet.
void write_events(const std::string& folder) {
  datasets::simulated::HardEventPlan plan;
  plan.collisions = {1, 3}, plan.hard_pt = {60, 300};
  const particles::ParticleSets made = hard_events(kExampleEvents, plan, Random(1).stream("events"));
  std::string text = "HepMC::Version 3.02.05\nHepMC::Asciiv3-START_EVENT_LISTING\n";
  for (Index event = 0; event < made.count(); ++event) {
    text += concat("E ", event, " 1 ", made.size(event) + 2, "\nU GEV MM\n");
    for (const int side : {1, -1})
      text += concat("P ", side > 0 ? 1 : 2, " 0 2212 0 0 ", 6500 * side, " 6500.0000677 0.938272 4\n");
    text += "V -1 0 [1,2]\n";
    for (Index i = 0; i < made.size(event); ++i) {
      const particles::Momentum p = particles::momentum_of(made.momenta, made.offsets[event] + i);
      const double mass = std::round(1e4 * particles::mass(p)) / 1e4;
      text +=
          concat("P ", i + 3, " -1 ", pdg_number(mass), ' ', example_momentum(p, mass), ' ', exact_text(mass), " 1\n");
    }
  }
  write_file(folder + "/events.hepmc.gz", datasets::text::gzipped(text + "HepMC::Asciiv3-END_EVENT_LISTING\n"));
}

void write_jets(const std::string& folder) {
  particles::FileFacts facts;
  facts.axis = particles::AxisKind::pseudorapidity;
  facts.classes = {"QCD", "top"};
  particles::ParticleSets jets = datasets::simulated::top_jets(kExampleJets, Random(1).stream("jets"));
  jets.truth.resize(0, 0);
  particles::RaggedWriter writer(folder + "/jets.h5", facts, "simulated: a toy shower of top quarks and of light jets");
  writer.append(jets);
  writer.finish();
}

}  // namespace

std::vector<Example> examples() {
  return {{"events.hepmc.gz",
           "20 collisions with jets, leptons and soft particles",
           {},
           {"fovea jets events.hepmc.gz --radius 0.8 -o jets.csv"},
           &write_events},
          {"jets.h5",
           "300 jets with their constituents, half of them of top quarks",
           {},
           {"fovea inspect jets.h5"},
           &write_jets}};
}

}  // namespace fovea::particle
