#include "fovea/domains/particle/model/pair_features.hpp"

#include <algorithm>
#include <array>
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
constexpr float kLeastPt = 1e-30F;  // of ghosts, which jet finders add: two pT of 0 would have no ratio
constexpr float kTurn = 2 * std::numbers::pi_v<float>, kHalfTurn = std::numbers::pi_v<float>;

/// The angle between two azimuths in [-pi, pi].
float wrapped(float d) {
  return d - kTurn * static_cast<float>(d > kHalfTurn) + kTurn * static_cast<float>(d < -kHalfTurn);
}

/// sin^2 x for |x| <= pi / 2, by its series; relative error below 2e-7.
float squared_sine(float x) {
  const float q = x * x;
  const float sine =
      x * (1 - q * (1 / 6.0F) *
                   (1 - q * (1 / 20.0F) *
                            (1 - q * (1 / 42.0F) *
                                     (1 - q * (1 / 72.0F) * (1 - q * (1 / 110.0F) * (1 - q * (1 / 156.0F)))))));
  return sine * sine;
}

/// sinh^2 x for |x| <= 1, where e^x - e^-x would cancel, by its series.
float squared_small_sinh(float x) {
  const float q = x * x;
  const float sinh =
      x * (1 + q * (1 / 6.0F) *
                   (1 + q * (1 / 20.0F) * (1 + q * (1 / 42.0F) * (1 + q * (1 / 72.0F) * (1 + q * (1 / 110.0F))))));
  return sinh * sinh;
}

struct PairDistance {
  float dy, dphi, squared;
};

PairDistance distance_of(const PairPlaces& places, const TokenPair& pair) {
  const std::size_t i = pair.first, j = pair.second;
  const float dy = places.y[i] - places.y[j], dphi = wrapped(places.phi[i] - places.phi[j]);
  return {dy, dphi, dy * dy + dphi * dphi};
}

/// Some pairs side by side, so that their numbers are computed several at once.
constexpr std::size_t kSome = 64;
using Some = std::array<float, kSome>;
struct SomePairs {
  Some dy, dphi, a, b, nearest, opening;  ///< differences, both pT, the least dR, sinh^2(dy / 2) + sin^2(dphi / 2)
};

void gather(const PairPlaces& places, std::span<const TokenPair> pairs, float least_apart, SomePairs& some) {
  for (std::size_t p = 0; p < pairs.size(); ++p) {
    const std::size_t i = pairs[p].first, j = pairs[p].second;
    some.dy[p] = places.y[i] - places.y[j];
    some.dphi[p] = places.phi[i] - places.phi[j];
    some.a[p] = places.pt[i], some.b[p] = places.pt[j];
    some.nearest[p] = i == j ? 0 : least_apart;
  }
}

void open_angles(std::size_t count, SomePairs& some) {
  for (std::size_t p = 0; p < kSome; ++p) {
    some.dphi[p] = wrapped(some.dphi[p]);
    some.opening[p] = squared_small_sinh(some.dy[p] / 2) + squared_sine(some.dphi[p] / 2);
  }
  for (std::size_t p = 0; p < count; ++p)
    if (std::abs(some.dy[p]) > 2) {
      const float wide = std::sinh(some.dy[p] / 2);
      some.opening[p] = wide * wide + squared_sine(some.dphi[p] / 2);
    }
}

void standard_features(const PairPlaces& places, std::span<const TokenPair> pairs, float least_apart, float* features,
                       Index stride) {
  SomePairs some{};
  Some dr, kt, z, m2;
  for (std::size_t begin = 0; begin < pairs.size(); begin += kSome) {
    const std::size_t count = std::min(kSome, pairs.size() - begin);
    gather(places, pairs.subspan(begin, count), least_apart, some);
    open_angles(count, some);
    for (std::size_t p = 0; p < kSome; ++p) {
      const float a = some.a[p], b = some.b[p], less = std::min(a, b), nearest = some.nearest[p];
      const float r = std::max(std::sqrt(some.dy[p] * some.dy[p] + some.dphi[p] * some.dphi[p]), nearest);
      dr[p] = std::max(r, kLeast);
      kt[p] = std::max(less * r, kLeast);
      z[p] = std::max(less / (a + b), kLeast);
      m2[p] = std::max(4 * a * b * std::max(some.opening[p], nearest * nearest / 4), kLeast);
    }
    float* row = features + begin;
    for (const Some* numbers : {&dr, &kt, &z, &m2}) {
      std::copy_n(numbers->data(), count, row);
      row += stride;
    }
  }
  for (Index f = 0; f < 4; ++f) kernels<float>().logarithms(features + f * stride, static_cast<Index>(pairs.size()));
}

void smooth_features(const PairPlaces& places, std::span<const TokenPair> pairs, float* features, Index stride) {
  for (std::size_t p = 0; p < pairs.size(); ++p) {
    const float r = std::sqrt(distance_of(places, pairs[p]).squared + kSmooth * kSmooth);
    features[p] = features[stride + p] = r;
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
  const std::size_t count = coordinates.rows();
  places.y.resize(count), places.phi.resize(count), places.pt.resize(count);
  for (std::size_t i = 0; i < count; ++i) {
    const auto row = coordinates.row(static_cast<Index>(i));
    places.y[i] = static_cast<float>(row[0]);
    places.phi[i] = static_cast<float>(row[1]);
    places.pt[i] = std::max(kLeastPt, static_cast<float>(std::exp(row[2])));
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
