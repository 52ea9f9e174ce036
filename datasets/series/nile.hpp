#pragma once
/// The annual flow of the Nile, a short series that many methods have been tried on.

#include <vector>

namespace fovea::datasets::series {

/// One number a year, without gaps.
struct AnnualSeries {
  int first_year = 0;
  std::vector<double> values;
};

/// Flow at Aswan, 1871 to 1970, in 10^8 m^3 a year: 100 values, mean 919.35. It fell in 1899, from 1097.75 on average
/// before to 849.97 after.
/// G. W. Cobb, The problem of the Nile: conditional solution to a changepoint problem, Biometrika 65 (1978) 243-251,
/// Table 1. Facts as published, in the public domain; the same numbers come with R (datasets::Nile) and statsmodels.
AnnualSeries nile_flow();

}  // namespace fovea::datasets::series
