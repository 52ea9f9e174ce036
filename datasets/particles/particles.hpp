#pragma once
/// Sets of particles: jets with their constituents, or whole events, packed one after the other.

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "fovea/core/base/error.hpp"
#include "fovea/datasets/particles/momentum.hpp"

namespace fovea::datasets::particles {

/// What a set of particles is.
enum class SetKind {
  jets,    ///< constituents of one jet
  events,  ///< final particles of a collision, to be clustered into jets
  leptons  ///< candidates of a few leptons each, for kinematics
};

/// Which direction along the beam a file stores; "none" where it stores momenta.
enum class AxisKind { none, pseudorapidity, rapidity };

/// What is known of a file before its first set is read.
struct FileFacts {
  std::string path;
  std::string format;  ///< in words: "Top Tagging reference table (pandas, HDF5)"
  SetKind kind = SetKind::jets;
  AxisKind axis = AxisKind::none;
  std::string unit = "GeV";                     ///< in which the file stores energies; sets always are in GeV
  std::string unit_known_by = "by its format";  ///< "as it states", "assumed", "as asked for"
  Index sets = -1;                              ///< -1: known only at the end of a text
  std::vector<std::string> classes;             ///< names of labels 0, 1, ...; empty: the file has none
  std::vector<std::string> parts;               ///< names of ParticleSets::parts; empty: the file has none
  bool ids = false, truth = false, jet_momenta = false, sub_events = false;
  std::string truth_columns;       ///< what the truth's momenta are: "top, b, q, q'"
  std::vector<std::string> notes;  ///< what a reader assumed: units, axis, masses, leading particles only
};

/// What was changed or left out while sets were read; grows with each block.
struct Repairs {
  Index wrapped_angles = 0;                  ///< |phi| > pi, taken to [-pi, pi]
  Index sorted_sets = 0;                     ///< particles that were not by falling pT
  Index negative_masses = 0;                 ///< E below |p| by rounding, taken as massless
  Index without_transverse = 0;              ///< particles along the beam, left out of jets
  Index invisible = 0;                       ///< neutrinos, left out
  Index not_final = 0;                       ///< particles of an event record that decayed or are the beam, left out
  Index empty_sets = 0;                      ///< sets without a particle, kept: whoever scores them says so
  Index bad_sets = 0;                        ///< that could not be read, left out (ReadOptions::leave_out_bad)
  std::vector<std::string> bad_places = {};  ///< the messages of the first five
};

/// Set b has the particles [offsets[b], offsets[b + 1]), N in all, by falling pT within a jet, in the file's order
/// within an event. What a file does not have is empty.
struct ParticleSets {
  std::vector<Index> offsets{0};
  Matrix<double> momenta;                ///< N x 4: px, py, pz, E [GeV]; finite, E >= |p| up to rounding
  std::vector<std::int32_t> ids;         ///< N: PDG numbers
  std::vector<std::int32_t> sub_events;  ///< N: the part of its event, 0 for the hard collision
  std::vector<double> labels;            ///< one a set: 0, 1, ...; NaN: not known
  std::vector<std::int32_t> parts;       ///< one a set, of FileFacts::parts, such as training, validation, test
  Matrix<double> jet_momenta;            ///< sets x 4, as the file has them
  Matrix<double> truth;                  ///< sets x 4 T: (px, py, pz, E) of T partons; zeros where there is none
  std::vector<std::int64_t> numbers;     ///< one a set: as the file numbers it
  std::vector<Index> rows;               ///< one a set, of HDF5: its place in the file, from 0

  Index count() const { return static_cast<Index>(offsets.size()) - 1; }
  Index particles() const { return offsets.back(); }
  Index size(Index set) const { return offsets[set + 1] - offsets[set]; }
};

/// Adds the sets of `more`, which have the same columns.
void append(ParticleSets& sets, const ParticleSets& more);

/// Sets that come in blocks, so that a file of any length needs the memory of a block.
class ParticleReader {
 public:
  virtual ~ParticleReader() = default;
  virtual const FileFacts& facts() const = 0;
  /// The next sets, at most `most` (>= 1), in the order of the file; none at its end. How a file is cut into blocks
  /// changes no bit. Throws DataError with file, line or data set, set and rule; StorageError.
  virtual ParticleSets read(Index most) = 0;
  /// Of all blocks so far.
  virtual const Repairs& repairs() const = 0;
};

/// A set that cannot be read; ReadOptions::leave_out_bad would leave it out.
class BadSet : public DataError {
 public:
  using DataError::DataError;
};

/// What `read` gives; a BadSet becomes a DataError with the way to leave it out: "--bad 'leave out'".
template <typename Read>
auto with_way_out(const char* way, const Read& read) {
  try {
    return read();
  } catch (const BadSet& fault) {
    throw DataError(concat(fault.what(), " To leave out what cannot be read, and count it: ", way, "."));
  }
}

/// What a file does not say itself.
struct ReadOptions {
  std::string unit = {};  ///< "GeV" or "MeV": overrides what the format or the file says; empty: as it says
  std::string axis = {};  ///< "eta" or "rapidity": of a ragged file that does not say; empty: as it says
  std::string label =
      {};  ///< class of all sets of a file without labels, such as JetNet's: a whole number; empty: none
  bool leave_out_bad = false;  ///< sets that cannot be read are left out and counted; false: the first is refused
  bool empty_is_bad = false;   ///< of HDF5: a set without particles counts as one that cannot be read
};

/// Opens a file, whose format its content says, not its name (see README.md). Throws DataError with the formats that
/// are known, or with what is wrong and the way out; StorageError.
std::unique_ptr<ParticleReader> open_particles(const std::string& path, const ReadOptions& options = {});

/// Whether a file may be one of particles, by its first bytes and the names in it. Never throws for a strange file.
bool looks_like_particles(const std::string& path);

/// All sets in one piece.
ParticleSets read_all(ParticleReader& reader);

}  // namespace fovea::datasets::particles
