#include "fovea/domains/opinion/oracle/crowds.hpp"

#include <algorithm>

#include "fovea/core/base/parallel.hpp"
#include "fovea/core/statistics/distributions/normal.hpp"

namespace fovea::opinion::oracle {

Matrix<double> as_column(std::span<const double> values) {
  Matrix<double> column(static_cast<Index>(values.size()), 1);
  for (std::size_t i = 0; i < values.size(); ++i) column(static_cast<Index>(i), 0) = values[i];
  return column;
}

Matrix<double> quantile_crowd(Index agents, double spread) {
  Matrix<double> crowd(agents, 1);
  for (Index i = 0; i < agents / 2; ++i) {  // exactly odd: a mean that is not 0 would be a disturbance
    const double q = normal_quantile((static_cast<double>(i) + 0.5) / static_cast<double>(agents));
    crowd(i, 0) = spread * q;
    crowd(agents - 1 - i, 0) = -spread * q;
  }
  if (agents % 2 == 1) crowd(agents / 2, 0) = 0;
  return crowd;
}

Matrix<double> even_crowd(Index agents, double first, double last) {
  Matrix<double> crowd(agents, 1);
  for (Index i = 0; i < agents; ++i)
    crowd(i, 0) = first + (last - first) * static_cast<double>(i) / static_cast<double>(agents - 1);
  return crowd;
}

std::unique_ptr<dynamics::Dynamics> free_crowd(const dynamics::ModelSettings& settings, Matrix<double> start,
                                               const Random& random) {
  dynamics::Agents agents;
  agents.start = std::move(start);
  return dynamics::make_dynamics(settings, std::move(agents), nullptr, random);
}

Matrix<double> stepped(dynamics::Dynamics& dynamics, Matrix<double> opinions, std::int64_t step_number) {
  dynamics.step(opinions, step_number);
  return opinions;
}

double farthest_apart(const Matrix<double>& a, const Matrix<double>& b) { return (a - b).cwiseAbs().maxCoeff(); }

int run_to_rest(dynamics::Dynamics& dynamics, Matrix<double>& opinions, double tolerance, int most,
                const std::function<bool(const Matrix<double>&)>& stop) {
  Matrix<double> before;
  for (int step = 0; step < most; ++step) {
    before = opinions;
    dynamics.step(opinions, step);
    if (farthest_apart(before, opinions) <= tolerance) return step + 1;
    if (stop && step % 16 == 15 && stop(opinions)) return step + 1;
  }
  return most + 1;
}

void side_by_side(std::size_t count, const std::function<void(std::size_t)>& work) {
  const auto tasks = static_cast<Index>(count);  // a single one beside an idle one: its own loops stay on its thread
  for_each_task(std::max<Index>(tasks, 2), true, [&](Index k) {
    if (k < tasks) work(static_cast<std::size_t>(k));
  });
}

Matrix<double> pushed(dynamics::Dynamics& dynamics, const Matrix<double>& opinions, const Matrix<double>& v, double h) {
  return (stepped(dynamics, opinions + h * v) - stepped(dynamics, opinions - h * v)) / (2 * h);
}

}  // namespace fovea::opinion::oracle
