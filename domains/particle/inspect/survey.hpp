#pragma once
/// What a file of particles holds, gathered block by block in memory that does not grow: counts and ranges of all sets,
/// quantiles and areas under ROC curves of at most kMostKept of them, evenly spread over the file.

#include <array>
#include <limits>
#include <map>
#include <string>
#include <vector>

#include "fovea/datasets/particles/particles.hpp"

namespace fovea::particle::inspect {

constexpr std::size_t kMostKept = std::size_t{1} << 17;
constexpr std::size_t kMostHashed = std::size_t{1} << 22;  ///< sets whose like is looked for

/// A number of a set, by which classes may be told apart.
enum class Single { multiplicity, mass, top_distance, width, pt_d, pt, abs_eta, row, count };
constexpr auto kSingles = static_cast<std::size_t>(Single::count);
/// "multiplicity", "|m - 172|", ...
const char* name_of(Single number);
/// Whether it ought to tell nothing: jet pT, |eta| and the row are no properties of a class, but of a selection.
bool is_shortcut(Single number);

/// One set: width = sum z dR and pT-D = sqrt(sum z^2) with z = pT_i / sum pT, dR in eta or y as the file has it.
struct SetNumbers {
  double label = 0;  ///< NaN: none
  std::array<double, kSingles> values{};
  double of(Single number) const { return values[static_cast<std::size_t>(number)]; }
};
SetNumbers numbers_of(const datasets::particles::ParticleSets& sets, Index set, std::int64_t row,
                      datasets::particles::AxisKind axis);

/// Least and largest of what was seen.
struct Extent {
  double low = std::numeric_limits<double>::infinity(), high = -std::numeric_limits<double>::infinity();
  void see(double value) {
    low = value < low ? value : low;
    high = value > high ? value : high;
  }
};

/// A square map of pT over (eta, phi) [GeV]: about the jet's axis for jets, of the whole detector for events.
struct PtMap {
  static constexpr std::size_t kCells = 48;
  double reach_eta = 0, reach_phi = 0;
  std::vector<double> cells = std::vector<double>(kCells * kCells, 0.0);  ///< eta slowest
  void see(double eta, double phi, double pt);
};

class Survey {
 public:
  explicit Survey(const datasets::particles::FileFacts& facts);
  void take(const datasets::particles::ParticleSets& block);

  std::int64_t sets = 0, particles = 0, longest = 0, shortest = 0, singles = 0;
  std::map<double, std::int64_t> classes;  ///< by label
  std::int64_t unlabelled = 0;
  std::int64_t over_seam = 0;  ///< jets with particles on both sides of phi = pi
  Extent particle_pt, particle_eta, set_pt, set_eta, set_mass;
  double largest_jet_gap = 0;                ///< |pT of the sum / pT of the jet in the file - 1|
  std::map<std::int64_t, std::int64_t> ids;  ///< particles by PDG number, at most 64 kinds
  PtMap map;

  const std::vector<SetNumbers>& kept() const { return kept_; }
  /// Sets whose particles are those of another set, to the bit; -1: too many sets to look.
  std::int64_t repeated() const;

 private:
  void see_set(const datasets::particles::ParticleSets& block, Index set);
  void see_seam(const datasets::particles::ParticleSets& block, Index set, double axis_phi);

  datasets::particles::SetKind kind_;
  datasets::particles::AxisKind axis_;
  std::vector<SetNumbers> kept_;
  std::int64_t stride_ = 1;
  std::vector<std::uint64_t> hashes_;
};

/// 5 %, median, 95 % of a number over the kept sets.
std::array<double, 3> quantiles(const std::vector<SetNumbers>& kept, Single number);
/// The area under the ROC curve of one number, the larger of both directions, of label 1 against label 0; with more
/// classes the largest of each against all others. NaN: fewer than two sets of a class.
double area_of(const std::vector<SetNumbers>& kept, Single number);

}  // namespace fovea::particle::inspect
