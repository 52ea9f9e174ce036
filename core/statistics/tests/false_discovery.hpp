#pragma once
/// Many tests at once.

#include <cstddef>
#include <span>
#include <vector>

namespace fovea {

/// For each of m p-values the least false discovery rate at which it is a discovery: q_(k) = min over l >= k of
/// p_(l) m / l, at most 1 (Benjamini & Hochberg 1995; it holds for independent and for positively dependent tests).
/// Equal p-values get equal q-values. In the order of p. Throws ArgumentError for what is not in [0, 1].
std::vector<double> benjamini_hochberg(std::span<const double> p);

/// The same of log10 of the p-values, for those that a double cannot hold: log10 q. Each <= 0, also -inf.
std::vector<double> log10_benjamini_hochberg(std::span<const double> log10_p);

/// Tests that belong together in groups, such as the lags of a pair of series. A group's p-value is that of Simes
/// (1986), min over k of m p_(k) / k of its m tests; groups are discovered at level q by Benjamini & Hochberg, R of G
/// of them, and within these the tests at level q R / G (Benjamini & Bogomolov 2014). On average at most q of the
/// discovered groups are false, and so is the mean over them of their shares of false tests.
///
/// For each test log10 of the least q at which it is a discovery, at most 0; in the order of log10_p (each <= 0, also
/// -inf). group: its number, 0, 1, ... without a gap. Throws ArgumentError for other values.
std::vector<double> log10_grouped_discovery(std::span<const double> log10_p, std::span<const std::size_t> group);

}  // namespace fovea
