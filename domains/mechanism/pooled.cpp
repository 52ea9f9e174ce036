#include "fovea/domains/mechanism/pooled.hpp"

#include <cmath>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/missing.hpp"
#include "fovea/core/base/words.hpp"
#include "fovea/core/statistics/distributions/student.hpp"

namespace fovea::mechanism {

Pool::Pool(const Dataset& data, const std::string& name, std::size_t places)
    : values_(data.at(name).reals()), places_(places) {
  require(places > 0 && values_.size() % places == 0, "Pool: ", name, " has ", values_.size(),
          " values, which is no multiple of ", places, ".");
}

std::vector<double> Pool::of(std::size_t place) const {
  std::vector<double> values;
  for (std::size_t replica = 0; replica < replicas(); ++replica) values.push_back(at(replica, place));
  return values;
}

double Pool::largest() const {
  double largest = values_.front();
  for (const double value : values_)
    if (std::isnan(value) || value > largest) largest = value;
  return largest;
}

MeanWithError add_pooled(Results& merged, const std::string& from, const std::string& name,
                         const std::string& meaning) {
  const std::string units = merged.data.at(from).units;
  const MeanWithError pooled = Pool(merged.data, from, 1).mean(0);
  const double width = pooled.count > 1 ? student_width(0.95, pooled.count - 1) * pooled.error : kNan;
  merged.scalar(name, pooled.mean, units, meaning + ", mean over the seeds");
  merged.scalar(name + "_half_width", width, units, meaning + ", half width of the 95 % interval");
  return pooled;
}

void give_verdict(Results& merged, const std::string& statement, const std::string& within) {
  for (const Check& check : merged.checks()) {
    if (check.holds()) continue;
    merged.verdict(concat(statement, ": does not hold: ", check.meaning, " is ", plain_text(check.measured, 6),
                          ", predicted ", plain_text(check.predicted, 6), " within ", plain_text(check.tolerance),
                          check.relative ? " of it." : "."));
    return;
  }
  merged.verdict(concat(statement, ": holds within ", within, "."));
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
