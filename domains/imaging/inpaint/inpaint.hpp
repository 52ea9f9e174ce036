#pragma once
/// Fills the holes of an image by attending to patches.
///
/// A guess g is a mixture of what smoothness states (guesses.hpp), by weights that are best on holes cut into known
/// tissue near by (mixture.hpp). A missing voxel i is then g_i + a sum_j w_ij (y_j - g_j), where j are voxels of the
/// cut holes, whose g_j was made as if they were missing, and w_ij a Gaussian of their columns (columns.hpp). Widths,
/// a in [0, 1], and the interval are learned on the cut holes of this image alone.

#include "fovea/domains/imaging/inpaint/attended.hpp"

namespace fovea::imaging::inpaint {

struct Settings {
  Index slices = 4;     ///< that are seen on either side of a hole; 0: each slice by itself
  bool shows = false;   ///< the places that are attended to
  bool attends = true;  ///< false: the guess alone
};

struct Filled {
  std::vector<Index> voxels;                       ///< the missing ones, ascending
  std::vector<double> values, half_widths, guess;  ///< of each; half_widths NaN where no hole could be cut
  Index holes = 0;                                 ///< and parts of large ones that were filled apart
  /// Voxels more steps from a known one than any of a cut hole: nothing examined their intervals.
  Index beyond = 0;
  Eigen::VectorXd weights;  ///< of the guesses, mean over the missing voxels
  Attention attention;
  std::vector<double> attended;  ///< of each voxel of the picture, if shown: its share, which sum to 1
};

/// Values are filled in the unit of the picture: f(a I + b) = a f(I) + b. Throws ArgumentError where nothing is known.
Filled fill(Picture picture, const Settings& settings);

}  // namespace fovea::imaging::inpaint
