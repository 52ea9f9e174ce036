#pragma once
/// Sets of particles as they come from arrays: what a number must be, what is repaired, and in which order particles
/// stand. Internal to datasets/particles.

#include <functional>
#include <string>
#include <string_view>

#include "fovea/core/base/error.hpp"
#include "fovea/datasets/particles/particles.hpp"

namespace fovea::datasets::particles {

/// Where something stands, for messages: "jets.h5: /particles: jet 5, particle 2".
struct ParticleSpot {
  std::string_view path, array;
  std::int64_t set = 0;
  std::int64_t particle = -1;  ///< within its set, from 0; -1: the set itself
  std::string_view set_noun = "jet";

  /// Throws DataError: the spot and the sentence.
  [[noreturn]] void refuse(const std::string& sentence) const;
};

/// What a set is called: "jet", "event" or "candidate".
std::string_view noun_of(SetKind kind);

/// A direction and size as arrays have them; energies in the unit of the file.
struct PolarNumbers {
  double pt = 0, along = 0, phi = 0;  ///< along: eta or y
};

/// (px, py, pz) or E that is no finite number or above 1e15 GeV, E < 0 or E below |p| by more than 1e-4 of it:
/// DataError; E below |p| by less becomes |p| and is counted.
Momentum checked_momentum(Momentum p, const ParticleSpot& spot, Repairs& repairs);

/// From pT, eta or y, phi and mass (a negative one above -1e-3 pT counts as rounding, and is 0). `scale` makes GeV of
/// the file's unit. DataError for pT < 0, |phi| > 2 pi (degrees?), what is not finite, and a lower mass.
Momentum momentum_from_mass(const PolarNumbers& polar, AxisKind axis, double mass, double scale,
                            const ParticleSpot& spot, Repairs& repairs);
/// The same from pT, eta, phi and E.
Momentum momentum_from_energy(const PolarNumbers& polar, double energy, double scale, const ParticleSpot& spot,
                              Repairs& repairs);

/// Collects the sets of a block.
class SetCollector {
 public:
  SetCollector(SetKind kind, Repairs& repairs) : kind_(kind), repairs_(repairs) {}

  /// A particle of the set that is being collected. One without transverse momentum is left out of a jet, and counted.
  void add(const Momentum& p, std::int32_t id = 0, std::int32_t sub_event = 0);
  /// Ends a set: particles of a jet that are not by falling pT are sorted (equal ones keep their order), and counted.
  void end_set();
  void drop_open() { set_.clear(); }  ///< the particles of a set that turned out to be bad
  /// The sets with their offsets and momenta, and what else is wanted; the collector is empty then.
  ParticleSets take(bool with_ids, bool with_sub_events = false);

 private:
  struct Particle {
    Momentum p;
    double pt;
    std::int32_t id, sub_event;
  };

  SetKind kind_;
  Repairs& repairs_;
  std::vector<Particle> set_;
  std::vector<Momentum> momenta_;
  std::vector<std::int32_t> ids_, sub_events_;
  std::vector<Index> offsets_{0};
};

/// The factor from the file's unit to GeV; options override what the format says. Throws ArgumentError for a unit that
/// is neither GeV nor MeV.
double scale_of_unit(const ReadOptions& options, FileFacts& facts);

/// A set that cannot be read is counted, where sets may be left out; else BadSet with the message. repairs: as they
/// were before the set.
void take_bad_set(const DataError& fault, bool leave_out, Repairs& repairs);

/// Gives the sets [first, end) of a file; throws DataError where one of them cannot be read.
using TakeSets = std::function<ParticleSets(Index first, Index end)>;
/// What becomes of sets that cannot be read, and which these are (ReadOptions).
struct BadRules {
  bool leave_out = false, empty_is_bad = false;
};
/// The next block of a file, `next` being the first set that was not yet taken: at most `most` sets, but for those that
/// cannot be read; none at the end. Throws DataError as take_bad_set() does, ArgumentError for most < 1.
ParticleSets next_good_sets(Index& next, const FileFacts& facts, Index most, BadRules bad, Repairs& repairs,
                            const TakeSets& take);

/// A class given for all sets of a file without labels. Throws ArgumentError if it is no whole number from 0 to 999.
double label_of_options(const ReadOptions& options);

}  // namespace fovea::datasets::particles
