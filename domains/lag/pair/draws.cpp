#include "fovea/domains/lag/pair/draws.hpp"

#include <Eigen/Cholesky>

#include "fovea/core/base/random.hpp"

namespace fovea::lag::pair {

namespace {

using Numbers = Eigen::Matrix<double, kWalkNumbers, 1>;

constexpr std::uint64_t kDrawSeed = 20110;

Numbers as_vector(const WalkNumbers& n) {
  return (Numbers() << n.log_time, n.log_deviation, n.log_scale, n.log_driver_error, n.log_response_error).finished();
}
WalkNumbers as_numbers(const Numbers& x) { return {x[0], x[1], x[2], x[3], x[4]}; }

}  // namespace

NumbersMatrix numbers_curvature(PairModel& model, double lag, const EchoWindow& window, const WalkNumbers& at) {
  constexpr double kStep = 0.15;  // of a logarithm: far above rounding, below a standard deviation
  const auto log_posterior = [&](const Numbers& x) {
    return model.log_likelihood(lag, window, as_numbers(x)) + model.log_prior(as_numbers(x));
  };
  const Numbers centre = as_vector(at);
  const double middle = log_posterior(centre);
  NumbersMatrix found;
  for (Eigen::Index a = 0; a < found.rows(); ++a)
    for (Eigen::Index b = a; b < found.rows(); ++b) {
      const auto moved = [&](double of_a, double of_b) {
        Numbers x = centre;
        x[a] += of_a * kStep;
        x[b] += of_b * kStep;
        return log_posterior(x);
      };
      const double second = a == b ? moved(1, 0) - 2 * middle + moved(-1, 0)
                                   : (moved(1, 1) - moved(1, -1) - moved(-1, 1) + moved(-1, -1)) / 4;
      found(a, b) = found(b, a) = -second / (kStep * kStep);
    }
  return found;
}

std::vector<NumbersDraw> draw_numbers(const PairModel& model, const WalkNumbers& centre, const NumbersMatrix& curvature,
                                      int count) {
  const NumbersMatrix precision = curvature + 0.25 * NumbersMatrix::Identity();
  Eigen::LLT<NumbersMatrix> factor(precision);
  const NumbersMatrix fallback = precision.diagonal().cwiseMax(0.5).asDiagonal();
  if (factor.info() != Eigen::Success) factor.compute(fallback);
  const Random random = Random(kDrawSeed).stream("numbers");
  const Numbers middle = as_vector(centre);
  std::vector<NumbersDraw> draws;
  for (int n = 0; n < count; ++n) {
    Numbers z;
    for (std::size_t d = 0; d < kWalkNumbers; ++d)
      z[static_cast<Eigen::Index>(d)] = (n % 2 == 0 ? 1 : -1) * random.normal(static_cast<std::uint64_t>(n / 2), d);
    const WalkNumbers numbers = as_numbers(middle + factor.matrixU().solve(z));
    draws.push_back({numbers, model.log_prior(numbers) + 0.5 * z.squaredNorm()});
  }
  return draws;
}

}  // namespace fovea::lag::pair
