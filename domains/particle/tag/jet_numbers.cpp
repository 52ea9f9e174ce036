#include "fovea/domains/particle/tag/jet_numbers.hpp"

#include <cmath>

#include "fovea/domains/particle/model/jet_inputs.hpp"

namespace fovea::particle::tag {

namespace {

struct Numbers {
  double multiplicity = 0, mass = 0, width = 0, spread = 0;
};

double mass_of(const study::Cases& cases, Index item) {
  const std::size_t place = item;
  return model::mass_of_constituents(cases.coordinates, cases.offsets[place], cases.offsets[place + 1]);
}

Numbers numbers_of(const study::Cases& cases, Index item) {
  Numbers found;
  double total = 0, squares = 0;
  for (Index i = cases.offsets[item]; i < cases.offsets[item + 1]; ++i) {
    const double along = cases.coordinates(i, 0), across = cases.coordinates(i, 1),
                 pt = std::exp(cases.coordinates(i, 2));
    total += pt, squares += pt * pt;
    found.width += pt * std::hypot(along, across);
  }
  found.multiplicity = static_cast<double>(cases.size(item));
  found.mass = mass_of(cases, item);
  if (total > 0) found.width /= total, found.spread = 1 - std::sqrt(squares) / total;
  return found;
}

}  // namespace

std::vector<JetNumber> jet_numbers(const study::Cases& cases, const std::vector<Index>& items, double resonance,
                                   bool falls) {
  std::vector<JetNumber> numbers{{falls ? "-multiplicity" : "multiplicity", "1", {}},
                                 {falls ? "-mass" : "mass", "GeV", {}},
                                 {falls ? "-width" : "width", "1", {}},
                                 {falls ? "pT-D" : "1 - pT-D", "1", {}}};
  if (resonance > 0) numbers.push_back({"-|mass - " + std::to_string(std::lround(resonance)) + " GeV|", "GeV", {}});
  const double sign = falls ? -1 : 1;
  for (const Index item : items) {
    const Numbers one = numbers_of(cases, item);
    numbers[0].values.push_back(sign * one.multiplicity);
    numbers[1].values.push_back(sign * one.mass);
    numbers[2].values.push_back(sign * one.width);
    numbers[3].values.push_back(falls ? 1 - one.spread : one.spread);
    if (resonance > 0) numbers[4].values.push_back(-std::abs(one.mass - resonance));
  }
  return numbers;
}

std::vector<double> jet_masses(const study::Cases& cases, const std::vector<Index>& items) {
  std::vector<double> masses;
  for (const Index item : items) masses.push_back(mass_of(cases, item));
  return masses;
}

}  // namespace fovea::particle::tag
