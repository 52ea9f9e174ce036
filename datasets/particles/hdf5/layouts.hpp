#pragma once
/// The layouts of HDF5 files of particles, each with a reader; a file is told by the names in it. Internal to
/// datasets/particles.

#include <memory>

#include "fovea/core/data/file/hdf5_rows.hpp"
#include "fovea/datasets/particles/formats.hpp"

namespace fovea::datasets::particles::hdf5 {

using RowsFile = std::unique_ptr<Hdf5Rows>;

struct Layout {
  const char* name;
  bool (*knows)(const Hdf5Rows& file);  ///< by names alone
  std::unique_ptr<ParticleReader> (*open)(RowsFile file, const ReadOptions& options);
};

bool is_ragged(const Hdf5Rows& file);
std::unique_ptr<ParticleReader> open_ragged(RowsFile file, const ReadOptions& options);
bool is_top_table(const Hdf5Rows& file);
std::unique_ptr<ParticleReader> open_top_table(RowsFile file, const ReadOptions& options);
bool is_atlas(const Hdf5Rows& file);
std::unique_ptr<ParticleReader> open_atlas(RowsFile file, const ReadOptions& options);
bool is_jetnet(const Hdf5Rows& file);
std::unique_ptr<ParticleReader> open_jetnet(RowsFile file, const ReadOptions& options);
bool is_olympics(const Hdf5Rows& file);
std::unique_ptr<ParticleReader> open_olympics(RowsFile file, const ReadOptions& options);

/// For the table of open.cpp.
bool knows_hdf5(const FileHead& head);
bool holds_particles(const FileHead& head);
std::unique_ptr<ParticleReader> open_hdf5(const FileHead& head, const ReadOptions& options);

}  // namespace fovea::datasets::particles::hdf5
