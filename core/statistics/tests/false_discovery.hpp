#pragma once
/// Many tests at once.

#include <span>
#include <vector>

namespace fovea {

/// For each of m p-values the least false discovery rate at which it is a discovery: q_(k) = min over l >= k of
/// p_(l) m / l, at most 1 (Benjamini & Hochberg 1995; it holds for independent and for positively dependent tests).
/// Equal p-values get equal q-values. In the order of p. Throws ArgumentError for what is not in [0, 1].
std::vector<double> benjamini_hochberg(std::span<const double> p);

/// The same of log10 of the p-values, for those that a double cannot hold: log10 q. Each <= 0, also -inf.
std::vector<double> log10_benjamini_hochberg(std::span<const double> log10_p);

}  // namespace fovea
