/// The oracle on one score switch (E12): what other models are special cases of.

#include <algorithm>
#include <cmath>

#include "fovea/core/base/error.hpp"
#include "fovea/domains/opinion/oracle/crowds.hpp"
#include "fovea/domains/opinion/oracle/oracle.hpp"

namespace fovea::opinion::oracle {

namespace {

constexpr Index kFew = 400;
constexpr double kIdentity = 1e-12;

Matrix<double> scattered(const Random& random) {
  Matrix<double> opinions(kFew, 1);
  for (Index i = 0; i < kFew; ++i) opinions(i, 0) = 2 * random.uniform(static_cast<std::uint64_t>(i)) - 1;
  return opinions;
}

/// Weighted means by plain sums: weight(distance) with floor.
template <typename Weight>
Matrix<double> plain_means(const Matrix<double>& x, Weight weight) {
  Matrix<double> means(x.rows(), 1);
  for (Index i = 0; i < x.rows(); ++i) {
    double sum = 0, whole = 0;
    for (Index j = 0; j < x.rows(); ++j) {
      const double w = weight(std::abs(x(i, 0) - x(j, 0)));
      sum += w * x(j, 0);
      whole += w;
    }
    means(i, 0) = sum / whole;
  }
  return means;
}

double step_distance(const dynamics::ModelSettings& settings, const Matrix<double>& x, const Matrix<double>& expected) {
  const auto dynamics = free_crowd(settings, x);
  return farthest_apart(stepped(*dynamics, x), expected);
}

void compare_power_law(OracleSheet& sheet, const Matrix<double>& x) {
  constexpr double kFloor = 1e-3;
  for (const double beta : {0.5, 1.0, 3.0}) {
    const dynamics::ModelSettings settings{.score = "log_distance", .temperature = 1 / beta, .distance_floor = kFloor};
    const Matrix<double> means = plain_means(x, [&](double d) { return std::pow(std::max(d, kFloor), -beta); });
    sheet.compare(concat("power_law_", beta),
                  concat("softmax of -ln d at T = 1 / beta against weights d^-beta "
                         "(Baumann, algorithmic bias), beta = ",
                         beta),
                  0.0, step_distance(settings, x, means), absolute(kIdentity));
  }
}

void compare_limits_of_confidence(OracleSheet& sheet, const Matrix<double>& x) {
  dynamics::ModelSettings sigmoid{.model = "smooth_bounded_confidence",
                                  .confidence = 0.3,
                                  .sharpness = 0,
                                  .time_step = 1};  // a step is then the mean itself
  const Matrix<double> everybody = Matrix<double>::Constant(kFew, 1, x.mean());
  sheet.compare("sigmoid_flat", "smooth bounded confidence of sharpness 0 against the mean of all", 0.0,
                step_distance(sigmoid, x, everybody), absolute(kIdentity));
  const dynamics::ModelSettings window{.model = "hegselmann_krause", .confidence = 0.3};
  const Matrix<double> within = plain_means(x, [](double d) { return d <= 0.3 ? 1.0 : 0.0; });
  sheet.compare("window", "Hegselmann and Krause as attention with a top-hat score", 0.0,
                step_distance(window, x, within), absolute(kIdentity));
  sigmoid.sharpness = 1e9;  // 1e9 |d^2 - eps^2| must be far above 1 for the pair nearest to the bound
  sheet.compare("sigmoid_steep", "smooth bounded confidence of sharpness 1e9 against Hegselmann and Krause", 0.0,
                step_distance(sigmoid, x, within), absolute(1e-9));
}

void compare_degroot(OracleSheet& sheet, const Matrix<double>& x) {
  const Matrix<double> everybody = Matrix<double>::Constant(kFew, 1, x.mean());
  for (const std::string score : {"gaussian", "dot_product"}) {
    const dynamics::ModelSettings settings{.score = score,
                                           .temperature = 1e10};  // scores of at most 2: weights equal to 2e-10
    sheet.compare("degroot_" + score, "attention at T = 1e10 against DeGroot's equal weights, score " + score, 0.0,
                  step_distance(settings, x, everybody), absolute(1e-9));
  }
}

}  // namespace

void measure_identities(OracleSheet& sheet) {
  const Matrix<double> x = scattered(sheet.random());
  compare_power_law(sheet, x);
  compare_limits_of_confidence(sheet, x);
  compare_degroot(sheet, x);
}

void measure_freezing(OracleSheet& sheet) {
  // evenly spaced by chance, but no two nearer than 1e-3: exp(-1e-6 / 2T) is 0 at T = 1e-9
  Matrix<double> x = even_crowd(kFew, -1, 1);
  for (Index i = 0; i < kFew; ++i) x(i, 0) += 1e-3 * sheet.random().uniform(static_cast<std::uint64_t>(i));
  dynamics::ModelSettings settings{.temperature = 1e-9};
  sheet.compare("gaussian", "largest movement of an agent in one step at T = 1e-9, Gaussian score", 0.0,
                step_distance(settings, x, x), absolute(kIdentity));
  Matrix<double> leaders(kFew, 1);
  for (Index i = 0; i < kFew; ++i) leaders(i, 0) = x(i, 0) > 0 ? x.maxCoeff() : x.minCoeff();
  settings.score = "dot_product";
  settings.temperature = 1e-8;  // leads of 1e-3 times opinions of 1e-3 or more
  sheet.compare("dot_product",
                "distance from the most extreme opinion of the same sign after a step at T = 1e-8, score x y", 0.0,
                step_distance(settings, x, leaders), absolute(kIdentity));
}

}  // namespace fovea::opinion::oracle
