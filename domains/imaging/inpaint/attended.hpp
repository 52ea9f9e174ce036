#pragma once
/// What is attended to: holes with their keys, the widths that are learned on cut holes, and the interval.

#include <string>

#include "fovea/core/learning/training/residual_attention.hpp"
#include "fovea/domains/imaging/inpaint/holes.hpp"

namespace fovea::imaging::inpaint {

/// A hole as attention sees it. Keys are the voxels of its cut holes.
struct PreparedHole {
  std::vector<Place> voxels;
  Eigen::VectorXd weights;               ///< of the guesses
  Eigen::VectorXd mixed;                 ///< the guess of each voxel
  learning::ResidualLesson<float> rows;  ///< columns as they stand; left: of the keys; wanted is empty
  Eigen::VectorXd depths;                ///< of the voxels
  std::vector<Place> key_places;
  std::vector<Index> key_cuts;   ///< which cut each key is of
  std::vector<double> nearness;  ///< of each cut
  Eigen::VectorXd key_depths;
};

PreparedHole prepared(const Picture& picture, const Hole& hole, Index slices, const std::vector<double>& rough,
                      Index most_cut_voxels, Index most_keys);

inline constexpr int kTraits = 7;

/// What cut holes taught.
struct Attention {
  std::vector<double> scales;            ///< of the columns
  std::vector<float> log_widths;         ///< of the columns, scaled
  std::vector<std::uint8_t> contexts;    ///< 1: it helps on the cut holes
  double share = 0;                      ///< of the attended residual that is added to the guess, in [0, 1]
  double unit = 1;                       ///< root mean square of the residuals
  double gain = 0, gain_error = 0;       ///< on cut holes, dB: mean and its standard error
  std::array<double, kTraits> spread{};  ///< log sigma = these * (1, logs of the deviation, depth, effective
                                         ///< number of keys, roughness of each kind of patch)
  double quantile = 0;                   ///< of |error| / sigma that holds 90 % on the cut holes
  double deepest = 0;                    ///< most steps of a cut voxel to a known one
  Index lessons = 0;                     ///< cut holes that taught
};

/// From cut holes of these.
Attention learned_attention(const std::vector<const PreparedHole*>& holes, Index contexts, bool attends);

struct AttendedHole {
  Eigen::VectorXd values, half_widths;
};
AttendedHole attended_hole(const PreparedHole& hole, const Attention& attention);

/// The share of attention that each key receives, mean over the voxels of the hole.
Eigen::VectorXd key_shares(const PreparedHole& hole, const Attention& attention);

}  // namespace fovea::imaging::inpaint
