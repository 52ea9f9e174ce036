#pragma once
/// Arrays of an HDF5 file that a layout asks for: there, of the right kind and shape. Internal to datasets/particles.

#include <optional>
#include <string>
#include <vector>

#include "fovea/core/base/matrix.hpp"
#include "fovea/core/data/file/hdf5_rows.hpp"
#include "fovea/datasets/particles/collector.hpp"

namespace fovea::datasets::particles::hdf5 {

/// What an array must be.
struct ArrayRule {
  bool whole = false;                      ///< whole numbers
  std::vector<std::uint64_t> row = {};     ///< the shape of a row; 0: any length >= 1; empty: one number
  std::optional<std::uint64_t> rows = {};  ///< how many
  std::string_view rows_of = {};           ///< where that number is from: "/offsets"
};

/// The array of this path. Throws DataError with path, what it is and what it must be.
const Hdf5Entry& array_of(const Hdf5Rows& file, const std::string& path, const ArrayRule& rule);
/// nullptr if the file has nothing of this name.
const Hdf5Entry* array_if_any(const Hdf5Rows& file, const std::string& path, const ArrayRule& rule);

/// Rows [first, end) as doubles, bit for bit what stands in the file.
Matrix<double> rows_of(const Hdf5Rows& file, const Hdf5Entry& array, Index first, Index end,
                       std::string_view field = {});

/// "pt[GeV],eta,phi,mass of the jet" as "pt", "eta", "phi", "mass"; unit: what stands in [] of the first, if any.
std::vector<std::string> column_names(const std::string& text, std::string* unit = nullptr);

/// "1=top 0=QCD" as "QCD", "top"; none if it says no such thing.
std::vector<std::string> class_names(const std::string& text);

/// A label of a set, or NaN for -1. Throws DataError for what is no class.
double checked_label(double label, const std::vector<std::string>& classes, const ParticleSpot& spot);

}  // namespace fovea::datasets::particles::hdf5
