#pragma once
/// The family morphology of the manual (3.1): the shape of the morphological mask, and how intensities lie in it.

#include <vector>

#include "fovea/domains/imaging/radiomics/families.hpp"

namespace fovea::imaging::radiomics {

/// With V the volume and A the area of the mesh (mesh.hpp): vol_approx voxels x their volume; av A / V;
/// comp_1 V / (sqrt(pi) A^(3/2)), comp_2 36 pi V^2 / A^3, sphericity its cube root, sph_dispr the inverse of that,
/// asphericity sph_dispr - 1; com the distance between the centre of the mask and that of the intensities; diam the
/// largest distance between two vertices of the mesh; with lambda the eigenvalues of the covariance (divided by N - 1)
/// of the voxels' centres: axes 4 sqrt(lambda), elongation and flatness their ratios to the longest. Densities are V
/// or A over those of the axis-aligned box of the mesh, of the ellipsoid with those axes (area: series in Legendre
/// polynomials up to degree 20) and of the convex hull; integ_int V x mean intensity. Moran's I and Geary's C:
/// pair_sums.hpp. Axes along x, y, z of the image.
std::vector<double> morphology(const Region& region, const Variant& variant);

}  // namespace fovea::imaging::radiomics
