#include "fovea/domains/mechanism/pooled.hpp"

#include "fovea/core/base/missing.hpp"
#include "fovea/core/statistics/distributions/student.hpp"

namespace fovea::mechanism {

MeanWithError add_pooled(Results& merged, const std::string& from, const std::string& name,
                         const std::string& meaning) {
  const std::string units = merged.data.at(from).units;
  const MeanWithError pooled = view(merged.data, from).mean();
  const double width = pooled.count > 1 ? student_width(0.95, pooled.count - 1) * pooled.error : kNan;
  merged.scalar(name, pooled.mean, units, meaning + ", mean over the seeds");
  merged.scalar(name + "_half_width", width, units, meaning + ", half width of the 95 % interval");
  return pooled;
}

Matrix<double> normal_matrix(Index rows, Index columns, const Random& random) {
  Matrix<double> numbers(rows, columns);
#pragma omp parallel for schedule(static)
  for (Index i = 0; i < rows; ++i)
    for (Index c = 0; c < columns; ++c)
      numbers(i, c) = random.normal(static_cast<std::uint64_t>(i), static_cast<std::uint64_t>(c));
  return numbers;
}

}  // namespace fovea::mechanism
