#pragma once
/// How close a made picture is to the true one: its noise, its structure, the shape of its spectra.

#include <span>

#include "fovea/core/base/matrix.hpp"

namespace fovea {

/// Peak signal-to-noise ratio, dB: 10 log10(range^2 / mean (made - truth)^2). Infinite where both are equal. A mean
/// over pictures of their PSNR is larger than the PSNR of all their pixels together: say which is meant. made, truth
/// (N) finite, N >= 1: all values that count, of all bands range        of the values, > 0: 1 of reflectances, 255 of
/// bytes Throws ArgumentError; so below.
double peak_signal_to_noise(std::span<const double> made, std::span<const double> truth, double range);

/// Structural similarity of one band (Wang, Bovik, Sheikh, Simoncelli 2004, eq. 13), the mean over all windows that lie
/// inside of the picture of
///   (2 m_a m_b + c_1) (2 s_ab + c_2) / ((m_a^2 + m_b^2 + c_1) (s_a^2 + s_b^2 + c_2))
/// with c_1 = (.01 range)^2, c_2 = (.03 range)^2 and means, variances and covariance weighted by a Gaussian of
/// deviation 1.5 on 11 x 11 pixels. In [-1, 1]; 1 where both are equal. It is skimage.metrics.structural_similarity
/// with gaussian_weights and population covariances, except that a window that holds a NaN is left out: NaN where all
/// do. made, truth  of equal shape, at least 11 x 11; no infinite values
double structural_similarity(const MatrixView<double>& made, const MatrixView<double>& truth, double range);

/// The angle between two spectra, in degrees (spectral angle mapper; Kruse et al. 1993):
///   arccos(<a, b> / (|a| |b|)), computed as 2 atan2(|u - v|, |u + v|) of the unit vectors (Kahan), which keeps its
/// digits near 0. It does not see brightness. a, b: as many finite values, at least one. NaN where one of them is 0.
double spectral_angle(std::span<const double> a, std::span<const double> b);

/// The mean of spectral_angle over rows (N x bands) of equal shape; rows of which one is 0 are left out, NaN where all
/// are.
double mean_spectral_angle(const MatrixView<double>& made, const MatrixView<double>& truth);

}  // namespace fovea
