#include "fovea/datasets/particles/collector.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <numbers>
#include <utility>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/words.hpp"

namespace fovea::datasets::particles {

namespace {

constexpr double kRoundingOfEnergy = 1e-4;  // |p| > E by this share and less is how files round
constexpr double kLargestEnergy = 1e15;     // GeV: its square is a float yet
constexpr double kRoundingOfMass = 1e-3;    // of pT
constexpr double kLargestAngle = 2 * std::numbers::pi * (1 + 1e-3);

void check_finite(double value, const char* name, const ParticleSpot& spot) {
  if (!std::isfinite(value)) spot.refuse(concat(name, " is ", plain_text(value), ", but must be a finite number"));
}

/// pT and the angles; phi taken to [-pi, pi].
PolarNumbers checked_polar(PolarNumbers polar, const ParticleSpot& spot, Repairs& repairs) {
  check_finite(polar.pt, "pt", spot);
  check_finite(polar.along, "eta or rapidity", spot);
  check_finite(polar.phi, "phi", spot);
  if (polar.pt < 0) spot.refuse(concat("pt is ", plain_text(polar.pt), ", but must be >= 0"));
  if (std::abs(polar.phi) > kLargestAngle)
    spot.refuse(concat("phi is ", plain_text(polar.phi), ", but must lie within -2 pi and 2 pi; turn it into radians"));
  if (std::abs(polar.phi) > std::numbers::pi) polar.phi = wrapped(polar.phi), ++repairs.wrapped_angles;
  return polar;
}

}  // namespace

void ParticleSpot::refuse(const std::string& sentence) const {
  const std::string within = particle < 0 ? "" : concat(", particle ", particle);
  throw DataError(concat(path, ": ", array, ": ", set_noun, " ", set, within, ": ", sentence, "."));
}

std::string_view noun_of(SetKind kind) {
  if (kind == SetKind::jets) return "jet";
  return kind == SetKind::events ? "event" : "candidate";
}

Momentum checked_momentum(Momentum p, const ParticleSpot& spot, Repairs& repairs) {
  check_finite(p.px, "px", spot);
  check_finite(p.py, "py", spot);
  check_finite(p.pz, "pz", spot);
  check_finite(p.energy, "E", spot);
  const double size = std::hypot(p.px, p.py, p.pz);
  check_finite(size, "the size of its momentum", spot);
  if (std::max(size, p.energy) > kLargestEnergy)
    spot.refuse(concat("E is ", plain_text(p.energy, 6), " and |p| ", plain_text(size, 6),
                       ", but both must be at most ", plain_text(kLargestEnergy), " GeV; look at the unit"));
  if (p.energy < size * (1 - kRoundingOfEnergy))
    spot.refuse(concat("E is ", plain_text(p.energy, 6), ", but must be at least |p| = ", plain_text(size, 6)));
  if (p.energy < size) p.energy = size, ++repairs.negative_masses;
  return p;
}

Momentum momentum_from_mass(const PolarNumbers& polar, AxisKind axis, double mass, double scale,
                            const ParticleSpot& spot, Repairs& repairs) {
  const PolarNumbers good = checked_polar(polar, spot, repairs);
  check_finite(mass, "mass", spot);
  if (mass < -kRoundingOfMass * good.pt) spot.refuse(concat("mass is ", plain_text(mass), ", but must be >= 0"));
  if (mass < 0) mass = 0, ++repairs.negative_masses;
  const auto make = axis == AxisKind::rapidity ? from_rapidity : from_pseudorapidity;
  Repairs rounding;  // E is made from p here
  return checked_momentum(make(good.pt * scale, good.along, good.phi, mass * scale), spot, rounding);
}

Momentum momentum_from_energy(const PolarNumbers& polar, double energy, double scale, const ParticleSpot& spot,
                              Repairs& repairs) {
  const PolarNumbers good = checked_polar(polar, spot, repairs);
  Momentum p = from_pseudorapidity(good.pt * scale, good.along, good.phi, 0);
  p.energy = energy * scale;
  return checked_momentum(p, spot, repairs);
}

void SetCollector::add(const Momentum& p, std::int32_t id, std::int32_t sub_event) {
  const double transverse = pt(p);
  if (kind_ == SetKind::jets && transverse <= 0) {
    ++repairs_.without_transverse;
    return;
  }
  set_.push_back({p, transverse, id, sub_event});
}

void SetCollector::end_set() {
  const auto falls = [](const Particle& a, const Particle& b) { return a.pt > b.pt; };
  // What a file rounded may rise by the last digit of a float where pT is made from px and py.
  const auto rises = [](const Particle& a, const Particle& b) { return b.pt > a.pt * (1 + 1e-6); };
  if (kind_ == SetKind::jets) {
    if (std::adjacent_find(set_.begin(), set_.end(), rises) != set_.end()) {
      ++repairs_.sorted_sets;
      std::stable_sort(set_.begin(), set_.end(), falls);
    }
  }
  if (set_.empty()) ++repairs_.empty_sets;
  for (const Particle& particle : set_) {
    momenta_.push_back(particle.p);
    ids_.push_back(particle.id);
    sub_events_.push_back(particle.sub_event);
  }
  offsets_.push_back(static_cast<Index>(momenta_.size()));
  set_.clear();
}

ParticleSets SetCollector::take(bool with_ids, bool with_sub_events) {
  ParticleSets sets;
  sets.offsets = std::exchange(offsets_, {0});
  sets.momenta.resize(static_cast<Index>(momenta_.size()), 4);
  for (std::size_t i = 0; i < momenta_.size(); ++i)
    sets.momenta.row(static_cast<Index>(i)) << momenta_[i].px, momenta_[i].py, momenta_[i].pz, momenta_[i].energy;
  if (with_ids) sets.ids = ids_;
  if (with_sub_events) sets.sub_events = sub_events_;
  momenta_.clear(), ids_.clear(), sub_events_.clear();
  return sets;
}

double scale_of_unit(const ReadOptions& options, FileFacts& facts) {
  require(options.unit.empty() || options.unit == "GeV" || options.unit == "MeV", "unit is '", options.unit,
          "'; it must be GeV or MeV.");
  if (!options.unit.empty() && options.unit != facts.unit) {
    facts.notes.push_back(concat("energies are read in ", options.unit, " as was asked for, not in ", facts.unit));
    facts.unit = options.unit;
  }
  if (!options.unit.empty()) facts.unit_known_by = "as asked for";
  return facts.unit == "MeV" ? 1e-3 : 1;
}

void take_bad_set(const DataError& fault, bool leave_out, Repairs& repairs) {
  constexpr std::size_t kShown = 5;
  if (!leave_out) throw BadSet(fault.what());
  ++repairs.bad_sets;
  if (repairs.bad_places.size() < kShown) repairs.bad_places.emplace_back(fault.what());
}

namespace {

/// The sets [first, end) but for those that cannot be read, which are found by halves.
ParticleSets good_sets(Index first, Index end, const FileFacts& facts, BadRules bad, Repairs& repairs,
                       const TakeSets& take) {
  const Repairs before = repairs;
  try {
    ParticleSets sets = take(first, end);
    for (Index row = first; row < end; ++row) {
      if (bad.empty_is_bad && sets.size(row - first) == 0)
        throw DataError(
            concat(facts.path, ": ", noun_of(facts.kind), ' ', row, " has no constituents, so it cannot be scored."));
      sets.rows.push_back(row);
    }
    return sets;
  } catch (const DataError& fault) {
    repairs = before;
    if (!bad.leave_out || end - first == 1) {
      take_bad_set(fault, bad.leave_out, repairs);
      return {};
    }
  }
  const Index middle = first + (end - first) / 2;
  ParticleSets sets = good_sets(first, middle, facts, bad, repairs, take);
  const ParticleSets more = good_sets(middle, end, facts, bad, repairs, take);
  if (sets.count() == 0) return more;
  if (more.count() > 0) append(sets, more);
  return sets;
}

}  // namespace

ParticleSets next_good_sets(Index& next, const FileFacts& facts, Index most, BadRules bad, Repairs& repairs,
                            const TakeSets& take) {
  require(most >= 1, "ParticleReader: ", most, " sets are asked for; ask for at least 1.");
  ParticleSets sets;
  while (sets.count() == 0 && next < facts.sets) {
    const Index first = next;
    next += std::min(facts.sets - first, most);
    sets = good_sets(first, next, facts, bad, repairs, take);
  }
  return sets;
}

double label_of_options(const ReadOptions& options) {
  if (options.label.empty()) return std::numeric_limits<double>::quiet_NaN();
  int label = -1;
  const char* end = options.label.data() + options.label.size();
  const auto parsed = std::from_chars(options.label.data(), end, label);
  require(parsed.ec == std::errc() && parsed.ptr == end && label >= 0 && label <= 999, "label is '", options.label,
          "'; it must be a whole number from 0 to 999, the class of all sets of the file.");
  return label;
}

}  // namespace fovea::datasets::particles
