#pragma once
/// Rows of a table that no rank holds as a whole, beside a checkpoint: sealed files of at most kOwnRowsAFile rows, each
/// written by the rank that holds them, and read by any number of ranks.

#include <cstdint>

#include "fovea/core/base/matrix.hpp"
#include "fovea/core/base/place.hpp"
#include "fovea/core/data/dataset.hpp"
#include "fovea/core/ranks/ranks.hpp"

namespace fovea {

inline constexpr Index kOwnRowsAFile = Index{1} << 24;  ///< 128 MB a column: writing takes twice that of memory

/// The rows of this rank: part.count of them, of a table of `total`.
struct OwnRows {
  Matrix<double>* rows = nullptr;  ///< nullptr: there is no such table
  RankPart part;
  Index total = 0;
};

/// A table of one block of ranks (kRankBlock) is all rank 0's, and travels within the state.
inline bool travels_within(const OwnRows& own) { return own.rows != nullptr && own.total <= kRankBlock; }
void add_own_rows(const OwnRows& own, Dataset& state);
/// Out of the state again, into the rows of the rank that has them. Throws DataError where they do not fit.
void take_own_rows(const OwnRows& own, Dataset& state);

/// To be called by every rank; the checkpoint `number` may be sealed when all have returned. Throws StorageError.
void write_own_rows(const Place& folder, std::uint64_t number, const OwnRows& own);
/// False, and the rows are undefined, where files of this checkpoint are missing or damaged.
bool read_own_rows(const Place& folder, std::uint64_t number, const OwnRows& own);
/// Of a generation of checkpoints: numbers that are even, or odd. All files, whichever ranks wrote them.
void remove_own_rows(const Place& folder, std::uint64_t number);

}  // namespace fovea
