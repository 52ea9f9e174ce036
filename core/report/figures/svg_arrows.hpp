#pragma once
/// Arrows between the nodes of a network, in CSS pixels.

#include <vector>

#include "fovea/core/report/figures/svg.hpp"

namespace fovea {

/// An edge from one node to another as it is drawn: a bent line, the point of its head, and where its label stands.
struct Arrow {
  std::vector<Point> line;  ///< from the rim of the source to the foot of the head
  Point tip, direction;     ///< of the head; the direction has length 1
  Point label;              ///< its centre
};

/// From node `source` to node `target`, circles of `radius`. `rank` = 0, 1, ... counts the edges of the same source and
/// target: each is bent more than the one before. An edge to itself is a loop that points away from `centre`.
Arrow arrow_between(const std::vector<Point>& nodes, std::size_t source, std::size_t target, std::size_t rank,
                    double radius, Point centre);

/// The three corners of the head of a line of this width.
std::vector<Point> arrow_head(const Arrow& arrow, double width);

}  // namespace fovea
