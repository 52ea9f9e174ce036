#include "fovea/datasets/particles/set_builder.hpp"

#include <cmath>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/words.hpp"

namespace fovea::datasets::particles {

namespace {

Matrix<double> rows_of_four(const std::vector<double>& values) {
  return Eigen::Map<const Matrix<double>>(values.data(), static_cast<Index>(values.size() / 4), 4);
}

}  // namespace

std::string momentum_problem(const Momentum& p, Repairs& repairs) {
  if (p.energy < 0) return concat("has E = ", plain_text(p.energy, 6), ", but energies are not negative");
  const double squared = mass_squared(p), energy = p.energy * p.energy;
  if (!std::isfinite(squared)) return "has an energy or momentum that is too large to be squared";
  if (squared >= -kMassRounding * energy) {
    repairs.negative_masses += squared < -1e-12 * energy ? 1 : 0;  // what doubles round is no repair
    return "";
  }
  return concat("has E = ", plain_text(p.energy, 6), " below |p| = ", plain_text(std::hypot(p.px, p.py, p.pz), 6),
                ", by more than rounding");
}

void SetBuilder::add(const Momentum& p) { values_.insert(values_.end(), {p.px, p.py, p.pz, p.energy}); }

void SetBuilder::add(const Momentum& p, std::int64_t id) {
  add(p);
  ids_.push_back(static_cast<std::int32_t>(id));
}

void SetBuilder::add_jet(const Momentum& p) { jets_.insert(jets_.end(), {p.px, p.py, p.pz, p.energy}); }

Index SetBuilder::open_particles() const { return static_cast<Index>(values_.size() / 4) - offsets_.back(); }

void SetBuilder::drop_open() {
  const std::size_t kept = offsets_.back();
  values_.resize(4 * kept);
  if (!ids_.empty()) ids_.resize(kept);
  if (!sub_events_.empty()) sub_events_.resize(kept);
}

void SetBuilder::end_set(std::int64_t number, Repairs& repairs) {
  repairs.empty_sets += open_particles() == 0 ? 1 : 0;
  offsets_.push_back(static_cast<Index>(values_.size() / 4));
  numbers_.push_back(number);
}

ParticleSets SetBuilder::take() {
  ParticleSets sets;
  sets.momenta = rows_of_four(values_);
  if (!jets_.empty()) sets.jet_momenta = rows_of_four(jets_);
  sets.offsets = std::move(offsets_);
  sets.ids = std::move(ids_);
  sets.sub_events = std::move(sub_events_);
  sets.numbers = std::move(numbers_);
  *this = SetBuilder();
  return sets;
}

}  // namespace fovea::datasets::particles
