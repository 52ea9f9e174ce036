#include "fovea/domains/imaging/radiomics/mesh.hpp"

#include <cmath>

namespace fovea::imaging::radiomics {

namespace {

using Point = Eigen::Vector3d;

/// A closed polygon through middles of a cube's edges; the cube's corners are 0 and 1 along each axis.
using Polygon = std::vector<Point>;

Point corner_of(int corner) { return {double(corner & 1), double(corner >> 1 & 1), double(corner >> 2 & 1)}; }

/// The corners of a face, counterclockwise as seen from outside.
std::array<int, 4> face_corners(int axis, bool far) {
  const int u = 1 << (axis + 1) % 3, v = 1 << (axis + 2) % 3, base = far ? 1 << axis : 0;
  if (far) return {base, base | u, base | u | v, base | v};
  return {base, base | v, base | u | v, base | u};
}

/// The edge between two corners as a number.
int edge_of(int a, int b) { return std::min(a, b) * 8 + std::max(a, b); }

/// Every edge that the surface crosses is entered on one of its two faces and left on the other: next[edge] is where
/// the polygon goes on. On a face, a stretch of corners outside of the mask is walked around from the edge before it to
/// the edge after.
std::array<int, 64> next_edges(int mask) {
  std::array<int, 64> next;
  next.fill(-1);
  const auto in = [&](int corner) { return (mask >> corner & 1) != 0; };
  for (int face = 0; face < 6; ++face) {
    const std::array<int, 4> corners = face_corners(face / 2, face % 2 == 1);
    for (std::size_t k = 0; k < 4; ++k) {
      if (!in(corners[k]) || in(corners[(k + 1) % 4])) continue;
      std::size_t last = (k + 1) % 4;
      while (!in(corners[(last + 1) % 4])) last = (last + 1) % 4;
      next[static_cast<std::size_t>(edge_of(corners[k], corners[(k + 1) % 4]))] =
          edge_of(corners[last], corners[(last + 1) % 4]);
    }
  }
  return next;
}

std::vector<Polygon> polygons_of(int mask) {
  std::array<int, 64> next = next_edges(mask);
  std::vector<Polygon> polygons;
  for (std::size_t start = 0; start < next.size(); ++start) {
    if (next[start] < 0) continue;
    Polygon polygon;
    for (std::size_t edge = start; next[edge] >= 0;) {
      polygon.push_back(0.5 * (corner_of(static_cast<int>(edge) / 8) + corner_of(static_cast<int>(edge) % 8)));
      const int following = next[edge];
      next[edge] = -1;
      edge = static_cast<std::size_t>(following);
    }
    polygons.push_back(std::move(polygon));
  }
  return polygons;
}

const std::array<std::vector<Polygon>, 256>& cases() {
  static const std::array<std::vector<Polygon>, 256> all = [] {
    std::array<std::vector<Polygon>, 256> made;
    for (int mask = 0; mask < 256; ++mask) made[static_cast<std::size_t>(mask)] = polygons_of(mask);
    return made;
  }();
  return all;
}

/// Twice the vector area and six times the signed volume from the origin.
void add_triangle(const Point& a, const Point& b, const Point& c, Mesh& mesh) {
  mesh.area += (b - a).cross(c - a).norm();
  mesh.volume += a.dot(b.cross(c));
}

void add_polygon(const Polygon& polygon, const Point& origin, const Point& spacing, Mesh& mesh) {
  const std::size_t n = polygon.size();
  std::array<Point, 12> at;
  for (std::size_t k = 0; k < n; ++k) at[k] = (origin + polygon[k]).cwiseProduct(spacing);
  if (n <= 4) {
    for (std::size_t k = 1; k + 1 < n; ++k) add_triangle(at[0], at[k], at[k + 1], mesh);
    return;
  }
  const Point centre = (origin + Point::Constant(0.5)).cwiseProduct(spacing);
  for (std::size_t k = 0; k < n; ++k) add_triangle(centre, at[k], at[(k + 1) % n], mesh);
}

Point place_of(Index x, Index y, Index z) { return {double(x), double(y), double(z)}; }

}  // namespace

Mesh mesh(const Region& region) {
  const auto [nx, ny, nz] = region.size;
  const Point spacing(region.spacing[0], region.spacing[1], region.spacing[2]);
  const Point middle = 0.5 * place_of(nx - 1, ny - 1, nz - 1);
  Mesh sums;
  for (Index z = 0; z + 1 < nz; ++z)
    for (Index y = 0; y + 1 < ny; ++y) {
      const auto column = [&](Index x) {
        const auto in = [&](Index dy, Index dz) {
          return int{region.shape[static_cast<std::size_t>(region.at(x, y + dy, z + dz))] != 0};
        };
        return in(0, 0) | in(1, 0) << 2 | in(0, 1) << 4 | in(1, 1) << 6;
      };
      int left = column(0);
      for (Index x = 0; x + 1 < nx; ++x) {
        const int right = column(x + 1), mask = left | right << 1;
        left = right;
        for (const Polygon& polygon : cases()[static_cast<std::size_t>(mask)])
          add_polygon(polygon, place_of(x, y, z) - middle, spacing, sums);
      }
    }
  return {std::abs(sums.volume) / 6, sums.area / 2};
}

std::vector<Point> outer_vertices(const Region& region) {
  const Point spacing(region.spacing[0], region.spacing[1], region.spacing[2]);
  std::vector<Point> points;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const std::size_t u = (axis + 1) % 3, v = (axis + 2) % 3;
    const std::array<Index, 3> steps = region.steps();
    for (Index b = 0; b < region.size[v]; ++b)
      for (Index a = 0; a < region.size[u]; ++a) {
        const std::uint8_t* line = region.shape.data() + a * steps[u] + b * steps[v];
        Index first = 0, last = region.size[axis] - 1;
        while (first <= last && line[first * steps[axis]] == 0) ++first;
        while (first <= last && line[last * steps[axis]] == 0) --last;
        if (first > last) continue;
        Point point;
        point[Index(u)] = double(a), point[Index(v)] = double(b);
        for (const double along : {double(first) - 0.5, double(last) + 0.5}) {
          point[Index(axis)] = along;
          points.push_back(point.cwiseProduct(spacing));
        }
      }
  }
  return points;
}

}  // namespace fovea::imaging::radiomics
