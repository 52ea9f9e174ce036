#pragma once
/// Families of the manual that count levels and their neighbours (3.6 to 3.11). Neighbours lie at Chebyshev distance 1:
/// 26 in the volume, 8 in a slice; directions are the 13 or 4 of them without their opposites. A slice is x-y.
/// Values by slice are means over the slices, those by direction over the directions; a slice or direction without any
/// count has no part in the mean.

#include <vector>

#include "fovea/domains/imaging/radiomics/families.hpp"

namespace fovea::imaging::radiomics {

/// Grey level co-occurrence: p_ij the share of neighbours with levels i and j, both ways, p_i its sums, mu = sum i p_i.
/// Of levels: sum, difference and entropy features of p_(i+j), p_|i-j|; inv_diff sum p_k / (1 + k), inv_diff_norm
/// sum p_k / (1 + k / N_g), inv_diff_mom and inv_diff_mom_norm with k^2 and N_g^2, inv_var sum_(k > 0) p_k / k^2,
/// clusters sum (i + j - 2 mu)^(2, 3, 4) p_ij, info_corr1 (HXY - HXY1) / HX,
/// info_corr2 sqrt(1 - exp(-2 (HXY2 - HXY))), HXY1 = HXY2 = 2 HX as p is symmetric; corr 1 and info_corr1 0 where one
/// level is alone.
std::vector<double> co_occurrence(const Region& region, const Variant& variant);

/// Grey level run length: r_ij runs of j voxels of level i along a direction; N_v of the percentage: the voxels, once
/// for every direction.
std::vector<double> run_length(const Region& region, const Variant& variant);

/// Grey level size zone: zones are neighbours of one level; j their voxels.
std::vector<double> size_zone(const Region& region, const Variant& variant);

/// Grey level distance zone: j the least distance of a zone's voxels from the edge of the morphological mask, 1 at the
/// edge, in steps across faces (in a slice: across its edges).
std::vector<double> distance_zone(const Region& region, const Variant& variant);

/// Neighbourhood grey tone difference: n_i voxels of level i with a neighbour in the mask, s_i the sum of |i - mean of
/// the neighbours' levels|, p_i = n_i / sum n, N_gp levels with p_i > 0. coarseness 1 / sum p_i s_i, at most 10^6;
/// contrast sum p_i p_j (i - j)^2 / (N_gp (N_gp - 1)) sum s_i / sum n; busyness sum p_i s_i / sum |i p_i - j p_j|;
/// complexity sum |i - j| (p_i s_i + p_j s_j) / (p_i + p_j) / sum n; strength sum (p_i + p_j) (i - j)^2 / sum s_i.
/// Contrast and busyness of one level are 0, strength 0 where no level differs from its neighbours.
std::vector<double> tone_difference(const Region& region, const Variant& variant);

/// Neighbouring grey level dependence, coarseness 0: s_ij voxels of level i, with j - 1 neighbours of that level.
std::vector<double> dependence(const Region& region, const Variant& variant);

}  // namespace fovea::imaging::radiomics
