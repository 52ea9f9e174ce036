/// Made pictures against the true ones: by hand and against scikit-image (tests/golden/statistics/agreement.py).

#include "fovea/core/statistics/agreement/picture_quality.hpp"
#include "fovea/tests/support/test.hpp"

namespace {

constexpr double kOtherFilter = 1e-11;  // scikit-image sums the windows in another order, and squares lose some digits

Matrix<double> made_picture(double phase) {
  Matrix<double> picture(17, 23);
  for (Index i = 0; i < 17; ++i)
    for (Index j = 0; j < 23; ++j) {
      const auto r = static_cast<double>(i), c = static_cast<double>(j);
      picture(i, j) =
          0.5 + 0.3 * std::sin(0.7 * r + phase) * std::cos(0.4 * c) + 0.1 * std::sin(2.1 * c + 0.3 * r + 3 * phase);
    }
  return picture;
}

std::span<const double> values_of(const Matrix<double>& picture) {
  return {picture.data(), static_cast<std::size_t>(picture.size())};
}

}  // namespace

TEST_CASE("PSNR: an error of a tenth of the range is 20 dB, and none is infinite", "[statistics][picture_quality]") {
  const std::vector<double> truth{0.2, 0.4, 0.6}, off{0.3, 0.3, 0.7};
  CHECK(peak_signal_to_noise(off, truth, 1) == Approx(20).epsilon(1e-12));
  CHECK(peak_signal_to_noise(off, truth, 10) == Approx(40).epsilon(1e-12));
  CHECK(peak_signal_to_noise(truth, truth, 1) == INFINITY);
  const Matrix<double> a = made_picture(0), b = made_picture(0.5);
  CHECK(peak_signal_to_noise(values_of(a), values_of(b), 1) == Approx(18.401980057334818).epsilon(1e-13));
}

TEST_CASE("the spectral angle: a right one, half of it, none, and the digits of a small one",
          "[statistics][picture_quality]") {
  const std::vector<double> red{2, 0}, blue{0, 3}, both{1, 1};
  CHECK(spectral_angle(red, blue) == Approx(90).epsilon(1e-14));
  CHECK(spectral_angle(red, both) == Approx(45).epsilon(1e-14));
  CHECK(spectral_angle(both, std::vector<double>{5, 5}) == 0);
  const std::vector<double> near{1, 1e-9};  // arccos would say 0
  CHECK(spectral_angle(red, near) == Approx(1e-9 * 180 / 3.14159265358979323846).epsilon(1e-12));
  CHECK(std::isnan(spectral_angle(red, std::vector<double>{0, 0})));
  const Matrix<double> a = made_picture(0), b = made_picture(0.5);
  CHECK(mean_spectral_angle(a, b) == Approx(12.925778437255572).epsilon(1e-12));
  Matrix<double> dark = a;
  dark.row(0).setZero();
  CHECK(mean_spectral_angle(dark, b) == Approx(mean_spectral_angle(a.bottomRows(16), b.bottomRows(16))));
  CHECK(mean_spectral_angle(a.leftCols(4), b.leftCols(4)) ==
        Approx(mean_spectral_angle(Matrix<double>(a.leftCols(4)), Matrix<double>(b.leftCols(4)))));
}

TEST_CASE("pictures without a range or a value are refused", "[statistics][picture_quality][fault]") {
  const Matrix<double> a = made_picture(0);
  CHECK_THROWS_AS(peak_signal_to_noise(values_of(a), values_of(a), kNan), ArgumentError);
  CHECK_THROWS_AS(peak_signal_to_noise(std::vector<double>{kNan}, std::vector<double>{1}, 1), ArgumentError);
}
