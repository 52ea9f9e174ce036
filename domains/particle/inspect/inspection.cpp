#include "fovea/domains/particle/inspect/inspection.hpp"

#include "fovea/domains/particle/file_keys.hpp"
#include "fovea/domains/particle/inspect/output.hpp"

namespace fovea::particle::inspect {

namespace {

std::string particle_text(const Arguments& arguments, Form form, std::size_t width) {
  if (arguments.positional.size() > 1)
    throw UsageError("files of particles are inspected one by one; give one of them.");
  const SurveyedFile file = datasets::particles::with_way_out("--bad \"leave out\"", [&] {
    return surveyed(arguments.positional[0], {arguments.text("unit", ""), arguments.text("axis", ""),
                                              arguments.text("label", ""), leaves_out_bad(arguments)});
  });
  return form == Form::json ? survey_json(file) : survey_text(file, width);
}

}  // namespace

Inspection inspection() {
  return {
      "events and jets of particles: HDF5 in five layouts, EnergyFlow .npz, HepMC, LHE, FastJet and CMS text (also "
      ".gz)",
      {"fovea inspect jets.h5", "fovea inspect events.hepmc.gz --json"},
      {{"unit", 0, "UNIT", "particles: GeV or MeV, where the file does not state it or states it wrongly", false},
       {"axis", 0, "AXIS", "particles: eta or rapidity, where the file does not say which it stores", false},
       {"label", 0, "CLASS", "particles: the class of all sets of a file without labels", false},
       kBadOption},
      &datasets::particles::looks_like_particles,
      &particle_text};
}

}  // namespace fovea::particle::inspect
