#pragma once
/// exp and log of the engine: the same bits on every machine with fused multiply-add, without a branch or a slow case.
///
/// exp(x) = 2^n e^r with n = round(x / ln 2), |r| <= ln 2 / 2; n ln 2 is taken off in two parts of which the first is
/// exact (Cody & Waite 1980), and e^r = 1 + r + r^2 q(r) with a minimax polynomial q (Remez; degree 9 in double, 4 in
/// float). log(x) = n ln 2 + log m with m in [sqrt(1/2), sqrt(2)] and a minimax polynomial in ((m - 1) / (m + 1))^2.
///
/// Errors, in units of the last place: exp below 1.1 (double) and below 1.5 (float); log below 1.5.

namespace fovea {

/// e^x. Exactly 1 at 0. Exactly 0 below -708 (float: -87), so nothing is ever subnormal. Saturates above 709 (float:
/// 88) at e^709 instead of infinity. NaN stays NaN.
template <typename Real>
Real exponential(Real x);

/// The natural logarithm of a positive, finite, normal number. NaN stays NaN.
template <typename Real>
Real logarithm(Real x);

}  // namespace fovea
