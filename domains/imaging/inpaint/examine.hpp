#pragma once
/// What filling is worth: holes cut where the truth is known, each filled by itself.

#include <string>
#include <vector>

#include "fovea/core/base/random.hpp"
#include "fovea/core/data/results.hpp"
#include "fovea/domains/imaging/inpaint/inpaint.hpp"

namespace fovea::imaging::inpaint {

struct ExaminePlan {
  Index holes = 12, side = 16, depth = 1;  ///< how many, and voxels in x and y, and in z
};

/// Holes at random places where nothing is missing around them; fewer where there is no room. May be empty.
std::vector<std::vector<Index>> examined_holes(const Picture& picture, const ExaminePlan& plan, const Random& random);

/// The simple methods of the comparison, of guesses.hpp.
inline constexpr std::array<Index, 3> kSimple{0, 2, 5};

struct ExaminedHole {
  std::vector<Index> voxels;
  Filled filled;
  double psnr = 0, guess_psnr = 0;      ///< range: that of the known values
  std::array<double, 3> simple_psnr{};  ///< of kSimple
  double covered = 0;                   ///< share within the 90 % interval
  std::vector<double> errors;           ///< absolute
};

ExaminedHole examined(const Picture& picture, const std::vector<Index>& hole, const Settings& settings);

/// Arrays over "hole", means with intervals, the table, pictures of the hole with the median PSNR, headlines, findings.
void report_holes(const Picture& picture, const std::vector<ExaminedHole>& holes, const Random& random,
                  Results& results);

}  // namespace fovea::imaging::inpaint
