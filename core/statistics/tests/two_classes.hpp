#pragma once
/// Where numbers fall into two classes.

#include <span>

namespace fovea {

/// The cut between low and high that leaves the least variance inside both classes, which is the one with the greatest
/// variance between them, low count * high count * (mean difference)^2 (Otsu 1979, who cut grey levels): halfway
/// between the two neighbours that it parts. Numbers are finite. Throws ArgumentError for fewer than two; where all are
/// equal it is their value.
double two_class_cut(std::span<const double> values);

}  // namespace fovea
