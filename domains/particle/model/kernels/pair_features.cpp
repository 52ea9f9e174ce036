#include "fovea/domains/particle/model/pair_features.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "fovea/core/kernels/kernels.hpp"

namespace fovea::particle::model {

namespace {

using learning::TokenPair;

constexpr float kLeast = 1e-8F, kSmooth = 0.01F;
/// Two particles that are nearer count as if they were so far apart: files that hold momenta in single precision tell
/// directions no better, and the logarithm of what is left by rounding would be an input.
constexpr float kNearest = 1e-5F;
constexpr float kTurn = 2 * std::numbers::pi_v<float>, kHalfTurn = std::numbers::pi_v<float>;

/// The angle between two azimuths in [-pi, pi].
float wrapped(float d) {
  return d - kTurn * static_cast<float>(d > kHalfTurn) + kTurn * static_cast<float>(d < -kHalfTurn);
}

/// sin^2 x for |x| <= pi / 2, by its series; relative error below 2e-7.
float squared_sine(float x) {
  const float q = x * x;
  const float sine = x * (1 - q / 6 * (1 - q / 20 * (1 - q / 42 * (1 - q / 72 * (1 - q / 110 * (1 - q / 156))))));
  return sine * sine;
}

/// sinh^2 x: the series below 1, where e^x - e^-x would cancel.
float squared_sinh(float x) {
  if (std::abs(x) > 1) {
    const float wide = std::sinh(x);
    return wide * wide;
  }
  const float q = x * x;
  const float sinh = x * (1 + q / 6 * (1 + q / 20 * (1 + q / 42 * (1 + q / 72 * (1 + q / 110)))));
  return sinh * sinh;
}

struct PairDistance {
  float dy, dphi, squared;
};

PairDistance distance_of(const PairPlaces& places, const TokenPair& pair) {
  const auto i = static_cast<std::size_t>(pair.first), j = static_cast<std::size_t>(pair.second);
  const float dy = places.y[i] - places.y[j], dphi = wrapped(places.phi[i] - places.phi[j]);
  return {dy, dphi, dy * dy + dphi * dphi};
}

void standard_features(const PairPlaces& places, std::span<const TokenPair> pairs, float least_apart, float* features,
                       Index stride) {
  float *dr = features, *kt = features + stride, *z = features + 2 * stride, *m2 = features + 3 * stride;
  for (std::size_t p = 0; p < pairs.size(); ++p) {
    const PairDistance d = distance_of(places, pairs[p]);
    const float a = places.pt[static_cast<std::size_t>(pairs[p].first)],
                b = places.pt[static_cast<std::size_t>(pairs[p].second)], less = std::min(a, b);
    const float nearest = pairs[p].first == pairs[p].second ? 0 : least_apart,
                r = std::max(std::sqrt(d.squared), nearest),
                opening = squared_sinh(d.dy / 2) + squared_sine(d.dphi / 2);
    dr[p] = std::max(r, kLeast);
    kt[p] = std::max(less * r, kLeast);
    z[p] = std::max(less / (a + b), kLeast);
    m2[p] = std::max(4 * a * b * std::max(opening, nearest * nearest / 4), kLeast);
  }
  for (float* row : {dr, kt, z, m2}) kernels<float>().logarithms(row, static_cast<Index>(pairs.size()));
}

void smooth_features(const PairPlaces& places, std::span<const TokenPair> pairs, float* features, Index stride) {
  for (std::size_t p = 0; p < pairs.size(); ++p) {
    const float r = std::sqrt(distance_of(places, pairs[p]).squared + kSmooth * kSmooth);
    features[p] = features[static_cast<std::size_t>(stride) + p] = r;
  }
  kernels<float>().logarithms(features + stride, static_cast<Index>(pairs.size()));
}

void bare_features(const PairPlaces& places, std::span<const TokenPair> pairs, float* features) {
  for (std::size_t p = 0; p < pairs.size(); ++p)
    features[p] = std::max(std::sqrt(distance_of(places, pairs[p]).squared), kLeast);
  kernels<float>().logarithms(features, static_cast<Index>(pairs.size()));
}

}  // namespace

Index feature_count(PairSet set) {
  switch (set) {
    case PairSet::none:
      return 0;
    case PairSet::standard:
    case PairSet::published:
      return 4;
    case PairSet::smooth:
      return 2;
    case PairSet::bare:
      return 1;
  }
  return 0;
}

void place_particles(const Matrix<double>& coordinates, PairPlaces& places) {
  const auto count = static_cast<std::size_t>(coordinates.rows());
  places.y.resize(count), places.phi.resize(count), places.pt.resize(count);
  for (std::size_t i = 0; i < count; ++i) {
    const auto row = coordinates.row(static_cast<Index>(i));
    places.y[i] = static_cast<float>(row[0]);
    places.phi[i] = static_cast<float>(row[1]);
    places.pt[i] = static_cast<float>(std::exp(row[2]));
  }
}

learning::PairFill<float> pair_fill(PairSet set, const PairPlaces& places) {
  return [set, &places](std::span<const TokenPair> pairs, float* features, Index stride) {
    if (set == PairSet::standard) return standard_features(places, pairs, kNearest, features, stride);
    if (set == PairSet::published) return standard_features(places, pairs, 0, features, stride);
    if (set == PairSet::smooth) return smooth_features(places, pairs, features, stride);
    bare_features(places, pairs, features);
  };
}

}  // namespace fovea::particle::model
