#pragma once
/// Ragged HDF5: sets of particles one after the other, without padding. What read_particles() reads back, and h5py too.
///
///   offsets   int64 [J + 1]     set j has the rows [offsets[j], offsets[j + 1]) of particles; the last is M
///   particles float32 [M, 4]    pt, eta (or rapidity y), phi, mass; the attribute columns says which
///   pid       int32 [M], sub_event int32 [M]
///   label     int8 [J]          -1 where it is not known; the attribute label of the file says "0=QCD 1=top"
///   jet       float32 [J, 5]    pt, eta|y, phi, E, mass
///   truth     float32 [J, 4 T]  (px, py, pz, E) of T partons
///   part      int8 [J]          training, validation, ..., as its attribute names says
///   number    int64 [J]         as the source numbers the sets
/// Only what there is is written. Attributes of the file: kind (jets, events, leptons), unit GeV, origin.

#include <memory>
#include <string>

#include "fovea/core/base/place.hpp"
#include "fovea/datasets/particles/particles.hpp"

namespace fovea::datasets::particles {

/// Writes block after block in constant memory. The file is renamed into place by finish(), so that it is whole or not
/// there. Throws StorageError if the disk refuses.
class RaggedWriter {
 public:
  /// facts: kind, axis (rapidity, or else eta is stored), classes, parts and truth_columns are taken from it.
  /// origin: where the sets are from and what was done with them.
  RaggedWriter(const Place& place, const FileFacts& facts, const std::string& origin);
  ~RaggedWriter();
  RaggedWriter(const RaggedWriter&) = delete;
  RaggedWriter& operator=(const RaggedWriter&) = delete;

  /// The first block decides which columns there are; the others must have the same (ArgumentError). A particle
  /// without transverse momentum, whose direction the layout cannot hold, is left out.
  void append(const ParticleSets& sets);
  Index left_out() const;  ///< particles without transverse momentum so far
  /// Without it there is no file.
  void finish();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace fovea::datasets::particles
