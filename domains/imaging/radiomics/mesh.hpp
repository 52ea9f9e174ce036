#pragma once
/// The surface of a mask: marching cubes (Lorensen and Cline 1987) at 0.5 between voxel centres.

#include <vector>

#include <Eigen/Core>

#include "fovea/domains/imaging/radiomics/region.hpp"

namespace fovea::imaging::radiomics {

struct Mesh {
  double volume = 0;  ///< mm3: the sum of the signed tetrahedra from the centre of the box to the triangles
  double area = 0;    ///< mm2
};

/// In a cube of 8 voxel centres the surface runs through the middles of edges with one end in the mask. On a face whose
/// mask voxels lie across from each other they are joined. Polygons of up to 4 corners are plane; one with more is cut
/// into triangles around the centre of the cube, so a mirrored or turned mask has the mirrored or turned surface.
Mesh mesh(const Region& region);

/// The vertices that lie outermost on a line of voxels: the convex hull of the mesh is theirs.
std::vector<Eigen::Vector3d> outer_vertices(const Region& region);

struct Hull {
  double volume = 0, area = 0;            ///< mm3, mm2
  std::vector<Eigen::Vector3d> vertices;  ///< of the hull
};

/// The convex hull (Qhull: Barber, Dobkin and Huhdanpaa 1996).
Hull convex_hull(const std::vector<Eigen::Vector3d>& points);

}  // namespace fovea::imaging::radiomics
