#include "fovea/domains/opinion/theory/circle.hpp"
#include "fovea/domains/opinion/theory/theory.hpp"
#include "fovea/tests/support/test.hpp"

using namespace fovea::opinion;

namespace {

constexpr double kSeriesRounding = 1e-13;  // a hundred terms

double distance_of(double measured, double predicted) { return std::abs(measured / predicted - 1); }

/// A function's integral over [0, pi] by the midpoint rule, which for even periodic functions is exact to rounding.
template <typename Function>
double half_circle(Function f) {
  constexpr int kPoints = 400;
  double sum = 0;
  for (int k = 0; k < kPoints; ++k) sum += f((k + 0.5) * std::numbers::pi / kPoints);
  return sum * std::numbers::pi / kPoints;
}

}  // namespace

TEST_CASE("a Bessel function is the Fourier mode of exp(beta cos)", "[theory]") {
  for (const double beta : {0.1, 1.0, 5.0, 40.0})
    for (const int k : {0, 1, 2, 5}) {
      const double mode = half_circle([&](double t) { return std::exp(beta * (std::cos(t) - 1)) * std::cos(k * t); });
      const double base = half_circle([&](double t) { return std::exp(beta * (std::cos(t) - 1)); });
      CAPTURE(beta, k);
      CHECK(std::abs(theory::bessel_i(k, beta) / theory::bessel_i(0, beta) - mode / base) < kSeriesRounding);
    }
  CHECK(distance_of(theory::bessel_i(0.5, 2.0), std::sqrt(1 / std::numbers::pi) * std::sinh(2.0)) < kSeriesRounding);
  CHECK(theory::bessel_i(0, 0) == 1);
  CHECK(theory::bessel_i(2, 0) == 0);
  CHECK_THROWS_AS(theory::bessel_i(1, 701), ArgumentError);
}

TEST_CASE("the ratio of two Bessel functions by continued fraction is that of the series", "[theory]") {
  for (const double order : {0.0, 1.0, 1.5, 4.0})
    for (const double x : {0.01, 1.0, 7.0, 100.0, 600.0}) {
      CAPTURE(order, x);
      CHECK(distance_of(theory::bessel_ratio(order, x), theory::bessel_i(order + 1, x) / theory::bessel_i(order, x)) <
            1e-12);
    }
  CHECK(distance_of(theory::bessel_ratio(0, 1e5), 1 - 0.5e-5) < 1e-9);  // 1 - 1 / 2x, far beyond the range of I itself
}

TEST_CASE("growth on the circle: the published rates at beta = 5 and the published dominant modes", "[theory]") {
  const double rates[] = {.178677, .514117, .682678, .600089, .396106};
  for (int k = 1; k <= 5; ++k)
    CHECK(std::abs(theory::circle_growth(k, 5, theory::CircleWeights::softmax) - rates[k - 1]) <
          6e-7);  // their last digit
  CHECK(distance_of(theory::circle_growth(2, 5, theory::CircleWeights::unnormalised),
                    theory::bessel_i(0, 5) * theory::circle_growth(2, 5, theory::CircleWeights::softmax)) <
        kSeriesRounding);
  for (const auto& [beta, mode] : {std::pair{1, 1}, {2, 2}, {5, 3}, {9, 4}, {16, 6}, {25, 7}, {100, 14}})
    CHECK(theory::fastest_circle_mode(beta) == mode);
}

TEST_CASE("critical noise: Euler's steps order a little below the equation's, and tend to it", "[theory][limit]") {
  CHECK(std::abs(theory::critical_noise(1, theory::CircleWeights::unnormalised, 0.05) - .557321) < 6e-7);
  CHECK(theory::critical_noise(1, theory::CircleWeights::unnormalised) >
        theory::critical_noise(1, theory::CircleWeights::unnormalised, 0.05));
  CHECK(distance_of(theory::critical_noise(1, theory::CircleWeights::softmax, 1e-9),
                    theory::critical_noise(1, theory::CircleWeights::softmax)) < 1e-8);
  CHECK_THROWS_AS(theory::critical_noise(0, theory::CircleWeights::softmax), ArgumentError);
}

TEST_CASE("order sets in with a jump above the published beta in every dimension", "[theory]") {
  for (const auto& [d, beta] : {std::pair{2, 2.4469183}, {3, 1.8161545}, {4, 1.5752572}, {8, 1.2665530}})
    CHECK(std::abs(theory::tricritical_beta(d) - beta) < 6e-8);  // their last digit
  CHECK_THROWS_AS(theory::tricritical_beta(1), ArgumentError);
}

TEST_CASE("critical Binder cumulants are those of exp(-R^4)", "[theory]") {
  for (const int n : {1, 2}) {
    double second = 0, fourth = 0, whole = 0;
    for (double r = 5e-4; r < 4; r += 1e-3) {  // midpoints; smooth at 0 by symmetry or weight
      const double weight = std::exp(-r * r * r * r) * std::pow(r, n - 1);
      whole += weight;
      second += weight * r * r;
      fourth += weight * r * r * r * r;
    }
    CHECK(std::abs(theory::critical_binder(n) - (1 - fourth * whole / (3 * second * second))) < 1e-6);
  }
  CHECK(std::abs(theory::critical_binder(1) - .270520) < 1e-6);
}

TEST_CASE("orthonormal tokens: the published cosines", "[theory]") {
  CHECK(std::abs(theory::orthonormal_cosine(8, 3, 1.5) - .1892289300) < 6e-11);
  CHECK(std::abs(theory::orthonormal_cosine(8, 3, 3) - .6840762494) < 6e-11);
  CHECK(std::abs(theory::orthonormal_cosine(8, 3, 4.5) - .9747374325) < 6e-11);
  CHECK(theory::orthonormal_cosine(2, 0, 0) == 0);
}

