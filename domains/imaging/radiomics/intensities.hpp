#pragma once
/// Families of the manual that see intensities without their neighbours (3.2 to 3.5). N voxels of the intensity mask
/// have intensities X_k.

#include <vector>

#include "fovea/domains/imaging/radiomics/families.hpp"

namespace fovea::imaging::radiomics {

/// The mean over the voxels of the image (not of the mask alone) whose centres lie in a sphere of 1 cm3, radius
/// (3 / (4 pi))^(1/3) cm: around the voxel of the highest intensity (of several the highest mean), and the highest
/// around any voxel of the intensity mask.
std::vector<double> local_intensity(const Region& region, const Variant& variant);

/// Moments are those of the population; kurtosis less 3. Quantiles are linear between order statistics. The coefficient
/// of variation is sd / mean, the quartile coefficient of dispersion (P75 - P25) / (P75 + P25); mad: mean |X - mean|,
/// rmad: the same of intensities in [P10, P90] with their own mean, medad: mean |X - median|; energy: sum X^2.
std::vector<double> intensity_statistics(const Region& region, const Variant& variant);

/// The same of the levels. Mode: the level of most voxels, of several the nearest to the mean, then the lower. With n_i
/// voxels of level i: entropy -sum p_i log2 p_i, uniformity sum p_i^2, p_i = n_i / N; gradient (n_(i+1) - n_(i-1)) / 2,
/// one-sided at levels 1 and N_g.
std::vector<double> intensity_histogram(const Region& region, const Variant& variant);

/// V_x: the share of voxels whose intensity is at least low + x % (high - low). I_x: the lowest intensity low + k step
/// that at most x % of the voxels reach; high + step where more than x % reach high.
std::vector<double> volume_histogram(const Region& region, const Variant& variant);

}  // namespace fovea::imaging::radiomics
