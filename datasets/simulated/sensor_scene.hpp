#pragma once
/// A made scene seen by a radar and by an optical sensor, pixel on pixel, whose densities are known: so what can be
/// known of a pixel from either and from both is known, too (scene_bayes.hpp).

#include <array>
#include <string>
#include <vector>

#include "fovea/core/base/matrix.hpp"
#include "fovea/core/base/random.hpp"

namespace fovea::datasets::simulated {

/// What a class looks like.
struct SceneClass {
  std::string name;
  double share = 1;                           ///< of the patches, > 0, relative to the others
  std::array<double, 2> backscatter_db = {};  ///< mean intensity of VV and VH
  std::vector<double> reflectance = {};       ///< means of the optical bands
  Matrix<double> covariance = {};             ///< of the optical bands, positive definite
};

/// Covariance of bands with these deviations, of which each two have this correlation.
Matrix<double> even_covariance(const std::vector<double>& deviations, double correlation);

/// Water; two kinds of forest with the same backscatter, which only optics tells apart; dry and wet soil with the same
/// reflectances, which only the radar tells apart. Four bands: blue, green, red, near infrared.
std::vector<SceneClass> two_sensor_classes();

struct SensorScenePlan {
  std::vector<SceneClass> classes = two_sensor_classes();
  Index rows = 128, columns = 128;
  Index patch = 16;        ///< side of the square patches of one class each, drawn by their shares, pixels. With 1
                           ///< the pixels are independent: then nothing is known beyond the pixel itself
  double looks = 4;        ///< >= 1, equivalent ones: an intensity is its mean times Gamma(looks) / looks
  double cloud_share = 0;  ///< of the pixels, in [0, 1]
  double cloud_scale = 8;  ///< deviation of the Gaussian that smooths the clouds' field, pixels, in (0, 200]
  bool announced = true;   ///< clouds are in the mask; else they are bright values that pass for clear
  double row_shift = 0, column_shift = 0;  ///< pixel (r, c) of the radar shows the ground at (r, c) + shift
};

/// A cloud that nobody announced: reflectances normal about this, independent.
inline constexpr double kCloudReflectance = 0.6, kCloudDeviation = 0.05;

/// Pixels row by row.
struct SensorScene {
  Index rows = 0, columns = 0;
  std::vector<Index> truth;          ///< number of the class
  Matrix<double> backscatter;        ///< pixels x 2, linear intensity of VV and VH
  Matrix<double> reflectance;        ///< pixels x bands; NaN below an announced cloud; may fall below 0
  std::vector<std::uint8_t> clear;   ///< 1 where the mask says so
  std::vector<std::uint8_t> cloudy;  ///< 1 where there is a cloud, whatever the mask says
};

/// Speckle of a shifted radar: the mean intensities of the four nearest pixels are weighted linearly, in power, and the
/// product with the speckle follows; beyond the edge the last pixel goes on. Clouds lie where a smooth normal field is
/// largest, in round(cloud_share pixels) of them. A function of (plan, random), pixel by pixel: the same at any number
/// of threads. Throws ArgumentError.
SensorScene sensor_scene(const SensorScenePlan& plan, const Random& random);

/// A normal field of mean 0 and deviation 1, row by row, smoothed by a Gaussian of deviation `scale` > 0 pixels. It is
/// drawn wider than it is returned by the reach of the Gaussian, so that the edge is as smooth as the middle.
std::vector<double> smooth_normal_field(Index rows, Index columns, double scale, const Random& random);

/// Gamma(shape) for shape >= 1, mean shape and variance shape (Marsaglia & Tsang 2000); a function of (random, entity).
double gamma_draw(double shape, const Random& random, std::uint64_t entity);

void check_scene_plan(const SensorScenePlan& plan);  ///< throws ArgumentError

}  // namespace fovea::datasets::simulated
