#pragma once
/// Sums over all pairs of voxels of a mask, weighted by the inverse of their distance: for Moran's I and Geary's C.

#include <vector>

#include "fovea/domains/imaging/radiomics/region.hpp"

namespace fovea::imaging::radiomics {

/// Of voxel i, over all other voxels j of the intensity mask: W_i = sum_j 1 / d_ij, S_i = sum_j v_j / d_ij.
struct PairSums {
  std::vector<double> weights, values;
};

/// Exact: every pair is summed, a row of voxels against a row at a time, whose distances depend on their difference in
/// x alone. v in the order of region.voxels. W and S are attend()'s answer with log_distance_score, times
/// exp(log_sum_exp), less the pair of a voxel with itself.
PairSums pair_sums(const Region& region, const std::vector<double>& v);

/// With w_ij = 1 / d_ij, x_i the intensities less their mean, both sums over i != j:
///   I = N sum w_ij x_i x_j / (sum w_ij sum x_i^2),   C = (N - 1) sum w_ij (x_i - x_j)^2 / (2 sum w_ij sum x_i^2)
/// (Moran 1950, Geary 1954). NaN for one voxel or equal intensities.
struct Autocorrelation {
  double moran = 0, geary = 0;
};
Autocorrelation autocorrelation(const Region& region);

}  // namespace fovea::imaging::radiomics
