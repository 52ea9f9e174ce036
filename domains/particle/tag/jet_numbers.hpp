#pragma once
/// Single numbers of a jet, with which taggers are compared: what a net adds to them is what it has learned.

#include <string>
#include <vector>

#include "fovea/core/study/cases/cases.hpp"

namespace fovea::particle::tag {

/// A number of each jet, larger for class 1.
struct JetNumber {
  std::string name, unit;
  std::vector<double> values;
};

/// Of these cases, from their coordinates (model/jet_inputs.hpp), particles taken as massless; z_i = pT_i / sum pT:
///   multiplicity        number of constituents
///   mass                of their sum
///   width               sum z dR, dR from the jet's axis
///   1 - pT-D            1 - sqrt(sum z^2)
/// and, where there is a resonance, -|mass - resonance| [GeV]; 0: none. `falls`: class 1 has the smaller multiplicity,
/// width and 1 - pT-D, as quarks have compared with gluons; these are then negated.
std::vector<JetNumber> jet_numbers(const study::Cases& cases, const std::vector<Index>& items, double resonance,
                                   bool falls);

/// Mass of each jet [GeV], as above.
std::vector<double> jet_masses(const study::Cases& cases, const std::vector<Index>& items);

}  // namespace fovea::particle::tag
