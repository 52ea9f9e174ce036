#include <Eigen/Cholesky>
#include <cmath>

#include "fovea/domains/lag/effects/effects.hpp"

namespace fovea::lag::effects {

namespace {

constexpr Index kSlopeDraws = 100;
constexpr double kNormal95 = 1.959963984540054;

/// One lagged link of the system.
struct Path {
  Index cause = 0, effect = 0, lag = 1;
  double slope = 0;
};

std::vector<Path> paths_of(const std::vector<TargetModel>& models) {
  std::vector<Path> paths;
  for (const TargetModel& model : models)
    for (std::size_t k = 0; k < model.regressors.size(); ++k)
      if (model.regressors[k].lag > 0)
        paths.push_back({model.regressors[k].series, model.target, model.regressors[k].lag, model.slope[k]});
  return paths;
}

/// The same models with slopes drawn from their normal distributions.
std::vector<TargetModel> drawn_models(const std::vector<TargetModel>& models, const Random& random, Index draw) {
  std::vector<TargetModel> drawn;
  for (const TargetModel& model : models) {
    const auto size = static_cast<Index>(model.slope.size());
    Eigen::VectorXd noise(size);
    for (Index k = 0; k < size; ++k)
      noise[k] = random.normal(static_cast<std::uint64_t>(model.target) << 20 | static_cast<std::uint64_t>(k),
                               static_cast<std::uint64_t>(draw));
    // A column that was dropped has variance 0: Cholesky's factor with pivots takes it.
    const Eigen::LDLT<Eigen::MatrixXd> factor{Eigen::MatrixXd(model.covariance)};
    Eigen::VectorXd moved = factor.vectorD().cwiseMax(0).cwiseSqrt().cwiseProduct(noise);
    moved = factor.transpositionsP().transpose() * Eigen::VectorXd(factor.matrixL() * moved);
    TargetModel& one = drawn.emplace_back(TargetModel{model.target, model.regressors, model.slope, {}});
    for (Index k = 0; k < size; ++k) one.slope[k] += moved[k];
  }
  return drawn;
}

/// psi(h) of one series after a unit of the cause, h = 0 .. horizon.
std::vector<double> response_of(const std::vector<Path>& paths, Index series, Index cause, Index effect,
                                Index horizon) {
  Matrix<double> psi = Matrix<double>::Zero(horizon + 1, series);
  psi(0, cause) = 1;
  for (Index h = 1; h <= horizon; ++h)
    for (const Path& path : paths)
      if (path.lag <= h) psi(h, path.effect) += path.slope * psi(h - path.lag, path.cause);
  std::vector<double> response;
  for (Index h = 0; h <= horizon; ++h) response.push_back(psi(h, effect));
  return response;
}

}  // namespace

std::vector<Response> responses_of(const Effects& effects, std::span<const methods::Link> pairs, Index horizon,
                                   const Random& random) {
  const auto series = static_cast<Index>(effects.skill.size());
  std::vector<Response> responses(pairs.size());
  const std::vector<Path> known = paths_of(effects.models);
  for (std::size_t p = 0; p < pairs.size(); ++p)
    responses[p].mean = response_of(known, series, pairs[p].cause, pairs[p].effect, horizon);
  const auto steps = static_cast<std::size_t>(horizon) + 1;
  std::vector<std::vector<double>> squares(pairs.size(), std::vector<double>(steps, 0));
  for (Index draw = 0; draw < kSlopeDraws; ++draw) {
    const std::vector<Path> paths = paths_of(drawn_models(effects.models, random, draw));
    for (std::size_t p = 0; p < pairs.size(); ++p) {
      const std::vector<double> moved = response_of(paths, series, pairs[p].cause, pairs[p].effect, horizon);
      for (std::size_t h = 0; h < steps; ++h)
        squares[p][h] += (moved[h] - responses[p].mean[h]) * (moved[h] - responses[p].mean[h]);
    }
  }
  for (std::size_t p = 0; p < pairs.size(); ++p)
    for (std::size_t h = 0; h < steps; ++h) {
      const double half = kNormal95 * std::sqrt(squares[p][h] / static_cast<double>(kSlopeDraws));
      responses[p].low.push_back(responses[p].mean[h] - half);
      responses[p].high.push_back(responses[p].mean[h] + half);
    }
  return responses;
}

}  // namespace fovea::lag::effects
