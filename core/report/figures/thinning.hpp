#pragma once
/// Making arrays small enough for a page: reordering, keeping every k-th value, means of blocks, few levels of colour.

#include <cstdint>
#include <string>
#include <vector>

#include "fovea/core/report/figures/averaged.hpp"

namespace fovea {

inline constexpr std::size_t kMostNodes = 5000;   ///< of a network in a figure
inline constexpr std::size_t kMostEdges = 20000;  ///< of a network in a figure

/// The same array with the dimensions `last` (those it has) moved to the end, in this order.
Averaged reordered(Averaged array, const std::vector<std::string>& last);

/// Every step-th value along a dimension; with `blocks` the mean of the finite values of each block of `step` instead.
Averaged thinned(Averaged array, const std::string& dimension, std::size_t step, bool blocks);

/// The first `count` values along a dimension.
Averaged shortened(const Averaged& array, const std::string& dimension, std::size_t count);

/// A network small enough to draw: every k-th node and the edges between those that stay, then every m-th edge.
/// Returns the sentence that says so; empty if nothing was left out.
std::string limit_network(FigureData& data, const Figure& figure, std::size_t most_nodes, std::size_t most_edges);

/// Values in equal steps between each row's smallest and largest: code = round((v - low) / (high - low) * levels).
/// The code levels + 1 stands for NaN. A row is `row` values in sequence.
struct Quantised {
  std::vector<std::uint16_t> codes;
  std::vector<double> low, high;
};
Quantised quantised(const std::vector<double>& values, std::size_t row, std::uint16_t levels);

/// Standard base64 (RFC 4648) with padding.
std::string base64(const std::vector<std::uint8_t>& bytes);

}  // namespace fovea
