#include <cstdio>
#include <memory>

extern "C" {
#include <libqhull_r/qhull_ra.h>
}

#include "fovea/core/base/error.hpp"
#include "fovea/domains/imaging/radiomics/mesh.hpp"

namespace fovea::imaging::radiomics {

Hull convex_hull(const std::vector<Eigen::Vector3d>& points) {
  std::vector<double> coordinates;
  for (const Eigen::Vector3d& point : points) coordinates.insert(coordinates.end(), point.data(), point.data() + 3);
  const auto free_all = [](qhT* used) {
    int kept = 0, bytes = 0;
    qh_freeqhull(used, !qh_ALL);
    qh_memfreeshort(used, &kept, &bytes);
    delete used;
  };
  const std::unique_ptr<qhT, decltype(free_all)> qhull(new qhT, free_all);
  qh_zero(qhull.get(), stderr);
  char command[] = "qhull FA Pp";
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> silent(std::fopen("/dev/null", "w"), &std::fclose);
  const int failed = qh_new_qhull(qhull.get(), 3, static_cast<int>(points.size()), coordinates.data(), False, command,
                                  silent.get(), silent.get());
  require(failed == 0, "convex hull: Qhull ended with error ", failed, " for ", points.size(), " points.");
  qh_getarea(qhull.get(), qhull->facet_list);
  Hull hull{qhull->totvol, qhull->totarea, {}};
  for (const vertexT* vertex = qhull->vertex_list; vertex != nullptr && vertex->next != nullptr; vertex = vertex->next)
    hull.vertices.emplace_back(vertex->point[0], vertex->point[1], vertex->point[2]);
  return hull;
}

}  // namespace fovea::imaging::radiomics
