#pragma once
/// Layouts with a fixed number of slots for the particles of a set, the rest zeros. Internal to datasets/particles.

#include <string>

#include "fovea/datasets/particles/collector.hpp"
#include "fovea/datasets/particles/hdf5/arrays.hpp"
#include "fovea/datasets/particles/hdf5/layouts.hpp"

namespace fovea::datasets::particles::hdf5 {

/// Reads rows in pieces of a few MB and lets the layout make sets of them.
class PaddedReader : public ParticleReader {
 public:
  const FileFacts& facts() const override { return facts_; }
  const Repairs& repairs() const override { return repairs_; }
  ParticleSets read(Index most) override;

 protected:
  PaddedReader(RowsFile file, const ReadOptions& options);

  /// Adds the sets of the rows [first, end) to the collector, and their other columns to `others`.
  virtual void take_rows(Index first, Index end, SetCollector& collector, ParticleSets& others) = 0;

  const std::string& path() const { return facts_.path; }
  ParticleSpot spot(std::string_view array, Index set, Index particle = -1) const {
    return {facts_.path, array, set, particle, noun_of(facts_.kind)};
  }
  /// Throws DataError if a slot holds a particle although one before held none.
  static void check_slot(bool is_empty, bool& ended, const ParticleSpot& spot);
  /// Labels of rows [first, end) of an array; those of the options where there is none.
  void add_labels(const Hdf5Entry* labels, Index first, Index end, ParticleSets& others) const;
  /// The class that was given for all sets, as names of the facts.
  void take_label_option();

  RowsFile file_;
  FileFacts facts_;
  Repairs repairs_;
  double scale_ = 1;             ///< to GeV
  std::uint64_t row_bytes_ = 1;  ///< of all arrays that are read, for the size of a piece

 private:
  ParticleSets sets_of(Index first, Index end);
  double label_;
  BadRules bad_;
  Index next_ = 0;
};

/// Momenta of jets from their pT, eta, phi and mass as rows have them.
Momentum jet_momentum(double pt, double eta, double phi, double mass, double scale, const ParticleSpot& spot);

/// The strings of a pickled list (protocol 0, as PyTables keeps it), in their order: "(lp0\nVE_0\np1\naVPX_0\np2\na.".
/// Throws std::length_error for what is no such list.
std::vector<std::string> pickled_names(const std::string& text);

}  // namespace fovea::datasets::particles::hdf5
