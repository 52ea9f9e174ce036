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

/// The angle between two spectra, in degrees (spectral angle mapper; Kruse et al. 1993):
///   arccos(<a, b> / (|a| |b|)), computed as 2 atan2(|u - v|, |u + v|) of the unit vectors (Kahan), which keeps its
/// digits near 0. It does not see brightness. a, b: as many finite values, at least one. NaN where one of them is 0.
double spectral_angle(std::span<const double> a, std::span<const double> b);

/// The mean of spectral_angle over rows (N x bands) of equal shape; rows of which one is 0 are left out, NaN where all
/// are.
double mean_spectral_angle(const MatrixView<double>& made, const MatrixView<double>& truth);

}  // namespace fovea
