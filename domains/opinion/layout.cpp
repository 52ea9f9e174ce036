#include <cmath>
#include <numbers>

#include "fovea/core/error.hpp"
#include "fovea/domains/opinion/graph.hpp"

namespace fovea::opinion {

namespace {

/// A sunflower spiral: even over the disc, no two nodes at one place.
Matrix<double> spiral(Index nodes) {
  const double golden_angle = std::numbers::pi * (3 - std::sqrt(5.0));
  Matrix<double> place(nodes, 2);
  for (Index i = 0; i < nodes; ++i) {
    const double radius = std::sqrt((static_cast<double>(i) + 0.5) / static_cast<double>(nodes));
    const double angle = golden_angle * static_cast<double>(i);
    place(i, 0) = radius * std::cos(angle);
    place(i, 1) = radius * std::sin(angle);
  }
  return place;
}

/// Repulsion of all others, distance `rest` squared over distance, and a pull to the centre.
void repel(const Matrix<double>& place, double rest, Matrix<double>& force) {
  constexpr double kCentrePull = 0.6;  // keeps unconnected parts on the page
  const Index n = place.rows();
#pragma omp parallel for schedule(static)
  for (Index i = 0; i < n; ++i) {
    double fx = 0, fy = 0;
    for (Index j = 0; j < n; ++j) {
      const double dx = place(i, 0) - place(j, 0), dy = place(i, 1) - place(j, 1);
      const double scale = rest * rest / (dx * dx + dy * dy + 1e-9);
      fx += dx * scale;
      fy += dy * scale;
    }
    force(i, 0) = fx - kCentrePull * place(i, 0);
    force(i, 1) = fy - kCentrePull * place(i, 1);
  }
}

void fit_unit_square(Matrix<double>& place) {
  const double left = place.col(0).minCoeff(), bottom = place.col(1).minCoeff();
  const double width = place.col(0).maxCoeff() - left, height = place.col(1).maxCoeff() - bottom;
  const double size = std::max({width, height, 1e-12});
  for (Index i = 0; i < place.rows(); ++i) {
    place(i, 0) = 0.5 + (place(i, 0) - left - 0.5 * width) / size;
    place(i, 1) = 0.5 + (place(i, 1) - bottom - 0.5 * height) / size;
  }
}

}  // namespace

Matrix<double> layout(const Graph& graph, int rounds) {
  require(graph.nodes > 0, "layout: the graph has no nodes; at least one is needed.");
  Matrix<double> place = spiral(graph.nodes);
  Matrix<double> force(graph.nodes, 2);
  const double rest = std::sqrt(std::numbers::pi / static_cast<double>(graph.nodes));
  for (int round = 0; round < rounds; ++round) {
    repel(place, rest, force);
    for (const Edge& edge : graph.edges) {
      const Eigen::RowVector2d between = place.row(edge[0]) - place.row(edge[1]);
      const Eigen::RowVector2d pull = between * (between.norm() / rest);
      force.row(edge[0]) -= pull;
      force.row(edge[1]) += pull;
    }
    // The permitted move shrinks to nothing, so that the drawing settles whatever the forces.
    const double longest = 0.1 * (1 - static_cast<double>(round) / rounds);
    for (Index i = 0; i < graph.nodes; ++i) {
      const double length = force.row(i).norm();
      if (length > 0) place.row(i) += force.row(i) * (std::min(length, longest) / length);
    }
  }
  fit_unit_square(place);
  return place;
}

}  // namespace fovea::opinion
