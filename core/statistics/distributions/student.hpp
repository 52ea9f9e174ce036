#pragma once
/// Student's t distribution: how far a mean or a slope of few values may lie from the truth.

namespace fovea {

/// P(|T| <= t) for T with `degrees` >= 1 degrees of freedom, t >= 0 (Abramowitz and Stegun 1964, 26.7.3 and 26.7.4).
/// Throws ArgumentError outside.
double student_within(double t, int degrees);

/// The t with student_within(t, degrees) = level: an interval of +-t standard errors holds the truth with that
/// probability. level in [0, 1); 12.706 for level 0.95 and one degree, 1.960 for many.
double student_width(double level, int degrees);

}  // namespace fovea
