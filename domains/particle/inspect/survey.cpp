#include "fovea/domains/particle/inspect/survey.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numbers>
#include <set>

#include "fovea/core/base/missing.hpp"
#include "fovea/core/base/moments.hpp"
#include "fovea/core/statistics/delong.hpp"

namespace fovea::particle::inspect {

namespace {

namespace particles = datasets::particles;
using particles::AxisKind;
using particles::Momentum;
using particles::ParticleSets;
using particles::SetKind;

constexpr std::size_t kMostIds = 64;
constexpr double kTopMass = 172;  // GeV

double along_beam(const Momentum& p, AxisKind axis) {
  return axis == AxisKind::pseudorapidity ? particles::pseudorapidity(p) : particles::rapidity(p);
}

std::uint64_t mixed(std::uint64_t hash, double value) {
  hash ^= std::bit_cast<std::uint64_t>(value) + 0x9E3779B97F4A7C15ULL + (hash << 6) + (hash >> 2);
  return hash * 0xD6E8FEB86659FD93ULL;
}

Index first_of(const ParticleSets& sets, Index set) { return sets.offsets[set]; }
Index end_of(const ParticleSets& sets, Index set) { return sets.offsets[set + 1]; }

}  // namespace

const char* name_of(Single number) {
  constexpr std::array<const char*, kSingles> kNames{"multiplicity", "mass", "|m - 172|", "width",
                                                     "pT-D",         "pT",   "|eta|",     "row"};
  return kNames[static_cast<std::size_t>(number)];
}

bool is_shortcut(Single number) { return number == Single::pt || number == Single::abs_eta || number == Single::row; }

SetNumbers numbers_of(const ParticleSets& sets, Index set, std::int64_t row, AxisKind axis) {
  const Index first = first_of(sets, set), end = end_of(sets, set);
  const Momentum sum = particles::sum_of(sets.momenta, first, end);
  double total = 0, squares = 0, spread = 0;
  for (Index i = first; i < end; ++i) {
    const Momentum p = particles::momentum_of(sets.momenta, i);
    const double pt = particles::pt(p);
    total += pt;
    squares += pt * pt;
    if (pt > 0)
      spread +=
          pt * particles::delta_r(along_beam(p, axis), particles::phi(p), along_beam(sum, axis), particles::phi(sum));
  }
  const double mass = particles::mass(sum), none = first == end || !(total > 0) ? kNan : 0;
  SetNumbers numbers;
  numbers.label = sets.labels.empty() ? kNan : sets.labels[set];
  numbers.values = {static_cast<double>(end - first),
                    mass,
                    std::abs(mass - kTopMass),
                    none + spread / (total > 0 ? total : 1),
                    none + std::sqrt(squares) / (total > 0 ? total : 1),
                    particles::pt(sum),
                    none + (total > 0 ? std::abs(particles::pseudorapidity(sum)) : 0),
                    static_cast<double>(row)};
  return numbers;
}

void PtMap::see(double eta, double phi, double pt) {
  const double x = (eta / reach_eta + 1) / 2 * kCells, y = (phi / reach_phi + 1) / 2 * kCells;
  if (!(x >= 0 && x < kCells && y >= 0 && y <= kCells)) return;
  cells[static_cast<std::size_t>(x) * kCells + std::min(kCells - 1, static_cast<std::size_t>(y))] += pt;
}

Survey::Survey(const particles::FileFacts& facts) : kind_(facts.kind), axis_(facts.axis) {
  map.reach_eta = kind_ == SetKind::jets ? 1 : 5;
  map.reach_phi = kind_ == SetKind::jets ? 1 : std::numbers::pi;
}

void Survey::take(const ParticleSets& block) {
  for (Index set = 0; set < block.count(); ++set) see_set(block, set);
  for (const std::int32_t id : block.ids)
    if (const auto known = ids.find(id); known != ids.end())
      ++known->second;
    else if (ids.size() < kMostIds)
      ids.emplace(id, 1);
}

void Survey::see_set(const ParticleSets& block, Index set) {
  const SetNumbers numbers = numbers_of(block, set, sets, axis_);
  const auto size = static_cast<std::int64_t>(block.size(set));
  shortest = sets == 0 ? size : std::min(shortest, size);
  longest = std::max(longest, size);
  singles += size == 1 ? 1 : 0;
  particles += size;
  if (std::isnan(numbers.label))
    ++unlabelled;
  else
    ++classes[numbers.label];
  if (sets % stride_ == 0) kept_.push_back(numbers);
  if (kept_.size() > kMostKept) {
    for (std::size_t i = 0; 2 * i < kept_.size(); ++i) kept_[i] = kept_[2 * i];
    kept_.resize((kept_.size() + 1) / 2);
    stride_ *= 2;
  }
  ++sets;
  if (size == 0) return;
  const Momentum sum = particles::sum_of(block.momenta, first_of(block, set), end_of(block, set));
  set_pt.see(particles::pt(sum));
  set_eta.see(particles::pseudorapidity(sum));
  set_mass.see(particles::mass(sum));
  if (block.jet_momenta.rows() > set) {
    const double stated = particles::pt(particles::momentum_of(block.jet_momenta, set));
    if (stated > 0) largest_jet_gap = std::max(largest_jet_gap, std::abs(particles::pt(sum) / stated - 1));
  }
  std::uint64_t hash = 1;
  const bool is_jet = kind_ == SetKind::jets;
  const double axis_eta = along_beam(sum, axis_), axis_phi = particles::phi(sum);
  for (Index i = first_of(block, set); i < end_of(block, set); ++i) {
    const Momentum p = particles::momentum_of(block.momenta, i);
    const double pt = particles::pt(p), eta = particles::pseudorapidity(p), phi = particles::phi(p);
    for (const double value : {p.px, p.py, p.pz}) hash = mixed(hash, value);
    particle_pt.see(pt);
    if (pt > 0) particle_eta.see(eta);
    if (is_jet)
      map.see(along_beam(p, axis_) - axis_eta, particles::wrapped(phi - axis_phi), pt);
    else
      map.see(eta, phi, pt);
  }
  if (hashes_.size() <= kMostHashed) hashes_.push_back(hash);
  if (is_jet) see_seam(block, set, axis_phi);
}

void Survey::see_seam(const ParticleSets& block, Index set, double axis_phi) {
  bool crosses = false;
  for (Index i = first_of(block, set); i < end_of(block, set) && !crosses; ++i)
    crosses = std::abs(particles::phi(particles::momentum_of(block.momenta, i)) - axis_phi) > std::numbers::pi;
  over_seam += crosses ? 1 : 0;
}

std::int64_t Survey::repeated() const {
  if (hashes_.size() > kMostHashed) return -1;
  std::vector<std::uint64_t> sorted = hashes_;
  std::sort(sorted.begin(), sorted.end());
  const auto end = std::unique(sorted.begin(), sorted.end());
  return static_cast<std::int64_t>(sorted.end() - end);
}

std::array<double, 3> quantiles(const std::vector<SetNumbers>& kept, Single number) {
  std::vector<double> values;
  for (const SetNumbers& one : kept)
    if (!std::isnan(one.of(number))) values.push_back(one.of(number));
  if (values.empty()) return {kNan, kNan, kNan};
  std::sort(values.begin(), values.end());
  return {sorted_quantile(values, 0.05), sorted_quantile(values, 0.5), sorted_quantile(values, 0.95)};
}

double area_of(const std::vector<SetNumbers>& kept, Single number) {
  std::set<double> labels;
  std::vector<std::vector<double>> scores(1);
  std::vector<double> of;
  for (const SetNumbers& one : kept)
    if (!std::isnan(one.label) && std::isfinite(one.of(number))) {
      labels.insert(one.label);
      scores[0].push_back(one.of(number));
      of.push_back(one.label);
    }
  if (labels.size() == 2) labels.erase(labels.begin());
  double largest = kNan;
  for (const double label : labels) {
    std::vector<Index> outcomes;
    for (const double one : of) outcomes.push_back(one == label ? 1 : 0);
    const auto ones = std::count(outcomes.begin(), outcomes.end(), 1);
    if (ones < 2 || static_cast<std::size_t>(ones) + 2 > outcomes.size()) continue;
    const double area = roc_areas(scores, outcomes).areas[0], either = std::max(area, 1 - area);
    largest = std::isnan(largest) ? either : std::max(largest, either);
  }
  return largest;
}

}  // namespace fovea::particle::inspect
