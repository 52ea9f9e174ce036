#pragma once
/// Cases known by what they hold, so that the same rows are found in two files, whatever they are called there.

#include <cstdint>
#include <vector>

#include "fovea/core/study/cases/cases.hpp"

namespace fovea::study {

/// Of each case: 64 bits of its tokens (values, names of classes, times, coordinates), in their order; not of its id,
/// group or target. 0: it has no content of its own: no tokens, or what kCommon cases of these share, such as a few
/// values of few digits; copies of a file give two or three of each.
inline constexpr Index kCommon = 5;
std::vector<std::uint64_t> case_hashes(const Cases& cases);

/// A case, and one with its content.
struct RepeatedCase {
  Index item = 0, like = 0;
  bool operator==(const RepeatedCase&) const = default;
};
/// Those of `items` that have the content of one of `others`, which is the first of them.
std::vector<RepeatedCase> repeated_cases(const std::vector<std::uint64_t>& hashes, const std::vector<Index>& items,
                                         const std::vector<Index>& others);

/// What a model keeps of the cases that it learned from. Of private cases (Cases::smallest_cell) only so many bits are
/// kept that other cases meet one of them with a probability of `chance`: a match of one case proves nothing about it,
/// that of a file does.
struct KnownCases {
  std::vector<std::int64_t> kept;  ///< hashes without their first 64 - bits bits, ascending, each once
  std::int64_t bits = 63;
  double chance() const;  ///< that a case which was not learned from is among them
  /// How many of these hashes are among them.
  Index among(const std::vector<std::uint64_t>& hashes) const;
};
/// Of these cases.
KnownCases known_cases(const Cases& cases, const std::vector<Index>& learned);

}  // namespace fovea::study
