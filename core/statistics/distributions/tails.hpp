#pragma once
/// p-values of the usual test statistics, with all their digits in the far tails: by Boost.Math's incomplete beta and
/// gamma functions (relative error about 1e-14, down to 1e-300; 0 below what a double can hold).

namespace fovea {

/// P(|T| >= |t|) for Student's T with degrees > 0, which need not be whole. 0 for an infinite t.
double student_two_sided(double t, double degrees);

/// P(F >= f) for Fisher's F with `numerator` and `denominator` degrees of freedom, both > 0; f >= 0, 0 where infinite.
double fisher_upper(double f, double numerator, double denominator);

/// P(X >= x) for chi squared with degrees > 0; x >= 0, 0 where infinite.
double chi_squared_upper(double x, double degrees);

/// P(|Z| >= |z|) for a standard normal Z.
double normal_two_sided(double z);

/// log10 of student_two_sided() and fisher_upper(), also where a double cannot hold these: there by the continued
/// fraction of the incomplete beta function (Abramowitz and Stegun 1964, 26.5.8), and for infinite degrees by that of
/// the normal tail (26.2.14). Relative error below 1e-10; -inf where t^2 or F is infinite.
double log10_student_two_sided(double t, double degrees);
double log10_fisher_upper(double f, double numerator, double denominator);

// Each throws ArgumentError outside its range and for NaN.

}  // namespace fovea
