#pragma once
/// Whether values are uniform, such as p-values where there is nothing to find.

#include <span>

namespace fovea::support {

struct KolmogorovTest {
  double distance = 0;  ///< D = max |F_n(x) - x|
  double p_value = 1;
};

/// The two-sided test of Kolmogorov (1933) and Smirnov (1948) that n >= 1 values are independent and uniform on [0, 1].
/// P(D >= d) by the limit 2 sum_k (-1)^(k-1) exp(-2 k^2 s^2) at s = d (sqrt(n) + 0.12 + 0.11 / sqrt(n)) (Stephens
/// 1970): within 0.01 of the exact one for n >= 5. Throws ArgumentError for no values and values outside.
KolmogorovTest kolmogorov_uniform(std::span<const double> values);

}  // namespace fovea::support