TEST_CASE("ripples on an even crowd: the fastest ones are maxima, with the published wavelengths", "[theory]") {
  const theory::FastestRipple smooth = theory::fastest_uniform_ripple(0.04);
  CHECK(distance_of(smooth.growth, 1.73576) < 1e-5);
  CHECK(distance_of(2 * std::numbers::pi / smooth.wave_number, 4.4429 * 0.2) < 1e-5);
  for (const double aside : {0.99, 1.01}) {
    CHECK(theory::uniform_growth(aside * smooth.wave_number, 0.04) < smooth.growth);
    CHECK(theory::window_growth(aside * 2.7437 / 0.3, 0.3) < 2.0631);
  }
  CHECK(theory::window_growth(0, 0.3) == 1);
  CHECK_THROWS_AS(theory::uniform_growth(1, 0), ArgumentError);
}

TEST_CASE("saturated camps end at the published temperatures", "[theory]") {
  for (const auto& [coupling, steepness, temperature] : {std::tuple{1.0, 1.5, 0.34421790},
                                                         {1.0, 2.0, 0.48310644},
                                                         {1.0, 3.0, 0.56320741},
                                                         {1.0, 10.0, 0.58258263},
                                                         {2.0, 2.0, 2.31453801},
                                                         {3.0, 3.0, 5.24323370}}) {
    CAPTURE(coupling, steepness);
    CHECK(std::abs(theory::saturated_camps_end(coupling, steepness).temperature - temperature) < 1e-8);
  }
  const theory::CampsEnd steep = theory::saturated_camps_end(2, std::numeric_limits<double>::infinity());
  CHECK(distance_of(steep.temperature, 4 * 0.582583) < 1e-6);
  CHECK(distance_of(steep.place, 2 * 0.796388) < 1e-6);
  const double z = steep.place * steep.place / steep.temperature;
  CHECK(distance_of(std::sinh(2 * z), 4 * z) < 1e-6);  // a maximum is flat: its place is known to half the digits
  CHECK_THROWS_AS(theory::saturated_camps_end(1, 0.9), ArgumentError);
  CHECK_THROWS_AS(theory::saturated_camps_temperature(2, 1, 2), ArgumentError);
}

TEST_CASE("camps rest just below their end and merge just above it", "[theory][limit]") {
  const theory::CampsEnd end = theory::saturated_camps_end(1, 2);
  for (const double side : {0.999, 1.001}) {
    double a = theory::saturated_consensus(1, 2);
    for (int step = 0; step < 5000; ++step) a = std::tanh(2 * a) * std::tanh(a * a / (side * end.temperature));
    CHECK((a > 0.9 * end.place) == (side < 1));
  }
}

TEST_CASE("the noisy crowd's variance and mean: both equations of motion rest there", "[theory][limit]") {
  for (const double t : {4.2, 5.0, 6.5}) {
    const double smooth = theory::noisy_crowd_variance(t, 0.8, 1),
                 euler = theory::noisy_crowd_variance(t, 0.8, 1, 0.02);
    CHECK(std::abs(smooth * (0.8 * smooth / t - 1) + 1) < 1e-12);
    const double factor = 1 + 0.02 * (0.8 * euler / t - 1);
    CHECK(std::abs(euler * factor * factor + 0.04 - euler) < 1e-13);
  }
  CHECK(std::abs(theory::noisy_crowd_variance(5, 0.8, 1) - 1.25) < 1e-12);
  CHECK(std::isnan(theory::noisy_crowd_variance(3.1, 0.8, 1)));
  for (const double dt : {0.0, 0.02}) {
    const double turn = theory::mean_drifts_below(0.8, 1, dt);
    CHECK(std::abs(theory::noisy_crowd_growth(1, 0.8, theory::noisy_crowd_variance(turn, 0.8, 1, dt) / turn)) < 1e-12);
  }
  CHECK_THROWS_AS(theory::mean_drifts_below(0.4, 1), ArgumentError);
  CHECK_THROWS_AS(theory::noisy_crowd_growth(0, 0.8, 0.2), ArgumentError);
}

TEST_CASE("the modes of a Gaussian crowd are reproduced by a step, through quadrature of its definition", "[theory]") {
  // M f = r f + (1 - r) E f + ((1 - r) x / T) E[z f] - E[z^2 f] / T, with the expectations as sums over z
  const double v = 0.3, t = 0.2, r = v / (v + t), sd = std::sqrt(r * t);
  for (int degree = 0; degree <= 5; ++degree) {
    const std::vector<double> mode = theory::displacement_mode(degree, v, t);
    const auto f = [&](double x) {
      double value = 0;
      for (std::size_t k = mode.size(); k-- > 0;) value = value * x + mode[k];
      return value;
    };
    for (const double x : {-1.3, 0.2, 0.9}) {
      double plain = 0, first = 0, second = 0;
      constexpr double kStep = 0.01;  // the trapezium rule is exact to rounding for a Gaussian times a polynomial
      for (double z = -12; z <= 12; z += kStep) {
        const double weight = std::exp(-0.5 * z * z) * kStep / std::sqrt(2 * std::numbers::pi);
        const double value = f(r * x + sd * z);
        plain += weight * value;
        first += weight * value * sd * z;
        second += weight * value * sd * sd * z * z;
      }
      // - E[z^2 f] / T counts the mean's own part: with E[z^2] = r T it is that of the spread beside it
      const double image = r * f(x) + plain + (1 - r) * x / t * first - second / t;
      CAPTURE(degree, x);
      CHECK(std::abs(image - theory::displacement_growth(degree, r) * f(x)) < 1e-11);
    }
  }
  CHECK_THROWS_AS(theory::displacement_mode(41, v, t), ArgumentError);
}
